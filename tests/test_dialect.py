"""All C reads alike: tools/dialect.py finds nothing, and would find what is wrong."""

import os
import subprocess
import sys
import tempfile
import unittest

from support_cuttle import BUILD, ROOT

sys.path.insert(0, os.path.join(ROOT, "tools"))
import dialect  # noqa: E402

WRONG = """#include <string.h>
void *made(int n);
int changed(int *n);
int all(char *p, char *q) {
    if (p == NULL || q != NULL)
        return sizeof p;
    for (int i = 0; i < 3; i++)
        changed(&i);
    int count = 0;
    count++;
    int never = 3;
    char *there = made(never);
    const char *const fine = "a == NULL; i++;"; // b == NULL
    return count + (fine[0] == there[0]);
}
"""


class Dialect(unittest.TestCase):
    def test_all_sources_read_alike(self):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "dialect.py"), "--build", BUILD],
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_finds_what_lines_show(self):
        found = [(line, what) for _, line, what in dialect.find_in_lines("a.c", WRONG)]
        self.assertEqual(found, [(5, "found `== NULL`: write `!p`"),
                                 (5, "found `!= NULL` in a condition: write `p`"),
                                 (7, "found `i++`: write it in front"),
                                 (10, "found `count++`: write it in front"),
                                 (6, "found sizeof without parentheses: write `sizeof(x)`")])

    def test_finds_locals_that_never_change(self):
        with tempfile.TemporaryDirectory() as folder:
            command = {"command": "gcc -std=c11 -Wall -Werror", "directory": folder}
            found = dialect.find_constant_locals("a.c", WRONG, command)
        self.assertEqual([local.name for local in found], ["never", "there"])

    def test_leaves_branches_alone_that_are_not_compiled(self):
        text = ("int count(int n) {\n#ifdef OTHER\n    int found = 0;\n    ++found;\n#else\n"
                "    int found = n;\n#endif\n    return found;\n}\n")
        with tempfile.TemporaryDirectory() as folder:
            command = {"command": "gcc -std=c11 -Wall -Werror", "directory": folder}
            found = dialect.find_constant_locals("a.c", text, command)
        self.assertEqual([local.place for local in found], [text.index("int found = n")])


if __name__ == "__main__":
    unittest.main()
