// A changed source of each type shows in a running renderer.
#include "render/render_fixture.h"

typedef struct reload_fixture {
    render_fixture renderer;
    const char *project, *data;
} reload_fixture;

static void start(reload_fixture *f) {
    f->project = fixture_copy_project();
    f->data = fixture_copy_data();
    fixture_start_with(&f->renderer, f->data, FIXTURE_WIDTH, FIXTURE_HEIGHT, true);
}

static void write_source(const reload_fixture *f, const char *path, const char *text) {
    char file[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(file, f->project, path);
    if (!ct_file_write(file, text, strlen(text), false, &error))
        fail_msg("%s", error.message);
}

// Changes a source, compiles, and reloads that resource.
static void change(reload_fixture *f, const char *type, const char *name, const char *text) {
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%s.%s", name, type);
    write_source(f, path, text);
    fixture_compile(f->project, f->data);
    const ct_resource_id id = ct_resource_id_of(type, name);
    assert_int_equal(ct_resource_manager_reload(f->renderer.resources, &id, 1), 1);
}

static void expect_center(reload_fixture *f, int red, int green, int blue) {
    fixture_picture(&f->renderer);
    const uint8_t *const p = fixture_pixel(&f->renderer, 0.5f, 0.5f);
    if (abs(p[0] - red) > 40 || abs(p[1] - green) > 40 || abs(p[2] - blue) > 40)
        fail_msg("found %d %d %d, expected %d %d %d", p[0], p[1], p[2], red, green, blue);
}

static const char *const flat_vertex =
    "vertex = \"\"\"\n"
    "layout(location = 0) in vec3 position;\n"
    "void main() {\n"
    "    gl_Position = view.view_projection * vec4(to_world_point(position), 1.0);\n"
    "}\n"
    "\"\"\"\n";

static void write_flat_shader(reload_fixture *f, const char *parameters, const char *color) {
    char text[2048];
    snprintf(text, sizeof(text),
             "layer = \"opaque\"\nincludes = [\"core/shaders/include/frame.glsl\"]\n"
             "parameters = { %s }\n%s"
             "fragment = \"\"\"\nlayout(location = 0) out vec4 out_color;\n"
             "void main() {\n    out_color = %s;\n}\n\"\"\"\n",
             parameters, flat_vertex, color);
    change(f, "shader", "shaders/flat", text);
}

static void shows_a_changed_material(void **state) {
    (void)state;
    reload_fixture f;
    start(&f);
    fixture_add(&f.renderer, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    expect_center(&f, 0, 255, 0);
    const float black[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    assert_true(ct_render_material_set_parameter(f.renderer.renderer,
                                                 ct_string_id64_of("materials/flat"),
                                                 ct_string_id32_of("color"), black, 4));
    expect_center(&f, 0, 0, 0);
    // Values set at run time go with the reload.
    change(&f, "material", "materials/flat",
           "shader = \"shaders/flat\"\nparameters = { color = [1 0 0 1] }\n");
    expect_center(&f, 255, 0, 0);
    change(&f, "material", "materials/flat",
           "shader = \"core/shaders/pbr\"\nparameters = { base_color = [0 0 0 1] emissive = [0 0 1 "
           "1] }\n");
    expect_center(&f, 20, 20, 230);
    fixture_stop(&f.renderer);
}

// The light of the sky is captured again.
static void shows_a_changed_sky_in_what_mirrors_it(void **state) {
    (void)state;
    reload_fixture f;
    start(&f);
    const ct_mat4 pose = fixture_pose(0.0f, 0.0f, 0.0f, 1000.0f);
    fixture_add_at(&f.renderer, "core/meshes/cube", "materials/flat", &pose);
    fixture_add(&f.renderer, "core/meshes/sphere", "materials/mirror", 0.0f, 0.0f, 0.0f);
    change(&f, "material", "materials/flat",
           "shader = \"core/shaders/skydome\"\n"
           "parameters = { zenith = [0 0 1 1]  horizon = [0 0 1 1]  ground = [0 0 1 1] }\n");
    expect_center(&f, 0, 0, 220);
    change(&f, "material", "materials/flat",
           "shader = \"core/shaders/skydome\"\n"
           "parameters = { zenith = [1 0 0 1]  horizon = [1 0 0 1]  ground = [1 0 0 1] }\n");
    expect_center(&f, 220, 0, 0);
    fixture_stop(&f.renderer);
}

static void shows_a_changed_shader_and_its_new_layout(void **state) {
    (void)state;
    reload_fixture f;
    start(&f);
    fixture_add(&f.renderer, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    expect_center(&f, 0, 255, 0);
    write_flat_shader(&f, "color = { type = \"color\"  default = [1 1 1 1] }",
                      "vec4(1.0 - material.color.rgb, 1.0)");
    expect_center(&f, 255, 0, 255);
    // Another parameter before it, no texture any more: the material is bound anew.
    write_flat_shader(&f,
                      "amount = { type = \"scalar\"  default = 0.5 } color = { type = \"color\"  "
                      "default = [1 1 1 1] }",
                      "vec4(material.color.rgb * step(0.4, material.amount), 1.0)");
    expect_center(&f, 0, 255, 0);
    // No parameters at all.
    change(&f, "material", "materials/flat", "shader = \"shaders/flat\"\n");
    write_flat_shader(&f, "", "vec4(0.0, 0.0, 1.0, 1.0)");
    expect_center(&f, 0, 0, 255);
    fixture_stop(&f.renderer);
}

static void shows_the_error_material_when_the_shader_changes_its_kind(void **state) {
    (void)state;
    reload_fixture f;
    start(&f);
    fixture_add(&f.renderer, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    expect_center(&f, 0, 255, 0);
    change(&f, "shader", "shaders/flat",
           "vertices = \"fullscreen\"\n"
           "parameters = { color = { type = \"color\"  default = [1 1 1 1] } }\n"
           "vertex = \"\"\"\nvoid main() { gl_Position = vec4(0.0); }\n\"\"\"\n"
           "fragment = \"\"\"\nlayout(location = 0) out vec4 color;\n"
           "void main() { color = vec4(1.0); }\n\"\"\"\n");
    fixture_picture(&f.renderer);
    uint32_t num_magenta = 0;
    for (uint32_t i = 0; i < f.renderer.width * f.renderer.height; ++i) {
        const uint8_t *const p = f.renderer.pixels + (size_t)i * 4;
        num_magenta += p[0] > 200 && p[1] < 40 && p[2] > 150;
    }
    assert_true(num_magenta > 200);
    fixture_stop(&f.renderer);
}

static void shows_a_changed_texture(void **state) {
    (void)state;
    reload_fixture f;
    start(&f);
    fixture_add(&f.renderer, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    const ct_string_id64 flat = ct_string_id64_of("materials/flat");
    assert_true(ct_render_material_set_parameter(f.renderer.renderer, flat,
                                                 ct_string_id32_of("color"), white, 4));
    assert_true(ct_render_material_set_texture(f.renderer.renderer, flat,
                                               ct_string_id32_of("picture"),
                                               ct_string_id64_of("textures/checker")));
    change(&f, "texture", "textures/checker", "source = \"core/textures/black.png\"\n");
    expect_center(&f, 0, 0, 0);
    change(&f, "texture", "textures/checker", "source = \"core/textures/normal.png\"\n");
    expect_center(&f, 120, 120, 255);
    fixture_stop(&f.renderer);
}

static void shows_a_changed_mesh(void **state) {
    (void)state;
    reload_fixture f;
    start(&f);
    fixture_add(&f.renderer, "meshes/thing", "materials/flat", 0.0f, 0.0f, 0.0f);
    expect_center(&f, 0, 255, 0);
    const uint32_t before = ct_renderer_stats(f.renderer.renderer).num_triangles;
    change(&f, "mesh", "meshes/thing", "source = \"core/meshes/sphere.gltf\"\nscale = 0.5\n");
    expect_center(&f, 0, 255, 0);
    assert_int_equal(before, 12);
    assert_true(ct_renderer_stats(f.renderer.renderer).num_triangles > 500);
    fixture_stop(&f.renderer);
}

static void culls_by_the_bounds_of_the_changed_mesh(void **state) {
    (void)state;
    reload_fixture f;
    start(&f);
    // Out of view, until it is a hundred times as large.
    fixture_add(&f.renderer, "meshes/thing", "materials/flat", 30.0f, 0.0f, 0.0f);
    fixture_picture(&f.renderer);
    assert_int_equal(ct_renderer_stats(f.renderer.renderer).num_instances, 0);
    change(&f, "mesh", "meshes/thing", "source = \"core/meshes/cube.gltf\"\nscale = 100\n");
    fixture_picture(&f.renderer);
    assert_int_equal(ct_renderer_stats(f.renderer.renderer).num_instances, 1);
    fixture_stop(&f.renderer);
}

static void shows_a_changed_render_config(void **state) {
    (void)state;
    reload_fixture f;
    start(&f);
    ct_error error = {0};
    assert_true(ct_renderer_set_config(f.renderer.renderer, "rendering/coarse", &error));
    expect_center(&f, 26, 26, 102);
    change(&f, "render_config", "rendering/coarse",
           "global_resources = [\n"
           "    { name = \"picture\"  format = \"RGBA8\"  scale = [1 1] }\n]\n"
           "resource_generators = { all = [\n"
           "    { type = \"clear\"  targets = [\"picture\"]  color = [1 0.5 0] }\n"
           "    { type = \"fullscreen_pass\"  shader = \"shaders/copy\"  inputs = [\"picture\"]\n"
           "      targets = [\"back_buffer\"] }\n] }\n"
           "viewports = { default = [\"all\"] }\n");
    expect_center(&f, 255, 128, 0);
    // One that is not the renderer's changes nothing.
    change(&f, "render_config", "rendering/clock",
           "resource_generators = { none = [] }\nviewports = { default = [\"none\"] }\n");
    expect_center(&f, 255, 128, 0);
    fixture_stop(&f.renderer);
}

// Blobs that came and went within one frame are freed before it is drawn: the sanitizer sees
// whether the render thread reads them.
static void forgets_what_came_and_went_within_one_frame(void **state) {
    (void)state;
    reload_fixture f;
    start(&f); // everything came in this frame
    fixture_add(&f.renderer, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    ct_error error = {0};
    assert_true(ct_renderer_set_config(f.renderer.renderer, "rendering/coarse", &error));
    for (uint32_t i = 0; i < 2; ++i) {
        ct_resource_package_unload(f.renderer.resources, f.renderer.project);
        ct_resource_manager_retire(f.renderer.resources, 1);
        ct_resource_package_load(f.renderer.resources, f.renderer.project);
        ct_resource_package_flush(f.renderer.resources, f.renderer.project);
    }
    change(&f, "material", "materials/flat",
           "shader = \"shaders/flat\"\nparameters = { color = [1 0 0 1] }\n");
    change(&f, "material", "materials/flat",
           "shader = \"shaders/flat\"\nparameters = { color = [0 0 1 1] }\n");
    ct_resource_manager_retire(f.renderer.resources, 1);
    expect_center(&f, 0, 0, 255);
    fixture_stop(&f.renderer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_a_changed_material),
        cmocka_unit_test(shows_a_changed_sky_in_what_mirrors_it),
        cmocka_unit_test(shows_a_changed_shader_and_its_new_layout),
        cmocka_unit_test(shows_the_error_material_when_the_shader_changes_its_kind),
        cmocka_unit_test(shows_a_changed_texture),
        cmocka_unit_test(shows_a_changed_mesh),
        cmocka_unit_test(culls_by_the_bounds_of_the_changed_mesh),
        cmocka_unit_test(shows_a_changed_render_config),
        cmocka_unit_test(forgets_what_came_and_went_within_one_frame),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
