#include "animation/crossfade/crossfade.h"

#include <math.h>
#include <string.h>

// One clip that plays. Those of a layer are in the order in which they started; each covers the
// ones before it as far as it has faded in.
typedef struct fading_clip {
    uint32_t id; // 0: a free place
    uint32_t clip, layer;
    float length, time, speed;
    float fade, fade_time; // seconds so far, and in all
    bool loops, is_new;
} fading_clip;

struct ct_crossfade {
    ct_allocator *allocator;
    uint32_t last_id;
    uint32_t num_clips; // places in use, in order of start
    uint8_t order[CT_CROSSFADE_MAX_CLIPS];
    fading_clip clips[CT_CROSSFADE_MAX_CLIPS];
    ct_state_machine_sample samples[CT_CROSSFADE_MAX_CLIPS];
    ct_state_machine_out_event events[CT_STATE_MACHINE_MAX_EVENTS];
    float layer_weights[CT_STATE_MACHINE_MAX_LAYERS];
    ct_state_machine_output output;
};

ct_crossfade *ct_crossfade_create(ct_allocator *a) {
    ct_crossfade *const c = CT_NEW(a, ct_crossfade);
    c->allocator = a;
    c->output.samples = c->samples;
    c->output.events = c->events;
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
    const float phase = desc->offsets_phase && before ? before->time / before->length : 0;
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
                                    .time = phase * desc->length,
                                    .speed = 1,
                                    .fade_time = desc->blend_time,
                                    .loops = desc->loops,
                                    .is_new = true};
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

bool ct_crossfade_set_speed(ct_crossfade *c, uint32_t id, float speed) {
    fading_clip *const f = find(c, id);
    if (f)
        f->speed = speed;
    return f != NULL;
}

bool ct_crossfade_set_time(ct_crossfade *c, uint32_t id, float time) {
    fading_clip *const f = find(c, id);
    if (f)
        f->time = time < 0 ? 0 : time > f->length ? f->length : time;
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

// Adds the events of a clip after `from` up to and with `to` (forward, within the clip). The event
// at time 0 belongs to the start.
static void add_events(ct_crossfade *c, const ct_animation_resource *clip, float from, float to,
                       bool with_from, float offset, float speed) {
    const ct_animation_event *const events = ct_blob_at(clip, clip->events.offset);
    for (uint32_t i = 0; i < clip->events.count; ++i) {
        const float t = events[i].time;
        if (t > to || t < from || (t == from && !with_from))
            continue;
        if (c->output.num_events == CT_STATE_MACHINE_MAX_EVENTS) {
            c->output.num_dropped_events += c->output.num_dropped_events < UINT32_MAX;
            continue;
        }
        c->events[c->output.num_events++] =
            (ct_state_machine_out_event){events[i].name, offset + (t - from) / speed};
    }
}

static ct_animation_root_pose after(ct_animation_root_pose a, ct_animation_root_pose b) {
    const float s = sinf(a.heading), k = cosf(a.heading);
    return (ct_animation_root_pose){{a.position[0] + k * b.position[0] - s * b.position[1],
                                     a.position[1] + s * b.position[0] + k * b.position[1],
                                     a.position[2] + b.position[2]},
                                    a.heading + b.heading};
}

// How the root moves from `from` to `to`, in the space it has at `from`.
static ct_animation_root_pose between(ct_animation_root_pose from, ct_animation_root_pose to) {
    const float s = sinf(from.heading), k = cosf(from.heading);
    const float x = to.position[0] - from.position[0], y = to.position[1] - from.position[1];
    return (ct_animation_root_pose){
        {k * x + s * y, k * y - s * x, to.position[2] - from.position[2]},
        to.heading - from.heading};
}

// `moved` `times` times, one after the other. In double precision, with headings in one turn: after
// a day there are many.
static ct_animation_root_pose repeated(const ct_animation_root_pose *moved, uint64_t times) {
    static const double turn = 6.283185307179586;
    double one[4] = {moved->position[0], moved->position[1], moved->position[2], moved->heading};
    double all[4] = {0, 0, 0, 0};
    for (; times; times >>= 1) {
        const double *const next[2] = {all, one};
        double sums[2][4]; // all + one, one + one
        for (uint32_t i = 0; i < 2; ++i) {
            const double *const from = next[i], s = sin(from[3]), k = cos(from[3]);
            sums[i][0] = from[0] + k * one[0] - s * one[1];
            sums[i][1] = from[1] + s * one[0] + k * one[1];
            sums[i][2] = from[2] + one[2];
            sums[i][3] = remainder(from[3] + one[3], turn);
        }
        if (times & 1)
            memcpy(all, sums[0], sizeof(all));
        memcpy(one, sums[1], sizeof(one));
    }
    return (ct_animation_root_pose){{(float)all[0], (float)all[1], (float)all[2]}, (float)all[3]};
}

// How the root moves in one whole round that starts at `time`.
static ct_animation_root_pose in_a_round(const ct_animation_resource *clip, const fading_clip *f) {
    const ct_animation_root_pose now = ct_animation_root_at(clip, f->time);
    const ct_animation_root_pose to_end = between(now, ct_animation_root_at(clip, f->length));
    const ct_animation_root_pose from_start = between(ct_animation_root_at(clip, 0), now);
    return after(to_end, from_start);
}

// Takes whole rounds out of `*left` seconds of a clip that loops, when they are so many that their
// events would be dropped anyway. Returns how the root moves in them.
static ct_animation_root_pose skip_rounds(ct_crossfade *c, const fading_clip *f,
                                          const ct_animation_resource *clip, float *left) {
    const float most = f->length * CT_STATE_MACHINE_MAX_EVENTS;
    ct_animation_root_pose moved = {{0, 0, 0}, 0};
    if (!f->loops || *left <= most)
        return moved;
    const double rounds = floor(((double)*left - (double)most) / (double)f->length);
    *left = (float)((double)*left - rounds * (double)f->length);
    if (!clip || rounds < 1)
        return moved;
    const double dropped = rounds * clip->events.count + c->output.num_dropped_events;
    c->output.num_dropped_events = dropped < UINT32_MAX ? (uint32_t)dropped : UINT32_MAX;
    const ct_animation_root_pose round = in_a_round(clip, f);
    moved = repeated(&round, (uint64_t)rounds);
    if (f->speed < 0) // the way back
        moved = between(moved, (ct_animation_root_pose){{0, 0, 0}, 0});
    return moved;
}

// Moves one clip by `dt`, with its events, and returns how its root moved.
static ct_animation_root_pose move_clip(ct_crossfade *c, fading_clip *f,
                                        const ct_animation_resource *clip, float dt) {
    float left = dt * fabsf(f->speed), offset = 0;
    const bool is_forward = f->speed > 0;
    bool with_from = f->is_new && f->time == 0;
    ct_animation_root_pose moved = skip_rounds(c, f, clip, &left);
    while (left > 0) {
        const float room = is_forward ? f->length - f->time : f->time;
        const float step = left < room ? left : room;
        const float to = is_forward ? f->time + step : f->time - step;
        if (clip) {
            moved = after(moved, between(ct_animation_root_at(clip, f->time),
                                         ct_animation_root_at(clip, to)));
            if (is_forward)
                add_events(c, clip, f->time, to, with_from, offset, fabsf(f->speed));
        }
        f->time = to;
        left -= step;
        offset += step / fabsf(f->speed);
        with_from = false;
        if (left <= 0 || !f->loops)
            break;
        f->time = is_forward ? 0 : f->length;
        with_from = is_forward;
    }
    return moved;
}

static void sort_events(ct_crossfade *c) {
    for (uint32_t i = 1; i < c->output.num_events; ++i) {
        const ct_state_machine_out_event e = c->events[i];
        uint32_t k = i;
        for (; k > 0 && c->events[k - 1].time > e.time; --k)
            c->events[k] = c->events[k - 1];
        c->events[k] = e;
    }
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
static void write_layer(ct_crossfade *c, uint32_t layer, const ct_animation_root_pose *moved) {
    float rest = 1;
    const uint32_t first = c->output.num_samples;
    for (uint32_t i = c->num_clips; i-- > 0;) {
        const uint32_t place = c->order[i];
        fading_clip *const f = &c->clips[place];
        if (f->layer != layer)
            continue;
        const float weight = own_weight(f) * rest;
        rest -= weight;
        c->samples[c->output.num_samples++] = (ct_state_machine_sample){.clip = f->clip,
                                                                        .player = place,
                                                                        .is_new = f->is_new,
                                                                        .layer = (uint8_t)layer,
                                                                        .time = f->time,
                                                                        .weight = weight};
        f->is_new = false;
    }
    const float total = 1 - rest;
    c->layer_weights[layer] = total;
    for (uint32_t i = first; i < c->output.num_samples && total > 0; ++i) {
        ct_state_machine_sample *const s = &c->samples[i];
        s->weight /= total;
        const ct_animation_root_pose *const m = &moved[s->player];
        for (uint32_t k = 0; layer == 0 && k < 3; ++k)
            c->output.root_delta.position[k] += m->position[k] * s->weight;
        c->output.root_delta.heading += layer == 0 ? m->heading * s->weight : 0;
    }
}

ct_state_machine_output ct_crossfade_update(ct_crossfade *c, float dt,
                                            const ct_animation_resource *const *clips) {
    const float step = dt > 0 && isfinite(dt) ? dt : 0;
    ct_animation_root_pose moved[CT_CROSSFADE_MAX_CLIPS];
    c->output.num_samples = c->output.num_events = c->output.num_dropped_events = 0;
    c->output.root_delta = (ct_animation_root_pose){{0, 0, 0}, 0};
    for (uint32_t i = 0; i < c->num_clips; ++i) {
        const uint32_t place = c->order[i];
        fading_clip *const f = &c->clips[place];
        f->fade += step;
        if (clips[f->clip]) // it may have been loaded again
            f->length = ct_animation_length(clips[f->clip]);
        f->time = f->time < f->length ? f->time : f->length;
        moved[place] = move_clip(c, f, clips[f->clip], step);
    }
    sort_events(c);
    end_covered(c);
    for (uint32_t layer = 0; layer < CT_STATE_MACHINE_MAX_LAYERS; ++layer)
        write_layer(c, layer, moved);
    return c->output;
}

ct_state_machine_output ct_crossfade_current(const ct_crossfade *c) {
    return c->output;
}
