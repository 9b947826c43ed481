// api_fixture.h: a script environment with a world, units and resources to try the engine's modules
// on. Include once in a program.
//
// Lua finds the globals W (a world of its own), C (a crate at 1, 2, 3 in it), L (its part, a lamp)
// and `parts(v)`, which gives the numbers of a vector or quaternion. Loaded are the units
// units/crate, units/bare (without transform) and units/robot (nodes n1 to n3 in a chain, a metre
// along x each; a camera, a light and a mesh of meshes/crate on the last), the level levels/yard,
// the mesh meshes/crate (2 x 4 x 6 metres around 0, 0, 3; slots wood and iron), materials/oak,
// materials/steel, textures/rose and the config settings.
#pragma once
#include "script/fake_host.h"

#include "resource/blob/blob_fixtures.h"

static const template_entity crate_template[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "crate", 2, false, true, true, 0},
    {0, {{0, 0, 1}}, "lamp", 0, false, false, true, 0},
};
static const template_entity bare_template[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, NULL, 0, true, false, false, 0},
};
static const template_entity robot_template[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "robot", 1, false, true, true, 3},
};
static const template_entity yard_template[] = {
    {CT_NO_PARENT, {{5, 0, 0}}, "first", 0, false, false, false, 0},
    {CT_NO_PARENT, {{6, 0, 0}}, "second", 0, false, false, false, 0},
};

// Writes a finished blob to the data folder, as the resource `name`; frees `w`.
static inline void save_blob(script_fixture *f, ct_blob_writer *w, const char *type,
                             const char *name) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[2048];
    ct_error error = {0};
    ct_resource_file_name(ct_resource_id_of(type, name), file_name);
    snprintf(path, sizeof(path), "%s/%s", f->world.folder, file_name);
    if (!ct_file_write(path, w->bytes.items, w->bytes.count, false, &error))
        fail_msg("%s", error.message);
    ct_blob_writer_free(w);
}

static inline void load_blob(script_fixture *f, ct_blob_writer *w, const char *type,
                             const char *name) {
    ct_error error = {0};
    save_blob(f, w, type, name);
    if (!ct_resource_manager_load_now(f->world.resources, type, name, &error))
        fail_msg("%s", error.message);
}

static inline void load_crate_mesh(script_fixture *f) {
    ct_blob_writer w;
    start(&w, "mesh", CT_MESH_VERSION, sizeof(ct_mesh_resource));
    const float box[7] = {-1, -2, 0, 1, 2, 6, 3.75f};
    put(&w, offsetof(ct_mesh_resource, bounds_min), box, sizeof(box));
    patch(&w, offsetof(ct_mesh_resource, index_bytes), 2);
    patch(&w, offsetof(ct_mesh_resource, num_vertices), 3);
    patch(&w, offsetof(ct_mesh_resource, num_indices), 6);
    ct_mesh_vertex vertices[3];
    memset(vertices, 0, sizeof(vertices));
    const float corners[3][3] = {{-1, -2, 3}, {1, -2, 3}, {0, 2, 3}};
    for (uint32_t i = 0; i < 3; ++i)
        memcpy(vertices[i].position, corners[i], sizeof(corners[i]));
    const uint16_t indices[6] = {0, 1, 2, 0, 2, 1};
    const ct_mesh_part parts[2] = {{0, 3, ct_string_id32_of("wood"), 0},
                                   {3, 3, ct_string_id32_of("iron"), 0}};
    append_array(&w, offsetof(ct_mesh_resource, vertices), vertices, sizeof(vertices[0]), 3);
    append_array(&w, offsetof(ct_mesh_resource, indices), indices, 2, 6);
    append_array(&w, offsetof(ct_mesh_resource, parts), parts, sizeof(parts[0]), 2);
    ct_blob_writer_finish(&w);
    load_blob(f, &w, "mesh", "meshes/crate");
}

static inline void load_resources(script_fixture *f) {
    ct_blob_writer w;
    load_unit(&f->world, "units/crate", crate_template, 2);
    load_unit(&f->world, "units/bare", bare_template, 1);
    load_unit(&f->world, "units/robot", robot_template, 1);
    const ct_level_unit units[2] = {
        {ct_string_id64_of("units/crate"), ct_string_id32_of("gate"), 0},
        {ct_string_id64_of("units/bare"), ct_string_id32_of("tree"), 1}};
    load_level(&f->world, "levels/yard", yard_template, 2, units, 2,
               ct_string_id64_of("scripts/yard"));
    load_crate_mesh(f);
    write_material(&w);
    load_blob(f, &w, "material", "materials/oak");
    write_material(&w);
    load_blob(f, &w, "material", "materials/steel");
    write_texture(&w);
    load_blob(f, &w, "texture", "textures/rose");
    write_config(&w);
    load_blob(f, &w, "config", "settings");
}

// As start_script_with.
static inline script_fixture start_api_with(ct_script_desc wanted) {
    script_fixture f = start_script_with(wanted);
    load_resources(&f);
    run_lua(&f, "W = Application.new_world() "
                "C = World.spawn_unit(W, 'units/crate', Vector3(1, 2, 3)) "
                "L = TransformComponent.children(EntityManager.transform_component(W), C)[1] "
                "function parts(v) "
                "  if Script.type_name(v) == 'Vector3' then return v.x, v.y, v.z end "
                "  return v.x, v.y, v.z, v.w "
                "end");
    return f;
}

static script_fixture f; // of the test that runs

static inline int set_up(void **state) {
    (void)state;
    f = start_api_with((ct_script_desc){0});
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return 0;
}

#define API_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
