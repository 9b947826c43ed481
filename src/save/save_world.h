// save_world.h: the bytes of a saved world.
//
// A header, then arrays: the levels, the ids of all their units, the units that lived, and the types of
// components, each with its fields by name and its rows. A row is the number of an entity (from 0, in
// the order of the units and of the entities in each), the instance's id, and the fields. A field of the
// kind BYTES is an offset and a size in the type's bytes. Texts are offsets in one array of texts.
//
// Because fields have names, a save is read by a game whose components have other fields by now. In
// this machine's byte order. Any thread.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"

enum { CT_SAVED_WORLD_VERSION = 1, CT_SAVED_NO_ENTITY = 0 };

// What a field holds; several of them where its size says so.
typedef enum ct_save_kind {
    CT_SAVE_KIND_U32 = 1,
    CT_SAVE_KIND_I32,
    CT_SAVE_KIND_F32, // any: NaN and infinite ones, too
    CT_SAVE_KIND_ID32,
    CT_SAVE_KIND_ID64,
    CT_SAVE_KIND_TEXT,   // zero-terminated
    CT_SAVE_KIND_ENTITY, // uint32_t: the number of an entity of the save plus 1; 0: no entity
    CT_SAVE_KIND_BYTES,  // uint32_t offset, uint32_t size: at multiples of 8 in the type's bytes
    CT_SAVE_NUM_KINDS,
} ct_save_kind;

// A part of the bytes, from the start of the header.
typedef struct ct_saved_range {
    uint64_t offset; // a multiple of 8
    uint64_t count;  // items
} ct_saved_range;

typedef struct ct_saved_world {
    uint32_t magic, version;
    uint64_t size_bytes;
    double time; // of the world
    uint32_t num_entities, padding;
    ct_saved_range levels, level_ids, units, types, fields, texts;
} ct_saved_world;

typedef struct ct_saved_level {
    uint64_t resource;
    uint32_t name; // text
    uint32_t first_id, num_ids;
    float position[3], rotation[4], scale[3];
    uint32_t padding;
} ct_saved_level;

typedef struct ct_saved_unit {
    uint64_t resource;
    uint32_t name;      // text
    uint32_t level;     // number plus 1; 0: of no level
    uint32_t level_id;  // of the unit in its level
    uint32_t entity_id; // of its root in the run that saved it
    uint32_t first_entity, num_entities;
    uint64_t checksum; // of the data of its unit or level; 0: not known
} ct_saved_unit;

typedef struct ct_saved_type {
    uint32_t name; // text
    uint32_t first_field, num_fields;
    uint32_t row_bytes; // with the number of the entity and the id: 8 and more; a multiple of 4
    ct_saved_range rows, bytes;
} ct_saved_type;

typedef struct ct_saved_field {
    uint32_t name; // text
    uint32_t kind; // ct_save_kind
    uint32_t offset, size_bytes;
} ct_saved_field;

// The start of every row.
typedef struct ct_saved_row {
    uint32_t entity, id;
} ct_saved_row;

// Checks bytes, aligned to 8, so that the functions below and readers of the arrays are safe. Contents
// of BYTES are not checked. Returns false with `error`.
bool ct_saved_world_check(const void *bytes, uint64_t size_bytes, ct_error *error);

// Returns a hash of all that a checked world holds but the ids of entities, which are others in each run, and
// the names of units and levels, which not every program knows: equal for two worlds in the same state.
uint64_t ct_saved_world_hash(const void *bytes);

// Return parts of a checked world.
static inline const void *ct_saved_at(const ct_saved_world *w, const ct_saved_range *range) {
    return (const char *)w + range->offset;
}
static inline const char *ct_saved_text(const ct_saved_world *w, uint32_t text) {
    return (const char *)w + w->texts.offset + text;
}

// Writes a checked world as an object.
struct ct_sjson_writer;
void ct_saved_world_print(const void *bytes, struct ct_sjson_writer *w);

// --- Writing -------------------------------------------------------------------------------------

// A field of a type that is written.
typedef struct ct_save_field {
    const char *name;
    ct_save_kind kind;
    uint32_t offset, size_bytes; // in the row
} ct_save_field;

// Parts of a world while it is saved. A type is begun, its rows are added, then the next is begun.
typedef struct ct_saved_world_writer {
    ct_allocator *allocator;
    CT_ARRAY(ct_saved_level) levels;
    ct_u32_array level_ids;
    CT_ARRAY(ct_saved_unit) units;
    CT_ARRAY(ct_saved_type) types; // `rows` and `bytes` have offsets in the arrays below
    CT_ARRAY(ct_saved_field) fields;
    ct_byte_array texts, rows, bytes;
    uint32_t num_entities;
    double time;
} ct_saved_world_writer;

// Makes an empty writer, and frees its memory.
void ct_saved_world_writer_init(ct_saved_world_writer *w, ct_allocator *a);
void ct_saved_world_writer_free(ct_saved_world_writer *w);

// Adds a text; returns its place.
uint32_t ct_saved_world_add_text(ct_saved_world_writer *w, const char *text);

// Begins a type whose rows have `row_bytes` behind the ct_saved_row.
void ct_saved_world_begin_type(ct_saved_world_writer *w, const char *name,
                               const ct_save_field *fields, uint32_t num_fields,
                               uint32_t row_bytes);

// Adds a row to the type that was begun last; returns its fields, which are zero. Valid until the next
// call.
void *ct_saved_world_add_row(ct_saved_world_writer *w, uint32_t entity, uint32_t id);

// Takes back the row that was added last.
void ct_saved_world_drop_row(ct_saved_world_writer *w);

// Adds bytes to the type that was begun last; returns what a field of the kind BYTES holds.
typedef struct ct_saved_bytes {
    uint32_t offset, size_bytes;
} ct_saved_bytes;
ct_saved_bytes ct_saved_world_add_bytes(ct_saved_world_writer *w, const void *data,
                                        uint32_t size_bytes);

// Appends all to `out`, which must be empty. Texts that fill their fields lose the last byte.
void ct_saved_world_finish(ct_saved_world_writer *w, ct_byte_array *out);
