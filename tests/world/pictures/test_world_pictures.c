// Golden pictures of spawned units, drawn with Vulkan's validation.
#include "render/golden_picture.h"

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "world/world.h"

typedef struct picture_fixture {
    render_fixture render;
    ct_world_system *system;
    ct_world *world;
    ct_entity unit;
} picture_fixture;

static void start(picture_fixture *f, const char *unit) {
    ct_error error = {0};
    fixture_start(&f->render);
    f->system = ct_world_system_create(&(ct_world_system_desc){.allocator = test_heap(),
                                                               .resources = f->render.resources,
                                                               .renderer = f->render.renderer});
    f->world = ct_world_create(f->system);
    f->render.world = ct_world_render_world(f->world);
    if (!ct_world_spawn_units(f->world, unit, NULL, NULL, NULL, 1, &f->unit, &error))
        fail_msg("%s", error.message);
}

// Draws what the unit's camera sees.
static void expect_picture(picture_fixture *f, const char *name) {
    ct_camera_manager *const cameras = ct_world_cameras(f->world);
    ct_world_advance(f->world, 0);
    f->render.view = ct_camera_view(cameras, ct_camera_first(cameras, f->unit), 0,
                                    (float)FIXTURE_WIDTH / FIXTURE_HEIGHT);
    fixture_picture(&f->render);
    golden_expect(&f->render, name);
}

static void stop(picture_fixture *f) {
    ct_world_system_destroy(f->system);
    fixture_stop(&f->render);
}

static void bend(picture_fixture *f, const char *node, float angle) {
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(f->world);
    ct_scene_graph_set_local_rotation(
        graphs, ct_scene_graph_lookup(graphs, f->unit),
        ct_scene_graph_node_of(graphs, f->unit, ct_string_id32_of(node)),
        ct_quat_axis_angle(ct_vec3_make(0.0f, 1.0f, 0.0f), angle));
}

// Both arms are posed alike; one hangs on a mirrored node. The eye turns with the unit.
static void draws_nested_scaled_and_mirrored_nodes_that_move(void **state) {
    (void)state;
    picture_fixture f;
    start(&f, "units/figure");
    expect_picture(&f, "scene_graph");
    bend(&f, "elbow", 0.2f);
    bend(&f, "shoulder_mirrored", -0.7f);
    const ct_transform t = ct_transform_lookup(ct_world_transforms(f.world), f.unit);
    ct_transform_set_local_position(ct_world_transforms(f.world), t, ct_vec3_make(5, 5, 5));
    expect_picture(&f, "scene_graph_moved");
    stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_nested_scaled_and_mirrored_nodes_that_move),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
