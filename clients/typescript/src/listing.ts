/** Which tables are to be listed. */

import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type ListTablesRequest, ListTablesRequestSchema, TableState } from "./gen/saloon/v1/tables_pb.js";

const STATES = { open: TableState.OPEN, underWay: TableState.UNDER_WAY, over: TableState.OVER } as const;

/** Which tables are to be listed: those of which all is true. */
export interface Listing {
  /** With a free seat. */
  onlyFree?: boolean | undefined;
  /** Such as "moon_river". */
  game?: string | undefined;
  /** So many seats. */
  seats?: number | undefined;
  /** How far the game has come. */
  state?: keyof typeof STATES | undefined;
  /** Those that the person who asks made or sits at, by invitation, too. */
  mine?: boolean | undefined;
  /** Who asks, from clients that may say for whom they call; else it is the person whose token it is. */
  account?: string | undefined;
  /** Made then or later. */
  madeFrom?: Date | undefined;
  /** Made earlier. */
  madeBefore?: Date | undefined;
}

export function listing(wanted: Listing): ListTablesRequest {
  const { onlyFree = false, game = "", seats = 0, state, mine = false, account = "", madeFrom, madeBefore } = wanted;
  return create(ListTablesRequestSchema, {
    pageSize: 100,
    onlyFree,
    game,
    seats,
    state: state ? STATES[state] : TableState.UNSPECIFIED,
    mine,
    account,
    ...(madeFrom && { madeFrom: timestampFromDate(madeFrom) }),
    ...(madeBefore && { madeBefore: timestampFromDate(madeBefore) }),
  });
}
