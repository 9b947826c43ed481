"""The sample's sounds: wood that hits wood, footsteps, wind and music, as functions of time.

Impacts are sums of modes, sines that fade out, as those of a struck body; what scrapes and rustles is
filtered noise. Loops have no seam: what rings on at their end is added at their start. All random
numbers come from fixed seeds.
"""

import array
import math
import os
import random
import wave

PEAK = 10 ** (-3 / 20)  # -3 dB
TEMPO, BARS, BEATS = 100, 8, 4
MUSIC_RATE = 16000  # soft enough for it, and small
RATE = 24000
WIND_RATE = 16000
TURN = 2 * math.pi


# --- Files -------------------------------------------------------------------------------------------

def write(path, rate, *channels):
    """Writes channels of equal length as 16 bits, the loudest sample of all at PEAK."""
    loudest = max(max(abs(x) for x in channel) for channel in channels)
    scale = 32767 * PEAK / loudest
    samples = array.array("h")
    for frame in zip(*channels):
        samples.extend(int(round(x * scale)) for x in frame)
    with wave.open(path, "wb") as file:
        file.setnchannels(len(channels))
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())


# --- Parts -------------------------------------------------------------------------------------------

def silence(seconds, rate=RATE):
    return array.array("d", bytes(8 * round(seconds * rate)))


def add_mode(out, frequency, seconds, volume, at=0.0, rate=RATE):
    """Adds a sine that fades to a thousandth in `seconds`. It starts within half a millisecond."""
    first, decay = round(at * rate), 0.001 ** (1 / (seconds * rate))
    step, attack = TURN * frequency / rate, 0.0005 * rate
    level = volume
    for i in range(min(round(seconds * rate), len(out) - first)):
        out[first + i] += level * min(1, i / attack) * math.sin(step * i)
        level *= decay


def add_noise(out, rng, low, high, seconds, volume, at=0.0, rate=RATE):
    """Adds noise between two frequencies that fades to a thousandth in `seconds`."""
    first, decay = round(at * rate), 0.001 ** (1 / (seconds * rate))
    keep_low, keep_high = (1 - math.exp(-TURN * f / rate) for f in (low, high))
    slow = quick = 0.0
    level = volume
    for i in range(min(round(seconds * rate), len(out) - first)):
        noise = rng.uniform(-1, 1)
        quick += keep_high * (noise - quick)
        slow += keep_low * (quick - slow)
        out[first + i] += level * (quick - slow)
        level *= decay


def fade_end(out, seconds=0.02, rate=RATE):
    """Lets the last moments fade to nothing."""
    count = round(seconds * rate)
    for i in range(count):
        out[len(out) - 1 - i] *= i / count
    return out


# --- Impacts -----------------------------------------------------------------------------------------

# Modes of a beam whose ends are free, as factors of the lowest.
BEAM = (1, 2.757, 5.404, 8.933)


def wood(seed, hardness, seconds):
    """A hollow crate that is hit: the air in it, its boards, and the knock itself."""
    rng = random.Random(seed)
    out = silence(seconds)
    for frequency, ring, volume in ((92, 0.24, 0.55), (148, 0.22, 0.6), (231, 0.18, 0.6)):
        add_mode(out, frequency * rng.uniform(0.92, 1.08), ring, volume)
    board = rng.uniform(300, 380)
    for number, factor in enumerate(BEAM):
        volume = (0.4 + 0.8 * hardness) * (0.25 + 0.5 * hardness) ** number
        add_mode(out, board * factor * rng.uniform(0.97, 1.03), 0.22 / (1 + 0.7 * number), volume)
    add_noise(out, rng, 150, 700 + 5000 * hardness, 0.05, 0.6 + 0.8 * hardness)
    if hardness > 0.5:  # it rattles
        for at in (rng.uniform(0.05, 0.07), rng.uniform(0.1, 0.13)):
            add_noise(out, rng, 300, 3500, 0.03, 0.35, at)
            add_mode(out, board * 1.4, 0.1, 0.2, at)
    return fade_end(out)


def thump(seed):
    """Something heavy and soft on the ground: a tone that falls, and a little dirt."""
    rng = random.Random(seed)
    out = silence(0.5)
    phase = 0.0
    for i in range(len(out)):
        t = i / RATE
        phase += TURN * (48 + 70 * math.exp(-t * 22)) / RATE
        out[i] = min(1, t / 0.002) * math.exp(-t * 11) * math.sin(phase)
    add_noise(out, rng, 60, 900, 0.16, 0.9)
    return fade_end(out)


# --- Footsteps ---------------------------------------------------------------------------------------

def step_wood(seed):
    """A paw on a board: low, and short."""
    rng = random.Random(seed)
    out = silence(0.22)
    base = rng.uniform(150, 185)
    for factor, ring, volume in ((1, 0.14, 1), (2.3, 0.09, 0.5), (4.1, 0.05, 0.25)):
        add_mode(out, base * factor, ring, volume)
    add_noise(out, rng, 250, 2500, 0.025, 0.7)
    add_noise(out, rng, 900, 6000, 0.02, 0.25, rng.uniform(0.03, 0.045))  # a claw
    return fade_end(out)


def step_stone(seed):
    """A claw and a pad on stone: a tick, a little grit."""
    rng = random.Random(seed)
    out = silence(0.2)
    add_mode(out, rng.uniform(110, 130), 0.07, 0.5)
    for frequency in (1150, 1730, 2610):
        add_mode(out, frequency * rng.uniform(0.93, 1.07), 0.035, 0.3)
    add_noise(out, rng, 700, 5500, 0.03, 0.9)
    for _ in range(5):
        add_noise(out, rng, 1800, 7500, 0.015, rng.uniform(0.1, 0.25), rng.uniform(0.02, 0.11))
    return fade_end(out)


# --- Wind --------------------------------------------------------------------------------------------

def wind(seed, seconds=8):
    """A loop of wind: noise around a frequency that wanders as the strength does.

    Noise and wandering repeat after the loop's length, and the filters have gone through it once
    before they are heard, so the end leads into the start.
    """
    rng = random.Random(seed)
    count = seconds * WIND_RATE
    noise = [rng.uniform(-1, 1) for _ in range(count)]
    waves = [(k, rng.uniform(0, TURN), 1 / math.sqrt(k)) for k in (1, 2, 3, 5, 8, 13)]
    gust = array.array("d", bytes(8 * count))
    every = 16  # samples: it changes slowly
    for i in range(0, count, every):
        turn = TURN * i / count
        strength = 0.5 + 0.2 * sum(a * math.sin(k * turn + phase) for k, phase, a in waves)
        for j in range(i, i + every):
            gust[j] = min(max(strength, 0.08), 1)
    out = array.array("d", bytes(8 * count))
    low = band = rumble = 0.0
    for sounds in (False, True):
        for i in range(count):
            if i % every == 0:
                tune = 2 * math.sin(math.pi * (180 + 620 * gust[i]) / WIND_RATE)
            low += tune * band
            band += tune * (noise[i] - low - 0.5 * band)
            rumble += 0.05 * (noise[i] - rumble)
            if sounds:
                out[i] = gust[i] * (0.6 * band + 1.2 * rumble + 0.3 * low)
    return out


# --- Music -------------------------------------------------------------------------------------------

# A chord for two bars: the bass note and the pad's, as semitones above A2.
CHORDS = ((0, (12, 15, 19, 22)),    # Am7
          (-4, (8, 12, 15, 19)),    # F with a major seventh
          (3, (10, 15, 19, 22)),    # C
          (-2, (10, 14, 17, 19)))   # G6
BEAT = 60 / TEMPO


def hertz(semitones):
    return 110 * 2 ** (semitones / 12)


class Track:
    """Two channels that wrap around: what rings on at the end is heard at the start."""

    def __init__(self):
        self.count = round(BARS * BEATS * BEAT * MUSIC_RATE)
        self.left = array.array("d", bytes(8 * self.count))
        self.right = array.array("d", bytes(8 * self.count))

    def add(self, at, samples, pan=0.0):
        """Adds samples from `at` beats on. Pan is -1 for left to 1 for right, at equal power."""
        angle = (1 + pan) * math.pi / 4
        left, right, count = self.left, self.right, self.count
        gain_left, gain_right = math.cos(angle), math.sin(angle)
        place = round(at * BEAT * MUSIC_RATE) % count
        for sample in samples:
            left[place] += gain_left * sample
            right[place] += gain_right * sample
            place += 1
            if place == count:
                place = 0


def pad(frequency, seconds, volume):
    """A tone that swells and fades, with a slow beat of two that differ a little."""
    rise, fall = 0.9, 1.4
    count = round((seconds + fall) * MUSIC_RATE)
    a, b = TURN * frequency * 0.9985 / MUSIC_RATE, TURN * frequency * 1.0015 / MUSIC_RATE
    sine, result = math.sin, []
    for i in range(count):
        t = i / MUSIC_RATE
        envelope = min(1, t / rise, (seconds + fall - t) / fall)
        tone = sine(a * i) + sine(b * i) + 0.25 * sine(2 * a * i)
        result.append(volume * envelope * envelope * (3 - 2 * envelope) * tone)
    return result


def mallet(frequency, seconds, volume):
    """A bar of wood that is struck, as of a marimba: its fourth harmonic is gone at once."""
    out = silence(seconds, MUSIC_RATE)
    add_mode(out, frequency, seconds, volume, rate=MUSIC_RATE)
    add_mode(out, 4 * frequency, 0.3 * seconds, 0.3 * volume, rate=MUSIC_RATE)
    return fade_end(out, 0.01, MUSIC_RATE)


def bass(frequency, seconds, volume):
    """A soft string: a few harmonics, the higher the shorter."""
    out = silence(seconds, MUSIC_RATE)
    for harmonic, share in ((1, 1), (2, 0.45), (3, 0.2), (4, 0.08)):
        add_mode(out, frequency * harmonic, seconds / math.sqrt(harmonic), volume * share,
                 rate=MUSIC_RATE)
    return fade_end(out, 0.02, MUSIC_RATE)


def music_calm():
    """The base layer: chords, a bass, and a pulse."""
    track = Track()
    pulse_cache = {}
    for number, (root, notes) in enumerate(CHORDS):
        start = number * 2 * BEATS
        for place, note in enumerate(notes):
            track.add(start, pad(hertz(note), 2 * BEATS * BEAT, 0.11), (place - 1.5) * 0.4)
        for beat, length, volume in ((0, 1.6, 0.55), (2.5, 0.8, 0.35), (4, 1.6, 0.5), (7, 0.8, 0.3)):
            track.add(start + beat, bass(hertz(root), length, volume))
        for eighth in range(4 * BEATS):
            note = notes[0] if eighth % 2 else notes[2]
            if note not in pulse_cache:
                pulse_cache[note] = mallet(hertz(note), 0.5, 0.16)
            track.add(start + eighth / 2, pulse_cache[note], 0.35 if eighth % 2 else -0.35)
    return track


def music_moving(seed):
    """The second layer, for when much moves: runs of mallets, a drum and a shaker."""
    rng = random.Random(seed)
    track = Track()
    shakes, cache = [], {}
    for _ in range(4):
        shake = silence(0.12, MUSIC_RATE)
        add_noise(shake, rng, 3500, 7500, 0.09, 0.5, rate=MUSIC_RATE)
        shakes.append(shake)
    drum = silence(0.35, MUSIC_RATE)
    add_mode(drum, 62, 0.35, 0.45, rate=MUSIC_RATE)
    add_mode(drum, 118, 0.12, 0.3, rate=MUSIC_RATE)
    fade_end(drum, 0.02, MUSIC_RATE)
    order = (0, 2, 1, 3, 2, 3, 1, 2)
    for number, (_, notes) in enumerate(CHORDS):
        start = number * 2 * BEATS
        for sixteenth in range(8 * BEATS):
            if sixteenth % 8 in (3, 7) and sixteenth % 16 != 15:
                continue  # room to breathe
            note = notes[order[sixteenth % 8]] + (12 if sixteenth % 16 < 12 else 24)
            accent = 1 if sixteenth % 4 == 0 else 0.65
            if (note, accent) not in cache:
                cache[note, accent] = mallet(hertz(note), 0.55, 0.3 * accent)
            track.add(start + sixteenth / 4, cache[note, accent], 0.6 * math.sin(sixteenth * 0.9))
        for beat in range(2 * BEATS):
            track.add(start + beat, drum)
            track.add(start + beat + 0.5, shakes[rng.randrange(4)], 0.4)
            track.add(start + beat + 0.75, [0.5 * x for x in shakes[rng.randrange(4)]], -0.4)
    return track


# --- All ---------------------------------------------------------------------------------------------

def write_all(folder):
    """Writes all sounds into a folder, which is made when it is missing."""
    os.makedirs(folder, exist_ok=True)

    def path(name):
        return os.path.join(folder, name + ".wav")

    for i in (1, 2, 3):
        write(path(f"wood_soft_{i}"), RATE, wood(10 + i, 0.2, 0.45))
        write(path(f"wood_hard_{i}"), RATE, wood(20 + i, 0.9, 0.5))
        write(path(f"step_wood_{i}"), RATE, step_wood(30 + i))
        write(path(f"step_stone_{i}"), RATE, step_stone(50 + i))
    write(path("thump"), RATE, thump(60))
    write(path("wind"), WIND_RATE, wind(70))
    for name, track in (("music_calm", music_calm()), ("music_moving", music_moving(80))):
        write(path(name), MUSIC_RATE, track.left, track.right)
