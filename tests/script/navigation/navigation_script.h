// navigation_script.h: a world with a navigation mesh for tests of its Lua. Include once in a program.
//
// The navigation levels/walks, of the level of that name, is a yard of 16 by 16 metres in tiles of 8 with a
// block from 6, 4 to 10, 7; a strip from y = 12 on in the area area2 (cost 3); a shed from 14, 14 that is an
// island, to which a link "jump" leads; its class is "walker". levels/bare has no navigation. Lua finds
// the globals of api_fixture.h, and Y, a level; M, its mesh; `walker(x, y)`, which spawns a unit with an
// agent of 2 m/s; `run(seconds)`; `near(a, b)`; `at(v)`, a vector as text, rounded to tenths.
#pragma once
#include "navigation/navigation_fixture.h"
#include "script/api_fixture.h"
#include "world/world_navigation.h"

static const char *const YARD_ROWS[] = {
    "................", "................", "................", "................",
    "......@@@@......", "......@@@@......", "......@@@@......", "................",
    "................", "................", "................", "................",
    "222222222222@@@@", "222222222222@@@@", "222222222222@@..", "222222222222@@..",
};

static inline ct_navigation_resource *make_script_yard(void) {
    static const ct_navigation_link link = {.id = {0x1234},
                                            .from = {11.5f, 10.5f, 0},
                                            .to = {15, 15, 0},
                                            .radius = 0.7f,
                                            .classes = 1,
                                            .flags = CT_NAVIGATION_LINK_BOTH_WAYS};
    ct_navigation_link named = link;
    named.id = ct_string_id32_of("l1");
    const float costs[10] = {1, 1, 3, 1, 1, 1, 1, 1, 1, 1};
    return navigation_fixture_make(&(navigation_fixture_desc){.rows = YARD_ROWS,
                                                              .width = 16,
                                                              .height = 16,
                                                              .tile_cells = 8,
                                                              .area_costs = costs,
                                                              .links = &named,
                                                              .num_links = 1});
}

// Loads the navigation `name`; frees it.
static inline void load_script_navigation(const char *name, ct_navigation_resource *blob) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[2048];
    ct_error error = {0};
    ct_resource_file_name(ct_resource_id_of("navigation", name), file_name);
    snprintf(path, sizeof(path), "%s/%s", f.world.folder, file_name);
    if (!ct_file_write(path, blob, blob->header.size_bytes, false, &error) ||
        !ct_resource_manager_load_now(f.world.resources, "navigation", name, &error))
        fail_msg("%s", error.message);
    free(blob);
}

// Loads a level of one unit, with navigation of its name or without.
static inline void load_walks(const char *name, bool has_navigation) {
    const ct_level_unit unit = {ct_string_id64_of("units/bare"), {1}, 0};
    level_navigation = has_navigation ? ct_string_id64_of(name) : (ct_string_id64){0};
    load_level(&f.world, name, bare_template, 1, &unit, 1, (ct_string_id64){0});
    level_navigation = (ct_string_id64){0};
}

// Loads units/walker, with an agent of 2 m/s.
static inline void load_script_walker(void) {
    static const template_entity entity = {CT_NO_PARENT, {{0, 0, 0}}, "walker", 0,
                                           false,        false,       false,    0};
    ct_navigation_agent_data data;
    ct_schema_defaults(&ct_navigation_agent_schema, &data);
    data.class_name = ct_string_id32_of("walker");
    data.speed = 2;
    template_agent = &data;
    load_unit(&f.world, "units/walker", &entity, 1);
    template_agent = NULL;
}

static inline int set_up_navigation(void **state) {
    set_up(state);
    load_script_navigation("levels/walks", make_script_yard());
    load_walks("levels/walks", true);
    load_walks("levels/bare", false);
    load_script_walker();
    run_lua(
        &f,
        "Y = World.load_level(W, 'levels/walks') M = Level.navigation_mesh(Y) "
        "function walker(x, y) return World.spawn_unit(W, 'units/walker', Vector3(x, y, 0)) end "
        "function run(seconds) "
        "  for i = 1, math.ceil(seconds * 60) do World.update(W, 1 / 60) end "
        "end "
        "function near(a, b) return math.abs(a - b) < 0.05 end "
        "function at(v) "
        "  if not v then return 'nil' end "
        "  local function n(x) return string.format('%g', math.floor(x * 10 + 0.5) / 10 + 0) end "
        "  return n(v.x) .. ' ' .. n(v.y) .. ' ' .. n(v.z) "
        "end "
        "function ats(list) "
        "  local t = {} for i, v in ipairs(list) do t[i] = at(v) end "
        "  return table.concat(t, ', ') "
        "end");
    return 0;
}

#define NAVIGATION_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_navigation, tear_down)
