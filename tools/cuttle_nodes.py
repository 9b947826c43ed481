"""Scripts several running games from Python: what `cuttle nodes` does with a plan, as a library.

    from cuttle_nodes import Nodes

    with Nodes("mygame", ["server", "a", "b"], seed=7) as nodes:
        nodes.script("Game.host()", on="server")
        nodes.script("Game.join()", on=["a", "b"])
        nodes.wait("Game.num_players == 3", timeout=20)
        nodes.same("Game.state()")

All nodes end with the `with` block. When it ends by an exception, the folder with their logs stays,
and is named on standard error. `Console` alone talks to one game that runs already. Needs Python 3.9
and nothing else. The page is docs/nodes.md; the protocol, docs/formats/console_protocol.md.
"""

import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

POLL_SECONDS = 0.05  # a node is asked at most 20 times a second


class NodesError(Exception):
    """A node did not do what the script expects. The message names the node."""


class Console:
    """A connection to the console of one game.

    Messages that are no answers, such as those of the log, are kept in `messages`, in the order in
    which they came; answers are there, too."""

    def __init__(self, port, host="127.0.0.1", timeout=60):
        """Connects. `timeout` is the longest time in seconds to wait for any message."""
        self.timeout = timeout
        self.socket = socket.create_connection((host, port), timeout=timeout)
        self.socket.settimeout(timeout)
        self.messages = []
        self.num_requests = 0

    def close(self):
        self.socket.close()

    def send_text(self, text):
        """Sends a message that is JSON or SJSON already."""
        data = text.encode()
        self.socket.sendall(struct.pack(">II", 0, len(data)) + data)

    def send(self, **message):
        """Sends a message: `send(type="ping", id=1)`."""
        self.send_text(json.dumps(message))

    def receive_bytes(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the engine closed the connection")
            data += part
        return data

    def receive(self):
        """Waits for the next message and returns it; one with binary has it as "binary"."""
        kind, length = struct.unpack(">II", self.receive_bytes(8))
        assert kind in (0, 1), kind
        message = json.loads(self.receive_bytes(length))
        if kind == 1:
            message["binary"] = self.receive_bytes(message["binary_size"])
        self.messages.append(message)
        return message

    def ask(self, **message):
        """Sends a message with a new id and returns the id, for `answer`."""
        self.num_requests += 1
        name = f"python {self.num_requests}"
        self.send(id=name, **message)
        return name

    def answer(self, name):
        """Waits for the answer to `ask`; raises RuntimeError when it is an error."""
        while True:
            message = self.receive()
            if message.get("id") == name:
                break
        error = message.get("error") or (message["type"] == "error" and message["message"])
        if error:
            raise RuntimeError("\n".join(filter(None, (error, message.get("traceback")))))
        return message

    def script(self, lua):
        """Runs Lua and returns its result as text; raises RuntimeError on a Lua error."""
        return self.answer(self.ask(type="script", script=lua))["result"]

    def command(self, name, *arguments):
        """Runs a command of the console, such as `memory`, and returns its result as text."""
        return self.answer(self.ask(type="command", command=name, arguments=list(arguments)))["result"]

    def screenshot(self, path):
        """Writes the picture of the next frame to `path`; returns the path."""
        message = self.answer(self.ask(type="command", command="screenshot"))
        with open(path, "wb") as file:
            file.write(message["binary"])
        return path

    def wait_until(self, lua, expected, seconds=None):
        """Asks until an expression has the expected text; returns the seconds that took. Raises
        AssertionError after `seconds` (the connection's timeout)."""
        start = time.monotonic()
        while True:
            result = self.script(lua)
            if result == expected:
                return time.monotonic() - start
            if time.monotonic() - start > (self.timeout if seconds is None else seconds):
                raise AssertionError(f"{lua} is {result}, expected {expected}")

    def wait_for_message(self, predicate, since=0):
        """Returns the first message that fits, those from number `since` on that have come
        included."""
        seen = since
        while True:
            while seen < len(self.messages):
                if predicate(self.messages[seen]):
                    return self.messages[seen]
                seen += 1
            self.receive()


class Node:
    """One game: its program, its log and, while it runs, its `console`."""

    def __init__(self, nodes, name):
        self.nodes, self.name = nodes, name
        self.process = self.console = self.log_path = None
        self.num_starts = 0

    def log(self):
        """Returns what the game has printed since it was started."""
        with open(self.log_path, errors="replace") as file:
            return file.read()

    def launch(self):
        """Starts the program; `connect` waits for its console."""
        if self.process:
            raise NodesError(f"{self.name} runs already")
        self.num_starts += 1
        number = "" if self.num_starts == 1 else f".{self.num_starts}"
        self.log_path = os.path.join(self.nodes.folder, f"{self.name}{number}.log")
        with open(self.log_path, "w") as log:
            self.process = subprocess.Popen(self.nodes.command(self.name), stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, start_new_session=True)

    def connect(self, timeout):
        end = time.monotonic() + timeout
        while not (found := re.search(r"listening on \S*:(\d+)\n", self.log())):
            if self.process.poll() is not None or time.monotonic() > end:
                raise NodesError(f"{self.name} did not start:\n{self.log()}")
            time.sleep(0.01)
        self.console = Console(int(found[1]), timeout=self.nodes.timeout)

    def disconnect(self):
        if self.console:
            self.console.close()
            self.console = None

    def stop(self, timeout=10):
        """Asks the game to quit and waits for it; returns its exit status."""
        if self.console:
            self.console.send(type="command", command="quit")
        try:
            return self.process.wait(timeout if self.console else 0)
        except subprocess.TimeoutExpired:
            raise NodesError(f"{self.name} was asked to quit and did not") from None
        finally:
            self.kill()

    def kill(self):
        """Ends the game at once, with all that it has started; fine when it has ended."""
        self.disconnect()
        if self.process:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
            self.process = None


class Nodes:
    """Games that a script runs together.

    `on` of all methods is a name, a list of names, or None: all that run. Methods raise NodesError,
    which names the node; a node that has ended by itself is one."""

    def __init__(self, project, names, *, seed=1, folder=None, cuttle="cuttle", options=(),
                 arguments=(), launch=None, timeout=60):
        """Makes the nodes; entering the `with` block compiles the project and starts them.

        `seed` becomes the game's arguments `--seed N`, followed by `arguments`. `options` are more
        options of `cuttle run`. `launch(name, words)` returns the command in place of `words`, to
        start a node in another way. `folder` gets the logs: a new one below the system's temporary
        folder, which is removed when all went well; one that was given stays."""
        self.project, self.seed, self.cuttle, self.launch = project, seed, cuttle, launch
        self.options, self.arguments = list(options), list(arguments)
        self.timeout = timeout
        self.is_own_folder = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix="cuttle-nodes-")
        os.makedirs(self.folder, exist_ok=True)
        self.nodes = {name: Node(self, name) for name in names}

    def command(self, name):
        """Returns the command that starts a node, as a list of words."""
        words = [self.cuttle, "run", self.project, "--no-compile", "--headless", "--port", "0",
                 *self.options, "--", "--seed", str(self.seed), *self.arguments]
        return self.launch(name, words) if self.launch else words

    def __getitem__(self, name):
        """The Node of this name."""
        return self.nodes[name]

    def __enter__(self):
        try:
            done = subprocess.run([self.cuttle, "compile", self.project], capture_output=True, text=True)
            if done.returncode != 0:
                raise NodesError(f"the project does not compile:\n{done.stderr}")
            self.start(list(self.nodes))
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(self, kind, value, trace):
        ended_well = kind is None
        try:
            if ended_well:
                self.stop()
        except NodesError:
            ended_well = False
            raise
        finally:
            for node in self.nodes.values():
                node.kill()
            if ended_well and self.is_own_folder:
                shutil.rmtree(self.folder, True)
            elif not ended_well:
                sys.stderr.write(f"The logs of the nodes are in {self.folder}\n")

    def chosen(self, on):
        """The nodes of `on`, which all run."""
        if on is None:
            return [node for node in self.nodes.values() if node.console]
        found = [self.nodes[name] for name in ([on] if isinstance(on, str) else on)]
        for node in found:
            if not node.console:
                raise NodesError(f"{node.name} does not run")
        return found

    def start(self, on):
        """Starts nodes, all at the same time, and waits for their consoles."""
        nodes = [self.nodes[name] for name in ([on] if isinstance(on, str) else on)]
        for node in nodes:
            node.launch()
        for node in nodes:
            node.connect(self.timeout)

    def stop(self, on=None):
        """Asks nodes to quit; one whose exit status is not 0 is an error."""
        for node in self.chosen(on):
            status = node.stop()
            if status != 0:
                raise NodesError(f"{node.name} ended with exit status {status}:\n{node.log()}")

    def kill(self, on=None):
        """Ends nodes at once, as a crash does."""
        for node in self.chosen(on):
            node.kill()

    def script(self, lua, on=None):
        """Runs Lua on nodes at the same time; returns {name: result as text}."""
        results, asked = {}, []
        for node in self.chosen(on):
            try:
                asked.append((node, node.console.ask(type="script", script=lua)))
            except OSError as error:
                raise self.lost(node, error) from error
        for node, name in asked:
            try:
                results[node.name] = node.console.answer(name)["result"]
            except RuntimeError as error:
                raise NodesError(f"{node.name}: {error}") from error
            except OSError as error:
                raise self.lost(node, error) from error
        return results

    def lost(self, node, error):
        """The error of a node whose connection has ended: with the end of its log."""
        try:
            status = node.process.wait(5)
        except subprocess.TimeoutExpired:
            return NodesError(f"{node.name}: {error}")
        tail = "".join(node.log().splitlines(True)[-20:])
        return NodesError(f"{node.name} ended with exit status {status}:\n{tail}")

    def wait(self, lua, on=None, timeout=30):
        """Waits until an expression is true on all nodes."""
        end = time.monotonic() + timeout
        left = [node.name for node in self.chosen(on)]
        while True:
            results = self.script(f"return not not ({lua}\n)", left)
            left = [name for name in left if results[name] != "true"]
            if not left:
                return
            if time.monotonic() > end:
                raise NodesError(f"{', '.join(left)}: not true after {timeout} s: {lua}")
            time.sleep(POLL_SECONDS)

    def check(self, lua, on=None, message=""):
        """Asserts that an expression is true on all nodes now."""
        for name, result in self.script(f"return not not ({lua}\n)", on).items():
            if result != "true":
                raise NodesError(f"{name}: {message + ': ' if message else ''}{lua} is not true")

    def same(self, lua, on=None):
        """Asserts that an expression has the same result on all nodes; returns it."""
        results = self.script(lua, on)
        if len(set(results.values())) > 1:
            texts = "\n".join(f"{name}: {text}" for name, text in results.items())
            raise NodesError(f"results of {lua} differ:\n{texts}")
        return next(iter(results.values()))

    def screenshot(self, name, on=None):
        """Writes NODE.NAME.png of each node to the folder; returns {node: path}."""
        return {node.name: node.console.screenshot(os.path.join(self.folder, f"{node.name}.{name}.png"))
                for node in self.chosen(on)}


def repeat(runs, test, project, names, *, seed=1, **options):
    """Calls `test(nodes)` for `runs` runs, each with new nodes and the next seed. The exception of
    the first run that fails ends it; standard error then has the seed."""
    for number in range(runs):
        try:
            with Nodes(project, names, seed=seed + number, **options) as nodes:
                test(nodes)
        except BaseException:
            sys.stderr.write(f"run {number + 1} of {runs} failed, with seed {seed + number}\n")
            raise
