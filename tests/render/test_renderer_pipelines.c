// Pipelines that are made ahead of their first use, and the cache that keeps them.
#include "foundation/math/math.h"
#include "render/particle_fixture.h"

// Sanitizers and validation make pipelines slow: there each way to make them runs once, and ./test
// runs all without sanitizers.
#ifdef CT_SANITIZE
static const bool is_sanitized = true;
#else
static const bool is_sanitized = false;
#endif

static void skip_if_sanitized(void) {
    if (is_sanitized && !test_rounds(0, 1))
        skip();
}

static void start(render_fixture *f, ct_renderer_pipelines mode) {
    fixture_pipelines = mode;
    fixture_start(f);
    fixture_pipelines = CT_RENDERER_PIPELINES_DEFAULT;
}

// The pipelines that the last frame had to make.
static uint32_t num_late(render_fixture *f) {
    ct_renderer_flush(f->renderer);
    return ct_renderer_stats(f->renderer).num_late_pipelines;
}

// Objects of all kinds of vertices and layers.
static void add_objects(render_fixture *f) {
    fixture_add_sun(f);
    fixture_add(f, "core/meshes/cube", "materials/flat", 0.0f, 0.0f, 0.0f);
    fixture_add(f, "meshes/ball", "materials/gold", 0.6f, 0.0f, 0.0f);
    fixture_add(f, "meshes/ball_full", "materials/leaf", -0.6f, 0.0f, 0.0f);
    fixture_add(f, "meshes/colors", "materials/glass_red", 0.0f, 0.6f, 0.0f);
    fixture_add(f, "meshes/bar", "materials/holes", 0.0f, -0.6f, 0.0f);
    fixture_add(f, "core/meshes/cube", "materials/sky", 0.0f, 0.0f, 3.0f);
    const ct_line_vertex line[2] = {{.position = {0, 0, 0}, .color = {1, 1, 1, 1}},
                                    {.position = {1, 0, 0}, .color = {1, 1, 1, 1}}};
    ct_render_lines(f->renderer, f->world, line, 2);
    const char *const clouds[] = {"core/materials/particle_lit", "materials/particle_holes"};
    for (uint32_t i = 0; i < CT_COUNT_OF(clouds); ++i) {
        particles p = particles_of(clouds[i]);
        particles_add(&p, ct_vec3_make(0.0f, 0.0f, 0.0f), 1.0f);
        particles_send(f, &p);
    }
}

static void makes_none_late_when_materials_were_loaded_before(void **state) {
    (void)state;
    skip_if_sanitized();
    render_fixture f;
    start(&f, CT_RENDERER_PIPELINES_AWAITED);
    fixture_frame(&f);
    assert_int_equal(num_late(&f), 0);
    add_objects(&f);
    fixture_frame(&f);
    assert_int_equal(num_late(&f), 0);
    assert_true(ct_renderer_stats(f.renderer).num_draws >= 8);
    fixture_stop(&f);
}

// All that a preset switches on, and a debug view.
static void makes_none_late_after_a_setting_changed(void **state) {
    (void)state;
    static const struct {
        const char *name, *choice;
    } settings[] = {{"anti_aliasing", "taa"}, {"view", "normals"}, {"view", "wireframe"}};
    render_fixture f;
    ct_error error = {0};
    start(&f, CT_RENDERER_PIPELINES_AWAITED);
    add_objects(&f);
    if (!ct_renderer_set_preset(f.renderer, "high", &error))
        fail_msg("%s", error.message);
    fixture_frame(&f);
    assert_int_equal(num_late(&f), 0);
    for (uint32_t i = 0; i < (is_sanitized ? 1 : CT_COUNT_OF(settings)); ++i) {
        const ct_render_given value = {.kind = CT_RENDER_GIVEN_KIND_TEXT,
                                       .text = settings[i].choice};
        if (!ct_renderer_set_setting(f.renderer, settings[i].name, &value, &error))
            fail_msg("%s", error.message);
        fixture_frame(&f);
        assert_int_equal(num_late(&f), 0);
    }
    fixture_stop(&f);
}

static void counts_those_that_are_made_when_drawn(void **state) {
    (void)state;
    render_fixture f;
    start(&f, CT_RENDERER_PIPELINES_WHEN_DRAWN);
    fixture_frame(&f);
    add_objects(&f);
    fixture_frame(&f);
    assert_true(num_late(&f) >= 4);
    fixture_frame(&f);
    assert_int_equal(num_late(&f), 0);
    fixture_stop(&f);
}

static bool are_equal(const render_fixture *f, const uint8_t *pixels) {
    return memcmp(f->pixels, pixels, (size_t)f->width * f->height * 4) == 0;
}

// Whatever makes the pipelines, the picture is the same once they are there.
static void draws_the_same_however_pipelines_are_made(void **state) {
    (void)state;
    skip_if_sanitized();
    static uint8_t first[FIXTURE_WIDTH * FIXTURE_HEIGHT * 4];
    for (ct_renderer_pipelines mode = CT_RENDERER_PIPELINES_AHEAD;
         mode <= CT_RENDERER_PIPELINES_WHEN_DRAWN; ++mode) {
        render_fixture f;
        start(&f, mode);
        add_objects(&f);
        fixture_frame(&f);
        ct_renderer_flush(f.renderer);
        fixture_picture(&f);
        if (mode == CT_RENDERER_PIPELINES_AHEAD)
            memcpy(first, f.pixels, sizeof(first));
        assert_true(are_equal(&f, first));
        fixture_stop(&f);
    }
}

// Objects come into view only when their pipelines are made; no frame waits for them.
static void makes_none_late_on_threads_of_their_own(void **state) {
    (void)state;
    skip_if_sanitized();
    render_fixture f;
    start(&f, CT_RENDERER_PIPELINES_AHEAD);
    fixture_frame(&f); // its passes cannot wait
    ct_renderer_flush(f.renderer);
    add_objects(&f);
    fixture_frame(&f);
    assert_int_equal(num_late(&f), 0);
    fixture_picture(&f);
    assert_int_equal(num_late(&f), 0);
    assert_true(ct_renderer_stats(f.renderer).num_draws >= 8);
    fixture_stop(&f);
}

static void makes_them_again_on_another_device(void **state) {
    (void)state;
    for (ct_renderer_pipelines mode = CT_RENDERER_PIPELINES_AHEAD;
         mode <= (is_sanitized ? CT_RENDERER_PIPELINES_AHEAD : CT_RENDERER_PIPELINES_AWAITED);
         ++mode)
        for (uint32_t call = 0; call < 10; call += test_rounds(10, 7)) {
            render_fixture f;
            start(&f, mode);
            add_objects(&f);
            // In the first frame: threads have begun to make pipelines.
            const ct_render_fault fault = {
                .kind = CT_RENDER_FAULT_DEVICE_LOST, .call = call, .num_times = 1};
            ct_renderer_inject_fault(f.renderer, &fault);
            for (uint32_t i = 0; i < 3; ++i) {
                fixture_frame(&f);
                ct_renderer_flush(f.renderer);
            }
            assert_int_equal(ct_renderer_num_faults(f.renderer), 1);
            fixture_picture(&f);
            assert_int_equal(num_late(&f), 0);
            assert_true(ct_renderer_stats(f.renderer).num_draws >= 8);
            assert_non_null(f.pixels);
            fixture_stop(&f);
        }
}

// --- The cache -----------------------------------------------------------------------------------

static uint32_t num_files;
static char cache_file[CT_PATH_BYTES];

static bool note_file(void *user, const ct_found_file *file) {
    ++num_files;
    ct_path_join(cache_file, user, file->path);
    return true;
}

static void find_files(const char *folder) {
    ct_error error = {0};
    num_files = 0;
    if (!ct_folder_walk(folder, note_file, (void *)folder, &error))
        fail_msg("%s", error.message);
}

static void draw_with_cache(const char *folder, ct_renderer_pipelines mode) {
    render_fixture f;
    fixture_cache_folder = folder;
    start(&f, mode);
    fixture_cache_folder = NULL;
    add_objects(&f);
    fixture_frame(&f);
    ct_renderer_flush(f.renderer);
    fixture_picture(&f);
    assert_non_null(f.pixels);
    fixture_stop(&f);
}

static void keeps_a_cache_from_run_to_run(void **state) {
    (void)state;
    char folder[CT_PATH_BYTES];
    uint64_t bytes = 0, again_bytes = 0;
    ct_error error = {0};
    ct_path_join(folder, test_scratch_folder(), "cuttle/a_game"); // not there yet
    draw_with_cache(folder,
                    is_sanitized ? CT_RENDERER_PIPELINES_WHEN_DRAWN : CT_RENDERER_PIPELINES_AHEAD);
    find_files(folder);
    assert_int_equal(num_files, 1);
    char *const first = ct_file_read(test_heap(), cache_file, &bytes, &error);
    assert_non_null(first);
    draw_with_cache(folder, CT_RENDERER_PIPELINES_WHEN_DRAWN);
    find_files(folder);
    assert_int_equal(num_files, 1);
    char *const again = ct_file_read(test_heap(), cache_file, &again_bytes, &error);
    assert_non_null(again);
    assert_true(again_bytes >= bytes);
    ct_free(test_heap(), first);
    ct_free(test_heap(), again);
}

static void replaces_a_damaged_cache(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    uint64_t bytes = 0, fresh_bytes = 0;
    ct_error error = {0};
    draw_with_cache(folder, CT_RENDERER_PIPELINES_WHEN_DRAWN);
    find_files(folder);
    char *const whole = ct_file_read(test_heap(), cache_file, &bytes, &error);
    assert_non_null(whole);
    for (uint32_t i = 0; i < 4; ++i) {
        const uint64_t cut = i == 0 ? 0 : i == 1 ? 40 : bytes;
        if (i == 2)
            whole[bytes - 1] ^= 1;
        if (i == 3)
            memset(whole, 0xff, bytes);
        assert_true(ct_file_write(cache_file, whole, cut, false, &error));
        draw_with_cache(folder, CT_RENDERER_PIPELINES_WHEN_DRAWN);
        find_files(folder);
        assert_int_equal(num_files, 1);
        char *const fresh = ct_file_read(test_heap(), cache_file, &fresh_bytes, &error);
        assert_non_null(fresh);
        assert_true(fresh_bytes > 40);
        ct_free(test_heap(), fresh);
    }
    ct_free(test_heap(), whole);
}

static void plays_on_when_the_cache_cannot_be_written(void **state) {
    (void)state;
    draw_with_cache("/proc/none", CT_RENDERER_PIPELINES_WHEN_DRAWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_none_late_when_materials_were_loaded_before),
        cmocka_unit_test(makes_none_late_after_a_setting_changed),
        cmocka_unit_test(counts_those_that_are_made_when_drawn),
        cmocka_unit_test(draws_the_same_however_pipelines_are_made),
        cmocka_unit_test(makes_none_late_on_threads_of_their_own),
        cmocka_unit_test(makes_them_again_on_another_device),
        cmocka_unit_test(keeps_a_cache_from_run_to_run),
        cmocka_unit_test(replaces_a_damaged_cache),
        cmocka_unit_test(plays_on_when_the_cache_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
