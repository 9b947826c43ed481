#include "content/content_group.h"
#include "content/references/lua_references.h"

#include "content/move/mention_support.h"

static void finds_arguments_that_name_resources(void **state) {
    (void)state;
    expect_mentions("a.lua", "World.spawn_unit(w, \"u/a\", p) World.load_level(w, [[l/a]])",
                    "unit:u/a@1:21|level:l/a@1:51|");
    expect_mentions("a.lua", "World.spawn_unit(f(w, \"x\"), \"u/a\")", "?x@1:23|unit:u/a@1:29|");
    expect_mentions("a.lua", "Localizer(\"ui/menu\") Localizer \"ui/b\"",
                    "strings:ui/menu@1:11|strings:ui/b@1:32|");
    expect_mentions("a.lua", "stingray.World.spawn_unit(w, 'u')", "unit:u@1:30|");
    expect_mentions("a.lua", "PackageTransferWatcher.watch_specific_chunks('a', 'b', 'c')",
                    "package:a@1:46|package:b@1:51|package:c@1:56|");
    expect_mentions("a.lua", "Application.can_get('unit', 'u/a') Application.can_get(t, 'u/b')",
                    "?unit@1:21|unit:u/a@1:29|?u/b@1:59|");
}

static void finds_arguments_of_methods(void **state) {
    (void)state;
    expect_mentions("a.lua", "world:spawn_unit(\"u/a\", \"x\") self.world:spawn_unit 'u/b'",
                    "unit:u/a@1:18|unit:x@1:25|unit:u/b@1:52|");
    expect_mentions("a.lua", "units:spawn_unit('ball', 'u/a')", "unit:ball@1:18|unit:u/a@1:26|");
    expect_mentions("a.lua", "unit:set_material('slot', 'm/a')", "?slot@1:19|material:m/a@1:27|");
    expect_mentions("a.lua", "label:text('No name', 'big')", "?big@1:23|");
}

static void finds_what_may_be_left_out(void **state) {
    (void)state;
    expect_mentions("a.lua", "Gui.rect(g, p, s, c, 'm/a') Gui.bitmap(g, 'm/b', p, s)",
                    "material:m/a@1:22|material:m/b@1:43|");
    expect_mentions("a.lua", "Gui.text(g, 'No name', 'f/a', 9, '', p)", "font:f/a@1:24|");
}

static void follows_local_names(void **state) {
    (void)state;
    expect_mentions("a.lua",
                    "local World = stingray.World\nlocal spawn, n = World.spawn_unit, 5\n"
                    "spawn(w, 'u/a') World.spawn_unit(w, 'u/b')",
                    "unit:u/a@3:10|unit:u/b@3:37|");
    expect_mentions("a.lua", "local World = make() World.spawn_unit(w, 'u')", "?u@1:42|");
    expect_mentions("a.lua", "local W = World or {} W.spawn_unit(w, 'u')", "unit:u@1:39|");
    expect_mentions("a.lua", "local x, y y(w, 'u')", "?u@1:17|");
    expect_mentions("a.lua", "local a = \nlocal b = World.spawn_unit", "");
}

static void finds_required_scripts(void **state) {
    (void)state;
    expect_mentions("a.lua", "x = require \"s/a\"", "lua:s/a@1:5|");
    expect_mentions("a.lua", "function f() require('s/b') require 'ffi' require 'No' end",
                    "lua:s/b@1:14|");
}

static void tells_likely_names_apart(void **state) {
    (void)state;
    expect_mentions("a.lua", "x = { 'u/a', name = \"u/b\", \"No name\" } -- 'u/c'",
                    "?u/a@1:7|?u/b@1:21|");
    expect_mentions("a.lua", "World.spawn_unit(w, 'u/' .. x .. 'b', 'c')", "?c@1:39|");
    expect_mentions("a.lua", "World.spawn_unit(w, x or 'u/a') x.World.spawn_unit(w, 'u/b')",
                    "?u/a@1:26|?u/b@1:55|");
    expect_mentions("a.lua", "x().World.spawn_unit(w, 'a') y.spawn_unit(w, 'b')",
                    "?a@1:25|?b@1:46|");
}

static void survives_what_is_no_lua(void **state) {
    (void)state;
    expect_mentions("a.lua", "", "");
    expect_mentions("a.lua", "local", "");
    expect_mentions("a.lua", "local a, = , World.", "");
    expect_mentions("a.lua", "World.spawn_unit(w, \"u", "?u@1:21|");
    expect_mentions("a.lua", ")))]}'a'((([[", "?a@1:6|");
    expect_mentions("a.lua", "World.spawn_unit(", "");
    expect_mentions("a.lua", "'\\117'", "?u@1:1<\\117>|");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_arguments_that_name_resources),
        cmocka_unit_test(finds_arguments_of_methods),
        cmocka_unit_test(finds_what_may_be_left_out),
        cmocka_unit_test(follows_local_names),
        cmocka_unit_test(finds_required_scripts),
        cmocka_unit_test(tells_likely_names_apart),
        cmocka_unit_test(survives_what_is_no_lua),
    };
    return cmocka_run_group_tests(tests, content_group_setup, test_group_teardown);
}
