#include <math.h>

#include "compiler/types/particles/particles_case.h"

#define DRAWN "spawn = { rate = 1 } render = { material = \"m\" }\n"

// --- The program ---------------------------------------------------------------------------------

// Compiles an emitter and compares its lists.
static void expect_program(const char *members, const char *init, const char *update) {
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e = compile_emitter(&t, members);
    expect_steps(&t, e, init, update);
    compile_case_free(&t);
}

static void a_still_emitter_has_only_what_it_needs(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *e = compile_emitter(&t, DRAWN);
    expect_steps(&t, e, "set size2, set color4", "age");
    assert_int_equal(e->num_channels, 3 + 1 + 1 + 1 + 2 + 4);
    assert_int_equal(e->channels[CT_PARTICLE_VELOCITY], CT_PARTICLES_NO_CHANNEL);
    e = compile_emitter(&t, "spawn = { rate = 1 }");
    expect_steps(&t, e, "", "age");
    assert_int_equal(e->num_channels, 6);
    compile_case_free(&t);
}

static void constants_at_birth_go_into_curves_of_life(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e = compile_emitter(
        &t, DRAWN "birth = { size = 4 opacity = 0.5 }\n"
                  "life = { size = { curve = [[0 1] [1 0.5]] } opacity = { curve = [[0 1] [1 0]] "
                  "} }");
    expect_steps(&t, e, "set color3", "age, curve size2, curve color1");
    const ct_particle_step *const steps = ct_blob_at(blob_of(&t), e->update.offset);
    const ct_particle_value *const size = value_at(&t, e, steps[1].first_value);
    const ct_particle_value *const opacity = value_at(&t, e, steps[2].first_value);
    EXPECT_NUMBERS(sample_of(&t, e, size, 0, 0), 4, 4);
    EXPECT_NUMBERS(sample_of(&t, e, size, 0, 64), 2, 2);
    EXPECT_NUMBERS(sample_of(&t, e, opacity, 0, 0), 0.5f);
    assert_int_equal(steps[2].channel, e->channels[CT_PARTICLE_COLOR] + 3);
    compile_case_free(&t);
}

static void random_births_are_kept_when_life_changes_them(void **state) {
    (void)state;
#define SHRINK "size = { curve = [[0 1] [1 0]] }"
#define RANDOM "size = { min = 1 max = 2 }"
    expect_program(DRAWN "birth = { " RANDOM " } life = { " SHRINK " }",
                   "set birth_size2, set color4", "age, curve size2*birth_size");
    expect_program(DRAWN "birth = { " RANDOM " }", "set size2, set color4", "age");
    expect_program(DRAWN "birth = { " RANDOM " } life = { size = 0.5 }", "set size2, set color4",
                   "age");
    expect_program(DRAWN "birth = { size = 2 } life = { " RANDOM " }", "set size2, set color4",
                   "age");
    expect_program(DRAWN "birth = { " RANDOM " } life = { " RANDOM " }",
                   "set birth_size2, set color4", "age, curve size2*birth_size");
    expect_program(DRAWN "life = { size = { variable = \"v\" } }", "set color4",
                   "age, curve size2");
    expect_program(DRAWN "birth = { size = { variable = \"v\" } } life = { " SHRINK " }",
                   "set birth_size2, set color4", "age, curve size2*birth_size");
}

static void color_and_opacity_are_one_where_that_is_possible(void **state) {
    (void)state;
#define FADE "opacity = { curve = [[0 1] [1 0]] }"
#define REDDEN "color = { curve = [[0 1 1 1] [1 1 0 0]] }"
    expect_program(DRAWN "life = { " FADE " " REDDEN " }", "set size2", "age, curve color4");
    expect_program(DRAWN "birth = { color = { min = [0 0 0] max = [1 1 1] } }",
                   "set size2, set color4", "age");
    expect_program(DRAWN
                   "birth = { color = { min = [0 0 0] max = [1 1 1] } opacity = { min = 0 max "
                   "= 1 } }",
                   "set size2, set color3, set color1", "age");
    expect_program(DRAWN "birth = { opacity = { variable = \"v\" } }",
                   "set size2, set color3, set color1", "age");
    expect_program(DRAWN "birth = { color = { min = [0 0 0] max = [1 1 1] } } life = { " FADE " "
                         "}",
                   "set size2, set color3", "age, curve color1");
    expect_program(DRAWN "birth = { opacity = { min = 0 max = 1 } } life = { " FADE " }",
                   "set size2, set color3, set birth_color1", "age, curve color1*birth_color");
    expect_program(DRAWN "birth = { opacity = { min = 0 max = 1 } color = { variable = \"w\" } } "
                         "life = { " FADE " " REDDEN " }",
                   "set size2, set birth_color3, set birth_color1",
                   "age, curve color3*birth_color, curve color1*birth_color");
}

static void spin_and_frames_are_added_over_time(void **state) {
    (void)state;
    expect_program(DRAWN "birth = { rotation_degrees = 90 }",
                   "set size2, set color4, set rotation1", "age");
    expect_program(DRAWN "birth = { spin_degrees = 90 }", "set size2, set color4, set rotation1",
                   "age, add rotation1");
    expect_program(DRAWN "birth = { spin_degrees = { min = -90 max = 90 } }",
                   "set size2, set color4, set rotation1, set spin1", "age, add rotation1*spin");
#define GRID "spawn = { rate = 1 } render = { material = \"m\" grid = [4 4] }\n"
    expect_program(GRID, "set size2, set color4", "age");
    expect_program(GRID "birth = { frame = { min = 0 max = 15 } } life = { frames_per_second = 8 }",
                   "set size2, set color4, set frame1", "age, add frame1");
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e = compile_emitter(
        &t, GRID "birth = { frame = 2 } life = { frame = { curve = [[0 0] [1 13]] } }");
    expect_steps(&t, e, "set size2, set color4", "age, curve frame1");
    const ct_particle_value *const v =
        value_at(&t, e, step_at(&t, e->update, CT_PARTICLE_OP_CURVE)->first_value);
    EXPECT_NUMBERS(sample_of(&t, e, v, 0, 0), 2);
    EXPECT_NUMBERS(sample_of(&t, e, v, 0, 64), 15);
    compile_case_free(&t);
}

// --- Motion --------------------------------------------------------------------------------------

#define SIMULATE(list) "spawn = { rate = 1 } simulate = [ " list " ]"

static void constant_accelerations_are_one_step_of_each_space(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *e = compile_emitter(
        &t, SIMULATE("{ type = \"gravity\" } { type = \"acceleration\" value = [1 2 3] }"
                     "{ type = \"acceleration\" value = [4 0 0] space = \"local\" }"
                     "{ type = \"gravity\" strength = { variable = \"v\" } }"));
    expect_steps(&t, e, "", "age, accelerate, accelerate, accelerate, move");
    const ct_particle_step *const steps = ct_blob_at(blob_of(&t), e->update.offset);
    EXPECT_NUMBERS(value_at(&t, e, steps[1].first_value)->a, 1, 2, 3 - 9.81f);
    assert_int_equal(steps[1].flags, 0);
    EXPECT_NUMBERS(value_at(&t, e, steps[2].first_value)->a, 4, 0, 0);
    assert_int_equal(steps[2].flags, CT_PARTICLE_STEP_LOCAL);
    EXPECT_NUMBERS(value_at(&t, e, steps[3].first_value)->a, 0, 0, -9.81f);
    assert_int_equal(value_at(&t, e, steps[3].first_value)->variable, 1);
    e = compile_emitter(&t,
                        SIMULATE("{ type = \"gravity\" } { type = \"gravity\" strength = -1 }"));
    expect_steps(&t, e, "", "age");
    compile_case_free(&t);
}

static void drag_and_wind_are_in_the_one_move(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *e = compile_emitter(
        &t, SIMULATE("{ type = \"drag\" amount = 1 } { type = \"wind\" velocity = [1 0 0] }"
                     "{ type = \"drag\" amount = 0.5 } { type = \"wind\" velocity = [0 2 0] }"));
    expect_steps(&t, e, "", "age, move");
    const ct_particle_step *const move = step_at(&t, e->update, CT_PARTICLE_OP_MOVE);
    EXPECT_NUMBERS(value_at(&t, e, move->first_value)->a, 1.5f);
    EXPECT_NUMBERS(value_at(&t, e, move->first_value + 1)->a, 1, 2, 0);
    e = compile_emitter(&t, SIMULATE("{ type = \"drag\" amount = 1 }"));
    expect_steps(&t, e, "", "age");
    e = compile_emitter(&t, "birth = { speed = 1 } " SIMULATE("{ type = \"drag\" amount = 1 }"));
    expect_steps(&t, e, "", "age, move");
    compile_case_free(&t);
}

static void simulators_come_before_and_after_the_move(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e = compile_emitter(
        &t,
        "birth = { speed = 1 } " SIMULATE(
            "{ type = \"kill_box\" size = [2 4 6] keep = \"outside\" }"
            "{ type = \"orbit\" turns_per_second = 1 outwards = 3 axis = [0 0 2] }"
            "{ type = \"limit_speed\" speed = 8 } { type = \"kill_sphere\" radius = 2 }"
            "{ type = \"attract\" strength = { variable = \"v\" } power = 2 radius = 3 kill_radius "
            "= 0.5 }"
            "{ type = \"kill_plane\" distance = 4 space = \"world\" }"
            "{ type = \"collide_plane\" normal = [0 0 5] bounce = 0.4 friction = 0.3 lifetime_loss "
            "= 0.2 radius = 0.1 }"
            "{ type = \"curl_noise\" strength = 2 frequency = 3 speed = 4 }"
            "{ type = \"vector_field\" field = \"storm\" }"));
    expect_steps(&t, e, "set size2",
                 "age, attract, noise, field, move, kill_box, orbit, limit_speed, kill_sphere, "
                 "kill_plane, collide_plane");
    const ct_particle_step *s = step_at(&t, e->update, CT_PARTICLE_OP_KILL_BOX);
    assert_int_equal(s->flags, CT_PARTICLE_STEP_LOCAL | CT_PARTICLE_STEP_INSIDE);
    EXPECT_NUMBERS(value_at(&t, e, s->first_value + 1)->a, 1, 2, 3);
    s = step_at(&t, e->update, CT_PARTICLE_OP_ORBIT);
    EXPECT_NUMBERS(value_at(&t, e, s->first_value + 1)->a, 0, 0, 1);
    EXPECT_NUMBERS(value_at(&t, e, s->first_value + 2)->a, 6.2831853f, 3);
    s = step_at(&t, e->update, CT_PARTICLE_OP_ATTRACT);
    assert_int_equal(value_at(&t, e, s->first_value + 1)->variable, 1);
    assert_int_equal(value_at(&t, e, s->first_value + 2)->variable, 0);
    EXPECT_NUMBERS(value_at(&t, e, s->first_value + 2)->a, 2, 3, 0.5f);
    s = step_at(&t, e->update, CT_PARTICLE_OP_COLLIDE_PLANE);
    EXPECT_NUMBERS(value_at(&t, e, s->first_value)->a, 0, 0, 1, 0);
    EXPECT_NUMBERS(value_at(&t, e, s->first_value + 1)->a, 0.4f, 0.3f, 0.2f, 0.1f);
    assert_int_equal(step_at(&t, e->update, CT_PARTICLE_OP_KILL_PLANE)->flags, 0);
    assert_int_equal(step_at(&t, e->update, CT_PARTICLE_OP_FIELD)->name.value,
                     ct_string_id32_of("storm").value);
    compile_case_free(&t);
}

static void what_needs_velocities_gets_them(void **state) {
    (void)state;
    expect_program(SIMULATE("{ type = \"limit_speed\" speed = 1 }"), "", "age");
    expect_program("spawn = { rate = 1 inherit_velocity = 0.5 }", "", "age, move");
    expect_program(SIMULATE("{ type = \"collide\" }"), "", "age, move, collide");
    compile_case t = compile_case_make();
    const ct_particle_emitter *e =
        compile_emitter(&t, SIMULATE("{ type = \"orbit\" turns_per_second = 1 }"));
    expect_steps(&t, e, "", "age, orbit");
    assert_int_equal(e->channels[CT_PARTICLE_VELOCITY], 3);
    e = compile_emitter(&t, "spawn = { rate = 1 } render = { material = \"m\" facing = "
                            "\"stretched\" }");
    assert_int_equal(e->channels[CT_PARTICLE_VELOCITY], 3);
    compile_case_free(&t);
}

// --- Spawning ------------------------------------------------------------------------------------

static uint32_t capacity_of(const char *members) {
    compile_case t = compile_case_make();
    const uint32_t capacity = compile_emitter(&t, members)->capacity;
    compile_case_free(&t);
    return capacity;
}

static void capacity_is_what_can_live_at_once(void **state) {
    (void)state;
    assert_int_equal(capacity_of("spawn = { rate = 10 } birth = { lifetime = 2 }"), 24);
    assert_int_equal(
        capacity_of("spawn = { rate = 10 } birth = { lifetime = { min = 1 max = 3 } }"), 32);
    assert_int_equal(capacity_of("duration = 1 spawn = { rate = 10 } birth = { lifetime = 2 }"),
                     12);
    assert_int_equal(
        capacity_of(
            "duration = 1 loop = true spawn = { rate = { curve = [[0 0] [1 10]] } } birth = "
            "{ lifetime = 2 }"),
        24);
    assert_int_equal(capacity_of("spawn = { bursts = [ { count = [10 20] } ] }"), 20);
    assert_int_equal(
        capacity_of("spawn = { bursts = [ { count = 10 repeats = 9 interval = 0.5 } ] } birth = { "
                    "lifetime = 1 }"),
        32);
    assert_int_equal(
        capacity_of("duration = 1 loop = true spawn = { bursts = [ { count = 10 } ] } birth = { "
                    "lifetime = 2 }"),
        32);
    assert_int_equal(capacity_of("max_particles = 10 spawn = { rate = 100 }"), 12);
    assert_int_equal(capacity_of("max_particles = 500 spawn = { rate = 10 }"), 12);
    assert_int_equal(capacity_of("spawn = { per_metre = 10 }"), 1000);
    assert_int_equal(capacity_of("max_particles = 50 spawn = { per_metre = 10 }"), 52);
    assert_int_equal(capacity_of("spawn = { rate = { variable = \"v\" } }"), 1000);
    assert_int_equal(capacity_of("spawn = { rate = 0 }"), 4);
}

static void huge_rates_are_cut_with_a_warning(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e = compile_emitter(&t, "spawn = { rate = 1e9 }");
    assert_int_equal(e->capacity, CT_PARTICLES_MAX_PARTICLES);
    assert_float_equal(value_at(&t, e, e->rate)->a[0], CT_PARTICLES_MAX_RATE, 2);
    assert_int_equal(t.answer.warnings.count, 1);
    assert_non_null(strstr(t.answer.warnings.items[0].message, "has room for 131072"));
    compile_case_free(&t);
}

static void reads_shapes(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *e = compile_emitter(
        &t, "spawn = { rate = 1 shape = { type = \"cone\" radius = 2 angle_degrees = "
            "90 inner = 0.5 length = 3 arc_degrees = 180 position = [1 2 3] } }");
    assert_int_equal(e->shape.type, CT_PARTICLE_SHAPE_CONE);
    EXPECT_NUMBERS(e->shape.offset, 1, 2, 3);
    EXPECT_NUMBERS(&e->shape.radius, 2, 0.5f, (float)M_PI / 2, 3, (float)M_PI);
    e = compile_emitter(&t, "spawn = { rate = 1 shape = { type = \"box\" size = [2 4 6] surface = "
                            "true rotation_degrees = [0 0 180] } }");
    EXPECT_NUMBERS(e->shape.size, 1, 2, 3);
    EXPECT_NUMBERS(e->shape.rotation, 0, 0, 1, 0);
    assert_int_equal(e->shape.flags, CT_PARTICLE_SHAPE_SURFACE);
    compile_case_free(&t);
}

// --- Events --------------------------------------------------------------------------------------

#define ON(other) " on = [ { event = \"death\" emitter = \"" other "\" inherit_velocity = 1 } ]"

static void emitters_follow_those_that_make_their_particles(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particles_resource *const r =
        compile_effect(&t, "emitters = [ { name = \"smoke\" } { name = \"sparks\"" ON(
                               "smoke") " }\n"
                                        "{ name = \"fire\" spawn = { rate = 1 }" ON(
                                            "sparks") " } { name = \"other\" spawn = { "
                                                      "rate = 1 } } ]");
    static const char *const names[] = {"fire", "sparks", "smoke", "other"};
    for (uint32_t i = 0; i < 4; ++i)
        assert_string_equal(ct_blob_at(r, emitter_at(r, i)->name_text.offset), names[i]);
    const ct_particle_event *const event = ct_blob_at(r, emitter_at(r, 0)->events.offset);
    assert_int_equal(event->emitter, 1);
    assert_int_equal(event->type, CT_PARTICLE_EVENT_DEATH);
    assert_int_equal(event->least, 1);
    assert_int_equal(emitter_at(r, 2)->flags, CT_PARTICLE_EMITTER_TARGET);
    assert_string_equal(steps_text(&t, emitter_at(r, 2), emitter_at(r, 2)->update), "age, move");
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

static void refuses_effects_that_spawn_themselves(void **state) {
    (void)state;
    refuse_effect("emitters = [ { name = \"a\"\n" ON("a") " } ]", 2, 27,
                  "the effect spawns itself: a > a; remove");
    refuse_effect(
        "emitters = [ { name = \"end\" } { name = \"a\"" ON(
            "b") " }\n"
                 "{ name = \"b\"" ON("c") " }\n{ name = \"c\" on = [ { event = \"birth\" emitter = "
                                          "\"a\" } { event = \"birth\" emitter = \"end\" } ] } ]",
        0, 0, "the effect spawns itself: a > b > c > a; remove");
    refuse_effect("emitters = [ { name = \"fire\"\n" ON("sparsk") " } { name = \"sparks\" } ]", 2,
                  27, "there is no emitter \"sparsk\"; did you mean \"sparks\"?");
}

// --- Looks ---------------------------------------------------------------------------------------

static void reads_looks(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *e = compile_emitter(
        &t, "spawn = { rate = 1 } render = { material = \"m\" facing = \"fixed\" sort = \"oldest\" "
            "grid = [4 8] blend_frames = true axis = [0 3 0] pivot = [0 1] stretch = 2 }");
    assert_int_equal(e->look.renderer, CT_PARTICLE_RENDERER_BILLBOARD);
    assert_int_equal(e->look.facing, CT_PARTICLE_FACING_FIXED);
    assert_int_equal(e->look.sort, CT_PARTICLE_SORT_OLDEST);
    assert_int_equal(e->flags, CT_PARTICLE_EMITTER_ORDERED);
    assert_int_equal(e->look.material.value, ct_string_id64_of("m").value);
    assert_int_equal(e->look.grid[1], 8);
    EXPECT_NUMBERS(e->look.axis, 0, 1, 0, 2, 0, 1);
    assert_true(has_reference(&t.answer, "material", "m"));
    e = compile_emitter(&t, "spawn = { rate = 1 } render = { type = \"trail\" material = \"m\" "
                            "points = 4 point_seconds = 0.5 }");
    expect_steps(&t, e, "set size2, set color4", "age, trail");
    assert_int_equal(e->look.num_trail_points, 4);
    assert_int_equal(e->num_channels, 6 + 6 + 12 + 2);
    e = compile_emitter(&t, "spawn = { rate = 1 } render = { type = \"ribbon\" material = \"m\" }");
    assert_int_equal(e->flags, CT_PARTICLE_EMITTER_ORDERED);
    assert_int_not_equal(e->channels[CT_PARTICLE_ORDER], CT_PARTICLES_NO_CHANNEL);
    e = compile_emitter(&t, "spawn = { rate = 1 } birth = { axis = [0 2 0] } render = { type = "
                            "\"mesh\" material = \"m\" mesh = \"rock\" }");
    expect_steps(&t, e, "set size2, set color4, set axis3", "age");
    assert_int_not_equal(e->channels[CT_PARTICLE_OBJECT], CT_PARTICLES_NO_CHANNEL);
    assert_int_equal(e->look.casts_shadows, 1);
    assert_true(has_reference(&t.answer, "mesh", "rock"));
    e = compile_emitter(&t, "spawn = { rate = 1 } render = { type = \"light\" radius = 5 }");
    assert_float_equal(e->look.light_radius, 5, 0);
    assert_int_equal(e->look.max_lights, 4);
    compile_case_free(&t);
}

static void says_what_the_gpu_can_do(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    assert_int_equal(compile_emitter(&t, DRAWN)->flags, CT_PARTICLE_EMITTER_GPU);
    assert_int_equal(compile_emitter(&t, DRAWN "gpu = \"never\"")->flags, 0);
    assert_int_equal(compile_emitter(&t, DRAWN "gpu = \"always\" space = \"local\"")->flags,
                     CT_PARTICLE_EMITTER_GPU | CT_PARTICLE_EMITTER_WANTS_GPU |
                         CT_PARTICLE_EMITTER_LOCAL);
    assert_int_equal(compile_emitter(&t, SIMULATE("{ type = \"collide\" }"))->flags,
                     CT_PARTICLE_EMITTER_COLLIDES);
    compile_case_free(&t);
    refuse_emitter("gpu = \"always\" simulate = [ { type = \"collide\" } ]", 2, 1,
                   "the GPU cannot simulate the emitter \"a\": it collides with the physics");
    refuse_emitter(
        "gpu = \"always\" simulate = [ { type = \"vector_field\" field = \"f\" strength = 1 } ]", 2,
        1, "it feels a vector field");
    refuse_emitter("gpu = \"always\" render = { material = \"m\" sort = \"distance\" }", 2, 1,
                   "its particles are sorted");
    refuse_emitter("gpu = \"always\" render = { material = \"m\" type = \"ribbon\" }", 2, 1,
                   "ribbons and trails");
    refuse_emitter("gpu = \"always\" render = { type = \"light\" }", 2, 1, "meshes and lights");
    refuse_emitter("gpu = \"always\" spawn = { shape = { type = \"skeleton\" } }", 2, 1,
                   "skeleton");
}

// --- Errors and warnings -------------------------------------------------------------------------

static void refuses_numbers_that_do_not_fit(void **state) {
    (void)state;
    refuse_emitter("birth = { lifetime = 0 }", 2, 11, "lifetime: found 0, expected seconds from");
    refuse_emitter("birth = { lifetime = { min = -1 max = 2 } }", 2, 11, "lifetime: found -1");
    refuse_emitter("birth = { lifetime = 1e7 }", 2, 11, "lifetime: found 1e+07");
    refuse_emitter("duration = 1 birth = { lifetime = { curve = [[0 1] [1 0]] } }", 2, 24,
                   "lifetime: found 0");
    refuse_emitter("birth = { lifetime = NaN }", 2, 0, "");
    refuse_emitter("birth = { lifetime = 1e999 }", 2, 0, "");
    refuse_emitter("spawn = { rate = -1 }", 2, 11, "rate: found -1, expected a number from 0");
    refuse_emitter("max_particles = 1000000", 2, 1,
                   "max_particles: found 1e+06, expected 1 to 131072");
    refuse_emitter("duration = 0", 2, 1, "duration: expected seconds from 0.001");
    refuse_emitter("duration = \"long\"", 2, 1, "duration: expected seconds");
    refuse_emitter("spawn = { bursts = [ { count = 1.5 } ] }", 2, 24, "count: expected a whole");
    refuse_emitter("spawn = { bursts = [ { count = [3 2] } ] }", 2, 24, "found 3 to 2");
    refuse_emitter("spawn = { bursts = [ { count = [3] } ] }", 2, 24, "expected [least most]");
    refuse_emitter("spawn = { bursts = [ { count = true } ] }", 2, 24, "found a boolean");
    refuse_emitter("spawn = { bursts = [ { count = 1 repeats = 2 } ] }", 2, 22,
                   "a burst that repeats needs an `interval`");
    refuse_emitter("simulate = [ { type = \"drag\" amount = -1 } ]", 2, 30, "drag of 0 or more");
    refuse_emitter("simulate = [ { type = \"limit_speed\" speed = -1 } ]", 2, 37, "0 or more");
    refuse_emitter("simulate = [ { type = \"kill_plane\" normal = [0 0 0] } ]", 2, 36,
                   "normal: found a vector of length 0");
    refuse_emitter("render = { material = \"m\" axis = [0 0 0] }", 2, 27, "axis: found a vector");
    refuse_emitter("birth = { axis = [0 0 0] }", 2, 11, "axis: found a vector");
    refuse_emitter("render = { material = \"m\" grid = [0 1] }", 2, 27, "grid: expected");
    refuse_emitter("render = { material = \"m\" grid = 4 }", 2, 27, "grid: expected");
    refuse_effect("emitters = []", 1, 1, "emitters: found 0, expected 1 to 32");
    refuse_effect("emitters = [ { name = \"a\" } ]\nvariables = { v = \"x\" }", 2, 15,
                  "variables: expected a number");
    refuse_effect("emitters = [ { name = \"a\" } ]\nvariables = { v = [1 2 3 4 5] }", 2, 15,
                  "found 5 numbers");
    refuse_effect("prewarm = 100 emitters = [ { name = \"a\" } ]", 1, 1, "prewarm");
}

static void refuses_names_that_do_not_fit(void **state) {
    (void)state;
    refuse_effect("emitters = [ {} ]", 1, 14, "name");
    refuse_effect("emitters = [ { name = \"\" } ]", 1, 16, "the name of an emitter is empty");
    refuse_effect("emitters = [ { name = \"a\" }\n { name = \"a\" } ]", 2, 4,
                  "another has the name \"a\"");
    refuse_effect("emitters = [ { id = \"x\" name = \"a\" }\n { id = \"x\" name = \"b\" } ]", 2, 4,
                  "another element has the id \"x\"");
    refuse_effect("emiters = []", 1, 0, "did you mean \"emitters\"");
    refuse_emitter("sapwn = {}", 2, 1, "did you mean \"spawn\"");
    refuse_emitter("spawn = { raet = 1 }", 2, 11, "did you mean \"rate\"");
    refuse_emitter("simulate = [ { type = \"gravty\" } ]", 2, 16,
                   "there is no simulator \"gravty\"; did you mean \"gravity\"?");
    refuse_emitter("simulate = [ { strength = 1 } ]", 2, 14, "expected an object with a type");
    refuse_emitter("simulate = [ 5 ]", 2, 0, "");
    refuse_emitter("simulate = [ { type = \"gravity\" strenght = 1 } ]", 2, 33,
                   "did you mean \"strength\"");
}

static void refuses_members_that_do_not_belong_together(void **state) {
    (void)state;
    refuse_emitter("spawn = { shape = { type = \"box\" radius = 1 } }", 2, 34,
                   "a shape of type box has no `radius`");
    refuse_emitter("spawn = { shape = { type = \"mesh\" } }", 2, 11, "needs a `mesh`");
    refuse_emitter("render = { type = \"light\" grid = [1 1] }", 2, 27,
                   "particles of type light have no `grid`");
    refuse_emitter("render = {}", 2, 1, "particles of type billboard need a `material`");
    refuse_emitter("render = { type = \"mesh\" material = \"m\" }", 2, 1, "need a `mesh`");
    refuse_emitter("life = { frame = 1 frames_per_second = 2 }", 2, 10, "exclude each other");
    refuse_emitter("birth = { frame = { min = 0 max = 3 } } life = { frame = 1 }", 2, 11,
                   "for random starts use `frames_per_second`");
    refuse_emitter("simulate = [ { type = \"wind\" velocity = [1 0 0] }\n { type = \"wind\" "
                   "velocity = [1 0 0] space = \"local\" } ]",
                   3, 2, "must have the same `space`");
    refuse_emitter("simulate = [ { type = \"drag\" amount = { variable = \"v\" } }\n { type = "
                   "\"drag\" amount = 1 } ]",
                   3, 2, "drags with different variables");
}

static void warns_of_what_has_no_effect(void **state) {
    (void)state;
    warns_about("spawn = { rate = 1 }", NULL);
    warns_about("spawn = { rate = 0 }", NULL);
    warns_about("", "the emitter \"a\" makes no particles");
    warns_about(SIMULATE("{ type = \"wind\" velocity = [1 0 0] }"), "add { type = \"drag\"");
    warns_about(SIMULATE("{ type = \"curl_noise\" as = \"wind\" }"), "add { type = \"drag\"");
    warns_about(DRAWN "birth = { frame = 3 }", "the texture's `grid` is missing");
    warns_about("duration = 1 spawn = { bursts = [ { time = 2 count = 1 } ] }",
                "the burst at 2 s never happens");
}

// --- Meshes --------------------------------------------------------------------------------------

// A large triangle on the ground and a small one across it.
static const char model[] = "v 0 0 0\nv 4 0 0\nv 0 0 4\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                            "f 1 2 3\nf 4 5 6\n";

static void points_are_spread_over_the_surface_of_a_mesh(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "rock.obj", model);
    compile_case_text(&t, "rock.mesh", "source = \"rock.obj\"");
    const ct_particle_emitter *const e = compile_emitter(
        &t, "spawn = { rate = 1 shape = { type = \"mesh\" mesh = \"rock\" points = 170 } }");
    assert_int_equal(e->points.count, 170);
    const ct_particle_point *const points = ct_blob_at(blob_of(&t), e->points.offset);
    uint32_t num_flat = 0;
    for (uint32_t i = 0; i < 170; ++i) {
        const float *const n = points[i].normal, *const x = points[i].position;
        assert_float_equal(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-5f);
        assert_true(x[0] >= 0 && x[0] <= 4.001f && x[2] >= -0.001f && x[2] <= 1.001f);
        num_flat += fabsf(n[2]) > 0.99f;
    }
    assert_int_equal(num_flat, 160); // 8 of 8.5 square metres
    assert_true(compile_case_has_include(&t, "rock.mesh"));
    assert_true(compile_case_has_include(&t, "rock.obj"));
    assert_true(has_reference(&t.answer, "mesh", "rock"));
    compile_case_free(&t);
}

static void reports_meshes_that_are_missing_or_broken(void **state) {
    (void)state;
    compile_case t = compile_case_make();
#define ROCK                                                                                       \
    "emitters = [ { name = \"a\" spawn = { rate = 1\nshape = { type = \"mesh\" mesh = \"rock\" } " \
    "} } ]"
    compile_case_text(&t, "fx.particles", ROCK);
    compile_case_text(&t, "rock.mesh", "source = \"none.obj\"");
    compile_case_run(&t, "particles", "fx");
    compile_case_expect(&t, "rock.mesh", 1, "none.obj");
    compile_case_text(&t, "rock.mesh", "suorce = \"none.obj\"");
    compile_case_run(&t, "particles", "fx");
    compile_case_expect(&t, "rock.mesh", 1, "did you mean \"source\"");
    compile_case_free(&t);
}

// --- The whole -----------------------------------------------------------------------------------

static void the_same_source_gives_the_same_blob(void **state) {
    (void)state;
    static const char source[] =
        "variables = { v = 1 } seed = 7 cull_distance = 60 prewarm = 2 bounds_radius = 3\n"
        "emitters = [ { name = \"a\" spawn = { rate = 9 shape = { type = \"mesh\" mesh = \"rock\" "
        "} "
        "} birth = { size = { min = 1 max = 2 } } life = { size = { curve = [[0 1] [1 0]] smooth = "
        "true } } render = { material = \"m\" } } ]";
    compile_case t = compile_case_make();
    compile_case_text(&t, "rock.obj", model);
    compile_case_text(&t, "rock.mesh", "source = \"rock.obj\"");
    const ct_particles_resource *const r = compile_effect(&t, source);
    assert_int_equal(r->seed, 7);
    assert_float_equal(r->prewarm, 2, 0);
    const uint32_t bytes = t.answer.blob.count;
    uint8_t *const copy = ct_alloc(test_heap(), bytes);
    memcpy(copy, t.answer.blob.items, bytes);
    compile_effect(&t, source);
    assert_int_equal(t.answer.blob.count, bytes);
    assert_memory_equal(t.answer.blob.items, copy, bytes);
    ct_free(test_heap(), copy);
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_still_emitter_has_only_what_it_needs),
        cmocka_unit_test(constants_at_birth_go_into_curves_of_life),
        cmocka_unit_test(random_births_are_kept_when_life_changes_them),
        cmocka_unit_test(color_and_opacity_are_one_where_that_is_possible),
        cmocka_unit_test(spin_and_frames_are_added_over_time),
        cmocka_unit_test(constant_accelerations_are_one_step_of_each_space),
        cmocka_unit_test(drag_and_wind_are_in_the_one_move),
        cmocka_unit_test(simulators_come_before_and_after_the_move),
        cmocka_unit_test(what_needs_velocities_gets_them),
        cmocka_unit_test(capacity_is_what_can_live_at_once),
        cmocka_unit_test(huge_rates_are_cut_with_a_warning),
        cmocka_unit_test(reads_shapes),
        cmocka_unit_test(emitters_follow_those_that_make_their_particles),
        cmocka_unit_test(refuses_effects_that_spawn_themselves),
        cmocka_unit_test(reads_looks),
        cmocka_unit_test(says_what_the_gpu_can_do),
        cmocka_unit_test(refuses_numbers_that_do_not_fit),
        cmocka_unit_test(refuses_names_that_do_not_fit),
        cmocka_unit_test(refuses_members_that_do_not_belong_together),
        cmocka_unit_test(warns_of_what_has_no_effect),
        cmocka_unit_test(points_are_spread_over_the_surface_of_a_mesh),
        cmocka_unit_test(reports_meshes_that_are_missing_or_broken),
        cmocka_unit_test(the_same_source_gives_the_same_blob),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
