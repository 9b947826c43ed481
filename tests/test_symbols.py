"""No object of ours outside the foundation calls the C heap: memory comes from allocators.

Reads the symbols of the built libraries, so that what macros and inlined headers bring is seen too.
"""

import collections
import glob
import os
import subprocess
import unittest

from support_cuttle import BUILD

# Whatever hands out memory of the C heap or takes it back.
HEAP = {
    # stdlib.h, malloc.h
    "malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "aligned_alloc",
    "posix_memalign", "memalign", "valloc", "pvalloc",
    # string.h, wchar.h
    "strdup", "strndup", "__strdup", "__strndup", "wcsdup",
    # stdio.h
    "asprintf", "vasprintf", "__asprintf_chk", "__vasprintf_chk", "getline", "getdelim", "__getdelim",
    "open_memstream", "open_wmemstream", "fmemopen", "tempnam",
    # unistd.h, dirent.h and others; realpath and getcwd may be called so that they allocate
    "get_current_dir_name", "scandir", "scandir64", "canonicalize_file_name", "glob", "glob64",
    "wordexp", "backtrace_symbols",
    # C++
    "_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t", "_ZdlPv", "_ZdaPv", "_ZdlPvm",
    "_ZdaPvm", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t",
    # mimalloc itself
    "mi_malloc", "mi_calloc", "mi_zalloc", "mi_realloc", "mi_free", "mi_malloc_aligned",
    # LuaJIT: a state whose memory is its own
    "luaL_newstate",
}

# The objects that may: the heap allocator, what frees a list that libdw gave, and the shims in which
# inline destructors of Draco and Recast are compiled.
MAY = {"libcuttle_foundation.a": {"heap_allocator.c.o": HEAP, "crash_symbols.c.o": {"free"}},
       "libcuttle_worker_functions.a": {"worker_draco.cc.o": {"_ZdlPv", "_ZdlPvm"},
                                           "worker_recast.cc.o": {"_ZdlPvm"}}}


def undefined_symbols(file):
    """{object: set of symbols it needs} of a static library or of one object."""
    found = collections.defaultdict(set)
    listing = subprocess.run(["nm", "--undefined-only", "--print-file-name", file], check=True,
                             capture_output=True, text=True).stdout
    for line in listing.splitlines():
        place, _, symbol = line.rpartition(" ")
        # "library:object:" and then type and name, or "object:"
        parts = place.split(":")
        found[parts[1] if len(parts) > 2 else os.path.basename(parts[0])].add(symbol.split("@")[0])
    return found


def objects_of_programs():
    """The objects of the executables; those of libraries and benchmarks lie in other folders."""
    found = []
    for folder in glob.glob(os.path.join(BUILD, "CMakeFiles", "cuttle*.dir")):
        if not os.path.basename(folder).startswith("cuttle_"):
            found += glob.glob(os.path.join(folder, "**", "*.o"), recursive=True)
    return sorted(found)


# Deleting destructors of C++ name it, whatever the class allocates with; bullet_memory.cc has what
# Bullet calls.
DELETES = ("libcuttle_physics.a", "libcuttle_decompose.a")


class Symbols(unittest.TestCase):
    def libraries(self):
        found = sorted(glob.glob(os.path.join(BUILD, "libcuttle_*.a")))
        names = [os.path.basename(path) for path in found]
        for folder in ("foundation", "resource", "entity", "render", "input", "world", "script", "app",
                       "player", "compiler", "worker_functions", "dev", "cli", "embed"):
            self.assertIn(f"libcuttle_{folder}.a", names)
        return found

    def test_only_the_heap_allocator_calls_the_heap(self):
        callers, objects = [], 0
        for path in self.libraries() + objects_of_programs():
            file = os.path.basename(path)
            for name, symbols in undefined_symbols(path).items():
                objects += 1
                may = {"_ZdlPvm"} if file in DELETES and name.endswith(".cc.o") else set()
                used = sorted(symbols & HEAP - MAY.get(file, {}).get(name, set()) - may)
                if used:
                    callers.append(f"{file}: {name}: {' '.join(used)}")
        self.assertEqual(callers, [])
        self.assertGreater(objects, 100)

    def test_the_programs_own_objects_are_looked_at(self):
        self.assertLessEqual({"main.c.o", "worker_main.c.o"},
                             {os.path.basename(path) for path in objects_of_programs()})
        for path in objects_of_programs():
            (name, symbols), = undefined_symbols(path).items()
            self.assertEqual(name, os.path.basename(path))
            self.assertIn("ct_memory_init", symbols, path)

    def test_the_heap_allocator_is_seen_to_call_it(self):
        # So that a list of symbols that is read wrongly does not pass for a clean one.
        found = undefined_symbols(os.path.join(BUILD, "libcuttle_foundation.a"))
        self.assertLessEqual({"malloc", "free", "posix_memalign"}, found["heap_allocator.c.o"])


if __name__ == "__main__":
    unittest.main()
