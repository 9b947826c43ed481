#include "resource/types/particles_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

// A sound effect, of which the tests damage one member after the other.
typedef struct effect {
    ct_blob_writer w;
    ct_particles_resource *r;
    ct_particle_emitter *flames, *sparks;
} effect;

static effect make(void) {
    effect fx;
    write_particles(&fx.w);
    assert_accepted(ct_particles_validate, fx.w.bytes.items);
    fx.r = (ct_particles_resource *)(void *)fx.w.bytes.items;
    fx.flames = ITEM(ct_particle_emitter, fx.r, fx.r->emitters, 0);
    fx.sparks = ITEM(ct_particle_emitter, fx.r, fx.r->emitters, 1);
    return fx;
}

// Sets a member, expects the message, and puts the member back.
#define REFUSE(fx, member, bad, message)                                                           \
    do {                                                                                           \
        const __typeof__(member) good = (member);                                                  \
        (member) = (bad);                                                                          \
        assert_refused(ct_particles_validate, (fx)->r, (message));                                 \
        (member) = good;                                                                           \
        assert_accepted(ct_particles_validate, (fx)->r);                                           \
    } while (0)

static ct_particle_step *step_at(const effect *fx, ct_blob_array list, uint32_t i) {
    return ITEM(ct_particle_step, fx->r, list, i);
}

static ct_particle_value *value_at(const effect *fx, uint32_t i) {
    return ITEM(ct_particle_value, fx->r, fx->flames->values, i);
}

static void refuses_effects_out_of_range(void **state) {
    (void)state;
    effect fx = make();
    ct_particle_variable *const v = ITEM(ct_particle_variable, fx.r, fx.r->variables, 0);
    REFUSE(&fx, fx.r->cull_distance, -1, "found cull_distance -1");
    REFUSE(&fx, fx.r->cull_distance, NAN, "found cull_distance");
    REFUSE(&fx, fx.r->prewarm, 61, "prewarm 61");
    REFUSE(&fx, fx.r->bounds_radius, INFINITY, "bounds_radius inf");
    REFUSE(&fx, fx.r->emitters, (ct_blob_array){0}, "emitters: found 0, expected 1 to 32");
    REFUSE(&fx, v->name.value, 1, "variables[0]: its id does not match its name");
    REFUSE(&fx, v->value[3], NAN, "variables[0]: a number is not finite");
    ct_blob_writer_free(&fx.w);
}

static void refuses_emitters_out_of_range(void **state) {
    (void)state;
    effect fx = make();
    ct_particle_emitter *const e = fx.flames;
    REFUSE(&fx, e->name.value, 1, "emitters[0].name: its id does not match");
    REFUSE(&fx, e->flags, 128, "emitters[0].flags: found 128");
    REFUSE(&fx, e->capacity, 0, "capacity: found 0");
    REFUSE(&fx, e->capacity, 6, "capacity: found 6, expected a multiple of 4 up to 131072");
    REFUSE(&fx, e->capacity, CT_PARTICLES_MAX_PARTICLES + 4, "capacity");
    REFUSE(&fx, e->delay, -1, "after -1 seconds");
    REFUSE(&fx, e->period, 0, "period: found 0");
    REFUSE(&fx, e->period, -INFINITY, "period");
    REFUSE(&fx, e->period, NAN, "period");
    REFUSE(&fx, e->period, INFINITY, "LOOPS, with a period without end");
    REFUSE(&fx, e->max_lifetime, 0, "max_lifetime: found 0");
    REFUSE(&fx, e->max_lifetime, 0.5f, "lifetime: expected 0 to max_lifetime");
    REFUSE(&fx, e->inherit_velocity, NAN, "inherit_velocity is not finite");
    REFUSE(&fx, e->lifetime, 8, "lifetime: found value 8 of 8");
    REFUSE(&fx, e->lifetime, 3, "lifetime: found a value of source 2 by clock 0");
    REFUSE(&fx, e->rate, 2, "rate: found a value of source 1");
    REFUSE(&fx, e->per_metre, 4, "per_metre: found a value of source 3 by clock 1");
    ct_blob_writer_free(&fx.w);
}

static void refuses_channels_that_do_not_fit(void **state) {
    (void)state;
    effect fx = make();
    ct_particle_emitter *const e = fx.flames;
    REFUSE(&fx, e->num_channels, CT_PARTICLES_MAX_CHANNELS + 1, "num_channels: found 137");
    REFUSE(&fx, e->num_channels, e->num_channels - 1, "channels[10]: found channels 20 + 1 of 20");
    REFUSE(&fx, e->channels[CT_PARTICLE_SIZE], 10,
           "another semantic has its channel"); // that of COLOR
    REFUSE(&fx, e->channels[CT_PARTICLE_SEED], CT_PARTICLES_NO_CHANNEL,
           "channels[4]: it is required");
    REFUSE(&fx, e->channels[CT_PARTICLE_TRAIL], 0, "channels[14]: found channels 0 + 0");
    REFUSE(&fx, e->channels[19], 0, "channels[19]");
    REFUSE(&fx, e->channels[CT_PARTICLE_COLOR], CT_PARTICLES_NO_CHANNEL,
           "look: the channels of semantic 7 are missing");
    REFUSE(&fx, e->channels[CT_PARTICLE_VELOCITY], CT_PARTICLES_NO_CHANNEL,
           "look: the channels of semantic 1 are missing");
    e->look.facing = CT_PARTICLE_FACING_CAMERA;
    REFUSE(&fx, e->channels[CT_PARTICLE_VELOCITY], CT_PARTICLES_NO_CHANNEL,
           "update[1]: the channels of semantic 1 are missing");
    ct_blob_writer_free(&fx.w);
}

static void refuses_values_that_do_not_fit(void **state) {
    (void)state;
    effect fx = make();
    ct_particle_value *const curve = value_at(&fx, 3), *const range = value_at(&fx, 2);
    ct_particle_sample *const samples = ITEM(ct_particle_sample, fx.r, fx.flames->samples, 0);
    REFUSE(&fx, curve->source, CT_PARTICLE_SOURCE_COUNT, "values[3]: found source 4");
    REFUSE(&fx, curve->clock, 2, "values[3]: found source 2, clock 2");
    REFUSE(&fx, curve->variable, 2, "variable 2");
    REFUSE(&fx, curve->flags, 2, "flags 2");
    REFUSE(&fx, curve->curves[0], CT_PARTICLES_CURVE_SAMPLES + 1,
           "values[3]: found a curve from 66 on of 130 samples");
    REFUSE(&fx, curve->curves[0], UINT32_MAX, "a curve from");
    REFUSE(&fx, range->b[3], INFINITY, "values[2]: a number is not finite");
    REFUSE(&fx, samples[129].value[3], NAN, "samples[129] is not finite");
    fx.flames->flags &= ~(uint32_t)CT_PARTICLE_EMITTER_LOOPS;
    REFUSE(&fx, fx.flames->period, INFINITY, "values[4]: a curve by the emitter's time");
    ct_blob_writer_free(&fx.w);
}

static void refuses_steps_that_do_not_fit(void **state) {
    (void)state;
    effect fx = make();
    ct_particle_step *const init = step_at(&fx, fx.flames->init, 0);
    ct_particle_step *const update = step_at(&fx, fx.flames->update, 0);
    ct_particle_step *const last = step_at(&fx, fx.flames->update, fx.flames->update.count - 1);
    REFUSE(&fx, init->op, CT_PARTICLE_OP_NONE, "init[0]: unknown operation 0");
    REFUSE(&fx, init->op, CT_PARTICLE_OP_COUNT, "init[0]: unknown operation 18");
    REFUSE(&fx, init->op, CT_PARTICLE_OP_ADD, "init[0]");
    REFUSE(&fx, init->flags, 1, "init[0]: found the flags 1");
    REFUSE(&fx, init->first_value, 8, "init[0]: found values 8 + 1 of 8");
    REFUSE(&fx, init->first_value, 3, "init[0]: its value 0 has the source 2 by clock 0");
    REFUSE(&fx, init->channel, fx.flames->channels[CT_PARTICLE_SEED], "init[0]: found channels");
    REFUSE(&fx, init->channel, CT_PARTICLES_NO_CHANNEL, "init[0]: found channels 255");
    REFUSE(&fx, init->num_components, 3, "init[0]: found channels");
    REFUSE(&fx, init->num_components, 0, "init[0]: found channels");
    REFUSE(&fx, init->input, init->channel, "init[0]: found input channels");
    REFUSE(&fx, last->input, 0, "update[14]: found input channels 0 + 1");
    REFUSE(&fx, update[13].first_value, 2, "update[13]: its value 0 has the source 1");
    REFUSE(&fx, update[1].first_value, 3, "update[1]: its value 0 has the source 2");
    REFUSE(&fx, update[2].first_value, 6, "update[2]: found values 6 + 3 of 8");
    REFUSE(&fx, fx.flames->update, (ct_blob_array){0}, "update: found 0 steps, expected 1 to 64");
    ct_blob_writer_free(&fx.w);
}

static void refuses_steps_out_of_order(void **state) {
    (void)state;
    effect fx = make();
    ct_particle_step *const update = step_at(&fx, fx.flames->update, 0);
    REFUSE(&fx, update[0].op, CT_PARTICLE_OP_ACCELERATE,
           "update[0]: the operation 3 is at the wrong");
    REFUSE(&fx, update[1].op, CT_PARTICLE_OP_AGE, "update[1]");
    REFUSE(&fx, update[4].op, CT_PARTICLE_OP_MOVE, "update[5]: the operation 7 is at the wrong");
    REFUSE(&fx, update[5].op, CT_PARTICLE_OP_ORBIT, "update[5]: the operation 8 is at the wrong");
    REFUSE(&fx, update[7].op, CT_PARTICLE_OP_ACCELERATE, "update[7]");
    REFUSE(&fx, fx.flames->update.count, 5, "update: forces without a MOVE");
    REFUSE(&fx, update[9].op, CT_PARTICLE_OP_COLLIDE_PLANE, "COLLIDES does not match the steps");
    ct_blob_writer_free(&fx.w);
}

static void refuses_births_that_do_not_fit(void **state) {
    (void)state;
    effect fx = make();
    ct_particle_emitter *const e = fx.flames;
    ct_particle_burst *const burst = ITEM(ct_particle_burst, fx.r, e->bursts, 0);
    ct_particle_point *const point = ITEM(ct_particle_point, fx.r, e->points, 0);
    REFUSE(&fx, e->shape.type, CT_PARTICLE_SHAPE_COUNT, "shape: found type 6");
    REFUSE(&fx, e->shape.flags, 4, "flags 4");
    REFUSE(&fx, e->shape.offset[2], NAN, "shape: found an invalid offset");
    REFUSE(&fx, e->shape.rotation[3], 2, "shape: found an invalid offset or rotation");
    REFUSE(&fx, e->shape.size[1], -1, "shape.size[1]: found -1");
    REFUSE(&fx, e->shape.inner, 1.5f, "inner 1.5");
    REFUSE(&fx, e->shape.angle, 4, "angle 4");
    REFUSE(&fx, e->points, (ct_blob_array){0}, "points: found 0");
    REFUSE(&fx, point->normal[2], INFINITY, "points: a number is not finite");
    REFUSE(&fx, burst->time, -1, "bursts[0]: found the time -1");
    REFUSE(&fx, burst->interval, 0, "bursts[0]: found the time 1, interval 0");
    REFUSE(&fx, burst->repeats, 0, "bursts[0]: found 0 times");
    REFUSE(&fx, burst->repeats, CT_PARTICLES_MAX_REPEATS + 1, "bursts[0]: found 4097 times");
    REFUSE(&fx, burst->least, 5, "5 to 4");
    ct_blob_writer_free(&fx.w);
}

static void refuses_events_that_lead_back(void **state) {
    (void)state;
    effect fx = make();
    ct_particle_event *const event = ITEM(ct_particle_event, fx.r, fx.flames->events, 0);
    REFUSE(&fx, event->type, CT_PARTICLE_EVENT_TYPE_COUNT, "events[0]: unknown type 3");
    REFUSE(&fx, event->emitter, 0, "events[0]: found emitter 0, expected a target behind this one");
    REFUSE(&fx, event->emitter, 2, "events[0]: found emitter 2");
    REFUSE(&fx, fx.sparks->flags, 0, "events[0]: found emitter 1");
    REFUSE(&fx, event->probability, 1.5f, "probability 1.5");
    REFUSE(&fx, event->least, 3, "found 3 to 2");
    REFUSE(&fx, event->inherit_velocity, NAN, "velocity nan");
    ct_blob_writer_free(&fx.w);
}

static void refuses_looks_that_do_not_fit(void **state) {
    (void)state;
    effect fx = make();
    ct_particle_look *const l = &fx.flames->look;
    REFUSE(&fx, l->renderer, CT_PARTICLE_RENDERER_COUNT, "look: found renderer 6");
    REFUSE(&fx, l->facing, CT_PARTICLE_FACING_COUNT, "facing 8");
    REFUSE(&fx, l->sort, CT_PARTICLE_SORT_COUNT, "sort 4");
    REFUSE(&fx, l->blends, 2, "blends 2");
    REFUSE(&fx, l->num_trail_points, 4, "look.num_trail_points: found 4");
    REFUSE(&fx, fx.sparks->look.num_trail_points, 33, "look.num_trail_points: found 33");
    REFUSE(&fx, l->grid[1], 0, "look.grid[1]: found 0");
    REFUSE(&fx, l->grid[0], 256, "look.grid[0]: found 256");
    REFUSE(&fx, l->axis[2], 2, "look: found an invalid axis");
    REFUSE(&fx, l->uv_length, NAN, "look: found uv_length");
    REFUSE(&fx, l->max_lights, 65, "at most 65 lights");
    REFUSE(&fx, l->material.value, 0, "look.material is missing");
    REFUSE(&fx, l->renderer, CT_PARTICLE_RENDERER_MESH, "look.mesh is missing");
    REFUSE(&fx, l->renderer, CT_PARTICLE_RENDERER_RIBBON, "semantic 16 are missing");
    ct_blob_writer_free(&fx.w);
}

static void refuses_work_for_the_gpu_that_needs_answers(void **state) {
    (void)state;
    effect fx = make();
    const uint32_t gpu = CT_PARTICLE_EMITTER_GPU;
    REFUSE(&fx, fx.flames->flags, fx.flames->flags | gpu, "flags: GPU, with flags");
    REFUSE(&fx, fx.sparks->flags, fx.sparks->flags | gpu, "flags: GPU, with flags");
    REFUSE(&fx, fx.flames->flags, fx.flames->flags | CT_PARTICLE_EMITTER_WANTS_GPU,
           "WANTS_GPU without GPU");
    ct_blob_writer_free(&fx.w);
}

static void counts_channels_and_values(void **state) {
    (void)state;
    const ct_particle_emitter e = {.look = {.num_trail_points = 5}};
    assert_int_equal(ct_particle_semantic_channels(&e, CT_PARTICLE_COLOR), 4);
    assert_int_equal(ct_particle_semantic_channels(&e, CT_PARTICLE_TRAIL), 15);
    assert_int_equal(ct_particle_semantic_channels(&e, CT_PARTICLE_SEMANTIC_COUNT), 0);
    const ct_particle_step add = {.op = CT_PARTICLE_OP_ADD, .input = CT_PARTICLES_NO_CHANNEL},
                           add_input = {.op = CT_PARTICLE_OP_ADD, .input = 3}, unknown = {.op = 99};
    assert_int_equal(ct_particle_step_values(&add), 1);
    assert_int_equal(ct_particle_step_values(&add_input), 0);
    assert_int_equal(ct_particle_step_values(&unknown), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_effects_out_of_range),
        cmocka_unit_test(refuses_emitters_out_of_range),
        cmocka_unit_test(refuses_channels_that_do_not_fit),
        cmocka_unit_test(refuses_values_that_do_not_fit),
        cmocka_unit_test(refuses_steps_that_do_not_fit),
        cmocka_unit_test(refuses_steps_out_of_order),
        cmocka_unit_test(refuses_births_that_do_not_fit),
        cmocka_unit_test(refuses_events_that_lead_back),
        cmocka_unit_test(refuses_looks_that_do_not_fit),
        cmocka_unit_test(refuses_work_for_the_gpu_that_needs_answers),
        cmocka_unit_test(counts_channels_and_values),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
