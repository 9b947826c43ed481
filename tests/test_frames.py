"""Streams of what the engine draws (docs/formats/console_messages.md, frames), from a running game."""

import json
import struct
import time
import unittest

from support_cuttle import Console, Game, TemporaryFolder
from support_png import decode
from support_protocol import CheckedConsole


class Stream:
    """A stream of a client. `rows` has what it shows, three bytes a pixel."""

    def __init__(self, console, **members):
        self.console = console
        members = {"width": 64, "height": 64, "format": "png", "rate": 60, **members}
        self.number = console.answer(console.ask(type="frame_open", **members))["stream"]
        self.rows, self.size, self.last = [], None, 0

    def take(self, message):
        """Shows a message of this stream."""
        size = message["width"], message["height"]
        if size != self.size:
            self.size, self.rows = size, [bytearray(3 * size[0]) for _ in range(size[1])]
        assert message["number"] == self.last + 1, (message["number"], self.last)
        self.last = message["number"]
        place = 0
        for tile in message["tiles"]:
            picture = decode(message["binary"][place:place + tile["bytes"]])
            assert (picture.width, picture.height) == (tile["width"], tile["height"])
            place += tile["bytes"]
            for row in range(picture.height):
                start, bytes_of_row = 3 * tile["x"], 3 * picture.width
                self.rows[tile["y"] + row][start:start + bytes_of_row] = \
                    picture.pixels[row * bytes_of_row:(row + 1) * bytes_of_row]
        assert place == len(message["binary"])

    def next(self, shown=True):
        """Waits for the next picture of this stream, and says that it was shown."""
        while True:
            message = self.console.receive()
            if message["type"] == "frame" and message["stream"] == self.number:
                self.take(message)
                if shown:
                    self.console.send(type="frame_shown", stream=self.number, number=self.last)
                return message


class Frames(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample()
        self.game = Game(self.project, "--size", "128x96")
        self.game.__enter__()
        self.addCleanup(self.game.__exit__, None, None, None)
        self.console = CheckedConsole(self.game.port)
        self.addCleanup(self.console.close)

    def error(self, **message):
        try:
            return f"answered: {self.console.answer(self.console.ask(**message))}"
        except RuntimeError as error:
            return str(error)

    def world(self):
        """The number of the game's world."""
        return self.console.answer(self.console.ask(type="world_list"))["worlds"][0]["world"]

    def test_the_games_picture_comes_whole_first_and_in_order(self):
        stream = Stream(self.console)
        first = stream.next()
        self.assertEqual((first["width"], first["height"]), (64, 48))
        self.assertEqual([(t["x"], t["y"], t["width"], t["height"]) for t in first["tiles"]], [(0, 0, 64, 48)])
        for _ in range(5):
            stream.next()
        colors = {bytes(row[i:i + 3]) for row in stream.rows for i in range(0, len(row), 3)}
        self.assertGreater(len(colors), 50)  # the sample, not one colour

    def test_a_part_of_the_picture(self):
        stream = Stream(self.console, width=4096, height=4096, rectangle=[0.5, 0.5, 0.25, 0.5])
        message = stream.next()
        self.assertEqual((message["width"], message["height"]), (32, 48))

    def test_a_camera_of_its_own_does_not_change_the_games(self):
        self.console.script("Game and Game.pause and Game.pause()")
        stream = Stream(self.console, world=self.world(), position=[0, 0, 400], rotation=[-0.7071, 0, 0, 0.7071])
        down = stream.next()
        self.assertEqual((down["width"], down["height"]), (64, 64))
        below = [bytes(row) for row in stream.rows]
        self.console.answer(self.console.ask(type="frame_camera", stream=stream.number,
                                             rotation=[0.7071, 0, 0, 0.7071]))
        for _ in range(6):
            stream.next()
            if [bytes(row) for row in stream.rows] != below:
                break
        self.assertNotEqual([bytes(row) for row in stream.rows], below)  # the sky

    def test_two_streams_at_once(self):
        streams = [Stream(self.console), Stream(self.console, width=16, height=16)]
        seen = set()
        while len(seen) < 2:
            message = self.console.receive()
            if message["type"] == "frame":
                stream = next(s for s in streams if s.number == message["stream"])
                stream.take(message)
                self.console.send(type="frame_shown", stream=stream.number)
                seen.add(stream.number)

    def test_a_picture_that_was_shown_counts_for_those_before_it(self):
        stream = Stream(self.console, rate=120)
        for _ in range(5):
            for _ in range(2):  # says nothing of this one and the next
                stream.next(shown=False)
            stream.next()

    def test_a_client_that_shows_nothing_gets_three(self):
        stream = Stream(self.console, rate=120)
        for _ in range(3):
            stream.next(shown=False)
        end = time.monotonic() + 1
        self.console.send(type="ping", id="later")
        more = 0
        while time.monotonic() < end:
            message = self.console.receive()
            more += message["type"] == "frame"
            if message["type"] == "pong":
                self.console.send(type="ping", id="later")
        self.assertEqual(more, 0)

    def test_closed_streams_and_clients_that_leave(self):
        stream = Stream(self.console)
        stream.next()
        self.console.answer(self.console.ask(type="frame_close", stream=stream.number))
        self.assertIn(f"no open stream {stream.number}", self.error(type="frame_close", stream=stream.number))
        other = CheckedConsole(self.game.port)
        Stream(other)
        other.close()
        self.assertEqual(self.console.script("1"), "1")
        numbers = [Stream(self.console).number for _ in range(8)]
        self.assertEqual(len(set(numbers)), 8)

    def test_refuses_what_it_cannot_do(self):
        open_ = {"type": "frame_open", "width": 64, "height": 64}
        for change, error in (({"width": 8}, '"width" is 8; expected a number from 16 to 4096'),
                              ({"format": "gif"}, '"format" is "gif"; expected "jpeg"|"png"'),
                              ({"world": 9}, "never was"), ({"world": 0}, "never was"),
                              ({"rate": 0}, '"rate" is 0'), ({"quality": 101}, '"quality" is 101'),
                              ({"rectangle": [0, 1]}, '"rectangle" has 2 numbers; expected 4'),
                              ({"rectangle": [5, 5, 0, 0]}, '"rectangle" is [5, 5, 0, 0]; expected x, y, width'),
                              ({"rectangle": [0, 0, 1, 0]}, '"rectangle" is [0, 0, 1, 0]'),
                              ({"rectangle": [0, 0, -1, -1]}, '"rectangle" is [0, 0, -1, -1]'),
                              ({"rectangle": [-0.1, 0, 1, 1]}, '"rectangle" is [-0.1, 0, 1, 1]'),
                              ({"rectangle": [0.2, 0.2, 1e9, 1e9]}, '"rectangle" is [0.2, 0.2, 1e+09, 1e+09]'),
                              ({"rectangle": [0, 0.5, 1, 0.6]}, '"rectangle" is [0, 0.5, 1, 0.6]'),
                              ({"world": self.world(), "viewport": "none"}, 'no viewport "none"'),
                              ({"world": self.world(), "position": [1e30, 0, 0]}, '"position"[1] is 1e+30'),
                              ({"colour": 1}, 'unknown member "colour"')):
            with self.subTest(change=change):
                self.assertIn(error, self.error(**{**open_, **change}))
        edge = Stream(self.console, rectangle=[0.7, 0.1, 0.3, 0.9])
        self.console.answer(self.console.ask(type="frame_close", stream=edge.number))
        game = Stream(self.console)
        self.assertIn("shows the game's picture", self.error(type="frame_camera", stream=game.number))
        for _ in range(15):
            Stream(self.console)
        self.assertIn("16 streams are open", self.error(**open_))

    def test_input_reaches_the_game(self):
        self.console.script("Pressed = 0; local old = update; function update(dt) "
                            "if Keyboard.pressed(Keyboard.button_id('j')) then Pressed = Pressed + 1 end old(dt) end")
        self.console.answer(self.console.ask(type="input", events=[
            {"device": "keyboard", "kind": "pressed", "name": "j"},
            {"device": "mouse", "kind": "axis", "name": "mouse", "value": [3, 1, 0]},
            {"device": "keyboard", "kind": "released", "name": "j"}]))
        end = time.monotonic() + 60
        while self.console.script("Pressed") == "0" and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.console.script("Pressed"), "1")
        self.assertIn('events[1].device is "kettle"',
                      self.error(type="input", events=[{"device": "kettle", "kind": "pressed", "name": "j"}]))
        self.assertIn('events[2].name is "jj"', self.error(type="input", events=[
            {"device": "keyboard", "kind": "pressed", "name": "j"},
            {"device": "keyboard", "kind": "pressed", "name": "jj"}]))
        for number in (2 ** 32, 2 ** 53):
            self.assertIn(f"events[1].number is {number}; expected a whole number from 0 to 4294967295", self.error(
                type="input", events=[{"device": "touch", "kind": "touch_began", "number": number}]))

    def test_a_world_ends_before_a_message_of_its_stream(self):
        console = Console(self.game.port)
        self.addCleanup(console.close)
        console.script("Other = Application.new_world()")
        world = max(world["world"] for world in console.answer(console.ask(type="world_list"))["worlds"])
        stream = Stream(console, world=world)
        stream.next()
        # One frame handles all of these, and closes the stream behind them. A new world may be where the old one was.
        batch = b""
        for number, message in enumerate((
                {"type": "script", "script": "Application.release_world(Other) Other = Application.new_world()"},
                {"type": "entity_pick", "x": 0.5, "y": 0.5, "stream": stream.number},
                {"type": "frame_camera", "stream": stream.number, "position": [0, 0, 1]})):
            text = json.dumps({**message, "id": f"batch {number}"}).encode()
            batch += struct.pack(">II", 0, len(text)) + text
        console.socket.sendall(batch)
        console.answer("batch 0")
        with self.assertRaisesRegex(RuntimeError, "the world of the stream has ended|no open stream"):
            console.answer("batch 1")
        end = time.monotonic() + 60
        with self.assertRaisesRegex(RuntimeError, f"no open stream {stream.number}"):
            while time.monotonic() < end:
                console.answer(console.ask(type="frame_shown", stream=stream.number))

    def test_the_game_ends_with_open_streams(self):
        Stream(self.console).next()
        Stream(self.console, world=self.world()).next()
        self.assertEqual(self.game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
