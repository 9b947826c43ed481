// What a render config's blob may say although no compiler would write it.
#include "render/object/render_state.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "support/test_support.h"

// A config with one step and one layer, laid out as a blob is.
typedef struct small_config {
    ct_render_config_resource header;
    ct_render_layer layer;
    ct_render_step step;
} small_config;

static ct_render_state render;
static char last_error[CT_ERROR_MESSAGE_BYTES];

static void note_error(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level, (void)system;
    snprintf(last_error, sizeof(last_error), "%s", message);
}

static void start(void) {
    ct_error error = {0};
    const ct_renderer_desc desc = {.allocator = test_heap(), .width = 8, .height = 8};
    if (!ct_render_state_init(&render, test_heap(), &desc, &error))
        fail_msg("%s", error.message);
    last_error[0] = 0;
    ct_log_add_sink(&(ct_log_sink){.write = note_error, .least = CT_LOG_LEVEL_ERROR});
}

static void stop(void) {
    ct_log_remove_sink(note_error, NULL);
    ct_render_state_shutdown(&render);
}

static small_config make_config(void) {
    const ct_string_id32 back_buffer = ct_string_id32_of("back_buffer");
    const small_config c = {.header = {.header = {.size_bytes = sizeof(small_config)},
                                       .layers = {offsetof(small_config, layer), 1},
                                       .steps = {offsetof(small_config, step), 1}},
                            .layer = {.name = ct_string_id32_of("opaque"),
                                      .num_color_targets = 1,
                                      .color_targets = {back_buffer}},
                            .step = {.type = CT_RENDER_STEP_TYPE_FULLSCREEN_PASS,
                                     .num_color_targets = 1,
                                     .color_targets = {back_buffer},
                                     .shader = ct_string_id64_of("shaders/none")}};
    return c;
}

static void takes_a_config(void **state) {
    (void)state;
    start();
    const small_config c = make_config();
    assert_true(ct_render_graph_set_config(&render.graph, &c.header, NULL));
    assert_int_equal(render.graph.num_layers, 1);
    assert_int_equal(render.graph.num_targets, 1);
    assert_int_equal(render.graph.steps.count, 1);
    stop();
}

static void refuses_a_pass_that_reads_what_it_draws_to(void **state) {
    (void)state;
    start();
    const small_config good = make_config();
    assert_true(ct_render_graph_set_config(&render.graph, &good.header, NULL));
    small_config bad = make_config();
    bad.step.num_inputs = 1;
    bad.step.inputs[0].target = ct_string_id32_of("back_buffer");
    bad.header.layers.count = 0;
    assert_false(ct_render_graph_set_config(&render.graph, &bad.header, NULL));
    assert_non_null(strstr(last_error, "reads a target that it draws to (input 0)"));
    assert_int_equal(render.graph.num_layers, 1); // the old one stays
    stop();
}

static void refuses_one_target_twice(void **state) {
    (void)state;
    start();
    small_config bad = make_config();
    bad.layer.num_color_targets = 2;
    bad.layer.color_targets[1] = bad.layer.color_targets[0];
    assert_false(ct_render_graph_set_config(&render.graph, &bad.header, NULL));
    assert_non_null(strstr(last_error, "color targets 0 and 1 are the same"));
    stop();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_a_config),
        cmocka_unit_test(refuses_a_pass_that_reads_what_it_draws_to),
        cmocka_unit_test(refuses_one_target_twice),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
