"""WAV files for tests."""

import math
import struct


def wav(num_frames, rate=48000, num_channels=1, hertz=440):
    """The bytes of a sine of 16 bits at half volume, the same in all channels."""
    frames = b"".join(struct.pack("<h", round(16384 * math.sin(2 * math.pi * hertz * i / rate))) * num_channels
                      for i in range(num_frames))
    form = struct.pack("<HHIIHH", 1, num_channels, rate, rate * num_channels * 2, num_channels * 2, 16)
    body = b"WAVE" + b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(frames)) + frames
    return b"RIFF" + struct.pack("<I", len(body)) + body
