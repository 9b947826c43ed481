"""The network page of the tools in the browser, with two programs of the sample duel in a session: what each sent and
received, by object, field and peer, and both over the same time."""

import re
import unittest

import support_browser
import support_pages
from support_browser import Browser
from support_cuttle import CUTTLE, LIMIT, TemporaryFolder
from support_network import lobby_ports

from cuttle_nodes import Nodes  # support_cuttle knows where it is

# For the lane of an engine: whether something is painted above its line (received), and below it (sent).
LANE = """
const canvas = document.querySelector(".lanes canvas");
const lane = [...document.querySelectorAll(".engine")].findIndex((e) => e.innerText.includes(arguments[0]));
const ratio = canvas.width / canvas.clientWidth, left = Math.ceil(130 * ratio), height = 44 * ratio;
const isPainted = (y) => {
    const { data } = canvas.getContext("2d").getImageData(left, Math.round(y), canvas.width - left, 1);
    return new Set(new Uint32Array(data.buffer)).size > 1;
};
const middle = lane * height + height / 2;
return lane < 0 ? [] : [isPainted(middle - 2 * ratio), isPainted(middle + 2 * ratio)];
"""
ROWS = "return [...document.querySelectorAll('.events .row')].map((row) => row.innerText.replace(/\\s+/g, ' '))"
# Sent by hand, since bots send it when they like: no player is hit from so far away.
HIT = """
for peer, player in pairs(Game.players) do
    if peer ~= Game.me then RPC.hit(nil, player.id, Vector3(0, 14, 3)) end
end
"""


class NetworkPage(TemporaryFolder):
    def setUp(self):
        super().setUp()
        if reason := support_browser.missing() or support_pages.missing():
            self.skipTest(reason)

    def nodes(self):
        """A host and a client that play, whose pictures are not looked at."""
        port = str(next(lobby_ports))
        ways = {"host": "--host", "client": "--find"}
        return Nodes(self.copy_sample("duel"), list(ways), cuttle=CUTTLE, timeout=LIMIT,
                     options=["--size", "32x18", "--network-simulate", "loss=2%,delay=20ms"],
                     launch=lambda name, words: [*words, "--port", port, "--bot", "--unseen", ways[name]])

    def test_shows_a_session_from_both_sides(self):
        with self.nodes() as nodes, Browser(limit=LIMIT) as browser:
            self.nodes, self.browser = nodes, browser
            nodes.wait("Game.is_in_game(2) and Game.is_moving(2, 1)", timeout=LIMIT)
            self.ports = {name: f":{nodes[name].console.socket.getpeername()[1]}" for name in ("host", "client")}
            self.peers = nodes.script("Network.peer_id()")
            browser.open(f"http://127.0.0.1{self.ports['host']}/#network")
            browser.find(".lamp.open")
            # Its port is none of those where the page looks for games.
            browser.press("Control", "k")
            browser.type(".palette input", self.ports["client"])
            browser.press("Enter")
            self.look_at_the_timeline()
            self.look_at_the_state()
            self.filter()
            self.pause_and_clear()
            self.look_from_the_other_side()
            self.end_the_host()
            mine = [error for error in browser.errors() if "WebSocket connection" not in error]
            self.assertEqual(mine, [])

    def look_at_the_timeline(self):
        for name, port in self.ports.items():
            self.browser.wait(lambda: self.browser.run(LANE, port) == [True, True],
                              f"what the {name} sent and received")
        self.browser.keep("network_timeline")

    def look_at_the_state(self):
        browser = self.browser
        browser.wait_for_text("Session: in, host, 2 peers", ".side")
        browser.wait_for_text(f"This peer: {self.peers['host'][:8]}", ".side")
        browser.wait_for_text(self.peers["client"][:8], ".side table")
        browser.wait_for_text("player 1.", ".objects")
        browser.click_text("match", ".objects summary")
        browser.wait_for_text("playing", ".objects")

    def filter(self):
        browser = self.browser
        # One object.
        name = re.search(r"player \d+\.\d+", browser.text(".objects"))[0]
        browser.click_text(name, ".objects summary")
        self.click_in_object(name, "events")
        self.expect_rows(f"the events of {name}", lambda row: re.search(rf" {re.escape(name)}\b", row))
        # One field of it.
        self.click_in_object(name, "velocity")
        self.expect_rows("a field", lambda row: name in row and re.search(r"\bvelocity \(\d+\)", row))
        # One peer, and what came from it.
        peer = self.peers["client"][:8]
        browser.click_text(peer, ".side tbody tr")
        self.expect_rows("a peer", lambda row: peer in row)
        self.search("in")
        self.expect_rows("what was received", lambda row: "←" in row and "→" not in row)
        # One message, with its arguments.
        self.nodes.script(HIT, "host")
        self.search("hit out")
        self.expect_rows("a message", lambda row: re.search(r"→ \w+ ■ message hit: target \(\d+\), velocity \(\d+\)", row))
        self.browser.keep("network_message")
        # One kind.
        self.search("")
        browser.click_text("packet", ".toolbar button")
        for kind in ("fields", "message", "object", "give", "destroy", "control", "lost"):
            browser.click_text(kind, ".toolbar button")
        self.expect_rows("packets", lambda row: "■ packet" in row)
        for kind in ("fields", "message", "object", "give", "destroy", "control", "lost"):
            browser.click_text(kind, ".toolbar button")

    def search(self, text):
        self.browser.run("document.querySelector('.toolbar .search').select()")
        self.browser.type(".toolbar .search", text or "\ue003")

    def click_in_object(self, name, text):
        self.browser.wait(lambda: self.browser.run("""
            const object = [...document.querySelectorAll(".objects details")].find(
                (e) => e.querySelector("summary").innerText.startsWith(arguments[0] + "of") ||
                    e.querySelector("summary").innerText.startsWith(arguments[0] + " "));
            const found = [...object?.querySelectorAll("button") ?? []].find((e) => e.innerText === arguments[1]);
            found?.click();
            return !!found;""", name, text), f'"{text}" of {name}')

    def expect_rows(self, what, fits):
        """Waits until there are rows and all fit."""
        def look():
            rows = self.browser.run(ROWS)
            return rows and all(fits(row) for row in rows)
        try:
            self.browser.wait(look, what)
        except AssertionError as error:
            raise AssertionError(f"{error}:\n" + "\n".join(self.browser.run(ROWS))) from None

    def pause_and_clear(self):
        browser = self.browser
        browser.click_text("Pause")
        browser.wait_for_text("Go on", ".toolbar")
        browser.click_text("Clear", ".toolbar button")
        browser.wait_for_text("0 of 0 events", ".toolbar")
        self.assertEqual(browser.run(ROWS), [])
        for port in self.ports.values():
            browser.wait(lambda: browser.run(LANE, port) == [False, False], "an empty lane")
        browser.click_text("Go on")
        self.expect_rows("new events", lambda row: True)

    def look_from_the_other_side(self):
        self.browser.click_text(self.ports["client"], ".engine button")
        self.browser.wait_for_text(f"This peer: {self.peers['client'][:8]}", ".side")
        self.browser.wait_for_text("Session: in, 2 peers", ".side")
        self.expect_rows("what the client did", lambda row: self.peers["host"][:8] in row)
        self.browser.keep("network_client")

    def end_the_host(self):
        """The client goes on as the host; its lane has what this took."""
        self.nodes.stop("host")
        self.browser.wait_for_text("Session: in, host, 1 peer", ".side")
        self.search("")
        self.browser.wait(lambda: any(self.browser.run(LANE, self.ports["client"])), "the lane of the client")
        self.browser.keep("network_alone")


if __name__ == "__main__":
    unittest.main()
