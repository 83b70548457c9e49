/** What people call those at a table: the same name twice is told apart by the seat. */

import { Player, type Seat } from "@saloon/client/v1";
import { t } from "../words";

export function namesAt(seats: Seat[]): string[] {
  const given = seats.map(({ seat, name, player }) => name || t(player === Player.FREE ? "freeSeat" : "seatNumber", seat));
  const twice = (name: string, seat: number) => seats[seat]?.player !== Player.FREE && given.filter((other) => other === name).length > 1;
  return given.map((name, seat) => (twice(name, seat) ? `${name} #${seat}` : name));
}

/** As much of a name as there is room for; what tells it from others stays. */
export function shortened(name: string, most: number): string {
  if (name.length <= most) return name;
  const apart = / #\d$/.exec(name)?.[0] ?? "";
  return `${name.slice(0, most - 1 - apart.length)}…${apart}`;
}
