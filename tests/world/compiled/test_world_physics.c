// Physics of worlds: units with actors that fall, from text to transforms; the same hash in each run;
// what was loaded again shows in the running world.
#include "world/compiled_fixture.h"

#include <math.h>

#include "foundation/math/math.h"
#include "foundation/task/task.h"

// Writes pictures of height fields.
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>

#define GROUND                                                                                     \
    "components = [ { id = \"t\" type = \"transform\" position = [0 0 -1] }\n"                     \
    "  { id = \"a\" type = \"actor\" name = \"ground\" shapes = [\n"                               \
    "    { id = \"s\" type = \"box\" half_size = [50 50 1] } ] } ]"
#define CRATE                                                                                      \
    "components = [ { id = \"t\" type = \"transform\" }\n"                                         \
    "  { id = \"a\" type = \"actor\" name = \"crate\" body = \"dynamic\" template = \"crate\"\n"   \
    "    shapes = [ { id = \"s\" type = \"box\" } ] } ]"
#define GATE                                                                                       \
    "components = [ { id = \"t\" type = \"transform\" }\n"                                         \
    "  { id = \"a\" type = \"trigger\" shapes = [ { id = \"s\" type = \"sphere\" radius = 2 } ] "  \
    "} ]"
// A slope of 20 degrees.
#define SLOPE                                                                                      \
    "components = [ { id = \"t\" type = \"transform\" rotation_degrees = [20 0 0] }\n"             \
    "  { id = \"a\" type = \"actor\" material = \"slope\" shapes = [\n"                            \
    "    { id = \"s\" type = \"box\" half_size = [50 50 1] position = [0 0 -1] } ] } ]"

#define PLATFORM                                                                                   \
    "components = [ { id = \"t\" type = \"transform\" }\n"                                         \
    "  { id = \"a\" type = \"actor\" body = \"kinematic\" shapes = [\n"                            \
    "    { id = \"s\" type = \"box\" half_size = [2 2 0.2] } ] } ]"
#define WALKER                                                                                     \
    "components = [ { id = \"t\" type = \"transform\" } { id = \"m\" type = \"mover\" } ]"

static const char physics_text[] =
    "materials = [ { id = \"m\" name = \"crate\" friction = 0.9 }\n"
    "  { id = \"n\" name = \"slope\" friction = %s } ]\n"
    "filters = [ { id = \"d\" name = \"default\" collides = \"all\" }\n"
    "  { id = \"f\" name = \"crates\" collides = [%s] } ]\n"
    "templates = [ { id = \"t\" name = \"crate\" actor = { mass = 10 material = \"crate\" filter = "
    "\"crates\" } } ]";

static const char *project;

// What was logged while a test listens.
static char logged[4096];

static void keep_message(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level, (void)system;
    strncat(logged, message, sizeof(logged) - strlen(logged) - 1);
}

static void write_physics_source(const char *friction, const char *collides) {
    char text[1024];
    snprintf(text, sizeof(text), physics_text, friction, collides);
    write_text(project, "game.physics", text);
}

static world_fixture start_physics(void) {
    world_fixture f = start_world();
    project = test_scratch_folder();
    write_physics_source("0.9", "\"default\" \"crates\"");
    write_text(project, "ground.unit", GROUND);
    write_text(project, "crate.unit", CRATE);
    write_text(project, "gate.unit", GATE);
    write_text(project, "slope.unit", SLOPE);
    write_text(project, "platform.unit", PLATFORM);
    write_text(project, "walker.unit", WALKER);
    load_compiled(&f, project, "physics", "game");
    load_compiled(&f, project, "unit", "ground");
    load_compiled(&f, project, "unit", "crate");
    load_compiled(&f, project, "unit", "gate");
    load_compiled(&f, project, "unit", "slope");
    load_compiled(&f, project, "unit", "platform");
    load_compiled(&f, project, "unit", "walker");
    ct_physics_system_use(f.physics, ct_string_id64_of("game"));
    return f;
}

static void advance(world_fixture *f, uint32_t frames) {
    for (uint32_t i = 0; i < frames; ++i)
        ct_world_advance(f->world, 1.0 / 60);
}

static ct_vec3 place_of(const world_fixture *f, ct_entity e) {
    return ct_mat4_position(
        *ct_transform_world(ct_world_transforms(f->world), transform_of(f->world, e)));
}

static bool sleeps(const world_fixture *f, ct_entity e) {
    ct_physics_world *const p = ct_world_physics(f->world);
    return ct_bullet_body_is_asleep(ct_actor_bullet(p, ct_actor_first(p, e)));
}

// --- Falling -------------------------------------------------------------------------------------

static void units_fall_onto_each_other_and_rest(void **state) {
    (void)state;
    world_fixture f = start_physics();
    spawn_at(&f, "ground", 0, 0, -1);
    ct_entity crates[5];
    for (uint32_t i = 0; i < 5; ++i)
        crates[i] = spawn_at(&f, "crate", 0, 0, 0.6f + 1.1f * (float)i);
    advance(&f, 400);
    for (uint32_t i = 0; i < 5; ++i) {
        const ct_vec3 at = place_of(&f, crates[i]);
        assert_true(fabsf(at.z - (0.5f + (float)i)) < 0.03f);
        assert_true(fabsf(at.x) < 0.02f && fabsf(at.y) < 0.02f);
        assert_true(sleeps(&f, crates[i]));
    }
    stop_world(&f);
}

static void members_come_from_the_template(void **state) {
    (void)state;
    world_fixture f = start_physics();
    const ct_entity crate = spawn_at(&f, "crate", 0, 0, 5);
    ct_physics_world *const p = ct_world_physics(f.world);
    const ct_actor a = ct_actor_first(p, crate);
    assert_int_equal(ct_actor_name(p, a).value, ct_string_id32_of("crate").value);
    assert_float_equal(ct_bullet_body_mass(ct_actor_bullet(p, a)), 10, 1e-5);
    assert_int_equal(ct_actor_data_of(p, a).filter.value, ct_string_id32_of("crates").value);
    stop_world(&f);
}

static void units_take_their_actors_with_them(void **state) {
    (void)state;
    world_fixture f = start_physics();
    ct_physics_world *const p = ct_world_physics(f.world);
    spawn_at(&f, "ground", 0, 0, -1);
    const ct_entity gate = spawn_at(&f, "gate", 0, 0, 0);
    const ct_entity crate = spawn_at(&f, "crate", 0, 0, 1);
    advance(&f, 60);
    assert_int_equal(ct_actor_count(p), 3);
    ct_world_destroy_units(f.world, &crate, 1);
    assert_int_equal(ct_actor_count(p), 2);
    advance(&f, 1);
    uint32_t count, left = 0, ended = 0;
    const ct_physics_event *const events = ct_physics_world_events(p, &count);
    for (uint32_t i = 0; i < count; ++i) {
        left += events[i].kind == CT_PHYSICS_TRIGGER_LEAVE && events[i].entity_a.id == gate.id &&
                events[i].entity_b.id == crate.id;
        ended += events[i].kind == CT_PHYSICS_TOUCH_END;
    }
    assert_int_equal(left, 1);
    assert_int_equal(ended, 1);
    stop_world(&f);
}

static void worlds_are_independent(void **state) {
    (void)state;
    world_fixture f = start_physics();
    ct_world *const other = ct_world_create(f.system);
    const ct_entity crate = spawn_at(&f, "crate", 0, 0, 5);
    advance(&f, 30);
    assert_int_equal(ct_actor_count(ct_world_physics(other)), 0);
    assert_true(place_of(&f, crate).z < 4.5f);
    ct_world_advance(other, 1);
    const float z = place_of(&f, crate).z;
    ct_world_destroy(other);
    assert_true(place_of(&f, crate).z == z);
    stop_world(&f);
}

// --- The same bits -------------------------------------------------------------------------------

static void turn_platform(const world_fixture *f, ct_entity platform, uint32_t frame) {
    const ct_transform t = transform_of(f->world, platform);
    ct_transform_set_local_pose(
        ct_world_transforms(f->world), t, ct_vec3_make(sinf(0.03f * (float)frame), 0, 0.3f),
        ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 0.02f * (float)frame), ct_vec3_make(1, 1, 1));
}

// Hashes of 1,000 frames in which crates fall onto a platform that turns, are thrown, end and come
// anew, between a trigger and a mover that walks in circles.
static void run_scene(uint64_t hashes[1000]) {
    world_fixture f = start_physics();
    ct_physics_world *const p = ct_world_physics(f.world);
    spawn_at(&f, "ground", 0, 0, -1);
    spawn_at(&f, "gate", 1, 0, 1);
    const ct_entity platform = spawn_at(&f, "platform", 0, 0, 0.3f);
    const ct_entity walker = spawn_at(&f, "walker", 4, 0, 0);
    ct_mover_manager *const movers = ct_world_movers(f.world);
    ct_entity crates[40];
    for (uint32_t i = 0; i < 40; ++i)
        crates[i] = spawn_at(&f, "crate", 0.3f * (float)(i % 7), 0.2f * (float)(i % 5),
                             1 + 1.05f * (float)i);
    for (uint32_t frame = 0; frame < 1000; ++frame) {
        const uint32_t k = frame * 7 % 40;
        if (frame % 50 == 20) {
            ct_world_destroy_units(f.world, &crates[k], 1);
            crates[k] = spawn_at(&f, "crate", 0, 0, 20);
        }
        if (frame % 30 == 10)
            ct_bullet_body_add_impulse(ct_actor_bullet(p, ct_actor_first(p, crates[k])),
                                       ct_vec3_make(20, 5, 40), place_of(&f, crates[k]));
        turn_platform(&f, platform, frame);
        const float angle = 0.01f * (float)frame;
        ct_mover_component_move(movers, ct_mover_active(movers, walker),
                                ct_vec3_make(-0.05f * sinf(angle), 0.05f * cosf(angle), -0.05f),
                                1.0f / 60);
        ct_world_advance(f.world, frame % 3 ? 1.0 / 60 : 1.0 / 47);
        hashes[frame] = ct_world_state_hash(f.world);
    }
    stop_world(&f);
}

static void each_run_gives_the_same_hashes(void **state) {
    (void)state;
    static uint64_t first[1000], again[1000], with_workers[1000];
    run_scene(first);
    run_scene(again);
    assert_memory_equal(first, again, sizeof(first));
    world_tasks =
        ct_task_manager_create(&(ct_task_manager_desc){.allocator = test_heap(), .num_workers = 3});
    run_scene(with_workers);
    ct_task_manager_destroy(world_tasks);
    world_tasks = NULL;
    assert_memory_equal(first, with_workers, sizeof(first));
    for (uint32_t i = 1; i < 1000; ++i)
        assert_true(first[i] != first[i - 1]);
}

// --- Loaded again --------------------------------------------------------------------------------

static void another_friction_counts_at_once(void **state) {
    (void)state;
    world_fixture f = start_physics();
    spawn_at(&f, "slope", 0, 0, 0);
    const ct_entity crate = spawn_at(&f, "crate", 0, 0, 0.6f);
    advance(&f, 300);
    const ct_vec3 before = place_of(&f, crate);
    assert_true(sleeps(&f, crate));
    write_physics_source("0.05", "\"default\" \"crates\"");
    reload_compiled(&f, project, "physics", "game");
    advance(&f, 60);
    assert_true(ct_vec3_length(ct_vec3_sub(place_of(&f, crate), before)) > 0.5f);
    stop_world(&f);
}

static void another_filter_counts_at_once(void **state) {
    (void)state;
    world_fixture f = start_physics();
    spawn_at(&f, "ground", 0, 0, -1);
    const ct_entity low = spawn_at(&f, "crate", 0, 0, 0.5f),
                    high = spawn_at(&f, "crate", 0, 0, 1.5f);
    advance(&f, 300);
    assert_true(sleeps(&f, high));
    write_physics_source("0.9", "\"default\"");
    reload_compiled(&f, project, "physics", "game");
    advance(&f, 120);
    assert_true(fabsf(place_of(&f, low).z - 0.5f) < 0.03f);
    assert_true(fabsf(place_of(&f, high).z - 0.5f) < 0.03f); // it fell into the other
    stop_world(&f);
}

static float mass_of(const world_fixture *f, ct_entity e) {
    const ct_physics_world *const p = ct_world_physics(f->world);
    return ct_bullet_body_mass(ct_actor_bullet(p, ct_actor_first(p, e)));
}

static void reload_physics(world_fixture *f, const char *text) {
    write_text(project, "game.physics", text);
    reload_compiled(f, project, "physics", "game");
}

static void other_settings_count_at_once(void **state) {
    (void)state;
    world_fixture f = start_physics();
    const ct_entity crate = spawn_at(&f, "crate", 9, 0, 0);
    write_text(project, "log.unit",
               "components = [ { id = \"t\" type = \"transform\" }\n"
               "  { id = \"a\" type = \"actor\" body = \"dynamic\" material = \"m\" shapes = "
               "[ { id = \"s\" type = \"box\" half_size = [1 1 1] } ] } ]");
    load_compiled(&f, project, "unit", "log");
    reload_physics(&f,
                   "gravity = [0 0 0] materials = [ { id = \"m\" name = \"m\" density = 100 } ]");
    const ct_entity log = spawn_at(&f, "log", 0, 0, 0);
    assert_float_equal(mass_of(&f, log), 800, 0.1);
    ct_physics_world *const p = ct_world_physics(f.world);
    ct_bullet_body *const body = ct_actor_bullet(p, ct_actor_first(p, log));
    ct_bullet_body_set_velocity(body, ct_vec3_make(0.5f, 0, 0));
    reload_physics(&f, "gravity = [0 0 0] step = 0.1 sleep_linear = 0.1 sleep_angular = 0.1\n"
                       "materials = [ { id = \"m\" name = \"m\" density = 300 } ]");
    assert_float_equal(mass_of(&f, log), 2400, 0.3);
    assert_float_equal(ct_bullet_body_velocity(body).x, 0.5, 1e-4);
    // It would fall asleep below 0.8 m/s.
    const ct_vec3 before = ct_bullet_body_pose(body).position;
    ct_world_advance(f.world, 0.05); // half a step
    assert_float_equal(ct_bullet_body_pose(body).position.x, before.x, 1e-6);
    advance(&f, 300);
    assert_false(sleeps(&f, log));
    reload_physics(&f, "gravity = [0 0 -5] materials = [ { id = \"m\" name = \"m\" } ]");
    assert_float_equal(mass_of(&f, log), 8000, 1);
    assert_float_equal(ct_bullet_world_gravity(ct_physics_world_bullet(p)).z, -5, 1e-6);
    assert_float_equal(mass_of(&f, crate), 10, 1e-5); // its own
    stop_world(&f);
}

static void a_new_world_does_not_wake_for_what_it_knows(void **state) {
    (void)state;
    world_fixture f = start_physics();
    write_text(project, "late.physics", "gravity = [0 0 -10]");
    write_text(project, "sleeper.unit",
               "components = [ { id = \"t\" type = \"transform\" }\n"
               "  { id = \"a\" type = \"actor\" body = \"dynamic\" starts_asleep = true\n"
               "    shapes = [ { id = \"s\" type = \"box\" } ] } ]");
    load_compiled(&f, project, "unit", "sleeper");
    ct_physics_system_use(f.physics, ct_string_id64_of("late"));
    load_compiled(&f, project, "physics", "late"); // worlds hear of it in the next update
    ct_world_destroy(f.world);
    f.world = ct_world_create(f.system);
    const ct_entity sleeper = spawn_at(&f, "sleeper", 0, 0, 5);
    ct_resource_manager_update(f.resources, 1);
    advance(&f, 10);
    assert_true(sleeps(&f, sleeper));
    assert_float_equal(place_of(&f, sleeper).z, 5, 1e-6);
    stop_world(&f);
}

static void a_changed_actor_applies_to_new_units(void **state) {
    (void)state;
    world_fixture f = start_physics();
    spawn_at(&f, "ground", 0, 0, -1);
    const ct_entity old = spawn_at(&f, "crate", 0, 0, 0.5f);
    write_text(project, "crate.unit",
               "components = [ { id = \"t\" type = \"transform\" }\n"
               "  { id = \"a\" type = \"actor\" body = \"dynamic\" shapes = [ { id = \"s\" type = "
               "\"sphere\" radius = 2 } ] } ]");
    reload_compiled(&f, project, "unit", "crate");
    const ct_entity new = spawn_at(&f, "crate", 10, 0, 2.1f);
    advance(&f, 200);
    assert_true(fabsf(place_of(&f, old).z - 0.5f) < 0.03f);
    assert_true(fabsf(place_of(&f, new).z - 2) < 0.03f);
    stop_world(&f);
}

// A box of this height over the origin, with its hull as collision shape.
static void write_rock(float height) {
    char text[1024];
    snprintf(text, sizeof(text),
             "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv -1 -1 %g\nv 1 -1 %g\nv 1 1 %g\nv -1 1 %g\n"
             "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
             (double)height, (double)height, (double)height, (double)height);
    write_text(project, "rock.obj", text);
    write_text(project, "rock.mesh",
               "source = \"rock.obj\" up_axis = \"z\" collision = \"convex\"");
    write_text(project, "rock.unit",
               "components = [ { id = \"t\" type = \"transform\" }\n"
               "  { id = \"a\" type = \"actor\" name = \"stone\" }\n"
               "  { id = \"m\" type = \"mesh\" mesh = \"rock\" } ]");
}

static void an_actor_waits_for_its_mesh_and_follows_its_changes(void **state) {
    (void)state;
    world_fixture f = start_physics();
    write_rock(2);
    load_compiled(&f, project, "unit", "rock");
    const ct_entity rock = spawn_at(&f, "rock", 0, 0, 0);
    const ct_entity ground = spawn_at(&f, "ground", 0, 0, -1);
    const ct_entity crate = spawn_at(&f, "crate", 0, 0, 4);
    assert_true(is_alive(&f, rock) && is_alive(&f, ground));
    load_compiled(&f, project, "mesh", "rock");
    ct_resource_manager_update(f.resources, 1);
    advance(&f, 300);
    assert_true(fabsf(place_of(&f, crate).z - 2.5f) < 0.05f);
    assert_true(sleeps(&f, crate));
    write_rock(1);
    reload_compiled(&f, project, "mesh", "rock");
    advance(&f, 300);
    assert_true(fabsf(place_of(&f, crate).z - 1.5f) < 0.05f);
    stop_world(&f);
}

// Flat ground of this grey, of 255, where 255 is 2.55 m high.
static void write_land(uint8_t grey) {
    char path[CT_PATH_BYTES];
    const uint8_t pixels[4] = {grey, grey, grey, grey};
    ct_path_join(path, project, "land.png");
    assert_true(stbi_write_png(path, 2, 2, 1, pixels, 2));
    write_text(project, "land.height_field", "source = \"land.png\" size = [20 20 2.55]");
}

static void a_changed_height_field_counts_at_once(void **state) {
    (void)state;
    world_fixture f = start_physics();
    write_land(100);
    write_text(project, "land.unit",
               "components = [ { id = \"t\" type = \"transform\" }\n"
               "  { id = \"a\" type = \"actor\" shapes = [ { id = \"h\" type = \"height_field\" "
               "height_field = \"land\" } ] } ]");
    load_compiled(&f, project, "height_field", "land");
    load_compiled(&f, project, "unit", "land");
    spawn_at(&f, "land", 0, 0, 0);
    const ct_entity crate = spawn_at(&f, "crate", 1, 2, 3);
    advance(&f, 300);
    assert_float_equal(place_of(&f, crate).z, 1.5, 0.05);
    assert_true(sleeps(&f, crate));
    write_land(50);
    reload_compiled(&f, project, "height_field", "land");
    advance(&f, 300);
    assert_float_equal(place_of(&f, crate).z, 1, 0.05);
    stop_world(&f);
}

static void height_fields_are_alone(void **state) {
    (void)state;
    world_fixture f = start_physics();
    write_land(100);
    write_text(project, "land.unit",
               "components = [ { id = \"t\" type = \"transform\" }\n"
               "  { id = \"a\" type = \"actor\" shapes = [\n"
               "    { id = \"h\" type = \"height_field\" height_field = \"land\" }\n"
               "    { id = \"i\" type = \"height_field\" height_field = \"land\" } ] } ]");
    load_compiled(&f, project, "height_field", "land");
    load_compiled(&f, project, "unit", "land");
    logged[0] = 0;
    ct_log_add_sink(&(ct_log_sink){.write = keep_message});
    const ct_entity land = spawn_at(&f, "land", 0, 0, 0);
    ct_log_remove_sink(keep_message, NULL);
    assert_true(is_alive(&f, land));
    assert_non_null(strstr(logged, "a height field cannot be beside"));
    stop_world(&f);
}

static void a_hull_too_large_is_an_error(void **state) {
    (void)state;
    world_fixture f = start_physics();
    write_rock(4);
    load_compiled(&f, project, "mesh", "rock");
    write_text(project, "rock.unit",
               "components = [ { id = \"t\" type = \"transform\" scale = [1e5 1e5 9e5] }\n"
               "  { id = \"a\" type = \"actor\" body = \"dynamic\" }\n"
               "  { id = \"m\" type = \"mesh\" mesh = \"rock\" } ]");
    load_compiled(&f, project, "unit", "rock");
    logged[0] = 0;
    ct_log_add_sink(&(ct_log_sink){.write = keep_message});
    spawn_at(&f, "rock", 0, 0, 0);
    ct_log_remove_sink(keep_message, NULL);
    assert_non_null(strstr(logged, "its hull reaches 1.8e+06 m"));
    stop_world(&f);
}

static void a_larger_mesh_weighs_more(void **state) {
    (void)state;
    world_fixture f = start_physics();
    write_rock(2);
    write_text(project, "rock.unit",
               "components = [ { id = \"t\" type = \"transform\" }\n"
               "  { id = \"a\" type = \"actor\" body = \"dynamic\" density = 10 }\n"
               "  { id = \"m\" type = \"mesh\" mesh = \"rock\" } ]");
    load_compiled(&f, project, "mesh", "rock");
    load_compiled(&f, project, "unit", "rock");
    const ct_entity rock = spawn_at(&f, "rock", 0, 0, 0);
    assert_float_equal(mass_of(&f, rock), 80, 0.1);
    write_rock(1);
    reload_compiled(&f, project, "mesh", "rock");
    assert_float_equal(mass_of(&f, rock), 40, 0.1);
    stop_world(&f);
}

static void errors_name_actor_and_unit_and_leave_the_unit(void **state) {
    (void)state;
    world_fixture f = start_physics();
    write_text(project, "bad.unit",
               "components = [ { id = \"t\" type = \"transform\" scale = [0 1 1] }\n"
               "  { id = \"a\" type = \"actor\" name = \"thing\" shapes = [ { id = \"s\" } ] } ]");
    load_compiled(&f, project, "unit", "bad");
    ct_string_id32_register("thing");
    logged[0] = 0;
    ct_log_add_sink(&(ct_log_sink){.write = keep_message});
    const ct_entity bad = spawn_at(&f, "bad", 0, 0, 0);
    ct_log_remove_sink(keep_message, NULL);
    assert_true(is_alive(&f, bad));
    assert_non_null(strstr(logged, "the actor \"thing\" of "));
    assert_non_null(strstr(logged, ct_string_id64_name(ct_string_id64_of("bad"))));
    advance(&f, 3);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_fall_onto_each_other_and_rest),
        cmocka_unit_test(members_come_from_the_template),
        cmocka_unit_test(units_take_their_actors_with_them),
        cmocka_unit_test(worlds_are_independent),
        cmocka_unit_test(each_run_gives_the_same_hashes),
        cmocka_unit_test(another_friction_counts_at_once),
        cmocka_unit_test(another_filter_counts_at_once),
        cmocka_unit_test(other_settings_count_at_once),
        cmocka_unit_test(a_new_world_does_not_wake_for_what_it_knows),
        cmocka_unit_test(a_changed_actor_applies_to_new_units),
        cmocka_unit_test(an_actor_waits_for_its_mesh_and_follows_its_changes),
        cmocka_unit_test(a_larger_mesh_weighs_more),
        cmocka_unit_test(a_changed_height_field_counts_at_once),
        cmocka_unit_test(height_fields_are_alone),
        cmocka_unit_test(a_hull_too_large_is_an_error),
        cmocka_unit_test(errors_name_actor_and_unit_and_leave_the_unit),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
