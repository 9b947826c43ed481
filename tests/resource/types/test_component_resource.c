#include "resource/types/component_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"
#include "resource/types/component/actor_data.h"
#include "resource/types/component/navigation_agent_data.h"
#include "resource/types/component/sound_listener_data.h"

static const void *defaults(const char *type, void *data) {
    ct_schema_defaults(ct_component_type_named(type)->schema, data);
    return data;
}

static void spawns_transforms_before_meshes(void **state) {
    (void)state;
    assert_true(ct_component_type_named("transform") < ct_component_type_named("mesh"));
    assert_null(ct_component_type_named("transforms"));
}

static void schemas_bear_the_types_name_and_cover_the_struct(void **state) {
    (void)state;
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    const uint32_t bytes[] = {sizeof(ct_transform_data),
                              sizeof(ct_scene_graph_node_data),
                              sizeof(ct_mesh_data),
                              sizeof(ct_camera_data),
                              sizeof(ct_light_data),
                              0,
                              sizeof(ct_animation_data),
                              sizeof(ct_navigation_agent_data),
                              0,
                              0,
                              sizeof(ct_mover_data),
                              0,
                              0,
                              sizeof(ct_sound_listener_data),
                              sizeof(ct_debug_name_data),
                              0,
                              0,
                              sizeof(ct_script_component_data),
                              sizeof(ct_flow_component_data)};
    assert_int_equal(count, CT_COUNT_OF(bytes));
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(types[i].id.value, ct_string_id32_of(types[i].name).value);
        assert_string_equal(types[i].schema->name, types[i].name);
        assert_true(!types[i].instance_schema == !!types[i].check_instance);
        assert_int_equal(types[i].instance_schema ? types[i].instance_schema->size_bytes : 0,
                         bytes[i]);
        assert_true(bytes[i] % 4 == 0);
    }
}

static void defaults_are_sound(void **state) {
    (void)state;
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        _Alignas(8) char data[1024];
        ct_error error = {0};
        if (!types[i].instance_schema)
            continue;
        assert_true(types[i].instance_schema->size_bytes <= sizeof(data));
        ct_schema_defaults(types[i].instance_schema, data);
        if (!ct_schema_check(types[i].instance_schema, data, &error))
            fail_msg("%s", error.message);
    }
}

static void a_transform_starts_as_identity(void **state) {
    (void)state;
    ct_transform_data buffer;
    const ct_transform_data *const t = defaults("transform", &buffer);
    assert_true(t->position[0] == 0 && t->rotation[0] == 0 && t->rotation[3] == 1);
    assert_true(t->scale[0] == 1 && t->scale[1] == 1 && t->scale[2] == 1);
}

static void the_places_of_parents_stand_in_no_source(void **state) {
    (void)state;
    const ct_schema *const node = ct_component_type_named("scene_graph")->instance_schema;
    const ct_field *const parent = ct_schema_find(node, "parent");
    assert_int_equal(parent->offset, offsetof(ct_scene_graph_node_data, parent_name));
}

static void a_mesh_is_visible(void **state) {
    (void)state;
    ct_mesh_data buffer;
    const ct_mesh_data *const m = defaults("mesh", &buffer);
    assert_int_equal(m->is_visible, 1);
    assert_int_equal(m->casts_shadows, 1);
    assert_int_equal(m->materials[0].value, 0);
}

static void a_camera_sees_sixty_degrees(void **state) {
    (void)state;
    ct_camera_data buffer;
    const ct_camera_data *const c = defaults("camera", &buffer);
    assert_true(fabs((double)c->vertical_fov * 180 / 3.14159265358979 - 60) < 1e-4);
    assert_true(c->near_range > 0 && c->near_range < c->far_range);
    assert_int_equal(c->projection, CT_CAMERA_PROJECTION_PERSPECTIVE);
    assert_int_equal(c->name.value, ct_string_id32_of("camera").value);
}

static void a_light_is_white_and_on(void **state) {
    (void)state;
    ct_light_data buffer;
    const ct_light_data *const l = defaults("light", &buffer);
    for (uint32_t i = 0; i < 4; ++i)
        assert_true(l->color[i] == 1);
    assert_true(l->intensity == 1);
    assert_int_equal(l->is_enabled, 1);
    assert_int_equal(l->name.value, ct_string_id32_of("light").value);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spawns_transforms_before_meshes),
        cmocka_unit_test(schemas_bear_the_types_name_and_cover_the_struct),
        cmocka_unit_test(defaults_are_sound),
        cmocka_unit_test(a_transform_starts_as_identity),
        cmocka_unit_test(the_places_of_parents_stand_in_no_source),
        cmocka_unit_test(a_mesh_is_visible),
        cmocka_unit_test(a_camera_sees_sixty_degrees),
        cmocka_unit_test(a_light_is_white_and_on),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
