"""Firefox for tests: driven by WebDriver BiDi, which is JSON over a WebSocket that Firefox itself listens at."""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile

from support_browser import AnyBrowser, key_actions
from support_page import Page

# No program beyond this machine is asked for anything: port 9 refuses, and loopback needs no proxy.
PREFERENCES = """
user_pref("network.proxy.type", 1);
user_pref("network.proxy.socks", "127.0.0.1");
user_pref("network.proxy.socks_port", 9);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
"""
# Arguments and result go as JSON, whose types are those of Python.
CALL = "(text) => JSON.stringify((function () {{ {0} }}).apply(null, JSON.parse(text))) ?? 'null'"


def missing():
    """Why there is no Firefox, or None."""
    if shutil.which("firefox-esr"):
        return None
    return "firefox-esr is not installed: sudo apt-get install firefox-esr"


class Firefox(AnyBrowser):
    """One window of Firefox without a display. Ends with the `with` block."""

    link = None

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="cuttle-firefox-")
        self.num_asked, self.entries = 0, []
        profile = os.path.join(self.folder, "profile")
        os.makedirs(profile)
        with open(os.path.join(profile, "user.js"), "w") as file:
            file.write(PREFERENCES)
        self.log = open(os.path.join(self.folder, "log"), "w+")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0",
             "about:blank"], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            env={**os.environ, "HOME": self.folder, "MOZ_CRASHREPORTER_DISABLE": "1"})
        try:
            self.link = Page(self.wait(self.find_port, "Firefox to listen"), "/session", origin=None)
            assert self.link.status == 101, self.link.head
            self.ask("session.new", capabilities={})
            self.ask("session.subscribe", events=["log.entryAdded"])
            self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]
            self.ask("browsingContext.setViewport", context=self.context,
                     viewport={"width": self.size[0], "height": self.size[1]})
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind, value, trace):
        if self.link:
            self.link.close()
        self.process.terminate()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, True)

    def find_port(self):
        self.log.seek(0)
        text = self.log.read()
        if self.process.poll() is not None:
            raise AssertionError(f"Firefox has ended:\n{text}")
        found = re.search(r"WebDriver BiDi listening on ws://\S+:(\d+)", text)
        return found and int(found[1])

    def ask(self, method, **parameters):
        """Sends a command of WebDriver BiDi and returns its result."""
        self.num_asked += 1
        self.link.send(id=self.num_asked, method=method, params=parameters)
        while (answer := self.link.receive()).get("id") != self.num_asked:
            if answer.get("method") == "log.entryAdded":
                self.entries.append(answer["params"])
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]

    def open(self, address):
        self.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def run(self, script, *arguments):
        done = self.ask("script.callFunction", functionDeclaration=CALL.format(script), awaitPromise=False,
                        target={"context": self.context},
                        arguments=[{"type": "string", "value": json.dumps(arguments)}])
        if done["type"] == "exception":
            raise RuntimeError(done["exceptionDetails"]["text"])
        return json.loads(done["result"]["value"])

    def find(self, selector):
        """Waits for an element."""
        self.wait(lambda: self.run("return !!document.querySelector(arguments[0])", selector),
                  f"an element {selector}")

    def type(self, selector, text):
        self.find(selector)
        self.run("document.querySelector(arguments[0]).focus()", selector)
        for character in text:
            self.press(character)

    def press(self, *keys):
        """Presses keys together: press("Control", "k")."""
        self.ask("input.performActions", context=self.context, actions=[key_actions(keys)])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self.context)["data"]))

    def errors(self):
        """What the page's console said that is an error, since the last call."""
        self.run("return 0")  # what came before has come by then
        entries, self.entries = self.entries, []
        return [entry["text"] for entry in entries if entry["level"] == "error"]
