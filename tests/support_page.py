"""What a browser does with the console's port, with every byte in the hand of a test: requests of HTTP, and
WebSockets frame by frame."""

import base64
import http.client
import json
import os
import socket
import struct
import time

from support_cuttle import LIMIT

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def request(port, path="/", host=None, method="GET", headers=(), address="127.0.0.1", source=None):
    """Sends one request as it is; returns (status, headers, body)."""
    head = [f"{method} {path} HTTP/1.1"]
    if host != "":
        head.append(f"Host: {host or f'127.0.0.1:{port}'}")
    head += [f"{name}: {value}" for name, value in headers]
    with socket.create_connection((address, port), timeout=LIMIT, source_address=source) as connection:
        connection.sendall(("\r\n".join(head) + "\r\n\r\n").encode("latin-1"))
        answer = http.client.HTTPResponse(connection, method=method)
        answer.begin()
        return answer.status, answer.headers, answer.read()


def frame(kind, data=b"", final=True, reserved=0, length=None, mask=b"\x12\x34\x56\x78"):
    """The bytes of a frame of a client."""
    length = len(data) if length is None else length
    head = bytes([(0x80 if final else 0) | reserved << 4 | kind])
    masked = 0x80 if mask else 0
    if length < 126:
        head += bytes([masked | length])
    elif length < 65536:
        head += struct.pack(">BH", masked | 126, length)
    else:
        head += struct.pack(">BQ", masked | 127, length)
    if not mask:
        return head + data
    key = (mask * (len(data) // 4 + 1))[:len(data)]
    return head + mask + (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")).to_bytes(len(data), "big")


class Closed(Exception):
    """The engine has closed the WebSocket. `code` is None when it did so without a close."""

    def __init__(self, code, reason=""):
        super().__init__(f"closed with {code}: {reason}")
        self.code, self.reason = code, reason


class Page:
    """A WebSocket to the console."""

    def __init__(self, port, path="/console", host=None, origin="own", headers=(), address="127.0.0.1"):
        self.socket = socket.create_connection((address, port), timeout=LIMIT)
        self.rest = b""
        self.messages = []
        self.num_pings = 0
        self.pongs = []
        head = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", "Upgrade: websocket",
                "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        if origin:
            head.append(f"Origin: {f'http://127.0.0.1:{port}' if origin == 'own' else origin}")
        head += [f"{name}: {value}" for name, value in headers]
        self.socket.sendall(("\r\n".join(head) + "\r\n\r\n").encode("latin-1"))
        self.head = b""
        while b"\r\n\r\n" not in self.head:
            data = self.socket.recv(65536)
            if not data:
                break
            self.head += data
        self.head, _, self.rest = self.head.partition(b"\r\n\r\n")
        self.status = int(self.head.split()[1]) if self.head else None
        if self.status != 101:
            self.body = self.rest
            while data := self.socket.recv(65536):
                self.body += data
            self.close()

    def close(self):
        self.socket.close()

    def exactly(self, count):
        parts, have = [self.rest], len(self.rest)
        while have < count:
            try:
                parts.append(self.socket.recv(1 << 20))
            except ConnectionError:
                parts.append(b"")
            if not parts[-1]:
                raise Closed(None)
            have += len(parts[-1])
        self.rest = b"".join(parts)
        found, self.rest = self.rest[:count], self.rest[count:]
        return found

    def receive_frame(self):
        """The next frame as (kind, final, data)."""
        first, length = self.exactly(2)
        assert not first & 0x70 and not length & 0x80, "a server sends no reserved bits and no masks"
        if length == 126:
            length, = struct.unpack(">H", self.exactly(2))
        elif length == 127:
            length, = struct.unpack(">Q", self.exactly(8))
        return first & 15, bool(first & 0x80), self.exactly(length)

    def receive_data(self):
        """The next whole message as (kind, data); answers pings, and raises Closed at a close."""
        kind, parts = None, []
        while True:
            got, final, data = self.receive_frame()
            if got == PING:
                self.num_pings += 1
                self.socket.sendall(frame(PONG, data))
            elif got == PONG:
                self.pongs.append(data)
                if kind is None:
                    return PONG, data
            elif got == CLOSE:
                code = struct.unpack(">H", data[:2])[0] if len(data) >= 2 else 1005
                try:
                    self.socket.sendall(frame(CLOSE, data[:2]))
                except OSError:
                    pass
                raise Closed(code, data[2:].decode())
            else:
                assert (got == 0) == (kind is not None), "a message is in one kind of frames"
                kind = kind or got
                parts.append(data)
                if final:
                    return kind, b"".join(parts)

    def receive(self):
        """The next message of the console; one with binary has it as "binary"."""
        while True:
            kind, data = self.receive_data()
            if kind == TEXT:
                message = json.loads(data)
            elif kind == BINARY:
                size, = struct.unpack(">I", data[:4])
                message = json.loads(data[4:4 + size])
                message["binary"] = data[4 + size:]
                assert len(message["binary"]) == message["binary_size"]
            else:
                continue
            self.messages.append(message)
            return message

    def send_frame(self, *arguments, **options):
        self.socket.sendall(frame(*arguments, **options))

    def send(self, **message):
        self.send_frame(TEXT, json.dumps(message).encode())

    def send_binary(self, binary, **message):
        text = json.dumps({**message, "binary_size": len(binary)}).encode()
        self.send_frame(BINARY, struct.pack(">I", len(text)) + text + binary)

    def answer(self, name):
        while (message := self.receive()).get("id") != name:
            pass
        return message

    def script(self, lua):
        self.send(type="script", id="s", script=lua)
        answer = self.answer("s")
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["result"]

    def closed(self):
        """Waits for the close; returns it as Closed."""
        start = time.monotonic()
        try:
            while time.monotonic() - start < LIMIT:
                self.receive_data()
        except Closed as closed:
            self.close()
            return closed
        raise AssertionError("the engine did not close the WebSocket")
