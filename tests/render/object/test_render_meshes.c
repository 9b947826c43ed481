#include "render/golden_picture.h"

#include <math.h>

#include "foundation/math/math.h"
#include "render/object/render_state.h"

// --- Levels of detail ----------------------------------------------------------------------------

// The triangles of a picture of meshes/ball_levels (a ball of radius 0.5 m) `distance` metres away.
static uint32_t triangles_at(render_fixture *f, float distance) {
    fixture_look_from(f, 0, -distance, 0);
    fixture_picture(f);
    return ct_renderer_stats(f->renderer).num_triangles;
}

// The distance at which it takes this share of the height of the fixture's view.
static float distance_of(float share) {
    return 0.5f / tanf(0.9f / 2) / share;
}

static void set_number(render_fixture *f, const char *name, double number) {
    const ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {number}};
    ct_error error = {0};
    if (!ct_renderer_set_setting(f->renderer, name, &given, &error))
        fail_msg("%s", error.message);
}

static void draws_coarser_levels_farther_away(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const uint32_t other = triangles_at(&f, 2); // of the pass to the back buffer
    fixture_add(&f, "meshes/ball_levels", "materials/red", 0, 0, 0);
    const uint32_t full = triangles_at(&f, distance_of(0.55f)) - other;
    const uint32_t first = triangles_at(&f, distance_of(0.45f)) - other;
    const uint32_t last = triangles_at(&f, distance_of(0.12f)) - other;
    assert_int_equal(triangles_at(&f, distance_of(0.13f)) - other, first);
    assert_int_equal(triangles_at(&f, 0.1f) - other, full); // within it
    assert_true(first > 0 && first <= full / 4);
    assert_true(last > 0 && last <= first / 2);
    fixture_stop(&f);
}

static void keeps_detail_longer_with_a_bias(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "meshes/ball_levels", "materials/red", 0, 0, 0);
    const uint32_t full = triangles_at(&f, distance_of(0.55f));
    const uint32_t first = triangles_at(&f, distance_of(0.3f));
    assert_true(first < full);
    set_number(&f, "lod_bias", 2);
    assert_int_equal(triangles_at(&f, distance_of(0.3f)), full);
    set_number(&f, "lod_bias", 0.5);
    assert_int_equal(triangles_at(&f, distance_of(0.55f)), first);
    fixture_stop(&f);
}

static void chooses_by_size_for_orthographic_cameras(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add(&f, "meshes/ball_levels", "materials/red", 0, 0, 0);
    f.view.projection = ct_mat4_orthographic(-1, 1, -0.9f, 0.9f, 0.1f, 200);
    const uint32_t full = triangles_at(&f, 2);
    assert_int_equal(triangles_at(&f, 100), full);
    f.view.projection = ct_mat4_orthographic(-2, 2, -1.5f, 1.5f, 0.1f, 200);
    assert_true(triangles_at(&f, 2) < full / 2);
    fixture_stop(&f);
}

static void chooses_for_each_object_and_view(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const uint32_t other = triangles_at(&f, 2);
    fixture_add(&f, "meshes/ball_levels", "materials/red", 0, 0, 0);
    const uint32_t full = triangles_at(&f, distance_of(0.55f)) - other;
    const uint32_t last = triangles_at(&f, distance_of(0.1f)) - other;
    const float far = distance_of(0.1f) - distance_of(0.55f);
    fixture_add(&f, "meshes/ball_levels", "materials/red", 0, far, 0);
    assert_int_equal(triangles_at(&f, distance_of(0.55f)) - other, full + last);
    // A larger object keeps its detail.
    const ct_mat4 large = fixture_pose(0, 3 * far, 0, 20);
    fixture_add_at(&f, "meshes/ball_levels", "materials/red", &large);
    assert_int_equal(triangles_at(&f, distance_of(0.55f)) - other, 2 * full + last);
    fixture_stop(&f);
}

static void tells_sizes_of_spheres(void **state) {
    (void)state;
    ct_render_lod_eye eye = {.position = {{1, 2, 3}}, .scale = 2};
    assert_true(ct_render_lod_size(&eye, (const float[4]){1, 6, 3, 0.5f}) == 0.25f);
    assert_true(ct_render_lod_size(&eye, (const float[4]){1, 2, 3, 0.5f}) == INFINITY);
    eye.is_orthographic = true;
    assert_true(ct_render_lod_size(&eye, (const float[4]){1, 6, 3, 0.5f}) == 1);
    const ct_render_mesh mesh = {.num_lods = 2, .screen_sizes = {0.5f, 0.25f}};
    assert_int_equal(ct_render_mesh_lod(&mesh, INFINITY), 0);
    assert_int_equal(ct_render_mesh_lod(&mesh, NAN), 0);
    assert_int_equal(ct_render_mesh_lod(&mesh, 0.5f), 0);
    assert_int_equal(ct_render_mesh_lod(&mesh, 0.3f), 1);
    assert_int_equal(ct_render_mesh_lod(&mesh, 0), 2);
    assert_int_equal(ct_render_mesh_lod(&(ct_render_mesh){0}, 0), 0);
}

// --- Formats -------------------------------------------------------------------------------------

// How a picture of two meshes of two formats differs.
static picture_difference compare(const char *packed, const char *full, const char *material) {
    render_fixture f;
    fixture_start(&f);
    fixture_add_sun(&f);
    const ct_render_object_id id = fixture_add(&f, packed, material, 0, 0, 0);
    fixture_picture(&f);
    const uint64_t bytes = (uint64_t)f.width * f.height * 4;
    uint8_t *const first = ct_alloc(test_heap(), bytes);
    memcpy(first, f.pixels, bytes);
    ct_render_objects_destroy(f.renderer, f.world, &id, 1);
    fixture_add(&f, full, material, 0, 0, 0);
    fixture_picture(&f);
    const picture_difference d = golden_difference(first, f.pixels, bytes);
    ct_free(test_heap(), first);
    fixture_stop(&f);
    print_message("%s: mean difference %.4f, most %d of 255\n", material, d.mean, d.most);
    return d;
}

static void looks_the_same_packed(void **state) {
    (void)state;
    static const char *const materials[] = {"materials/gold", "materials/checker",
                                            "materials/bumps", "materials/mesh_space"};
    for (uint32_t i = 0; i < CT_COUNT_OF(materials); ++i) {
        const picture_difference d = compare("meshes/ball", "meshes/ball_full", materials[i]);
        // A pixel at the edge of a checker's square may fall to the other side.
        assert_true(d.mean < 0.01 && d.most <= 64);
    }
}

static void gives_shaders_positions_in_mesh_space(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_look_from(&f, 0, -3, 0);
    fixture_add(&f, "core/meshes/cube", "materials/mesh_space", 0, 0, 0);
    fixture_picture(&f);
    // Of the front side, red is x and green z, from 0 at the left and bottom to 1, through the
    // config's curve.
    const uint8_t *const middle = fixture_pixel(&f, 0.5f, 0.5f);
    assert_in_range(middle[0], 180, 200);
    assert_in_range(middle[1], 180, 200);
    const uint8_t *const corner = fixture_pixel(&f, 0.5f - 0.13f, 0.5f - 0.175f);
    assert_in_range(corner[0], 0, 80);
    assert_in_range(corner[1], 210, 255);
    fixture_stop(&f);
}

static ct_mesh_resource *read_mesh(const char *name) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_error error = {0};
    uint64_t bytes;
    ct_resource_file_name(ct_resource_id_of("mesh", name), file_name);
    ct_path_join(path, fixture_data(), file_name);
    void *const blob = ct_file_read(test_heap(), path, &bytes, &error);
    if (!blob)
        fail_msg("%s", error.message);
    return blob;
}

static void unpacks_vertices_that_the_device_cannot_read(void **state) {
    (void)state;
    static ct_render_state render;
    ct_error error = {0};
    const ct_renderer_desc desc = {.allocator = test_heap(), .width = 8, .height = 8};
    if (!ct_render_state_init(&render, test_heap(), &desc, &error))
        fail_msg("%s", error.message);
    ct_mesh_resource *const blob = read_mesh("meshes/ball_levels");
    const ct_string_id64 name = ct_string_id64_of("meshes/ball_levels");
    const uint32_t index = ct_render_meshes_index(&render.meshes, name);
    ct_render_frames_begin(&render.frames, 1);
    for (uint32_t is_packed = 0; is_packed < 2; ++is_packed) {
        render.device.has_packed_vertices = is_packed;
        ct_render_meshes_set(&render.meshes, name, blob);
        const ct_render_mesh *const mesh = &render.meshes.items.items[index];
        assert_int_equal(mesh->format, is_packed ? blob->format : CT_MESH_FORMAT_FULL);
        assert_int_equal(mesh->index_offset,
                         sizeof(ct_mesh_grid) + (is_packed ? 20ull : 48ull) * blob->num_vertices);
        assert_int_equal(mesh->num_lods, 2);
    }
    ct_render_frames_submit(&render.frames, VK_NULL_HANDLE);
    ct_render_frames_wait(&render.frames, 1);
    ct_render_state_shutdown(&render);
    ct_free(test_heap(), blob);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_coarser_levels_farther_away),
        cmocka_unit_test(keeps_detail_longer_with_a_bias),
        cmocka_unit_test(chooses_by_size_for_orthographic_cameras),
        cmocka_unit_test(chooses_for_each_object_and_view),
        cmocka_unit_test(tells_sizes_of_spheres),
        cmocka_unit_test(looks_the_same_packed),
        cmocka_unit_test(gives_shaders_positions_in_mesh_space),
        cmocka_unit_test(unpacks_vertices_that_the_device_cannot_read),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
