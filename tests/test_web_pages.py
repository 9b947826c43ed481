"""The tools in the browser, each driven in Chromium through its main task against the running sample crates."""

import json
import os
import re
import shutil
import tempfile
import time
import unittest

import support_browser
import support_pages
import support_profile
from support_browser import Browser
from support_cuttle import LIMIT, ROOT, Game, TemporaryFolder, compiled_template

# Prints many lines at once, as a game in trouble does.
FLOOD = "for i = 1, {0} do print('line ' .. i .. ' of the flood') end"

# Scrolls the log by some pixels a frame, and calls back after 200 frames.
SCROLL = """
const [pixels, done] = arguments;
const list = document.querySelector(".log");
let frames = 0;
list.scrollTop = 0;
const step = () => {
    list.scrollTop += pixels;
    requestAnimationFrame(++frames < 200 ? step : () => done(frames));
};
requestAnimationFrame(step);
"""


# The numbers of a viewport's pixels: four for each.
PIXELS = """const canvas = document.querySelector(".viewport canvas");
return [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data];"""

# Keeps what a game hears of the key K.
HEAR = """Heard = ""
local old, key = update, Keyboard.button_id("k")
Game.quiet_update = old
function update(dt)
    if Keyboard.pressed(key) then Heard = Heard .. "down " end
    if Keyboard.released(key) then Heard = Heard .. "up " end
    old(dt)
end"""

# A WebSocket of an engine that refuses the page.
REFUSING = """window.WebSocket = class {
    static OPEN = 1;
    readyState = 0;
    constructor() {
        setTimeout(() => {
            this.readyState = 1;
            this.onopen();
            this.onclose({ code: 1008, reason: "the token is wrong" });
        }, 10);
    }
    send() {}
    close() {}
};"""


class Pages(unittest.TestCase):
    """All tests share a game and a browser; each opens the page again."""

    @classmethod
    def setUpClass(cls):
        if reason := support_browser.missing() or support_pages.missing():
            raise unittest.SkipTest(reason)
        cls.folder = tempfile.mkdtemp(prefix="cuttle-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        project = os.path.join(cls.folder, "crates")
        shutil.copytree(os.path.join(ROOT, "samples", "crates"), project, ignore=shutil.ignore_patterns(".cuttle"))
        shutil.copytree(os.path.join(compiled_template(), ".cuttle"), os.path.join(project, ".cuttle"))
        # The picture is not looked at: the smallest one leaves most time to the rest.
        cls.game = cls.enter(Game(project, "--size", "32x18"))
        cls.browser = cls.enter(Browser(limit=LIMIT))

    @classmethod
    def enter(cls, manager):
        entered = manager.__enter__()
        cls.addClassCleanup(manager.__exit__, None, None, None)
        return entered

    def path(self, name):
        return os.path.join(self.folder, name)

    def setUp(self):
        self.open("console")

    def tearDown(self):
        # Other games run on this machine, which need not have WebSockets.
        mine = [error for error in self.browser.errors()
                if f":{self.game.port}/console" in error or "WebSocket connection" not in error]
        self.assertEqual(mine, [])

    def open(self, page):
        self.browser.open("about:blank")
        self.browser.open(f"http://127.0.0.1:{self.game.port}/#{page}")
        self.browser.find(".lamp.open")

    def send(self, line):
        self.browser.type(".prompt-field", line)
        self.browser.press("Enter")

    def script(self, lua):
        return self.game.console.script(lua)

    def test_console(self):
        browser = self.browser
        self.send("6 * 7 * 1000")
        browser.wait_for_text("42000", ".log")
        self.send("print('a word from the console')")
        browser.wait_for_text("a word from the console", ".log")
        self.send("error('boom')")
        browser.wait_for_text("boom", ".log")
        browser.wait_for_text("lines", ".log")

        browser.click_text("boom", ".log .row.error")  # opens the traceback
        browser.wait_for_text("stack traceback", ".log")
        browser.type(".search", "word -print")
        browser.wait(lambda: "boom" not in browser.text(".log"), "the filter")
        self.assertIn("a word from the console", browser.text(".log"))
        browser.run("document.querySelector('.search').value = ''")
        browser.type(".search", " ")

        # A command, completion, and the history.
        self.send("memory trace")
        browser.wait_for_text("expected: memory trace NAME", ".log")
        browser.type(".prompt-field", "Application.console_p")
        browser.press("Tab")
        browser.wait(lambda: browser.run("return document.querySelector('.prompt-field').value")
                     == "Application.console_port", "completion")
        browser.type(".prompt-field", "()")
        browser.press("Enter")
        browser.wait(lambda: browser.run("return document.querySelector('.prompt-field').value") == "", "the prompt")
        browser.press("ArrowUp")
        self.assertEqual(browser.run("return document.querySelector('.prompt-field').value"),
                         "Application.console_port()")

        # More lines complete what ends too early.
        browser.press("Control", "a")
        self.send("for i = 1, 2 do")
        browser.wait(lambda: browser.run("return document.querySelector('.prompt-field').value")
                     == "for i = 1, 2 do\n", "the second line")
        browser.type(".prompt-field", "print('turn ' .. i) end")
        browser.press("Enter")
        browser.wait_for_text("turn 2", ".log")

    def test_console_with_100000_lines(self):
        browser = self.browser
        browser.cdp("Performance.enable", timeDomain="threadTicks")
        for _ in range(10):
            self.script(FLOOD.format(10_000))  # and reads the log: a client that does not has to wait
        browser.wait(lambda: browser.run(
            "return document.querySelector('.log .virtual-space').clientHeight") >= 100_000 * 20, "all lines")
        self.assertLess(browser.run("return document.querySelectorAll('.log .row').length"), 100)
        browser.command("POST", "/timeouts", {"script": LIMIT * 1000})
        before = browser.metrics()
        frames = browser.run_async(SCROLL, 160)
        after = browser.metrics()
        spent = {name: 1000 * (after[name] - before[name]) / frames
                 for name in ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")}
        print("milliseconds of processor time a frame, scrolling 100,000 lines:",
              {name: round(value, 2) for name, value in spent.items()})

    def test_log_that_is_older_than_the_page(self):
        browser = self.browser
        self.script("print('before the flood')")
        for _ in range(3):
            self.script(FLOOD.format(10_000))
        self.open("console")
        browser.wait_for_text("line 10000 of the flood", ".log")
        browser.type(".search", "before the flood")
        browser.wait_for_text("before the flood", ".log")

    def test_log_with_the_keyboard(self):
        browser = self.browser
        editor = """const list = document.querySelector("select[aria-label='What links do']"); list.value = arguments[0];
            list.dispatchEvent(new Event("change", { bubbles: true }));"""
        browser.run(editor, "copy")
        self.addCleanup(browser.run, editor, "vscode")
        self.script("print('a place: scripts/main.lua:12')")
        browser.type(".search", "place")
        browser.wait_for_text("scripts/main.lua:12", ".log")
        browser.run("document.querySelector('.log').focus()")
        browser.press("End")
        browser.wait_for_text("a place", ".log .row.chosen")
        browser.press("Enter")
        browser.wait_for_text("copied scripts/main.lua:12", ".notice")

        # A traceback is opened and closed, and its links followed.
        self.script("print('broken place\\nfirst scripts/hud.lua:3\\nsecond')")
        browser.run("const box = document.querySelector('.search'); box.focus(); box.select()")
        browser.type(".search", "broken")
        browser.wait_for_text("+2 lines", ".log")
        browser.run("document.querySelector('.log').focus()")
        browser.press("End")
        browser.press("Enter")
        browser.wait_for_text("second", ".log")
        browser.press("ArrowDown")
        browser.wait_for_text("first", ".log .row.chosen")
        browser.press("Enter")
        browser.wait_for_text("copied scripts/hud.lua:3", ".notice")
        browser.press("ArrowLeft")
        browser.wait(lambda: "second" not in browser.text(".log"), "the lines to be folded")
        browser.press("ArrowRight")
        browser.wait_for_text("second", ".log")

    def test_engine_that_refuses_the_page(self):
        browser = self.browser
        script = browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=REFUSING)["identifier"]
        try:
            browser.command("POST", "/refresh", {})
            browser.wait_for_text("refuses this page: the token is wrong", "[role=alert]")
        finally:
            browser.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=script)

    def test_profiler(self):
        browser = self.browser
        browser.press("Control", "2")
        browser.find(".timeline canvas")
        browser.wait(lambda: int(browser.text(".status-line").split(" ")[0] or 0) >= 5, "five frames")
        browser.wait_for_text("of 512 MiB, full in ", ".status-line")
        browser.click_text("Pause")
        browser.wait_for_text("lua update", ".profiler-table")
        browser.wait_for_text("render", ".profiler-table")
        paused = browser.text(".status-line")
        browser.type(".search", "lua update")
        browser.wait(lambda: browser.run(
            "return document.querySelectorAll('.profiler-table tbody tr').length") == 1, "one scope")
        browser.run("document.querySelector('.timeline canvas').focus()")
        browser.press("+")
        browser.wait(lambda: browser.text(".status-line") != paused, "the timeline to zoom")

        # Saved, and opened again; and a trace for Perfetto.
        frames = paused.split(",")[0]
        browser.click_text("Save")
        saved = browser.wait_for_file(".cuttle_profile")
        browser.click_text("Export for Perfetto")
        with open(browser.wait_for_file(".json")) as file:
            trace = json.load(file)
        self.assertEqual(trace["otherData"]["frames"], int(frames.split(" ")[0]))
        self.assertIn("lua update", {event["name"] for event in trace["traceEvents"]})
        browser.click_text("Record")
        browser.wait(lambda: not browser.text(".status-line").startswith(frames), "a new recording")
        browser.upload("input[type=file]", saved)
        browser.wait_for_text("opened", ".notice")
        self.assertTrue(browser.text(".status-line").startswith(frames), browser.text(".status-line"))

    def test_profiler_opens_ten_minutes(self):
        browser = self.browser
        browser.press("Control", "2")
        path = self.path("long.cuttle_profile")
        frame = support_profile.recorded_frame(self.game.console)
        size = support_profile.write_profile(path, frame, 36_000)
        browser.find(".toolbar")
        browser.upload("input[type=file]", path)
        browser.wait_for_text("36000 frames, 600.0 s", ".status-line")
        took = browser.run("return performance.getEntriesByName('open profile')[0].duration")
        print(f"a profile of ten minutes, with {support_profile.num_events(frame)} events a frame ({size / 1e6:.0f} MB), "
              f"opens in {took / 1000:.2f} s")
        # All threads and names of the game are there, nested as it nests them, of all frames.
        browser.wait_for_text("lua update", ".profiler-table")
        self.assertIn("36000", browser.text(".profiler-table"))

        with open(path, "rb") as file:
            start = file.read(1000)
        with open(self.path("broken.cuttle_profile"), "wb") as file:
            file.write(start)
        browser.upload("input[type=file]", self.path("broken.cuttle_profile"))
        browser.wait_for_text("broken.cuttle_profile: the file ends inside of", ".notice")
        browser.wait_for_text("36000 frames", ".status-line")

    def test_memory(self):
        browser = self.browser
        browser.press("Control", "3")
        browser.wait_for_text("lua", ".allocators")
        browser.find(".memory-chart canvas")
        browser.click_text("Keep this moment")
        browser.wait_for_text("difference", ".allocators")
        self.script("do kept = {} for i = 1, 100000 do kept[i] = {} end end")
        browser.wait(lambda: browser.run("""return [...document.querySelectorAll(".allocators .grown")]
            .some((cell) => cell.innerText.includes("MiB"))"""), "an allocator that has grown by a megabyte")

        browser.click_text("lua", ".allocators tr")
        browser.click_text("Trace", ".side button")
        browser.wait_for_text("Stop tracing", ".side")
        self.script("do kept = {} for i = 1, 1000 do kept[i] = {} end end")
        # The page knows what is traced after it was left, too.
        browser.wait_for_text("· traced", ".allocators")
        browser.press("Control", "1")
        browser.press("Control", "3")
        browser.wait_for_text("Traced now", ".side")
        browser.click_text("lua", ".allocators tr")
        browser.wait_for_text("Stop tracing", ".side")
        browser.click_text("Read the call stacks")
        browser.wait_for_text("call stack", ".side")
        browser.find(".stacks li")

        browser.click_text("Resources")
        browser.wait_for_text("units/crate", "tbody")
        browser.type(".search", "units/crate")
        browser.click_text("units/crate", "tbody tr")
        browser.wait_for_text("materials/crate", ".side")
        # A material names what uses it; what is chosen there is shown in its place.
        browser.run("const box = document.querySelector('.search'); box.focus(); box.select()")
        browser.type(".search", "materials/crate")
        browser.click_text("materials/crate", "tbody tr")
        browser.wait_for_text("materials/crate", ".side h2")
        browser.wait_for_text("units/crate", ".side")
        browser.click_text("units/crate", ".side button")
        browser.wait_for_text("units/crate", ".side h2")

    def test_entities(self):
        browser = self.browser
        browser.press("Control", "4")
        browser.wait_for_text("levels/yard", ".outline")
        browser.type(".search", "fox")
        browser.click_text("fox", ".outline .row")
        browser.wait_for_text("transform", ".side")

        # A position is shown live, and can be set.
        browser.run("document.querySelector('.search').select()")
        browser.type(".search", "lantern")
        browser.wait_for_text("lantern", ".outline")
        browser.click_text("lantern", ".outline .row")
        browser.find("input[aria-label='position z']")
        number = re.search(r"#(\d+)", browser.text(".entity-head"))[1]
        browser.run("""const box = document.querySelector("input[aria-label='position z']"); box.focus();
            box.select();""")
        browser.type("input[aria-label='position z']", "7.25\ue007")
        def height():
            answer = self.game.console.answer(self.game.console.ask(
                type="entity_components", entity=int(number), component="transform"))
            return next(field["value"][2] for field in answer["components"][0]["fields"]
                        if field["name"] == "position")

        browser.wait(lambda: height() == 7.25, "the height in the game")
        browser.wait(lambda: browser.run(
            """return document.querySelector("input[aria-label='position z']").value""") == "7.25", "the height")

        # What is wrong is not set.
        browser.run("document.querySelector(\"input[aria-label='position z']\").select()")
        browser.type("input[aria-label='position z']", "high")
        self.assertEqual(browser.run(
            """return document.querySelector("input[aria-label='position z']").ariaInvalid"""), "true")
        browser.press("Escape")

    def wait_for_still_picture(self):
        """Waits until the picture of a game that rests has settled, and returns it."""
        seen = []

        def look():
            seen.append(self.browser.run(PIXELS))
            time.sleep(0.2)
            return len(seen) > 5 and max(seen[-1][:3]) > 0 and seen[-5:] == seen[-1:] * 5
        self.browser.wait(look, "a picture that stays")
        return seen[-1]

    def test_viewport(self):
        browser, console = self.browser, self.game.console

        def ask(**message):
            return console.answer(console.ask(**message))

        ask(type="command", command="pause")
        self.addCleanup(ask, type="command", command="resume")
        browser.press("Control", "4")
        browser.click_text("Viewport")
        browser.wait(lambda: browser.run("return document.querySelector('.viewport canvas').width") == 32, "a picture")
        self.wait_for_still_picture()

        # A click chooses what the engine has there, and the engine outlines it.
        found = {}
        for i in range(16 * 9):
            place = (i % 16 + 0.5) / 16, (i // 16 + 0.5) / 9
            hits = ask(type="entity_pick", x=place[0], y=place[1])["hits"]
            if hits:
                found.setdefault(hits[0].get("unit", hits[0]["entity"]), []).append(place)
        # The largest but the floor, which fills the picture: its outline can be seen.
        number, places = sorted(found.items(), key=lambda item: len(item[1]))[-2]
        x, y = places[len(places) // 2]
        before = self.wait_for_still_picture()
        left, top, width, height = browser.run("""const box = document.querySelector(".viewport canvas")
            .getBoundingClientRect(); return [box.left, box.top, box.width, box.height];""")
        browser.command("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": round(left + x * width), "y": round(top + y * height)},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})
        browser.wait_for_text(f"#{number}", ".entity-head")
        browser.find(".outline .row.chosen")
        browser.wait(lambda: sum(abs(old - new) > 8 for old, new in zip(before, browser.run(PIXELS))) > 20,
                     "an outline in the picture")

        # Keys go to the game, also where Ctrl comes between.
        ask(type="command", command="resume")
        self.script(HEAR)
        self.addCleanup(self.script, "update = Game.quiet_update")
        browser.click_text("keys and mouse go to the game", "label")
        browser.run("document.querySelector('.viewport canvas').focus()")
        browser.command("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": "k"}]}]})
        browser.wait(lambda: self.script("Heard") == "down ", "the key to be down")
        control = support_browser.KEYS["Control"]
        browser.command("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": control}, {"type": "keyUp", "value": "k"},
            {"type": "keyUp", "value": control}]}]})
        browser.wait(lambda: self.script("Heard") == "down up ", "the key to be up")

    def test_hidden_page_gets_no_pictures(self):
        browser = self.browser
        open_streams = "frame_open", "frame_close"
        browser.run("""window.sent = []; const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (data) { sent.push(JSON.parse(data).type); return send.call(this, data); };
            """)
        counts = "return arguments[0].map((type) => sent.filter((other) => other === type).length)"
        hide = """Object.defineProperty(document, "hidden", { configurable: true, value: arguments[0] });
            document.dispatchEvent(new Event("visibilitychange"));"""
        browser.press("Control", "4")
        browser.click_text("Viewport")
        browser.wait(lambda: browser.run("return document.querySelector('.viewport canvas').width") == 32, "a picture")
        browser.run(hide, True)
        browser.wait(lambda: browser.run(counts, open_streams) == [1, 1], "the stream to be closed")
        browser.run(hide, False)
        browser.wait(lambda: browser.run(counts, open_streams) == [2, 1], "the stream to be opened again")

    def test_outline_of_10000_units(self):
        browser = self.browser
        self.script("local places = {} for i = 1, 30000 do places[i] = -100 end "
                    "Spawned = World.spawn_units(Game.world, 'units/block_shadow', places)")
        self.addCleanup(self.script, "for _, unit in ipairs(Spawned) do World.destroy_unit(Game.world, unit) end")
        browser.run("performance.mark('outline asked')")
        browser.press("Control", "4")
        browser.wait(lambda: browser.run(
            "return document.querySelector('.outline .virtual-space').clientHeight") >= 10_000 * 22, "all units")
        took = browser.run("return performance.measure('outline', 'outline asked', 'outline shown').duration")
        print(f"an outline of 10,000 units is shown after {took:.0f} ms")
        self.assertLess(browser.run("return document.querySelectorAll('.outline .row').length"), 100)

    def test_systems(self):
        browser = self.browser
        browser.press("Control", "6")
        for name in ("frame", "render", "physics", "sound"):
            browser.wait_for_text(name, ".systems")
        frame = """return [...document.querySelectorAll(".system")].find(
            (table) => table.innerText.startsWith("frame"))?.querySelector("td.number").innerText"""
        before = browser.run(frame)
        browser.wait(lambda: browser.run(frame) != before, "the number of the frame to change")

    def test_network_of_a_game_without_network(self):
        browser = self.browser
        browser.press("Control", "5")
        browser.wait_for_text("the game has no network", ".side")
        browser.find(".lanes canvas")
        browser.wait_for_text("Nothing has gone over the network", ".events")

    def test_pages_that_are_not_shown_ask_nothing(self):
        browser = self.browser
        browser.find(".log .row")  # what the log had before was asked for
        for key in "23456":
            browser.press("Control", key)
            browser.find(f"[role=tab]:nth-child({key})[aria-selected=true]")
            browser.wait(lambda: browser.text("main") != "", "the page")
        browser.press("Control", "1")
        browser.find(".console-page")
        browser.run_async("setTimeout(arguments[0], 2000)")  # answers to what was asked before come
        browser.run("""const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (data) {
                if (this.url.includes(arguments.callee.port)) sent.push(data);
                return send.call(this, data);
            };
            WebSocket.prototype.send.port = arguments[0];
            window.sent = [];""", f":{self.game.port}/")

        def sent():
            # Longer than any page's pause between two questions.
            browser.run_async("window.sent = []; setTimeout(arguments[0], 2500)")
            return browser.run("return sent")

        questions = sent()
        while questions and all("log_history" in question for question in questions):
            questions = sent()  # the lines of the tests before still come
        self.assertEqual(questions, [])

    def test_keyboard_palette_and_theme(self):
        browser = self.browser
        browser.press("Control", "k")
        browser.type(".palette input", "shmem")
        browser.press("Enter")
        browser.find(".page[aria-label=Memory]")
        theme = "return document.documentElement.dataset.theme"
        browser.press("Control", "k")
        browser.press("Escape")
        browser.wait(lambda: not browser.run("return document.querySelector('.palette')"), "the palette to close")
        seen = {browser.run(theme)}
        for _ in range(2):
            browser.press("Control", "Shift", "l")
            seen.add(browser.run(theme))
        self.assertEqual(seen, {"dark", "light"})
        browser.run("document.querySelector('[role=tab][aria-selected=true]').focus()")
        browser.press("ArrowLeft")
        browser.find(".page[aria-label=Profiler]")
        self.assertNotEqual(browser.run("return getComputedStyle(document.activeElement).outlineStyle"), "none")

    def test_another_version_of_the_engine(self):
        """The page compares the protocol that it was built with to that of the engine."""
        browser = self.browser
        self.assertEqual(browser.text(".mismatch"), "")
        browser.cdp("Page.addScriptToEvaluateOnNewDocument", source="""const parse = JSON.parse;
            JSON.parse = (text) => {
                const value = parse(text);
                return value?.process ? { ...value, protocol: "0123456789abcdef" } : value;
            };""")
        browser.command("POST", "/refresh", {})
        browser.wait_for_text("the engine has 0123456789abcdef", ".mismatch")


class Engines(TemporaryFolder):
    def setUp(self):
        super().setUp()
        if reason := support_browser.missing() or support_pages.missing():
            self.skipTest(reason)

    def test_several_engines_and_one_that_ends(self):
        project = self.compiled_project()
        with Game(project) as one, Game(project, "--no-compile") as two, Browser(limit=LIMIT) as browser:
            lamp = f"""return [...document.querySelectorAll(".engine")].find(
                (engine) => engine.innerText.includes(":{two.port}"))?.querySelector(".lamp").className"""
            browser.open(f"http://127.0.0.1:{one.port}/")
            browser.wait(lambda: browser.run(lamp) == "lamp open", "the second engine")
            browser.click_text("all engines", "label")
            browser.type(".prompt-field", "print('port ' .. Application.console_port())\ue007")
            browser.wait_for_text(f"port {one.port}", ".log")
            browser.click_text(f":{two.port}", ".engine button")
            browser.wait_for_text(f"port {two.port}", ".log")

            two.quit()
            browser.wait(lambda: browser.run(lamp) == "lamp connecting", "the engine to be gone")
            with Game(project, "--no-compile", "--port", str(two.port)):
                browser.wait(lambda: browser.run(lamp) == "lamp open", "the engine to be back")
                browser.wait_for_text("The engine has started again.", ".log")
                browser.type(".prompt-field", "1000 + 234\ue007")
                browser.wait_for_text("1234", ".log")


if __name__ == "__main__":
    unittest.main()
