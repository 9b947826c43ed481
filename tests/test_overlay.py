"""The overlay of `cuttle run`: it is drawn over the game, and over nothing while scripts are broken;
its line takes the keyboard from the game and runs Lua. CUTTLE_UPDATE_GOLDEN=1 writes the picture of
docs/overlay.md anew."""

import os
import re
import shutil
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, read, write
from support_display import DisplayTest
from support_flow import FlowGame
from support_png import read_png

PICTURE = os.path.join(ROOT, "docs", "pictures", "overlay.png")
SIZE = (1280, 720)
# In pixels of such a picture, from the upper left corner: x, y, width, height.
FRAME, MEMORY, LOG, LINE = (12, 12, 472, 160), (1004, 182, 264, 216), (12, 480, 1256, 180), (
    12, 674, 1256, 34)
GAME = (600, 300, 80, 60)  # no panel is there


def key(name):
    return (f'{{device = "keyboard", kind = "pressed", name = "{name}"}}, '
            f'{{device = "keyboard", kind = "keystroke", name = "{name}"}}, '
            f'{{device = "keyboard", kind = "released", name = "{name}"}}')


def text(typed):
    return f'{{device = "keyboard", kind = "text", text = [==[{typed}]==]}}'


def feed(game, *events):
    game.console.script("Input.add_remote_events { " + ", ".join(events) + " }")


def overlay(game, *arguments):
    """The answer to the command; raises RuntimeError on an error."""
    console = game.console
    since = len(console.messages)
    console.send(type="command", id="overlay", command="overlay", arguments=list(arguments))
    answer = console.wait_for_message(lambda m: m.get("id") == "overlay", since)
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer["result"]


def told(game, wanted, level="info"):
    """Waits for a message of the overlay whose first line is `wanted`."""
    return game.console.wait_for_message(
        lambda m: m.get("system") == "overlay" and m["level"] == level and
        m["message"].split("\n")[0] == wanted)


def part(picture, rectangle):
    x, y, width, height = rectangle
    return [picture.pixel(i, k)[:3] for k in range(y, y + height) for i in range(x, x + width)]


class Overlay(TemporaryFolder):
    def run_game(self, project, *arguments):
        return Game(project, "--size", f"{SIZE[0]}x{SIZE[1]}", *arguments)

    def picture(self, game, name="shot.png"):
        return read_png(game.console.screenshot(self.path(name)))

    def settled(self, game):
        """A picture in which the panels show what was logged before: texts change 4 times a
        second."""
        game.console.script("Later = Application.time_since_launch() + 0.6")
        game.console.wait_until("Application.time_since_launch() > Later", "true")
        return self.picture(game)

    def test_it_is_drawn_over_the_game_and_leaves_no_trace(self):
        with self.run_game(self.compiled_project(), "--fixed-dt", "0.01") as game:
            game.console.wait_until("Application.time_since_launch() > 0.1", "true")
            game.console.send(type="command", command="pause")
            self.assertEqual(overlay(game), "the overlay is off")
            before = self.picture(game)
            self.assertEqual(overlay(game, "on"), "the overlay is on")
            shown = self.settled(game)
            self.assertEqual(part(shown, GAME), part(before, GAME))
            for panel in (FRAME, MEMORY, LOG, LINE):
                light = [sum(p) > 500 for p in part(shown, panel)]
                self.assertGreater(sum(light), 20, panel)  # text
                dark = [sum(p) < 300 for p in part(shown, panel)]
                self.assertGreater(sum(dark), 0.5 * len(dark), panel)
            self.assertEqual(overlay(game, "off"), "the overlay is off")
            self.assertEqual(self.picture(game).pixels, before.pixels)
            with self.assertRaisesRegex(RuntimeError, 'found "maybe"; expected on, off or line'):
                overlay(game, "maybe")

    def test_its_line_takes_the_keyboard_and_runs_lua(self):
        with self.run_game(self.compiled_project()) as game:
            down = 'Keyboard.button(Keyboard.button_id("w"))'
            feed(game, key("f1"))
            self.assertEqual(overlay(game), "the overlay is on")
            feed(game, '{device = "keyboard", kind = "pressed", name = "w"}')
            self.assertEqual(game.console.script(down), "1")  # it is the game's
            feed(game, '{device = "keyboard", kind = "released", name = "w"}', key("f1"))
            self.assertEqual(overlay(game), "the overlay is on; its line has the keyboard")
            empty = part(self.settled(game), LINE)
            feed(game, '{device = "keyboard", kind = "pressed", name = "w"}',
                 text("Typed == 6 * 7"), key("left"), key("home"), key("right"), key("right"),
                 key("right"), key("right"), key("right"), key("right"), key("delete"))
            self.assertEqual(game.console.script(down), "0")
            self.assertNotEqual(part(self.picture(game), LINE), empty)
            feed(game, key("enter"))
            told(game, "> Typed = 6 * 7")
            self.assertEqual(game.console.script("Typed"), "42")
            feed(game, text("Typed + 1"), key("enter"), text("nobody()"), key("enter"))
            told(game, "43")
            error = told(game, "console:1: attempt to call global 'nobody' (a nil value)", "error")
            self.assertIn("traceback", error["message"])
            feed(game, key("up"), key("up"), text("00"), key("enter"))
            told(game, "142")
            feed(game, key("esc"))
            self.assertEqual(overlay(game), "the overlay is on")
            self.assertEqual(overlay(game, "line"), "the overlay is on; its line has the keyboard")
            feed(game, key("f1"))
            self.assertEqual(overlay(game), "the overlay is off")

    def test_it_works_while_scripts_are_broken(self):
        project = self.compiled_project()
        write(os.path.join(project, "scripts", "main.lua"), "function init() no_such_thing() end\n")
        with self.run_game(project) as game:
            overlay(game, "line")
            feed(game, text("Still = 'here'"), key("enter"))
            told(game, "> Still = 'here'")
            shown = self.settled(game)
            self.assertEqual(set(part(shown, GAME)), {(0, 0, 0)})  # the game draws nothing
            red = [r > 180 and g < 150 and b < 150 for r, g, b in part(shown, LOG)]
            self.assertGreater(sum(red), 100)  # the error
            self.assertEqual(game.console.script("Still"), "here")

    def test_the_key_is_a_setting(self):
        project = self.compiled_project()
        settings = os.path.join(project, "settings.config")
        own = read(settings)
        write(settings, own + '\ndev = { overlay_key = "none" }\n')
        with Game(project) as game:
            feed(game, '{device = "keyboard", kind = "pressed", name = "f1"}')
            self.assertEqual(game.console.script('Keyboard.button(Keyboard.button_id("f1"))'), "1")
            self.assertEqual(overlay(game), "the overlay is off")
        write(settings, 'dev = { overlay_key = "keyboard.f99" }\n' + own)
        done = cuttle("compile", project)
        self.assertRegex(done.stderr, re.escape(
            'settings.config:1:9: error: dev.overlay_key is "keyboard.f99"; expected a key such as '
            '"keyboard.f1", or "none"'))

    @unittest.skipUnless(os.environ.get("CUTTLE_UPDATE_GOLDEN"), "writes docs/pictures/overlay.png")
    def test_the_picture_of_its_page(self):
        project = self.compiled_project()
        settings = os.path.join(project, "settings.config")
        # What a CPU keeps to.
        write(settings, read(settings) + '\nrender_preset = "low"\nmax_frame_rate = 3\n')
        with self.run_game(project) as game:
            overlay(game, "line")
            game.console.wait_until("Application.time_since_launch() > 20", "true", 120)
            for line in ("Application.time_since_launch()", "Application.main_world()",
                         "Hero.jump()"):
                feed(game, text(line), key("enter"))
            feed(game, text("Application.set_render_setting('view', 'wireframe')"))
            game.console.wait_until("Application.time_since_launch() > 60", "true", 180)
            shutil.copyfile(game.console.screenshot(self.path("shot.png")), PICTURE)


@unittest.skipUnless(shutil.which("Xvfb"), "Xvfb is not installed")
class TextsOfGraphs(DisplayTest, FlowGame):
    def red_pixels(self, **more):
        """The red pixels below the panel of the frame, after a graph printed a red text to the screen."""
        self.graph.node("say", "print_to_screen", color=[1, 0, 0], label="door", text="open")
        self.graph.event("say", "say")
        self.save("flow/level.flow", self.graph.text())
        self.save("flow/lamp.flow", self.lamp.text())
        with Game(self.project, "--size", f"{SIZE[0]}x{SIZE[1]}", **more) as game:
            self.run_event(game, "say")
            game.console.wait_for_message(lambda m: m.get("message") == "door: open")
            picture = read_png(game.console.screenshot(self.path("shot.png")))
            self.assertEqual(self.errors(game), [])
        return sum(r > 150 and g < 60 and b < 60 for r, g, b in part(picture, (12, 176, 200, 30)))

    def test_are_shown_in_a_window(self):
        self.assertGreater(self.red_pixels(headless=False, env=self.environment), 30)

    def test_are_only_logged_without_a_window(self):
        self.assertEqual(self.red_pixels(), 0)


if __name__ == "__main__":
    unittest.main()
