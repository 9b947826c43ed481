#!/usr/bin/env python3
"""Makes the sample's textures (PNG) and models (glTF): `python3 tools/make_assets.py`, from anywhere.

Needs nothing but Python 3. What it writes is the same on every machine and stands in the repository,
so only those who change the assets run it.
"""

import os

import fox
import models
import particles
import textures

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

if __name__ == "__main__":
    models.write_all(os.path.join(FOLDER, "models"))
    fox.write_all(os.path.join(FOLDER, "models"))
    textures.write_all(os.path.join(FOLDER, "textures"))
    particles.write_all(os.path.join(FOLDER, "textures"), ["puff"])
