// Runs the unit tests: node tests/run.mjs [--out FOLDER]
//
// Each test is bundled for Node and run by Node's own runner. The folder is build/web_tests of the repository
// unless --out names another.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf("--out");
const out = resolve(at < 0 ? join(here, "..", "..", "..", "build", "web_tests") : process.argv[at + 1]);
const tests = readdirSync(here).filter((name) => name.endsWith(".test.ts"));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
    entryPoints: tests.map((name) => join(here, name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
});
const files = tests.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
const done = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
process.exit(done.status ?? 1);
