#include "compiler/types/particles/worker_particle_value.h"

#include "compiler/types/particles/particles_case.h"

enum { LAST = CT_PARTICLES_CURVE_SAMPLES - 1 };

#define DRAWN "spawn = { rate = 1 } render = { material = \"m\" }\n"

static const ct_particle_value *value_of_step(const compile_case *t, const ct_particle_emitter *e,
                                              ct_blob_array list, uint32_t op) {
    return value_at(t, e, step_at(t, list, op)->first_value);
}

// --- Constants and random values -----------------------------------------------------------------

static void reads_numbers_and_arrays(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *e =
        compile_emitter(&t, DRAWN "birth = { size = 3 lifetime = 2 velocity = [1 2 3] }");
    EXPECT_NUMBERS(value_of_step(&t, e, e->init, CT_PARTICLE_OP_SET)->a, 3, 3);
    EXPECT_NUMBERS(value_at(&t, e, e->lifetime)->a, 2, 0, 0, 0);
    EXPECT_NUMBERS(value_at(&t, e, e->velocity)->a, 1, 2, 3, 0);
    e = compile_emitter(&t, DRAWN "birth = { size = [3 4] }");
    EXPECT_NUMBERS(value_of_step(&t, e, e->init, CT_PARTICLE_OP_SET)->a, 3, 4);
    compile_case_free(&t);
}

static void random_values_have_two_ends(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e = compile_emitter(
        &t, DRAWN "birth = { size = { min = 1 max = [2 3] } velocity = { min = [0 0 0] max = [1 1 "
                  "1] } lifetime = { min = 2 max = 2 } }");
    const ct_particle_value *const size = value_of_step(&t, e, e->init, CT_PARTICLE_OP_SET);
    const ct_particle_value *const velocity = value_at(&t, e, e->velocity);
    assert_int_equal(size->source, CT_PARTICLE_SOURCE_RANGE);
    assert_int_equal(size->flags, CT_PARTICLE_VALUE_UNIFORM);
    EXPECT_NUMBERS(size->a, 1, 1);
    EXPECT_NUMBERS(size->b, 2, 3);
    assert_int_equal(velocity->source, CT_PARTICLE_SOURCE_RANGE);
    assert_int_equal(velocity->flags, 0);
    assert_int_equal(value_at(&t, e, e->lifetime)->source, CT_PARTICLE_SOURCE_CONSTANT);
    compile_case_free(&t);
}

static void colors_are_srgb_and_bright_ones_linear(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e =
        compile_emitter(&t, DRAWN "birth = { color = [0.5 1 4] opacity = 0.5 }");
    const ct_particle_step *const steps = ct_blob_at(blob_of(&t), e->init.offset);
    EXPECT_NUMBERS(value_at(&t, e, steps[1].first_value)->a, 0.21404114f, 1, 4, 0.5f);
    compile_case_free(&t);
}

static void variables_are_multiplied_in(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e = compile_emitter(
        &t, "spawn = { rate = { variable = \"v\" value = 3 } }\n"
            "birth = { speed = { variable = \"v\" } velocity = { min = [0 0 0] max = [1 1 1] "
            "variable = \"w\" } }");
    const ct_particles_resource *const r = blob_of(&t);
    const ct_particle_variable *const variables = ct_blob_at(r, r->variables.offset);
    assert_int_equal(value_at(&t, e, e->rate)->variable, 1);
    EXPECT_NUMBERS(value_at(&t, e, e->rate)->a, 3);
    assert_int_equal(value_at(&t, e, e->speed)->variable, 1);
    EXPECT_NUMBERS(value_at(&t, e, e->speed)->a, 1);
    assert_int_equal(value_at(&t, e, e->velocity)->variable, 2);
    EXPECT_NUMBERS(variables[0].value, 2, 2, 2, 2);
    EXPECT_NUMBERS(variables[1].value, 1, 2, 3, 0);
    compile_case_free(&t);
}

// --- Curves --------------------------------------------------------------------------------------

static void curves_are_straight_between_keys(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e =
        compile_emitter(&t, DRAWN "life = { opacity = { curve = [[0.25 1] [0.5 0] [0.75 0.5]] } }");
    const ct_particle_value *const v = value_of_step(&t, e, e->update, CT_PARTICLE_OP_CURVE);
    assert_int_equal(v->source, CT_PARTICLE_SOURCE_CURVE);
    assert_int_equal(v->clock, CT_PARTICLE_CLOCK_LIFE);
    assert_float_equal(sample_of(&t, e, v, 0, 0)[0], 1, 0);
    assert_float_equal(sample_of(&t, e, v, 0, 16)[0], 1, 0);
    assert_float_equal(sample_of(&t, e, v, 0, 24)[0], 0.5f, 1e-6f);
    assert_float_equal(sample_of(&t, e, v, 0, 32)[0], 0, 0);
    assert_float_equal(sample_of(&t, e, v, 0, 40)[0], 0.25f, 1e-6f);
    assert_float_equal(sample_of(&t, e, v, 0, LAST)[0], 0.5f, 0);
    compile_case_free(&t);
}

static void smooth_curves_are_round_and_stay_between_keys(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e = compile_emitter(
        &t, DRAWN "life = { opacity = { curve = [[0 0] [0.25 0.9] [0.5 1] [1 0.2]] smooth = true "
                  "} }");
    const ct_particle_value *const v = value_of_step(&t, e, e->update, CT_PARTICLE_OP_CURVE);
    float before = 0;
    for (uint32_t i = 0; i <= LAST; ++i) {
        const float now = sample_of(&t, e, v, 0, i)[0];
        assert_true(now >= 0 && now <= 1);
        assert_true(i <= 32 ? now >= before : now <= before);
        before = now;
    }
    assert_float_equal(sample_of(&t, e, v, 0, 16)[0], 0.9f, 1e-6f);
    assert_true(sample_of(&t, e, v, 0, 1)[0] < 0.9f / 16); // flat at the end
    compile_case_free(&t);
}

static void curves_of_one_key_are_constants(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e =
        compile_emitter(&t, "spawn = { rate = { curve = [[0.5 7]] } }");
    assert_int_equal(value_at(&t, e, e->rate)->source, CT_PARTICLE_SOURCE_CONSTANT);
    EXPECT_NUMBERS(value_at(&t, e, e->rate)->a, 7);
    assert_int_equal(e->samples.count, 0);
    compile_case_free(&t);
}

static void equal_curves_are_stored_once(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e =
        compile_emitter(&t, "duration = 2 spawn = { rate = { curve = [[0 1] [1 0]] }\n"
                            "per_metre = { curve = [[0 1] [1 0]] } }");
    assert_int_equal(e->samples.count, CT_PARTICLES_CURVE_SAMPLES);
    assert_int_equal(value_at(&t, e, e->rate)->clock, CT_PARTICLE_CLOCK_EMITTER);
    assert_int_equal(e->samples.offset % 16, 0);
    compile_case_free(&t);
}

static void ends_of_random_values_may_be_curves(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_particle_emitter *const e =
        compile_emitter(&t, "duration = 2 spawn = { rate = 1 }\n"
                            "birth = { speed = { min = 1 max = { curve = [[0 2] [1 4]] } } }");
    const ct_particle_value *const v = value_at(&t, e, e->speed);
    assert_int_equal(v->source, CT_PARTICLE_SOURCE_CURVE_RANGE);
    assert_float_equal(sample_of(&t, e, v, 0, 32)[0], 1, 0);
    assert_float_equal(sample_of(&t, e, v, 1, 32)[0], 3, 1e-6f);
    compile_case_free(&t);
}

// --- Errors --------------------------------------------------------------------------------------

static void refuses_values_of_another_form(void **state) {
    (void)state;
    refuse_emitter("birth = { speed = \"fast\" }", 2, 11,
                   "speed: found a string, expected a number");
    refuse_emitter("birth = { speed = [1 2] }", 2, 11, "speed: found 2 numbers, expected one");
    refuse_emitter("birth = { velocity = 1 }", 2, 11, "found a number, expected 3 in an array");
    refuse_emitter("birth = { velocity = [1 2] }", 2, 11, "found 2 numbers, expected 3");
    refuse_emitter("birth = { size = [1 2 3] }", 2, 11, "found 3 numbers, expected 1 or 2");
    refuse_emitter("birth = { velocity = [0 0\n true] }", 3, 2,
                   "found a boolean, expected a number");
    refuse_emitter("birth = { speed = {} }", 2, 11, "speed: found no value");
    refuse_emitter("birth = { speed = { value = 1 curve = [[0 1]] } }", 2, 11, "more than one");
    refuse_emitter("birth = { speed = { min = 1 } }", 2, 11, "`max` is missing beside `min`");
    refuse_emitter("birth = { speed = { crve = 1 } }", 2, 21, "did you mean \"curve\"");
    refuse_emitter("birth = { speed = { min = 1 max = { min = 1 max = 2 } } }", 2, 29,
                   "an end of a random value is a constant or a curve");
    refuse_emitter("birth = { size = -1 }", 2, 11, "size: found -1, expected a number from 0");
    refuse_emitter("birth = { opacity = 1.5 }", 2, 11, "opacity: found 1.5, expected a number");
    refuse_emitter("birth = { speed = { variable = \"vv\" } }", 2, 21,
                   "there is no variable \"vv\"; did you mean \"v\"?");
    refuse_emitter("spawn = { rate = { min = 1 max = 2 } }", 2, 11, "rate: it cannot be random");
    refuse_emitter("simulate = [ { type = \"drag\" amount = { min = 1 max = 2 } } ]", 2, 30,
                   "amount: it cannot be random");
}

static void refuses_curves_that_are_none(void **state) {
    (void)state;
#define CURVE(keys) "life = { size = { curve = " keys " } }"
    refuse_emitter(CURVE("5"), 2, 19, "size: found a number as a curve, expected keys");
    refuse_emitter(CURVE("[]"), 2, 19, "size: found no keys as a curve");
    refuse_emitter(CURVE("[5]"), 2, 28, "found a number as a key");
    refuse_emitter(CURVE("[[0]]"), 2, 28, "found a place alone as a key");
    refuse_emitter(CURVE("[[0 1 2 3]]"), 2, 28, "found 3 numbers, expected 1 or 2");
    refuse_emitter(CURVE("[[0 1]\n [0.5 2]\n [0.4 3]]"), 4, 3,
                   "the key at 0.4 is behind the key at 0.5: sort keys");
    refuse_emitter(CURVE("[[0 1] [0.5 2] [0.5 3]]"), 2, 43, "at the same place");
    refuse_emitter(CURVE("[[0 1] [1.5 2]]"), 2, 35, "from 0 to 1: a share of the lifetime");
    refuse_emitter(CURVE("[[-1 1]]"), 2, 29, "from 0 to 1");
    refuse_emitter(CURVE("[[\"x\" 1]]"), 2, 29, "from 0 to 1");
    refuse_emitter("spawn = { rate = { curve = [[0 1] [1 2]] } }", 2, 20,
                   "by the emitter's time: give the emitter a `duration`");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_numbers_and_arrays),
        cmocka_unit_test(random_values_have_two_ends),
        cmocka_unit_test(colors_are_srgb_and_bright_ones_linear),
        cmocka_unit_test(variables_are_multiplied_in),
        cmocka_unit_test(curves_are_straight_between_keys),
        cmocka_unit_test(smooth_curves_are_round_and_stay_between_keys),
        cmocka_unit_test(curves_of_one_key_are_constants),
        cmocka_unit_test(equal_curves_are_stored_once),
        cmocka_unit_test(ends_of_random_values_may_be_curves),
        cmocka_unit_test(refuses_values_of_another_form),
        cmocka_unit_test(refuses_curves_that_are_none),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
