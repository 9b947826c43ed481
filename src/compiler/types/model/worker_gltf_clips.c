#include "compiler/types/model/worker_gltf_clips.h"

#include <string.h>

#include "compiler/types/model/worker_gltf_accessor.h"

typedef struct clip_reader {
    ct_gltf_file *g;
    const char *name;               // for messages
    const ct_sjson_value *samplers; // of the animation
    uint32_t num_samplers;
} clip_reader;

static bool read_interpolation(const clip_reader *r, ct_sjson_value sampler,
                               ct_worker_interpolation *interpolation) {
    static const char *const names[] = {[CT_WORKER_INTERPOLATION_LINEAR] = "LINEAR",
                                        [CT_WORKER_INTERPOLATION_STEP] = "STEP",
                                        [CT_WORKER_INTERPOLATION_CUBIC] = "CUBICSPLINE"};
    const char *name = names[CT_WORKER_INTERPOLATION_LINEAR];
    if (!ct_gltf_string(r->g, sampler, "interpolation", &name))
        return false;
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        *interpolation = (ct_worker_interpolation)i;
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return ct_gltf_error(r->g, ct_sjson_find(r->g->doc, sampler, "interpolation"),
                         "%s: unknown interpolation \"%s\"; expected LINEAR, STEP or CUBICSPLINE",
                         r->name, name);
}

// Reads the accessor that a sampler names.
static bool read_accessor(const clip_reader *r, ct_sjson_value sampler, const char *key,
                          ct_gltf_floats *floats, uint32_t *count) {
    uint32_t accessor;
    if (!ct_gltf_index(r->g, sampler, key, CT_GLTF_LIST_ACCESSORS, &accessor))
        return false;
    if (accessor == CT_GLTF_NONE)
        return ct_gltf_error(r->g, sampler, "%s: a sampler has no %s; expected an accessor",
                             r->name, key);
    return ct_gltf_accessor_count(r->g, accessor, count) &&
           ct_gltf_read_floats(r->g, accessor, floats);
}

// Reads times and values of a channel.
static bool read_keys(const clip_reader *r, ct_sjson_value sampler, ct_worker_channel *channel) {
    const ct_sjson *const doc = r->g->doc;
    ct_gltf_floats times, values;
    uint32_t num_values;
    if (!read_interpolation(r, sampler, &channel->interpolation) ||
        !read_accessor(r, sampler, "input", &times, &channel->num_keys) ||
        !read_accessor(r, sampler, "output", &values, &num_values))
        return false;
    if (times.num_components != 1 || channel->num_keys == 0)
        return ct_gltf_error(r->g, ct_sjson_find(doc, sampler, "input"),
                             "%s: found %u keys with times of %u numbers; expected at least one "
                             "key, with a SCALAR",
                             r->name, channel->num_keys, times.num_components);
    const uint32_t size = channel->kind == CT_WORKER_CHANNEL_ROTATION ? 4 : 3;
    const uint64_t expected = channel->interpolation == CT_WORKER_INTERPOLATION_CUBIC
                                  ? (uint64_t)channel->num_keys * 3
                                  : channel->num_keys;
    if (values.num_components != size || num_values != expected)
        return ct_gltf_error(r->g, ct_sjson_find(doc, sampler, "output"),
                             "%s: found %u values of %u numbers for %u keys; expected %llu of %u",
                             r->name, num_values, values.num_components, channel->num_keys,
                             (unsigned long long)expected, size);
    channel->times = times.values;
    channel->values = values.values;
    return true;
}

// The kind of a path; false after a warning for what is left out.
static bool find_kind(const clip_reader *r, const char *path, ct_worker_channel_kind *kind) {
    static const char *const paths[] = {[CT_WORKER_CHANNEL_POSITION] = "translation",
                                        [CT_WORKER_CHANNEL_ROTATION] = "rotation",
                                        [CT_WORKER_CHANNEL_SCALE] = "scale"};
    for (uint32_t i = 0; i < CT_COUNT_OF(paths); ++i) {
        *kind = (ct_worker_channel_kind)i;
        if (strcmp(path, paths[i]) == 0)
            return true;
    }
    if (strcmp(path, "weights") == 0)
        ct_gltf_warn(r->g, "%s moves shapes of meshes, which is left out", r->name);
    else
        ct_gltf_warn(r->g, "%s moves \"%s\" of nodes, which is left out", r->name, path);
    return false;
}

static bool add_channel(const clip_reader *r, ct_sjson_value value) {
    ct_gltf_file *const g = r->g;
    const ct_sjson_value at = ct_sjson_find(g->doc, value, "sampler");
    ct_sjson_value target;
    ct_worker_channel channel = {.node = 0};
    uint32_t node;
    uint64_t sampler = UINT32_MAX;
    const char *path = "";
    if (ct_sjson_type_of(g->doc, value) != CT_SJSON_TYPE_OBJECT)
        return ct_gltf_error(g, value, "%s: a channel is not an object", r->name);
    if (!ct_gltf_object(g, value, "target", &target) ||
        !ct_gltf_index(g, target, "node", CT_GLTF_LIST_NODES, &node) ||
        !ct_gltf_string(g, target, "path", &path) ||
        !ct_gltf_whole(g, value, "sampler", UINT32_MAX, &sampler))
        return false;
    if (sampler >= r->num_samplers)
        return ct_gltf_error(g, at.entry ? at : value,
                             "%s: a channel has no sampler or an unknown one; expected one below "
                             "%u",
                             r->name, r->num_samplers);
    if (node == CT_GLTF_NONE) {
        ct_gltf_warn(g, "%s moves what is no node, which is left out", r->name);
        return true;
    }
    channel.node = g->node_places[node];
    if (channel.node == CT_GLTF_NONE) {
        ct_gltf_warn(g, "%s moves nodes outside the scene, which is left out", r->name);
        return true;
    }
    if (!find_kind(r, path, &channel.kind))
        return true;
    if (!read_keys(r, r->samplers[sampler], &channel))
        return false;
    ct_array_push(&g->scene->channels, channel);
    return true;
}

// Lists the animation's samplers, for finding them by position.
static bool open_samplers(clip_reader *r, ct_sjson_value animation) {
    ct_sjson_value list;
    if (!ct_gltf_array(r->g, animation, "samplers", &list))
        return false;
    const uint32_t count = ct_sjson_count(r->g->doc, list);
    ct_sjson_value *const items =
        CT_NEW_ARRAY(r->g->c->allocator, ct_sjson_value, (uint64_t)count + 1);
    r->samplers = items;
    for (ct_sjson_value v = ct_sjson_first(r->g->doc, list); v.entry;
         v = ct_sjson_next(r->g->doc, v)) {
        if (ct_sjson_type_of(r->g->doc, v) != CT_SJSON_TYPE_OBJECT)
            return ct_gltf_error(r->g, v, "%s: a sampler is not an object", r->name);
        items[r->num_samplers++] = v;
    }
    return true;
}

static bool add_clip(ct_gltf_file *g, uint32_t index) {
    const ct_sjson_value animation = ct_gltf_item(g, CT_GLTF_LIST_ANIMATIONS, index);
    ct_worker_scene *const s = g->scene;
    clip_reader r = {.g = g, .name = ct_gltf_name(g, CT_GLTF_LIST_ANIMATIONS, index)};
    ct_worker_clip clip = {.name = "", .first_channel = s->channels.count};
    ct_sjson_value list;
    if (!ct_gltf_string(g, animation, "name", &clip.name) || !open_samplers(&r, animation) ||
        !ct_gltf_array(g, animation, "channels", &list))
        return false;
    for (ct_sjson_value v = ct_sjson_first(g->doc, list); v.entry; v = ct_sjson_next(g->doc, v)) {
        if (!add_channel(&r, v))
            return false;
    }
    clip.num_channels = s->channels.count - clip.first_channel;
    for (uint32_t i = 0; i < clip.num_channels; ++i) {
        const ct_worker_channel *const c = &s->channels.items[clip.first_channel + i];
        const float first = c->times[0], last = c->times[c->num_keys - 1];
        clip.start = i == 0 || first < clip.start ? first : clip.start;
        clip.end = i == 0 || last > clip.end ? last : clip.end;
    }
    ct_array_push(&s->clips, clip);
    return true;
}

bool ct_gltf_add_clips(ct_gltf_file *g) {
    for (uint32_t i = 0; i < g->lists[CT_GLTF_LIST_ANIMATIONS].count; ++i) {
        if (!add_clip(g, i))
            return false;
    }
    return true;
}
