"""Ids that stand beside their strings in sources: those of the tree are right, and the command that
checks and mends them."""

import os
import re
import struct
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write

LITERAL = re.compile(r'\bCT_ID(32|64)\(\s*"([^"\\\n]*)",\s*(0x[0-9a-f]+)\s*\)')


def murmur2(text):
    """MurmurHash2, seed 0, written apart from the engine's."""
    m, mask = 0x5BD1E995, 0xFFFFFFFF
    data = text.encode()
    h = len(data)
    whole = len(data) // 4 * 4
    for (k,) in struct.iter_unpack("<I", data[:whole]):
        k = k * m & mask
        k = (k ^ k >> 24) * m & mask
        h = (h * m & mask) ^ k
    if len(data) > whole:
        h = (h ^ int.from_bytes(data[whole:], "little")) * m & mask
    h = (h ^ h >> 13) * m & mask
    return h ^ h >> 15


def murmur64a(text):
    """MurmurHash64A, seed 0."""
    m, mask = 0xC6A4A7935BD1E995, 0xFFFFFFFFFFFFFFFF
    data = text.encode()
    h = len(data) * m & mask
    whole = len(data) // 8 * 8
    for (k,) in struct.iter_unpack("<Q", data[:whole]):
        k = k * m & mask
        k = (k ^ k >> 47) * m & mask
        h = (h ^ k) * m & mask
    if len(data) > whole:
        h = (h ^ int.from_bytes(data[whole:], "little")) * m & mask
    h = (h ^ h >> 47) * m & mask
    return h ^ h >> 47


class Sources(unittest.TestCase):
    def test_ids_in_the_tree_are_right(self):
        folders = [os.path.join(ROOT, name) for name in ("src", "bench", "tests", "fuzz")]
        done = cuttle("hash", "--check", *folders)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        num_ids, num_files = map(int, re.match(r"(\d+) ids in (\d+) files", done.stdout).groups())
        self.assertGreater(num_files, 300)
        # The same by a reader and hashes of our own.
        found = []
        for folder in folders:
            for place, _, names in os.walk(folder):
                for name in names:
                    if name.endswith((".c", ".h")):
                        found += LITERAL.findall(read(os.path.join(place, name)))
        self.assertGreater(len(found), 5)
        self.assertLessEqual(len(found), num_ids)
        for width, text, number in found:
            right = murmur2(text) if width == "32" else murmur64a(text)
            self.assertEqual(int(number, 16), right, text)


class Command(TemporaryFolder):
    def test_names_file_line_and_column_of_wrong_ids(self):
        write(self.path("src", "deep", "a.c"),
              'int ok = CT_ID32("root_point", 0x5e43bd96).value;\n'
              '\n'
              'int bad = 1 + CT_ID32("root_point", 0x5e43bd97).value;\n'
              'long wide = CT_ID64(\n    "a" "bc",\n    0x1).value;\n')
        write(self.path("src", "b.h"), '#define CT_ID32(text, id) CT_ID32_CHECKED(text, id)\n'
              'a = XCT_ID32("a", 1), CT_ID321("a", 1); b = CT_ID32("\\x61\\142", 0x1aa14063u);\n')
        write(self.path("src", "notes.txt"), 'CT_ID32("root_point", 1)')
        done = cuttle("hash", "--check", self.path("src"), check=1)
        bad = self.path("src/deep/a.c")
        self.assertEqual(done.stderr.splitlines(), [
            f"{bad}:3:37: error: found 0x5e43bd97, expected 0x5e43bd96",
            f"{bad}:6:5: error: found 0x1, expected 0x9cc9c33498a95efb"])
        self.assertEqual(done.stdout, "4 ids in 2 files, 2 wrong, 0 corrected\n")
        # A file by its name, whatever its ending.
        done = cuttle("hash", "--check", self.path("src", "notes.txt"), check=1)
        self.assertIn("notes.txt:1:23: error: found 1, expected 0x5e43bd96", done.stderr)

    def test_mends_only_the_numbers(self):
        text = ('a = CT_ID32("root_point", 0); // CT_ID32 \r\n'
                'b = CT_ID64( "units/crate" , 12345UL );\tc = CT_ID32("root_point", 0x5e43bd96)')
        write(self.path("a.c"), text)
        write(self.path("same.c"), "int same;")
        before = os.stat(self.path("same.c")).st_mtime_ns
        done = cuttle("hash", "--fix", self.folder, check=0)
        self.assertEqual(done.stdout, "3 ids in 2 files, 2 wrong, 2 corrected\n")
        with open(self.path("a.c"), newline="") as file:
            self.assertEqual(file.read(), text.replace(", 0)", ", 0x5e43bd96)")
                             .replace("12345UL", "0x5fc5fb348d6c7327"))
        self.assertEqual(os.stat(self.path("same.c")).st_mtime_ns, before)
        cuttle("hash", "--check", self.folder, check=0)

    def test_tells_what_it_cannot_mend(self):
        for bad, place in (('CT_ID32("a", ROOT)', "1:14"), ('CT_ID32("a")', "1:9"),
                           ('CT_ID32("a', "1:9"), ('CT_ID32("\\q", 1)', "1:9"),
                           ('CT_ID32("a", 1', "1:14"), ('CT_ID32("a" 1)', "1:9")):
            write(self.path("a.c"), bad)
            for option in ("--check", "--fix"):
                done = cuttle("hash", option, self.path("a.c"), check=1)
                self.assertIn(f"a.c:{place}: error: found something else, expected a text",
                              done.stderr)
            self.assertEqual(read(self.path("a.c")), bad)

    def test_wrong_usage(self):
        cuttle("hash", "--check", "--fix", self.folder, check=2)
        cuttle("hash", "--check", check=2)
        done = cuttle("hash", "--check", self.path("nowhere"), check=1)
        self.assertIn("nowhere: error: this file or folder does not exist", done.stderr)


if __name__ == "__main__":
    unittest.main()
