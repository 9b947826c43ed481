"""The console's port as a browser sees it: files, which hosts and origins are answered, WebSockets beside raw
clients, and pages that misbehave."""

import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import threading
import time
import unittest

from support_cuttle import CUTTLE, IS_SANITIZED, LIMIT, Console, Game, TemporaryFolder, cuttle, cuttle_nodes, write
from support_page import BINARY, CLOSE, TEXT, Closed, Page, frame, request
from support_png import read_png

INDEX = "<!doctype html><title>Pages</title><script src=main.js></script>"
TOKEN = "a-token-of-this-test-0123456789"


class WebConsole(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.pages = self.path("pages")
        write(os.path.join(self.pages, "index.html"), INDEX)
        write(os.path.join(self.pages, "main.js"), "document.title = 'ran'")
        self.environment = {"CUTTLE_WEB": self.pages}

    def game(self, *arguments, env=None):
        return Game(self.project, *arguments, env={**self.environment, **(env or {})})


class Files(WebConsole):
    def test_pages_and_files_of_the_project_are_served(self):
        big = os.urandom(3 << 20)
        write(os.path.join(self.project, "tools", "index.html"), "<h1>Mine</h1>")
        write(os.path.join(self.project, "tools", "inner", "big.bin"), big)
        for name, content in (("a.css", "b{}"), ("a.json", "{}"), ("a.svg", "<svg/>"), ("a.wasm", "x"), ("a.mjs", "1"),
                              ("a b.txt", "blank")):
            write(os.path.join(self.project, "tools", name), content)
        with self.game() as game:
            self.assertIn(f"tools: http://127.0.0.1:{game.port}/", game.log())
            for path, type_, body in (
                    ("/", "text/html; charset=utf-8", INDEX.encode()),
                    ("/index.html", "text/html; charset=utf-8", INDEX.encode()),
                    ("/main.js?v=1", "text/javascript; charset=utf-8", b"document.title = 'ran'"),
                    ("/project/", "text/html; charset=utf-8", b"<h1>Mine</h1>"),
                    ("/project/inner/big.bin", "application/octet-stream", big),
                    ("/project/a.css", "text/css; charset=utf-8", b"b{}"),
                    ("/project/a.json", "application/json", b"{}"),
                    ("/project/a.svg", "image/svg+xml", b"<svg/>"),
                    ("/project/a.wasm", "application/wasm", b"x"),
                    ("/project/a.mjs", "text/javascript; charset=utf-8", b"1"),
                    ("/project/a%20b.txt", "text/plain; charset=utf-8", b"blank")):
                status, headers, found = request(game.port, path)
                self.assertEqual((status, headers["Content-Type"], found == body), (200, type_, True), path)
                self.assertEqual(headers.get_all("Cache-Control"), ["no-store"])
                self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
                self.assertEqual(headers["X-Frame-Options"], "SAMEORIGIN")
                policy = headers["Content-Security-Policy"]
                self.assertIn("frame-ancestors 'self'", policy)
                self.assertIn(f"connect-src 'self' ws://127.0.0.1:{game.port}", policy)
                self.assertEqual("'unsafe-inline'" in policy, path.startswith("/project/"))
                self.assertNotIn("unsafe-eval", policy)
                self.assertNotIn("Access-Control-Allow-Origin", headers)
            status, headers, body = request(game.port, "/main.js", method="HEAD")
            self.assertEqual((status, headers["Content-Length"], body), (200, "22", b""))
            status, headers, body = request(game.port, "/project")
            self.assertEqual((status, headers["Location"]), (301, "/project/"))
            self.assertEqual(request(game.port, "/console")[0], 426)
            for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
                self.assertIn(request(game.port, "/", method=method, headers=[("Content-Length", "0")])[0],
                              (403, 405), method)
            # What was saved meanwhile.
            write(os.path.join(self.project, "tools", "index.html"), "<h1>New</h1>")
            self.assertEqual(request(game.port, "/project/")[2], b"<h1>New</h1>")
            self.assertEqual(game.quit(), 0)

    def test_nothing_outside_of_the_folders_is_served(self):
        tools = os.path.join(self.project, "tools")
        write(os.path.join(tools, "right.txt"), "right")
        write(os.path.join(tools, ".hidden"), "secret")
        write(os.path.join(tools, ".git", "config"), "secret")
        write(os.path.join(self.project, "tools_beside", "a.txt"), "secret")
        write(self.path("secret.txt"), "secret")
        os.symlink("right.txt", os.path.join(tools, "link_in.txt"))
        os.symlink("../../secret.txt", os.path.join(tools, "link_out.txt"))
        os.symlink("/etc", os.path.join(tools, "link_etc"))
        os.mkfifo(os.path.join(tools, "pipe"))
        with self.game() as game:
            self.assertEqual(request(game.port, "/project/link_in.txt")[2], b"right")
            for path in ("/project/../settings.config", "/project/%2e%2e/settings.config",
                         "/project/..%2fsettings.config", "/project/%2e%2e%2fsettings.config",
                         "/project/%252e%252e/settings.config", "/../secret.txt", "/../../../../../../etc/passwd",
                         "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/project//etc/passwd",
                         "/project/link_out.txt", "/project/link_etc/passwd", "/project/.hidden",
                         "/project/.git/config", "/project/../tools_beside/a.txt", "/project/pipe",
                         "/project/inner", "/project/a%00b", "/project/right.txt%00.html", "/project/a%0ab",
                         "/project/..\\settings.config", "/settings.config", "/project/" + "a/" * 400 + "b",
                         "/" + "x" * 3000):
                try:
                    status, _, body = request(game.port, path)
                except (ConnectionError, OSError, ValueError):
                    status, body = None, b""  # libwebsockets ends connections with such paths
                self.assertNotIn(b"secret", body, path)
                self.assertNotIn(b"root:", body, path)
                self.assertIn(status, (None, 403, 404), path)
            self.assertEqual(game.quit(), 0)

    def test_without_pages_a_page_says_how_to_get_them(self):
        self.environment = {"CUTTLE_WEB": self.path("missing")}
        with self.game() as game:
            status, headers, body = request(game.port)
            self.assertEqual((status, headers["Content-Type"]), (503, "text/html; charset=utf-8"))
            self.assertIn(b"nodejs and npm, then call ./run", body)
            self.assertEqual(request(game.port, "/project/")[0], 404)
            self.assertEqual(Page(game.port).script("6 * 7"), "42")  # tools of one's own work
            self.assertEqual(game.quit(), 0)

    def test_requests_that_are_broken_end_their_connection(self):
        with self.game() as game:
            for data in (b"GET / HTTP/1.1\r\n\r\n", b"GET /\r\n\r\n", b"GET  HTTP/1.1\r\n\r\n", b"GET \x00\xff\r\n\r\n",
                         b"GET / HTTP/9.9\r\nHost: a\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                         b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n",
                         b"GET / HTTP/1.1\r\nHost: " + b"a" * 20000 + b"\r\n\r\n",
                         b"GET / HTTP/1.1\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nHTTP2-Settings: AAAA\r\n\r\n",
                         b"GET / HTTP/1.1\r\nUpgrade: nonsense\r\nConnection: Upgrade\r\n\r\n",
                         b"CONNECT a:1 HTTP/1.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                         b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"):
                with socket.create_connection(("127.0.0.1", game.port), timeout=LIMIT) as connection:
                    got = b""
                    try:
                        connection.sendall(data)
                        while part := connection.recv(65536):
                            got += part
                    except ConnectionError:
                        pass
                    self.assertNotIn(b" 200 ", got[:20], data[:40])
                    self.assertNotIn(b" 101 ", got[:20], data[:40])
            # Half a request, then nothing: it costs one connection, and for a while only.
            half = socket.create_connection(("127.0.0.1", game.port), timeout=LIMIT)
            half.sendall(b"GET / HTTP/1.1\r\nHost:")
            # Letter by letter.
            slow = socket.create_connection(("127.0.0.1", game.port), timeout=LIMIT)
            for byte in f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{game.port}\r\n\r\n".encode():
                slow.sendall(bytes([byte]))
                time.sleep(0.002)
            self.assertIn(b"200 OK", slow.recv(65536))
            slow.close()
            self.assertEqual(half.recv(100), b"")
            half.close()
            self.assertEqual(game.console.script("1"), "1")
            self.assertEqual(game.quit(), 0)


class Strangers(WebConsole):
    def expect_refused(self, page, reason):
        self.assertEqual(page.status, 403, page.head)
        self.assertIn(reason, page.body.decode())

    def test_other_hosts_and_origins_are_refused(self):
        write(os.path.join(self.project, "tools", "a.txt"), "mine")
        with self.game() as game, self.game("--no-compile") as other:
            port = game.port
            for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "127.0.0.1",
                         f"127.0.0.1:{other.port}", f"10.0.0.1:{port}", f"0.0.0.0:{port}", "", " ",
                         f"127.0.0.1:{port}\r\nHost: evil.example"):
                for path in ("/", "/project/a.txt"):
                    status, _, body = request(port, path, host=host)
                    self.assertEqual(status, 403, host)
                    self.assertNotIn(b"mine", body)
                self.expect_refused(Page(port, host=host or " "), "")
            for origin in ("http://evil.example", f"http://evil.example:{port}", "null", "https://127.0.0.1",
                           f"https://127.0.0.1:{port}", f"http://127.0.0.1.evil.example:{port}", "file://",
                           f"http://127.0.0.1:{port}/", f"http://127.0.0.1:{port}\r\nOrigin: http://evil.example"):
                self.expect_refused(Page(port, origin=origin), "may not use the console")
            # A port at which nobody listens.
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.expect_refused(Page(port, origin=f"http://127.0.0.1:{free.getsockname()[1]}"),
                                    "does not belong to the game's user")
            # The game listens at one address: anybody could be at the others, with the same port.
            for origin in (f"http://[::1]:{port}", f"http://127.0.0.2:{port}"):
                self.expect_refused(Page(port, origin=origin), "open the address that the game prints")
            for path in ("/", "/project/", "/consoles", "/console/x", "/project/console"):
                self.expect_refused(Page(port, path=path), "the only WebSocket is at /console")
            # These may: the own page by both names, one of another console of this user, a program.
            for host, origin in ((f"127.0.0.1:{port}", "own"), (f"localhost:{port}", f"http://localhost:{port}"),
                                 (f"[::1]:{port}", None),
                                 (f"127.0.0.1:{port}", f"http://127.0.0.1:{other.port}"),
                                 (f"127.0.0.1:{port}", None)):
                page = Page(port, host=host, origin=origin)
                self.assertEqual(page.script("1 + 1"), "2")
                page.close()
            self.assertEqual(game.console.script("rawget(_G, 'stolen')"), "nil")
            self.assertEqual((game.quit(), other.quit()), (0, 0))

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_pages_at_the_games_port_of_other_users_are_refused(self):
        with self.game() as game:
            port = game.port
            for address, origins in (("127.0.0.2", ("127.0.0.2", "localhost")), ("::1", ("[::1]", "localhost"))):
                ready, done = os.pipe(), os.pipe()
                child = os.fork()
                if child == 0:
                    try:
                        os.setuid(65534)
                        theirs = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
                        theirs.bind((address, port))
                        theirs.listen()
                        os.write(ready[1], b"x")
                        os.read(done[0], 1)
                    finally:
                        os._exit(0)
                os.close(ready[1])
                is_there = os.read(ready[0], 1)  # not on a machine without IPv6
                for origin in origins if is_there else ():
                    with self.subTest(address=address, origin=origin):
                        page = Page(port, origin=f"http://{origin}:{port}")
                        self.expect_refused(page, "does not belong to the game's user")
                # The page whose address has the game alone goes on.
                self.assertEqual(Page(port).script("1"), "1")
                os.write(done[1], b"x")
                os.waitpid(child, 0)
                for origin in origins[:1]:  # their page lives longer than their server
                    self.expect_refused(Page(port, origin=f"http://{origin}:{port}"), "does not belong")
            self.assertEqual(Page(port, origin=f"http://localhost:{port}").script("1"), "1")
            self.assertEqual(game.quit(), 0)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_a_flood_of_another_user_does_not_hold_up_the_game(self):
        count, in_a_frame = 600, 8
        with self.game() as game:
            console = game.console
            console.script("Frames = 0; local old = update; "
                           "function update(dt) Frames = Frames + 1 if old then old(dt) end end")
            ready, refused = os.pipe(), os.pipe()
            before = int(console.script("Frames"))
            game.process.send_signal(signal.SIGSTOP)  # so that all of them wait at once
            child = os.fork()
            if child == 0:
                try:
                    os.setuid(65534)
                    waiting = select.poll()
                    kept = [socket.create_connection(("127.0.0.1", game.port), timeout=LIMIT) for _ in range(count)]
                    for each in kept:
                        each.sendall(b"x")
                        waiting.register(each, select.POLLIN)
                    os.write(ready[1], b"x")
                    while (found := waiting.poll(1000 * LIMIT)):
                        for number, _ in found:
                            waiting.unregister(number)
                            count -= 1
                        if count == 0:
                            break
                    os.write(refused[1], str(count).encode())
                finally:
                    os._exit(0)
            os.close(ready[1])
            self.assertEqual(os.read(ready[0], 1), b"x")
            game.process.send_signal(signal.SIGCONT)
            self.assertEqual(console.script("'before them'"), "before them")
            self.assertEqual(os.read(refused[0], 16), b"0")
            self.assertGreaterEqual(int(console.script("Frames")) - before, count // in_a_frame)
            os.waitpid(child, 0)
            self.assertEqual(game.quit(), 0)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_other_users_are_refused(self):
        def as_nobody(run):
            ours, theirs = os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    os.setgroups([])
                    os.setgid(65534)
                    os.setuid(65534)
                    os.write(theirs, json.dumps(run()).encode())
                finally:
                    os._exit(0)
            os.close(theirs)
            with open(ours, "rb") as answer:
                found = json.loads(answer.read() or b"null")
            os.waitpid(child, 0)
            return found

        def ask(port):
            with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as connection:
                connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
                got = b""
                try:
                    while part := connection.recv(65536):
                        got += part
                except ConnectionError:
                    pass
                return got.decode(errors="replace")

        with self.game() as game:
            for _ in range(5):
                got = as_nobody(lambda: ask(game.port))
                self.assertIn("user 65534 may not use the console of user 0's game", got)
                self.assertNotIn(INDEX, got)
            # Its server is no console of the game's user.
            with socket.create_server(("127.0.0.1", 0)) as theirs:
                port = theirs.getsockname()[1]
                self.assertEqual(Page(game.port, origin=f"http://127.0.0.1:{port}").status, 101)
            ready, done = os.pipe(), os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    os.setuid(65534)
                    with socket.create_server(("127.0.0.1", 0)) as theirs:
                        os.write(ready[1], str(theirs.getsockname()[1]).encode())
                        os.read(done[0], 1)
                finally:
                    os._exit(0)
            port = int(os.read(ready[0], 16))
            self.expect_refused(Page(game.port, origin=f"http://127.0.0.1:{port}"),
                                "does not belong to the game's user")
            os.write(done[1], b"x")
            os.waitpid(child, 0)
            self.assertEqual(game.console.script("1"), "1")
            self.assertEqual(game.quit(), 0)


def own_address():
    """An address of this machine that is not loopback, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        try:
            asker.connect(("192.0.2.1", 9))  # nothing is sent
            return asker.getsockname()[0]
        except OSError:
            return None


class Tokens(WebConsole):
    def test_an_address_needs_a_token(self):
        for arguments, message in (
                (["--console-address", "0.0.0.0"], "give a token of at least 16 characters"),
                (["--console-address", "0.0.0.0", "--console-token", "short"], "has 5 characters; expected 16 to 255"),
                (["--console-address", "example.com", "--console-token", TOKEN], "expected an IP address"),
                (["--console-token", TOKEN], "needs --console-address"),
                (["--console-address", "0.0.0.0", "--console-token-file", self.path("none")], "--console-token-file"),
                (["--console-address", "0.0.0.0", "--console-token", TOKEN, "--console-token-file", "x"],
                 "exclude each other")):
            done = cuttle("run", self.project, *arguments, check=2)
            self.assertIn(message, done.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_strangers_must_send_it_first(self):
        address = own_address()
        if not address or address.startswith("127."):
            self.skipTest("this machine has no other address")
        write(self.path("token"), TOKEN + "\n")
        write(os.path.join(self.project, "tools", "a.txt"), "mine")

        def raw(port):
            found = []
            client = Console(port)
            client.socket.close()
            for first in ({"type": "authorize", "token": TOKEN, "id": 1}, {"type": "authorize", "token": TOKEN + "x"},
                          {"type": "script", "script": "stolen = 1", "id": 1}, {"type": "ping", "x": "y" * 9000}):
                client.socket = socket.create_connection((address, port), timeout=LIMIT)
                client.messages = []
                try:
                    client.send(**first)
                    found.append(client.receive())
                    client.send(type="script", id=2, script="6 * 7")
                    while client.receive().get("id") != 2:
                        pass
                    found[-1] = client.messages[-1]
                except ConnectionError:
                    pass
                client.socket.close()
            return found

        def web(port):
            found = [request(port, "/", host=f"{address}:{port}", address=address)[0],
                     request(port, "/project/a.txt", host=f"{address}:{port}", address=address)[0],
                     request(port, "/", host=f"evil.example:{port}", address=address)[0]]
            for token in (TOKEN, "w" * 20):
                page = Page(port, host=f"{address}:{port}", origin=f"http://{address}:{port}", address=address)
                page.send(type="authorize", token=token, id=1)
                try:
                    page.answer(1)
                    found.append(page.script("6 * 7"))
                except Closed as closed:
                    found.append([closed.code, closed.reason])
            return found

        with self.game("--console-address", "0.0.0.0", "--console-token-file", self.path("token")) as game:
            self.assertIn(f"tools with the token: http://0.0.0.0:{game.port}/", game.log())
            self.assertNotIn(TOKEN, game.log())
            ours, theirs = os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    os.setgroups([])
                    os.setgid(65534)
                    os.setuid(65534)
                    os.write(theirs, json.dumps([raw(game.port), web(game.port)]).encode())
                finally:
                    os._exit(0)
            os.close(theirs)
            with open(ours, "rb") as answer:
                (right, wrong, script, long), pages = json.loads(answer.read())
            os.waitpid(child, 0)
            self.assertEqual(right["result"], "42")
            self.assertEqual((wrong["type"], wrong["message"]), ("error", "the token is wrong"))
            self.assertIn("the first message of a connection", script["message"])
            self.assertIn("at most 4096", long["message"])
            self.assertEqual(pages, [200, 403, 403, "42", [1008, "the token is wrong"]])
            self.assertEqual(game.console.script("rawget(_G, 'stolen')"), "nil")  # this user needs none
            own = cuttle_nodes.Console(game.port, host=address)
            self.assertEqual(own.script("1"), "1")
            own.close()
            self.assertEqual(game.quit(), 0)

    def test_commands_check_it_as_the_game_does(self):
        write(self.path("empty"), "\n" + TOKEN)
        for command in (["console", "127.0.0.1:1", "1"], ["console", "127.0.0.1:1"], ["console", "127.0.0.1:1", "debug"]):
            for arguments, message in (
                    (["--token", "short"], "the token of --token has 5 characters; expected 16 to 255"),
                    (["--token", "x" * 300], "the token of --token has 300 characters; expected 16 to 255"),
                    (["--token", "with a blank in it"], "character 5 of the token of --token is not a letter"),
                    (["--token-file", self.path("none")], "--token-file: "),
                    (["--token-file", self.path("empty")], "--token-file: the first line of"),
                    (["--token", TOKEN, "--token-file", "x"], "--token and --token-file exclude each other")):
                self.assertIn(message, cuttle(*command, *arguments, check=2).stderr)
        for command in (["console", "1"], ["console"], ["console", "debug"]):
            self.assertIn("the token needs the address of its game: HOST:PORT",
                          cuttle(*command, "--token", TOKEN, check=2).stderr)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_commands_send_it(self):
        def run(*arguments, text=None):
            done = subprocess.run([CUTTLE, *arguments], user=65534, group=65534, extra_groups=[], text=True, input=text,
                                  capture_output=True, timeout=LIMIT, env={**os.environ, "HOME": "/nonexistent"})
            return done.returncode, done.stdout, done.stderr

        try:
            can_run = run("version")[0] == 0
        except PermissionError:
            can_run = False
        if not can_run:
            self.skipTest("another user cannot run the program")
        write(self.path("token"), TOKEN + "\n")
        os.chmod(self.path("."), 0o755)
        os.chmod(self.path("token"), 0o644)
        with self.game("--console-address", "0.0.0.0", "--console-token-file", self.path("token")) as game:
            address = own_address()
            where = f"{address}:{game.port}"
            right = ["--token-file", self.path("token")]
            self.assertEqual(run("console", where, "6 * 7", *right), (0, "42\n", ""))
            self.assertEqual(run("console", where, *right, text="6 * 7\n'a'\n"), (0, "42\na\n", ""))
            long = "return #'" + "x" * 20000 + "'"  # longer than what may be sent without a token
            self.assertEqual(run("console", where, long, "--token", TOKEN), (0, "20000\n", ""))
            code, out, errors = run("console", where, "debug", *right, text="pause\n")
            self.assertEqual((code, errors), (0, ""))
            self.assertIn("stopped at", out)
            for arguments, reason in ((["--token", TOKEN + "x"], "the token is wrong"),
                                      ([], "must be authorize, with the token of the game (cuttle console --token-file)")):
                for command, text in ((["6 * 7"], None), ([], "6 * 7\n"), (["debug"], "pause\n")):
                    code, out, errors = run("console", where, *command, *arguments, text=text)
                    self.assertEqual((code, out), (1, ""), errors)
                    self.assertIn(reason, errors)
            self.assertEqual(game.quit(), 0)


class Pages(WebConsole):
    def test_pages_and_raw_clients_work_together(self):
        with self.game() as game:
            pages = [Page(game.port) for _ in range(3)]
            for number, page in enumerate(pages):
                self.assertEqual(page.script(f"shared = (shared or 0) + 1 return {number}"), str(number))
            self.assertEqual(game.console.script("shared"), "3")
            game.console.script("print('to everybody \u00e4 \u20ac')")
            for client in (*pages, game.console):
                while "to everybody \u00e4 \u20ac" not in client.receive().get("message", ""):
                    pass
            # Text in fragments, SJSON, and the same in one.
            pages[0].send_frame(TEXT, b'{type = "scr', final=False)
            pages[0].send_frame(0, b'ipt" id = 9 ', final=False)
            pages[0].send_frame(0, b'script = "5"}')
            self.assertEqual(pages[0].answer(9)["result"], "5")
            pages[0].send_frame(TEXT, b"")  # an empty object
            self.assertIn('"type" must be', pages[0].receive()["message"])
            # What is no object closes the page, as it closes a raw client.
            pages[1].send_frame(TEXT, b"[1, 2")
            closed = pages[1].closed()
            self.assertEqual(closed.code, 1008)
            self.assertIn("expected an object", closed.reason)
            self.assertEqual(pages[2].script("1"), "1")
            # A page that leaves in good order.
            pages[2].send_frame(CLOSE, struct.pack(">H", 1000) + b"bye")
            self.assertEqual(pages[2].closed().code, 1000)
            self.assertEqual(game.quit(), 0)

    def test_binary_data_goes_both_ways(self):
        with self.game() as game:
            page = Page(game.port)
            page.send(type="command", command="screenshot", id=1)
            answer = page.answer(1)
            write(self.path("shot.png"), answer["binary"])
            self.assertEqual(read_png(self.path("shot.png")).width, 160)
            for size in (1, 125, 126, 65535, 65536, 3 << 20):
                page.send_binary(os.urandom(size), type="ping", id=size)
                self.assertEqual(page.answer(size)["type"], "pong")
            for data, reason in ((struct.pack(">I", 20) + b"{binary_size = 3}", "too few bytes"),
                                 (struct.pack(">I", 17) + b"{binary_size = 3}abcd", "too many bytes"),
                                 (struct.pack(">I", 2) + b"{}abcd", "needs `binary_size`"),
                                 (b"\xff\xff\xff\xff{}", "at most"), (b"", "too few bytes")):
                bad = Page(game.port)
                bad.send_frame(BINARY, data)
                closed = bad.closed()
                self.assertEqual(closed.code, 1007, reason)
                self.assertIn(reason, closed.reason)
            self.assertEqual(page.script("1"), "1")
            self.assertEqual(game.quit(), 0)

    def test_large_messages_go_both_ways(self):
        with self.game() as game:
            page = Page(game.port)
            page.send(type="ping", id=1, text="x" * (15 << 20))
            self.assertEqual(page.answer(1)["type"], "pong")
            self.assertEqual(len(page.script("('y'):rep(1000000)")), 1000000)
            # One byte more than is allowed, in one frame and in many.
            page.send_frame(TEXT, b" " * ((16 << 20) + 1))
            closed = page.closed()
            self.assertEqual((closed.code, closed.reason), (1009, "a message is longer than 16 MiB"))
            page = Page(game.port)
            page.send_frame(TEXT, b" " * (1 << 20), final=False)
            with self.assertRaises(Closed) as closed:
                try:
                    for _ in range(40):
                        page.send_frame(0, b" " * (1 << 20), final=False)
                except ConnectionError:
                    pass
                while True:
                    page.receive()
            self.assertEqual(closed.exception.code, 1009)
            self.assertEqual(game.console.script("1"), "1")
            self.assertEqual(game.quit(), 0)

    def test_half_a_frame_holds_nobody_up(self):
        with self.game() as game:
            half = [Page(game.port) for _ in range(4)]
            for page, data in zip(half, (b"\x81", frame(TEXT, b"{", length=100), frame(TEXT, b"{", final=False),
                                         frame(BINARY, b"\0" * 1000, length=16 << 20))):
                page.socket.sendall(data)
            page = Page(game.port)
            self.assertEqual(page.script("2"), "2")
            for one in half:
                one.close()
            self.assertEqual(page.script("3"), "3")
            self.assertEqual(game.quit(), 0)

    def test_fifty_pages_at_once(self):
        with self.game() as game:
            pages = [Page(game.port) for _ in range(50)]
            for number, page in enumerate(pages):
                page.send(type="script", id=1, script=f"return {number}")
            for number, page in enumerate(pages):
                self.assertEqual(page.answer(1)["result"], str(number))
            self.assertEqual(request(game.port)[0], 200)
            # More than are allowed: they hear so, and the others stay.
            more, statuses = [], []
            for _ in range(30):
                try:
                    more.append(Page(game.port))
                    statuses.append(more[-1].status)
                except OSError:
                    statuses.append(None)
            self.assertIn(503, statuses)
            game.console.close()  # it was silent for the longest time, so it may be closed
            game.console = Console(game.port)
            self.assertEqual(game.console.script("'here'"), "here")
            for page in pages + more:
                page.close()
            # Room again.
            deadline = time.monotonic() + LIMIT
            while (status := request(game.port)[0]) != 200:
                self.assertEqual(status, 503)
                self.assertLess(time.monotonic(), deadline)
            self.assertEqual(Page(game.port).script("'again'"), "again")
            self.assertEqual(game.quit(), 0)

    def test_a_flood_of_log_reaches_pages_that_read(self):
        with self.game() as game:
            page, deaf = Page(game.port), Page(game.port)
            self.assertEqual(deaf.script("1"), "1")
            page.send(type="script", id=1, script="for i = 1, 3000 do print('line ' .. i) end")
            page.answer(1)
            seen = 0
            while seen < 3000:
                message = page.receive()
                if (found := re.match(r"line (\d+)", message.get("message", ""))):
                    seen += 1
                    self.assertEqual(int(found[1]), seen)
            self.assertEqual(page.script("'ok'"), "ok")
            self.assertEqual(game.quit(), 0)

    def test_a_page_that_does_not_read_is_closed_in_the_end(self):
        with self.game() as game:
            game.console.close()  # it would not read either
            deaf, page = Page(game.port), Page(game.port)
            self.assertEqual(deaf.script("1"), "1")
            for _ in range(40):  # 48 MB, of which the queue may hold 32
                page.script("for _ = 1, 20 do print(('y'):rep(60000)) end")  # and reads what comes
            # It gets what was on its way, then a close that says why.
            closed = deaf.closed()
            self.assertEqual(closed.code, 1008)
            self.assertIn("too slow: the game had more to send", closed.reason)
            self.assertEqual(page.script("'still here'"), "still here")
            self.assertIn("closed a connection: it did not read, and more than 32 MiB waited for it", game.log())
            page.send(type="command", command="quit")
            self.assertEqual(game.process.wait(timeout=LIMIT), 0)
            self.assertEqual(page.closed().code, 1001)  # the game has ended

    def test_a_page_that_only_sends_waits(self):
        with self.game() as game:
            page = Page(game.port)
            self.assertEqual(page.script("asked = 0"), "")
            text = b'{"type":"script","id":1,"script":"asked = asked + 1 return (\'x\'):rep(100000)"}'
            page.socket.settimeout(15)
            try:
                page.socket.sendall(frame(TEXT, text) * 3000)
            except OSError:
                pass
            game.console.wait_until("asked > 5", "true")
            time.sleep(1)
            self.assertLess(int(game.console.script("asked")), 1500)
            page.close()
            self.assertEqual(game.console.script("'still here'"), "still here")
            self.assertEqual(game.quit(), 0)

    def test_pages_hear_that_the_game_ends(self):
        with self.game() as game:
            pages = [Page(game.port) for _ in range(5)]
            for page in pages:
                self.assertEqual(page.script("1"), "1")
            idle = socket.create_connection(("127.0.0.1", game.port), timeout=LIMIT)
            self.assertEqual(game.quit(), 0)
            for page in pages:
                closed = page.closed()
                self.assertEqual((closed.code, closed.reason), (1001, "the game has closed the connection"))
            idle.close()
        with self.game("--port", game.port) as again:  # as a page does that connects again
            self.assertEqual(Page(again.port).script("'again'"), "again")
            page = Page(again.port)
            again.process.send_signal(signal.SIGKILL)
            again.process.wait()
            self.assertIsNone(page.closed().code)

    @unittest.skipIf(IS_SANITIZED, "signals are the sanitizer's")
    def test_pages_get_the_report_of_a_crash(self):
        with self.game() as game:
            pages = [Page(game.port) for _ in range(3)]
            for page in pages:
                self.assertEqual(page.script("1"), "1")
            game.process.send_signal(signal.SIGSEGV)
            for page in pages:
                while (message := page.receive()).get("system") != "crash":
                    pass
                self.assertIn("Segmentation fault", message["message"])
            self.assertEqual(game.process.wait(timeout=LIMIT), -signal.SIGSEGV)

    def test_a_client_that_sends_nothing_hears_the_log(self):
        with self.game() as game:
            silent = Console(game.port)
            time.sleep(0.1)
            game.console.script("print('for the silent')")
            silent.wait_for_message(lambda m: "for the silent" in m.get("message", ""))
            self.assertEqual(silent.script("1"), "1")
            # The start of a method that is none.
            odd = socket.create_connection(("127.0.0.1", game.port), timeout=LIMIT)
            odd.sendall(b"GE")
            odd.sendall(b"X / ")
            kind, = struct.unpack(">I", odd.recv(4))
            self.assertEqual(kind, 0)
            odd.close()
            silent.close()
            self.assertEqual(game.quit(), 0)

    def test_pages_that_come_and_go_leave_nothing(self):
        with self.game() as game:
            def num_files():
                return len(os.listdir(f"/proc/{game.process.pid}/fd"))

            Page(game.port).script("1")
            request(game.port)
            deadline = time.monotonic() + LIMIT
            before = num_files()
            for number in range(60):
                page = Page(game.port)
                if number % 3:
                    page.script("1")
                page.close()
                self.assertEqual(request(game.port)[0], 200)
            while num_files() > before:
                self.assertLess(time.monotonic(), deadline)
                game.console.script("1")
            # Many at the same time, which hang up at every moment.
            def hasty():
                for _ in range(10):
                    connection = socket.create_connection(("127.0.0.1", game.port), timeout=LIMIT)
                    connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{game.port}\r\n\r\n".encode())
                    connection.close()
            threads = [threading.Thread(target=hasty) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(game.quit(), 0)
            self.assertNotIn("[bug]", game.log())


if __name__ == "__main__":
    unittest.main()
