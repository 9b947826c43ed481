"""Recordings for tests: sines in WAV files."""

import math
import os
import struct
import wave


def write_sine(path, hertz=440, seconds=1.0, level=0.5, rate=48000, channels=1):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    samples = (round(32767 * level * math.sin(2 * math.pi * hertz * i / rate))
               for i in range(round(seconds * rate)))
    with wave.open(path, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(b"".join(struct.pack("<h", s) * channels for s in samples))
