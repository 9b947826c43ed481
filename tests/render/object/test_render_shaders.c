// What happens when a driver refuses a shader: the driver's function is replaced by one that does.
#include "render/render_fixture.h"

#include "render/object/render_state.h"

static ct_render_state render;
static PFN_vkCreateGraphicsPipelines driver_create;
static uint32_t num_refused;
static void *blob; // of shaders/flat

static VKAPI_ATTR VkResult VKAPI_CALL refuse(VkDevice device, VkPipelineCache cache, uint32_t count,
                                             const VkGraphicsPipelineCreateInfo *infos,
                                             const VkAllocationCallbacks *callbacks,
                                             VkPipeline *pipelines) {
    (void)device, (void)cache, (void)infos, (void)callbacks;
    for (uint32_t i = 0; i < count; ++i)
        pipelines[i] = VK_NULL_HANDLE;
    ++num_refused;
    return VK_ERROR_UNKNOWN;
}

static void set_driver(bool is_willing) {
    render.device.vk.CreateGraphicsPipelines = is_willing ? driver_create : refuse;
}

static void start_with(ct_renderer_pipelines mode) {
    ct_error error = {0};
    const ct_renderer_desc desc = {
        .allocator = test_heap(), .width = 8, .height = 8, .pipelines = mode};
    if (!ct_render_state_init(&render, test_heap(), &desc, &error))
        fail_msg("%s", error.message);
    driver_create = render.device.vk.CreateGraphicsPipelines;
    num_refused = 0;
    fixture_last_error[0] = 0;
    ct_log_add_sink(&(ct_log_sink){.write = fixture_note_error, .least = CT_LOG_LEVEL_ERROR});
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_resource_file_name(ct_resource_id_of("shader", "shaders/flat"), file_name);
    ct_path_join(path, fixture_data(), file_name);
    uint64_t bytes;
    blob = ct_file_read(test_heap(), path, &bytes, &error);
    if (!blob)
        fail_msg("%s", error.message);
}

static void start(void) {
    start_with(CT_RENDERER_PIPELINES_DEFAULT);
}

static void stop(void) {
    ct_log_remove_sink(fixture_note_error, NULL);
    ct_render_state_shutdown(&render);
    ct_free(test_heap(), blob);
}

static uint32_t signature_of(VkFormat format) {
    return ct_render_shaders_signature(&render.shaders,
                                       &(ct_render_signature){.num_colors = 1, .colors = {format}});
}

static void makes_a_pipeline_once_for_each_signature(void **state) {
    (void)state;
    start();
    const ct_string_id64 name = ct_string_id64_of("shaders/flat");
    const uint32_t shader = ct_render_shaders_index(&render.shaders, name);
    const uint32_t a = signature_of(VK_FORMAT_R8G8B8A8_SRGB);
    const uint32_t b = signature_of(VK_FORMAT_R16G16B16A16_SFLOAT);
    assert_int_equal(signature_of(VK_FORMAT_R8G8B8A8_SRGB), a);
    assert_null(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0)); // not online
    ct_render_shaders_set(&render.shaders, name, blob);
    const VkPipeline first = ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0);
    assert_non_null(first);
    assert_true(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0) == first);
    assert_true(ct_render_shaders_pipeline(&render.shaders, shader, 0, b, 0) != first);
    assert_int_equal(render.shaders.pipelines.count, 2);
    const VkPipeline packed =
        ct_render_shaders_pipeline(&render.shaders, shader, 0, a, CT_MESH_FORMAT_PACKED);
    assert_non_null(packed);
    assert_true(packed != first);
    assert_null(ct_render_shaders_pipeline(&render.shaders, shader, 1, a, 0)); // no such variant
    ct_render_shaders_set(&render.shaders, name, NULL);
    assert_int_equal(render.shaders.pipelines.count, 0);
    assert_null(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0));
    stop();
}

static void keeps_the_old_shader_when_the_driver_refuses_the_new_one(void **state) {
    (void)state;
    start();
    const ct_string_id64 name = ct_string_id64_of("shaders/flat");
    const uint32_t shader = ct_render_shaders_index(&render.shaders, name);
    const uint32_t a = signature_of(VK_FORMAT_R8G8B8A8_SRGB);
    ct_render_shaders_set(&render.shaders, name, blob);
    const VkPipeline old = ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0);
    set_driver(false);
    ct_render_shaders_set(&render.shaders, name, blob);
    assert_int_equal(num_refused, 1);
    assert_non_null(strstr(fixture_last_error, "the old one stays"));
    assert_true(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0) == old);
    set_driver(true);
    ct_render_shaders_set(&render.shaders, name, blob);
    const VkPipeline new = ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0);
    assert_true(new &&new != old);
    stop();
}

static void asks_a_driver_that_refused_once_only(void **state) {
    (void)state;
    start();
    const ct_string_id64 name = ct_string_id64_of("shaders/flat");
    const uint32_t shader = ct_render_shaders_index(&render.shaders, name);
    const uint32_t a = signature_of(VK_FORMAT_R8G8B8A8_SRGB);
    ct_render_shaders_set(&render.shaders, name, blob);
    set_driver(false);
    for (uint32_t i = 0; i < 5; ++i)
        assert_null(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0));
    assert_int_equal(num_refused, 1);
    assert_non_null(strstr(fixture_last_error, "vkCreateGraphicsPipelines"));
    // A changed shader is a new chance.
    set_driver(true);
    ct_render_shaders_set(&render.shaders, name, blob);
    assert_non_null(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0));
    stop();
}

static void makes_on_a_thread_what_is_asked_for(void **state) {
    (void)state;
    start_with(CT_RENDERER_PIPELINES_AHEAD);
    const ct_string_id64 name = ct_string_id64_of("shaders/flat");
    const uint32_t shader = ct_render_shaders_index(&render.shaders, name);
    const uint32_t a = signature_of(VK_FORMAT_R8G8B8A8_SRGB);
    ct_render_shaders_ask(&render.shaders, shader, 0, a, 0); // not online
    assert_int_equal(render.shaders.num_awaited, 0);
    ct_render_shaders_set(&render.shaders, name, blob);
    ct_render_shaders_ask(&render.shaders, shader, 0, a, 0);
    ct_render_shaders_ask(&render.shaders, shader, 0, a, 0);
    ct_render_shaders_ask(&render.shaders, shader, 1, a, 0); // no such variant
    assert_int_equal(render.shaders.num_awaited, 1);
    assert_true(ct_render_shaders_is_awaited(&render.shaders, shader, 0, a, 0));
    ct_render_shaders_wait(&render.shaders);
    assert_int_equal(render.shaders.num_awaited, 0);
    assert_false(ct_render_shaders_is_awaited(&render.shaders, shader, 0, a, 0));
    assert_non_null(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0));
    assert_int_equal(render.shaders.num_late, 0);
    // What is not waited for is late, but made.
    ct_render_shaders_ask(&render.shaders, shader, 0, a, CT_MESH_FORMAT_PACKED);
    assert_non_null(
        ct_render_shaders_pipeline(&render.shaders, shader, 0, a, CT_MESH_FORMAT_PACKED));
    assert_int_equal(render.shaders.num_late, 1);
    // And what is given up is not missed.
    for (uint32_t i = 0; i < 8; ++i)
        ct_render_shaders_ask(&render.shaders, shader, 0, signature_of((VkFormat)(37 + i % 2)),
                              i / 2);
    ct_render_shaders_set(&render.shaders, name, NULL);
    assert_int_equal(render.shaders.num_awaited, 0);
    assert_int_equal(render.shaders.pipelines.count, 0);
    stop();
}

static void keeps_the_old_shader_until_the_new_one_is_made(void **state) {
    (void)state;
    start_with(CT_RENDERER_PIPELINES_AHEAD);
    const ct_string_id64 name = ct_string_id64_of("shaders/flat");
    const uint32_t shader = ct_render_shaders_index(&render.shaders, name);
    const uint32_t a = signature_of(VK_FORMAT_R8G8B8A8_SRGB);
    ct_render_shaders_set(&render.shaders, name, blob);
    const VkPipeline old = ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0);
    const ct_shader_resource *const old_blob = render.shaders.items.items[shader].blob;
    ct_render_shaders_set(&render.shaders, name, blob);
    assert_true(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0) == old);
    assert_ptr_equal(render.shaders.items.items[shader].blob, old_blob);
    ct_render_shaders_set(&render.shaders, name, blob); // saved again meanwhile
    assert_true(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0) == old);
    ct_render_shaders_wait(&render.shaders);
    const VkPipeline new = ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0);
    assert_true(new &&new != old);
    assert_ptr_not_equal(render.shaders.items.items[shader].blob, old_blob);
    // One that the driver refuses never comes.
    render.shaders.maker.unguarded.vk.CreateGraphicsPipelines = refuse;
    ct_render_shaders_set(&render.shaders, name, blob);
    ct_render_shaders_wait(&render.shaders);
    assert_int_equal(num_refused, 1);
    assert_non_null(strstr(fixture_last_error, "the old one stays"));
    assert_true(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0) == new);
    ct_render_shaders_set(&render.shaders, name, blob);
    ct_render_shaders_set(&render.shaders, name, NULL); // offline before it came
    assert_null(ct_render_shaders_pipeline(&render.shaders, shader, 0, a, 0));
    stop();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_a_pipeline_once_for_each_signature),
        cmocka_unit_test(keeps_the_old_shader_when_the_driver_refuses_the_new_one),
        cmocka_unit_test(asks_a_driver_that_refused_once_only),
        cmocka_unit_test(makes_on_a_thread_what_is_asked_for),
        cmocka_unit_test(keeps_the_old_shader_until_the_new_one_is_made),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
