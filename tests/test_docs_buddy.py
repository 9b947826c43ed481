"""docs/buddy.html in Chromium: the page's allocator keeps its rules, its buttons and sliders work, and
it needs nothing beside itself."""

import os
import re
import subprocess
import unittest

from support_cuttle import LIMIT, ROOT, TemporaryFolder, read, write

PAGE = os.path.join(ROOT, "docs", "buddy.html")

# Does what a reader does, with real events, and waits for the animation after each step.
READER = """<script>
(async () => {
  const texts = [];
  const set = (id, value) => { $(id).value = value; $(id).dispatchEvent(new Event("input")); };
  const settled = async () => { do { await wait(20); } while (isBusy);
                                texts.push($("log").textContent + "|" + $("largest").textContent); };
  set("speed", 10);
  set("buffer", 8);
  set("request", 13);
  $("allocate").click();
  await settled();
  document.querySelector(".block.taken").click();
  await settled();
  set("request", 128);
  for (let i = 0; i < 3; ++i) {
    $("allocate").click();
    await settled();
  }
  $("play").click();
  await wait(3000);
  $("play").click();
  await settled();
  document.body.dataset.reader = texts.join(";") + ";" + (buddy.fault() || "right");
})();
</script>
</body>"""


class Page(TemporaryFolder):
    def opened(self, path, fragment=""):
        """The page's elements after its scripts ran."""
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.path('profile')}",
             "--virtual-time-budget=60000", "--dump-dom", f"file://{path}{fragment}"],
            capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_random_steps_keep_the_rules(self):
        page = self.opened(PAGE, "#buffer=10&leaf=3&check=2000")
        self.assertEqual(re.search('data-check="([^"]*)"', page)[1], "ok 2000")

    def test_buttons_and_sliders(self):
        text = read(PAGE)
        self.assertEqual(text.count("</body>"), 1)
        write(self.path("buddy.html"), text.replace("</body>", READER))
        page = self.opened(self.path("buddy.html"))
        steps = re.search('data-reader="([^"]*)"', page)[1].split(";")
        self.assertEqual(steps[0], "Use a block of 16 KiB for a request of 13 KiB.|128 KiB")
        self.assertEqual(steps[1], "The buddy is free too: merge both into 256 KiB.|256 KiB")
        self.assertEqual(steps[2], "Use a block of 128 KiB for a request of 128 KiB.|128 KiB")
        self.assertTrue(steps[4].startswith("No free block is large enough for 128 KiB"), steps)
        self.assertEqual(steps[-1], "right")

    def test_has_no_dependencies(self):
        text = read(PAGE)
        self.assertEqual(re.findall(r"\b(?:src|href)=\"([^\"]*)\"|url\(|@import|fetch\(|\bimport\b", text),
                         ["memory.md"])


if __name__ == "__main__":
    unittest.main()
