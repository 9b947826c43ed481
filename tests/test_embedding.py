"""libcuttle as a program of its own finds it: installed, with its header and pkg-config's file. The
functions themselves are tested in tests/embed."""

import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

from support_bundle import with_player
from support_cuttle import (BUILD, LIMIT, ROOT, Console, TemporaryFolder, cuttle, read, write)
from support_display import DisplayTest
from support_plugins import build_plugin, list_plugins
from support_png import read_png

EXAMPLE = os.path.join(ROOT, "examples", "embedding")
DATA = os.path.join(BUILD, "scratch", "embed_data")

HOST = """
#include <cuttle/cuttle.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
%s
int main(void) {
    cuttle_engine_error error = {0};
    cuttle_engine_desc desc = {.desc_bytes = sizeof(desc), .data_folder = "%s"};
%s
    return 0;
}
"""

# A program in another language: steps an engine until it quits.
CTYPES_HOST = """
import ctypes, os, sys, time
library = ctypes.CDLL(sys.argv[1])

class Desc(ctypes.Structure):
    _fields_ = [("desc_bytes", ctypes.c_size_t), ("data_folder", ctypes.c_char_p),
                ("project_folder", ctypes.c_char_p), ("boot_script", ctypes.c_char_p),
                ("width", ctypes.c_uint32), ("height", ctypes.c_uint32),
                ("has_window", ctypes.c_bool), ("keeps_pictures", ctypes.c_bool),
                ("is_repeatable", ctypes.c_bool), ("fixed_step_seconds", ctypes.c_double),
                ("arguments", ctypes.c_void_p), ("num_arguments", ctypes.c_uint32),
                ("log", ctypes.c_void_p), ("log_user", ctypes.c_void_p), ("log_level", ctypes.c_int),
                ("has_console", ctypes.c_bool), ("console_port", ctypes.c_uint16),
                ("handles_crashes", ctypes.c_bool), ("validation", ctypes.c_bool)]

library.cuttle_engine_create.restype = ctypes.c_void_p
library.cuttle_engine_step.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p]
library.cuttle_engine_step.restype = ctypes.c_bool
library.cuttle_engine_send.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
library.cuttle_engine_receive.argtypes = [ctypes.c_void_p]
library.cuttle_engine_receive.restype = ctypes.c_char_p
library.cuttle_engine_destroy.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
library.cuttle_engine_exit_code.argtypes = [ctypes.c_void_p]
desc = Desc(desc_bytes=ctypes.sizeof(Desc), data_folder=sys.argv[2].encode(), has_console=True)
error = ctypes.create_string_buffer(4096)
engine = library.cuttle_engine_create(ctypes.byref(desc), error)
if not engine:
    sys.exit(error.value.decode())
while library.cuttle_engine_receive(engine):
    pass
library.cuttle_engine_send(
    engine, b'{"type": "script", "id": 1, "script": "Application.console_port()"}', None)
print(library.cuttle_engine_receive(engine).decode(), flush=True)
while library.cuttle_engine_step(engine, 1 / 60, None):
    time.sleep(0.005)
code = library.cuttle_engine_exit_code(engine)
library.cuttle_engine_destroy(engine, None)
sys.exit(code)
"""


def install(prefix):
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix, "--component", "library"],
                   check=True, timeout=LIMIT, stdout=subprocess.DEVNULL)


def compile_project():
    cuttle("compile", os.path.join(ROOT, "tests", "embed", "project"), "--data-dir", DATA, check=0)
    return DATA


class Installed(TemporaryFolder):
    """A test with libcuttle installed in `self.prefix`."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = os.path.join(BUILD, "scratch", "embed_prefix")
        shutil.rmtree(cls.prefix, True)
        install(cls.prefix)
        cls.data = compile_project()

    def host_environment(self):
        """Finds the library; a display only in a DisplayTest, which has one of its own."""
        shared = {key: value for key, value in os.environ.items()
                  if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        return {**shared, **getattr(self, "environment", {}), **getattr(self, "locale", {}),
                "PKG_CONFIG_PATH": os.path.join(self.prefix, "lib", "pkgconfig"),
                "LD_LIBRARY_PATH": os.path.join(self.prefix, "lib")}

    def run_tool(self, *arguments, **options):
        return subprocess.run(arguments, capture_output=True, text=True, timeout=LIMIT,
                              env=self.host_environment(), errors="replace", **options)

    def flags(self, *options):
        done = self.run_tool("pkg-config", *options, "cuttle", check=True)
        return done.stdout.split()

    def build_host(self, body, declarations="", before=()):
        """A program that runs `body` in main, linked with `before` and then with the library."""
        source, program = self.path("host.c"), self.path("host")
        write(source, HOST % (declarations, self.data, body))
        done = self.run_tool("cc", "-Wall", "-Werror", "-Wno-misleading-indentation", source, "-o", program, *before,
                             *self.flags("--cflags", "--libs"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def run_host(self, body, code=0, **options):
        done = self.run_tool(self.build_host(body, **options))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done


class Guide(Installed):
    def test_runs_as_it_is_written(self):
        page = read(os.path.join(ROOT, "docs", "embedding.md"))
        commands = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)[:1]
        self.assertEqual(len(commands), 1)
        os.makedirs(self.path("build"))
        os.symlink(BUILD, self.path("build", "release"))
        os.symlink(os.path.join(ROOT, "examples"), self.path("examples"))
        os.makedirs(self.path("samples"))
        os.rename(self.copy_sample(), self.path("samples", "crates"))
        lines = [line for line in commands[0].splitlines() if "cmake --build" not in line]
        done = self.run_tool("bash", "-e", "-c", "HOME=$PWD\n" + "\n".join(lines), cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r'received {"type":"result","id":1,"result":"\d\d+"}')
        picture = read_png(self.path("crates.png"))
        self.assertEqual((picture.width, picture.height), (640, 360))
        self.assertGreater(picture.num_colors(), 1000)

    def test_example_says_what_is_wrong(self):
        example = self.path("embedding")
        self.run_tool("cc", os.path.join(EXAMPLE, "main.c"), "-o", example,
                      *self.flags("--cflags", "--libs"), check=True)
        self.assertEqual(self.run_tool(example).returncode, 2)
        done = self.run_tool(example, "no_data", self.path("a.png"))
        self.assertEqual(done.returncode, 1)
        self.assertIn('the data folder "no_data" does not exist', done.stderr)
        done = self.run_tool(example, self.data, "/no/folder/a.png")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/no/folder/a.png", done.stderr)

    def test_example_has_fewer_than_150_lines(self):
        self.assertLess(len(read(os.path.join(EXAMPLE, "main.c")).splitlines()), 150)

    def test_example_builds_with_cmake(self):
        for step in (["-S", EXAMPLE, "-B", self.path("cmake"), f"-DCMAKE_PREFIX_PATH={self.prefix}"],
                     ["--build", self.path("cmake")]):
            done = self.run_tool("cmake", *step)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.run_tool(self.path("cmake", "embedding")).returncode, 2)


class Library(Installed):
    def test_header_needs_no_other(self):
        for compiler, language, standard in (("cc", "c", "c99"), ("cc", "c", "c11"),
                                             ("c++", "c++", "c++11")):
            done = self.run_tool(
                compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                "-fsyntax-only", *self.flags("--cflags"), "-", input="#include <cuttle/cuttle.h>\n")
            self.assertEqual(done.returncode, 0, f"{standard}: {done.stderr}")

    def test_installs_only_what_a_program_needs(self):
        found = {os.path.relpath(os.path.join(place, name), self.prefix)
                 for place, _, names in os.walk(self.prefix) for name in names}
        expected = {"include/cuttle/cuttle.h", "lib/pkgconfig/cuttle.pc", "lib/libcuttle.so",
                    "lib/libcuttle.so.0", "lib/libcuttle.so.0.1.0"}
        self.assertEqual(expected - found, set())
        self.assertEqual({name for name in found if "libcuttle" in name},
                         {name for name in expected if "libcuttle" in name})

    def test_version_is_that_of_the_header(self):
        self.run_host("""
            char version[32];
            snprintf(version, sizeof(version), "%d.%d.%d", CUTTLE_VERSION_MAJOR,
                     CUTTLE_VERSION_MINOR, CUTTLE_VERSION_PATCH);
            for (int i = 0; version[i] || cuttle_version()[i]; ++i)
                if (version[i] != cuttle_version()[i])
                    return 1;
            (void)desc;
            (void)error;
        """)
        self.assertEqual(self.flags("--modversion"),
                         [cuttle("version", check=0).stdout.split()[1]])

    def test_exports_only_its_own_functions(self):
        library = os.path.join(self.prefix, "lib", "libcuttle.so")
        listing = self.run_tool("nm", "-D", "--defined-only", library, check=True).stdout
        names = {line.split()[2].split("@")[0] for line in listing.splitlines()} - {"CUTTLE_0"}
        header = read(os.path.join(ROOT, "include", "cuttle", "cuttle.h"))
        declared = set(re.findall(r"(?m)^CUTTLE_API .*?\b(cuttle_\w+)\(", header))
        self.assertGreater(len(declared), 10)
        # ENet calls these of ours.
        for_enet = {name for name in names if name.startswith("enet_")}
        self.assertLessEqual(len(for_enet), 11)
        self.assertEqual(names - for_enet, declared)
        dynamic = self.run_tool("readelf", "-dW", library, check=True).stdout
        self.assertIn("[libcuttle.so.0]", dynamic)
        self.assertNotIn("TEXTREL", dynamic)


class Process(Installed):
    """What the library does to the process that it is in."""

    SIGNALS = """
        #include <string.h>
        static struct sigaction before[65];
        static int changed(int but) {
            int count = 0;
            for (int i = 1; i < 65; ++i) {
                struct sigaction now;
                if (i != but && sigaction(i, NULL, &now) == 0 && now.sa_handler != before[i].sa_handler) {
                    printf("signal %d has another handler\\n", i);
                    ++count;
                }
            }
            return count;
        }
    """
    REMEMBER = """
        for (int i = 1; i < 65; ++i)
            sigaction(i, NULL, &before[i]);
    """

    def test_leaves_signals_alone_but_the_profilers(self):
        self.run_host(self.REMEMBER + """
            cuttle_engine *engine = cuttle_engine_create(&desc, &error);
            if (!engine || !cuttle_engine_step(engine, 0.1, &error) || changed(SIGPROF))
                return 1;
            cuttle_engine_destroy(engine, NULL);
            return changed(0);
        """, declarations=self.SIGNALS)

    def test_reports_crashes_when_asked(self):
        body = """
            desc.handles_crashes = %s;
            cuttle_engine *engine = cuttle_engine_create(&desc, &error);
            cuttle_engine_destroy(engine, NULL);
            engine = cuttle_engine_create(&desc, &error);
            if (!engine)
                return 1;
            raise(SIGSEGV);
        """
        done = self.run_host(body % "true", code=-signal.SIGSEGV)
        self.assertIn("Segmentation fault", done.stderr)
        self.assertIn("build id", done.stderr)
        done = self.run_host(body % "false", code=-signal.SIGSEGV)
        self.assertNotIn("Segmentation fault", done.stderr)

    def test_logs_warnings_to_standard_error_unless_it_has_a_callback(self):
        body = """
            %s
            cuttle_engine *engine = cuttle_engine_create(&desc, &error);
            cuttle_engine_send(engine, "{type = 'x'}", NULL);
            cuttle_engine_send(engine, "{type = \\"script\\" script = \\"error('ouch')\\"}", NULL);
            cuttle_engine_step(engine, 0.1, &error);
            cuttle_engine_destroy(engine, NULL);
        """
        done = self.run_host(body % "")
        self.assertIn("ouch", done.stderr)
        self.assertEqual(done.stdout, "")
        done = self.run_host(body % "desc.log = note;", declarations="""
            static void note(void *user, cuttle_log_level level, const char *system, const char *text) {
                (void)user;
                if (level == CUTTLE_LOG_LEVEL_ERROR)
                    printf("%s says %s\\n", system, text);
            }
        """)
        self.assertIn("console says", done.stdout)
        self.assertIn("ouch", done.stdout)
        self.assertEqual(done.stderr, "")

    @unittest.skipUnless(os.path.exists("/usr/share/i18n/locales/de_DE"), "needs the package locales")
    def test_writes_numbers_the_same_in_every_locale(self):
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", self.path("de_DE.UTF-8")],
                       check=True, capture_output=True)
        self.locale = {"LOCPATH": self.folder, "LC_ALL": "de_DE.UTF-8"}
        done = self.run_host("""
            if (!setlocale(LC_ALL, ""))
                return 1;
            cuttle_engine *engine = cuttle_engine_create(&desc, &error);
            while (cuttle_engine_receive(engine)) {}
            cuttle_engine_send(engine, "{type = \\"script\\" id = 0.25"
                                       " script = \\"tostring(Vector3(0.5, 2, 2))\\"}", &error);
            const char *message = cuttle_engine_receive(engine);
            printf("%s %.1f\\n", message ? message : error.message, 0.5);
            cuttle_engine_destroy(engine, NULL);
            printf("%.1f\\n", 0.5);
        """, declarations="#include <locale.h>")
        self.assertIn('"id":0.25', done.stdout)
        self.assertIn('"result":"Vector3(0.5, 2, 2)"', done.stdout)
        self.assertEqual(re.findall(r"0,5", done.stdout), ["0,5", "0,5"])  # the program's own

    def test_refuses_another_lua(self):
        source, other = self.path("other.c"), self.path("libother.so")
        write(source, "int lua_gettop(void *L) { (void)L; return 0; }\n")
        self.run_tool("cc", "-shared", "-fPIC", source, "-o", other, check=True)
        done = self.run_host("""
            cuttle_engine *engine = cuttle_engine_create(&desc, &error);
            printf("%s\\n", error.message);
            return engine != NULL;
        """, before=["-Wl,--no-as-needed", other, f"-Wl,-rpath,{self.folder}"])
        self.assertIn("the program has another Lua", done.stdout)
        self.assertIn("libother.so", done.stdout)

    @with_player
    def test_plays_a_bundle(self):
        project, bundle = self.path("game"), self.path("bundle")
        shutil.copytree(os.path.join(ROOT, "tests", "embed", "project"), project)
        cuttle("bundle", project, "-o", bundle, check=0)
        done = self.run_host(f"""
            desc.data_folder = "{bundle}/data";
            cuttle_engine *engine = cuttle_engine_create(&desc, &error);
            if (!engine || !cuttle_engine_step(engine, 0.1, &error))
                return fprintf(stderr, "%s\\n", error.message);
            puts(cuttle_engine_receive(engine));
            cuttle_engine_destroy(engine, NULL);
        """)
        self.assertIn("greeting", done.stdout)

    def test_loads_plugins_without_a_project(self):
        project = self.path("project")
        shutil.copytree(os.path.join(ROOT, "tests", "embed", "project"), project)
        built = build_plugin(project, "greeter", """
            #include <cuttle/log.h>
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                const cuttle_log_api_1 *const log = get_api(CUTTLE_LOG_API, 1);
                (void)error;
                if (get_api("app", 1)) log->warning(self, "greeting", "hello");
                return true;
            }""")
        list_plugins(project, "greeter")
        cuttle("compile", project, "--data-dir", self.path("data"), check=0)
        os.makedirs(self.path("shipped", "plugins"))
        shutil.move(built, self.path("shipped", "plugins"))
        shutil.rmtree(project)
        body = """
    desc.data_folder = "%s";
    %s
    cuttle_engine *const engine = cuttle_engine_create(&desc, &error);
    puts(error.message);
    cuttle_engine_destroy(engine, NULL);
"""
        folder = self.path("shipped")
        done = self.run_host(body % (self.path("data"), f'desc.plugin_folder = "{folder}";'))
        self.assertIn("hello", done.stderr)
        # A program that was compiled before there was this member.
        before = f'desc.plugin_folder = "{folder}"; desc.desc_bytes = offsetof(cuttle_engine_desc, plugin_folder);'
        done = self.run_host(body % (self.path("data"), before))
        self.assertIn("the settings name plugins; they are left out", done.stderr)
        self.assertNotIn("hello", done.stderr)
        done = self.run_host(body % (self.path("data"), 'desc.plugin_folder = "/no/folder";'))
        self.assertIn('the plugin_folder "/no/folder" does not exist', done.stdout)

    def test_has_a_network(self):
        done = self.run_host("""
            cuttle_engine *engine = cuttle_engine_create(&desc, &error);
            while (cuttle_engine_receive(engine)) {}
            cuttle_engine_send(engine, "{\\"type\\": \\"script\\", \\"id\\": 1, \\"script\\": "
                "\\"Network.init_lan_client('net') return Network.peer_id()\\"}", &error);
            puts(cuttle_engine_receive(engine));
            cuttle_engine_destroy(engine, NULL);
        """)
        self.assertRegex(done.stdout, r'"result": ?"[0-9a-f]{16}"')

    def test_needs_a_display_for_a_window(self):
        done = self.run_host("""
            desc.has_window = true;
            cuttle_engine *engine = cuttle_engine_create(&desc, &error);
            printf("%s\\n", error.message);
            return engine != NULL;
        """)
        self.assertIn("there is no display", done.stdout)

    def test_is_loaded_by_other_languages_and_serves_the_console(self):
        host = subprocess.Popen(
            [sys.executable, "-c", CTYPES_HOST, os.path.join(self.prefix, "lib", "libcuttle.so"),
             self.data], env=self.host_environment(), stdout=subprocess.PIPE, text=True)
        self.addCleanup(host.stdout.close)
        self.addCleanup(host.kill)
        port = re.search(r'"result":"(\d+)"', host.stdout.readline())
        self.assertTrue(port)
        console = Console(int(port[1]))
        self.addCleanup(console.close)
        self.assertEqual(console.script("1 + 1"), "2")
        console.script("Application.quit(4)")
        self.assertEqual(host.wait(LIMIT), 4)


class Window(DisplayTest, Installed):
    def test_opens_a_window_of_its_own(self):
        picture = self.path("window.png")
        self.run_host(f"""
            desc.has_window = true;
            desc.keeps_pictures = true;
            desc.width = 200;
            desc.height = 100;
            cuttle_engine *engine = cuttle_engine_create(&desc, &error);
            for (int i = 0; i < 3; ++i)
                if (!engine || !cuttle_engine_step(engine, 0.1, &error))
                    return fprintf(stderr, "%s\\n", error.message);
            if (!cuttle_engine_write_png(engine, "{picture}", &error))
                return fprintf(stderr, "%s\\n", error.message);
            cuttle_engine_destroy(engine, NULL);
            engine = cuttle_engine_create(&desc, &error); // SDL starts again
            if (!engine || !cuttle_engine_step(engine, 0.1, &error))
                return fprintf(stderr, "%s\\n", error.message);
            cuttle_engine_destroy(engine, NULL);
        """)
        found = read_png(picture)
        self.assertEqual((found.width, found.height), (200, 100))
        self.assertEqual(found.pixel(50, 50), (0, 255, 0))

    def test_refuses_a_window_when_the_program_has_sdl(self):
        done = self.run_host("""
            if (SDL_Init(0x20) != 0) // video
                return 1;
            desc.has_window = true;
            cuttle_engine *engine = cuttle_engine_create(&desc, &error);
            printf("%s\\n", error.message);
            if (engine)
                return 1;
            desc.has_window = false;
            engine = cuttle_engine_create(&desc, &error);
            if (!engine || !cuttle_engine_step(engine, 0.1, &error))
                return 1;
            cuttle_engine_destroy(engine, NULL);
            SDL_Quit();
        """, declarations="int SDL_Init(unsigned flags); void SDL_Quit(void);", before=["-lSDL2"])
        self.assertIn("uses SDL itself", done.stdout)


if __name__ == "__main__":
    unittest.main()
