/** What the page asks of a game beyond what the server says of any. Rules are not among it: those are the server's. */

import type { Beliefs, Cell, Components, Decision, Event, Position, SeatScore, Status } from "@saloon/client/v1";

/** What is clicked to decide, as selectors of elements of the picture. */
export interface Hooks {
  /** All that has to be clicked, in any order. */
  picks: string[];
  /** What of it is put where: clicked one right after the other it means just that. */
  pairs?: [string, string][];
  /** Where on the board it shows, for hints. */
  places?: string[];
}

/** What may lie in one place of the board where nobody here can see it. */
export interface Guess {
  selector: string;
  text: string;
  /** How likely it is something good; drawn as a bar where it is known. */
  good?: number;
}

/** Who is spoken of: names, and which seats play at this screen. */
export interface Cast {
  name(seat: number): string;
}

/** One thing told of what happened. */
export interface Told {
  seat?: number;
  text: string;
}

export interface Game {
  hooks(decision: Decision, seat: number): Hooks;
  /** Where what was decided is to be seen afterwards. */
  traces(decision: Decision, seat: number): string[];
  /** Elements that glide from one picture to the next: what tells them apart. */
  moving: string[];
  /** How round what lights up is: 0 to 0.5 of its size. */
  round: number;
  /** A decision in a menu, with what the position adds to it. */
  choice(decision: Decision, position: Position | undefined, cast: Cast, components: Components | undefined): string;
  /** Under which heading a menu has it; empty: by itself. */
  group(decision: Decision): string;
  /** The other ways to lay what was just laid, itself included, in a circle. */
  turned?(decision: Decision, all: Decision[]): Decision[];
  /** Whether it is done at once, since there is nothing to look at before. */
  atOnce(decision: Decision): boolean;
  /** What happened, with all that followed by itself. */
  story(event: Event, before: Position, after: Position, cast: Cast, components: Components | undefined): Told[];
  /** The same when only the event is known. */
  brief(event: Event, cast: Cast, components: Components | undefined): Told[];
  /** What is due, in words that follow a name. */
  due(status: Status, position: Position): string;
  /** What that means, for those who do not know the rules. */
  advice(status: Status, position: Position): string;
  /** Why something cannot be chosen that was clicked; empty if there is nothing to say. */
  whyNot(element: Element, status: Status, position: Position): string;
  /** Where points come from. */
  parts(score: SeatScore): [string, number][];
  /** What is believed of what is hidden: words, and how likely. */
  beliefs(beliefs: Beliefs, components: Components | undefined): [string, number][];
  /** The same on the board. */
  guesses(beliefs: Beliefs, components: Components | undefined): Guess[];
  /** The colour of a seat, 0 to 5. */
  colour(seat: number, position: Position): number;
  /** Whether seats know what others at the same screen must not see. */
  secrets(position: Position): boolean;
}

export function cellName(cell: Cell | undefined): string {
  if (!cell) return "";
  let letters = "";
  for (let rest = cell.column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(97 + (rest % 26)) + letters;
  }
  return `${letters}${cell.row + 1}`;
}

export function panelOf(seat: number): string {
  return `[data-part="seat"][data-seat="${seat}"]`;
}
