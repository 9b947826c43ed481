// Units with agents whose movers or animations do the walking, from text to transforms.
#include <math.h>

#include "world/compiled_fixture.h"
#include "world/navigation_world_fixture.h"

#define GROUND                                                                                     \
    "components = [ { id = \"t\" type = \"transform\" }\n"                                         \
    "  { id = \"a\" type = \"actor\" shapes = [\n"                                                 \
    "    { id = \"s\" type = \"box\" half_size = [50 50 1] position = [0 0 -1] } ] } ]"
#define WALL                                                                                       \
    "components = [ { id = \"t\" type = \"transform\" }\n"                                         \
    "  { id = \"a\" type = \"actor\" shapes = [\n"                                                 \
    "    { id = \"s\" type = \"box\" half_size = [50 0.2 2] } ] } ]"
#define WALKER                                                                                     \
    "components = [ { id = \"t\" type = \"transform\" } { id = \"m\" type = \"mover\" }\n"         \
    "  { id = \"n\" type = \"navigation_agent\" class = \"walker\" moves = \"mover\" speed = 2 } " \
    "]"
#define DANCER                                                                                     \
    "components = [ { id = \"t\" type = \"transform\" }\n"                                         \
    "  { id = \"g\" type = \"animation\" skeleton = \"dancer\" state_machine = \"dancer\" }\n"     \
    "  { id = \"n\" type = \"navigation_agent\" class = \"walker\" speed = 2\n"                    \
    "    speed_variable = \"speed\" } ]"
#define SKELETON "joints = [ { name = \"hips\"  position = [0 0 1] } ]"
#define MACHINE                                                                                    \
    "skeleton = \"dancer\"\n"                                                                      \
    "variables = [ { id = \"1\"  name = \"speed\"  default = 0 } ]\n"                              \
    "layers = [ { id = \"1\"  name = \"base\"  start = \"rest\"\n"                                 \
    "  states = [ { id = \"1\"  type = \"empty\"  name = \"rest\" } ] } ]"

static const char *project;

static world_fixture start_walkers(void) {
    world_fixture f = start_world();
    project = test_scratch_folder();
    const struct {
        const char *type, *name, *text;
    } sources[] = {
        {"physics", "game", "filters = [ { id = \"d\" name = \"default\" collides = \"all\" } ]"},
        {"unit", "ground", GROUND},
        {"unit", "wall", WALL},
        {"unit", "walker", WALKER},
        {"skeleton", "dancer", SKELETON},
        {"state_machine", "dancer", MACHINE},
        {"unit", "dancer", DANCER},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(sources); ++i) {
        char path[256];
        snprintf(path, sizeof(path), "%s.%s", sources[i].name, sources[i].type);
        write_text(project, path, sources[i].text);
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(sources); ++i)
        load_compiled(&f, project, sources[i].type, sources[i].name);
    ct_physics_system_use(f.physics, ct_string_id64_of("game"));
    load_navigation(&f, "levels/yard", make_yard());
    load_yard_level(&f, "levels/yard", "levels/yard");
    spawn_yard_here(&f, "levels/yard");
    spawn_at(&f, "ground", 0, 0, 0);
    return f;
}

static void a_mover_walks_to_the_goal_and_falls_onto_the_ground(void **state) {
    (void)state;
    world_fixture f = start_walkers();
    const ct_entity e = spawn_at(&f, "walker", 4, 2, 0.8f);
    send(&f, e, 12, 13);
    ct_world_advance(f.world, 1.0 / 60);
    assert_true(place_of(&f, e).z < 0.8f); // it falls
    assert_true(step_until(&f, e, CT_NAVIGATION_ARRIVED, 12));
    const ct_vec3 at = place_of(&f, e);
    assert_true(fabsf(at.x - 12) < 0.4f && fabsf(at.y - 13) < 0.4f && fabsf(at.z) < 0.05f);
    ct_mover_manager *const movers = ct_world_movers(f.world);
    assert_true(ct_mover_contacts_of(movers, ct_mover_active(movers, e))->down);
    stop_world(&f);
}

static void an_agent_is_where_its_mover_was_stopped(void **state) {
    (void)state;
    world_fixture f = start_walkers();
    spawn_at(&f, "wall", 0, 8, 0); // the mesh does not know of it
    const ct_entity e = spawn_at(&f, "walker", 4, 2, 0);
    send(&f, e, 4, 13);
    for (uint32_t i = 0; i < 420; ++i)
        ct_world_advance(f.world, 1.0 / 60);
    assert_true(place_of(&f, e).y < 7.6f);
    assert_true(metres_between(status_of(&f, e).position, place_of(&f, e)) < 0.2f);
    uint32_t count, num_stuck = 0;
    const ct_navigation_agent_event *const events =
        ct_navigation_agent_take_events(ct_world_navigation_agents(f.world), &count);
    for (uint32_t i = 0; i < count; ++i)
        num_stuck += events[i].type == CT_NAVIGATION_EVENT_STUCK;
    assert_true(num_stuck > 0);
    stop_world(&f);
}

static float speed_of(const world_fixture *f, ct_entity e) {
    const ct_animation_manager *const m = ct_world_animations(f->world);
    const ct_state_machine *const machine = ct_animation_machine(m, ct_animation_lookup(m, e));
    return ct_state_machine_variable(
        machine, ct_state_machine_find_variable(machine, ct_string_id32_of("speed")));
}

static void a_state_machine_gets_the_speed(void **state) {
    (void)state;
    world_fixture f = start_walkers();
    const ct_entity e = spawn_at(&f, "dancer", 4, 2, 0);
    ct_world_advance(f.world, 1.0 / 60);
    assert_true(speed_of(&f, e) == 0);
    send(&f, e, 12, 2);
    for (uint32_t i = 0; i < 90; ++i)
        ct_world_advance(f.world, 1.0 / 60);
    assert_true(fabsf(speed_of(&f, e) - 2) < 0.05f);
    assert_true(step_until(&f, e, CT_NAVIGATION_ARRIVED, 12));
    for (uint32_t i = 0; i < 60; ++i)
        ct_world_advance(f.world, 1.0 / 60);
    assert_true(speed_of(&f, e) < 0.01f);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mover_walks_to_the_goal_and_falls_onto_the_ground),
        cmocka_unit_test(an_agent_is_where_its_mover_was_stopped),
        cmocka_unit_test(a_state_machine_gets_the_speed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
