"""Resource types of plugins in a running game: loading, hot reload, damaged data, rebuilt plugins."""

import os
import subprocess
import time
import unittest

from support_bundle import with_player
from support_cuttle import LIMIT, Game, cuttle, read, write
from support_plugin import PluginFolder

DIALOG = """
typedef struct dialog { float speed; } dialog;
static const cuttle_field fields[] = {
    {.name = "speed", .type = CUTTLE_FIELD_FLOAT, .offset = 0, .size_bytes = 4},
};
static const cuttle_schema schema = {.name = "dialog", .doc = "What people say.", .version = 1,
    .size_bytes = sizeof(dialog), .num_fields = 1, .fields = fields};
static const cuttle_log_api_1 *logs;
static const cuttle_resource_types_api_1 *types;

static bool validate(cuttle_plugin *self, const void *data, uint64_t size, cuttle_error *error) {
    const dialog *const d = data;
    return size == sizeof(dialog) && d->speed < 5 ? true
        : logs->set_error(error, "%d bytes, speed %g", (int)size, (double)d->speed);
}

static void loaded(cuttle_plugin *self, cuttle_id64 name, const void *data, uint64_t size) {
    const bool is_baker = name.value == types->name_id("dialogs/baker").value;
    const bool is_there = types->get(self, "dialog", name, &size) == data && size == sizeof(dialog);
    logs->info(self, "loaded %d %d %g", is_baker, is_there, (double)((const dialog *)data)->speed);
}

static void unloaded(cuttle_plugin *self, cuttle_id64 name, const void *data, uint64_t size) {
    logs->info(self, "unloaded %g %d", (double)((const dialog *)data)->speed,
               types->get(self, "dialog", name, NULL) == NULL);
}

static void reloaded(cuttle_plugin *self, cuttle_id64 name, const void *old, uint64_t old_size,
                     const void *data, uint64_t size) {
    logs->info(self, "reloaded %g to %g", (double)((const dialog *)old)->speed,
               (double)((const dialog *)data)->speed);
}

static const cuttle_resource_type type = {.name = "dialog", .version = VERSION, .schema = &schema,
    .validate = validate, .loaded = loaded, .unloaded = unloaded, .reloaded = reloaded};

#if VERSION > 1
static bool compile(cuttle_plugin *self, cuttle_compile *c, const void *source) {
    const cuttle_compiler_api_1 *const compiler = get_compiler();
    dialog d = *(const dialog *)source;
    d.speed *= VERSION;
    compiler->write(c, &d, sizeof(d), 4);
    return true;
}
#endif

static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    logs = get_api(CUTTLE_LOG_API, 1);
    types = get_api(CUTTLE_RESOURCE_TYPES_API, 1);
    return types->add(self, &type, error) && add_compiler(self, get_api, error);
}

static void finish(cuttle_plugin *self, bool is_replaced) {
    (void)is_replaced;
    logs->info(self, "shutdown");
}
"""

COMPILER = """
static const cuttle_compiler_api_1 *the_compiler;
static const cuttle_compiler_api_1 *get_compiler(void) { return the_compiler; }
static bool compile(cuttle_plugin *self, cuttle_compile *c, const void *source);
static bool add_compiler(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
#if VERSION > 1
    static const cuttle_compiler_type compiled = {.name = "dialog", .compile = compile};
    the_compiler = get_api(CUTTLE_COMPILER_API, 1);
    return !the_compiler || the_compiler->add(self, &compiled, error);
#else
    return true;
#endif
}
"""


class GameWithDialogs(PluginFolder):
    def setUp(self):
        super().setUp()
        self.add(1)
        self.dialog("baker", 2)
        package = os.path.join(self.project, "boot.package")
        write(package, read(package) + '\ndialog = ["*"]\n')

    def add(self, version):
        self.build("talk", COMPILER + DIALOG, f"-DVERSION={version}", "-DHAS_SHUTDOWN")

    def dialog(self, name, speed):
        self.source(f"dialogs/{name}.dialog", f"speed = {speed}\n")


class RunningGame(GameWithDialogs):
    def wait_for(self, game, text):
        start = time.monotonic()
        while text not in game.log():
            self.assertIsNone(game.process.poll(), game.log())
            self.assertLess(time.monotonic() - start, LIMIT, f"no {text}:\n{game.log()}")
            time.sleep(0.02)

    def run_frames(self, check=0):
        return cuttle("run", self.project, "--headless", "--frames", "5", "--size", "64x36",
                      check=check).stderr

    def test_resources_come_and_go_with_their_packages(self):
        log = self.run_frames()
        self.assertIn("loaded 1 1 2\n", log)
        self.assertLess(log.index("unloaded 2 1"), log.index("shutdown"))

    def test_data_that_the_plugin_refuses(self):
        self.dialog("baker", 7)
        log = self.run_frames(check=1)
        self.assertIn('refused dialog "dialogs/baker": 4 bytes, speed 7', log)
        self.assertNotIn("loaded", log)

    def test_saved_sources_are_reloaded(self):
        with Game(self.project) as game:
            self.wait_for(game, "loaded 1 1 2")
            self.dialog("baker", 3)
            self.wait_for(game, "reloaded 2 to 3")
            self.dialog("baker", 9)
            self.wait_for(game, "unloaded 3 1")
            self.assertIn("speed 9", game.log())
            self.dialog("baker", 4)
            self.wait_for(game, "loaded 1 1 4")

    def test_a_rebuilt_plugin_is_taken_by_workers_and_game(self):
        with Game(self.project) as game:
            self.wait_for(game, "loaded 1 1 2")
            self.add(2)
            self.wait_for(game, "reloaded talk")
            self.wait_for(game, "loaded 1 1 4")  # what the new compile function makes of 2
            self.dialog("baker", 1)
            self.wait_for(game, "reloaded 4 to 2")
            self.assertNotIn("error", game.log())

    def test_a_game_without_the_plugin_refuses_the_data(self):
        cuttle("compile", self.project, check=0)
        settings = os.path.join(self.project, "settings.config")
        text = read(settings)
        write(settings, text.split("\nplugins")[0] + "\n")
        self.assertIn('"dialog" is not a resource type', self.run_frames(check=1))


@with_player
class Bundle(GameWithDialogs):
    def setUp(self):
        super().setUp()
        self.target = self.path("out", "game")

    def bundle(self, check=0):
        return cuttle("bundle", self.project, "-o", self.target, check=check)

    def play(self, folder):
        done = subprocess.run([os.path.join(folder, "game"), "--headless", "--frames", "5", "--size",
                               "64x36"], capture_output=True, text=True, timeout=LIMIT)
        return done

    def test_the_player_loads_the_plugins_of_the_bundle(self):
        self.bundle()
        listed = read(os.path.join(self.target, "libraries.txt")).splitlines()
        self.assertRegex("\n".join(listed), r"(?m)^plugins/talk/talk\.so +plugin$")
        self.assertEqual(len([line for line in listed if line.startswith("libc.so.6 ")]), 1)
        self.assertEqual(sorted(os.listdir(os.path.join(self.target, "plugins", "talk"))), ["talk.so"])
        os.rename(self.project, self.project + "_away")
        moved = self.path("moved")
        os.rename(self.target, moved)
        done = self.play(moved)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("loaded 1 1 2", done.stderr)
        self.assertEqual(sorted(os.listdir(os.path.join(moved, "plugins", "talk"))), ["talk.so"])
        os.remove(os.path.join(moved, "plugins", "talk", "talk.so"))
        done = self.play(moved)
        self.assertIn("talk is left out", done.stderr)
        self.assertIn("unknown resource type; the plugin that adds it is not loaded", done.stderr)

    def test_a_bundle_with_plugins_is_replaced_and_one_with_other_files_is_not(self):
        self.bundle()
        self.bundle()
        write(os.path.join(self.target, "plugins", "talk", "notes.txt"), "mine")
        self.assertIn('found "plugins/talk/notes.txt" in it', self.bundle(check=1).stderr)

    def test_libraries_that_cannot_ship(self):
        self.use("talk", "data/talk.so")
        write(os.path.join(self.project, "data", "talk.so"), read(self.library("talk"), "rb"))
        self.assertIn("lies where the bundle has files of its own", self.bundle(check=1).stderr)
        self.use("talk")
        os.remove(self.library("talk"))
        self.assertIn("is not there: build the plugin", self.bundle(check=1).stderr)


if __name__ == "__main__":
    unittest.main()
