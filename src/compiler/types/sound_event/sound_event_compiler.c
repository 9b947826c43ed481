// Compiles sound events: see worker_sound_event.h for how they are read.
#include <stdlib.h>
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "compiler/types/sound_bus/worker_sound_names.h"
#include "compiler/types/sound_event/worker_sound_event.h"
#include "resource/types/sound_bus_resource.h"

// Reads an object with a schema; without `v`, sets the defaults. False after an error.
static bool read_object(ct_worker_sound_event *e, const ct_schema *schema, ct_sjson_value v,
                        void *out) {
    if (v.entry)
        return ct_schema_read(schema, e->doc, v, out, &e->listener);
    ct_schema_defaults(schema, out);
    return true;
}

// --- The bus -------------------------------------------------------------------------------------

// Checks the name of the bus against the buses that the project uses.
static void read_bus(ct_worker_sound_event *e) {
    const ct_sjson *doc = NULL;
    const char *names[CT_SOUND_MAX_BUSES];
    uint32_t count = 0;
    if (!e->source.bus)
        return;
    const ct_sjson_value setting = ct_compile_setting(e->c, "sound.buses", &doc);
    const char *const resource =
        setting.entry ? ct_sjson_string(doc, setting, "") : CT_SOUND_DEFAULT_BUSES;
    const ct_sjson *const buses =
        ct_compile_read_resource(e->c, "sound_bus", resource, setting.entry ? doc : e->doc,
                                 setting.entry ? setting : e->source.bus_value);
    if (!buses)
        return;
    const ct_sjson_value all = ct_sjson_find(buses, ct_sjson_root(buses), "buses");
    for (ct_sjson_value v = ct_sjson_first(buses, all); v.entry && count < CT_SOUND_MAX_BUSES;
         v = ct_sjson_next(buses, v)) {
        names[count] = ct_sjson_string(buses, ct_sjson_find(buses, v, "name"), "");
        if (strcmp(names[count++], e->source.bus) == 0) {
            e->out.bus = ct_string_id32_of(e->source.bus);
            return;
        }
    }
    ct_worker_sound_unknown(e->c, e->source.bus_value, "bus", e->source.bus, names, count);
}

// --- The place -----------------------------------------------------------------------------------

static bool read_share(ct_worker_sound_event *e, ct_sjson_value v, float *out) {
    const double number = ct_sjson_number(e->doc, v, -1);
    *out = (float)number;
    return (number >= 0 && number <= 1) ||
           ct_compile_error(e->c, e->doc, v,
                            "spread: expected a number from 0 to 1, or [near far]");
}

static void read_spread(ct_worker_sound_event *e, ct_sjson_value v, ct_sound_spatial *out) {
    if (!v.entry)
        return;
    if (ct_sjson_type_of(e->doc, v) != CT_SJSON_TYPE_ARRAY) {
        read_share(e, v, &out->spread_near);
        out->spread_far = out->spread_near;
        return;
    }
    const ct_sjson_value first = ct_sjson_first(e->doc, v);
    if (ct_sjson_count(e->doc, v) != 2)
        ct_compile_error(e->c, e->doc, v, "spread: found %u numbers, expected [near far]",
                         ct_sjson_count(e->doc, v));
    else if (read_share(e, first, &out->spread_near))
        read_share(e, ct_sjson_next(e->doc, first), &out->spread_far);
}

static void read_cone(ct_worker_sound_event *e, ct_sjson_value v, ct_sound_spatial *out) {
    ct_sound_cone_source source;
    out->cone_inner = out->cone_outer = 360;
    if (!v.entry || !ct_schema_read(&ct_sound_cone_schema, e->doc, v, &source, &e->listener))
        return;
    out->cone_inner = source.inner;
    out->cone_outer = source.outer;
    out->cone_volume = source.volume;
    if (source.outer < source.inner)
        ct_compile_error(e->c, e->doc, source.outer_value.entry ? source.outer_value : v,
                         "outer: found %g, expected at least `inner`, %g", (double)source.outer,
                         (double)source.inner);
}

static void read_occlusion(ct_worker_sound_event *e, ct_sjson_value v, ct_sound_spatial *out) {
    ct_sound_occlusion_source source;
    out->occlusion_low_pass = CT_SOUND_OPEN_HZ;
    if (!v.entry || !ct_schema_read(&ct_sound_occlusion_schema, e->doc, v, &source, &e->listener))
        return;
    out->occlusion_volume = source.volume;
    out->occlusion_low_pass = source.low_pass;
    out->occlusion_radius = source.radius;
}

static void read_spatial(ct_worker_sound_event *e) {
    const ct_sjson_value v = e->source.spatial;
    ct_sound_spatial *const out = &e->out.spatial;
    ct_sound_spatial_source source;
    if (!read_object(e, &ct_sound_spatial_schema, v, &source))
        return;
    out->is_spatial = v.entry != 0;
    out->attenuation = source.attenuation;
    out->least_distance = source.least_distance;
    out->most_distance = source.most_distance;
    out->rolloff = source.rolloff;
    out->doppler = source.doppler;
    if (source.least_distance >= source.most_distance)
        ct_compile_error(e->c, e->doc,
                         source.most_distance_value.entry ? source.most_distance_value : v,
                         "most_distance: found %g, expected more than `least_distance`, %g",
                         (double)source.most_distance, (double)source.least_distance);
    read_cone(e, source.cone, out);
    read_spread(e, source.spread, out);
    read_occlusion(e, source.occlusion, out);
}

// --- Time ----------------------------------------------------------------------------------------

static void read_music(ct_worker_sound_event *e) {
    ct_sound_music_source source;
    if (!e->source.music.entry ||
        !ct_schema_read(&ct_sound_music_schema, e->doc, e->source.music, &source, &e->listener))
        return;
    e->out.tempo = source.tempo;
    e->out.beats = (uint32_t)source.beats;
    e->out.first_beat = source.first_beat;
}

static void read_marker(ct_worker_sound_event *e, ct_sjson_value v) {
    ct_sound_marker_source source;
    ct_worker_sound_check_id(e->c, e->source.markers, v);
    const char *const event = ct_sjson_string(e->doc, ct_sjson_find(e->doc, v, "event"), "");
    if (strcmp(event, e->c->name) == 0) {
        ct_compile_error(e->c, e->doc, ct_sjson_find(e->doc, v, "event"),
                         "an event cannot play itself: to repeat a sound, write loop = true in "
                         "its node");
        return;
    }
    if (!ct_schema_read(&ct_sound_marker_schema, e->doc, v, &source, &e->listener))
        return;
    const bool has_name = source.name && *source.name;
    if (!has_name && source.event.value == 0)
        ct_compile_warning(e->c, e->doc, v,
                           "the marker does nothing: give it a `name`, which scripts hear of, or "
                           "an `event` that plays");
    const ct_sound_marker marker = {.seconds = source.at,
                                    .name = has_name ? ct_string_id32_of(source.name)
                                                     : (ct_string_id32){0},
                                    .event = source.event};
    // By time; those of the same time stay in their order.
    uint32_t i = e->markers.count;
    ct_array_push(&e->markers, marker);
    for (; i > 0 && e->markers.items[i - 1].seconds > marker.seconds; --i)
        e->markers.items[i] = e->markers.items[i - 1];
    e->markers.items[i] = marker;
}

static void read_markers(ct_worker_sound_event *e) {
    const ct_sjson_value all = e->source.markers;
    if (ct_sjson_count(e->doc, all) > CT_SOUND_EVENT_MAX_MARKERS) {
        ct_compile_error(e->c, e->doc, all, "markers: found %u, expected at most %d",
                         ct_sjson_count(e->doc, all), (int)CT_SOUND_EVENT_MAX_MARKERS);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(e->doc, all); v.entry; v = ct_sjson_next(e->doc, v))
        read_marker(e, v);
}

// --- The whole -----------------------------------------------------------------------------------

static void read_root(ct_worker_sound_event *e) {
    const ct_sound_event_source *const s = &e->source;
    e->out.name = ct_string_id64_of(e->c->name);
    e->out.priority = (uint32_t)s->priority;
    e->out.limit = (uint32_t)s->limit;
    e->out.steal = s->steal;
    e->out.cooldown = s->cooldown;
    e->out.fade_in = s->fade_in;
    e->out.fade_out = s->fade_out;
    if (s->steal_value.entry && s->limit == 0)
        ct_compile_warning(e->c, e->doc, s->steal_value, "`steal` has no effect without a `limit`");
}

static void write_event(ct_worker_sound_event *e) {
    ct_blob_writer *const w = &e->c->blob;
    ct_sound_event_resource *const out = &e->out;
    ct_sound_node *const nodes = CT_NEW_ARRAY(e->c->allocator, ct_sound_node, e->nodes.count);
    for (uint32_t i = 0; i < e->nodes.count; ++i)
        nodes[i] = e->nodes.items[i].out;
    ct_blob_begin(w, &ct_sound_event_layout);
    out->nodes = ct_blob_write_items(w, &ct_sound_node_layout, nodes, e->nodes.count);
    out->cases = ct_blob_write_items(w, &ct_sound_case_layout, e->cases.items, e->cases.count);
    out->values = ct_blob_write_items(w, &ct_sound_value_layout, e->values.items, e->values.count);
    out->curves = ct_blob_write_items(w, &ct_sound_curve_layout, e->curves.items, e->curves.count);
    out->points = ct_blob_write_items(w, &ct_sound_point_layout, e->points.items, e->points.count);
    out->leaf_curves =
        ct_blob_write_items(w, &ct_blob_u32_layout, e->leaf_curves.items, e->leaf_curves.count);
    out->parameters =
        ct_blob_reserve_items(w, &ct_sound_parameter_info_layout, e->parameters.count);
    for (uint32_t i = 0; i < e->parameters.count; ++i) {
        const char *const name = e->parameter_names.items[i];
        e->parameters.items[i].name_text = ct_blob_write_string(w, name, strlen(name));
    }
    ct_blob_fill_items(w, &ct_sound_parameter_info_layout, out->parameters, e->parameters.items);
    out->markers =
        ct_blob_write_items(w, &ct_sound_marker_layout, e->markers.items, e->markers.count);
    ct_blob_end(w, &ct_sound_event_layout, out);
}

bool ct_compile_sound_event(ct_compile *c) {
    ct_worker_sound_event e = {.c = c, .doc = c->doc, .listener = ct_compile_listener(c)};
    ct_array_init(&e.nodes, c->allocator);
    ct_array_init(&e.cases, c->allocator);
    ct_array_init(&e.values, c->allocator);
    ct_array_init(&e.curves, c->allocator);
    ct_array_init(&e.curve_places, c->allocator);
    ct_array_init(&e.points, c->allocator);
    ct_array_init(&e.parameters, c->allocator);
    ct_array_init(&e.parameter_names, c->allocator);
    ct_array_init(&e.markers, c->allocator);
    ct_array_init(&e.leaf_curves, c->allocator);
    if (!ct_schema_read(&ct_sound_event_read_schema, c->doc, ct_sjson_root(c->doc), &e.source,
                        &e.listener))
        return false;
    read_root(&e);
    read_bus(&e);
    read_spatial(&e);
    read_music(&e);
    read_markers(&e);
    ct_worker_sound_parameters(&e);
    ct_worker_sound_tree(&e);
    if (ct_compile_error_count(c) > 0)
        return false;
    ct_worker_sound_leaves(&e);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_event(&e);
    return true;
}
