// worker_sound_buses.h: a project's buses while they are compiled.
//
// Arrays are in the order of the source until the tree is known; then buses are sorted, parents
// first, and positions are those of the sorted ones.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/container/array.h"
#include "resource/types/sound/sound_bus_source.h"

// A bus in the source.
typedef struct ct_worker_sound_bus {
    ct_sound_one_bus_source source;
    ct_sound_bus out; // parent and duck_by: in the order of the source
} ct_worker_sound_bus;

typedef struct ct_worker_sound_send {
    ct_sound_bus_send out;
    ct_sjson_value at; // the name of the bus it goes to
} ct_worker_sound_send;

// What the functions of this compiler share.
typedef struct ct_worker_sound_buses {
    ct_compile *c;
    const ct_sjson *doc;
    ct_schema_listener listener;
    CT_ARRAY(ct_worker_sound_bus) buses;
    CT_ARRAY(const char *) names;
    CT_ARRAY(ct_worker_sound_send) sends;
    CT_ARRAY(ct_sound_snapshot) snapshots;
    CT_ARRAY(const char *) snapshot_names;
    CT_ARRAY(ct_sound_bus_setting) settings;
} ct_worker_sound_buses;

// --- worker_sound_buses.c ------------------------------------------------------------------------

// Reads `buses` up to their numbers; then finds parents, buses that duck, and sends.
void ct_worker_sound_read_buses(ct_worker_sound_buses *b, ct_sjson_value all);

// Returns the position of the bus called `name`, at `v`; NO_BUS after an error.
uint32_t ct_worker_sound_bus_named(ct_worker_sound_buses *b, ct_sjson_value v, const char *name);

// --- worker_sound_snapshots.c --------------------------------------------------------------------

// Reads `snapshots`. Buses and sends must be known.
void ct_worker_sound_read_snapshots(ct_worker_sound_buses *b, ct_sjson_value all);

// --- worker_sound_order.c ------------------------------------------------------------------------

// Sorts buses, parents first, and sets in which order they are mixed. Returns false after an error.
bool ct_worker_sound_sort_buses(ct_worker_sound_buses *b);
