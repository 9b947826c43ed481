#!/usr/bin/env python3
"""Makes the sample's sounds (WAV): `python3 tools/make_sounds.py`, from anywhere.

Needs nothing but Python 3, and takes some seconds. What it writes is the same each time and stands in
the repository, so only those who change the sounds run it.
"""

import argparse
import os

import sounds

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default=os.path.join(FOLDER, "sounds"),
                        help="where to write them (default: %(default)s)")
    sounds.write_all(parser.parse_args().folder)
