"""After any edits a compile leaves what a compile from nothing leaves, for all that compiles."""

import os
import random
import shutil
import subprocess
import sys
import time
import unittest

from support_cuttle import (ROOT, TemporaryFolder, cuttle, data_folder, folder_bytes, last_json,
                            read, rounds, write)
from support_small_core import small_core

BROKEN = ["= [\n", 'inherit = "units/none"\n', 'shader = "core/shaders/none"\n', "\0", "",
          'source = "none.png"\n', "local = 1\n"]


class Editor:
    """Random edits of a project's files; each says what it did."""

    def __init__(self, project, seed):
        self.project = project
        self.chance = random.Random(seed)
        self.good = {}  # what files held before they were broken
        self.number = 0

    def files(self, *extensions):
        found = [os.path.relpath(os.path.join(place, name), self.project)
                 for place, _, names in os.walk(self.project) for name in names
                 if "/." not in place and name.endswith(extensions)]
        return sorted(found)

    def full(self, path):
        return os.path.join(self.project, path)

    def pick(self, *extensions):
        files = self.files(*extensions)
        return self.chance.choice(files) if files else None

    def name(self, kind):
        self.number += 1
        return f"{kind}/new_{self.number}"

    def copy(self):
        """A new resource that is like another: a texture, a unit, a script."""
        path = self.pick(".unit", ".level", ".material", ".lua", ".texture")
        target = self.name(path.split("/")[0]) + os.path.splitext(path)[1]
        shutil.copy(self.full(path), self.full(target))
        return f"add {target} as {path}"

    def vary(self):
        """Another variant of a resource, for a platform or with a property."""
        path = self.pick(".unit", ".level", ".material", ".lua", ".texture")
        folder, name = os.path.split(path)
        base, *words, extension = name.split(".")
        words = sorted({*words, self.chance.choice(("fr", "linux", "noblood", "windows"))})
        target = os.path.join(folder, ".".join([base, *words, extension]))
        if os.path.exists(self.full(target)):
            self.good.setdefault(target, read(self.full(target), "rb"))
            os.remove(self.full(target))
            return f"remove variant {target}"
        shutil.copy(self.full(path), self.full(target))
        return f"add variant {target} as {path}"

    def comment(self):
        path = self.pick(".unit", ".level", ".material", ".texture", ".package")
        write(self.full(path), read(self.full(path), "rb") + b"// %d\n" % self.chance.randrange(1000))
        return f"comment {path}"

    def change(self):
        """Other numbers, of the same length, or other references."""
        path = self.pick(".unit", ".level", ".material")
        text = read(self.full(path), "rb").decode(errors="replace")
        digits = [i for i, c in enumerate(text) if c in "12345678" and text[i - 1] == "."]
        if not digits:
            return f"no change of {path}"
        at = self.chance.choice(digits)
        write(self.full(path), text[:at] + str(int(text[at]) + 1) + text[at + 1:])
        return f"change {path}"

    def refer(self):
        """One unit takes another's place in who refers: circles may come of it."""
        path = self.pick(".unit", ".level")
        text = read(self.full(path), "rb").decode(errors="replace")
        units = [f[:f.index(".")] for f in self.files(".unit")]
        parts = text.split('"units/')
        if len(parts) < 2 or not units:
            return f"no reference in {path}"
        self.good.setdefault(path, text.encode())
        at = self.chance.randrange(1, len(parts))
        unit = self.chance.choice(units)
        parts[at] = unit[len("units/"):] + parts[at][parts[at].index('"'):]
        write(self.full(path), '"units/'.join(parts))
        return f"refer from {path} to {unit}"

    def media(self):
        path, other = self.pick(".png"), self.pick(".png")
        write(self.full(other), read(self.full(path), "rb"))
        return f"picture {path} over {other}"

    def script(self):
        path = self.pick(".lua")
        if not path:
            return "no script"
        self.good.setdefault(path, read(self.full(path), "rb"))
        other = self.chance.choice(self.files(".lua")).split(".")[0]
        write(self.full(path), f'require "{other}"\nreturn {self.chance.randrange(10)}\n')
        return f"require {other} in {path}"

    def break_(self):
        path = self.pick(".unit", ".level", ".material", ".lua", ".texture", ".package")
        self.good.setdefault(path, read(self.full(path), "rb"))
        write(self.full(path), self.chance.choice(BROKEN))
        return f"break {path}"

    def mend(self):
        if not self.good:
            return "nothing to mend"
        path = self.chance.choice(sorted(self.good))
        write(self.full(path), self.good.pop(path))
        return f"mend {path}"

    def mend_all(self):
        for path, data in sorted(self.good.items()):
            write(self.full(path), data)
        self.good.clear()
        return "mend all"

    def remove(self):
        path = self.pick(".unit", ".level", ".material", ".lua", ".texture", ".png")
        self.good[path] = read(self.full(path), "rb")  # it may come back
        os.remove(self.full(path))
        return f"remove {path}"

    def rename(self):
        path = self.pick(".unit", ".level", ".material", ".texture")
        target = self.name(path.split("/")[0]) + os.path.splitext(path)[1]
        self.good.setdefault(path, read(self.full(path), "rb"))  # who refers to it needs it back
        os.rename(self.full(path), self.full(target))
        return f"rename {path} to {target}"

    def swap(self):
        """Two files change places: each has the other's time, size and inode."""
        extension = self.chance.choice((".unit", ".material", ".png"))
        first, second = self.pick(extension), self.pick(extension)
        between = self.full("between")
        os.rename(self.full(first), between)
        os.rename(self.full(second) if second != first else between, self.full(first))
        if second != first:
            os.rename(between, self.full(second))
        return f"swap {first} and {second}"

    def touch(self):
        path = self.pick("")
        times = self.chance.choice((None, (0, 0), (time.time() + 1e6,) * 2))  # the future too
        os.utime(self.full(path), times)
        return f"touch {path}"

    def edit(self):
        edits = [self.copy, self.vary, self.vary, self.comment, self.change, self.change, self.refer, self.media,
                 self.script, self.break_, self.mend, self.mend_all, self.mend_all,
                 self.remove, self.rename, self.swap, self.touch]
        return self.chance.choice(edits)()


class Incremental(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("project")
        subprocess.run([sys.executable, os.path.join(ROOT, "bench", "make_project.py"),
                        self.project, "--resources", "60"], check=True)
        self.core = {"CUTTLE_CORE": small_core(self.path("core"))}

    def compile(self, *options):
        done = cuttle("compile", self.project, "--json", *options, env=self.core)
        report = last_json(done.stdout)
        self.assertEqual(done.returncode, 1 if report["failed"] else 0, done.stderr)
        return report

    def compare(self, label):
        report = self.compile()
        again = self.compile()
        fresh = self.compile("--data-dir", self.path("fresh"))
        self.assertEqual(again["errors"], report["errors"], label)
        self.assertEqual((fresh["failed"], fresh["errors"]), (report["failed"], report["errors"]),
                         label)
        self.assertEqual(again["compiled"], 0, label)
        ours, theirs = folder_bytes(data_folder(self.project)), folder_bytes(self.path("fresh"))
        if not report["failed"]:
            self.assertEqual(sorted(ours), sorted(theirs), label)
        for name, data in theirs.items():
            if name not in ("index", "catalog") or not report["failed"]:
                self.assertTrue(ours.get(name) == data, f"{name} differs after: {label}")
        # What is here only is the last good data of what fails.
        self.assertLessEqual(len(set(ours) - set(theirs)), report["failed"], label)
        shutil.rmtree(self.path("fresh"))
        return report["failed"]

    def test_edits_one_after_the_other(self):
        count, num_failing = rounds(40, 2000), 0
        editor = Editor(self.project, 11)
        self.compare("nothing")
        for number in range(count):
            label = f"{number}: {editor.edit()}"
            num_failing += self.compare(label) > 0
        print(f"{count} edits, {num_failing} with something that failed")
        self.assertLess(num_failing, count, "nothing was whole")

    def test_many_edits_at_once(self):
        editor = Editor(self.project, 12)
        for number in range(rounds(4, 100)):
            self.compare(", ".join(editor.edit() for _ in range(12)))


if __name__ == "__main__":
    unittest.main()
