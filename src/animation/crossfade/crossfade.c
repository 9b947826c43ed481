#include "animation/crossfade/crossfade.h"

#include <math.h>
#include <string.h>

#include "animation/machine/machine_event.h"

// One clip that plays. Those of a layer are in the order in which they started; each covers the
// ones before it as far as it has faded in.
typedef struct fading_clip {
    uint32_t id; // 0: a free place
    uint32_t clip, layer;
    float length, speed;
    float fade, fade_time; // seconds so far, and in all
    double phase;          // 0 to 1
    bool loops, is_new;
    bool is_fresh; // events at its phase have not come out
} fading_clip;

struct ct_crossfade {
    ct_allocator *allocator;
    uint32_t last_id;
    uint32_t num_clips; // places in use, in order of start
    uint8_t order[CT_CROSSFADE_MAX_CLIPS];
    fading_clip clips[CT_CROSSFADE_MAX_CLIPS];
    ct_state_machine_sample samples[CT_CROSSFADE_MAX_CLIPS];
    ct_machine_events events;
    float layer_weights[CT_STATE_MACHINE_MAX_LAYERS];
    ct_state_machine_output output;
};

ct_crossfade *ct_crossfade_create(ct_allocator *a) {
    ct_crossfade *const c = CT_NEW(a, ct_crossfade);
    c->allocator = a;
    c->output.samples = c->samples;
    c->output.events = c->events.items;
    c->output.layer_weights = c->layer_weights;
    return c;
}

void ct_crossfade_destroy(ct_crossfade *c) {
    if (c)
        ct_free_sized(c->allocator, c, sizeof(*c));
}

// --- Starting and ending -------------------------------------------------------------------------

static float own_weight(const fading_clip *f) {
    return f->fade >= f->fade_time ? 1 : f->fade / f->fade_time;
}

static void end_clip(ct_crossfade *c, uint32_t order) {
    c->clips[c->order[order]].id = 0;
    --c->num_clips;
    memmove(c->order + order, c->order + order + 1, c->num_clips - order);
}

// The place in the order of the clip that shows least.
static uint32_t least_shown(const ct_crossfade *c) {
    uint32_t least = 0;
    float least_weight = INFINITY;
    for (uint32_t i = 0; i < c->num_clips; ++i) {
        const fading_clip *const f = &c->clips[c->order[i]];
        float weight = own_weight(f);
        for (uint32_t k = i + 1; k < c->num_clips; ++k) {
            const fading_clip *const over = &c->clips[c->order[k]];
            weight *= over->layer == f->layer ? 1 - own_weight(over) : 1;
        }
        if (weight < least_weight) {
            least = i;
            least_weight = weight;
        }
    }
    return least;
}

// The clip that started last on a layer, or NULL.
static const fading_clip *last_of(const ct_crossfade *c, uint32_t layer) {
    for (uint32_t i = c->num_clips; i-- > 0;) {
        if (c->clips[c->order[i]].layer == layer)
            return &c->clips[c->order[i]];
    }
    return NULL;
}

uint32_t ct_crossfade_start(ct_crossfade *c, const ct_crossfade_desc *desc) {
    const fading_clip *const before = last_of(c, desc->layer);
    const double phase = desc->offsets_phase && before ? before->phase : 0;
    if (c->num_clips == CT_CROSSFADE_MAX_CLIPS)
        end_clip(c, least_shown(c));
    uint32_t place = 0;
    while (c->clips[place].id)
        ++place;
    c->last_id += c->last_id == UINT32_MAX ? 2 : 1;
    c->clips[place] = (fading_clip){.id = c->last_id,
                                    .clip = desc->clip,
                                    .layer = desc->layer,
                                    .length = desc->length,
                                    .speed = 1,
                                    .fade_time = desc->blend_time,
                                    .phase = phase,
                                    .loops = desc->loops,
                                    .is_new = true,
                                    .is_fresh = true};
    c->order[c->num_clips++] = (uint8_t)place;
    return c->last_id;
}

static fading_clip *find(ct_crossfade *c, uint32_t id) {
    for (uint32_t i = 0; i < c->num_clips; ++i) {
        if (c->clips[c->order[i]].id == id)
            return &c->clips[c->order[i]];
    }
    return NULL;
}

uint32_t ct_crossfade_clips(const ct_crossfade *c, ct_crossfade_clip *clips) {
    for (uint32_t i = 0; clips && i < c->num_clips; ++i) {
        const fading_clip *const f = &c->clips[c->order[i]];
        clips[i] = (ct_crossfade_clip){.id = f->id,
                                       .clip = f->clip,
                                       .layer = f->layer,
                                       .loops = f->loops,
                                       .speed = f->speed,
                                       .fade = f->fade,
                                       .fade_time = f->fade_time,
                                       .phase = f->phase};
    }
    return c->num_clips;
}

void ct_crossfade_clear(ct_crossfade *c) {
    while (c->num_clips > 0)
        end_clip(c, c->num_clips - 1);
}

void ct_crossfade_resume(ct_crossfade *c, uint32_t id, const ct_crossfade_clip *saved) {
    fading_clip *const f = find(c, id);
    if (!f || !isfinite(saved->speed) || !(saved->fade >= 0) ||
        !(saved->phase >= 0 && saved->phase <= 1))
        return;
    f->speed = saved->speed;
    f->fade = saved->fade;
    f->phase = saved->phase;
    f->is_fresh = false;
    if (!saved->id || find(c, saved->id))
        return;
    f->id = saved->id;
    c->last_id = c->last_id < saved->id ? saved->id : c->last_id;
}

bool ct_crossfade_set_speed(ct_crossfade *c, uint32_t id, float speed) {
    fading_clip *const f = find(c, id);
    if (f)
        f->speed = speed;
    return f != NULL;
}

bool ct_crossfade_set_time(ct_crossfade *c, uint32_t id, float time) {
    fading_clip *const f = find(c, id);
    if (f)
        f->phase = fmin(fmax((double)time / (double)f->length, 0), 1);
    return f != NULL;
}

bool ct_crossfade_is_fading(const ct_crossfade *c) {
    for (uint32_t i = 0; i < c->num_clips; ++i) {
        if (own_weight(&c->clips[c->order[i]]) < 1)
            return true;
    }
    return false;
}

// --- Updating ------------------------------------------------------------------------------------

// Moves one clip by `dt`, with its events if it is the newest of its layer. Returns how its root
// moved.
static ct_machine_pose move_clip(ct_crossfade *c, fading_clip *f, const ct_animation_resource *clip,
                                 double dt) {
    const ct_machine_clip known = ct_machine_clip_of(clip);
    const double from = f->phase, rate = (double)f->speed / (double)f->length;
    const double end = from + dt * rate, to = f->loops ? end : fmin(fmax(end, 0), 1);
    if (!(dt > 0) || rate == 0)
        return (ct_machine_pose){0, 0, 0, 0};
    if (last_of(c, f->layer) == f)
        ct_machine_add_clip_events(&c->events, &known, from, to, f->loops, f->is_fresh, rate, 0);
    f->is_fresh = false;
    f->phase = f->loops ? to - floor(to) : to;
    return known.has_root ? ct_machine_root_between(&known, from, to, f->loops)
                          : (ct_machine_pose){0, 0, 0, 0};
}

// Drops what lies under a clip that has faded in fully.
static void end_covered(ct_crossfade *c) {
    for (uint32_t i = c->num_clips; i-- > 0;) {
        const fading_clip *const f = &c->clips[c->order[i]];
        for (uint32_t k = i + 1; k < c->num_clips; ++k) {
            const fading_clip *const over = &c->clips[c->order[k]];
            if (over->layer == f->layer && own_weight(over) >= 1) {
                end_clip(c, i);
                break;
            }
        }
    }
}

// Writes the samples of one layer, and its weight: how much of what is below it covers. The root
// moves with the first layer that has clips.
static void write_layer(ct_crossfade *c, uint32_t layer, const ct_machine_pose *moved) {
    float rest = 1;
    const uint32_t first = c->output.num_samples;
    for (uint32_t i = c->num_clips; i-- > 0;) {
        const uint32_t place = c->order[i];
        fading_clip *const f = &c->clips[place];
        if (f->layer != layer)
            continue;
        const float weight = own_weight(f) * rest, time = (float)(f->phase * (double)f->length);
        rest -= weight;
        c->samples[c->output.num_samples++] = (ct_state_machine_sample){.clip = f->clip,
                                                                        .player = place,
                                                                        .is_new = f->is_new,
                                                                        .layer = (uint8_t)layer,
                                                                        .time = time,
                                                                        .weight = weight};
        f->is_new = false;
    }
    const float total = 1 - rest;
    c->layer_weights[layer] = total;
    for (uint32_t i = first; i < c->output.num_samples && total > 0; ++i) {
        ct_state_machine_sample *const s = &c->samples[i];
        s->weight /= total;
        if (layer > 0)
            continue;
        const ct_machine_pose *const m = &moved[s->player];
        ct_animation_root_pose *const delta = &c->output.root_delta;
        delta->position[0] += (float)m->x * s->weight;
        delta->position[1] += (float)m->y * s->weight;
        delta->position[2] += (float)m->z * s->weight;
        delta->heading += (float)m->heading * s->weight;
    }
}

ct_state_machine_output ct_crossfade_update(ct_crossfade *c, float dt,
                                            const ct_animation_resource *const *clips) {
    const float step = dt > 0 && isfinite(dt) ? dt : 0;
    ct_machine_pose moved[CT_CROSSFADE_MAX_CLIPS];
    c->output.num_samples = c->events.count = c->events.num_dropped = 0;
    c->output.root_delta = (ct_animation_root_pose){{0, 0, 0}, 0};
    for (uint32_t i = 0; i < c->num_clips; ++i) {
        const uint32_t place = c->order[i];
        fading_clip *const f = &c->clips[place];
        f->fade += step;
        if (clips[f->clip]) // it may have been loaded again
            f->length = ct_animation_length(clips[f->clip]);
        moved[place] = move_clip(c, f, clips[f->clip], (double)step);
    }
    c->output.num_events = c->events.count;
    c->output.num_dropped_events = c->events.num_dropped;
    end_covered(c);
    for (uint32_t layer = 0; layer < CT_STATE_MACHINE_MAX_LAYERS; ++layer)
        write_layer(c, layer, moved);
    return c->output;
}
