"""Http: requests of a game to servers on loopback."""

import os
import re
import shutil
import subprocess
import sys
import unittest

from support_bundle import BundleFolder, with_player
from support_cuttle import CUTTLE, TemporaryFolder, cuttle, write
from support_web import HttpServer, WebSocketServer, seconds_to_end, without_proxies

# Requests by name; prints how each ended, and quits when all have.
PRELUDE = """
local asked, names = {}, {}
frames = 0
function ask(name, options)
    asked[name] = Http.request(options)
    names[#names + 1] = name
end
function show(name, id)
    if Http.status(id) == Http.DONE then
        local r = Http.response(id)
        print(string.format("<%s: %d %s>", name, r.status, #r.body < 2000 and r.body or #r.body))
    else
        print(string.format("<%s: failed: %s>", name, Http.error(id)))
    end
end
each = show
function update()
    frames = frames + 1
    for i = #names, 1, -1 do
        local id = asked[names[i]]
        if Http.status(id) ~= Http.RUNNING then
            each(names[i], id)
            Http.close(id)
            table.remove(names, i)
        end
    end
    if #names == 0 and not stays then Application.quit() end
end
"""


class HttpTests(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.server = HttpServer(self)

    def url(self, path="", port=None):
        return f"http://127.0.0.1:{port or self.server.port}/{path}"

    def make_project(self, lua, hosts=None):
        project = self.compiled_project()
        write(os.path.join(project, "scripts", "main.lua"), PRELUDE + lua)
        hosts = [f'"127.0.0.1:{self.server.port}"'] if hosts is None else hosts
        with open(os.path.join(project, "settings.config"), "a") as file:
            file.write("web = { hosts = [" + " ".join(hosts) + "] }\n")
        return project

    def run_lua(self, lua, hosts=None, env=None, check=0):
        """The log of a game, and what its requests came to by name."""
        project = self.make_project(lua, hosts)
        done = cuttle("run", project, "--headless", "--size", "16x16", check=check,
                      env=dict(without_proxies(os.environ), **(env or {})))
        log = done.stdout + done.stderr
        return log, dict(re.findall(r"(?s)<([\w-]+): (.*?)>\n", log))


class Answers(HttpTests):
    def test_what_servers_answer(self):
        log, found = self.run_lua(f"""
            local base = "{self.url()}"
            ask("hello", {{url = base}})
            ask("missing", {{url = base .. "missing"}})
            ask("head", {{url = base, method = "HEAD"}})
            ask("packed", {{url = base .. "packed"}})
            ask("drip", {{url = base .. "drip"}})
            ask("again", {{url = base .. "again", body = "twice", headers = {{["X-Key"] = "k"}}}})
            ask("json", {{url = base .. "echo", json = {{name = "Anna", scores = {{1, 2}}}}}})
            ask("put", {{url = base .. "echo?q=1#part", method = "PUT", body = "data"}})
            ask("delete", {{url = base .. "echo", method = "DELETE"}})
            ask("list", {{url = base .. "list"}})
            ask("zero", {{url = base .. "zero"}})
            ask("same", {{url = base .. "same-headers"}})
            local simple = Http.get(base .. "hello", 5)
            local posted = Http.post(base .. "echo", "text/plain", "posted", 5)
            each = function(name, id)
                local r = Http.response(id)
                if name == "hello" then
                    print("two: " .. r.headers["x-two"] .. " type: " .. r.headers["content-type"] ..
                          " url: " .. r.url .. " time: " .. tostring(r.seconds > 0 and r.seconds < 30))
                elseif name == "list" then
                    local value = Http.json(id)
                    print("list: " .. value[1] .. value[2].name .. tostring(value[4]))
                elseif name == "same" then
                    local value, place = r.headers["x-same"], 0
                    for part in value:gmatch("[^ ,]+") do
                        assert(tonumber(part:sub(1, 3)) == place and #part == 500)
                        place = place + 1
                    end
                    print("same: " .. #value .. " " .. place)
                elseif name == "zero" then
                    print("zero: " .. #r.body .. r.body:byte(2))
                elseif name == "drip" then
                    assert(Http.progress(id) == 2 and select(2, Http.progress(id)) == 2)
                    local value, why = Http.json(id)
                    print("no json: " .. tostring(value) .. " " .. why)
                end
                show(name, id)
                if name == "json" then  -- the others are over soon
                    assert(Http.status(simple) and Http.error(simple) == nil)
                end
            end
            stays = true
            local old = update
            function update()
                old()
                if Http.status(simple) ~= Http.RUNNING and Http.status(posted) ~= Http.RUNNING then
                    show("simple", simple)
                    show("posted", posted)
                    stays = false
                    update = old
                end
            end
        """)
        self.assertEqual(found["hello"], "200 hello")
        self.assertIn(f"two: a, b type: text/plain url: {self.url()} time: true", log)
        self.assertEqual(found["missing"], "404 nothing here")
        self.assertEqual(found["head"], "200 ")
        self.assertEqual(found["packed"], "200 " + "packed" * 100)
        self.assertEqual(found["drip"], "200 ok")
        self.assertIn('"body": "twice"', found["again"])
        self.assertIn('"x-key": "k"', found["again"])
        self.assertIn('"content-type": "application/json"', found["json"])
        self.assertIn('Anna', found["json"])
        self.assertIn('"method": "PUT"', found["put"])
        self.assertIn('"method": "DELETE"', found["delete"])
        self.assertIn("list: 1caf\u00e9true", log)
        self.assertIn("zero: 30", log)
        self.assertIn("same: 100398 200", log)
        self.assertIn("no json: nil answer:1:1:", log)
        self.assertEqual(found["simple"], "200 hello")
        self.assertIn('"body": "posted"', found["posted"])
        self.assertIn('"content-type": "text/plain"', found["posted"])
        self.assertNotIn("error", log.replace("Http.error", ""))
        targets = [target for _, target, _, _ in self.server.seen]
        self.assertIn("/echo?q=1", targets)

    def test_bad_servers_fail_with_a_reason(self):
        base = self.url()
        log, found = self.run_lua(f"""
            local base = "{base}"
            for _, name in ipairs({{"never", "slow"}}) do
                ask(name, {{url = base .. name, timeout = 1.5}})
            end
            for _, name in ipairs({{"huge", "huge-chunks", "broken-chunks", "cut-chunks", "short",
                                    "many-headers", "long-header", "long-headers", "trailers", "garbage",
                                    "silent-end", "round", "bomb"}}) do
                ask(name, {{url = base .. name}})
            end
            ask("limit", {{url = base .. "packed", max_bytes = 100}})
            ask("refused", {{url = "http://127.0.0.1:1/"}})
            ask("unknown", {{url = "http://no-such-host.invalid/", timeout = 10}})
        """, hosts=[f'"127.0.0.1:{self.server.port}"', '"127.0.0.1:1"', '"no-such-host.invalid"'])
        for name, part in {
                "never": "no answer within 1.5 s", "slow": "no answer within 1.5 s",
                "huge": "more than 67108864 bytes", "huge-chunks": "more than 67108864 bytes",
                "bomb": "more than 67108864 bytes",
                "many-headers": "more than 256 headers", "trailers": "more than 256 headers",
                "long-headers": "more than 131072 bytes",
                "round": "redirects more than 5 times",
                "limit": "more than 100 bytes",
        }.items():
            self.assertIn(part, found[name], name)
        for name in ("broken-chunks", "cut-chunks", "short", "long-header", "garbage", "silent-end",
                     "refused", "unknown"):
            self.assertIn("failed: ", found[name], name)
            self.assertGreater(len(found[name]), 20, name)

    def test_malformed_requests_are_errors(self):
        log, _ = self.run_lua("""
            for _, options in ipairs({
                {url = "ftp://example.com/"}, {url = "file:///etc/passwd"}, {url = "example.com"},
                {url = "http://user:secret@example.com/"}, {url = "http://example.com/a b"},
                {url = "http://example.com/\\r\\nX: y"}, {url = "http:///"},
                {url = "http://example.com:99999/"}, {url = "http://example.com\\\\@evil/"},
                {url = "http://a/", method = "CONNECT"}, {url = "http://a/", method = "GET\\r\\n"},
                {url = "http://a/", method = "GET", body = "x"}, {url = "http://a/", body = "x", json = {}},
                {url = "http://a/", headers = {["a b"] = "x"}}, {url = "http://a/", headers = {a = "x\\ny"}},
                {url = "http://a/", headers = {Host = "b"}}, {url = "http://a/", headers = {1}},
                {url = "http://a/", timeout = 0}, {url = "http://a/", timeout = 1e9},
                {url = "http://a/", tmeout = 1}, {url = "http://a/", json = {print}}, {},
            }) do
                local is_right, why = pcall(Http.request, options)
                print("refused: " .. tostring(not is_right) .. " " .. tostring(why))
            end
            local is_right, why = pcall(Http.status, 7)
            print("refused: " .. tostring(not is_right) .. " " .. tostring(why))
        """)
        self.assertEqual(log.count("refused: true Http."), 23, log)
        self.assertIn('did you mean "timeout"', log)
        self.assertIn("does not begin with http:// or https://", log)
        self.assertIn("has a user name or password", log)
        self.assertIn("there is no such request", log)


class Many(HttpTests):
    def test_ten_thousand_at_once_and_some_closed(self):
        log, _ = self.run_lua(f"""
            local ids, num_done, num_closed, slowest = {{}}, 0, 0, 0
            stays = true
            local begin = Application.time_since_launch()
            for i = 1, 10000 do ids[i] = Http.get("{self.url()}", 300) end
            print("asked in " .. (Application.time_since_launch() - begin) * 1000 .. " ms")
            for i = 1, 10000, 2 do
                Http.close(ids[i])
                num_closed = num_closed + 1
            end
            function update()
                for i = 10000, 1, -1 do
                    if ids[i] and i % 2 == 0 and Http.status(ids[i]) ~= Http.RUNNING then
                        if Http.error(ids[i]) then print("failed: " .. Http.error(ids[i])) end
                        num_done = num_done + 1
                        Http.close(ids[i])
                        ids[i] = nil
                    end
                end
                if num_done == 5000 then
                    print("done: " .. num_done .. " closed: " .. num_closed)
                    Application.quit()
                end
            end
        """)
        self.assertIn("done: 5000 closed: 5000", log)
        self.assertNotIn("failed: ", log)
        self.assertLess(self.server.num_connections, 200)

    def test_the_oldest_answer_makes_room(self):
        log, _ = self.run_lua(f"""
            stays = true
            local first = Http.get("{self.url()}")
            function update()
                if Http.status(first) == Http.RUNNING then return end
                for i = 1, 16384 do Http.get("{self.url('never')}", 300) end
                print("known: " .. tostring(pcall(Http.status, first)))
                local is_right, why = pcall(Http.get, "{self.url()}")
                print("more: " .. tostring(is_right) .. " " .. why)
                Application.quit()
            end
        """)
        self.assertIn("known: false", log)
        self.assertIn("more: false", log)
        self.assertIn("16384 requests run", log)

    def test_a_game_ends_at_once_while_requests_run(self):
        project = self.make_project(f"""
            for i = 1, 50 do Http.get("{self.url('never')}") end
            Http.get("http://no-such-host.invalid/")
            stays = true
            function update()
                frames = frames + 1
                if frames == 20 then
                    print("<quits>")
                    Application.quit()
                end
            end
        """)
        self.assertLess(seconds_to_end([CUTTLE, "run", project, "--headless", "--size", "16x16"]), 5)

    def test_requests_go_on_when_scripts_are_saved(self):
        project = self.make_project(f"""
            stays = true
            Saved = Saved or {{}}
            Saved.id = Saved.id or Http.request({{url = "{self.url('never')}", timeout = 3}})
            print("version 1")
            function update()
                if Http.status(Saved.id) == Http.FAILED then
                    print("version 1 sees: " .. Http.error(Saved.id))
                    Application.quit()
                end
            end
        """)
        game = subprocess.Popen([CUTTLE, "run", project, "--headless", "--size", "16x16"],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(game.stdout.close)
        script = os.path.join(project, "scripts", "main.lua")
        with open(script) as file:
            text = file.read()
        lines = []
        for line in game.stdout:
            lines.append(line)
            if "version 1" in line and "sees" not in line:
                write(script, text.replace("version 1", "version 2").replace("timeout = 3", "timeout = 9"))
        game.wait()
        log = "".join(lines)
        self.assertEqual(game.returncode, 0, log)
        self.assertIn("version 2", log)
        self.assertIn("version 2 sees: no answer within 3 s", log)
        self.assertEqual(len(self.server.seen), 1)


class Hosts(HttpTests):
    def test_a_developer_is_warned_once_of_a_host_that_is_not_listed(self):
        log, found = self.run_lua(f"""
            ask("one", {{url = "{self.url()}"}})
            ask("two", {{url = "{self.url('list')}"}})
        """, hosts=[])
        self.assertEqual(found["one"], "200 hello")
        self.assertEqual(log.count("[web_host]"), 1, log)
        self.assertIn(f'the host "127.0.0.1:{self.server.port}" is not in web.hosts', log)

    def test_bad_entries_are_errors_of_the_compiler(self):
        project = self.make_project("", hosts=['"example.com"', '"*"', '"http://a"', '"a:0"', "3"])
        done = cuttle("compile", project, check=1)
        for part in ('web.hosts: "*" is not a host', 'web.hosts: "http://a" is a URL',
                     'web.hosts: "a:0" is not a host', "web.hosts has the element 3"):
            self.assertIn(part, done.stderr)
        self.assertRegex(done.stderr, r"settings\.config:\d+:\d+: .*web\.hosts")

    def test_redirects_drop_secrets_and_check_hosts(self):
        other = HttpServer(self)
        self.server.location = f"http://127.0.0.1:{other.port}/echo"
        log, found = self.run_lua(f"""
            ask("away", {{url = "{self.url('away')}", body = "form",
                          headers = {{Authorization = "secret", ["X-Other"] = "kept"}}}})
        """)
        self.assertIn('"method": "GET"', found["away"])
        self.assertIn('"x-other": "kept"', found["away"])
        self.assertNotIn("secret", found["away"])
        self.assertIn("[web_host]", log)

    def test_redirects_on_the_same_host_keep_secrets(self):
        _, found = self.run_lua(f"""
            ask("here", {{url = "{self.url('here')}", headers = {{Authorization = "a secret", Cookie = "c=1"}}}})
        """)
        self.assertIn('"authorization": "a secret"', found["here"])
        self.assertIn('"cookie": "c=1"', found["here"])

    def test_redirects_to_other_schemes_fail(self):
        self.server.location = "file:///etc/passwd"
        _, found = self.run_lua(f'ask("away", {{url = "{self.url("away")}"}})')
        self.assertIn("failed: the server redirects", found["away"])


class Certificates(HttpTests):
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
        server = HttpServer(self, certificate)
        lua = f"""
            ask("named", {{url = "https://localhost:{server.port}/"}})
            ask("other", {{url = "https://127.0.0.1:{server.port}/"}})
            ask("down", {{url = "https://localhost:{server.port}/away"}})
        """
        server.location = self.url()
        _, found = self.run_lua(lua)
        self.assertIn("failed: ", found["named"])
        self.assertIn("certificate", found["named"])
        shutil.rmtree(self.path("game"))
        _, found = self.run_lua(lua, env={"SSL_CERT_FILE": self.path("public.pem")})
        self.assertEqual(found["named"], "200 hello")
        self.assertIn("failed: ", found["other"])
        self.assertEqual(found["down"], "failed: the server redirects from https to http")
        self.assertEqual(self.server.num_connections, 0)


class Player(BundleFolder):
    @with_player
    def test_the_player_asks_listed_hosts_only(self):
        listed, other, socket = HttpServer(self), HttpServer(self), WebSocketServer(self)
        listed.location = f"http://127.0.0.1:{other.port}/"
        write(os.path.join(self.project, "scripts", "main.lua"), PRELUDE + f"""
            ask("listed", {{url = "http://127.0.0.1:{listed.port}/"}})
            ask("other", {{url = "http://127.0.0.1:{other.port}/"}})
            ask("away", {{url = "http://127.0.0.1:{listed.port}/away"}})
            ask("hidden", {{url = "http://a.game.localhost:{other.port}/"}})
            local allowed = WebSocket("127.0.0.1", {socket.port}, "/close")
            local refused = WebSocket("127.0.0.1", {other.port})
            print("refused: " .. WebSocket.error(refused))
            stays = true
            local old = update
            function update()
                old()
                if WebSocket.state(allowed) == WebSocket.CLOSED then
                    print("message: " .. select(2, WebSocket.poll(allowed)))
                    stays, update = false, old
                end
            end
        """)
        with open(os.path.join(self.project, "settings.config"), "a") as file:
            file.write(f'web = {{ hosts = ["127.0.0.1:{listed.port}" "127.0.0.1:{socket.port}"'
                       f' "*.game.localhost:{other.port}"] }}\n')
        self.bundle()
        done = subprocess.run([os.path.join(self.target, "game"), "--headless", "--size", "16x16"],
                              capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, http_proxy="http://127.0.0.1:1"))
        log = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, log)
        found = dict(re.findall(r"(?s)<([\w-]+): (.*?)>\n", log))
        self.assertEqual(found["listed"], "200 hello")
        for name in ("other", "away"):
            self.assertIn("is not in web.hosts of settings.config", found[name])
        self.assertIn("leads to ", found["hidden"])
        self.assertIn("is not in web.hosts of settings.config", log.split("refused: ")[1])
        self.assertIn("message: last", log)
        self.assertEqual(other.num_connections, 0)

    @with_player
    def test_without_the_libraries_an_error_names_the_packages(self):
        write(os.path.join(self.project, "scripts", "main.lua"), """
            local id = Http.get("http://127.0.0.1:1/")
            local socket = WebSocket("127.0.0.1", 1)
            print("http: " .. tostring(Http.error(id)))
            print("socket: " .. tostring(WebSocket.error(socket)))
            function update() Application.quit() end
        """)
        self.bundle()
        # Files that are no libraries, in front of those of the system.
        os.mkdir(self.path("none"))
        for name in ("libcurl.so.4", "libwebsockets.so.17"):
            write(self.path("none", name), "not a library")
        done = subprocess.run([os.path.join(self.target, "game"), "--headless", "--size", "16x16"],
                              capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, LD_LIBRARY_PATH=self.path("none")))
        log = done.stdout + done.stderr
        self.assertIn("http: libcurl is not installed; install the package libcurl4", log)
        self.assertIn("socket: libwebsockets is not installed; install the package libwebsockets17",
                      log)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[1:])
