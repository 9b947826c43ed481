"""docs/threads.md works as it is written."""

import os
import re
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write

PAGE = read(os.path.join(ROOT, "docs", "threads.md"))
BLOCKS = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", PAGE)
SCRIPT = next(block for _, block in BLOCKS if block.startswith("-- scripts/jobs.lua"))
FACTORS, TURN, SMOOTH, FAILING = [block for kind, block in BLOCKS
                                  if kind == "lua" and not block.startswith("-- ")]
LOCKABLE = read(os.path.join(ROOT, "src", "script", "threads", "script_lockable.c"))


class Threads(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("game")
        cuttle("new", self.project, check=0)
        write(os.path.join(self.project, "scripts", "jobs.lua"), SCRIPT)
        self.settings = os.path.join(self.project, "settings.config")

    def play(self, in_init, states=2, workers=1, expects=0):
        main = os.path.join(self.project, "scripts", "main.lua")
        if not hasattr(self, "main"):
            self.main, self.before = read(main), read(self.settings)
        write(self.settings, self.before + f"\nlua = {{ worker_states = {states} }}\n")
        write(main, self.main + f"""
local first = init
function init()
    first()
    {in_init}
end
function render() end
""")
        done = cuttle("run", self.project, "--headless", "--frames", 3, "--workers", workers,
                      check=expects)
        return done.stderr + done.stdout

    def test_jobs_return_results(self):
        for workers in (0, 1):
            self.assertIn("factors of 1001: 7 11 13", self.play(FACTORS, workers=workers))

    def test_jobs_change_units(self):
        printed = self.play(TURN + """
    local turned = 0
    for _, unit in ipairs(units) do
        if math.abs(Unit.local_rotation(unit, 1).w - math.cos(0.5)) < 1e-4 then
            turned = turned + 1
        end
    end
    print("turned " .. tostring(turned == #units and #units > 0))
""")
        self.assertIn("turned true", printed)

    def test_arrays_are_moved(self):
        printed = self.play(SMOOTH + """
    print("smooth " .. Float32Array.get(heights, 2) .. " " .. Float32Array.size(heights))""")
        self.assertIn("smooth 0.5 4", printed)

    def test_errors_are_returned(self):
        printed = self.play(FAILING)
        self.assertRegex(printed, r"job 2 failed: scripts/jobs.lua:\d+: ")
        self.assertIn("stack traceback", printed)

    def test_settings_are_used(self):
        self.assertIn("states 3", self.play('print("states " .. LuaThreads.num_states())', states=3))
        self.assertIn("states 1", self.play('print("states " .. LuaThreads.num_states())', states=0,
                                            workers=0))
        self.assertIn("states 2", self.play('print("states " .. LuaThreads.num_states())', states=0,
                                            workers=2))

    def test_the_page_names_all_modules_that_can_be_locked(self):
        names = re.search(r"const names\[\] = \{(.*?)\}", LOCKABLE, re.S)[1]
        names = re.findall(r'"(\w+)"', names)
        self.assertGreater(len(names), 4)
        table = PAGE.split("### Modules that can be locked")[1].split("###")[0]
        self.assertEqual(set(re.findall(r"^\| `(\w+)` \|", table, re.M)), set(names))


if __name__ == "__main__":
    unittest.main()
