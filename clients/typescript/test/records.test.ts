/** Games as text. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { loadRecord, moonRiver, save } from "@saloon/client";
import { GameRecordSchema } from "@saloon/client/v1";
import { SALOON } from "./server.js";

const RECORD = create(GameRecordSchema, { options: moonRiver({ players: 2 }), seed: 2n ** 64n - 1n, stream: 3n });

test("what was saved is read again, digit by digit", () => {
  assert.deepEqual(loadRecord(save(RECORD)), RECORD);
});

test("the Python client reads it and writes the same", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "saloon-client-"));
  try {
    const [ours, theirs] = [path.join(folder, "ours.json"), path.join(folder, "theirs.json")];
    await writeFile(ours, save(RECORD));
    const code = "import sys, saloon_client as c; c.save(c.load_record(sys.argv[1]), sys.argv[2])";
    execFileSync(path.join(path.dirname(SALOON), "python"), ["-c", code, ours, theirs]);
    assert.equal(await readFile(theirs, "utf8"), save(RECORD));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("other text is refused", () => {
  for (const text of ["", "[]", "{", '{"saloon_record": 1}', '{"seed": 1.5}', '{"seed": -1}']) {
    assert.throws(() => loadRecord(text), { name: "TypeError", message: /^expected a game record as JSON: / }, text);
  }
});
