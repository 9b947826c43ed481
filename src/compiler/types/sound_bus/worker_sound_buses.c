#include "compiler/types/sound_bus/worker_sound_buses.h"

#include <string.h>

#include "compiler/types/sound_bus/worker_sound_names.h"
#include "resource/types/sound_event_resource.h"

static const char root_name[] = "master";

uint32_t ct_worker_sound_bus_named(ct_worker_sound_buses *b, ct_sjson_value v, const char *name) {
    for (uint32_t i = 0; i < b->names.count; ++i) {
        if (strcmp(b->names.items[i], name) == 0)
            return i;
    }
    ct_worker_sound_unknown(b->c, v, "bus", name, b->names.items, b->names.count);
    return CT_SOUND_NO_BUS;
}

// --- One bus -------------------------------------------------------------------------------------

static void read_bus(ct_worker_sound_buses *b, ct_sjson_value v) {
    ct_worker_sound_bus bus = {.out = {.parent = CT_SOUND_NO_BUS, .duck_by = CT_SOUND_NO_BUS}};
    const ct_sound_one_bus_source *const s = &bus.source;
    if (!ct_schema_read(&ct_sound_one_bus_schema, b->doc, v, &bus.source, &b->listener) ||
        !ct_worker_sound_check_name(b->c, s->name_value, "a bus", s->name, b->names.items,
                                    b->names.count))
        return;
    bus.out.name = ct_string_id32_of(s->name);
    bus.out.volume = s->volume;
    bus.out.low_pass = s->low_pass;
    bus.out.is_place = s->place;
    if (s->reverb.entry)
        ct_schema_read(&ct_sound_reverb_schema, b->doc, s->reverb, &bus.out.reverb, &b->listener);
    if (s->place && !s->reverb.entry)
        ct_compile_warning(b->c, b->doc, s->place_value,
                           "the bus of the place has no reverb: what is sent to it comes back "
                           "unchanged");
    for (uint32_t i = 0; s->place && i < b->buses.count; ++i) {
        if (b->buses.items[i].out.is_place)
            ct_compile_error(b->c, b->doc, s->place_value,
                             "the bus \"%.64s\" is that of the place already; only one can be",
                             b->names.items[i]);
    }
    ct_array_push(&b->buses, bus);
    ct_array_push(&b->names, s->name);
}

static void read_duck(ct_worker_sound_buses *b, uint32_t i) {
    ct_worker_sound_bus *const bus = &b->buses.items[i];
    ct_sound_duck_source source;
    if (!bus->source.duck.entry ||
        !ct_schema_read(&ct_sound_duck_schema, b->doc, bus->source.duck, &source, &b->listener))
        return;
    bus->out.duck_by = ct_worker_sound_bus_named(b, source.by_value, source.by);
    bus->out.duck_threshold = source.threshold;
    bus->out.duck_volume = source.volume;
    bus->out.duck_attack = source.attack;
    bus->out.duck_release = source.release;
    if (bus->out.duck_by == i)
        ct_compile_error(b->c, b->doc, source.by_value,
                         "a bus cannot make itself quieter: name another");
}

static void read_send(ct_worker_sound_buses *b, uint32_t from, ct_sjson_value all,
                      ct_sjson_value v) {
    ct_sound_send_source source;
    ct_worker_sound_check_id(b->c, all, v);
    if (!ct_schema_read(&ct_sound_send_schema, b->doc, v, &source, &b->listener))
        return;
    const uint32_t to = ct_worker_sound_bus_named(b, source.to_value, source.to);
    if (to == CT_SOUND_NO_BUS)
        return;
    for (uint32_t i = 0; i < b->sends.count; ++i) {
        if (b->sends.items[i].out.from == from && b->sends.items[i].out.to == to) {
            ct_compile_error(b->c, b->doc, source.to_value,
                             "found a second send from \"%.64s\" to \"%.64s\": remove one",
                             b->names.items[from], source.to);
            return;
        }
    }
    const ct_worker_sound_send send = {{from, to, source.volume}, source.to_value};
    ct_array_push(&b->sends, send);
}

static void read_sends(ct_worker_sound_buses *b, uint32_t from) {
    const ct_sjson_value all = b->buses.items[from].source.sends;
    for (ct_sjson_value v = ct_sjson_first(b->doc, all); v.entry; v = ct_sjson_next(b->doc, v))
        read_send(b, from, all, v);
}

// --- Parents -------------------------------------------------------------------------------------

// Finds the parent of a bus. All but master have one.
static void find_parent(ct_worker_sound_buses *b, uint32_t i, bool has_root) {
    ct_worker_sound_bus *const bus = &b->buses.items[i];
    const ct_sound_one_bus_source *const s = &bus->source;
    const bool is_root = strcmp(s->name, root_name) == 0;
    if (is_root && s->parent)
        ct_compile_error(b->c, b->doc, s->parent_value,
                         "\"%s\" is the root of all buses, and has no parent: remove it",
                         root_name);
    else if (s->parent)
        bus->out.parent = ct_worker_sound_bus_named(b, s->parent_value, s->parent);
    else if (!is_root && has_root)
        ct_compile_error(b->c, b->doc, s->name_value,
                         "the bus \"%.64s\" has no parent: write parent = \"%s\"", s->name,
                         root_name);
}

void ct_worker_sound_read_buses(ct_worker_sound_buses *b, ct_sjson_value all) {
    const uint32_t count = ct_sjson_count(b->doc, all);
    if (count == 0 || count > CT_SOUND_MAX_BUSES) {
        ct_compile_error(b->c, b->doc, all, "buses: found %u, expected 1 to %d", count,
                         (int)CT_SOUND_MAX_BUSES);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(b->doc, all); v.entry; v = ct_sjson_next(b->doc, v)) {
        ct_worker_sound_check_id(b->c, all, v);
        read_bus(b, v);
    }
    if (ct_compile_error_count(b->c) > 0)
        return; // names would be missing
    uint32_t root = 0;
    while (root < count && strcmp(b->names.items[root], root_name) != 0)
        ++root;
    if (root == count)
        ct_compile_error(b->c, b->doc, all,
                         "there is no bus \"%s\", into which all others are mixed: add { name = "
                         "\"%s\" }",
                         root_name, root_name);
    for (uint32_t i = 0; i < count; ++i) {
        find_parent(b, i, root < count);
        read_duck(b, i);
        read_sends(b, i);
    }
    if (b->sends.count > CT_SOUND_MAX_SENDS)
        ct_compile_error(b->c, b->doc, b->sends.items[CT_SOUND_MAX_SENDS].at,
                         "sends: found %u, expected at most %d", b->sends.count,
                         (int)CT_SOUND_MAX_SENDS);
}
