// Finds the clip of a source in its file, and the motion of each joint.
#include <math.h>
#include <string.h>

#include "compiler/types/animation/worker_clip.h"
#include "foundation/container/hash_map.h"
#include "foundation/string/string_builder.h"

enum { MOST_LISTED_BYTES = 400 };

static ct_sjson_value member(const ct_worker_clip_reader *r, const char *key) {
    const ct_sjson_value root = ct_sjson_root(r->c->doc);
    const ct_sjson_value v = ct_sjson_find(r->c->doc, root, key);
    return v.entry ? v : ct_sjson_find(r->c->doc, root, "source");
}

// --- The clip ------------------------------------------------------------------------------------

const char *ct_worker_clip_key(ct_compile *c, const ct_worker_scene *scene, uint32_t i) {
    const char *const name = scene->clips.items[i].name;
    uint32_t count = 1;
    if (!*name)
        return ct_compile_text(c, "clip#%u", i + 1);
    for (uint32_t k = 0; k < i; ++k)
        count += strcmp(scene->clips.items[k].name, name) == 0;
    return count == 1 ? name : ct_compile_text(c, "%s#%u", name, count);
}

static bool find_clip(ct_worker_clip_reader *r) {
    const uint32_t count = r->scene.clips.count;
    const char **const names = CT_NEW_ARRAY(r->c->allocator, const char *, (uint64_t)count + 1);
    ct_string_builder list;
    ct_string_builder_init(&list, r->c->allocator);
    for (uint32_t i = 0; i < count; ++i) {
        names[i] = ct_worker_clip_key(r->c, &r->scene, i);
        if (strcmp(names[i], r->source.clip) == 0 || (count == 1 && !*r->source.clip)) {
            r->clip = &r->scene.clips.items[i];
            r->clip_name = names[i];
            return true;
        }
        if (list.length < MOST_LISTED_BYTES)
            ct_string_builder_addf(&list, "%s\"%s\"", i ? ", " : "", names[i]);
    }
    const char *const nearest = ct_nearest_name(r->source.clip, names, count);
    const char *const path = r->source.source;
    if (count == 0)
        return ct_compile_error(r->c, r->c->doc, member(r, "source"),
                                "%s has no clips; expected a model with animations", path);
    if (!*r->source.clip)
        return ct_compile_error(r->c, r->c->doc, member(r, "source"),
                                "%s has %u clips; name one with `clip`: %s", path, count,
                                ct_string_builder_text(&list));
    if (nearest)
        return ct_compile_error(r->c, r->c->doc, member(r, "clip"),
                                "%s has no clip \"%s\"; did you mean \"%s\"?", path, r->source.clip,
                                nearest);
    return ct_compile_error(r->c, r->c->doc, member(r, "clip"),
                            "%s has no clip \"%s\"; its clips are %s", path, r->source.clip,
                            ct_string_builder_text(&list));
}

// --- Keys ----------------------------------------------------------------------------------------

static bool refuse_key(const ct_worker_clip_reader *r, const ct_worker_channel *channel,
                       uint32_t key, const char *what) {
    return ct_compile_error(r->c, r->c->doc, member(r, "clip"),
                            "%s: clip \"%s\", node \"%s\": key %u %s", r->source.source,
                            r->clip_name, r->scene.nodes.items[channel->node].key, key, what);
}

static bool check_values(const ct_worker_clip_reader *r, const ct_worker_channel *c) {
    const bool is_cubic = c->interpolation == CT_WORKER_INTERPOLATION_CUBIC;
    const uint32_t size = c->kind == CT_WORKER_CHANNEL_ROTATION ? 4 : 3;
    const uint32_t stride = is_cubic ? size * 3 : size;
    for (uint32_t i = 0; i < c->num_keys; ++i) {
        const float *const values = c->values + (uint64_t)i * stride;
        double length2 = 0;
        for (uint32_t k = 0; k < stride; ++k) {
            if (!isfinite(values[k]))
                return refuse_key(r, c, i, "has a value that is not a finite number");
        }
        for (uint32_t k = 0; k < size; ++k) {
            const double value = values[(is_cubic ? size : 0) + k];
            length2 += value * value;
        }
        if (size == 4 && !(length2 > 1e-12))
            return refuse_key(r, c, i, "has a rotation of length 0; expected 1");
    }
    return true;
}

static bool check_channel(const ct_worker_clip_reader *r, const ct_worker_channel *c) {
    for (uint32_t i = 0; i < c->num_keys; ++i) {
        if (!isfinite(c->times[i]))
            return refuse_key(r, c, i, "has a time that is not a finite number");
        if (i > 0 && c->times[i] < c->times[i - 1])
            return refuse_key(
                r, c, i,
                ct_compile_text(r->c,
                                "is at %g s, before the key before it at %g s; expected times "
                                "in ascending order",
                                (double)c->times[i], (double)c->times[i - 1]));
    }
    return check_values(r, c);
}

// --- The range -----------------------------------------------------------------------------------

static bool set_frames(ct_worker_clip_reader *r) {
    const double frames = (double)r->length * (double)r->source.rate;
    const uint64_t most = CT_WORKER_CLIP_MAX_SAMPLES / r->num_joints;
    const double limit = (double)(most < CT_ANIMATION_MAX_FRAMES ? most : CT_ANIMATION_MAX_FRAMES);
    if (frames + 1 > limit)
        return ct_compile_error(r->c, r->c->doc, member(r, "clip"),
                                "%s: clip \"%s\" has %.0f frames of %u joints; expected at most "
                                "%.0f: use a lower `rate`, or a part with `start` and `end`",
                                r->source.source, r->clip_name, frames, r->num_joints, limit - 1);
    r->num_frames = (uint32_t)(frames + 0.5);
    r->num_frames = r->num_frames > 0 ? r->num_frames : 1;
    r->rate = r->source.rate;
    // A whole number of frames, so that loops have no gap: the rate gives way.
    if (r->length > 0 && fabs(frames - r->num_frames) > 1e-3)
        r->rate = (float)(r->num_frames / (double)r->length);
    return true;
}

static bool set_range(ct_worker_clip_reader *r) {
    const double whole = (double)r->clip->end - (double)r->clip->start, slack = 1e-4 + whole * 1e-6;
    const double start = (double)r->source.start;
    double end = (double)r->source.end;
    if (start > whole + slack)
        return ct_compile_error(r->c, r->c->doc, member(r, "start"),
                                "start: found %g, but clip \"%s\" has only %g seconds", start,
                                r->clip_name, whole);
    if (end > whole + slack)
        return ct_compile_error(r->c, r->c->doc, member(r, "end"),
                                "end: found %g, but clip \"%s\" has only %g seconds; 0 is its end",
                                end, r->clip_name, whole);
    if (end > 0 && end < start)
        return ct_compile_error(r->c, r->c->doc, member(r, "end"),
                                "end: found %g, expected a time from start %g on", end, start);
    end = end > 0 ? fmin(end, whole) : whole;
    r->start = (float)((double)r->clip->start + fmin(start, end));
    r->length = (float)fmax(end - start, 0);
    return set_frames(r);
}

// --- Joints --------------------------------------------------------------------------------------

static bool match_joints(ct_worker_clip_reader *r, uint32_t *joint_of_node) {
    ct_hash_map nodes = {.allocator = r->c->allocator};
    for (uint32_t i = r->scene.nodes.count; i-- > 0;) {
        ct_hash_map_set(&nodes, ct_string_id64_of(r->scene.nodes.items[i].key).value, i + 1);
        joint_of_node[i] = UINT32_MAX;
    }
    r->node_of_joint = CT_NEW_ARRAY(r->c->allocator, uint32_t, r->num_joints);
    uint32_t num_found = 0;
    for (uint32_t i = 0; i < r->num_joints; ++i) {
        const char *const name = ct_blob_at(r->skeleton, r->joints[i].name_text.offset);
        const uint32_t node = (uint32_t)ct_hash_map_get(&nodes, ct_string_id64_of(name).value, 0);
        r->node_of_joint[i] = node ? node - 1 : CT_WORKER_SCENE_NO_NODE;
        num_found += node > 0;
        if (node)
            joint_of_node[node - 1] = i;
    }
    return num_found > 0;
}

// Names nodes that move and are no joints. `is_listed` has one for each node.
static void warn_of_others(const ct_worker_clip_reader *r, const bool *is_listed) {
    ct_string_builder list;
    ct_string_builder_init(&list, r->c->allocator);
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->scene.nodes.count; ++i) {
        if (!is_listed[i])
            continue;
        if (list.length < MOST_LISTED_BYTES)
            ct_string_builder_addf(&list, "%s\"%s\"", count ? ", " : "",
                                   r->scene.nodes.items[i].key);
        ++count;
    }
    if (count > 0)
        ct_compile_warning(r->c, r->c->doc, member(r, "skeleton"),
                           "clip \"%s\" moves %u node%s that the skeleton does not have, which is "
                           "left out: %s%s",
                           r->clip_name, count, count == 1 ? "" : "s",
                           ct_string_builder_text(&list),
                           list.length >= MOST_LISTED_BYTES ? ", ..." : "");
}

static bool find_tracks(ct_worker_clip_reader *r) {
    uint32_t *const joint_of_node =
        CT_NEW_ARRAY(r->c->allocator, uint32_t, (uint64_t)r->scene.nodes.count + 1);
    bool *const is_other = CT_NEW_ARRAY(r->c->allocator, bool, (uint64_t)r->scene.nodes.count + 1);
    uint32_t(*const tracks)[3] =
        ct_alloc_zero(r->c->allocator, (uint64_t)r->num_joints * sizeof(*tracks));
    r->tracks = (const uint32_t(*)[3])tracks;
    bool has_any = match_joints(r, joint_of_node) && r->clip->num_channels == 0;
    for (uint32_t i = 0; i < r->clip->num_channels; ++i) {
        const uint32_t place = r->clip->first_channel + i;
        const ct_worker_channel *const c = &r->scene.channels.items[place];
        const uint32_t joint = joint_of_node[c->node];
        if (!check_channel(r, c))
            return false;
        is_other[c->node] |= joint == UINT32_MAX;
        has_any |= joint != UINT32_MAX;
        if (joint != UINT32_MAX && tracks[joint][c->kind] == 0)
            tracks[joint][c->kind] = place + 1;
    }
    if (!has_any)
        return ct_compile_error(r->c, r->c->doc, member(r, "skeleton"),
                                "no node that clip \"%s\" of %s moves is a joint of the skeleton; "
                                "joints and nodes must have the same names: name the skeleton that "
                                "the clip is for",
                                r->clip_name, r->source.source);
    warn_of_others(r, is_other);
    return true;
}

bool ct_worker_clip_open(ct_worker_clip_reader *r) {
    return find_clip(r) && find_tracks(r) && set_range(r);
}
