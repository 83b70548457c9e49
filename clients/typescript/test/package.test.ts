/** What is packed is whole: in a strict project, in Node, and in a bundle for browsers. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const MODULES = path.join(PACKAGE, "node_modules");
const MOST_BYTES = 55_000; // gzipped, with everything that it needs

const CODE = `
import { Client, InvalidRequest, moonRiver, type Seat } from "@saloon/client";
import { type Answer, Waiting } from "@saloon/client/v1";

const saloon: Client = new Client("http://localhost:8080", { token: "secret" });
const seat: Seat = saloon.sit(0, { seed: 1n, iterations: 5 });
export async function ask(): Promise<Answer> {
  const game = await saloon.newGame(moonRiver({ players: 3, scenario: "gold_rush" }), { seed: 1 });
  const { situation, status } = await saloon.apply(game, []);
  const seed: bigint | undefined = situation.seed;
  return seed === 1n && status.waiting === Waiting.DECISION ? saloon.suggest(game) : Promise.reject(InvalidRequest);
}
console.log(saloon.address, seat.session === "");
`;

let project: string;

before(async () => {
  project = await mkdtemp(path.join(tmpdir(), "saloon-client-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", project], { cwd: PACKAGE });
  const packed = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>)[0];
  const home = path.join(project, "node_modules", "@saloon", "client");
  await mkdir(home, { recursive: true });
  const archive = path.join(project, packed?.filename.replace(/^@(.*)\//, "$1-") ?? "");
  await run("tar", ["-xzf", archive, "-C", home, "--strip-components", "1"]);
  // What it needs as npm would install it, and nothing else.
  const { dependencies } = JSON.parse(await readFile(path.join(home, "package.json"), "utf8"));
  assert.deepEqual(Object.keys(dependencies), ["@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-web"]);
  for (const name of Object.keys(dependencies)) {
    await mkdir(path.dirname(path.join(project, "node_modules", name)), { recursive: true });
    await symlink(path.join(MODULES, name), path.join(project, "node_modules", name));
  }
  await writeFile(path.join(project, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(path.join(project, "index.ts"), CODE);
});
after(() => rm(project, { recursive: true }));

test("it holds the code, its sources and nothing else", async () => {
  const home = path.join(project, "node_modules", "@saloon", "client");
  assert.deepEqual((await readdir(home)).sort(), ["README.md", "dist", "package.json", "src"]);
  assert.ok((await readdir(path.join(home, "dist", "gen", "saloon", "v1"))).includes("game_pb.d.ts"));
});

test("the lock names no registry, and the packages of every platform", async () => {
  const text = await readFile(path.join(PACKAGE, "package-lock.json"), "utf8");
  assert.ok(!text.includes('"resolved"'));
  const { packages } = JSON.parse(text) as { packages: Record<string, { optionalDependencies?: object }> };
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  assert.ok(wanted.length > 0);
  assert.deepEqual(
    wanted.filter((name) => !(`node_modules/${name}` in packages)),
    [],
  );
});

for (const [where, lib] of [
  ["Node", ["ES2022"]],
  ["browsers", ["ES2022", "DOM"]],
] as const) {
  test(`a strict project for ${where} compiles with it, its own types checked too`, async () => {
    const types = where === "Node" ? ["node"] : [];
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
      ...{ module: "nodenext", target: "es2022", verbatimModuleSyntax: true, lib, types },
      typeRoots: [path.join(MODULES, "@types")],
    };
    await writeFile(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["index.ts"] }));
    await run(path.join(MODULES, ".bin", "tsc"), ["-p", project]).catch((error: { stdout: string }) =>
      assert.fail(error.stdout),
    );
    const { stdout } = await run(process.execPath, [path.join(project, "index.js")]);
    assert.equal(stdout, "http://localhost:8080 true\n");
  });
}

test("a bundle for browsers is small, and smaller without what is not used", async () => {
  const bundle = async (contents: string) => {
    const stdin = { contents, resolveDir: project, loader: "ts" as const };
    const options = { bundle: true, minify: true, format: "esm", platform: "browser", write: false } as const;
    const { outputFiles, warnings } = await build({ stdin, ...options });
    assert.deepEqual(warnings, []);
    return gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).length;
  };
  const [whole, part] = [await bundle(CODE), await bundle('export { seconds } from "@saloon/client";')];
  assert.ok(whole < MOST_BYTES, `${whole} bytes`);
  assert.ok(part < MOST_BYTES / 3, `${part} bytes`);
});
