#!/bin/sh
# Builds the tools in the browser into build/web, when their sources have changed: tools/web/build.sh
#
# Needs node and npm; without them it says so, and what to do. Several at once wait for each other.
set -eu
case ${1:-} in
'') ;;
-h | --help) sed -n '2s/^# //p' "$0"; exit ;;
*) echo "build.sh: unknown argument \"$1\"; expected no arguments" >&2; exit 2 ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
out=$here/../../build/web
log=$here/../../build/web.log

if ! command -v npm >/dev/null 2>&1 || ! command -v node >/dev/null 2>&1; then
    echo "tools in the browser: left out, since npm is missing; sudo apt-get install nodejs npm" >&2
    exit 1
fi
mkdir -p "$out"
exec 9>"$here/../../build/web.lock"
flock 9

# What the bundle and what node_modules are made of; the stamps say what was built last.
packages=$(cd "$here" && cat package.json package-lock.json .npmrc | sha256sum)
sources=$(cd "$here" && { echo "$packages"; find src build.mjs -type f -print0 | sort -z | xargs -0 sha256sum; } | sha256sum)
[ "$(cat "$out/.stamp" 2>/dev/null)" != "$sources" ] || exit 0

rm -f "$out/.stamp"
if [ "$(cat "$here/node_modules/.stamp" 2>/dev/null)" != "$packages" ]; then
    if ! (cd "$here" && npm ci --no-audit --no-fund) >"$log" 2>&1; then
        echo "tools in the browser: npm could not install their packages (log: build/web.log)" >&2
        exit 1
    fi
    echo "$packages" >"$here/node_modules/.stamp"
fi
if ! node "$here/build.mjs" >"$log" 2>&1; then
    echo "tools in the browser: esbuild found errors (log: build/web.log)" >&2
    exit 1
fi
echo "$sources" >"$out/.stamp"
