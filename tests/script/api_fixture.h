// api_fixture.h: a script environment with a world, units and resources to try the engine's modules
// on. Include once in a program.
//
// Lua finds the globals W (a world of its own), C (a crate at 1, 2, 3 in it), L (its part, a lamp)
// and `parts(v)`, which gives the numbers of a vector or quaternion. Loaded are the units
// units/crate, units/bare (without transform) and units/robot (nodes n1 to n3 in a chain, a metre
// along x each; a camera, a light and a mesh of meshes/crate on the last), the level levels/yard,
// the mesh meshes/crate (2 x 4 x 6 metres around 0, 0, 3; slots wood and iron), materials/oak,
// materials/steel, textures/rose, environments/dusk, the config settings, the font fonts/plain
// (gui/plain_font.h) and the particle effect effects/dust (100 particles that do not move and live a
// second, times the variable strength, in each second).
#pragma once
#include "script/fake_host.h"

#include "particles/particle_fixture.h"
#include "resource/blob/blob_fixtures.h"
#include "script/gui/plain_font.h"

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

// A shader with what materials/oak and steel are asked for.
static inline void load_shader(script_fixture *f) {
    static const struct {
        const char *name;
        ct_shader_parameter_type type;
        uint32_t offset, instanced;
    } wanted[] = {{"wetness", CT_SHADER_PARAMETER_TYPE_SCALAR, 0, 0},
                  {"a", CT_SHADER_PARAMETER_TYPE_SCALAR, 4, 0},
                  {"tiling", CT_SHADER_PARAMETER_TYPE_VECTOR2, 8, 0},
                  {"wind", CT_SHADER_PARAMETER_TYPE_VECTOR3, 16, 0},
                  {"edge", CT_SHADER_PARAMETER_TYPE_VECTOR4, 32, 0},
                  {"tint", CT_SHADER_PARAMETER_TYPE_COLOR, 48, 0},
                  {"bend", CT_SHADER_PARAMETER_TYPE_MATRIX4X4, 64, 0},
                  {"base_color", CT_SHADER_PARAMETER_TYPE_COLOR, 0, 1}};
    ct_shader_parameter parameters[CT_COUNT_OF(wanted)] = {0};
    for (uint32_t i = 0; i < CT_COUNT_OF(wanted); ++i)
        parameters[i] = (ct_shader_parameter){.name = ct_string_id32_of(wanted[i].name),
                                              .type = wanted[i].type,
                                              .offset = wanted[i].offset,
                                              .instanced = wanted[i].instanced};
    const ct_shader_texture base = {.name = ct_string_id32_of("base"), .binding = 1};
    const uint32_t words[6] = {0x07230203, 0x10000, 0, 8, 0, 0}; // SPIR-V that says nothing
    ct_shader_resource shader = {.block_bytes = 128};
    ct_shader_variant variant = {0};
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "shader", CT_SHADER_VERSION);
    ct_blob_begin(&w, &ct_shader_layout);
    shader.parameters =
        ct_blob_write_items(&w, &ct_shader_parameter_layout, parameters, CT_COUNT_OF(parameters));
    shader.textures = ct_blob_write_items(&w, &ct_shader_texture_layout, &base, 1);
    variant.vertex = variant.fragment =
        ct_blob_write_items(&w, &ct_blob_u32_layout, words, CT_COUNT_OF(words));
    shader.variants = ct_blob_write_items(&w, &ct_shader_variant_layout, &variant, 1);
    ct_blob_end(&w, &ct_shader_layout, &shader);
    ct_blob_writer_finish(&w);
    load_blob(f, &w, "shader", "shaders/standard");
}

// A render config with a viewport and settings of all kinds.
static inline void load_render_config(script_fixture *f) {
    ct_render_setting settings[] = {
        {.type = CT_RENDER_SETTING_TYPE_BOOL, .most = 1, .default_value = {1}},
        {.type = CT_RENDER_SETTING_TYPE_NUMBER, .most = 1, .default_value = {1}},
        {.type = CT_RENDER_SETTING_TYPE_CHOICE, .most = 1, .default_value = {1}},
        {.type = CT_RENDER_SETTING_TYPE_VECTOR2, .most = 9, .default_value = {1, 0.5f}},
        {.type = CT_RENDER_SETTING_TYPE_VECTOR3, .most = 9, .default_value = {1, 0.5f, 0.25f}},
        {.type = CT_RENDER_SETTING_TYPE_COLOR, .most = 9, .default_value = {1, 0.5f, 0.25f, 1}}};
    static const char *const names[] = {"shadows", "strength", "quality", "offset", "wind", "tint"};
    for (uint32_t i = 1; i < CT_COUNT_OF(settings); ++i)
        settings[i].is_environment = 1;
    static const char *const choices[] = {"low", "high"};
    const ct_render_viewport viewport = {.name = ct_string_id32_of("default")};
    ct_render_config_resource config = {.lod_bias = {.numbers = {1}}};
    ct_blob_writer w;
    ct_error error = {0};
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "render_config",
                        CT_RENDER_CONFIG_VERSION);
    ct_blob_begin(&w, &ct_render_config_layout);
    config.viewports = ct_blob_write_items(&w, &ct_render_viewport_layout, &viewport, 1);
    for (uint32_t i = 0; i < CT_COUNT_OF(settings); ++i)
        settings[i].name = ct_blob_write_string(&w, names[i], strlen(names[i]));
    settings[2].choices = ct_blob_write_strings(&w, choices, CT_COUNT_OF(choices));
    config.settings =
        ct_blob_write_items(&w, &ct_render_setting_layout, settings, CT_COUNT_OF(settings));
    ct_blob_end(&w, &ct_render_config_layout, &config);
    ct_blob_writer_finish(&w);
    load_blob(f, &w, "render_config", "rendering");
    if (!ct_renderer_set_config(recorder, "rendering", &error))
        fail_msg("%s", error.message);
}

// Saves a blob of particle_fixture.h, which it frees.
static inline void save_particles(script_fixture *f, ct_particles_resource *effect,
                                  const char *name) {
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "particles", CT_PARTICLES_VERSION);
    ct_blob_write_bytes(&w, (const char *)effect + sizeof(ct_blob_header),
                        effect->header.size_bytes - sizeof(ct_blob_header));
    ct_blob_writer_finish(&w);
    save_blob(f, &w, "particles", name);
    free(effect);
}

static inline ct_particles_resource *dust_effect(float rate) {
    particle_fixture *const dust = particle_fixture_begin();
    const uint32_t e = particle_fixture_emitter(dust, "dust", 512);
    ct_particle_value births = particle_fixture_number(rate);
    births.variable = 1;
    particle_fixture_variable(dust, "strength", 1);
    particle_fixture_at(dust, e)->rate = particle_fixture_value(dust, e, births);
    particle_fixture_at(dust, e)->look.renderer = CT_PARTICLE_RENDERER_NONE;
    return particle_fixture_end(dust);
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
    load_render_config(f);
    load_shader(f);
    write_material(&w);
    load_blob(f, &w, "material", "materials/oak");
    write_material(&w);
    load_blob(f, &w, "material", "materials/steel");
    write_texture(&w);
    load_blob(f, &w, "texture", "textures/rose");
    write_config(&w);
    load_blob(f, &w, "config", "settings");
    write_environment(&w);
    load_blob(f, &w, "environment", "environments/dusk");
    write_gui_theme(&w);
    load_blob(f, &w, "gui_theme", "themes/plain");
    write_plain_font(&w);
    load_blob(f, &w, "font", "fonts/plain");
    ct_error error = {0};
    save_particles(f, dust_effect(100), "effects/dust");
    if (!ct_resource_manager_load_now(f->world.resources, "particles", "effects/dust", &error))
        fail_msg("%s", error.message);
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
