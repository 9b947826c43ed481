"""The pages lead somewhere and stay readable: links and anchors exist, pages keep their lengths, text is
plain English, and README's taste of code works as it is written."""

import glob
import os
import re
import subprocess
import sys
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write

sys.path.insert(0, os.path.join(ROOT, "tools"))
import plain_english  # noqa: E402

GENERATED = ("docs/lua_api/", "docs/components.md", "docs/flow_nodes.md",
             "docs/formats/console_messages.md")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def pages():
    """The project's pages, as paths from its root."""
    found = glob.glob("*.md", root_dir=ROOT) + ["bench/README.md"]
    for folder in ("docs", "samples", "templates"):
        found += glob.glob(f"{folder}/**/*.md", root_dir=ROOT, recursive=True)
    return sorted(found)


def prose(text):
    return FENCE.sub("", text)


def num_words(text):
    """Words with a letter or digit; bars of tables and dashes are no words."""
    return sum(bool(re.search(r"\w", word)) for word in text.split())


def anchors(text):
    """The fragments of a page's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"(?m)^#+ (.*)$", prose(text)):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(anchor)
    return found


class Links(unittest.TestCase):
    def test_lead_to_files_and_headings_that_exist(self):
        broken = []
        for page in pages():
            for link in LINK.findall(prose(read(os.path.join(ROOT, page)))):
                if re.match(r"\w+:", link):
                    continue
                name, _, fragment = link.partition("#")
                path = os.path.normpath(os.path.join(ROOT, os.path.dirname(page), name)) if name else \
                    os.path.join(ROOT, page)
                if not os.path.exists(path):
                    broken.append(f"{page}: {link}: no such file")
                elif fragment and path.endswith(".md") and fragment not in anchors(read(path)):
                    broken.append(f"{page}: {link}: no such heading")
        self.assertEqual(broken, [])

    def test_every_page_of_docs_is_in_the_index(self):
        index = read(os.path.join(ROOT, "docs", "README.md"))
        linked = {link.partition("#")[0] for link in LINK.findall(index)}
        own = {os.path.relpath(page, "docs") for page in pages()
               if re.match(r"docs/(formats/|tutorials/)?[^/]+$", page)}
        self.assertEqual(own - linked - {"README.md"}, set())

    def test_the_index_leads_from_wishes_to_pages(self):
        rows = re.findall(r"(?m)^\| ([a-z][^|]+) \| .*\]\(", read(os.path.join(ROOT, "docs", "README.md")))
        self.assertGreaterEqual(len(rows), 25)
        self.assertEqual(len(set(rows)), len(rows))


class Lengths(unittest.TestCase):
    def test_readme_changelog_and_pages(self):
        self.assertLessEqual(num_words(read(os.path.join(ROOT, "README.md"))), 1200)
        self.assertLessEqual(len(read(os.path.join(ROOT, "CHANGELOG.md")).splitlines()), 80)
        long = {}
        for page in pages():
            if page.startswith("docs/") and not page.startswith(GENERATED):
                words = num_words(prose(read(os.path.join(ROOT, page))))
                if words > 1500:
                    long[page] = words
        self.assertEqual(long, {}, "more than 1,500 words outside of code: cut the page in two")


class PlainEnglish(TemporaryFolder):
    def test_no_phrase_is_left(self):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "plain_english.py")],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.stdout, "0 phrases\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_finds_phrases_in_strings_and_comments_across_lines(self):
        write(self.path("a.h"), "// a.h: had\n// from a unit. Tell\nint nobody;\n")
        write(self.path("b.c"), '// nobody reads this\nerror("tag %u is "\n      "none");\n')
        write(self.path("c.md"), "A player who jumps. Functions who `call`\nwhom they like.\n")
        done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "plain_english.py"),
                               "a.h", "b.c", "c.md"], cwd=self.path(), capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, 1)
        places = [line.split(": write")[0] for line in done.stdout.splitlines()]
        self.assertEqual(places, ['a.h:1:9: "had from"', 'a.h:2:17: "Tell"', 'b.c:2:15: "is none"',
                                  'c.md:1:31: "who"', 'c.md:2:1: "whom"', "5 phrases"])

    def test_leaves_plain_sentences_alone(self):
        for text in ("0 when there is none.", "{0} is none", "people who play", "it stands for a unit",
                     "the file lacks a header", "NULL stands in for it", "is None"):
            self.assertEqual(plain_english.phrases(text), [], text)


class Taste(TemporaryFolder):
    def test_the_code_of_readme_works(self):
        project = self.path("game")
        cuttle("new", project, check=0)
        blocks = re.findall(r"(?ms)^```\w+ (\S+)\n(.*?)^```$", read(os.path.join(ROOT, "README.md")))
        self.assertEqual([name for name, _ in blocks], ["units/beacon.unit", "scripts/beacon.lua"])
        for name, text in blocks:
            write(os.path.join(project, name), text)
        main = read(os.path.join(project, "scripts", "main.lua"))
        call = re.search(r"`(World\.spawn_unit\(world, [^`]+\))`", read(os.path.join(ROOT, "README.md")))[1]
        write(os.path.join(project, "scripts", "main.lua"), main + f"""
local first = init
function init()
    first()
    Game.beacon = {call.replace("(world", "(Game.world")}
end
local next_update = update
function update(dt)
    next_update(dt)
    if Game.time > 0.3 then
        print("intensity " .. Light.intensity(Unit.light(Game.beacon, 1)))
        Application.quit()
    end
end
""")
        done = cuttle("run", project, "--headless", "--frames", 100, "--fixed-dt", "0.1", check=0)
        self.assertNotIn("error", done.stderr)
        intensity = float(re.search(r"intensity ([\d.]+)", done.stderr + done.stdout)[1])
        self.assertGreater(intensity, 45)


if __name__ == "__main__":
    unittest.main()
