"""A browser for tests: Chromium, driven through chromedriver by plain HTTP (the WebDriver protocol)."""

import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the member that names an element, of the standard
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Control": "\ue009", "Shift": "\ue008", "Escape": "\ue00c",
        "ArrowUp": "\ue013", "ArrowDown": "\ue015", "ArrowLeft": "\ue012", "ArrowRight": "\ue014",
        "Home": "\ue011", "End": "\ue010", "Backspace": "\ue003"}


def missing():
    """Why there is no browser, or None."""
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return f"{program} is not installed: sudo apt-get install chromium chromium-driver"
    return None


def key_actions(keys):
    """Presses keys together, as the source of actions that WebDriver and WebDriver BiDi take."""
    named = [KEYS.get(key, key) for key in keys]
    actions = [{"type": "keyDown", "value": key} for key in named]
    actions += [{"type": "keyUp", "value": key} for key in reversed(named)]
    return {"type": "key", "id": "keys", "actions": actions}


class AnyBrowser:
    """What is the same for all browsers: waiting, and what `run` of a browser can do."""

    def __init__(self, width=1280, height=800, limit=60):
        """The size of the window in pixels; `limit` is the longest time in seconds to wait for anything."""
        self.size, self.limit = (width, height), limit

    def run(self, script, *arguments):
        """Runs JavaScript in the page and returns what it returns."""
        raise NotImplementedError

    def screenshot(self, path):
        """Writes a picture of the page as PNG."""
        raise NotImplementedError

    def keep(self, name):
        """With CUTTLE_KEEP_SCREENSHOTS=FOLDER: writes NAME.png there, to be looked at."""
        if folder := os.environ.get("CUTTLE_KEEP_SCREENSHOTS"):
            self.screenshot(os.path.join(folder, f"{name}.png"))

    def wait(self, condition, what="what the test expects", seconds=None):
        """Asks until `condition` returns something true, and returns it."""
        end = time.monotonic() + (seconds or self.limit)
        while True:
            found = condition()
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"waited too long for {what}")
            time.sleep(0.05)

    def text(self, selector="body"):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def wait_for_text(self, text, selector="body", seconds=None):
        try:
            self.wait(lambda: text in self.text(selector), f'"{text}"', seconds)
        except AssertionError as error:
            raise AssertionError(f"{error} in:\n{self.text(selector)}") from None

    def click_text(self, text, selector="button"):
        """Clicks the first element of a kind that has a text."""
        def look():
            return self.run("""const found = [...document.querySelectorAll(arguments[0])].find(
                (e) => e.innerText.includes(arguments[1])); found?.click(); return !!found;""", selector, text)
        self.wait(look, f'a {selector} with "{text}"')


class Browser(AnyBrowser):
    """One window of Chromium without a display. Ends with the `with` block."""

    session = None

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="cuttle-browser-")
        self.log = open(f"{self.folder}/driver.log", "w+")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=self.log, stderr=self.log,
                                       stdin=subprocess.DEVNULL)
        try:
            self.port = self.wait(lambda: self.find_port())
            options = {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                                f"--user-data-dir={self.folder}/profile",
                                f"--window-size={self.size[0]},{self.size[1]}"],
                       "prefs": {"download.default_directory": self.folder,
                                 "profile.default_content_setting_values.automatic_downloads": 1}}
            made = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome", "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL"}}}})
            self.session = made["sessionId"]
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind, value, trace):
        try:
            if self.session:  # ends Chromium, too, which would outlive its driver
                self.ask("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.log.close()
            shutil.rmtree(self.folder, True)

    def find_port(self):
        self.log.seek(0)
        found = re.search(r"started successfully on port (\d+)", self.log.read())
        return found and int(found[1])

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.limit)
        try:
            text = json.dumps(body) if body is not None else ("{}" if method == "POST" else None)
            connection.request(method, path, text, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{value['error']}: {value['message']}")
        return value

    def command(self, method, path, body=None):
        return self.ask(method, f"/session/{self.session}{path}", body)

    def open(self, address):
        self.command("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """Runs JavaScript that calls its last argument with its result."""
        return self.command("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def find(self, selector):
        """Waits for an element and returns it."""
        def look():
            found = self.command("POST", "/elements", {"using": "css selector", "value": selector})
            return found and found[0][ELEMENT]
        return self.wait(look, f"an element {selector}")

    def click(self, selector):
        self.command("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self.command("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def upload(self, selector, path):
        """Chooses a file in an input for files, which may be hidden."""
        element = self.command("POST", "/elements", {"using": "css selector", "value": selector})[0][ELEMENT]
        self.command("POST", f"/element/{element}/value", {"text": path})

    def press(self, *keys):
        """Presses keys together: press("Control", "k")."""
        self.command("POST", "/actions", {"actions": [key_actions(keys)]})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.command("GET", "/screenshot")))

    def cdp(self, name, **parameters):
        """Sends a command of Chromium's own protocol."""
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def metrics(self):
        """Seconds that the page has spent, by kind; `Performance.enable` comes first."""
        return {metric["name"]: metric["value"] for metric in self.cdp("Performance.getMetrics")["metrics"]}

    def wait_for_file(self, end):
        """Waits for a download whose name ends so, and returns its path."""
        def look():
            found = [name for name in os.listdir(self.folder) if name.endswith(end)]
            return found and os.path.join(self.folder, found[0])
        return self.wait(look, f"a download *{end}")

    def errors(self):
        """What the page's console said that is severe, since the last call."""
        entries = self.command("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]
