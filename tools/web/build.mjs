// Bundles the pages into a folder: node build.mjs [--out FOLDER] [--watch]
//
// The folder is build/web of the repository unless --out names another. Files of the bundle have no hashes
// in their names; the server sends them with "no-cache".
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf("--out");
const out = at < 0 ? join(here, "..", "..", "build", "web") : process.argv[at + 1];

const options = {
    absWorkingDir: here,
    entryPoints: {
        main: "src/main.tsx",
        profiler_worker: "src/pages/profiler/worker.ts",
    },
    outdir: out,
    bundle: true,
    minify: true,
    sourcemap: true,
    format: "esm",
    target: ["chrome108", "firefox115"],
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
};

mkdirSync(out, { recursive: true });
copyFileSync(join(here, "src", "index.html"), join(out, "index.html"));
if (process.argv.includes("--watch"))
    await (await context(options)).watch();
else
    await build(options);
