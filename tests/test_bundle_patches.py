"""Patches over bundles: what they change, what streams do in them, and those that do not fit."""

import os
import shutil
import signal
import struct
import subprocess
import time
import unittest

from support_bundle import HAS_PLAYER, BundleFolder, with_player
from support_cuttle import LIMIT, ROOT, cuttle, folder_bytes, last_json, read, write
from support_png import Picture, difference, read_png, write_png

SIDE = 256
STREAM_BYTES = 4 * (SIDE * SIDE + SIDE * SIDE // 4)  # of two mips, uncompressed
HEADER_BYTES = 72  # of an archive


def checkers(path, phase):
    """Squares of two pixels: the third mip, the first that is no stream, is of one grey."""
    rows = [b"".join(b"\xff\xff\xff" if (x // 2 + y // 2 + phase) % 2 else b"\x00\x00\x00"
                     for x in range(SIDE)) for y in range(SIDE)]
    write_png(path, Picture(SIDE, SIDE, b"".join(rows)))


def write_bytes(path, content):
    with open(path, "wb") as file:
        file.write(content)


class PatchFolder(BundleFolder):
    def patch_over(self):
        """Makes a patch and lays it over the bundle; returns what is told of it."""
        patch = self.path("out", "patch")
        report = last_json(self.bundle("--against", self.target, "--json", target=patch).stdout)
        shutil.copytree(patch, self.target, dirs_exist_ok=True)
        return report

    def change_texture(self):
        texture = next(f for f in os.listdir(self.path("game", "textures")) if f.endswith(".png"))
        shutil.copy(os.path.join(ROOT, "core", "icon.png"), self.path("game", "textures", texture))

    def data(self, *parts):
        return os.path.join(self.target, "data", *parts)


class Patches(PatchFolder):
    @with_player
    def test_a_patch_changes_what_is_seen(self):
        self.bundle()
        before, _ = self.play()
        self.change_texture()
        report = self.patch_over()
        self.assertEqual([i["type"] for i in report["largest"]],
                         ["texture"] * len(report["largest"]))
        self.assertEqual(os.listdir(self.path("out", "patch")), ["data"])
        self.assertEqual(sorted(os.listdir(self.path("out", "patch", "data"))),
                         ["bundle", "catalog", "patch_0001.archive"])
        after, _ = self.play()
        self.assertTrue(before != after)
        fresh = self.path("out", "fresh")
        self.bundle(target=fresh)
        self.assertTrue(self.play(folder=fresh)[0] == after)


class Streams(PatchFolder):
    """A floor of checkers whose squares are in the streamed mips alone."""

    def setUp(self):
        super().setUp()
        self.png = self.path("game", "textures", "floor.png")
        checkers(self.png, 0)
        write(self.path("game", "textures", "floor.texture"),
              'source = "textures/floor.png"  quality = "uncompressed"\n')
        material = self.path("game", "materials", "floor.material")
        write(material, read(material).replace("[6 6]", "[1 1]"))

    def seen(self, folder=None):
        self.play(folder=folder)
        return read_png(self.path("picture.png"))

    @with_player
    def test_a_bundle_shows_the_mips_of_streams(self):
        self.bundle()
        seen = self.seen()
        picture = self.path("from_sources.png")
        cuttle("run", self.project, "--headless", "--frames", "3", "--fixed-dt", "0.016", "--size",
               "320x180", "--screenshot", picture, check=0)
        self.assertEqual(seen.pixels, read_png(picture).pixels)
        checkers(self.png, 1)
        other = self.path("out", "other")
        self.bundle(target=other)
        self.assertGreater(difference(seen, self.seen(other))[0], 10)

    @with_player
    def test_a_patch_of_a_stream_alone(self):
        self.bundle()
        before = self.seen()
        checkers(self.png, 1)
        report = self.patch_over()
        self.assertEqual([(i["type"], i["name"]) for i in report["largest"]],
                         [("texture", "textures/floor")])
        data = report["largest"][0]["bytes"] - STREAM_BYTES
        self.assertGreater(data, 0)
        self.assertLess(data, STREAM_BYTES // 8)
        after = self.seen()
        self.assertGreater(difference(before, after)[0], 10)
        fresh = self.path("out", "fresh")
        self.bundle(target=fresh)
        self.assertEqual(after.pixels, self.seen(fresh).pixels)

    @with_player
    def test_a_damaged_stream_leaves_the_small_mips(self):
        self.bundle()
        checkers(self.png, 1)
        self.patch_over()
        path = self.data("patch_0001.archive")
        archive = bytearray(read(path, "rb"))
        index_offset, = struct.unpack_from("<Q", archive, 32)
        archive[index_offset - 1] ^= 1  # streams come last
        write_bytes(path, archive)
        log = self.path("log.txt")
        process = subprocess.Popen(self.start("--log", log), stderr=subprocess.DEVNULL)
        end = time.monotonic() + LIMIT
        while "no_stream" not in (read(log) if os.path.exists(log) else ""):
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        self.assertIsNone(process.poll())  # it goes on
        process.send_signal(signal.SIGTERM)
        process.wait(LIMIT)
        self.assertRegex(read(log), r"stays without its stream: \S*/patch_0001\.archive: .* is damaged: "
                                   r".*no_stream")
        self.refuse("patch_0001.archive")  # a run of so many frames loads streams with their data


class Misfits(PatchFolder):
    """The game does not start and says why; without the patch it is as before."""

    def setUp(self):
        super().setUp()
        self.bundle()

    def make_patch(self, *options, against=None):
        """The data of a patch with another texture, which is not laid over anything."""
        self.change_texture()
        patch = self.path("out", "patch")
        self.bundle("--against", against or self.target, *options, target=patch)
        return os.path.join(patch, "data")

    def lay_over(self, patch):
        """Lays the data of a patch over the bundle; returns what takes it away again."""
        kept = {name: read(self.data(name), "rb") for name in os.listdir(self.data())}
        shutil.copytree(patch, self.data(), dirs_exist_ok=True)

        def take_away():
            for name in os.listdir(self.data()):
                os.remove(self.data(name))
            for name, content in kept.items():
                write_bytes(self.data(name), content)
        return take_away

    def test_against_a_bundle_of_another_platform(self):
        self.bundle("--platform", "windows")
        done = self.bundle("--platform", "linux", "--against", self.target, check=1,
                           target=self.path("out", "patch"))
        self.assertIn('for the platform "windows", expected "linux"', done.stderr)
        self.assertEqual(os.listdir(self.path("out")), ["mygame"])

    def test_of_nothing(self):
        done = self.bundle("--against", self.target, target=self.path("out", "patch"))
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "no resource is new or changed: the patch has only a catalog and a "
                                   "manifest")
        for table in ("package", "type", "largest"):
            self.assertFalse([line for line in lines if line.startswith(table)])
        self.assertEqual(sorted(os.listdir(self.path("out", "patch", "data"))), ["bundle", "catalog"])

    def test_against_a_bundle_of_another_source_platform(self):
        write(self.path("game", "settings.config"),
              read(self.path("game", "settings.config")) + '\nplatforms = ["mobile"]\n')
        linux, mobile = self.path("out", "linux"), self.path("out", "mobile")
        patch = self.path("out", "patch")
        self.bundle("--source-platform", "linux", target=linux)
        self.bundle("--source-platform", "mobile", target=mobile)
        for source, against, found in (("mobile", linux, "linux"), ("linux", mobile, "mobile")):
            done = self.bundle("--source-platform", source, "--against", against, check=1,
                               target=patch)
            self.assertIn(f'data/bundle: error: the bundle is refused: its source platform is '
                          f'"{found}", expected "{source}"', done.stderr)
            self.assertFalse(os.path.exists(patch))
        self.bundle("--source-platform", "mobile", "--against", mobile, target=patch)
        shutil.copytree(patch, mobile, dirs_exist_ok=True)  # the patch's manifest says it, too
        self.bundle("--source-platform", "mobile", "--against", mobile, target=self.path("out", "next"))

    def test_against_what_is_no_bundle_or_a_cut_one(self):
        patch = self.path("out", "patch")
        done = self.bundle("--against", self.path("nowhere"), check=1, target=patch)
        self.assertIn("nowhere", done.stderr)
        before = folder_bytes(self.target)
        content = read(self.data("base.archive"), "rb")
        for count in (0, HEADER_BYTES - 1, len(content) - 1):
            write_bytes(self.data("base.archive"), content[:count])
            done = self.bundle("--against", self.target, check=1, target=patch)
            self.assertRegex(done.stderr, r"base\.archive: error: cut: found")
        write_bytes(self.data("base.archive"), content)
        self.assertTrue(folder_bytes(self.target) == before)
        self.assertEqual(os.listdir(self.path("out")), ["mygame"])

    @with_player
    def test_of_another_platform(self):
        before, _ = self.play()
        base = self.path("out", "windows")
        self.bundle("--platform", "windows", target=base)
        patch = self.make_patch("--platform", "windows", against=base)
        take_away = self.lay_over(patch)
        self.refuse('for the platform "windows", expected "linux"')
        take_away()
        self.assertTrue(self.play()[0] == before)
        foreign = read(os.path.join(patch, "patch_0001.archive"), "rb")
        shutil.rmtree(os.path.dirname(patch))
        self.lay_over(self.make_patch())
        write_bytes(self.data("patch_0001.archive"), foreign)
        self.refuse('for another platform: found "windows", expected "linux"')

    @with_player
    def test_of_another_bundle(self):
        other = self.path("out", "other")
        shutil.copytree(self.target, other)
        write(self.path("game", "scripts", "more.lua"), "return 1\n")
        self.bundle()
        before, _ = self.play()
        take_away = self.lay_over(self.make_patch(against=other))
        self.refuse("from another bundle")
        take_away()
        self.assertTrue(self.play()[0] == before)

    def test_without_what_it_was_made_for(self):
        """A patch alone, and one for a patched bundle over one that is not."""
        first = os.path.dirname(self.make_patch())
        missing = "is missing, and the patch needs it; copy the patch over its bundle"
        done = self.bundle("--against", first, check=1, target=self.path("out", "none"))
        self.assertIn(f"{os.path.join(first, 'data', 'base.archive')}: error: this archive {missing}",
                      done.stderr)
        patched = self.path("out", "patched")
        shutil.copytree(self.target, patched)
        shutil.copytree(first, patched, dirs_exist_ok=True)
        write(self.path("game", "scripts", "more.lua"), "return 1\n")
        second = self.path("out", "second")
        self.bundle("--against", patched, target=second)
        shutil.copytree(second, self.target, dirs_exist_ok=True)
        done = self.bundle("--against", self.target, check=1, target=self.path("out", "none"))
        self.assertIn(f"{self.data('patch_0001.archive')}: error: this archive {missing}", done.stderr)
        if HAS_PLAYER:
            self.refuse(missing)

    @with_player
    def test_cut(self):
        before, _ = self.play()
        take_away = self.lay_over(self.make_patch())
        patched, _ = self.play()
        self.assertTrue(patched != before)
        for name, message in (("patch_0001.archive", "cut: found"), ("bundle", "truncated"),
                              ("catalog", "the catalog is damaged")):
            content = read(self.data(name), "rb")
            for count in (0, HEADER_BYTES // 3, len(content) - 1):
                write_bytes(self.data(name), content[:count])
                self.refuse(message)
            os.remove(self.data(name))
            self.refuse('the manifest "bundle" is missing' if name == "bundle" else f"/{name}")
            write_bytes(self.data(name), content)
        self.assertTrue(self.play()[0] == patched)
        take_away()
        self.assertTrue(self.play()[0] == before)


if __name__ == "__main__":
    unittest.main()
