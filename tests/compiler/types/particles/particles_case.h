// particles_case.h: compiles small particle effects and shows what came out, for tests.
#pragma once
#include "compiler/compile_case.h"
#include "foundation/string/string_builder.h"
#include "resource/types/particles_resource.h"

// Compiles `source` as the effect "fx". Its memory is that of `t`.
static inline const ct_particles_resource *compile_effect(compile_case *t, const char *source) {
    compile_case_text(t, "fx.particles", source);
    return compile_case_blob(t, "particles", "fx");
}

// Compiles an effect of one emitter, "a", with `members`.
static inline const ct_particle_emitter *compile_emitter(compile_case *t, const char *members) {
    char source[4096];
    snprintf(source, sizeof(source),
             "variables = { v = 2  w = [1 2 3] }\nemitters = [ { name = "
             "\"a\"\n%s } ]",
             members);
    const ct_particles_resource *const r = compile_effect(t, source);
    return ct_blob_at(r, r->emitters.offset);
}

static inline const ct_particle_emitter *emitter_at(const ct_particles_resource *r, uint32_t i) {
    return (const ct_particle_emitter *)ct_blob_at(r, r->emitters.offset) + i;
}

static inline const void *blob_of(const compile_case *t) {
    return t->answer.blob.items;
}

static inline const ct_particle_value *value_at(const compile_case *t, const ct_particle_emitter *e,
                                                uint32_t i) {
    return (const ct_particle_value *)ct_blob_at(blob_of(t), e->values.offset) + i;
}

static inline const float *sample_of(const compile_case *t, const ct_particle_emitter *e,
                                     const ct_particle_value *v, uint32_t curve, uint32_t i) {
    const ct_particle_sample *const samples = ct_blob_at(blob_of(t), e->samples.offset);
    return samples[v->curves[curve] + i].value;
}

// The step of this operation in a list, from number `from` on; fails when there is none.
static inline const ct_particle_step *step_at(const compile_case *t, ct_blob_array list,
                                              uint32_t op) {
    const ct_particle_step *const steps = ct_blob_at(blob_of(t), list.offset);
    for (uint32_t i = 0; i < list.count; ++i) {
        if (steps[i].op == op)
            return &steps[i];
    }
    fail_msg("no step with operation %u", op);
    return steps;
}

static inline const char *semantic_of(const ct_particle_emitter *e, uint32_t channel) {
    static const char *const names[] = {
        "position",   "velocity", "age",         "ageing",      "seed", "size",
        "birth_size", "color",    "birth_color", "rotation",    "spin", "frame",
        "axis",       "object",   "trail",       "trail_state", "order"};
    for (uint32_t s = 0; s < CT_PARTICLE_SEMANTIC_COUNT; ++s) {
        const uint32_t first = e->channels[s];
        if (first != CT_PARTICLES_NO_CHANNEL && channel >= first &&
            channel < first + ct_particle_semantic_channels(e, s))
            return names[s];
    }
    return "?";
}

// A list of steps as text: "set size2, curve color4*birth_color, …".
static inline const char *steps_text(const compile_case *t, const ct_particle_emitter *e,
                                     ct_blob_array list) {
    static const char *const ops[CT_PARTICLE_OP_COUNT] = {
        "none",     "set",         "age",        "accelerate",  "noise",         "field",
        "attract",  "move",        "orbit",      "limit_speed", "collide_plane", "collide",
        "kill_box", "kill_sphere", "kill_plane", "curve",       "add",           "trail"};
    static char text[1024];
    uint32_t used = 0;
    const ct_particle_step *const steps = ct_blob_at(blob_of(t), list.offset);
    text[0] = 0;
    for (uint32_t i = 0; i < list.count; ++i) {
        const ct_particle_step *const s = &steps[i];
        used +=
            (uint32_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? ", " : "", ops[s->op]);
        if (s->num_components)
            used += (uint32_t)snprintf(text + used, sizeof(text) - used, " %s%u",
                                       semantic_of(e, s->channel), s->num_components);
        if (s->num_components && s->input != CT_PARTICLES_NO_CHANNEL)
            used += (uint32_t)snprintf(text + used, sizeof(text) - used, "*%s",
                                       semantic_of(e, s->input));
    }
    return text;
}

static inline void expect_steps(const compile_case *t, const ct_particle_emitter *e,
                                const char *init, const char *update) {
    assert_string_equal(steps_text(t, e, e->init), init);
    assert_string_equal(steps_text(t, e, e->update), update);
}

static inline void expect_numbers(const float *found, uint32_t count, const float *expected) {
    for (uint32_t i = 0; i < count; ++i)
        assert_float_equal(found[i], expected[i], 1e-5f);
}
#define EXPECT_NUMBERS(found, ...)                                                                 \
    expect_numbers((found), sizeof((float[]){__VA_ARGS__}) / sizeof(float), (float[]){__VA_ARGS__})

// Fails unless the effect is refused at a line with this message.
static inline void refuse_effect(const char *source, uint32_t line, uint32_t column,
                                 const char *message) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "fx.particles", source);
    compile_case_run(&t, "particles", "fx");
    const ct_compile_fault *const fault = compile_case_expect(&t, "fx.particles", line, message);
    if (column && fault->column != column)
        fail_msg("\"%s\": found column %u, expected %u", message, fault->column, column);
    compile_case_free(&t);
}

// The same for an emitter "a", whose members start on line 2.
static inline void refuse_emitter(const char *members, uint32_t line, uint32_t column,
                                  const char *message) {
    char source[4096];
    snprintf(source, sizeof(source), "variables = { v = 2 } emitters = [ { name = \"a\"\n%s } ]",
             members);
    refuse_effect(source, line, column, message);
}

// Fails unless the emitter compiles with exactly this warning, or none (NULL).
static inline void warns_about(const char *members, const char *message) {
    compile_case t = compile_case_make();
    compile_emitter(&t, members);
    assert_int_equal(t.answer.warnings.count, message != NULL);
    if (message && !strstr(t.answer.warnings.items[0].message, message))
        fail_msg("found the warning \"%s\"", t.answer.warnings.items[0].message);
    compile_case_free(&t);
}
