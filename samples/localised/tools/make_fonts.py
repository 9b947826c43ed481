#!/usr/bin/env python3
"""Makes the fonts of Arabic and Japanese: `python3 tools/make_fonts.py`, from anywhere.

Needs hb-subset and the whole fonts: Debian packages libharfbuzz-bin, fonts-noto-core and
fonts-droid-fallback. Run it when a text in Japanese gets a new kanji; the Arabic font has all letters.
The same fonts and texts give the same files."""

import pathlib
import subprocess
import sys

SAMPLE = pathlib.Path(__file__).resolve().parent.parent
SUBSET = SAMPLE.parent.parent / "tools" / "subset_font.py"
FONTS = pathlib.Path("/usr/share/fonts/truetype")

ARABIC = "20,A0,AB,BB,600-6FF,200C-200F,2010-2011,25CC"
KANA = "3000-303F,3040-30FF,FF01-FF5E"  # with punctuation


def make(source, name, unicodes):
    subprocess.run([sys.executable, SUBSET, FONTS / source, SAMPLE / "fonts" / name,
                    "--unicodes", unicodes], check=True)


def characters_of(path):
    """The code points of a file from U+2E80, where CJK starts, as a list for subset_font.py."""
    text = path.read_text(encoding="utf-8")
    return ",".join(f"{ord(c):X}" for c in sorted(set(text)) if ord(c) >= 0x2E80)


if __name__ == "__main__":
    make("noto/NotoSansArabic-Regular.ttf", "arabic.ttf", ARABIC)
    make("droid/DroidSansFallbackFull.ttf", "japanese.ttf",
         KANA + "," + characters_of(SAMPLE / "strings" / "stand.ja.strings"))
