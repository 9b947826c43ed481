// machine_case.h: a state machine compiled from text, with clips made in memory.
#pragma once
#include "compiler/compile_case.h"

#include <math.h>

#include "animation/machine/state_machine.h"

enum { CASE_MAX_CLIPS = 16, CLIP_MAX_EVENTS = 8, CLIP_MAX_KEYS = 8 };

// A clip: `events` at `times`; the root's path by keys at frames of 1 / 30 s.
typedef struct test_clip {
    const char *name;
    float length; // seconds, whole frames
    bool does_not_loop;
    struct {
        const char *name;
        float time;
    } events[CLIP_MAX_EVENTS];
    ct_animation_root_key keys[CLIP_MAX_KEYS]; // {0} keys end it, but for the first
    uint32_t num_keys;
} test_clip;

typedef struct clip_blob {
    ct_animation_resource resource;
    ct_animation_event events[CLIP_MAX_EVENTS];
    ct_animation_root_key keys[CLIP_MAX_KEYS];
} clip_blob;

typedef struct machine_case {
    compile_case compiled;
    const ct_state_machine_resource *resource;
    clip_blob clips[CASE_MAX_CLIPS];
    const ct_animation_resource *list[CASE_MAX_CLIPS]; // in the order of the resource
    ct_state_machine *m;
} machine_case;

static inline void fill_clip(clip_blob *blob, const test_clip *clip) {
    *blob = (clip_blob){.resource = {.rate = 30,
                                     .num_frames = (uint32_t)lroundf(clip->length * 30),
                                     .flags = clip->does_not_loop ? 0 : CT_ANIMATION_LOOPS}};
    uint32_t num_events = 0;
    for (; num_events < CLIP_MAX_EVENTS && clip->events[num_events].name; ++num_events)
        blob->events[num_events] =
            (ct_animation_event){.name = ct_string_id32_of(clip->events[num_events].name),
                                 .time = clip->events[num_events].time};
    memcpy(blob->keys, clip->keys, sizeof(blob->keys));
    blob->resource.events = (ct_blob_array){(uint32_t)offsetof(clip_blob, events), num_events};
    blob->resource.root_keys = (ct_blob_array){(uint32_t)offsetof(clip_blob, keys), clip->num_keys};
}

// Writes a skeleton "s", sources of the clips, and compiles "m".
static inline void machine_case_compile(machine_case *t, const char *text, const test_clip *clips,
                                        uint32_t num_clips) {
    t->compiled = compile_case_make();
    compile_case_text(
        &t->compiled, "s.skeleton",
        "joints = [ { name = \"root\" } { name = \"spine\" parent = \"root\" }\n"
        "{ name = \"arm\" parent = \"spine\" } { name = \"leg\" parent = \"root\" } ]");
    for (uint32_t i = 0; i < num_clips; ++i) {
        char path[64];
        snprintf(path, sizeof(path), "%s.animation", clips[i].name);
        compile_case_text(&t->compiled, path, "skeleton = \"s\"");
    }
    compile_case_text(&t->compiled, "m.state_machine", text);
    t->resource = compile_case_blob(&t->compiled, "state_machine", "m");
    const ct_resource_id *const ids = ct_blob_at(t->resource, t->resource->clips.offset);
    for (uint32_t i = 0; i < t->resource->clips.count; ++i) {
        t->list[i] = NULL;
        for (uint32_t k = 0; k < num_clips; ++k) {
            if (ct_string_id64_of(clips[k].name).value != ids[i].name.value)
                continue;
            fill_clip(&t->clips[i], &clips[k]);
            t->list[i] = &t->clips[i].resource;
        }
    }
}

static inline void machine_case_start(machine_case *t, const char *text, const test_clip *clips,
                                      uint32_t num_clips) {
    machine_case_compile(t, text, clips, num_clips);
    t->m = ct_state_machine_create(test_heap(), t->resource, t->list);
}

static inline void machine_case_free(machine_case *t) {
    ct_state_machine_destroy(t->m);
    compile_case_free(&t->compiled);
}

// Another machine of the same resource, in the start states.
static inline ct_state_machine *machine_case_another(machine_case *t) {
    return ct_state_machine_create(test_heap(), t->resource, t->list);
}

static inline bool send(ct_state_machine *m, const char *event) {
    return ct_state_machine_send(m, ct_string_id32_of(event));
}

static inline void set(ct_state_machine *m, const char *variable, float value) {
    const uint32_t number = ct_state_machine_find_variable(m, ct_string_id32_of(variable));
    assert_int_not_equal(number, UINT32_MAX);
    assert_true(ct_state_machine_set_variable(m, number, value));
}

static inline bool is_in(const ct_state_machine *m, uint32_t layer, const char *state) {
    float time, length;
    return ct_state_machine_layer_state(m, layer, &time, &length).value ==
           ct_string_id32_of(state).value;
}

static inline float time_in(const ct_state_machine *m, uint32_t layer) {
    float time, length;
    ct_state_machine_layer_state(m, layer, &time, &length);
    return time;
}

static inline void assert_close(double a, double b, double most) {
    if (!(fabs(a - b) <= most))
        fail_msg("%.9g is not within %g of %.9g", a, most, b);
}

// Fails unless the weights of each layer add up to 1.
static inline void assert_weights(const ct_state_machine_output *o) {
    double sums[CT_STATE_MACHINE_MAX_LAYERS] = {0};
    bool has[CT_STATE_MACHINE_MAX_LAYERS] = {false};
    for (uint32_t i = 0; i < o->num_samples; ++i) {
        assert_true(o->samples[i].weight > 0 && o->samples[i].weight <= 1);
        assert_true(isfinite(o->samples[i].time));
        sums[o->samples[i].layer] += (double)o->samples[i].weight;
        has[o->samples[i].layer] = true;
        assert_true(i == 0 || o->samples[i - 1].layer <= o->samples[i].layer);
    }
    for (uint32_t i = 0; i < CT_STATE_MACHINE_MAX_LAYERS; ++i) {
        if (has[i])
            assert_close(sums[i], 1, 1e-5);
    }
}
