"""Plugins in a running game: the post's plugin, reloading, Lua, console commands, failures."""

import os
import re
import shutil
import subprocess
import time
import unittest

from support_cuttle import CUTTLE, IS_SANITIZED, LIMIT, Game, TemporaryFolder, read, rounds, write
from support_plugins import build_plugin, list_plugins

# The post's: Plugin.test(a, b).
TEST = """
#include <cuttle/log.h>
#include <cuttle/lua.h>
static const cuttle_lua_api_1 *lua;
static int test(lua_State *L) {
    lua->push_number(L, lua->check_number(L, 1) + lua->check_number(L, 2) + ADDED);
    return 1;
}
static int fails(lua_State *L) {
    return lua->argument_error(L, 1, "no %d", 7);
}
static const cuttle_lua_function functions[] = {
    {"test", test, "(a: number, b: number) -> number", "Adds two numbers."},
    {SECOND, fails, "(a: number) -> nil", "Fails."},
};
static const cuttle_lua_module module = {"Plugin", "Sums.", functions, 2};
static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    lua = get_api(CUTTLE_LUA_API, 1);
    return !lua || lua->add_module(self, &module, error);
}
"""

# Values of all kinds there and back, calls of scripts, commands.
ALL = """
#include <cuttle/console.h>
#include <cuttle/lua.h>
#include <stdio.h>
#include <stdlib.h>
static const cuttle_lua_api_1 *lua;
static const cuttle_console_api_1 *console;
static int echo(lua_State *L) {
    const int count = lua->count(L);
    for (int i = 1; i <= count; ++i)
        switch (lua->type(L, i)) {
        case CUTTLE_LUA_NIL: lua->push_nil(L); break;
        case CUTTLE_LUA_BOOLEAN: lua->push_boolean(L, lua->to_boolean(L, i)); break;
        case CUTTLE_LUA_NUMBER: lua->push_number(L, lua->to_number(L, i)); break;
        case CUTTLE_LUA_STRING: {
            size_t bytes;
            const char *const text = lua->to_string(L, i, &bytes);
            lua->push_string(L, text, bytes);
            break;
        }
        case CUTTLE_LUA_VECTOR2: lua->push_vector2(L, lua->check_vector2(L, i)); break;
        case CUTTLE_LUA_VECTOR3: lua->push_vector3(L, lua->check_vector3(L, i)); break;
        case CUTTLE_LUA_VECTOR4: lua->push_vector4(L, lua->check_vector4(L, i)); break;
        case CUTTLE_LUA_QUATERNION: lua->push_quaternion(L, lua->check_quaternion(L, i)); break;
        case CUTTLE_LUA_MATRIX4X4: {
            const cuttle_matrix4 m = lua->check_matrix(L, i);
            lua->push_matrix(L, &m);
            break;
        }
        case CUTTLE_LUA_UNIT: lua->push_unit(L, lua->check_unit(L, i, NULL)); break;
        case CUTTLE_LUA_TABLE:
            lua->push_table(L, 1, 1);
            lua->push_item(L, i, 1);
            lua->set_item(L, -2, 1);
            lua->push_member(L, i, "name");
            lua->set_member(L, -2, "name");
            break;
        default: lua->push_copy(L, i);
        }
    return count;
}
static int push_arguments(lua_State *L, void *user) {
    lua->push_number(L, *(int *)user);
    return 1;
}
static void take_results(lua_State *L, int count, void *user) {
    *(int *)user = count == 2 ? (int)lua->check_number(L, 1) + (int)lua->check_number(L, 2) : -count;
}
static bool call(cuttle_plugin *self, uint32_t num, const char *const *arguments,
                 cuttle_console_answer *answer, cuttle_error *error) {
    int value = num > 1 ? atoi(arguments[1]) : 0;
    (void)error;
    if (!lua->call(self, arguments[0], push_arguments, take_results, &value))
        console->print(answer, "no %s", arguments[0]);
    else
        console->print(answer, "%d", value);
    return true;
}
static bool refuse(cuttle_plugin *self, uint32_t num, const char *const *arguments,
                   cuttle_console_answer *answer, cuttle_error *error) {
    (void)self, (void)num, (void)arguments, (void)answer;
    snprintf(error->message, sizeof(error->message), "not today");
    return false;
}
static bool say(cuttle_plugin *self, uint32_t num, const char *const *arguments,
                cuttle_console_answer *answer, cuttle_error *error) {
    (void)num, (void)error;
    console->print(answer, console->send(self, arguments[0]) ? "sent" : "no JSON");
    return true;
}
static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    static const cuttle_lua_function functions[] = {{"echo", echo, "(values: any*) -> any*", "Echo."}};
    static const cuttle_lua_module module = {"All", "All.", functions, 1};
    static const cuttle_console_command commands[] = {
        {"FUNCTION [NUMBER]", "call Lua", 1, 2, call}, {"", "fails", 0, 0, refuse},
        {"JSON", "send it", 1, 1, say}};
    lua = get_api(CUTTLE_LUA_API, 1);
    console = get_api(CUTTLE_CONSOLE_API, 1);
    if (!lua) return true;
    return lua->add_module(self, &module, error) &&
           console->add_command(self, "call", &commands[0], error) &&
           console->add_command(self, "refuse", &commands[1], error) &&
           console->add_command(self, "say", &commands[2], error);
}
"""


def test_source(added=0, second="fails"):
    return f'#define ADDED {added}\n#define SECOND "{second}"\n{TEST}'


class Plugins(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()

    def wait(self, game, text):
        start = time.monotonic()
        while text not in game.log():
            self.assertLess(time.monotonic() - start, LIMIT, f"no {text!r} in\n{game.log()}")
            self.assertIsNone(game.process.poll(), game.log())
            time.sleep(0.01)

    def lua(self, game, script):
        return game.console.script(script)

    def command(self, game, *words):
        done = subprocess.run([CUTTLE, "console", f"127.0.0.1:{game.port}", *words],
                              capture_output=True, text=True, timeout=LIMIT)
        return done.returncode, (done.stdout + done.stderr).strip()

    def test_the_plugin_of_the_post(self):
        build_plugin(self.project, "test", test_source())
        list_plugins(self.project, "test")
        with Game(self.project) as game:
            self.assertEqual(self.lua(game, "Plugin.test(1, 2)"), "3")
            self.assertIn("Plugin.test: argument 2 (b): expected number, got string",
                          self.lua(game, "select(2, pcall(Plugin.test, 1, 'x'))"))
            self.assertIn("Plugin.fails: argument 1 (a): no 7",
                          self.lua(game, "select(2, pcall(Plugin.fails, 3))"))
            self.assertEqual(self.lua(game, "table.concat(PluginManager.loaded_plugins(), ' ')"),
                             "test")
            annotations = read(os.path.join(self.project, ".luals", "plugins.lua"))
            self.assertIn("---Adds two numbers.\n---@param a number\n---@param b number\n"
                          "---@return number\nfunction Plugin.test(a, b) end", annotations)
            self.assertEqual(game.quit(), 0)

    def test_reload_while_it_runs(self):
        build_plugin(self.project, "test", test_source())
        list_plugins(self.project, "test")
        with Game(self.project) as game:
            self.lua(game, "kept, second = Plugin.test, Plugin.fails")
            build_plugin(self.project, "test", test_source(100, "other"))
            self.wait(game, "reloaded test")
            self.assertEqual(self.lua(game, "kept(1, 2)"), "103")
            self.assertEqual(self.lua(game, "Plugin.fails"), "nil")
            self.assertIn("its plugin has ended, or does not have it any more",
                          self.lua(game, "select(2, pcall(second, 1))"))
            self.assertIn("no 7", self.lua(game, "select(2, pcall(Plugin.other, 1))"))
            # What does not compile is not there; what is half a file, or refuses, changes nothing.
            library = os.path.join(self.project, "plugins", "test.so")
            whole = read(library, "rb")
            with open(library, "wb") as file:
                file.write(whole[:len(whole) // 2])
            time.sleep(0.3)
            self.assertEqual(self.lua(game, "kept(1, 2)"), "103")
            build_plugin(self.project, "test", test_source(5, "not a name"))
            self.wait(game, "test was not reloaded, the old one goes on")
            self.wait(game, '"Plugin.not a name" is no name')
            self.assertEqual(self.lua(game, "kept(1, 2)"), "103")
            build_plugin(self.project, "test", test_source(7))
            self.wait_for(game, "kept(1, 2)", "10")
            self.assertEqual(game.quit(), 0)

    def wait_for(self, game, script, result):
        start = time.monotonic()
        while (found := self.lua(game, script)) != result:
            self.assertLess(time.monotonic() - start, LIMIT, f"{script} is {found}")

    def test_many_reloads_while_it_runs(self):
        libraries = [build_plugin(self.project, "test", test_source(i),
                                  library=self.path(f"{i}.so")) for i in range(2)]
        library = os.path.join(self.project, "plugins", "test.so")
        shutil.copy(libraries[0], library)
        list_plugins(self.project, "test")
        with Game(self.project) as game:
            self.lua(game, "kept = Plugin.test")
            for i in range(1, rounds(10, 1000) + 1):
                shutil.copy(libraries[i % 2], library + ".new")
                os.rename(library + ".new", library)
                self.lua(game, "PluginManager.reload_plugin('test')")
                self.assertEqual(self.lua(game, "kept(1, 2)"), str(3 + i % 2))
            code, text = self.command(game, "plugin", "test")
            self.assertIn(" 0 bytes, reloaded", text)
            copies = os.listdir(os.path.join(self.project, ".cuttle", "plugins"))
            self.assertEqual(len(copies), 1, copies)
            self.assertEqual(game.quit(), 0)
        self.assertEqual(os.listdir(os.path.join(self.project, ".cuttle", "plugins")), [])

    def test_values_calls_and_commands(self):
        build_plugin(self.project, "all", ALL)
        list_plugins(self.project, "all")
        with Game(self.project) as game:
            for value in ("nil", "true", "12.5", "'text'", "Vector2(1, 2)", "Vector3(1, 2, 3)",
                          "Vector4(1, 2, 3, 4)", "Quaternion(Vector3(0, 0, 1), 1)",
                          "Matrix4x4.from_translation(Vector3(1, 2, 3))", "Game.camera"):
                self.assertEqual(self.lua(game, f"tostring(All.echo({value}))"),
                                 self.lua(game, f"tostring({value})"))
            self.assertEqual(self.lua(game, "local t = All.echo({ 5, name = 'n' }) "
                                            "return t[1] .. t.name"), "5n")
            self.assertEqual(self.lua(game, "#{All.echo(1, 2, 3, print)}"), "4")
            self.lua(game, "Game.sum = function(x) return x, 2 end "
                           "Game.fail = function() error('oh') end")
            self.assertEqual(self.command(game, "plugin", "all", "call", "Game.sum", "40"), (0, "42"))
            self.assertEqual(self.command(game, "plugin", "all", "call", "Game.none.x"),
                             (0, "no Game.none.x"))
            self.assertEqual(self.command(game, "plugin", "all", "call", "Game.fail"),
                             (0, "no Game.fail"))
            self.wait(game, "oh")
            code, text = self.command(game, "plugin", "all", "refuse")
            self.assertEqual(code, 1)
            self.assertIn("not today", text)
            self.assertEqual(self.command(game, "plugin", "all", "say", "{ type = 'x' "),
                             (0, "no JSON"))
            self.assertEqual(self.command(game, "plugin", "all", "say", '{ "type": "x" }'),
                             (0, "sent"))
            for words, message in ((("cal",), 'did you mean "call"?'), (("call",), "FUNCTION [NUMBER]"),
                                   (("call", "a", "b", "c"), "wrong number of arguments (3)")):
                code, text = self.command(game, "plugin", "all", *words)
                self.assertEqual(code, 1)
                self.assertIn(message, text)
            self.assertIn("call FUNCTION [NUMBER]: call Lua", self.command(game, "plugin", "all")[1])
            self.assertIn("all: ", self.command(game, "plugin")[1])
            self.assertIn('there is no plugin "al"; did you mean "all"?',
                          self.command(game, "plugin", "al")[1])
            self.assertEqual(game.quit(), 0)

    def test_failures_leave_the_game_running(self):
        build_plugin(self.project, "good", test_source())
        build_plugin(self.project, "refuses", """
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                (void)self, (void)get_api;
                strcpy(error->message, "no wind today");
                return false;
            }""")
        build_plugin(self.project, "taken", test_source().replace('{"Plugin"', '{"World"'))
        list_plugins(self.project, "good", "refuses", "taken", "missing")
        with Game(self.project) as game:
            self.assertEqual(self.lua(game, "table.concat(PluginManager.loaded_plugins(), ' ')"),
                             "good")
            self.wait(game, "refuses is left out: no wind today")
            self.wait(game, 'there is already a global "World" in Lua')
            self.wait(game, "missing is left out: cannot read")
            self.assertEqual(game.quit(), 0)

    @unittest.skipIf(IS_SANITIZED, "sanitizers have the signals")
    def test_crashes(self):
        source = """
            static int *volatile nowhere;
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                (void)self, (void)get_api, (void)error;
                if (IN_INIT) *nowhere = 1;
                return true;
            }
            static void update(cuttle_plugin *self, double dt) {
                (void)self, (void)dt;
                *nowhere = 2;
            }"""
        build_plugin(self.project, "early", "#define IN_INIT 1\n" + source, ".init = init, .update = update")
        list_plugins(self.project, "early")
        with Game(self.project) as game:
            self.wait(game, "early is left out: its init failed: it crashed: Segmentation fault")
            self.assertRegex(game.log(), r"init \(.*early\.c:\d+\)")
            self.assertEqual(game.quit(), 0)
        build_plugin(self.project, "early", "#define IN_INIT 0\n" + source, ".init = init, .update = update")
        done = subprocess.run([CUTTLE, "run", self.project, "--headless", "--size", "16x16",
                               "--frames", "5"], capture_output=True, text=True, timeout=LIMIT)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("When running plugin: early\nSegmentation fault", done.stderr)
        self.assertTrue(re.search(r"update \(.*early\.c:\d+\)", done.stderr), done.stderr)

    @unittest.skipIf(IS_SANITIZED, "sanitizers have exit")
    def test_an_end_of_the_process_names_the_plugin(self):
        build_plugin(self.project, "early", """
            #include <stdlib.h>
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                (void)self, (void)get_api, (void)error;
                return true;
            }
            static void update(cuttle_plugin *self, double dt) {
                (void)self, (void)dt;
                exit(3);
            }""", ".init = init, .update = update")
        list_plugins(self.project, "early")
        done = subprocess.run([CUTTLE, "run", self.project, "--headless", "--size", "16x16",
                               "--frames", "5"], capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("error: exit(3) was called when running plugin: early", done.stderr)

    def test_plugins_of_the_settings_come_when_they_are_built(self):
        list_plugins(self.project, "test")
        with Game(self.project) as game:
            self.wait(game, "test is left out: cannot read")
            build_plugin(self.project, "test", test_source())
            self.wait_for(game, "Plugin and Plugin.test(1, 2)", "3")
            self.lua(game, "PluginManager.unload_plugin('test')")
            time.sleep(0.3)
            self.assertEqual(self.lua(game, "#PluginManager.loaded_plugins()"), "0")
            build_plugin(self.project, "test", test_source(10))
            self.wait_for(game, "Plugin.test and Plugin.test(1, 2)", "13")
            self.assertEqual(game.quit(), 0)

    def test_errors_of_lua_end_the_call(self):
        """A plugin whose function was left by an error does not run any more: it can be reloaded."""
        build_plugin(self.project, "test", test_source())
        list_plugins(self.project, "test")
        with Game(self.project) as game:
            self.assertEqual(self.lua(game, "pcall(Plugin.fails, 3) PluginManager.reload_plugin('test') "
                                            "return Plugin.test(1, 2)"), "3")
            self.assertEqual(game.quit(), 0)

    @unittest.skipIf(IS_SANITIZED, "sanitizers have the signals")
    def test_crashes_in_tasks_name_the_plugin(self):
        source = """
            #include <cuttle/tasks.h>
            static const cuttle_tasks_api_1 *tasks;
            static int *volatile nowhere;
            static void work(void *data) { (void)data; *nowhere = 2; }
            static void part(void *data, uint32_t begin, uint32_t end) { (void)begin, (void)end; work(data); }
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                (void)self, (void)error;
                tasks = get_api(CUTTLE_TASKS_API, 1);
                return true;
            }
            static void update(cuttle_plugin *self, double dt) {
                (void)dt, (void)part;
                CALL;
            }"""
        list_plugins(self.project, "early")
        for call in ('tasks->wait(self, tasks->add(self, "rake", work, NULL, (cuttle_task){0}))',
                     'tasks->add(self, "rake", work, NULL, (cuttle_task){0})',
                     'tasks->parallel_for(self, "rake", 1000, 1, part, NULL)'):
            build_plugin(self.project, "early", source.replace("CALL", call), ".init = init, .update = update")
            done = subprocess.run([CUTTLE, "run", self.project, "--headless", "--size", "16x16",
                                   "--frames", "100"], capture_output=True, text=True, timeout=LIMIT)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, r"When running plugin: early\nSegmentation fault", call)
            self.assertRegex(done.stderr, r"work \(.*early\.c:\d+\)", call)

    @unittest.skipIf(IS_SANITIZED, "sanitizers have the signals")
    def test_crashes_over_data_while_it_is_brought_in_are_refusals(self):
        source = """
            #include <cuttle/log.h>
            #include <cuttle/resource_types.h>
            static const cuttle_log_api_1 *logger;
            static int *volatile nowhere;
            typedef struct note { int32_t number; } note;
            static const cuttle_field fields[] = {{.name = "number", .type = CUTTLE_FIELD_INT,
                                                   .size_bytes = 4, .doc = "A number."}};
            static const cuttle_schema schema = {.name = "note", .doc = "A note.", .version = 1,
                .size_bytes = sizeof(note), .num_fields = 1, .fields = fields};
            static bool validate(cuttle_plugin *self, const void *data, uint64_t size, cuttle_error *error) {
                (void)self, (void)data, (void)size, (void)error;
                if (CRASH == 1) *nowhere = 1;
                return true;
            }
            static void loaded(cuttle_plugin *self, cuttle_id64 name, const void *data, uint64_t size) {
                (void)name, (void)size;
                if (CRASH == 2) *nowhere = 1;
                logger->info(self, "note %d", ((const note *)data)->number);
            }
            static const cuttle_resource_type type = {.name = "note", .version = 1, .schema = &schema,
                                                      .validate = validate, .loaded = loaded};
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                const cuttle_resource_types_api_1 *const types = get_api(CUTTLE_RESOURCE_TYPES_API, 1);
                logger = get_api(CUTTLE_LOG_API, 1);
                return types->add(self, &type, error);
            }"""

        def build(crash, folder):
            library = os.path.join(self.project, folder, "notes.so")
            build_plugin(self.project, "notes", f"#define CRASH {crash}\n{source}", library=library)

        build(0, "plugins")
        list_plugins(self.project, "notes")
        tried = os.path.join("plugins", "tried")  # the one of the settings would come when it changes
        os.makedirs(os.path.join(self.project, tried))
        write(os.path.join(self.project, "a.note"), "number = 7\n")
        package = os.path.join(self.project, "boot.package")
        write(package, read(package) + '\nnote = ["a"]\n')
        load = "PluginManager.load_relative_plugin('plugins/tried/notes.so')"
        with Game(self.project) as game:
            self.wait(game, "note 7")
            self.lua(game, "PluginManager.unload_plugin('notes')")
            for crash in (1, 2):
                build(crash, tried)
                told = self.lua(game, f"select(2, {load})")
                self.assertIn('the resource type "note": it crashed: Segmentation fault', told)
                self.assertEqual(self.lua(game, "#PluginManager.loaded_plugins()"), "0")
            build(0, tried)
            self.assertEqual(self.lua(game, load), "notes")
            self.assertEqual(game.log().count("note 7\n"), 2)
            self.assertEqual(game.quit(), 0)

    def test_modules_are_of_one_plugin(self):
        adding = """
            #include <cuttle/console.h>
            #include <cuttle/lua.h>
            static const cuttle_lua_api_1 *lua;
            static const cuttle_console_api_1 *console;
            static int count(lua_State *L) { lua->push_number(L, 1); return 1; }
            static const cuttle_lua_function added = {"NAME", count, "() -> number", "Counts."};
            static bool add(cuttle_plugin *self, uint32_t num, const char *const *arguments,
                            cuttle_console_answer *answer, cuttle_error *error) {
                (void)num, (void)answer;
                return lua->add_function(self, arguments[0], &added, error);
            }
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                static const cuttle_console_command command = {"MODULE", "adds NAME", 1, 1, add};
                lua = get_api(CUTTLE_LUA_API, 1);
                console = get_api(CUTTLE_CONSOLE_API, 1);
                return !lua || console->add_command(self, "add", &command, error);
            }"""
        build_plugin(self.project, "test", test_source())
        build_plugin(self.project, "one", adding.replace("NAME", "first"))
        build_plugin(self.project, "two", adding.replace("NAME", "second"))
        list_plugins(self.project, "test", "one", "two")
        with Game(self.project) as game:
            code, text = self.command(game, "plugin", "one", "add", "Plugin")
            self.assertEqual(code, 1)
            self.assertIn('the module "Plugin" is of the plugin "test"; choose another name', text)
            self.assertEqual(self.lua(game, "Plugin.first"), "nil")
            self.assertEqual(self.command(game, "plugin", "one", "add", "Shared")[0], 0)
            self.assertEqual(self.lua(game, "Shared.first()"), "1")
            code, text = self.command(game, "plugin", "two", "add", "Shared")
            self.assertEqual(code, 1)
            self.assertIn('the module "Shared" is of the plugin "one"', text)
            # Where its plugin has ended, it is free.
            self.lua(game, "PluginManager.unload_plugin('one')")
            self.assertEqual(self.command(game, "plugin", "two", "add", "Shared")[0], 0)
            self.assertEqual(self.lua(game, "Shared.second()"), "1")
            self.assertEqual(game.quit(), 0)

    def test_functions_that_lua_refuses_are_not_there(self):
        build_plugin(self.project, "one", """
            #include <cuttle/console.h>
            #include <cuttle/lua.h>
            static const cuttle_lua_api_1 *lua;
            static int count(lua_State *L) { lua->push_number(L, 1); return 1; }
            static const cuttle_lua_function functions[] = {
                {"first", count, "() -> number", "Counts."}, {"second", count, "() -> number", "Counts."}};
            static const cuttle_lua_module module = {"One", "Counts.", functions, 1};
            static bool add(cuttle_plugin *self, uint32_t num, const char *const *arguments,
                            cuttle_console_answer *answer, cuttle_error *error) {
                (void)num, (void)arguments, (void)answer;
                return lua->add_function(self, "One", &functions[1], error);
            }
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                static const cuttle_console_command command = {"", "adds", 0, 0, add};
                lua = get_api(CUTTLE_LUA_API, 1);
                const cuttle_console_api_1 *const console = get_api(CUTTLE_CONSOLE_API, 1);
                return !lua || (lua->add_module(self, &module, error) &&
                                console->add_command(self, "add", &command, error));
            }""")
        build_plugin(self.project, "test", test_source())
        list_plugins(self.project, "one", "test")
        annotations = os.path.join(self.project, ".luals", "plugins.lua")
        with Game(self.project) as game:
            self.lua(game, "setmetatable(One, { __newindex = function() error('no more') end })")
            code, text = self.command(game, "plugin", "one", "add")
            self.assertEqual(code, 1)
            self.assertIn("Lua refuses it: ", text)
            self.assertIn("no more", text)
            self.lua(game, "setmetatable(One, nil) PluginManager.unload_plugin('test')")
            self.wait_for_file(annotations, lambda text: "Plugin.test" not in text)
            self.assertIn("function One.first()", read(annotations))
            self.assertNotIn("One.second", read(annotations))
            self.assertEqual(self.command(game, "plugin", "one", "add")[0], 0)
            self.assertEqual(self.lua(game, "One.second()"), "1")
            self.assertEqual(game.quit(), 0)

    def test_calls_between_plugins_know_which_one_runs(self):
        source = """
            #include <cuttle/console.h>
            #include <cuttle/lua.h>
            static const cuttle_lua_api_1 *lua;
            static cuttle_plugin *me;
            static int num_right;
            static int mine(lua_State *L) { lua->push_boolean(L, lua->plugin(L) == me); return 1; }
            static int push(lua_State *L, void *user) { (void)user; num_right += lua->plugin(L) == me; return 0; }
            static void take(lua_State *L, int count, void *user) {
                (void)user;
                num_right += lua->plugin(L) == me;
                for (int i = 1; i <= count; ++i) num_right += lua->to_boolean(L, i);
                num_right += lua->plugin(L) == me;
            }
            static int fails(lua_State *L) {
                lua->call(me, "Game.nothing", push, take, NULL);
                num_right += lua->plugin(L) == me;
                return lua->error(L, "no");
            }
            static bool run(cuttle_plugin *self, uint32_t num, const char *const *arguments,
                            cuttle_console_answer *answer, cuttle_error *error) {
                (void)num, (void)answer, (void)error, num_right = 0;
                lua->call(self, arguments[0], push, take, NULL);
                console->print(answer, "%d", num_right);
                return true;
            }
            static const cuttle_lua_function functions[] = {{"mine", mine, "() -> boolean", "Its own."},
                                                            {"fails", fails, "() -> nil", "Fails."}};
            static const cuttle_lua_module module = {MODULE, "Calls.", functions, 2};
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                static const cuttle_console_command command = {"FUNCTION", "calls it", 1, 1, run};
                me = self;
                lua = get_api(CUTTLE_LUA_API, 1);
                console = get_api(CUTTLE_CONSOLE_API, 1);
                return !lua || (lua->add_module(self, &module, error) &&
                                console->add_command(self, "run", &command, error));
            }""".replace("static cuttle_plugin *me;", "static cuttle_plugin *me;\n"
                         "static const cuttle_console_api_1 *console;")
        build_plugin(self.project, "one", source.replace("MODULE", '"One"'))
        build_plugin(self.project, "two", source.replace("MODULE", '"Two"'))
        list_plugins(self.project, "one", "two")
        with Game(self.project) as game:
            self.lua(game, "Game.cross = function() pcall(Two.fails) "
                           "local routine = coroutine.wrap(function() coroutine.yield(Two.mine()) end) "
                           "return One.mine(), Two.mine(), routine(), (not pcall(Two.fails)) end")
            self.assertEqual(self.command(game, "plugin", "one", "run", "Game.cross"), (0, "7"))
            self.assertEqual(game.quit(), 0)

    def test_plugins_cannot_change_while_one_is_loaded(self):
        build_plugin(self.project, "test", test_source())
        build_plugin(self.project, "late", """
            #include <cuttle/lua.h>
            #include <cuttle/world.h>
            static const cuttle_lua_api_1 *lua;
            static const char *const calls[][2] = {
                {"PluginManager.load_relative_plugin", "plugins/other.so"},
                {"PluginManager.reload_plugin", "test"}, {"PluginManager.unload_plugin", "test"}};
            static int push(lua_State *L, void *user) {
                const char *const text = user;
                lua->push_string(L, text, strlen(text));
                return 1;
            }
            static void take(lua_State *L, int count, void *user) {
                (void)user;
                cuttle_plugin *const self = lua->plugin(L);
                if (count != 2 || !strstr(lua->to_string(L, 2, NULL), "not while"))
                    lua->error(L, "it was loaded by %p", (void *)self);
            }
            static void *world_started(cuttle_plugin *self, cuttle_world *w) { (void)self, (void)w; return NULL; }
            static void world_ended(cuttle_plugin *self, cuttle_world *w, void *data) {
                (void)w, (void)data;
                lua->call(self, calls[2][0], push, NULL, (void *)calls[2][1]);
            }
            static const cuttle_world_observer observer = {"late", world_started, world_ended,
                                                           NULL, NULL, NULL, NULL};
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                const cuttle_world_api_1 *const world = get_api(CUTTLE_WORLD_API, 1);
                lua = get_api(CUTTLE_LUA_API, 1);
                if (world && !world->add_observer(self, &observer, error))
                    return false;
                for (int i = 0; i < 3 && lua; ++i)
                    if (lua->call(self, calls[i][0], push, take, (void *)calls[i][1]) != (i == 0))
                        return false;
                return true;
            }""")
        list_plugins(self.project, "test", "late")
        with Game(self.project) as game:
            self.assertEqual(self.lua(game, "table.concat(PluginManager.loaded_plugins(), ' ')"), "test late")
            refused = "not while plugins are being loaded, reloaded or unloaded"
            self.assertEqual(game.log().count(refused), 2)
            self.lua(game, "PluginManager.unload_plugin('late')") # all worlds end for it
            self.assertEqual(game.log().count(refused), 3)
            self.assertEqual(self.lua(game, "table.concat(PluginManager.loaded_plugins(), ' ')"), "test")
            self.assertEqual(game.quit(), 0)

    def wait_for_file(self, path, is_right):
        start = time.monotonic()
        while not is_right(read(path)):
            self.assertLess(time.monotonic() - start, LIMIT, read(path))
            time.sleep(0.01)

    def test_folders_and_manager(self):
        os.makedirs(os.path.join(self.project, "plugins", "auto"))
        with Game(self.project) as game:
            self.lua(game, "PluginManager.add_hot_reload_directory('plugins/auto')")
            built = build_plugin(self.project, "test", test_source(), library=self.path("test.so"))
            shutil.copy(built, os.path.join(self.project, "plugins", "auto", "libtest.so"))
            self.wait_for(game, "#PluginManager.loaded_plugins()", "1")
            self.assertEqual(self.lua(game, "Plugin.test(1, 1)"), "2")
            self.lua(game, "PluginManager.remove_hot_reload_directory('plugins/auto')")
            self.lua(game, "PluginManager.unload_plugin('test')")
            self.assertEqual(self.lua(game, "Plugin.test"), "nil")
            self.assertEqual(
                self.lua(game, "PluginManager.load_relative_plugin('plugins/auto/libtest.so')"), "test")
            self.assertIn("is there already",
                          self.lua(game, "select(2, PluginManager.load_relative_plugin("
                                         "'plugins/auto/libtest.so'))"))
            for call, message in (
                    ("PluginManager.load_relative_plugin, '../x.so'", "expected a path in the project"),
                    ("PluginManager.load_plugin, '/x.so'", "lua = { unsafe = true }"),
                    ("PluginManager.unload_plugin, 'wind'", 'there is no plugin "wind"'),
                    ("PluginManager.add_hot_reload_directory, '/tmp'", "expected a folder in the project"),
                    ("PluginManager.add_hot_reload_directory, 'nothing'", "nothing"),
                    ("PluginManager.remove_hot_reload_directory, 'x'", "is not watched")):
                self.assertIn(message, self.lua(game, f"select(2, pcall({call}))"))
            self.assertEqual(game.quit(), 0)

    def test_a_plugin_cannot_end_while_it_runs(self):
        build_plugin(self.project, "all", ALL)
        list_plugins(self.project, "all")
        with Game(self.project) as game:
            self.lua(game, "Game.unload = function() "
                           "PluginManager.unload_plugin('all') return 1, 2 end "
                           "Game.reload = function() PluginManager.reload_plugin('all') end")
            self.assertEqual(self.command(game, "plugin", "all", "call", "Game.unload"),
                             (0, "no Game.unload"))
            self.wait(game, 'the plugin "all" runs at this moment')
            self.command(game, "plugin", "all", "call", "Game.reload")
            self.assertEqual(self.lua(game, "#PluginManager.loaded_plugins()"), "1")
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
