// Textures whose upper mips come later: on first use, once, also after a reload and a lost device.
#include "render/render_fixture.h"

enum { SIZE = 512, HEADER = 18 };

// Replaces an image of the project by a large one, of fine detail.
static void write_image(const char *project, uint8_t phase) {
    static uint8_t tga[HEADER + SIZE * SIZE * 3];
    memset(tga, 0, HEADER);
    tga[2] = 2; // colours
    tga[13] = tga[15] = SIZE >> 8;
    tga[16] = 24;
    for (uint32_t i = 0; i < SIZE * SIZE; ++i) {
        const uint32_t x = i % SIZE, y = i / SIZE;
        const bool is_light = (x / 4 + y / 4 + phase) % 2;
        memset(tga + HEADER + i * 3, is_light ? 250 : 20, 3);
    }
    char path[CT_PATH_BYTES];
    ct_path_join(path, project, "textures/checker.tga");
    assert_true(ct_file_write(path, tga, sizeof(tga), false, NULL));
    const char text[] = "source = \"textures/checker.tga\"";
    ct_path_join(path, project, "textures/checker.texture");
    assert_true(ct_file_write(path, text, strlen(text), false, NULL));
}

static const char *project, *data;

static int compile_project(void **state) {
    test_group_setup(state);
    project = fixture_copy_project();
    data = fixture_copy_data();
    write_image(project, 0);
    fixture_compile(project, data);
    return 0;
}

// A cube so close that a pixel of the picture is smaller than the image's squares.
static void start(render_fixture *f, bool is_streaming) {
    fixture_start_with(f, data, FIXTURE_WIDTH, FIXTURE_HEIGHT, true);
    ct_resource_package_unload(f->resources, f->project);
    ct_resource_manager_set_streaming(f->resources, is_streaming, 0);
    ct_resource_package_load(f->resources, f->project);
    ct_resource_package_flush(f->resources, f->project);
    fixture_add_sun(f);
    fixture_look_from(f, 0.3f, -1.1f, 0.3f);
}

static uint8_t *copy_picture(const render_fixture *f) {
    assert_non_null(f->pixels);
    uint8_t *const copy = ct_alloc(test_heap(), FIXTURE_WIDTH * FIXTURE_HEIGHT * 4);
    memcpy(copy, f->pixels, FIXTURE_WIDTH * FIXTURE_HEIGHT * 4);
    return copy;
}

static bool is_picture(const render_fixture *f, const uint8_t *pixels) {
    assert_non_null(f->pixels);
    return memcmp(f->pixels, pixels, FIXTURE_WIDTH * FIXTURE_HEIGHT * 4) == 0;
}

static void add_cube(render_fixture *f) {
    fixture_add(f, "core/meshes/cube", "materials/checker", 0.0f, 0.0f, 0.0f);
}

// The picture with all mips. Free it.
static uint8_t *whole_picture(void) {
    render_fixture f;
    start(&f, false);
    add_cube(&f);
    fixture_picture(&f);
    assert_int_equal(ct_resource_manager_num_streams(f.resources), 0);
    uint8_t *const pixels = copy_picture(&f);
    fixture_stop(&f);
    return pixels;
}

static void upper_mips_come_when_they_are_drawn_with(void **state) {
    (void)state;
    uint8_t *const whole = whole_picture();
    render_fixture f;
    start(&f, true);
    fixture_picture(&f); // of nothing
    assert_int_equal(ct_resource_manager_num_streams(f.resources), 0);
    add_cube(&f);
    fixture_picture(&f);
    assert_false(is_picture(&f, whole));
    assert_int_equal(ct_resource_manager_num_streams(f.resources), 1);
    ct_resource_manager_wait_for_streams(f.resources);
    fixture_picture(&f);
    assert_true(is_picture(&f, whole));
    fixture_picture(&f);
    assert_true(is_picture(&f, whole));
    assert_int_equal(ct_resource_manager_num_streams(f.resources), 0);
    fixture_stop(&f);
    ct_free(test_heap(), whole);
}

static void a_texture_may_go_while_its_stream_is_due(void **state) {
    (void)state;
    render_fixture f;
    start(&f, true);
    add_cube(&f);
    fixture_picture(&f);
    ct_resource_package_unload(f.resources, f.project);
    assert_int_equal(ct_resource_manager_num_streams(f.resources), 0);
    fixture_picture(&f);
    ct_resource_package_load(f.resources, f.project);
    ct_resource_package_flush(f.resources, f.project);
    fixture_picture(&f);
    ct_resource_manager_wait_for_streams(f.resources);
    // And in the frame in which it came.
    ct_resource_package_unload(f.resources, f.project);
    fixture_picture(&f);
    fixture_stop(&f);
}

static void a_changed_texture_streams_again(void **state) {
    (void)state;
    render_fixture f;
    start(&f, true);
    add_cube(&f);
    fixture_picture(&f);
    ct_resource_manager_wait_for_streams(f.resources);
    fixture_picture(&f);
    uint8_t *const before = copy_picture(&f);
    write_image(project, 1);
    fixture_compile(project, data);
    const ct_resource_id id = ct_resource_id_of("texture", "textures/checker");
    assert_int_equal(ct_resource_manager_reload(f.resources, &id, 1), 1);
    fixture_picture(&f);
    assert_int_equal(ct_resource_manager_num_streams(f.resources), 1);
    ct_resource_manager_wait_for_streams(f.resources);
    fixture_picture(&f);
    assert_false(is_picture(&f, before));
    uint8_t *const whole = whole_picture();
    assert_true(is_picture(&f, whole));
    fixture_stop(&f);
    ct_free(test_heap(), whole);
    ct_free(test_heap(), before);
}

static void a_lost_device_gets_them_again(void **state) {
    (void)state;
    uint8_t *const whole = whole_picture();
    for (uint32_t is_streaming = 0; is_streaming < 2; ++is_streaming) {
        render_fixture f;
        start(&f, is_streaming);
        add_cube(&f);
        fixture_picture(&f);
        ct_resource_manager_wait_for_streams(f.resources);
        fixture_picture(&f);
        const ct_render_fault fault = {.kind = CT_RENDER_FAULT_DEVICE_LOST, .num_times = 1};
        ct_renderer_inject_fault(f.renderer, &fault);
        fixture_picture(&f);
        fixture_picture(&f); // asks for them
        ct_resource_manager_wait_for_streams(f.resources);
        fixture_picture(&f);
        assert_true(is_picture(&f, whole));
        fixture_stop(&f);
    }
    ct_free(test_heap(), whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upper_mips_come_when_they_are_drawn_with),
        cmocka_unit_test(a_texture_may_go_while_its_stream_is_due),
        cmocka_unit_test(a_lost_device_gets_them_again),
        cmocka_unit_test(a_changed_texture_streams_again),
    };
    return cmocka_run_group_tests(tests, compile_project, test_group_teardown);
}
