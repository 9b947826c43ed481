"""The tools in the browser in Firefox: the shell opens, and each page shows what it is for. What pages do is tested
in Chromium (test_web_pages.py); this is about what browsers do in different ways."""

import unittest

import support_firefox
import support_pages
from support_cuttle import LIMIT, Game, TemporaryFolder
from support_firefox import Firefox

IS_PAINTED = """
const canvas = document.querySelector(arguments[0]);
const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
return new Set(new Uint32Array(data.buffer)).size > 1;
"""


class InFirefox(TemporaryFolder):
    def setUp(self):
        super().setUp()
        if reason := support_firefox.missing() or support_pages.missing():
            self.skipTest(reason)

    def test_shows_each_page(self):
        project = self.compiled_project()
        with Game(project) as game, Firefox(limit=LIMIT) as browser:
            self.game, self.browser = game, browser
            browser.open(f"http://127.0.0.1:{game.port}/")
            browser.find(".lamp.open")
            self.console()
            for key, page in (("2", self.profiler), ("3", self.memory), ("4", self.entities), ("5", self.network),
                              ("6", self.systems)):
                browser.press("Control", key)
                browser.find(f"[role=tab]:nth-child({key})[aria-selected=true]")
                page()
                browser.keep(f"firefox_{page.__name__}")
            browser.press("Control", "k")
            browser.type(".palette input", "shcon")
            browser.press("Enter")
            browser.find(".page[aria-label=Console]")
            for _ in range(2):  # each theme
                browser.press("Control", "Shift", "l")
                browser.keep("firefox_" + browser.run("return document.documentElement.dataset.theme"))
            # Games of other tests are found, too, and end.
            self.assertEqual([text for text in browser.errors()
                              if not text.startswith("Firefox can’t establish") or f":{game.port}/" in text], [])

    # --- The pages ---------------------------------------------------------------------------------

    def console(self):
        browser = self.browser
        browser.wait_for_text("listening on", ".log")
        browser.type(".prompt-field", "6 * 7 * 1000")
        browser.press("Enter")
        browser.wait_for_text("42000", ".log")
        self.game.console.script("print('a word from the game')")
        browser.wait_for_text("a word from the game", ".log")
        browser.keep("firefox_console")

    def profiler(self):
        browser = self.browser
        browser.wait_for_text("render", ".profiler-table")
        browser.wait(lambda: int(browser.text(".status-line").split(" ")[0] or 0) >= 5, "five frames")
        browser.wait(lambda: browser.run(IS_PAINTED, ".timeline canvas"), "the timeline")

    def memory(self):
        self.browser.wait_for_text("lua", ".allocators")
        self.browser.find(".memory-chart canvas")

    def entities(self):
        self.browser.find(".outline .row")
        self.browser.click_text("Viewport")
        self.browser.find(".viewport canvas")
        self.browser.wait(lambda: self.browser.run(IS_PAINTED, ".viewport canvas"), "the game's picture")

    def network(self):
        self.browser.wait_for_text("the game has no network", ".side")

    def systems(self):
        for name in ("frame", "render"):
            self.browser.wait_for_text(name, ".systems")


if __name__ == "__main__":
    unittest.main()
