/** Games as text: the contract's GameRecord as JSON, which every language with protobuf can read. */

import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { type GameRecord, GameRecordSchema } from "./gen/saloon/v1/game_pb.js";

/** A record as text, the same that the Python client writes into files. */
export function save(record: GameRecord): string {
  return `${toJsonString(GameRecordSchema, record, { useProtoFieldName: true, prettySpaces: 2 })}\n`;
}

/** Read a record; TypeError if the text holds none. Whether it can be played again is for the server to say. */
export function loadRecord(text: string): GameRecord {
  try {
    return fromJsonString(GameRecordSchema, text);
  } catch (cause) {
    throw new TypeError(`expected a game record as JSON: ${(cause as Error).message}`, { cause });
  }
}
