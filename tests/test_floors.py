"""The floors of the house (ARCHITECTURE.md): who may include whom, and that every header stands
alone."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

FLOORS = {
    "cli": 9, "player": 9,
    "dev": 8,
    "app": 7, "compiler": 7, "content": 7,
    "script": 6,
    "world": 5,
    "animation": 4, "render": 4, "physics": 4, "sound": 4, "particles": 4, "gui": 4,
    "navigation": 4, "flow": 4, "network": 4, "input": 4,
    "entity": 3, "project": 3,
    "resource": 2,
    "foundation": 1,
}

# Third-party headers, and the only places that may include them.
LIBRARIES = [
    (r"SDL2?/|SDL", r"src/app/|src/input/"),
    (r"vulkan/", r"src/render/"),
    (r"shaderc/|spirv_cross|spirv", r"src/compiler/worker_[a-z_]+\.c|src/compiler/[a-z_]+_compiler\.c"),
    (r"assimp/|meshoptimizer", r"src/compiler/worker_[a-z_]+\.c|src/compiler/[a-z_]+_compiler\.c"),
    (r"stb/", r"src/compiler/worker_(image|texture_blocks)\.c|src/app/png_writer\.c"),
    (r"lua\.h|lauxlib\.h|lualib\.h|luajit\.h",
     r"src/script/|src/compiler/lua_compiler\.c"),
    (r"cglm/", r"src/foundation/math\.h"),
    (r"libunwind|elfutils/|dwarf", r"src/foundation/"),
    (r"xxhash", r"src/resource/content_hash\.[ch]"),
    (r"zstd", r"src/resource/archive_(reader|writer)\.c"),
    (r"mimalloc", r"src/foundation/"),
    (r"histedit", r"src/cli/edit_api\.h"),
]

# The operating system's own headers.
SYSTEM = re.compile(
    r"^(sys/|netinet/|arpa/|linux/|unistd\.h|fcntl\.h|pthread\.h|dirent\.h|poll\.h|signal\.h|"
    r"spawn\.h|dlfcn\.h|sched\.h|netdb\.h|ucontext\.h)")
SYSTEM_PLACES = re.compile(
    r"src/foundation/(os_[a-z_]+|crash(_frames|_helper|_output|_peek|_raw_frame|_stack)?)\.c")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

root = os.environ.get("CUTTLE_SOURCE") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def sources():
    for folder, _, names in os.walk(os.path.join(root, "src")):
        for name in sorted(names):
            if name.endswith((".c", ".h", ".cpp")):
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
        return None
    for pattern, places in LIBRARIES:
        if re.match(pattern, included) and not re.match(places, path):
            return f"includes <{included}>, which belongs in {places} only"
    if SYSTEM.match(included) and not SYSTEM_PLACES.match(path):
        return f"includes <{included}>: operating-system code belongs in src/foundation/os_*.c"
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


def compile_alone(path):
    flags = subprocess.run(["pkg-config", "--cflags", "luajit", "sdl2"], capture_output=True,
                           text=True, check=True).stdout.split()
    flags = ["-isystem" + f[2:] if f.startswith("-I") else f for f in flags]
    run = subprocess.run(
        ["gcc", "-std=c11", "-D_GNU_SOURCE", "-march=x86-64-v2", "-Wall", "-Wextra", "-Werror",
         "-fsyntax-only", "-Isrc", *flags, "-x", "c", "-"],
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
    assert not find_breaches(["src/world/ok.c"], lambda _: '#include "entity/entity.h"\n')


def main():
    check_the_checker()

    def read(path):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()

    paths = list(sources())
    assert len(paths) > 50, "the sources are not where they are expected"
    wrong = find_breaches(paths, read) + find_circles(paths, read)
    names = {}
    for path in paths:
        names.setdefault(os.path.basename(path), []).append(path)
    wrong += [f"file name {n} stands {len(p)} times: {', '.join(p)}"
              for n, p in names.items() if len(p) > 1]
    with ThreadPoolExecutor(2) as pool:
        wrong += filter(None, pool.map(compile_alone, [p for p in paths if p.endswith(".h")]))
    for line in wrong:
        print(line)
    print(f"{len(paths)} files, {len(wrong)} breaches")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
