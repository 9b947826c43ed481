// Compiles the buses of a project: see worker_sound_buses.h for how they are read.
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "compiler/types/sound_bus/worker_sound_buses.h"

static ct_blob_string write_name(ct_blob_writer *w, const char *name) {
    return ct_blob_write_string(w, name, strlen(name));
}

static void write_buses(ct_worker_sound_buses *b) {
    ct_blob_writer *const w = &b->c->blob;
    ct_allocator *const a = b->c->allocator;
    ct_sound_bus_resource r = {0};
    ct_sound_bus *const buses = CT_NEW_ARRAY(a, ct_sound_bus, b->buses.count);
    ct_sound_bus_send *const sends =
        CT_NEW_ARRAY(a, ct_sound_bus_send, (uint64_t)b->sends.count + 1);
    ct_blob_begin(w, &ct_sound_bus_layout);
    r.buses = ct_blob_reserve_items(w, &ct_sound_one_bus_layout, b->buses.count);
    for (uint32_t i = 0; i < b->buses.count; ++i) {
        buses[i] = b->buses.items[i].out;
        buses[i].name_text = write_name(w, b->names.items[i]);
    }
    ct_blob_fill_items(w, &ct_sound_one_bus_layout, r.buses, buses);
    for (uint32_t i = 0; i < b->sends.count; ++i)
        sends[i] = b->sends.items[i].out;
    r.sends = ct_blob_write_items(w, &ct_sound_bus_send_layout, sends, b->sends.count);
    r.snapshots = ct_blob_reserve_items(w, &ct_sound_snapshot_layout, b->snapshots.count);
    for (uint32_t i = 0; i < b->snapshots.count; ++i)
        b->snapshots.items[i].name_text = write_name(w, b->snapshot_names.items[i]);
    ct_blob_fill_items(w, &ct_sound_snapshot_layout, r.snapshots, b->snapshots.items);
    r.settings =
        ct_blob_write_items(w, &ct_sound_bus_setting_layout, b->settings.items, b->settings.count);
    ct_blob_end(w, &ct_sound_bus_layout, &r);
}

bool ct_compile_sound_bus(ct_compile *c) {
    ct_worker_sound_buses b = {.c = c, .doc = c->doc, .listener = ct_compile_listener(c)};
    ct_sound_buses_source source;
    ct_array_init(&b.buses, c->allocator);
    ct_array_init(&b.names, c->allocator);
    ct_array_init(&b.sends, c->allocator);
    ct_array_init(&b.snapshots, c->allocator);
    ct_array_init(&b.snapshot_names, c->allocator);
    ct_array_init(&b.settings, c->allocator);
    if (!ct_schema_read(&ct_sound_bus_schema, c->doc, ct_sjson_root(c->doc), &source, &b.listener))
        return false;
    ct_worker_sound_read_buses(&b, source.buses);
    if (ct_compile_error_count(c) > 0)
        return false;
    ct_worker_sound_read_snapshots(&b, source.snapshots);
    if (ct_compile_error_count(c) > 0 || !ct_worker_sound_sort_buses(&b))
        return false;
    write_buses(&b);
    return true;
}
