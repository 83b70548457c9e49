/** Client for Saloon: AI opponents for board games with hidden information. */

// For messages of "@saloon/client/v1": nobody needs protobuf-es beside this package, or another version of it.
export { create, toJson } from "@bufbuild/protobuf";
export {
  type Applied,
  Client,
  type ClientOptions,
  type TableOptions,
  type Token,
  type Wanted,
} from "./client.js";
export {
  Closed,
  type Code,
  InvalidRequest,
  NotAllowed,
  NotFound,
  NotNow,
  NotReachable,
  Overloaded,
  type Problem,
  SaloonError,
  ServerFault,
  Taken,
  TooLate,
} from "./errors.js";
export type { Limits } from "./limits.js";
export type { Listing } from "./listing.js";
export {
  type AnyEvent,
  type AnySituation,
  type Cost,
  chosen,
  goldgraeber,
  moonRiver,
  type Thinking,
  tableBot,
  turnClock,
} from "./messages.js";
export { seconds, type Whole } from "./numbers.js";
export { loadRecord, save } from "./records.js";
export type { DecideOptions, Seat, SeatOptions } from "./seat.js";
