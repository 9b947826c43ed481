// Reads events and float curves of an animation's source.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/types/animation/worker_clip.h"
#include "foundation/container/hash_map.h"

// Reports an `id` that is no text, or that an earlier element has.
static bool check_id(const ct_worker_clip_reader *r, ct_hash_map *known, ct_sjson_value v) {
    const ct_sjson *const doc = r->c->doc;
    const ct_sjson_value at = ct_sjson_find(doc, v, "id");
    const char *const id = ct_sjson_string(doc, at, NULL);
    if (!at.entry)
        return true;
    if (!id)
        return ct_compile_error(r->c, doc, at, "id: found %s, expected a string",
                                ct_sjson_type_name(ct_sjson_type_of(doc, at)));
    return ct_hash_map_add(known, ct_string_id64_of(id).value, 1) ||
           ct_compile_error(r->c, doc, at,
                            "another element has the id \"%s\"; `cuttle ids` gives this one its "
                            "own",
                            id);
}

// --- Events --------------------------------------------------------------------------------------

// Of equal times, the earlier in the source comes first.
typedef struct placed_event {
    ct_raw_event event;
    uint32_t order;
} placed_event;

static int compare_events(const void *a, const void *b) {
    const placed_event *const x = a, *const y = b;
    if (x->event.time != y->event.time)
        return x->event.time < y->event.time ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static bool read_event(const ct_worker_clip_reader *r, ct_sjson_value v, ct_raw_event *event) {
    const ct_schema_listener listener = ct_compile_listener(r->c);
    ct_animation_event_source source;
    if (!ct_schema_read(&ct_animation_event_schema, r->c->doc, v, &source, &listener))
        return false;
    // What a player has as the length, so that an event at the end is inside.
    const float length = (float)((double)r->num_frames / (double)r->rate);
    *event = (ct_raw_event){source.name, fminf(source.time, length)};
    if (!*source.name)
        return ct_compile_error(r->c, r->c->doc, ct_sjson_find(r->c->doc, v, "name"),
                                "the name of an event is empty");
    return source.time <= length + 1e-4f ||
           ct_compile_error(r->c, r->c->doc, ct_sjson_find(r->c->doc, v, "time"),
                            "time: found %g, but the clip has only %g seconds", (double)source.time,
                            (double)length);
}

bool ct_worker_clip_events(const ct_worker_clip_reader *r, ct_raw_clip *raw) {
    const ct_sjson *const doc = r->c->doc;
    const uint32_t count = ct_sjson_count(doc, r->source.events);
    if (count > CT_ANIMATION_MAX_EVENTS)
        return ct_compile_error(r->c, doc, r->source.events, "found %u events, expected at most %d",
                                count, CT_ANIMATION_MAX_EVENTS);
    placed_event *const placed = CT_NEW_ARRAY(r->c->allocator, placed_event, (uint64_t)count + 1);
    ct_raw_event *const events = CT_NEW_ARRAY(r->c->allocator, ct_raw_event, (uint64_t)count + 1);
    ct_hash_map ids = {.allocator = r->c->allocator};
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, r->source.events); v.entry;
         v = ct_sjson_next(doc, v), ++i) {
        placed[i].order = i;
        if (!check_id(r, &ids, v) || !read_event(r, v, &placed[i].event))
            return false;
    }
    qsort(placed, count, sizeof(*placed), compare_events);
    for (i = 0; i < count; ++i)
        events[i] = placed[i].event;
    raw->events = events;
    raw->num_events = count;
    return true;
}

// --- Curves --------------------------------------------------------------------------------------

typedef struct curve_key {
    double time, value;
} curve_key;

static bool read_keys(const ct_worker_clip_reader *r, ct_sjson_value list, curve_key *keys) {
    const ct_sjson *const doc = r->c->doc;
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v), ++i) {
        const ct_sjson_value time = ct_sjson_first(doc, v);
        const ct_sjson_value value = time.entry ? ct_sjson_next(doc, time) : (ct_sjson_value){0};
        if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_ARRAY || ct_sjson_count(doc, v) != 2 ||
            ct_sjson_type_of(doc, time) != CT_SJSON_TYPE_NUMBER ||
            ct_sjson_type_of(doc, value) != CT_SJSON_TYPE_NUMBER)
            return ct_compile_error(r->c, doc, v, "expected a key [seconds value]: two numbers");
        keys[i] = (curve_key){ct_sjson_number(doc, time, 0), ct_sjson_number(doc, value, 0)};
        if (!(fabs(keys[i].value) <= 1e6) || !(fabs(keys[i].time) <= 1e6))
            return ct_compile_error(r->c, doc, v, "found a number outside of -1e6 to 1e6");
        if (i > 0 && keys[i].time < keys[i - 1].time)
            return ct_compile_error(r->c, doc, v,
                                    "found a key at %g s behind one at %g s; expected ascending "
                                    "times",
                                    keys[i].time, keys[i - 1].time);
    }
    return true;
}

static float value_at(const curve_key *keys, uint32_t count, double seconds, bool is_stepped) {
    uint32_t first = 0, end = count;
    while (end - first > 1) {
        const uint32_t middle = first + (end - first) / 2;
        if (keys[middle].time <= seconds + 1e-6)
            first = middle;
        else
            end = middle;
    }
    const curve_key *const a = &keys[first], *const b =
                                                 &keys[first + 1 < count ? first + 1 : first];
    if (is_stepped || b->time <= a->time || seconds <= a->time)
        return (float)a->value;
    const double part = fmin((seconds - a->time) / (b->time - a->time), 1);
    return (float)(a->value + (b->value - a->value) * part);
}

static bool read_curve(const ct_worker_clip_reader *r, ct_sjson_value v, ct_raw_curve *curve) {
    const ct_schema_listener listener = ct_compile_listener(r->c);
    const ct_sjson *const doc = r->c->doc;
    ct_animation_curve_source source;
    if (!ct_schema_read(&ct_animation_curve_schema, doc, v, &source, &listener))
        return false;
    const uint32_t count = ct_sjson_count(doc, source.keys);
    if (ct_sjson_type_of(doc, source.keys) != CT_SJSON_TYPE_ARRAY || count == 0)
        return ct_compile_error(r->c, doc, source.keys,
                                "keys: expected an array of keys [seconds value], at least one");
    curve_key *const keys = CT_NEW_ARRAY(r->c->allocator, curve_key, count);
    if (!read_keys(r, source.keys, keys))
        return false;
    float *const values = CT_NEW_ARRAY(r->c->allocator, float, (uint64_t)r->num_frames + 1);
    for (uint32_t i = 0; i <= r->num_frames; ++i)
        values[i] = value_at(keys, count, i / (double)r->rate, source.step != 0);
    *curve = (ct_raw_curve){.object = source.object ? source.object : "",
                            .parameter = source.parameter,
                            .values = values,
                            .is_stepped = source.step != 0};
    return true;
}

bool ct_worker_clip_curves(const ct_worker_clip_reader *r, ct_raw_clip *raw) {
    const ct_sjson *const doc = r->c->doc;
    const uint32_t count = ct_sjson_count(doc, r->source.curves);
    if (count > CT_ANIMATION_MAX_CURVES)
        return ct_compile_error(r->c, doc, r->source.curves, "found %u curves, expected at most %d",
                                count, CT_ANIMATION_MAX_CURVES);
    ct_raw_curve *const curves = CT_NEW_ARRAY(r->c->allocator, ct_raw_curve, (uint64_t)count + 1);
    ct_hash_map ids = {.allocator = r->c->allocator};
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, r->source.curves); v.entry;
         v = ct_sjson_next(doc, v), ++i) {
        if (!check_id(r, &ids, v) || !read_curve(r, v, &curves[i]))
            return false;
        for (uint32_t k = 0; k < i; ++k) {
            if (strcmp(curves[k].object, curves[i].object) == 0 &&
                strcmp(curves[k].parameter, curves[i].parameter) == 0)
                return ct_compile_error(r->c, doc, v,
                                        "two curves are for parameter \"%s\" of object \"%s\"",
                                        curves[i].parameter, curves[i].object);
        }
    }
    raw->curves = curves;
    raw->num_curves = count;
    return true;
}
