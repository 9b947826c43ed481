#!/usr/bin/env python3
"""Writes a font with only some of another's characters, by hb-subset (package libharfbuzz-bin).

Without arguments it writes core's font, core/fonts/default.ttf, from Noto Sans (package
fonts-noto-core). For a font of your own, name the files and the characters:

    tools/subset_font.py IN.ttf OUT.ttf --unicodes 20-7E,A0-17F
    tools/subset_font.py IN.ttf OUT.ttf --text-file texts/menu.ja.strings

Kerning, ligatures, marks, joined letters and forms of languages stay; hinting, which Cuttle does not use, goes. The
same input gives the same bytes. Ship the licence of the font with it."""

import argparse
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTO = "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"

CORE = ",".join((
    "20-7E", "A0-17F",  # Latin: ASCII, Latin-1, extended A
    "18F", "192", "1A0-1A1", "1AF-1B0", "1CD-1DC", "1E6-1E7", "1FA-21B", "237", "259",
    "1E00-1EFF",        # Latin with more accents, as Vietnamese has
    "2B0-2DD", "300-338",  # modifiers, combining marks
    "370-3FF",          # Greek
    "400-52F",          # Cyrillic
    "2000-206F",        # punctuation
    "2070-209F",        # superscripts and subscripts
    "20A0-20CF",        # currencies
    "2100-214F",        # signs like letters
    "2150-215F",        # fractions
    "2190-21FF", "2200-22FF",  # arrows and mathematical signs
    "25CC", "FB00-FB06", "FFFC-FFFD"))

FEATURES = (
    "kern", "liga", "clig", "locl", "mark", "mkmk", "ccmp", "calt", "rlig",
    "isol", "init", "medi", "fina", "fin2", "fin3", "med2", "mset", "stch", "curs",  # joined letters
    "nukt", "akhn", "rphf", "rkrf", "pref", "blwf", "abvf", "half", "pstf", "vatu", "cjct",  # India
    "pres", "abvs", "blws", "psts", "haln", "dist", "abvm", "blwm",
    "ljmo", "vjmo", "tjmo")  # Korean syllables


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", default=NOTO)
    parser.add_argument("output", nargs="?", default=str(ROOT / "core/fonts/default.ttf"))
    parser.add_argument("--unicodes", help="code points and ranges in hexadecimal, by commas")
    parser.add_argument("--text-file", help="a file whose characters are kept")
    arguments = parser.parse_args()
    command = ["hb-subset", arguments.source, "--output-file=" + arguments.output, "--no-hinting",
               "--notdef-outline", "--name-IDs=0,1,2,3,4,5,6,7,13,14",
               "--layout-features=" + ",".join(FEATURES)]
    if arguments.text_file:
        command.append("--text-file=" + arguments.text_file)
    if arguments.unicodes or not arguments.text_file:
        command.append("--unicodes=" + (arguments.unicodes or CORE))
    subprocess.run(command, check=True)
    print(f"{arguments.output}: {pathlib.Path(arguments.output).stat().st_size} bytes")


if __name__ == "__main__":
    main()
