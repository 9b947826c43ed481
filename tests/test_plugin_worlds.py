"""Worlds in plugins of a running game: a plugin spawns 10,000 units with a component of its own, which
its step moves. Runs are the same, and libraries are replaced while the game runs."""

import os
import re
import shutil
import subprocess
import unittest

from support_cuttle import LIMIT, ROOT, Game, TemporaryFolder, cuttle, write

PLUGIN = r"""
#include <cuttle/component_types.h>
#include <cuttle/components.h>
#include <cuttle/data.h>
#include <cuttle/log.h>
#include <cuttle/memory.h>
#include <cuttle/plugin.h>
#include <cuttle/poses.h>
#include <cuttle/world.h>

#include <string.h>

#ifndef NUMBER
#define NUMBER 1
#endif
#ifndef FIELD
#define FIELD "speed"
#endif
enum { COUNT = 10000, BLOCK = 500 };

static const cuttle_log_api_1 *logger;
static const cuttle_memory_api_1 *memory;
static const cuttle_world_api_1 *world;
static const cuttle_poses_api_1 *poses;
static const cuttle_data_api_1 *data;
static const cuttle_components_api_1 *components;

typedef struct drift { float speed; float direction[3]; } drift;
static const cuttle_field fields[] = {
    {.name = FIELD, .type = CUTTLE_FIELD_FLOAT, .offset = offsetof(drift, speed),
     .size_bytes = 4, .doc = "How fast.", .unit = "m/s", .least = 0, .most = 100,
     .default_value = {2}},
    {.name = "direction", .type = CUTTLE_FIELD_VECTOR3, .offset = offsetof(drift, direction),
     .size_bytes = 12, .doc = "Where to.", .default_value = {0, 1, 0}},
};
static const cuttle_schema schema = {.name = "drift", .doc = "Drifts.", .version = 1,
    .size_bytes = sizeof(drift), .num_fields = 2, .fields = fields};
static const cuttle_component_type type = {.schema = &schema, .is_single = true};

static void run(cuttle_plugin *self, cuttle_world *w, double dt) {
    cuttle_components *const c = components->find(self, w, "drift", NULL);
    const uint32_t count = components->count(c);
    const cuttle_entity *const entities = components->entities(c);
    const float *const speed = components->column(c, "speed", CUTTLE_FIELD_FLOAT, NULL);
    const cuttle_vector3 *const to =
        components->column(c, "direction", CUTTLE_FIELD_VECTOR3, NULL);
    cuttle_vector3 at[BLOCK];
    for (uint32_t i = 0; i < count; i += BLOCK) {
        const uint32_t n = count - i < BLOCK ? count - i : BLOCK;
        poses->local_positions(self, w, entities + i, n, at);
        for (uint32_t k = 0; k < n; ++k) {
            at[k].x += to[i + k].x * speed[i + k] * (float)dt;
            at[k].y += to[i + k].y * speed[i + k] * (float)dt;
        }
        poses->set_local_positions(self, w, entities + i, n, at);
    }
}
static const cuttle_world_step step = {.name = "drift", .phase = "simulate", .run = run};

// The data of a world is the units that were spawned in it.
static void *started(cuttle_plugin *self, cuttle_world *w) {
    (void)w;
    uint32_t *const count = memory->allocate(self, 4, 0);
    *count = 0;
    return count;
}
static void ended(cuttle_plugin *self, cuttle_world *w, void *user) {
    logger->info(self, "a world ends after %u units, and has %u", *(uint32_t *)user,
                 world->units(self, w, NULL, 0));
    memory->free(self, user);
}
static void spawned(cuttle_plugin *self, cuttle_world *w, void *user, const cuttle_entity *units,
                    uint32_t count) {
    (void)self, (void)w, (void)units;
    *(uint32_t *)user += count;
}
static const cuttle_world_observer observer = {.name = "count", .world_started = started,
    .world_ended = ended, .units_spawned = spawned};

// Destroys the levels of a world that has a unit with the tag "raze".
static void raze(cuttle_plugin *self, cuttle_world *w) {
    const cuttle_id32 tag = world->id32("raze");
    cuttle_level levels[4];
    cuttle_entity found;
    if (!data->find_tagged(self, w, &tag, 1, NULL, 0, &found, 1))
        return;
    data->remove_tag(self, &found, 1, tag);
    for (uint32_t i = world->levels(self, w, levels, 4); i > 0; --i)
        world->destroy_level(self, w, levels[i - 1]);
}

// Fills each world that has a unit with the tag "seed".
static void update(cuttle_plugin *self, double dt) {
    static cuttle_vector3 at[COUNT];
    static cuttle_entity units[COUNT];
    static drift each[COUNT];
    cuttle_world *worlds[8];
    cuttle_error error = {0};
    const cuttle_id32 seed = world->id32("seed");
    const uint32_t count = world->worlds(self, worlds, 8);
    (void)dt;
    for (uint32_t i = 0; i < count && i < 8; ++i) {
        cuttle_entity found;
        raze(self, worlds[i]);
        if (!data->find_tagged(self, worlds[i], &seed, 1, NULL, 0, &found, 1))
            continue;
        data->remove_tag(self, &found, 1, seed);
        for (uint32_t k = 0; k < COUNT; ++k) {
            at[k] = (cuttle_vector3){(float)(k % 100), (float)(k / 100), 0};
            each[k] = (drift){(float)(k % 7), {1, 0.5f, 0}};
        }
        cuttle_components *const c = components->find(self, worlds[i], "drift", &error);
        if (!world->spawn_units(self, worlds[i], "units/pebble", at, NULL, NULL, COUNT, units,
                                &error) ||
            components->add(self, c, units, NULL, each, COUNT, &error) == CUTTLE_NO_ROW)
            logger->report(self, &error);
    }
}

static void reloaded(cuttle_plugin *self) {
    logger->info(self, "number %d runs", NUMBER);
}

static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    const cuttle_component_types_api_1 *const types = get_api(CUTTLE_COMPONENT_TYPES_API, 1);
    logger = get_api(CUTTLE_LOG_API, 1);
    memory = get_api(CUTTLE_MEMORY_API, 1);
    world = get_api(CUTTLE_WORLD_API, 1);
    poses = get_api(CUTTLE_POSES_API, 1);
    data = get_api(CUTTLE_DATA_API, 1);
    components = get_api(CUTTLE_COMPONENTS_API, 1);
    if (!types || !types->add(self, &type, error))
        return false;
    return !world || (world->add_step(self, &step, error) && // NULL in the compiler
                      world->add_observer(self, &observer, error));
}

static const cuttle_plugin_api_1 plugin = {.name = "swarm", .init = init, .reloaded = reloaded,
    .update = update};
CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version) {
    return strcmp(name, CUTTLE_PLUGIN_API) == 0 && version == 1 ? &plugin : NULL;
}
"""

MAIN = """
Game = Game or {}
function Game.make()
    Game.world = Application.new_world()
    Game.steps = 0
    local seed = World.spawn_unit(Game.world, "units/pebble")
    TagComponent.add_tag(EntityManager.tag_component(), seed, "seed")
end
function init()
    Game.make()
end
function update(dt)
    if not Game.world then return end
    World.update(Game.world, 1 / 60)
    Game.steps = Game.steps + 1
    if Game.steps == 30 then
        print("hash " .. World.state_hash(Game.world))
    end
end
function render() end
function shutdown()
    if Game.world then Application.release_world(Game.world) end
end
"""


class PluginWorlds(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        write(self.place("settings.config"), 'boot_script = "scripts/main"\n'
              'boot_package = "boot"\nplugins = { swarm = { linux = "plugins/swarm.so" } }\n')
        write(self.place("scripts", "main.lua"), MAIN)
        write(self.place("scripts", "pebble.lua"), "Pebbles = Pebbles or 0\nlocal P = {}\n"
              "function P.spawned(self) Pebbles = Pebbles + 1 end\nreturn P\n")
        write(self.place("units", "pebble.unit"),
              'components = [ { id = "a" type = "transform" }\n'
              '  { id = "b" type = "script" script = "scripts/pebble" } ]\n')
        self.build("swarm.so")

    def place(self, *parts):
        return os.path.join(self.project, *parts)

    def build(self, name, *options):
        """Compiles the plugin as its users do, and puts the library in its place at once."""
        write(self.path("swarm.c"), PLUGIN)
        compiled = self.path(name)
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-g",
                        "-I", os.path.join(ROOT, "include"), *options, self.path("swarm.c"), "-o",
                        compiled], check=True, timeout=LIMIT)
        if name == "swarm.so":
            self.use(name)

    def use(self, name):
        target = self.place("plugins", "swarm.so")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(self.path(name), target + ".new")
        os.replace(target + ".new", target)

    def run_frames(self, frames):
        done = cuttle("run", self.project, "--headless", "--size", "160x90", "--frames",
                      str(frames), "--fixed-dt", "0.0166667", check=0)
        return done.stdout + done.stderr

    def test_runs_are_the_same(self):
        hashes = set()
        for _ in range(2):
            log = self.run_frames(40)
            hashes.add(re.search(r"hash ([0-9a-f]{16})", log)[1])
            self.assertIn("a world ends after 10001 units, and has 0", log)
            self.assertNotIn("error", log.lower())
        self.assertEqual(len(hashes), 1)

    def wait_for(self, game, text, since=0):
        game.console.wait_for_message(lambda m: text in m.get("message", ""), since)

    def test_components_stay_over_twenty_reloads(self):
        for number in (2, 3):
            self.build(f"swarm{number}.so", f"-DNUMBER={number}")
        with Game(self.project) as game:
            console = game.console
            console.wait_until("World.num_units(Game.world)", "10001")
            console.wait_until("Pebbles", "10001")  # behaviours hear of what plugins spawn
            console.script("D = EntityManager.plugin_component(Game.world, 'drift')")
            self.assertEqual(console.script("PluginComponent.num_instances(D)"), "10000")
            console.script("E = PluginComponent.entities(D)[7] "
                           "PluginComponent.set_property_by_id(D, E, nil, 'speed', 50)")
            x = float(console.script("Unit.world_position(E, 1).x"))
            for i in range(20):
                since = len(console.messages)
                self.use(f"swarm{2 + i % 2}.so")
                self.wait_for(game, f"number {2 + i % 2} runs", since)
            self.assertEqual(console.script("PluginComponent.num_instances(D)"), "10000")
            self.assertEqual(console.script(
                "PluginComponent.get_property_by_id(D, E, nil, 'speed')"), "50")
            self.assertGreater(float(console.script("Unit.world_position(E, 1).x")), x)
            # Lua ends a world that the plugin has data of, and makes another.
            console.script("Application.release_world(Game.world) Game.world = nil")
            self.wait_for(game, "a world ends after 10001 units, and has 0")
            console.script("Game.make()")
            console.wait_until("World.num_units(Game.world)", "10001")
            self.assertEqual(game.quit(), 0)
            self.assertNotIn("has not freed", game.log())

    def test_levels_end_for_lua_as_well(self):
        with Game(self.project) as game:
            console = game.console
            console.wait_until("World.num_units(Game.world)", "10001")
            console.script("L = World.load_level(Game.world, 'levels/start')")
            self.assertEqual(console.script("World.num_level(Game.world)"), "1")
            console.script("TagComponent.add_tag(EntityManager.tag_component(), "
                           "World.units(Game.world)[1], 'raze')")
            console.wait_until("World.num_level(Game.world)", "0")
            told = console.script("tostring(select(2, pcall(Level.units, L)))")
            self.assertIn("destroyed Level", told)
            self.assertEqual(game.quit(), 0)

    def test_says_what_cannot_change(self):
        self.build("other.so", '-DFIELD="velocity"')
        with Game(self.project) as game:
            game.console.wait_until("World.num_units(Game.world)", "10001")
            self.use("other.so")
            self.wait_for(game, "swarm was not reloaded, the old one goes on: the component type "
                                '"drift" cannot change while the game runs: the field "velocity" '
                                'was "speed"')
            self.assertEqual(game.console.script("World.num_units(Game.world)"), "10001")
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
