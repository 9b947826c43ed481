"""Long recordings for the profiler's page, made from a frame that a game really sent."""

import json
import struct

ENTER, LEAVE, VALUE = 1, 2, 4
EVENT = struct.Struct("<qII")
PERIOD = 16_666_667  # nanoseconds


def recorded_frame(console, num_frames=16):
    """Subscribes to the profiler of a game and returns the shortest of its first frames, but not the first four, which
    a machine that does much else did not stretch: the whole message, with all names of the stream as its strings."""
    def ask(what):
        console.answer(console.ask(type="command", command="profiler", arguments=[what]))

    ask("subscribe")
    strings, frames = [], []
    while len(frames) < num_frames:
        message = console.receive()
        if message["type"] == "profiler":
            frames.append(message)
            strings[message["first_string"]:] = message["strings"]
    ask("unsubscribe")
    shortest = min(frames[4:], key=lambda frame: frame["end"] - frame["begin"])
    return {**shortest, "strings": strings}


def num_events(frame):
    return len(frame["binary"]) // EVENT.size


def steady_events(frame):
    """The events of each thread, as if the frame lasted a 60th of a second from a second on, with an end for each
    scope that it begins: so that it can follow itself. Returns (threads, events)."""
    begin, length = frame["begin"], max(1, frame["end"] - frame["begin"])
    events = [list(event) for event in EVENT.iter_unpack(frame["binary"])]
    for event in events:
        if event[2] != VALUE:
            event[0] = 1_000_000_000 + (event[0] - begin) * PERIOD // length
    threads, made, at = [], [], 0
    for thread in frame["threads"]:
        own = events[at:at + thread["events"]]
        at += thread["events"]
        depth = 0
        for _, argument, kind in own:
            depth = depth + 1 if kind == ENTER else max(0, depth - argument) if kind == LEAVE else depth
        if depth > 0:
            own.append([max([1_000_000_000 + PERIOD] + [e[0] for e in own if e[2] == ENTER]), depth, LEAVE])
        threads.append({**thread, "events": len(own)})
        made += own
    return threads, made


def write_profile(path, frame, num_frames):
    """Writes a recording of `num_frames` at 60 a second, as the profiler's page saves it. Returns its bytes."""
    threads, events = steady_events(frame)
    first = b"".join(EVENT.pack(*event) for event in events)  # a value is copied as it is
    # All of a frame is one large number, to which the later beginning is added at each time at once.
    number = int.from_bytes(first, "little")
    ones = sum(1 << 128 * i for i, event in enumerate(events) if event[2] != VALUE)
    size = len(first)
    with open(path, "wb") as file:
        for i in range(num_frames):
            offset = i * PERIOD
            begin = 1_000_000_000 + offset
            head = {"type": "profiler", "frame": i + 1, "begin": begin, "end": begin + PERIOD, "dropped_frames": 0,
                    "dropped_scopes": 0, "first_string": len(frame["strings"]) if i else 0,
                    "strings": [] if i else frame["strings"], "threads": threads, "binary_size": size}
            text = json.dumps(head).encode()
            file.write(struct.pack(">II", 1, len(text)) + text + (number + ones * offset).to_bytes(size, "little"))
        return file.tell()
