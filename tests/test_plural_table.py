"""The table of plural rules is the one that its script makes of Unicode's CLDR."""

import os
import subprocess
import sys
import unittest

SOURCE = os.environ.get("CUTTLE_SOURCE") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = "/usr/share/unicode/cldr/common/supplemental/plurals.xml"


class PluralTable(unittest.TestCase):
    @unittest.skipUnless(os.path.exists(DATA), "the package unicode-cldr-core is not installed")
    def test_table_is_that_of_the_data(self):
        made = subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "make_plural_table.py")],
                              capture_output=True, text=True, check=True).stdout
        with open(os.path.join(SOURCE, "src/compiler/strings/plural_table.c"), encoding="utf-8") as f:
            self.assertEqual(f.read(), made, "run tools/make_plural_table.py")


if __name__ == "__main__":
    unittest.main()
