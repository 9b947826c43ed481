"""Files that somebody names for output, and paths that have no room."""

import os
import shutil
import subprocess
import threading
import unittest

from support_cuttle import BUILD, CUTTLE, TemporaryFolder, cuttle, read, write


class Outputs(TemporaryFolder):
    def setUp(self):
        super().setUp()
        write(self.path("a.unit"), "a = 1\n")
        write(self.path("b.unit"), "a = 2\n")

    def diff_to(self, output):
        return cuttle("diff", self.path("a.unit"), self.path("b.unit"), "--html", output)

    def picture_to(self, output):
        project = self.compiled_project()
        cuttle("run", project, "--headless", "--frames", "1", "--size", "32x32", "--screenshot",
               output, check=0)

    def test_a_link_that_is_named_stays(self):
        link = self.path("link.html")
        os.symlink("target.html", link)
        for _ in range(2):  # to nothing, then to a file
            self.diff_to(link)
            self.assertTrue(os.path.islink(link))
            self.assertIn("<html", read(self.path("target.html")))

    def test_a_device_that_is_named_stays(self):
        link = self.path("null")
        os.symlink("/dev/null", link)
        for name in ("/dev/null", link):
            self.diff_to(name)
            self.assertFalse(os.path.isfile("/dev/null"))
        self.picture_to("/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_a_pipe_that_is_named_is_written_to(self):
        pipe, got = self.path("pipe"), []
        os.mkfifo(pipe)

        def take():
            with open(pipe, "rb") as file:
                got.append(file.read())

        for write_to, expected in ((self.diff_to, b"<html"), (self.picture_to, b"\x89PNG")):
            reader = threading.Thread(target=take)
            reader.start()
            write_to(pipe)
            reader.join()
            self.assertIn(expected, got.pop())
        self.assertFalse(os.path.isfile(pipe))

    def test_what_a_killed_command_left_goes_with_the_next(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        left = self.path(f".{ended.pid:x}-7f00.tmp")
        living = self.path(f".{os.getpid():x}-7f00.tmp")
        for path in (left, living):
            write(path, "half")
        self.diff_to(self.path("out.html"))
        self.assertFalse(os.path.exists(left))
        self.assertTrue(os.path.exists(living))

    def test_paths_without_room_are_errors(self):
        long = "x" * 1024
        project = self.compiled_project()
        for command in (("run", "--no-compile"), ("run",), ("compile",), ("check",), ("packages",),
                        ("bundle", "-o", self.path("out"))):
            done = cuttle(command[0], project, *command[1:], "--data-dir", long, check=2)
            self.assertIn("the path of option --data-dir has 1024 bytes; expected at most 1023",
                          done.stderr)
        done = cuttle("compile", project, env={"CUTTLE_CORE": long}, check=1)
        self.assertIn("the path in CUTTLE_CORE has 1024 bytes; expected at most 1023", done.stderr)

    def test_nothing_is_left_beside_a_data_folder(self):
        project = self.compiled_project()
        os.mkdir(self.path("place"))
        data = self.path("place", "data")
        for _ in range(2):
            cuttle("run", project, "--headless", "--frames", "1", "--size", "32x32", "--data-dir",
                   data, check=0)
            self.assertEqual(os.listdir(self.path("place")), ["data"])
        self.assertIn("compiled 0", cuttle("compile", project, "--data-dir", data, check=0).stdout)

    def test_a_pipe_in_place_of_data_is_an_error(self):
        project = self.compiled_project()
        data = os.path.join(project, ".cuttle", "data", "linux")
        os.remove(os.path.join(data, "catalog"))
        os.mkfifo(os.path.join(data, "catalog"))
        done = cuttle("run", project, "--no-compile", "--headless", "--frames", "1", timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("catalog: it is a folder, a pipe, a socket or a device; expected a file",
                      done.stderr)

    def test_the_player_refuses_a_pipe_in_place_of_data(self):
        player = os.path.join(BUILD, "cuttle-player")
        if not os.path.exists(player):
            self.skipTest("there is no player in this build")
        data = self.path("data")
        shutil.copytree(os.path.join(self.compiled_project(), ".cuttle", "data", "linux"), data)
        os.remove(os.path.join(data, "catalog"))
        os.mkfifo(os.path.join(data, "catalog"))
        arguments = [player, "--data", data, "--headless", "--frames", "1"]
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("catalog: it is a folder, a pipe, a socket or a device; expected a file",
                      done.stdout + done.stderr)

    def test_the_player_without_a_display_names_headless(self):
        player = os.path.join(BUILD, "cuttle-player")
        if not os.path.exists(player):
            self.skipTest("there is no player in this build")
        data = os.path.join(self.compiled_project(), ".cuttle", "data", "linux")
        env = {name: value for name, value in os.environ.items()
               if name not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}
        done = subprocess.run([player, "--data", data, "--frames", "1"], capture_output=True,
                              text=True, timeout=60, env=env)
        self.assertEqual(done.returncode, 1)
        self.assertIn("`--headless` runs without a window", done.stdout + done.stderr)

    def test_pipes_that_are_named_as_input_are_read(self):
        text = ("%s diff <(printf 'a = 1\\n') %s" % (CUTTLE, self.path("b.unit")))
        done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, timeout=60)
        self.assertIn("a", done.stdout, done.stderr)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
