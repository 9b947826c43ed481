#!/usr/bin/env python3
"""`cuttle diff`: lines, JSON that applies again, git's diff driver, the page and its picture."""

import collections
import html.parser
import json
import os
import random
import re
import shutil
import subprocess
import unittest

from support_cuttle import CUTTLE, LIMIT, ROOT, TemporaryFolder, cuttle, read, write
from support_png import read_png

LEVEL = os.path.join(ROOT, "samples/crates/levels/yard.level")


def changed_level(text):
    """A level as two people would leave it: something set, removed, added, moved and noted."""
    lines = text.split("\n")
    lines[7] = lines[7].replace('layer = "land"', 'layer = "land & <trees>"')
    del lines[10]
    lines.insert(24, '    { id = "11111111-2222-4333-8444-555555555555"  unit = "units/crate"'
                     '  position = [3 1 0.5] }')
    lines.insert(60, lines.pop(40))
    lines[80] = lines[80].replace("units/", "units/old_")
    lines.insert(90, "    // A comment is no operation.")
    return "\n".join(lines)


class Page(html.parser.HTMLParser):
    """What a page refers to, and what it has."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.tags, self.texts, self.others = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name == "href":
                self.links.append(value)
            elif name == "id":
                self.ids.append(value)
            elif name in ("src", "srcset", "data", "action") or name.startswith("on"):
                self.others.append((tag, name, value))

    def handle_data(self, data):
        self.texts.append(data)


class Diff(TemporaryFolder):
    def write(self, name, text):
        write(self.path(name), text)
        return self.path(name)

    def lines(self, a, b, *options, name="x.sjson"):
        a, b = self.write("a", a), self.write("b", b)
        done = cuttle("diff", a, b, "--path", name, *options)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 1 if done.stdout else 0)
        return done.stdout.splitlines()

    def test_exit_status_is_that_of_diff(self):
        a, b = self.write("a.unit", "a = 1"), self.write("b.unit", "a = 2")
        self.assertEqual(cuttle("diff", a, a, check=0).stdout, "")
        self.assertEqual(cuttle("diff", a, b, check=1).stdout, "a = 1 → 2\n")
        done = cuttle("diff", a, self.path("none"), check=2)
        self.assertIn("No such file", done.stderr)
        for wrong in ([a], [a, b, a], ["--apply", a, a, b], [a, b, "-o", "x"],
                      ["--apply", a, "--json", a], ["--git", a, b]):
            cuttle("diff", *wrong, check=2)

    def test_a_line_for_each_operation(self):
        self.assertEqual(
            self.lines('units = [ { id = "8f-1" position = [1 2 3] tags = ["a"] } { id = "9a" } ]',
                       'units = [ { id = "7" } { id = "8f-1" position = [1 2 4] tags = ["a" "b"] } ]'),
            ["units[id=8f-1].position = [1 2 3] → [1 2 4]", '+ units[id=8f-1].tags[1] = "b"',
             '- units[id=9a] = { id = "9a" }', '+ units[id="7"] = { id = "7" }'])
        self.assertEqual(self.lines('texture = ["a" "b"]', 'texture = ["c" "b"]', name="x.package"),
                         ['- texture[=a] = "a"', '+ texture[=c] = "c"'])

    def test_nothing_obeys_a_terminal(self):
        self.assertEqual(self.lines('a = "x"', 'a = "\\u001b[31m\\n"'),
                         ['a = "x" → "\\u001b[31m\\n"'])
        self.assertEqual(self.lines('', '"a\u202eb" = ["\u2066x\u009b\u007f" { "\u200f" = "é" }]'),
                         ['+ ["a\\u202eb"] = ["\\u2066x\\u009b\\u007f" { "\\u200f" = "é" }]'])
        colored = "\n".join(self.lines("a = 1", "b = 2", "--color"))
        self.assertEqual(colored, "\x1b[31m- a = 1\x1b[0m\n\x1b[32m+ b = 2\x1b[0m")

    def test_json_applies_again_and_keeps_the_rest(self):
        text = read(LEVEL)
        a, b = self.write("a.level", text), self.write("b.level", changed_level(text))
        found = cuttle("diff", a, b, "--json", check=1).stdout
        kinds = [o["operation"] for o in json.loads(found)["operations"]]
        self.assertEqual(sorted(kinds), ["add", "move", "remove", "set", "set"])
        operations = self.write("d.json", found)
        self.assertEqual(cuttle("diff", "--apply", operations, a, "-o", self.path("c.level"),
                                check=0).stdout, "")
        self.assertEqual(read(a), text)
        cuttle("diff", b, self.path("c.level"), check=0)
        before, after = text.splitlines(), read(self.path("c.level")).splitlines()
        self.assertEqual(len(set(before) - set(after)), 3)  # set twice, removed once
        # Over the file itself; a second time it does not fit, and nothing changes.
        cuttle("diff", "--apply", operations, a, check=0)
        applied = read(a)
        self.assertEqual(applied, read(self.path("c.level")))
        done = cuttle("diff", "--apply", operations, a, check=1)
        self.assertRegex(done.stderr, r'a\.level:8:\d+: error: operation 1, units\[id=b849a411[-0-9a-f]*'
                         r'\]\.layer: found "land & <trees>", expected "land"')
        self.assertEqual(read(a), applied)

    def test_keeps_marks_line_ends_and_tabs(self):
        a = self.write("a", b"\xef\xbb\xbf// head\r\nlist = [\r\n\t1\r\n\t2\r\n\t3\r\n\t4\r\n\t5\r\n]")
        b = self.write("b", "list = [1 2 9 4 5 6] new = { x = 1 }")
        operations = self.write("d.json", cuttle("diff", a, b, "--json", check=1).stdout)
        cuttle("diff", "--apply", operations, a, check=0)
        self.assertEqual(read(a, "rb"), b"\xef\xbb\xbf// head\r\nlist = [\r\n\t1\r\n\t2\r\n\t9\r\n\t4"
                         b"\r\n\t5\r\n\t6\r\n]\r\nnew = { x = 1 }")

    def test_json_stays_json(self):
        a, b = {"a": 1}, {"a": 1, "b": {"c": [{}, "x\ny", None]}, "d": []}
        for indent in (None, 2):
            file = self.write("a.json", json.dumps(a, indent=indent))
            other = self.write("b.json", json.dumps(b))
            operations = self.write("d.json", cuttle("diff", file, other, "--json", check=1).stdout)
            cuttle("diff", "--apply", operations, file, check=0)
            self.assertEqual(json.loads(read(file)), b)

    def test_lists_of_json(self):
        for a, b, lines in (
                ('[{"id": 1, "x": 1}, {"id": 2}]', '[{"id": 1, "x": 2}]',
                 ["[id=1].x = 1 → 2", "- [id=2] = { id = 2 }"]),
                ('[1, 2, 3, 4, 5]', '[1, 9, 3, 4, 5, {"a": []}]',
                 ["[1] = 2 → 9", "+ [5] = { a = [] }"]),
                ('[1, 2]', '[1, 3]', ["the root = [1 2] → [1 3]"]),
                ('// head\n{"a": 1}\n', '["a"]', ['the root = { a = 1 } → ["a"]']),
                ('a = 1', '["a"]', ['the root = { a = 1 } → ["a"]']),
                ('["a"]', '{"a": {"b": 2}}', ['the root = ["a"] → { a = { b = 2 } }'])):
            self.assertEqual(self.lines(a, b), lines)
            file, other = self.write("a.json", a), self.write("b.json", b)
            operations = self.write("d.json", cuttle("diff", file, other, "--json", check=1).stdout)
            cuttle("diff", file, other, "--html", self.path("page.html"), check=1)
            self.assertIn("1 operation<" if len(lines) == 1 else "2 operations<",
                          read(self.path("page.html")))
            cuttle("diff", "--apply", operations, file, check=0)
            applied = read(file)
            self.assertEqual(json.loads(applied.replace("// head\n", "")), json.loads(b))
            self.assertEqual("// head" in applied, "// head" in a)
        self.write("d.json", '{"operations": [{"operation": "set", "path": [], "old": {"a": 1},'
                   ' "new": 5}]}')
        self.assertIn("the root can only become an object or an array",
                      cuttle("diff", "--apply", self.path("d.json"), file, check=1).stderr)

    def test_bad_input_is_told_with_its_place(self):
        good = self.write("good", "a = 1")
        for text, place in ((b"a = [1 2", r"bad:1:\d+"), (b"a = \xff", "bad:1:5"), (b"a = 1 a", "bad:1:"),
                            (b"a = " + b"[" * 1000, "bad:1:"), (b"[1", r"bad:1:\d"), (b'"a"', "bad:1:4")):
            bad = self.write("bad", text)
            for pair in ((good, bad), (bad, good)):
                done = cuttle("diff", *pair, check=2)
                self.assertRegex(done.stderr, place + ".*error: ")
                self.assertEqual(done.stdout, "")
            self.assertRegex(cuttle("diff", "--apply", bad, good, check=1).stderr, place)
        done = cuttle("diff", good, bad, "--json", check=2)
        self.assertEqual(len(json.loads(done.stdout)["errors"]), 1)
        self.assertRegex(cuttle("diff", "--apply", good, good, check=1).stderr,
                         "good:1:1: error: found nothing, expected `operations`")
        self.assertEqual(read(good), "a = 1")

    def test_depth_and_number_of_elements(self):
        deep = "a = " + "[" * 505 + "%d" + "]" * 505
        self.assertEqual(self.lines(deep % 1, deep % 2), ["a" + "[0]" * 505 + " = 1 → 2"])
        a = self.write("a", deep % 1)
        b = self.write("b", deep % 2)
        operations = self.write("d.json", cuttle("diff", a, b, "--json", check=1).stdout)
        cuttle("diff", "--apply", operations, a, check=0)
        cuttle("diff", a, b, check=0)
        count = 100000
        numbers = list(range(count))
        text = "a = [" + " ".join(map(str, numbers)) + "]"
        changed = [-1] + numbers[:500] + numbers[501:]
        self.assertEqual(self.lines(text, "a = [" + " ".join(map(str, changed)) + "]"),
                         ["+ a[0] = -1", "- a[500] = 500"])

    def test_git_calls_it_as_a_diff_driver(self):
        a, b = self.write("a", "a = 1"), self.write("b", "a = 2")
        call = ("--git", "levels/x.level", a, "1" * 40, "100644", b, "2" * 40)
        self.assertEqual(cuttle("diff", *call, "100644", check=0).stdout,
                         "diff --cuttle a/levels/x.level b/levels/x.level\na = 1 → 2\n")
        self.assertIn("old mode 100644\nnew mode 100755\n",
                      cuttle("diff", *call, "100755", check=0).stdout)
        renamed = cuttle("diff", *call, "100644", "levels/y.level", "rename", check=0).stdout
        self.assertIn("a/levels/x.level b/levels/y.level\n", renamed)
        added = cuttle("diff", "--git", "x", "/dev/null", ".", ".", b, "2", "100644", check=0).stdout
        self.assertIn("new file mode 100644\n+ a = 2\n", added)
        gone = cuttle("diff", "--git", "x", a, "1", "100644", "/dev/null", ".", ".", check=0).stdout
        self.assertIn("deleted file mode 100644\n- a = 1\n", gone)
        self.assertEqual(cuttle("diff", "--git", "x", check=0).stdout, "* Unmerged path x\n")
        write(b, "a = 1 // said")
        self.assertIn("only comments, the order of members or formatting differ\n",
                      cuttle("diff", *call, "100644", check=0).stdout)
        write(b, b"\x00\xff broken")
        self.assertIn("one cannot be read as SJSON: levels/x.level:1:1: error: ",
                      cuttle("diff", *call, "100644", check=0).stdout)
        os.remove(b)
        cuttle("diff", *call, "100644", check=0)

    def git(self, *arguments):
        done = subprocess.run(["git", "-c", f"diff.cuttle.command='{CUTTLE}' diff --git --",
                               "-c", "user.name=A", "-c", "user.email=a@b", *arguments],
                              cwd=self.path("repository"), capture_output=True, text=True,
                              timeout=LIMIT)
        self.assertEqual((done.returncode, done.stderr), (0, ""), (arguments, done.stdout))
        return done.stdout

    def test_in_a_repository_of_git(self):
        repository = self.path("repository")
        write(os.path.join(repository, ".gitattributes"), "*.level diff=cuttle\n")
        text = "units = [\n" + "".join(f'    {{ id = "u{i}"  x = {i} }}\n' for i in range(9)) + "]\n"
        for name in ("a b.level", "-gone.level", "old.level"):
            write(os.path.join(repository, name), text + f"// {name}\n")
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "one")
        write(os.path.join(repository, "a b.level"), text.replace("x = 3", "x = 33"))
        write(os.path.join(repository, "new.level"), "a = 1\n")
        os.remove(os.path.join(repository, "-gone.level"))
        os.rename(os.path.join(repository, "old.level"), os.path.join(repository, "renamed.level"))
        write(os.path.join(repository, "renamed.level"), text.replace("x = 4", "x = 5") + "// old.level")
        self.git("add", "-A")
        shown = self.git("diff", "--cached", "-M")
        self.assertIn("diff --cuttle a/a b.level b/a b.level\nunits[id=u3].x = 3 → 33\n", shown)
        self.assertRegex(shown, r"new\.level\nnew file mode 100644\n\+ a = 1\n")
        self.assertRegex(shown, r"-gone\.level\ndeleted file mode 100644\n- units = ")
        self.assertIn("a/old.level b/renamed.level\nunits[id=u4].x = 4 → 5\n", shown)
        self.git("commit", "-q", "-m", "two")
        self.assertIn("units[id=u3].x = 3 → 33\n", self.git("log", "-1", "-p", "--ext-diff"))

    def page(self):
        text = read(LEVEL)
        # What a page must not obey, and what nobody would see.
        other = changed_level(text).replace('"crates"', '"<script>alert(1)</script>\u202e"', 1)
        a, b = self.write("a.level", text), self.write("b <i>&.level", other)
        path = self.path("page.html")
        self.assertEqual(cuttle("diff", a, b, "--html", path, check=1).stdout, "")
        return path

    def test_page_needs_nothing_else(self):
        text = read(self.page())
        page = Page(text)
        self.assertEqual(page.others, [])
        self.assertNotIn("script", page.tags)
        self.assertNotIn("link", page.tags)
        self.assertNotRegex(text, r"url\(|@import|https?:")
        self.assertEqual(len(page.links), 6)  # an operation each
        for link in page.links:
            self.assertIn(link[1:], page.ids)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        shown = "".join(page.texts)
        self.assertIn('"<script>alert(1)</script>U+202E"', shown)
        self.assertIn("b <i>&.level", shown)
        self.assertRegex(shown, r"\d+ equal lines")
        for line in read(LEVEL).splitlines():  # all are there, folded or not
            self.assertIn(line, shown)

    def test_page_of_equal_and_of_empty_files(self):
        a, b = self.write("a", ""), self.write("b", "// nothing\n")
        path = self.path("page.html")
        cuttle("diff", a, b, "--html", path, check=0)
        self.assertIn("Both have the same values", read(path))
        done = cuttle("diff", a, b, "--html", self.path("no/where.html"), check=2)
        self.assertIn("where.html", done.stderr)

    def test_page_in_a_browser(self):
        browser = shutil.which("chromium")
        if browser is None:
            self.skipTest("chromium is not installed (setup/packages.txt)")
        page = self.page()
        for scheme, options in (("light", []), ("dark", ["--force-dark-mode"])):
            picture = self.path(scheme + ".png")
            subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu",
                            "--hide-scrollbars", "--user-data-dir=" + self.path("profile"),
                            "--host-resolver-rules=MAP * ~NOTFOUND", *options,
                            "--window-size=1400,900", "--screenshot=" + picture, "file://" + page],
                           check=True, capture_output=True, timeout=120)
            found = read_png(picture)
            self.assertEqual((found.width, found.height), (1400, 900))
            colors = collections.Counter(found.pixels[i:i + 3]
                                         for i in range(0, len(found.pixels), 9))
            wanted = {"light": ("ffffff", "ffebe9", "e4f8e8", "9be3ae", "f6f8fa"),
                      "dark": ("0d1117", "3a1d20", "12301d", "1f6b36", "161b22")}[scheme]
            for color in wanted:  # page, removed, added, a marked word, what is folded
                self.assertGreater(colors[bytes.fromhex(color)], 100, (scheme, color))

    def test_any_two_levels(self):
        """Levels changed at random: the operations, applied, leave no difference."""
        source = random.Random(5)
        lines = read(LEVEL).split("\n")
        for _ in range(8):
            changed = list(lines)
            for _ in range(source.randrange(1, 12)):
                at = source.randrange(4, 100)
                if not changed[at].strip().startswith("{"):
                    continue
                what = source.randrange(3)
                line = changed.pop(at)
                if what == 0:
                    changed.insert(source.randrange(4, 80), line)
                elif what == 1:
                    changed.insert(at, re.sub(r"position = \[\S+", "position = [77", line))
            if source.randrange(2) == 0:
                changed.insert(5, '{ id = "new" unit = "units/crate" }')
            a, b = self.write("a.level", "\n".join(lines)), self.write("b.level", "\n".join(changed))
            operations = self.write("d.json", cuttle("diff", a, b, "--json").stdout)
            cuttle("diff", "--apply", operations, a, check=0)
            cuttle("diff", a, b, check=0)


if __name__ == "__main__":
    unittest.main()
