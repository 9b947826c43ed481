"""docs/plugins_compiler.md works as it is written."""

import os
import re
import subprocess
import unittest

from support_cuttle import CUTTLE, ROOT, TemporaryFolder, cuttle, read, write

PAGE = read(os.path.join(ROOT, "docs", "plugins_compiler.md"))
SOURCE = re.search(r"(?ms)^```c\n(#include.*?)^```$", PAGE)[1]
COMMANDS = re.search(r"(?ms)^```\n(cc .*?)^```$", PAGE)[1]


class Page(TemporaryFolder):
    def test_the_dialog_is_loaded_and_checked(self):
        cuttle("new", self.path("mygame"), check=0)
        write(self.path("mygame", "plugins", "talk", "talk.c"), SOURCE)
        run = f"{CUTTLE} run mygame --headless --frames 3 --size 64x36"
        commands = COMMANDS.replace("CUTTLE/include", f"{ROOT}/include").replace("cuttle run mygame", run)
        done = subprocess.run(["sh", "-e", "-c", commands], cwd=self.folder, capture_output=True,
                              text=True, timeout=240)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Fresh bread! (3 s)", done.stderr)
        with open(self.path("mygame", "baker.dialog"), "a") as file:
            file.write("seconds = 99\n")
        done = cuttle("compile", "mygame", cwd=self.folder, check=1)
        self.assertIn("mygame/baker.dialog:2:1: error: dialog.seconds: found 99", done.stderr)


if __name__ == "__main__":
    unittest.main()
