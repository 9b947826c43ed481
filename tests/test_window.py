"""The window path, under Xvfb: open, resize, close, with Vulkan's validation."""

import os
import shutil
import subprocess
import time
import unittest

from support_cuttle import Game, TemporaryFolder, cuttle, last_json


@unittest.skipUnless(shutil.which("Xvfb"), "Xvfb is not installed")
class Window(TemporaryFolder):
    def setUp(self):
        super().setUp()
        # Xvfb chooses a free display and writes its number to the pipe.
        reader, writer = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
            pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            number = pipe.readline().strip()
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        self.assertTrue(number, "Xvfb did not start")
        self.environment = {"DISPLAY": ":" + number, "SDL_VIDEODRIVER": "x11"}

    def test_opens_resizes_and_closes(self):
        project = self.new_project()
        with Game(project, "--size", "320x180", "--validation", headless=False,
                  env=self.environment) as game:
            console = game.console
            self.assertEqual(console.script("Application.back_buffer_size()"), "320\t180")
            console.script("Window.set_title('resized')")
            self.assertEqual(console.script("Window.title()"), "resized")
            for width, height in ((400, 300), (200, 100), (640, 360)):
                console.script(f"Window.set_resolution({width}, {height})")
                console.wait_until("Application.back_buffer_size()", f"{width}\t{height}")
                time.sleep(0.2)
            picture = self.path("window.png")
            console.send(type="command", command="screenshot", file=picture)
            console.wait_for_message(lambda m: "window.png" in m.get("message", ""))
            self.assertEqual([m for m in console.messages if m.get("level") == "error"], [])
            memory = cuttle("console", f"127.0.0.1:{game.port}", "memory", check=0).stdout
            for library in ("sdl", "render/vulkan"):
                self.assertRegex(memory, rf"(?m) [1-9]\d* +heap/cuttle/app/{library}$")
            self.assertEqual(game.quit(), 0)
            self.assertNotIn("library_leak", game.log())
            self.assertNotIn("error", game.log().lower())

    def test_runs_a_number_of_frames(self):
        project = self.new_project()
        done = cuttle("run", project, "--frames", "20", "--size", "320x180", "--validation",
                      "--json", check=0, env=self.environment)
        self.assertEqual(last_json(done.stdout)["frames"], 20)


if __name__ == "__main__":
    unittest.main()
