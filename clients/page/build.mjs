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
const MOST_BYTES = 150_000; // of all together, packed

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
  for (const name of ["icon.svg", "puzzles.json"]) await writeFile(path.join(folder, name), await readFile(path.join(here, "src", name)));
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
  const size = [...files.values()].reduce((sum, data) => sum + gzipSync(data, { level: 9 }).length, 0);
  console.log(`the page: ${[...files.keys()].join(", ")}; ${size} bytes packed`);
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
