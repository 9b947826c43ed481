"""WebSocket: connections of a game to servers on loopback."""

import os
import re
import shutil
import struct
import subprocess
import sys
import unittest

from support_cuttle import CUTTLE, TemporaryFolder, cuttle, write
from support_web import BINARY, CLOSE, PONG, TEXT, WebSocketServer, seconds_to_end

# Connections by name; prints what happens to them, and quits when all are closed.
PRELUDE = """
local sockets, states = {}, {}
function open(name, options)
    sockets[name] = type(options) == "table" and WebSocket.open(options) or options
end
function each(name, socket, kind, text) end
local kinds = {[WebSocket.TEXT] = "text", [WebSocket.BINARY] = "binary"}
function update()
    local num_open = 0
    for name, socket in pairs(sockets) do
        local state = WebSocket.state(socket)
        if state ~= states[name] then
            states[name] = state
            if state == WebSocket.OPEN then
                print("<" .. name .. " open " .. WebSocket.protocol(socket) .. ">")
                each(name, socket)
            end
        end
        local kind, text = WebSocket.poll(socket)
        while kind do
            print("<" .. name .. " " .. kinds[kind] .. " " .. (#text < 100 and text or #text) .. ">")
            each(name, socket, kind, text)
            kind, text = WebSocket.poll(socket)
        end
        if state == WebSocket.CLOSED then
            local code, reason = WebSocket.close_code(socket)
            print("<" .. name .. " closed " .. code .. " " .. reason .. " " ..
                  tostring(WebSocket.error(socket)) .. ">")
            sockets[name] = nil
        end
        num_open = num_open + 1
    end
    if num_open == 0 then Application.quit() end
end
"""


class WebSocketTests(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.server = WebSocketServer(self)

    def url(self, path="", scheme="ws", host="127.0.0.1"):
        return f"{scheme}://{host}:{self.server.port}/{path}"

    def make_project(self, lua, hosts=None):
        project = self.path("game")
        shutil.rmtree(project, True)
        project = self.compiled_project()
        write(os.path.join(project, "scripts", "main.lua"), PRELUDE + lua)
        hosts = [f'"127.0.0.1:{self.server.port}"'] if hosts is None else hosts
        with open(os.path.join(project, "settings.config"), "a") as file:
            file.write("web = { hosts = [" + " ".join(hosts) + "] }\n")
        return project

    def run_lua(self, lua, hosts=None, env=None):
        """The log of a game, and what it has printed of its connections."""
        project = self.make_project(lua, hosts)
        done = cuttle("run", project, "--headless", "--size", "16x16", check=0,
                      env=dict(os.environ, **(env or {})))
        log = done.stdout + done.stderr
        return log, re.findall(r"(?s)<([\w-]+ \w+ .*?)>\n", log)


class Messages(WebSocketTests):
    def test_text_and_bytes_come_back(self):
        log, found = self.run_lua(f"""
            open("a", WebSocket("127.0.0.1", {self.server.port}, "/echo?room=1"))
            open("b", {{url = "{self.url('echo')}", protocols = "chat, superchat",
                        headers = {{["X-Key"] = "k"}}}})
            open("early", WebSocket("ws://127.0.0.1", {self.server.port}, "echo"))
            assert(WebSocket.send(sockets.early, "before it is open"))
            function each(name, socket, kind, text)
                if name == "b" and not kind then
                    assert(WebSocket.send(socket, "caf\u00e9"))
                    assert(WebSocket.send(socket, "a\\0b\\255", WebSocket.BINARY))
                    assert(WebSocket.send(socket, string.rep("x", 300000)))
                    assert(WebSocket.send(socket, ""))
                elseif name == "b" and text == "" then
                    WebSocket.close(socket, 3001, "done")
                    assert(WebSocket.state(socket) == WebSocket.CLOSING)
                    assert(not WebSocket.send(socket, "more"))
                elseif name == "a" and not kind then
                    WebSocket.send(socket, "one")
                    WebSocket.close(socket)
                elseif name == "early" and kind then
                    WebSocket.close(socket)
                end
            end
            for name, call in pairs({{
                utf8 = function(s) WebSocket.send(s, "caf\\233") end,
                code = function(s) WebSocket.close(s, 1001) end,
                kind = function(s) WebSocket.send(s, "a", 3) end,
                reason = function(s) WebSocket.close(s, 1000, string.rep("a", 124)) end,
            }}) do
                local is_right, why = pcall(call, WebSocket("127.0.0.1", {self.server.port}))
                print("refused " .. name .. " " .. tostring(is_right) .. " " .. tostring(why))
            end
        """)
        self.assertIn("a open ", found)
        self.assertIn("b open superchat", found)
        self.assertIn("b text caf\u00e9", found)
        self.assertTrue(any(line.startswith("b binary a\0b") or line.startswith("b binary a")
                            for line in found), found)
        self.assertIn("b text 300000", found)
        self.assertIn("b text ", found)
        self.assertIn("b closed 3001  nil", found)
        self.assertIn("a closed 1000  nil", found)
        self.assertEqual(len(re.findall(r"refused \w+ false .*WebSocket\.", log)), 4, log)
        self.assertIn("early text before it is open", found)
        self.assertIn((TEXT, b"one"), self.server.got)
        self.assertIn((BINARY, b"a\0b\xff"), self.server.got)
        self.assertIn((CLOSE, struct.pack(">H", 3001) + b"done"), self.server.got)
        headers = dict(self.server.seen)["/echo"]
        self.assertIn("/echo?room=1", dict(self.server.seen))
        self.assertTrue(any(h.get("x-key") == "k" for _, h in self.server.seen), headers)

    def test_parts_are_joined_and_pings_answered(self):
        _, found = self.run_lua(f"""
            open("parts", {{url = "{self.url('parts')}"}})
            function each(name, socket, kind) if kind then WebSocket.close(socket) end end
        """)
        self.assertIn("parts text one two caf\u00e9", found)
        self.assertIn((PONG, b"p"), self.server.got)

    def test_what_the_server_closes_with_is_known(self):
        _, found = self.run_lua(f"""
            open("close", {{url = "{self.url('close')}"}})
            open("drop", {{url = "{self.url('drop')}"}})
        """)
        self.assertIn("close text last", found)
        self.assertIn("close closed 4001 go away nil", found)
        self.assertIn("drop text last", found)
        self.assertIn("drop closed 1006  the connection is lost, or the server has sent what "
                      "WebSocket does not allow", found)

    def test_a_game_that_does_not_poll_stops_the_server(self):
        log, _ = self.run_lua(f"""
            local socket = WebSocket.open{{url = "{self.url('flood')}"}}
            local frames, count, most, wrong = 0, 0, 0, 0
            function update()
                frames = frames + 1
                if frames < 60 then return end
                local kind, text = WebSocket.poll(socket)
                local now = 0
                while kind do
                    if tonumber(text) ~= count then wrong = wrong + 1 end
                    count, now = count + 1, now + 1
                    kind, text = WebSocket.poll(socket)
                end
                most = math.max(most, now)
                if count == 20000 then
                    print("all: " .. count .. " wrong: " .. wrong .. " most: " .. most)
                    Application.quit()
                end
            end
        """)
        most = re.search(r"all: 20000 wrong: 0 most: (\d+)", log)
        self.assertTrue(most, log)
        self.assertLessEqual(int(most[1]), 1024)

    def test_a_connection_that_closes_keeps_to_the_limits(self):
        log, found = self.run_lua(f"""
            local socket = WebSocket.open{{url = "{self.url('flood')}"}}
            local frames = 0
            function update()
                frames = frames + 1
                if frames == 60 then  -- the server reads nothing yet, so that the close has to wait
                    for i = 1, 12 do assert(WebSocket.send(socket, string.rep("x", 1000000))) end
                    WebSocket.close(socket)
                end
                if WebSocket.state(socket) == WebSocket.CLOSED then
                    local count = 0
                    while WebSocket.poll(socket) do count = count + 1 end
                    print("kept: " .. count)
                    Application.quit()
                end
            end
        """)
        kept = re.search(r"kept: (\d+)", log)
        self.assertTrue(kept, log)
        self.assertEqual(int(kept[1]), 1024)

    def test_too_much_to_send_is_refused(self):
        # Nothing is sent before the server has answered.
        log, _ = self.run_lua(f"""
            local socket = WebSocket.open{{url = "{self.url('bad-silence')}"}}
            local count = 0
            while WebSocket.send(socket, "x") do count = count + 1 end
            local other = WebSocket.open{{url = "{self.url('bad-silence')}"}}
            local bytes = 0
            while WebSocket.send(other, string.rep("x", 1000000)) do bytes = bytes + 1 end
            print("count: " .. count .. " " .. WebSocket.unsent(socket) .. " millions: " .. bytes)
            local is_right, why = pcall(WebSocket.send, socket, string.rep("x", 16 * 1024 * 1024 + 1))
            print("long: " .. tostring(is_right) .. " " .. why)
            function update() Application.quit() end
        """)
        self.assertIn("count: 1024 1024 millions: 16\n", log)
        self.assertRegex(log, r"long: false .*expected at most 16 MiB, got 16777217 bytes")


class BadServers(WebSocketTests):
    def test_bad_servers_are_closed_with_a_reason(self):
        names = ["invalid", "huge", "huge-parts", "reserved", "bad-key", "bad-status",
                 "bad-redirect", "bad-protocol", "bad-headers", "bad-garbage", "bad-silence"]
        other = WebSocketServer(self)
        self.server.location = f"ws://127.0.0.1:{other.port}/"
        opens = "".join(f'open("{name}", {{url = "{self.url(name)}", protocols = "chat", timeout = 4}})\n'
                        for name in names)
        log, found = self.run_lua(opens + """
            open("refused", {url = "ws://127.0.0.1:1/"})
            open("unknown", {url = "ws://no-such-host.invalid/", timeout = 10})
        """)
        ends = {line.split(" ")[0]: line for line in found if " closed " in line}
        self.assertEqual(set(ends), set(names) | {"refused", "unknown"}, log)
        for name, line in ends.items():
            self.assertFalse(line.endswith(" nil"), line)
        self.assertIn("too long", ends["huge"])
        self.assertIn("too long", ends["huge-parts"])
        self.assertIn("no connection within 4 s", ends["bad-silence"])
        self.assertIn("unknown, or there is no network", ends["unknown"])
        self.assertEqual(other.num_connections, 0)
        self.assertNotIn(" open ", " ".join(line for line in found if line.startswith("bad")))

    def test_a_masked_frame_does_no_harm(self):
        _, found = self.run_lua(f"""
            open("masked", {{url = "{self.url('masked')}"}})
            function each(name, socket, kind) if kind then WebSocket.close(socket) end end
        """)
        self.assertTrue(any(line.startswith("masked closed") for line in found), found)

    def test_malformed_addresses_are_errors(self):
        log, _ = self.run_lua("""
            for _, call in ipairs({
                function() return WebSocket("a b", 80) end, function() return WebSocket("", 80) end,
                function() return WebSocket("user@a", 80) end, function() return WebSocket("a/b", 80) end,
                function() return WebSocket("a", 0) end, function() return WebSocket("a:1", 80) end,
                function() return WebSocket("http://a", 80) end,
                function() return WebSocket("a", 80, "/x y") end,
                function() return WebSocket.open({}) end,
                function() return WebSocket.open({url = "ws://a/", protocols = "a,,b"}) end,
                function() return WebSocket.open({url = "ws://a/", protocols = "a\\r\\nb"}) end,
                function() return WebSocket.open({url = "ws://a/", headers = {Upgrade = "x"}}) end,
                function() return WebSocket.open({url = "ws://a/", headers = {a = "\\r\\n"}}) end,
            }) do
                local is_right, why = pcall(call)
                print("refused: " .. tostring(not is_right) .. " " .. tostring(why))
            end
        """)
        self.assertEqual(log.count("refused: true "), 13, log)


class Ends(WebSocketTests):
    def test_a_game_ends_at_once_while_connections_are_open(self):
        project = self.make_project(f"""
            for i = 1, 40 do WebSocket.open{{url = "{self.url('quiet')}"}} end
            WebSocket.open{{url = "{self.url('bad-silence')}"}}
            WebSocket.open{{url = "ws://no-such-host.invalid/"}}
            local frames = 0
            function update()
                frames = frames + 1
                if frames == 30 then
                    print("<quits>")
                    Application.quit()
                end
            end
        """)
        self.assertLess(seconds_to_end([CUTTLE, "run", project, "--headless", "--size", "16x16"]), 5)

    def test_the_one_that_was_closed_first_makes_room(self):
        log, _ = self.run_lua(f"""
            local closed = WebSocket.open{{url = "ws://127.0.0.1:1/"}}
            local frames, all = 0, {{}}
            function update()
                if WebSocket.state(closed) ~= WebSocket.CLOSED then return end
                for i = 1, 64 do all[i] = WebSocket.open{{url = "{self.url('quiet')}"}} end
                print("known: " .. tostring(pcall(WebSocket.state, closed)))
                local is_right, why = pcall(WebSocket.open, {{url = "{self.url('quiet')}"}})
                print("more: " .. tostring(is_right) .. " " .. why)
                Application.quit()
            end
        """)
        self.assertIn("known: false", log)
        self.assertIn("more: false", log)
        self.assertIn("64 connections are open", log)


class Certificates(WebSocketTests):
    def test_certificates_are_checked(self):
        certificate = self.path("certificate.pem")
        if not shutil.which("openssl"):
            self.skipTest("openssl is not installed")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                        "-keyout", certificate, "-out", self.path("public.pem")],
                       check=True, capture_output=True)
        with open(certificate, "a") as file, open(self.path("public.pem")) as public:
            file.write(public.read())
        self.server = WebSocketServer(self, certificate)
        lua = f"""
            open("named", {{url = "{self.url('close', 'wss', 'localhost')}"}})
            open("other", {{url = "{self.url('close', 'wss')}"}})
        """
        _, found = self.run_lua(lua)
        self.assertFalse([line for line in found if " text " in line], found)
        _, found = self.run_lua(lua, env={"SSL_CERT_FILE": self.path("public.pem")})
        self.assertIn("named text last", found)
        self.assertIn("named closed 4001 go away nil", found)
        self.assertTrue(any(line.startswith("other closed 1006") for line in found), found)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[1:])
