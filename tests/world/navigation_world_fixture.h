// navigation_world_fixture.h: levels with navigation, and units with agents, over world_fixture.h. Include once
// in a program.
#pragma once
#include "world/world_fixture.h"

#include "foundation/math/math.h"
#include "navigation/navigation_fixture.h"
#include "world/world_navigation.h"

// Writes a navigation blob where the fixture's resources are; frees it. It is loaded, or loaded again.
static inline void write_navigation(world_fixture *f, const char *name,
                                    ct_navigation_resource *blob) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[2048];
    ct_error error = {0};
    ct_resource_file_name(ct_resource_id_of("navigation", name), file_name);
    snprintf(path, sizeof(path), "%s/%s", f->folder, file_name);
    if (!ct_file_write(path, blob, blob->header.size_bytes, false, &error))
        fail_msg("%s", error.message);
    free(blob);
}

static inline void load_navigation(world_fixture *f, const char *name,
                                   ct_navigation_resource *blob) {
    ct_error error = {0};
    write_navigation(f, name, blob);
    if (!ct_resource_manager_load_now(f->resources, "navigation", name, &error))
        fail_msg("%s", error.message);
}

static const char *const NAVIGATION_YARD[] = {
    "................", "................", "................", "................",
    "......@@@@......", "......@@@@......", "......@@@@......", "................",
    "................", "................", "................", "................",
    "................", "................", "................", "................",
};

// A yard of 16 by 16 metres with a block in it, z = 0.
static inline ct_navigation_resource *make_yard(void) {
    return navigation_fixture_make(
        &(navigation_fixture_desc){.rows = NAVIGATION_YARD, .width = 16, .height = 16});
}

static inline ct_navigation_agent_data walker_data(void) {
    ct_navigation_agent_data data;
    ct_schema_defaults(&ct_navigation_agent_schema, &data);
    data.class_name = ct_string_id32_of("walker");
    return data;
}

// Writes and loads the unit "units/walker", with an agent.
static inline void load_walker(world_fixture *f, const ct_navigation_agent_data *data) {
    const template_entity entities[] = {
        {CT_NO_PARENT, {{0, 0, 0}}, "walker", 0, false, false, false, 0},
    };
    template_agent = data;
    load_unit(f, "units/walker", entities, 1);
    template_agent = NULL;
}

// Writes and loads a level of one unit without an agent, whose navigation is `navigation`; NULL: it has none.
static inline void load_yard_level(world_fixture *f, const char *name, const char *navigation) {
    const template_entity entities[] = {
        {CT_NO_PARENT, {{0, 0, 0}}, "thing", 0, false, false, false, 0},
    };
    const ct_level_unit unit = {ct_string_id64_of("units/thing"), {1}, 0};
    level_navigation = navigation ? ct_string_id64_of(navigation) : (ct_string_id64){0};
    load_level(f, name, entities, 1, &unit, 1, (ct_string_id64){0});
    level_navigation = (ct_string_id64){0};
}

static inline ct_level spawn_yard(world_fixture *f, const char *name, ct_vec3 position,
                                  ct_quat rotation, ct_vec3 scale) {
    ct_error error = {0};
    const ct_level level = ct_world_spawn_level(f->world, name, position, rotation, scale, &error);
    if (!level.id)
        fail_msg("%s", error.message);
    return level;
}

static inline ct_level spawn_yard_here(world_fixture *f, const char *name) {
    return spawn_yard(f, name, ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(1, 1, 1));
}

static inline void send(world_fixture *f, ct_entity e, float x, float y) {
    const ct_vec3 goal = ct_vec3_make(x, y, 0);
    ct_navigation_agent_move_to(ct_world_navigation_agents(f->world), &e, &goal, 1);
}

static inline ct_navigation_agent_status status_of(const world_fixture *f, ct_entity e) {
    ct_navigation_agent_status status;
    assert_true(ct_navigation_agent_status_of(ct_world_navigation_agents(f->world), e, &status));
    return status;
}

static inline ct_vec3 place_of(const world_fixture *f, ct_entity e) {
    return ct_mat4_position(
        *ct_transform_world(ct_world_transforms(f->world), transform_of(f->world, e)));
}

static inline float metres_between(ct_vec3 a, ct_vec3 b) {
    return ct_vec3_length(ct_vec3_sub(a, b));
}

// Steps until an agent is in a state, at most `seconds`. Returns whether it is.
static inline bool step_until(world_fixture *f, ct_entity e, uint32_t state, double seconds) {
    for (double t = 0; t < seconds; t += 1.0 / 60) {
        ct_world_advance(f->world, 1.0 / 60);
        if (status_of(f, e).state == state)
            return true;
    }
    return false;
}
