// Builds the page into the folder that the server sends it from; the same sources give the same bytes.
// `node build.mjs --check` only says whether what is there is up to date.

import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const assets = path.resolve(here, "../../server/page/assets");
const MOST_BYTES = 150_000; // of all that somebody loads, packed: one puzzle of many

/** Every puzzle is a file of its own, since nobody wants more than one a day. */
const puzzles = JSON.parse(await readFile(path.join(here, "src/puzzles.json"), "utf8"));
const PUZZLE = /^puzzle-\d+\.json$/;

async function made(folder) {
  const { metafile } = await build({
    absWorkingDir: here,
    entryPoints: { page: "src/main.tsx", style: "src/style.css" },
    bundle: true,
    preserveSymlinks: true, // so that what the client and the page both need is there once
    minify: true,
    format: "esm",
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    entryNames: "[name]-[hash]",
    outdir: folder,
    define: { PUZZLES: String(puzzles.length) },
    metafile: true,
    legalComments: "none",
    charset: "utf8",
    logLevel: "warning",
  });
  const names = Object.keys(metafile.outputs).map((name) => path.basename(name));
  const html = await readFile(path.join(here, "src/index.html"), "utf8");
  const named = (ending) => names.find((name) => name.endsWith(ending));
  await writeFile(path.join(folder, "index.html"), html.replace("{js}", named(".js")).replace("{css}", named(".css")));
  await writeFile(path.join(folder, "licences.txt"), await licences(Object.keys(metafile.inputs)));
  await writeFile(path.join(folder, "icon.svg"), await readFile(path.join(here, "src/icon.svg")));
  for (const [number, puzzle] of puzzles.entries()) await writeFile(path.join(folder, `puzzle-${number}.json`), `${JSON.stringify(puzzle)}\n`);
}

/** Of what others wrote and the page brings along. */
async function licences(inputs) {
  const names = new Set(inputs.map((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]).filter(Boolean));
  names.delete("@saloon/client");
  const texts = await Promise.all([...names].sort().map(async (name) => {
    const home = path.join(here, "node_modules", name);
    const { version, license, repository } = JSON.parse(await readFile(path.join(home, "package.json"), "utf8"));
    const text = await readFile(path.join(home, "LICENSE"), "utf8").catch(() => "");
    const from = String(repository?.url ?? repository ?? "").replace(/^git\+/, "");
    return `${name} ${version}, ${license}\n${from}\n\n${text}`.trimEnd();
  }));
  return `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

async function contents(folder) {
  const names = (await readdir(folder)).sort();
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))])));
}

const folder = await mkdtemp(path.join(tmpdir(), "saloon-page-"));
try {
  await made(folder);
  const files = await contents(folder);
  const packed = [...files].map(([name, data]) => ({ name, size: gzipSync(data, { level: 9 }).length }));
  const loaded = packed.filter(({ name }) => !PUZZLE.test(name));
  const puzzle = Math.max(...packed.filter(({ name }) => PUZZLE.test(name)).map((one) => one.size));
  const size = loaded.reduce((sum, one) => sum + one.size, puzzle);
  console.log(`the page: ${loaded.map(({ name }) => name).join(", ")} and one of ${puzzles.length} puzzles; ${size} bytes packed`);
  if (size > MOST_BYTES) throw new Error(`expected at most ${MOST_BYTES} bytes packed, got ${size}`);
  await mkdir(assets, { recursive: true });
  const there = await contents(assets);
  if (process.argv.includes("--check")) {
    const same = files.size === there.size && [...files].every(([name, data]) => there.get(name)?.equals(data));
    if (!same) throw new Error("server/page/assets is not what clients/page makes; run make page");
  } else {
    for (const name of there.keys()) await rm(path.join(assets, name));
    for (const [name, data] of files) await writeFile(path.join(assets, name), data);
  }
} finally {
  await rm(folder, { recursive: true });
}
