"""The window path, under Xvfb: open, resize, minimise, lose, close, with Vulkan's validation."""

import os
import re
import shutil
import subprocess
import time
import unittest

from support_cuttle import Game, cuttle, last_json
from support_display import DisplayTest
from support_png import read_png


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share_of_processor(pid):
    """The share of one processor that a process uses in the next second."""
    before, start = cpu_seconds(pid), time.monotonic()
    time.sleep(1)
    return (cpu_seconds(pid) - before) / (time.monotonic() - start)


def resident_bytes(pid):
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1]) << 10


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("it did not come to that")
        time.sleep(0.1)


class Window(DisplayTest):
    def test_opens_resizes_and_closes(self):
        project = self.compiled_project()
        with Game(project, "--size", "320x180", "--validation", headless=False,
                  env=self.environment) as game:
            console = game.console
            self.assertEqual(console.script("Application.back_buffer_size()"), "320\t180")
            console.script("Window.set_title('resized')")
            self.assertEqual(console.script("Window.title()"), "resized")
            self.assertEqual(console.script("DisplayAdapter.num_outputs(1)"), "1")
            width, height = console.script("DisplayAdapter.mode(1, 1, 1)").split()
            self.assertGreaterEqual(int(width), 640)
            self.assertGreaterEqual(int(height), 480)
            for width, height in ((400, 300), (200, 100), (640, 360)):
                console.script(f"Window.set_resolution({width}, {height})")
                console.wait_until("Application.back_buffer_size()", f"{width}\t{height}")
                time.sleep(0.2)
            picture = read_png(console.screenshot(self.path("window.png")))
            self.assertEqual((picture.width, picture.height), (640, 360))
            self.assertEqual([m for m in console.messages if m.get("level") == "error"], [])
            memory = cuttle("console", f"127.0.0.1:{game.port}", "memory", check=0).stdout
            for library in ("sdl", "render/vulkan"):
                self.assertRegex(memory, rf"(?m) [1-9]\d* +heap/cuttle/app/{library}$")
            self.assertEqual(game.quit(), 0)
            self.assertNotIn("library_leak", game.log())
            self.assertNotIn("error", game.log().lower())

    def manage_windows(self):
        """Starts a window manager, without which nothing is minimised or maximised."""
        manager = shutil.which("openbox")
        if not manager:
            self.skipTest("openbox is not installed")
        process = subprocess.Popen([manager, "--sm-disable"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL,
                                   env=dict(os.environ, HOME=self.folder, **self.environment))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        # Before it manages windows it hears nothing of wishes to be minimised.
        wait_for(lambda: subprocess.run(["xdotool", "get_num_desktops"], capture_output=True,
                                        env={**os.environ, **self.environment}).returncode == 0)

    def play(self, project, *arguments):
        return Game(project, "--size", "320x180", "--validation", *arguments, headless=False,
                    env=self.environment)

    def expect_calm(self, game):
        """The game ends well, and nothing was an error on the way."""
        self.assertEqual([m for m in game.console.messages if m.get("level") == "error"], [])
        self.assertEqual(game.quit(), 0)
        self.assertNotIn("error", game.log().lower())
        self.assertNotIn("library_leak", game.log())

    def test_minimises_maximises_and_fills_the_screen(self):
        self.manage_windows()
        with self.play(self.compiled_project()) as game:
            console = game.console
            console.wait_until("Window.has_focus()", "true")
            console.script("Window.minimize()")
            console.wait_until("Window.is_minimized()", "true")
            # The game knows its last size, goes on, and does not spin.
            self.assertEqual(console.script("Application.back_buffer_size()"), "320\t180")
            # At first its threads may still make pipelines.
            wait_for(lambda: share_of_processor(game.process.pid) < 0.5)
            self.assertEqual(console.script("Window.set_resolution(100, 100)"), "false")
            console.script("Window.restore()")
            console.wait_until("Window.is_minimized()", "false")
            console.script("Window.maximize()")
            console.wait_until("Window.is_maximized()", "true")
            console.wait_until("Application.back_buffer_size() > 1000", "true")
            console.script("Window.restore()")
            console.wait_until("Application.back_buffer_size()", "320\t180")
            console.script("Window.set_fullscreen(true)")
            console.wait_until("Application.back_buffer_size()", "1280\t1024")
            self.assertEqual(console.script("Window.is_fullscreen()"), "true")
            self.assertEqual(console.script("Window.set_resolution(100, 100)"), "false")
            console.script("Window.set_fullscreen(false)")
            console.wait_until("Application.back_buffer_size()", "320\t180")
            console.script("Window.set_rect(100, 120, 300, 200)")
            console.wait_until("Window.rect()", "100\t120\t300\t200")
            console.script("Window.set_resizable(false)")
            console.wait_until("Window.is_resizable()", "false")
            console.script("Window.set_cursor('hand') Window.set_clip_cursor(true) "
                           "Window.set_icon('core/textures/white')")
            self.assertEqual(console.script("Window.clip_cursor()"), "true")
            self.expect_calm(game)

    def test_sizes_without_end_leave_memory_as_it_was(self):
        with self.play(self.compiled_project()) as game:
            # A new size in each update, and every time the same ones.
            game.console.script("""
                sizes, old = 0, update
                function update(dt)
                    sizes = sizes + 1
                    if sizes <= 600 then
                        local size = sizes % 100
                        Window.set_resolution(100 + size * 7 % 60, 100 + size * 11 % 70)
                    end
                    old(dt)
                end""")
            wait_for(lambda: int(game.console.script("sizes")) > 200)
            warm = resident_bytes(game.process.pid)
            wait_for(lambda: int(game.console.script("sizes")) > 620)
            self.assertLess(resident_bytes(game.process.pid), warm + (24 << 20))
            self.expect_calm(game)

    def test_goes_on_when_surface_and_device_are_lost(self):
        with self.play(self.compiled_project()) as game:
            console = game.console
            for what, told in (("surface", "surface was lost and recreated"),
                               ("device", "the graphics device was recreated"),
                               ("memory", "VK_ERROR_OUT_OF_DEVICE_MEMORY"),
                               ("surface 3", "surface was lost and recreated"),
                               ("device", "the graphics device was recreated")):
                done = cuttle("console", f"127.0.0.1:{game.port}", "lose", *what.split(), check=0)
                self.assertIn("the loss of the " + what.split()[0], done.stdout)
                console.wait_for_message(lambda m: told in m.get("message", ""))
                console.script("Window.set_resolution(330, 190)")
                console.wait_until("Application.back_buffer_size()", "330\t190")
                console.script("Window.set_resolution(320, 180)")
                console.wait_until("Application.back_buffer_size()", "320\t180")
            done = cuttle("console", f"127.0.0.1:{game.port}", "lose", "heart", check=1)
            self.assertIn("expected device, memory or surface", done.stdout + done.stderr)
            self.assertEqual(game.quit(), 0)
            self.assertNotIn("vulkan: ", game.log().lower())

    def test_ends_when_the_device_does_not_come_back(self):
        with self.play(self.compiled_project()) as game:
            cuttle("console", f"127.0.0.1:{game.port}", "lose", "device", "1000000", check=0)
            self.assertEqual(game.process.wait(timeout=60), 1)
            self.assertIn("did not restore it", game.log())

    def test_copies_text(self):
        project = self.compiled_project()
        for game in (self.play(project), Game(project)):
            with game:
                console = game.console
                console.script("Window.set_clipboard('Zürich 1')")
                console.wait_until("Window.clipboard()", "Zürich 1")
                console.script("Window.set_clipboard('')")
                console.wait_until("Window.clipboard()", "")
                self.assertEqual(console.script("Window.text_input()"), "true")
                console.script("Window.set_text_area(10, 20, 100, 30) Window.set_text_input(false)")
                self.assertEqual(console.script("Window.text_input()"), "false")
                console.script("Window.set_text_input(true)")
                self.assertEqual(console.script("Window.text_input()"), "true")
                self.expect_calm(game)

    def test_closes_by_script(self):
        with self.play(self.compiled_project()) as game:
            game.console.script("Window.close()")
            self.assertEqual(game.process.wait(timeout=60), 0)

    def test_runs_a_number_of_frames(self):
        project = self.compiled_project()
        done = cuttle("run", project, "--frames", "20", "--size", "320x180", "--validation",
                      "--json", check=0, env=self.environment)
        self.assertEqual(last_json(done.stdout)["frames"], 20)


if __name__ == "__main__":
    unittest.main()
