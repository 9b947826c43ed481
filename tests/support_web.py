"""Servers on loopback for tests of Http and WebSocket, good ones and bad ones."""

import base64
import gzip
import hashlib
import json
import socket
import ssl
import struct
import subprocess
import threading
import time


def seconds_to_end(arguments):
    """Runs a program that prints "<quits>", and returns how long it takes from there to its end."""
    program = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    log, begin = "", None
    with program:
        for line in program.stdout:
            log += line
            if "<quits>" in line:
                begin = time.monotonic()
    assert begin and program.returncode == 0, log
    return time.monotonic() - begin


def without_proxies(environment):
    """An environment that names no proxies"""
    return {name: value for name, value in environment.items() if not name.lower().endswith("_proxy")}


class Server:
    """Runs `handle(connection)` in a thread for each connection, until the test ends."""

    def __init__(self, test, certificate=None):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.socket.getsockname()[1]
        self.is_over = threading.Event()
        self.num_connections = 0
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)
        threading.Thread(target=self.accept, daemon=True).start()
        test.addCleanup(self.stop)

    def stop(self):
        self.is_over.set()
        self.socket.close()

    def accept(self):
        while not self.is_over.is_set():
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.num_connections += 1
            threading.Thread(target=self.run, args=(connection,), daemon=True).start()

    def run(self, connection):
        try:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            connection.settimeout(60)
            self.handle(connection)
        except (OSError, ValueError):
            pass
        finally:
            connection.close()

    def handle(self, connection):
        raise NotImplementedError


def read_head(connection, rest=b""):
    """(first line, headers by lower name, bytes behind them); None at the end"""
    data = rest
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return None
        data += more
    head, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return first, headers, rest


class HttpServer(Server):
    """Answers by what is asked for."""

    def __init__(self, test, certificate=None):
        self.seen = []  # (method, target, headers, body)
        self.location = ""  # of /away
        super().__init__(test, certificate)

    def handle(self, connection):
        rest = b""
        while True:
            found = read_head(connection, rest)
            if not found:
                return
            first, headers, rest = found
            method, target, _ = first.split(" ")
            length = int(headers.get("content-length", 0))
            while len(rest) < length:
                more = connection.recv(65536)
                if not more:
                    return
                rest += more
            body, rest = rest[:length], rest[length:]
            self.seen.append((method, target, headers, body))
            name = target.split("?")[0].strip("/").replace("-", "_") or "hello"
            if getattr(self, "do_" + name, self.do_missing)(connection, method, headers, body) is False:
                return

    @staticmethod
    def answer(connection, body=b"", status="200 OK", headers=(), method="GET"):
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        data = "\r\n".join(lines).encode() + b"\r\n\r\n"
        connection.sendall(data + (b"" if method == "HEAD" else body))

    def do_missing(self, connection, method, headers, body):
        self.answer(connection, b"nothing here", "404 Not Found")

    def do_hello(self, connection, method, headers, body):
        self.answer(connection, b"hello", headers=["X-Two: a", "x-two: b", "Content-Type: text/plain"],
                    method=method)

    def do_echo(self, connection, method, headers, body):
        text = json.dumps({"method": method, "headers": headers, "body": body.decode()})
        self.answer(connection, text.encode(), headers=["Content-Type: application/json"])

    def do_list(self, connection, method, headers, body):
        self.answer(connection, b'[1, {"name": "caf\\u00e9"}, null, true]')

    def do_same_headers(self, connection, method, headers, body):
        self.answer(connection, headers=[f"X-Same: {i:03}{'a' * 497}" for i in range(200)])

    def do_zero(self, connection, method, headers, body):
        self.answer(connection, b"a\0b")

    def do_packed(self, connection, method, headers, body):
        self.answer(connection, gzip.compress(b"packed" * 100), headers=["Content-Encoding: gzip"])

    def do_bomb(self, connection, method, headers, body):
        self.answer(connection, gzip.compress(bytes(100 << 20)), headers=["Content-Encoding: gzip"])

    def do_never(self, connection, method, headers, body):
        self.is_over.wait(60)
        return False

    def do_slow(self, connection, method, headers, body):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while not self.is_over.wait(0.2):
            connection.sendall(b"x")
        return False

    def do_drip(self, connection, method, headers, body):
        for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok":
            connection.sendall(bytes([byte]))
            time.sleep(0.002)

    def do_huge(self, connection, method, headers, body):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n")
        while True:
            connection.sendall(bytes(1 << 20))

    def do_huge_chunks(self, connection, method, headers, body):
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"100000\r\n" + bytes(1 << 20) + b"\r\n")

    def do_trailers(self, connection, method, headers, body):
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n")
        while True:
            connection.sendall(b"X-More: more\r\n" * 1000)

    def do_broken_chunks(self, connection, method, headers, body):
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZZ\r\n")
        return False

    def do_cut_chunks(self, connection, method, headers, body):
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nhello")
        return False

    def do_short(self, connection, method, headers, body):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
        return False

    def do_many_headers(self, connection, method, headers, body):
        self.answer(connection, headers=[f"X-{i}: {i}" for i in range(1000)])

    def do_long_header(self, connection, method, headers, body):
        self.answer(connection, headers=["X-Long: " + "a" * 1000000])

    def do_long_headers(self, connection, method, headers, body):
        self.answer(connection, headers=[f"X-{i}: {'a' * 2000}" for i in range(100)])

    def do_garbage(self, connection, method, headers, body):
        connection.sendall(b"\x16\x03\x01 this is no HTTP at all\r\n\r\n")
        return False

    def do_silent_end(self, connection, method, headers, body):
        return False

    def do_away(self, connection, method, headers, body):
        self.answer(connection, b"elsewhere", "302 Found", ["Location: " + self.location])

    def do_here(self, connection, method, headers, body):
        self.answer(connection, b"", "302 Found", ["Location: /echo"])

    def do_again(self, connection, method, headers, body):
        self.answer(connection, b"", "307 Temporary Redirect", ["Location: /echo"])

    def do_round(self, connection, method, headers, body):
        self.answer(connection, b"", "302 Found", ["Location: /round"])


# --- WebSocket ---------------------------------------------------------------------------------

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def frame(kind, data=b"", final=True, mask=None, length=None):
    """A frame as a server sends it; `length` is what it says of the data."""
    length = len(data) if length is None else length
    bit = 0x80 if mask else 0
    head = bytes([(0x80 if final else 0) | kind])
    if length < 126:
        head += bytes([bit | length])
    elif length < 65536:
        head += struct.pack(">BH", bit | 126, length)
    else:
        head += struct.pack(">BQ", bit | 127, length)
    if mask:
        head += mask
        data = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
    return head + data


class WebSocketServer(Server):
    """Upgrades and then does what the path says."""

    def __init__(self, test, certificate=None):
        self.seen = []  # (target, headers)
        self.got = []  # (kind, data) of all frames
        self.location = ""  # of /bad-redirect
        super().__init__(test, certificate)

    def handle(self, connection):
        found = read_head(connection)
        if not found:
            return
        first, headers, self_rest = found
        target = first.split(" ")[1]
        self.seen.append((target, headers))
        name = target.split("?")[0].strip("/").replace("-", "_") or "echo"
        if name.startswith("bad_"):
            getattr(self, "do_" + name)(connection, headers)
            return
        self.upgrade(connection, headers)
        getattr(self, "do_" + name)(connection)

    @staticmethod
    def key_of(headers):
        key = headers.get("sec-websocket-key", "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()

    def upgrade(self, connection, headers, key=None, protocol=None, more=()):
        offered = [name.strip() for name in headers.get("sec-websocket-protocol", "").split(",")]
        protocol = protocol or offered[-1]
        lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Accept: " + (key or self.key_of(headers)), *more]
        if protocol:
            lines.append("Sec-WebSocket-Protocol: " + protocol)
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")

    @staticmethod
    def exactly(connection, count):
        data = b""
        while len(data) < count:
            more = connection.recv(min(count - len(data), 1 << 20))
            if not more:
                raise OSError("the end")
            data += more
        return data

    def read_frame(self, connection):
        """(kind, data) of a frame that a client sent, which must be masked"""
        first, second = self.exactly(connection, 2)
        if not second & 0x80:
            raise ValueError("a client's frame without a mask")
        length = second & 0x7f
        if length == 126:
            length, = struct.unpack(">H", self.exactly(connection, 2))
        elif length == 127:
            length, = struct.unpack(">Q", self.exactly(connection, 8))
        mask = self.exactly(connection, 4)
        data = self.exactly(connection, length)
        data = (int.from_bytes(data, "big") ^ int.from_bytes(
            (mask * (length // 4 + 1))[:length], "big")).to_bytes(length, "big")
        self.got.append((first & 15, data))
        return first & 15, data

    def do_echo(self, connection):
        while True:
            kind, data = self.read_frame(connection)
            if kind == CLOSE:
                connection.sendall(frame(CLOSE, data))
                return
            if kind in (TEXT, BINARY):
                connection.sendall(frame(kind, data))

    def drain(self, connection):
        """Reads until the client closes."""
        while self.read_frame(connection)[0] != CLOSE:
            pass

    def do_parts(self, connection):
        connection.sendall(frame(TEXT, b"one ", False) + frame(PING, b"p") + frame(0, b"two ", False)
                           + frame(0, b"caf\xc3", False) + frame(0, b"\xa9"))
        self.drain(connection)

    def do_close(self, connection):
        connection.sendall(frame(TEXT, b"last") + frame(CLOSE, struct.pack(">H", 4001) + b"go away"))
        self.drain(connection)

    def do_greet(self, connection):
        self.read_frame(connection)
        self.do_close(connection)

    def do_drop(self, connection):
        connection.sendall(frame(TEXT, b"last"))

    def do_masked(self, connection):
        connection.sendall(frame(TEXT, b"masked", mask=b"abcd"))
        self.drain(connection)

    def do_invalid(self, connection):
        connection.sendall(frame(TEXT, b"caf\xe9"))
        self.drain(connection)

    def do_huge(self, connection):
        connection.sendall(frame(BINARY, length=10 ** 13))
        while True:
            connection.sendall(bytes(1 << 20))

    def do_huge_parts(self, connection):
        connection.sendall(frame(BINARY, bytes(1 << 20), False))
        while True:
            connection.sendall(frame(0, bytes(1 << 20), False))

    def do_reserved(self, connection):
        connection.sendall(frame(3, b"what"))
        self.drain(connection)

    def do_flood(self, connection):
        for i in range(20000):
            connection.sendall(frame(TEXT, b"%06d" % i))
        self.drain(connection)

    def do_quiet(self, connection):
        self.is_over.wait(60)

    def do_bad_key(self, connection, headers):
        self.upgrade(connection, headers, key="AAAA")
        self.is_over.wait(5)

    def do_bad_status(self, connection, headers):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")

    def do_bad_redirect(self, connection, headers):
        connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: " + self.location.encode()
                           + b"\r\nContent-Length: 0\r\n\r\n")

    def do_bad_protocol(self, connection, headers):
        self.upgrade(connection, headers, protocol="other")
        self.is_over.wait(5)

    def do_bad_headers(self, connection, headers):
        self.upgrade(connection, headers, more=[f"X-{i}: {'a' * 1000}" for i in range(1000)])
        self.is_over.wait(5)

    def do_bad_garbage(self, connection, headers):
        connection.sendall(b"\x00\xff" * 1000)

    def do_bad_silence(self, connection, headers):
        self.is_over.wait(60)
