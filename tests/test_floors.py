"""The floors of the house (ARCHITECTURE.md): who may include whom, and that every header stands
alone."""

import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

# The systems to come are here, too, so that each finds its floor.
FLOORS = {
    "cli": 11, "player": 11, "embed": 11,
    "dev": 10,
    "app": 9,
    "script": 8,
    "flow": 7,
    "world": 6,
    "gui": 5, "particles": 5, "compiler": 5, "content": 5,
    "lua": 4, "text": 4, "render": 4, "animation": 4, "physics": 4, "sound": 4, "navigation": 4,
    "network": 4, "input": 4, "web": 4,
    "entity": 3, "project": 3, "plugin": 3, "save": 3, "database": 3,
    "resource": 2, "spatial": 2,
    "foundation": 1,
}

# What a folder may include of floor 4: the tools need the data of systems, not what runs them.
ONLY_OF_FLOOR_4 = {
    "compiler": {"lua", "text", "animation", "physics", "sound"},
    "content": {"lua", "text", "animation", "physics", "sound"},
}

MOST_FILES = 60  # in one folder of src

# Third-party headers, and the only folders (or files) that may include them.
LIBRARIES = [
    (r"SDL2?/|SDL", ["src/app/", "src/input/"]),
    (r"vulkan/", ["src/render/"]),
    (r"shaderc/|spirv_cross|spirv", ["src/compiler/types/shader/", "src/compiler/worker/"]),
    (r"AL/", ["src/sound/output/"]),
    (r"vorbis/vorbisenc|sndfile|soxr|ebur128", ["src/compiler/types/sound/"]),
    (r"vorbis/codec|ogg/", ["src/sound/media/"]),
    (r"assimp/|meshoptimizer", ["src/compiler/types/fbx/", "src/compiler/types/model/",
                                "src/compiler/types/describe/", "src/compiler/types/mesh/",
                                "src/compiler/worker/"]),
    (r"stb/", ["src/compiler/types/texture/", "src/app/png_writer.c"]),
    (r"png\.h|jpeglib\.h|jerror\.h", ["src/compiler/types/texture/"]),
    (r"lua\.h|lauxlib\.h|lualib\.h|luajit\.h",
     ["src/lua/", "src/script/", "src/compiler/types/lua/"]),
    (r"cglm/", ["src/foundation/math/math.h", "src/foundation/math/math_types.h"]),
    (r"gelf\.h|libelf\.h", ["src/cli/bundle/"]),
    (r"libunwind|elfutils/|dwarf", ["src/foundation/crash/", "src/foundation/os/"]),
    (r"xxhash", ["src/resource/blob/content_hash.c"]),
    (r"zstd", ["src/resource/archive/", "src/save/save_file.c"]),
    (r"mimalloc", ["src/foundation/"]),
    (r"ft2build|freetype/|harfbuzz/|hb\.h|hb-|unicode/", ["src/text/"]),
    (r"histedit", ["src/cli/prompt/edit_api.h"]),
    (r"bullet/|bt[A-Z]\w*\.h|hacd", ["src/physics/bullet/"]),
    (r"expat", ["src/compiler/types/font/angelcode_xml.c"]),
    (r"enet/", ["src/network/transport/network_enet.c"]),
    (r"sqlite3", ["src/database/store/sqlite/sqlite_api.h"]),
    (r"libpq-fe|postgres_ext", ["src/database/store/postgres/postgres_api.h"]),
    (r"curl/", ["src/web/http/curl_api.h"]),
    (r"libwebsockets", ["src/web/websocket/lws_api.h"]),
    (r"cuttle/cuttle\.h", ["src/embed/"]),
    (r"sodium", ["src/network/transport/network_seal.c", "src/dev/serve/serve_token.c"]),
]

# The operating system's own headers.
SYSTEM = re.compile(
    r"^(sys/|netinet/|arpa/|linux/|unistd\.h|fcntl\.h|pthread\.h|dirent\.h|poll\.h|signal\.h|"
    r"spawn\.h|dlfcn\.h|sched\.h|netdb\.h|ucontext\.h)")
SYSTEM_PLACES = ("src/foundation/os/", "src/foundation/crash/")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

root = os.environ.get("CUTTLE_SOURCE") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def sources():
    for folder, _, names in os.walk(os.path.join(root, "src")):
        for name in sorted(names):
            if name.endswith((".c", ".h", ".inc", ".cpp")):
                yield os.path.relpath(os.path.join(folder, name), root)


def breach(path, line_number, kind, included):
    """What is wrong with one include, or None."""
    folder = path.split("/")[1]
    if kind == '"':
        target = included.split("/")[0]
        if target not in FLOORS or "/" not in included:
            return f'includes "{included}": expected "<folder>/<file>.h" of src'
        if target != folder and FLOORS[target] >= FLOORS[folder]:
            return (f'{folder} (floor {FLOORS[folder]}) includes "{included}" of {target} '
                    f"(floor {FLOORS[target]})")
        if FLOORS[target] == 4 and target not in ONLY_OF_FLOOR_4.get(folder, {target}):
            return (f'{folder} includes "{included}": of floor 4 it may include only '
                    f"{', '.join(sorted(ONLY_OF_FLOOR_4[folder]))}")
        return None
    for pattern, places in LIBRARIES:
        if re.match(pattern, included) and not path.startswith(tuple(places)):
            return f"includes <{included}>, which belongs in {', '.join(places)} only"
    if SYSTEM.match(included) and not path.startswith(SYSTEM_PLACES):
        return f"includes <{included}>: operating-system code belongs in src/foundation/os"
    return None


def find_breaches(paths, read):
    found = []
    for path in paths:
        if path.split("/")[1] not in FLOORS:
            found.append(f"{path}: its folder has no floor")
            continue
        for number, line in enumerate(read(path).splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                wrong = breach(path, number, match[1], match[2])
                if wrong:
                    found.append(f"{path}:{number}: {wrong}")
    return found


def find_full_folders(paths):
    """Folders in which nobody finds a file any more."""
    counts = Counter(os.path.dirname(path) for path in paths)
    return [f"{folder} has {count} files: expected at most {MOST_FILES}; cut it by purpose"
            for folder, count in counts.items() if count > MOST_FILES]


def find_circles(paths, read):
    """Headers that include each other."""
    graph = {p: [f"src/{m[2]}" for m in map(INCLUDE.match, read(p).splitlines()) if m and m[1] == '"']
             for p in paths if p.endswith(".h")}
    state, found = {}, []

    def visit(path, trail):
        if state.get(path) == 2:
            return
        if state.get(path) == 1:
            found.append("a circle of includes: " + " -> ".join(trail[trail.index(path):] + [path]))
            return
        state[path] = 1
        for target in graph.get(path, []):
            visit(target, trail + [path])
        state[path] = 2

    for path in graph:
        visit(path, [])
    return found


def find_headers_to_compile(paths, read):
    """The headers that no file includes first: those that one does compile alone, as it compiles."""
    first = set()
    for path in paths:
        if path.endswith(".c"):
            found = [f"src/{m[2]}" for m in map(INCLUDE.match, read(path).splitlines()) if m and m[1] == '"'
                     and "#include <" not in read(path).split(m[0])[0]]
            first.update(found[:1])
    return [path for path in paths if path.endswith(".h") and path not in first]


def compile_alone(path):
    flags = subprocess.run(["pkg-config", "--cflags", "luajit", "sdl2", "freetype2", "harfbuzz", "libpq"],
                           capture_output=True, text=True, check=True).stdout.split()
    flags = ["-isystem" + f[2:] if f.startswith("-I") else f for f in flags]
    run = subprocess.run(
        ["gcc", "-std=c11", "-D_GNU_SOURCE", "-march=x86-64-v2", "-Wall", "-Wextra", "-Werror",
         "-fsyntax-only", "-Isrc", "-Iinclude", *flags, "-x", "c", "-"],
        input=f'#include "{path[4:]}"\n', capture_output=True, text=True, cwd=root)
    return None if run.returncode == 0 else f"{path} does not compile alone:\n{run.stderr}"


def check_the_checker():
    """A breach of each kind must be found, so that a broken checker fails."""
    files = {
        "src/entity/a.h": '#include "world/world.h"\n',
        "src/render/b.c": '#include "sound/sound.h"\n',
        "src/world/c.c": "#include <vulkan/vulkan.h>\n#include <unistd.h>\n",
        "src/nowhere/d.c": "",
        "src/world/e.h": '#include "world/f.h"\n',
        "src/world/f.h": '#include "world/e.h"\n',
    }
    assert len(find_breaches(files, files.get)) == 5, find_breaches(files, files.get)
    assert len(find_circles(files, files.get)) == 1
    files = {"src/compiler/a.c": '#include "render/renderer.h"\n#include "lua/lua_values.h"\n'}
    assert len(find_breaches(files, files.get)) == 1
    assert len(find_full_folders([f"src/app/{i}.c" for i in range(MOST_FILES + 1)])) == 1
    assert not find_full_folders([f"src/app/{i}.c" for i in range(MOST_FILES)])
    assert not find_breaches(["src/world/ok.c"], lambda _: '#include "entity/entity.h"\n')


def main():
    check_the_checker()

    def read(path):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()

    paths = list(sources())
    assert len(paths) > 50, "the sources are not where they are expected"
    wrong = find_breaches(paths, read) + find_circles(paths, read) + find_full_folders(paths)
    names = {}
    for path in paths:
        names.setdefault(os.path.basename(path), []).append(path)
    wrong += [f"file name {n} stands {len(p)} times: {', '.join(p)}"
              for n, p in names.items() if len(p) > 1]
    with ThreadPoolExecutor(2) as pool:
        wrong += filter(None, pool.map(compile_alone, find_headers_to_compile(paths, read)))
    for line in wrong:
        print(line)
    print(f"{len(paths)} files, {len(wrong)} breaches")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
