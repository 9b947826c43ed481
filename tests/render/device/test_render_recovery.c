// Devices that are lost in any call: pictures afterwards are the same, bit by bit.
#include "render/particle_fixture.h"

#include "foundation/math/math.h"
#include "foundation/memory/memory.h"

// Each recovery builds all shaders anew, which takes long: a part of the calls will do from day to
// day, all of them with CUTTLE_TEST_LONG.
enum { MAX_CALLS = 2000, LOSS_STEP = 9, RECOVERY_STEP = 127 };

static const float green[4] = {0.1f, 0.9f, 0.2f, 1.0f};

static void set_amount(render_fixture *f, double amount) {
    ct_error error = {0};
    const ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {amount}};
    if (!ct_renderer_set_setting(f->renderer, "amount", &given, &error))
        fail_msg("%s", error.message);
}

static void add_sun(render_fixture *f) {
    const ct_light_data data = {.type = CT_LIGHT_TYPE_DIRECTIONAL,
                                .color = {1.0f, 1.0f, 1.0f, 1.0f},
                                .intensity = 1.2f,
                                .is_enabled = true,
                                .casts_shadows = true,
                                .shadow_depth_bias = 0.02f};
    const ct_mat4 pose = ct_mat4_compose(
        ct_vec3_make(0.0f, 0.0f, 0.0f),
        ct_quat_look(ct_vec3_make(0.6f, 0.5f, -1.0f), ct_vec3_make(0.0f, 0.0f, 1.0f)),
        ct_vec3_make(1.0f, 1.0f, 1.0f));
    ct_render_light_create(f->renderer, f->world, &data, &pose);
}

// What the picture of a scene is made from: meshes with one stream of vertices and with two,
// textures, values set at run time, of materials and of one object, lights, settings.
static void build_scene(render_fixture *f) {
    add_sun(f);
    const ct_mat4 floor = fixture_pose(0.0f, 0.0f, -0.5f, 8.0f);
    fixture_add_at(f, "core/meshes/plane", "materials/chalk", &floor);
    fixture_add(f, "meshes/colors", "materials/vertex_colors", -0.6f, -0.9f, 0.4f);
    const ct_render_object_id own =
        fixture_add(f, "core/meshes/cube", "materials/red", 0.6f, 1.4f, 0.4f);
    ct_render_object_set_value(f->renderer, f->world, own, ct_string_id32_of("base_color"), green,
                               4);
    set_amount(f, 0.7);
    fixture_add_point_light(f, ct_vec3_make(1.0f, -1.0f, 1.0f), 1.0f, 0.4f, 0.2f);
    fixture_add(f, "core/meshes/cube", "materials/checker", 0.0f, 0.0f, 0.0f);
    fixture_add(f, "core/meshes/sphere", "materials/bumps", 0.9f, 0.0f, 0.0f);
    fixture_add(f, "core/meshes/sphere", "materials/flat", -0.9f, 0.0f, 0.0f);
    fixture_add(f, "core/meshes/cube", "materials/glass_red", 0.0f, -0.8f, 0.3f);
    particles p = particles_of("core/materials/particle_lit");
    p.desc.sort = CT_PARTICLE_SORT_DISTANCE;
    for (uint32_t i = 0; i < 10; ++i)
        particles_add(&p, ct_vec3_make(-0.5f, 0.1f * (float)i - 0.5f, 0.5f), 0.4f);
    particles_send(f, &p);
    const ct_string_id64 flat = ct_string_id64_of("materials/flat");
    assert_true(
        ct_render_material_set_parameter(f->renderer, flat, ct_string_id32_of("color"), green, 4));
    assert_true(ct_render_material_set_texture(f->renderer, flat, ct_string_id32_of("picture"),
                                               ct_string_id64_of("textures/stripes")));
}

// Draws the scene with a line, which lives for one frame.
static void take_picture(render_fixture *f) {
    const ct_line_vertex line[2] = {{{-1.0f, 0.0f, 0.9f}, {1.0f, 0.0f, 0.0f, 1.0f}},
                                    {{1.0f, 0.0f, 0.9f}, {1.0f, 1.0f, 0.0f, 1.0f}}};
    ct_render_lines(f->renderer, f->world, line, 2);
    fixture_picture(f);
}

// A scene and what it looks like.
typedef struct scene {
    render_fixture f;
    uint8_t *pixels;
    uint64_t size_bytes;
} scene;

static void start(scene *s) {
    fixture_start(&s->f);
    ct_error error = {0};
    if (!ct_renderer_set_config(s->f.renderer, "rendering/everything", &error))
        fail_msg("%s", error.message);
    build_scene(&s->f);
    take_picture(&s->f);
    assert_non_null(s->f.pixels);
    s->size_bytes = (uint64_t)s->f.width * s->f.height * 4;
    s->pixels = ct_alloc(test_heap(), s->size_bytes);
    memcpy(s->pixels, s->f.pixels, s->size_bytes);
}

static void stop(scene *s) {
    ct_free(test_heap(), s->pixels);
    fixture_stop(&s->f);
}

static void inject(render_fixture *f, ct_render_fault_kind kind, uint32_t call, uint32_t period,
                   uint32_t num_times) {
    ct_renderer_inject_fault(
        f->renderer,
        &(ct_render_fault){.kind = kind, .call = call, .period = period, .num_times = num_times});
}

// Draws a picture and compares it with that of the start.
static void expect_same_picture(scene *s, const char *what, uint32_t call) {
    const uint32_t num_pictures = s->f.num_pictures;
    take_picture(&s->f);
    assert_int_equal(s->f.num_pictures, num_pictures + 1);
    if (!s->f.pixels || memcmp(s->f.pixels, s->pixels, s->size_bytes) != 0)
        fail_msg("%s %u: the picture is another one", what, call);
    fixture_expect_no_error(&s->f);
}

// --- One loss ------------------------------------------------------------------------------------

static void draws_the_frame_again_in_which_the_device_was_lost(void **state) {
    (void)state;
    scene s;
    start(&s);
    inject(&s.f, CT_RENDER_FAULT_DEVICE_LOST, 0, 0, 1);
    expect_same_picture(&s, "call", 0);
    assert_int_equal(ct_renderer_num_faults(s.f.renderer), 1);
    expect_same_picture(&s, "afterwards", 0);
    assert_false(ct_renderer_has_failed(s.f.renderer));
    stop(&s);
}

static void recovers_from_a_loss_in_any_call_of_a_frame(void **state) {
    (void)state;
    scene s;
    start(&s);
    uint32_t call = 0;
    for (; call < MAX_CALLS; call += test_rounds(LOSS_STEP, 1)) {
        inject(&s.f, CT_RENDER_FAULT_DEVICE_LOST, call, 0, 1);
        expect_same_picture(&s, "call", call);
        if (ct_renderer_num_faults(s.f.renderer) == 0)
            break;
    }
    print_message("%u calls\n", call);
    assert_in_range(call, 5, MAX_CALLS - 1);
    stop(&s);
}

// The second loss comes in any call that makes everything anew, or draws the frame again.
static void recovers_from_a_loss_in_any_call_of_the_recovery(void **state) {
    (void)state;
    scene s;
    start(&s);
    uint32_t call = 1;
    for (; call < MAX_CALLS; call += test_rounds(RECOVERY_STEP, 1)) {
        inject(&s.f, CT_RENDER_FAULT_DEVICE_LOST, 0, call, 2);
        expect_same_picture(&s, "second loss after", call);
        if (ct_renderer_num_faults(s.f.renderer) < 2)
            break;
    }
    print_message("%u calls\n", call);
    assert_in_range(call, 50, MAX_CALLS - 1);
    stop(&s);
}

static void keeps_what_changes_in_the_frame_of_the_loss(void **state) {
    (void)state;
    scene s;
    start(&s);
    const float red[4] = {1.0f, 0.0f, 0.0f, 1.0f};
    const ct_string_id64 flat = ct_string_id64_of("materials/flat");
    // Everything is another picture, and then the first one again, on a lost device.
    ct_render_material_set_parameter(s.f.renderer, flat, ct_string_id32_of("color"), red, 4);
    const ct_render_object_id object =
        fixture_add(&s.f, "core/meshes/cube", "materials/lamp", 0.0f, 0.0f, 0.0f);
    take_picture(&s.f);
    assert_true(memcmp(s.f.pixels, s.pixels, s.size_bytes) != 0);
    inject(&s.f, CT_RENDER_FAULT_DEVICE_LOST, 0, 0, 1);
    ct_resource_package_destroy(s.f.resources, s.f.project);
    s.f.project = fixture_load(&s.f, "all"); // uploads lose the device
    ct_render_objects_destroy(s.f.renderer, s.f.world, &object, 1);
    assert_true(
        ct_render_material_set_parameter(s.f.renderer, flat, ct_string_id32_of("color"), green, 4));
    assert_true(ct_render_material_set_texture(s.f.renderer, flat, ct_string_id32_of("picture"),
                                               ct_string_id64_of("textures/stripes")));
    expect_same_picture(&s, "call", 0);
    assert_int_equal(ct_renderer_num_faults(s.f.renderer), 1);
    stop(&s);
}

static void forgets_what_went_offline_before_it_was_sent_anew(void **state) {
    (void)state;
    scene s;
    start(&s);
    inject(&s.f, CT_RENDER_FAULT_DEVICE_LOST, 0, 0, 1);
    fixture_frame(&s.f); // lost; the update thread does not know
    ct_resource_package_unload(s.f.resources, s.f.project);
    fixture_frame(&s.f); // sends anew what is still there
    ct_resource_package_load(s.f.resources, s.f.project);
    ct_resource_package_flush(s.f.resources, s.f.project);
    const ct_string_id64 flat = ct_string_id64_of("materials/flat");
    ct_render_material_set_parameter(s.f.renderer, flat, ct_string_id32_of("color"), green, 4);
    ct_render_material_set_texture(s.f.renderer, flat, ct_string_id32_of("picture"),
                                   ct_string_id64_of("textures/stripes"));
    expect_same_picture(&s, "call", 0);
    stop(&s);
}

// Of the renderer, the driver included: the device's memory is the driver's here.
static void add_live_bytes(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    (void)depth;
    if (strcmp(name, "render") == 0)
        *(uint64_t *)user += stats.live_bytes;
}

static uint64_t count_live_bytes(void) {
    uint64_t total = 0;
    ct_memory_visit(add_live_bytes, &total);
    return total;
}

static void goes_on_after_many_losses_with_the_memory_it_had(void **state) {
    (void)state;
    scene s;
    start(&s);
    uint64_t live_bytes = 0;
    const uint32_t half = test_rounds(4, 15);
    for (uint32_t i = 0; i < 2 * half; ++i) {
        inject(&s.f, CT_RENDER_FAULT_DEVICE_LOST, i % 7, 0, 1);
        expect_same_picture(&s, "loss", i);
        expect_same_picture(&s, "after loss", i);
        if (i + 1 == half)
            live_bytes = count_live_bytes();
    }
    assert_in_range(count_live_bytes(), 1, live_bytes + 4096);
    stop(&s);
}

// --- No way on -----------------------------------------------------------------------------------

static void ends_with_an_error_when_the_device_does_not_come_back(void **state) {
    (void)state;
    scene s;
    start(&s);
    inject(&s.f, CT_RENDER_FAULT_DEVICE_LOST, 0, 0, UINT32_MAX);
    take_picture(&s.f);
    assert_null(s.f.pixels);
    assert_true(ct_renderer_has_failed(s.f.renderer));
    fixture_expect_error(&s.f, "did not restore it");
    // The game may go on without pictures until it ends.
    build_scene(&s.f);
    const uint32_t num_pictures = s.f.num_pictures;
    take_picture(&s.f);
    assert_int_equal(s.f.num_pictures, num_pictures + 1);
    assert_null(s.f.pixels);
    assert_int_equal(ct_renderer_completed_frame(s.f.renderer),
                     ct_renderer_frame(s.f.renderer) - 1);
    stop(&s);
}

static void ends_with_an_error_when_each_new_device_is_lost(void **state) {
    (void)state;
    scene s;
    start(&s);
    inject(&s.f, CT_RENDER_FAULT_DEVICE_LOST, 0, 40, UINT32_MAX);
    take_picture(&s.f);
    assert_null(s.f.pixels);
    fixture_expect_error(&s.f, "VK_ERROR_DEVICE_LOST");
    stop(&s);
}

static void says_that_graphics_memory_ran_out(void **state) {
    (void)state;
    scene s;
    start(&s);
    inject(&s.f, CT_RENDER_FAULT_OUT_OF_MEMORY, 0, 0, 1);
    expect_same_picture(&s, "call", 0);
    inject(&s.f, CT_RENDER_FAULT_OUT_OF_MEMORY, 0, 40, UINT32_MAX);
    take_picture(&s.f);
    fixture_expect_error(&s.f, "VK_ERROR_OUT_OF_DEVICE_MEMORY");
    stop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_the_frame_again_in_which_the_device_was_lost),
        cmocka_unit_test(recovers_from_a_loss_in_any_call_of_a_frame),
        cmocka_unit_test(recovers_from_a_loss_in_any_call_of_the_recovery),
        cmocka_unit_test(keeps_what_changes_in_the_frame_of_the_loss),
        cmocka_unit_test(forgets_what_went_offline_before_it_was_sent_anew),
        cmocka_unit_test(goes_on_after_many_losses_with_the_memory_it_had),
        cmocka_unit_test(ends_with_an_error_when_the_device_does_not_come_back),
        cmocka_unit_test(ends_with_an_error_when_each_new_device_is_lost),
        cmocka_unit_test(says_that_graphics_memory_ran_out),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
