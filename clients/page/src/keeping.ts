/** What this browser keeps between visits. Tokens are here and nowhere else: never in an address that is sent. */

const PREFIX = "saloon.";

export function kept<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise; // no storage here, or what is in it is not ours
  }
}

export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing can still play
  }
}

/** What we hold of a table. */
export interface Keys {
  host?: string;
  invitation?: string;
  seats: Record<number, string>;
  game?: string;
  when: number;
}

const MOST_TABLES = 50;

function all(): Record<string, Keys> {
  return kept<Record<string, Keys>>("tables", {});
}

export function keysOf(table: string): Keys {
  return all()[table] ?? { seats: {}, when: 0 };
}

export function keepKeys(table: string, change: Partial<Keys>): Keys {
  const tables = all();
  const keys = { ...keysOf(table), ...change, when: Date.now() };
  tables[table] = keys;
  const newest = Object.entries(tables).sort(([, a], [, b]) => b.when - a.when).slice(0, MOST_TABLES);
  keep("tables", Object.fromEntries(newest));
  return keys;
}

export function keepSeat(table: string, seat: number, token: string): void {
  keepKeys(table, { seats: { ...keysOf(table).seats, [seat]: token } });
}

export function forget(table: string): void {
  const tables = all();
  delete tables[table];
  keep("tables", tables);
}

/** Ours, newest first. */
export function ownTables(): [string, Keys][] {
  return Object.entries(all())
    .filter(([, keys]) => keys.host || Object.keys(keys.seats).length)
    .sort(([, a], [, b]) => b.when - a.when);
}

/** 32 letters, digits, '-' and '_' that nobody can guess. */
export function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}
