"""docs/web.md works as it is written: its files, in a new project, with a server like its own."""

import os
import re
import shlex
import subprocess
import sys
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write
from support_web import HttpServer, WebSocketServer

PAGE = read(os.path.join(ROOT, "docs", "web.md"))
BLOCK = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")
PLACES = {"at the top": "", "at the end of init": "in radians\nend",
          "at the start of update": "\nfunction update(dt)\n"}


def blocks(kind):
    return [block for name, block in BLOCK.findall(PAGE) if name == kind]


def files():
    """{path: text} of the blocks that begin with the path of a file"""
    found = {}
    for _, block in BLOCK.findall(PAGE):
        first, _, rest = block.partition("\n")
        match = re.fullmatch(r"(?:--|//) (\S+\.\w+)", first)
        if match:
            found[match[1]] = rest
    return found


def add_to_main(main, block):
    for line in block.splitlines():
        code, place = re.fullmatch(r"(.*?) +-- (.*)", line).groups()
        before = PLACES[place]
        assert not before or main.count(before) == 1, place
        if place == "at the end of init":
            main = main.replace(before, f"in radians\n    {code}\nend")
        elif before:
            main = main.replace(before, before + f"    {code}\n")
        else:
            main = f"{code}\n" + main
    return main


class Server(HttpServer):
    def do_scores(self, connection, method, headers, body):
        self.answer(connection, b'{"place": 3}', "201 Created")


class Web(TemporaryFolder):
    def make_project(self, port):
        project = self.compiled_project("mygame")
        main = os.path.join(project, "scripts", "main.lua")
        uses, = [block for block in blocks("lua") if "-- at the top" in block]
        write(main, add_to_main(read(main), uses))
        for path, text in files().items():
            target = os.path.join(project, path)
            text = text.replace(":8000", f":{port}")
            if path == "settings.config":
                text = read(target) + text
            write(target, text)
        return project

    def test_the_news_come_from_a_folder_that_python_serves(self):
        lines = "".join(blocks("sh")).splitlines()
        self.assertEqual(len(lines), 3)
        for line in lines[:2]:
            subprocess.run(line, shell=True, check=True, cwd=self.folder)
        words = shlex.split(lines[2])
        self.assertEqual(words[:4], ["python3", "-m", "http.server", "8000"])
        server = subprocess.Popen([sys.executable, "-u", *words[1:3], "0", *words[4:]],
                                  cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.DEVNULL)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        port = re.search(r"port (\d+)", server.stdout.readline())[1]
        project = self.make_project(port)
        with open(os.path.join(project, "scripts", "main.lua"), "a") as main:
            main.write("""
                local old = update
                function update(dt)
                    old(dt)
                    if not News.request then Application.quit() end
                end
            """)
        done = cuttle("run", project, "--headless", "--size", "16x16", check=0)
        log = done.stdout + done.stderr
        self.assertIn("news: A new level is out", log)
        self.assertNotIn("[web_host]", log)

    def test_scores_are_sent(self):
        server = Server(self)
        project = self.make_project(server.port)
        write(os.path.join(project, "scripts", "main.lua"), """
            require "scripts/score"
            local id = send_score("Anna", 12)
            function update()
                if Http.status(id) ~= Http.RUNNING then
                    print("place: " .. tostring(Http.json(id).place) .. Http.response(id).status)
                    Application.quit()
                end
            end
        """)
        done = cuttle("run", project, "--headless", "--size", "16x16", check=0)
        self.assertIn("place: 3201", done.stdout + done.stderr)
        method, target, headers, body = server.seen[0]
        self.assertEqual((method, target), ("POST", "/scores"))
        self.assertEqual(headers["authorization"], "Bearer 1234")
        self.assertIn(b"Anna", body)

    def test_the_chat_works(self):
        server = WebSocketServer(self)
        project = self.make_project(server.port)
        write(os.path.join(project, "scripts", "main.lua"), f"""
            require "scripts/chat"
            Chat.connect("ws://127.0.0.1:{server.port}/greet")
            Chat.say("hello")
            function update()
                Chat.update()
                if not Chat.socket then Application.quit() end
            end
        """)
        done = cuttle("run", project, "--headless", "--size", "16x16", check=0)
        log = done.stdout + done.stderr
        self.assertIn("they say: last", log)
        self.assertIn("the chat is over: good bye", log)
        self.assertIn("hello", str(server.got))

    def test_the_limits_are_those_of_the_code(self):
        http = read(os.path.join(ROOT, "src", "web", "http", "http_client.h"))
        socket = read(os.path.join(ROOT, "src", "web", "websocket", "websocket_client.h"))
        self.assertIn("CT_HTTP_MAX_REQUESTS = 16384", http)
        self.assertIn("16,384; then", PAGE)
        self.assertIn("CT_WEBSOCKET_MAX_CONNECTIONS = 64", socket)
        self.assertIn("a game knows | 64; then", PAGE)
        self.assertLessEqual(len(PAGE.split()), 1500)


if __name__ == "__main__":
    unittest.main()
