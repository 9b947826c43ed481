#!/usr/bin/env python3
"""Makes the sample's sounds (WAV): `python3 tools/make_sounds.py`, from anywhere.

Needs nothing but Python 3 and the crates sample beside this one, whose tools it uses. What it writes is
the same each time and is in the repository, so only those who change the sounds run it.
"""

import array
import math
import os
import random
import sys

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(FOLDER), "crates", "tools"))

import sounds
from sounds import TURN, add_mode, add_noise, fade_end

RATE = 16000


def silence(seconds):
    return sounds.silence(seconds, RATE)


def click(pitch):
    """A stone button that goes down or up."""
    out, rng = silence(0.25), random.Random(1)
    for factor, ring, volume in ((1, 0.12, 0.8), (2.76, 0.08, 0.5), (5.4, 0.05, 0.3)):
        add_mode(out, pitch * factor, ring, volume, rate=RATE)
    add_noise(out, rng, 300, 4000, 0.03, 0.8, rate=RATE)
    return fade_end(out, rate=RATE)


def slide():
    """A heavy leaf that slides over stone and stops."""
    out, rng = silence(1.1), random.Random(2)
    low = high = 0.0
    for i in range(round(0.85 * RATE)):
        t = i / RATE
        noise = rng.uniform(-1, 1)
        high += 0.25 * (noise - high)
        low += 0.03 * (high - low)
        grain = 0.75 + 0.25 * math.sin(TURN * 23 * t) * math.sin(TURN * 3.1 * t)
        out[i] = min(1, t / 0.05, (0.85 - t) / 0.08) * grain * (0.55 * (high - low) + 1.6 * low)
    add_mode(out, 74, 0.24, 0.9, 0.83, RATE)
    add_mode(out, 131, 0.18, 0.5, 0.83, RATE)
    return fade_end(out, rate=RATE)


def lever():
    """A rod of metal that is thrown over."""
    out, rng = silence(0.5), random.Random(3)
    add_noise(out, rng, 500, 5000, 0.08, 0.4, rate=RATE)
    for frequency, ring in ((412, 0.4), (1093, 0.3), (1866, 0.2), (2750, 0.12)):
        add_mode(out, frequency, ring, 0.4, 0.07, RATE)
    add_mode(out, 95, 0.15, 0.8, 0.07, RATE)
    return fade_end(out, rate=RATE)


def tones(notes, seconds, ring, volume=0.5):
    """Bells: notes are beats and semitones above A4."""
    out = silence(seconds)
    for at, note in notes:
        frequency = 440 * 2 ** (note / 12)
        for factor, share in ((1, 1), (2, 0.35), (3.01, 0.15), (4.2, 0.08)):
            add_mode(out, frequency * factor, ring / math.sqrt(factor), volume * share, at, RATE)
    return fade_end(out, 0.05, RATE)


def wrong():
    """Two low tones that rub against each other."""
    out = silence(0.7)
    for i in range(round(0.6 * RATE)):
        t = i / RATE
        envelope = min(1, t / 0.01, (0.6 - t) / 0.1) * (0.6 + 0.4 * (t % 0.3 < 0.22))
        out[i] = envelope * (math.sin(TURN * 116.5 * t) + math.sin(TURN * 123.5 * t) +
                             0.4 * math.sin(TURN * 349 * t))
    return out


def hum():
    """The lift's motor: whole periods in one second, so that the loop has no seam."""
    out = array.array("d", bytes(8 * RATE))
    for frequency, volume in ((55, 0.6), (110, 0.4), (165, 0.22), (331, 0.06), (496, 0.04)):
        for i in range(RATE):
            t = i / RATE
            out[i] += volume * (1 + 0.2 * math.sin(TURN * 7 * t)) * math.sin(TURN * frequency * t)
    return out


def all_sounds():
    return {
        "plate_down": click(190), "plate_up": click(260), "slide": slide(), "lever": lever(),
        "wrong": wrong(), "hum": hum(),
        "right": tones(((0, 3), (0.12, 7), (0.24, 10)), 1.2, 1.0),
        "fanfare": tones(((0, 3), (0.18, 3), (0.36, 7), (0.54, 10), (0.9, 7), (1.08, 15), (1.08, 10),
                          (1.08, 3)), 2.8, 1.6, 0.35),
    }


if __name__ == "__main__":
    for name, samples in all_sounds().items():
        sounds.write(os.path.join(FOLDER, "sounds", name + ".wav"), RATE, samples)
