#include "save/save_world.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/sjson/sjson_writer.h"
#include "resource/blob/content_hash.h"

enum { ALIGN = 8, MAX_ENTITIES = 1 << 26 };

static const uint32_t magic = 0x57535443; // "CTSW"; another number on the other byte order

static const uint32_t kind_bytes[CT_SAVE_NUM_KINDS] = {
    [CT_SAVE_KIND_U32] = 4,    [CT_SAVE_KIND_I32] = 4,   [CT_SAVE_KIND_F32] = 4,
    [CT_SAVE_KIND_ID32] = 4,   [CT_SAVE_KIND_ID64] = 8,  [CT_SAVE_KIND_TEXT] = 1,
    [CT_SAVE_KIND_ENTITY] = 4, [CT_SAVE_KIND_BYTES] = 8,
};

// --- Writing -------------------------------------------------------------------------------------

void ct_saved_world_writer_init(ct_saved_world_writer *w, ct_allocator *a) {
    *w = (ct_saved_world_writer){.allocator = a};
    ct_array_init(&w->levels, a);
    ct_array_init(&w->level_ids, a);
    ct_array_init(&w->units, a);
    ct_array_init(&w->types, a);
    ct_array_init(&w->fields, a);
    ct_array_init(&w->texts, a);
    ct_array_init(&w->rows, a);
    ct_array_init(&w->bytes, a);
}

void ct_saved_world_writer_free(ct_saved_world_writer *w) {
    ct_array_free(&w->levels);
    ct_array_free(&w->level_ids);
    ct_array_free(&w->units);
    ct_array_free(&w->types);
    ct_array_free(&w->fields);
    ct_array_free(&w->texts);
    ct_array_free(&w->rows);
    ct_array_free(&w->bytes);
}

uint32_t ct_saved_world_add_text(ct_saved_world_writer *w, const char *text) {
    const uint32_t at = w->texts.count;
    ct_array_push_many(&w->texts, (const uint8_t *)text, (uint32_t)strlen(text) + 1);
    return at;
}

static void align(ct_byte_array *bytes) {
    if (bytes->count % ALIGN)
        ct_array_resize(bytes, ct_round_up(bytes->count, ALIGN));
}

void ct_saved_world_begin_type(ct_saved_world_writer *w, const char *name,
                               const ct_save_field *fields, uint32_t num_fields,
                               uint32_t row_bytes) {
    const ct_saved_type type = {.name = ct_saved_world_add_text(w, name),
                                .first_field = w->fields.count,
                                .num_fields = num_fields,
                                .row_bytes =
                                    (uint32_t)ct_round_up(sizeof(ct_saved_row) + row_bytes, 4)};
    align(&w->rows);
    align(&w->bytes);
    ct_array_push(&w->types, type);
    ct_saved_type *const last = &w->types.items[w->types.count - 1];
    last->rows.offset = w->rows.count;
    last->bytes.offset = w->bytes.count;
    for (uint32_t i = 0; i < num_fields; ++i) {
        const ct_saved_field field = {.name = ct_saved_world_add_text(w, fields[i].name),
                                      .kind = fields[i].kind,
                                      .offset = (uint32_t)sizeof(ct_saved_row) + fields[i].offset,
                                      .size_bytes = fields[i].size_bytes};
        ct_array_push(&w->fields, field);
    }
}

static ct_saved_type *last_type(ct_saved_world_writer *w) {
    return &w->types.items[w->types.count - 1];
}

void *ct_saved_world_add_row(ct_saved_world_writer *w, uint32_t entity, uint32_t id) {
    ct_saved_type *const type = last_type(w);
    const uint32_t at = w->rows.count;
    const ct_saved_row row = {entity, id};
    if (w->rows.capacity - at < type->row_bytes)
        ct_array_reserve(&w->rows, (uint64_t)at + type->row_bytes);
    w->rows.count = at + type->row_bytes;
    memcpy(w->rows.items + at, &row, sizeof(row));
    memset(w->rows.items + at + sizeof(row), 0, type->row_bytes - sizeof(row));
    ++type->rows.count;
    return w->rows.items + at + sizeof(row);
}

void ct_saved_world_drop_row(ct_saved_world_writer *w) {
    ct_saved_type *const type = last_type(w);
    w->rows.count -= type->row_bytes;
    --type->rows.count;
}

ct_saved_bytes ct_saved_world_add_bytes(ct_saved_world_writer *w, const void *data,
                                        uint32_t size_bytes) {
    ct_saved_type *const type = last_type(w);
    const ct_saved_bytes range = {w->bytes.count - (uint32_t)type->bytes.offset, size_bytes};
    if (size_bytes > 0)
        ct_array_push_many(&w->bytes, (const uint8_t *)data, size_bytes);
    align(&w->bytes);
    type->bytes.count = w->bytes.count - type->bytes.offset;
    return range;
}

static ct_saved_range put(uint8_t *to, uint64_t *next, const void *data, uint64_t count,
                          uint64_t item_bytes) {
    const ct_saved_range range = {*next, count};
    const uint64_t bytes = count * item_bytes, whole = ct_round_up(bytes, ALIGN);
    if (bytes > 0)
        memcpy(to + *next, data, bytes);
    memset(to + *next + bytes, 0, whole - bytes);
    *next += whole;
    return range;
}

static uint64_t room(uint64_t bytes) {
    return ct_round_up(bytes, ALIGN);
}

// Ends the texts of all rows: a component may fill a field up to its last byte.
static void end_texts(ct_saved_world_writer *w) {
    for (uint32_t i = 0; i < w->types.count; ++i) {
        const ct_saved_type *const type = &w->types.items[i];
        for (uint32_t k = 0; k < type->num_fields; ++k) {
            const ct_saved_field *const f = &w->fields.items[type->first_field + k];
            uint8_t *row = w->rows.items + type->rows.offset;
            for (uint64_t r = 0; f->kind == CT_SAVE_KIND_TEXT && r < type->rows.count; ++r) {
                row[f->offset + f->size_bytes - 1] = '\0';
                row += type->row_bytes;
            }
        }
    }
}

void ct_saved_world_finish(ct_saved_world_writer *w, ct_byte_array *out) {
    end_texts(w);
    const uint64_t all = room(sizeof(ct_saved_world)) +
                         room(w->levels.count * sizeof(*w->levels.items)) +
                         room(w->level_ids.count * sizeof(*w->level_ids.items)) +
                         room(w->units.count * sizeof(*w->units.items)) +
                         room(w->types.count * sizeof(*w->types.items)) +
                         room(w->fields.count * sizeof(*w->fields.items)) + room(w->texts.count) +
                         room(w->rows.count) + room(w->bytes.count);
    CT_REQUIRE(all <= UINT32_MAX, "%llu bytes are too many for a saved world",
               (unsigned long long)all);
    ct_array_reserve(out, (uint32_t)all);
    out->count = (uint32_t)all; // each byte is written below
    ct_saved_world *const head = (ct_saved_world *)(void *)out->items;
    *head = (ct_saved_world){.magic = magic,
                             .version = CT_SAVED_WORLD_VERSION,
                             .size_bytes = all,
                             .time = w->time,
                             .num_entities = w->num_entities};
    uint64_t next = room(sizeof(*head));
    uint8_t *const to = out->items;
    head->levels = put(to, &next, w->levels.items, w->levels.count, sizeof(*w->levels.items));
    head->level_ids = put(to, &next, w->level_ids.items, w->level_ids.count, 4);
    head->units = put(to, &next, w->units.items, w->units.count, sizeof(*w->units.items));
    const uint64_t rows = next + room(w->types.count * sizeof(*w->types.items)) +
                          room(w->fields.count * sizeof(*w->fields.items)) + room(w->texts.count);
    for (uint32_t i = 0; i < w->types.count; ++i) {
        w->types.items[i].rows.offset += rows;
        w->types.items[i].bytes.offset += rows + room(w->rows.count);
    }
    head->types = put(to, &next, w->types.items, w->types.count, sizeof(*w->types.items));
    head->fields = put(to, &next, w->fields.items, w->fields.count, sizeof(*w->fields.items));
    head->texts = put(to, &next, w->texts.items, w->texts.count, 1);
    put(to, &next, w->rows.items, w->rows.count, 1);
    put(to, &next, w->bytes.items, w->bytes.count, 1);
}

// --- The check -----------------------------------------------------------------------------------

static bool fits(const ct_saved_world *w, const ct_saved_range *range, uint64_t item_bytes) {
    return range->offset % ALIGN == 0 && range->offset <= w->size_bytes &&
           range->count <= (w->size_bytes - range->offset) / item_bytes;
}

static bool check_head(const ct_saved_world *w, uint64_t size_bytes, ct_error *error) {
    if (size_bytes < sizeof(*w) || w->magic != magic)
        return ct_error_set(error, "expected a saved world");
    if (w->version != CT_SAVED_WORLD_VERSION)
        return ct_error_set(error, "found version %u of saved worlds; expected %d", w->version,
                            CT_SAVED_WORLD_VERSION);
    if (w->size_bytes != size_bytes || w->num_entities > MAX_ENTITIES || !(w->time >= 0) ||
        !isfinite(w->time))
        return ct_error_set(error, "the header of a saved world is damaged");
    if (!fits(w, &w->levels, sizeof(ct_saved_level)) || !fits(w, &w->level_ids, 4) ||
        !fits(w, &w->units, sizeof(ct_saved_unit)) || !fits(w, &w->types, sizeof(ct_saved_type)) ||
        !fits(w, &w->fields, sizeof(ct_saved_field)) || !fits(w, &w->texts, 1))
        return ct_error_set(error, "an array of a saved world is out of range");
    if (w->texts.count > 0 && ct_saved_text(w, 0)[w->texts.count - 1] != '\0')
        return ct_error_set(error, "the texts of a saved world have no end");
    return true;
}

static bool is_pose(const ct_saved_level *level) {
    double length = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        if (!isfinite(level->position[i]) || !isfinite(level->scale[i]))
            return false;
    }
    for (uint32_t i = 0; i < 4; ++i)
        length += (double)level->rotation[i] * (double)level->rotation[i];
    return length > 0.9 && length < 1.1;
}

static bool check_levels(const ct_saved_world *w, ct_error *error) {
    const ct_saved_level *const levels = ct_saved_at(w, &w->levels);
    for (uint64_t i = 0; i < w->levels.count; ++i) {
        const ct_saved_level *const l = &levels[i];
        if (l->name >= w->texts.count || l->num_ids > w->level_ids.count ||
            l->first_id > w->level_ids.count - l->num_ids || !is_pose(l))
            return ct_error_set(error, "level %llu of a saved world is damaged",
                                (unsigned long long)i);
    }
    return true;
}

static bool check_units(const ct_saved_world *w, ct_error *error) {
    const ct_saved_unit *const units = ct_saved_at(w, &w->units);
    uint32_t next = 0;
    for (uint64_t i = 0; i < w->units.count; ++i) {
        const ct_saved_unit *const u = &units[i];
        if (u->name >= w->texts.count || u->level > w->levels.count || u->first_entity != next ||
            u->num_entities == 0 || u->num_entities > w->num_entities - next)
            return ct_error_set(error, "unit %llu of a saved world is damaged",
                                (unsigned long long)i);
        next += u->num_entities;
    }
    return next == w->num_entities || ct_error_set(error, "a saved world has other entities");
}

static bool check_fields(const ct_saved_world *w, const ct_saved_type *type, ct_error *error) {
    const ct_saved_field *const fields =
        (const ct_saved_field *)ct_saved_at(w, &w->fields) + type->first_field;
    for (uint32_t i = 0; i < type->num_fields; ++i) {
        const ct_saved_field *const f = &fields[i];
        const uint32_t bytes = f->kind < CT_SAVE_NUM_KINDS ? kind_bytes[f->kind] : 0;
        const bool is_one = f->kind == CT_SAVE_KIND_ENTITY || f->kind == CT_SAVE_KIND_BYTES;
        if (bytes == 0 || f->name >= w->texts.count || f->size_bytes == 0 ||
            f->size_bytes % bytes || (is_one && f->size_bytes != bytes) ||
            f->offset < sizeof(ct_saved_row) || f->offset > type->row_bytes ||
            f->size_bytes > type->row_bytes - f->offset)
            return ct_error_set(error, "field %u of the saved type %.64s is damaged", i,
                                ct_saved_text(w, type->name));
    }
    return true;
}

// Checks what a field of a row refers to.
static bool check_value(const ct_saved_world *w, const ct_saved_type *type,
                        const ct_saved_field *field, const uint8_t *row) {
    uint32_t words[2];
    if (field->kind == CT_SAVE_KIND_TEXT)
        return row[field->offset + field->size_bytes - 1] == '\0';
    if (field->kind == CT_SAVE_KIND_ENTITY) {
        memcpy(words, row + field->offset, sizeof(*words));
        return words[0] <= w->num_entities;
    }
    if (field->kind != CT_SAVE_KIND_BYTES) // numbers may be NaN and infinite, as components may
        return true;
    memcpy(words, row + field->offset, sizeof(words));
    return words[0] % ALIGN == 0 && words[0] <= type->bytes.count &&
           words[1] <= type->bytes.count - words[0];
}

// Rows are in the order of their entities, so that those of an entity are together.
static bool check_rows(const ct_saved_world *w, const ct_saved_type *type, ct_error *error) {
    const ct_saved_field *const fields =
        (const ct_saved_field *)ct_saved_at(w, &w->fields) + type->first_field;
    const uint8_t *row = ct_saved_at(w, &type->rows);
    uint32_t last = 0;
    for (uint64_t i = 0; i < type->rows.count; ++i, row += type->row_bytes) {
        ct_saved_row head;
        memcpy(&head, row, sizeof(head));
        bool is_right = head.entity < w->num_entities && head.entity >= last;
        for (uint32_t k = 0; is_right && k < type->num_fields; ++k)
            is_right = check_value(w, type, &fields[k], row);
        if (!is_right)
            return ct_error_set(error, "row %llu of the saved type %.64s is damaged",
                                (unsigned long long)i, ct_saved_text(w, type->name));
        last = head.entity;
    }
    return true;
}

bool ct_saved_world_check(const void *bytes, uint64_t size_bytes, ct_error *error) {
    const ct_saved_world *const w = bytes;
    CT_ASSERT((uintptr_t)bytes % ALIGN == 0, "the saved world at %p is not aligned", bytes);
    if (!check_head(w, size_bytes, error) || !check_levels(w, error) || !check_units(w, error))
        return false;
    const ct_saved_type *const types = ct_saved_at(w, &w->types);
    for (uint64_t i = 0; i < w->types.count; ++i) {
        const ct_saved_type *const t = &types[i];
        if (t->name >= w->texts.count || t->num_fields > w->fields.count ||
            t->first_field > w->fields.count - t->num_fields || t->row_bytes % 4 ||
            t->row_bytes < sizeof(ct_saved_row) || !fits(w, &t->rows, t->row_bytes) ||
            !fits(w, &t->bytes, 1))
            return ct_error_set(error, "type %llu of a saved world is damaged",
                                (unsigned long long)i);
        if (!check_fields(w, t, error) || !check_rows(w, t, error))
            return false;
    }
    return true;
}

// --- The hash ------------------------------------------------------------------------------------

static uint64_t add_hash(uint64_t hash, const void *data, uint64_t size_bytes) {
    return hash * 0x9e3779b97f4a7c15ull ^ ct_content_hash(data, size_bytes);
}

// Adds a type with its rows, without where these lie.
static uint64_t add_type_hash(uint64_t hash, const ct_saved_world *w, const ct_saved_type *type) {
    const ct_saved_field *const fields =
        (const ct_saved_field *)ct_saved_at(w, &w->fields) + type->first_field;
    const char *const name = ct_saved_text(w, type->name);
    const uint64_t counts[] = {type->num_fields, type->row_bytes, type->rows.count,
                               type->bytes.count};
    hash = add_hash(hash, name, strlen(name));
    hash = add_hash(hash, counts, sizeof(counts));
    for (uint32_t i = 0; i < type->num_fields; ++i) {
        ct_saved_field field = fields[i];
        const char *const field_name = ct_saved_text(w, field.name);
        field.name = 0;
        hash = add_hash(hash, field_name, strlen(field_name));
        hash = add_hash(hash, &field, sizeof(field));
    }
    hash = add_hash(hash, ct_saved_at(w, &type->rows), type->rows.count * type->row_bytes);
    return add_hash(hash, ct_saved_at(w, &type->bytes), type->bytes.count);
}

// The names of units and levels are left out: a program that does not know them saves others.
uint64_t ct_saved_world_hash(const void *bytes) {
    const ct_saved_world *const w = bytes;
    const ct_saved_level *const levels = ct_saved_at(w, &w->levels);
    const ct_saved_unit *const units = ct_saved_at(w, &w->units);
    const ct_saved_type *const types = ct_saved_at(w, &w->types);
    uint64_t hash = add_hash(w->version, &w->time, sizeof(w->time));
    for (uint64_t i = 0; i < w->levels.count; ++i) {
        ct_saved_level level = levels[i];
        level.name = 0;
        hash = add_hash(hash, &level, sizeof(level));
    }
    hash = add_hash(hash, ct_saved_at(w, &w->level_ids), w->level_ids.count * sizeof(uint32_t));
    for (uint64_t i = 0; i < w->units.count; ++i) {
        ct_saved_unit unit = units[i];
        unit.entity_id = unit.name = 0;
        hash = add_hash(hash, &unit, sizeof(unit));
    }
    for (uint64_t i = 0; i < w->types.count; ++i)
        hash = add_type_hash(hash, w, &types[i]);
    return hash;
}

// --- Printing ------------------------------------------------------------------------------------

static void print_item(const ct_saved_field *field, const uint8_t *at, ct_sjson_writer *w) {
    uint32_t word = 0;
    uint64_t id = 0;
    float number = 0;
    char text[17];
    switch (field->kind) {
    case CT_SAVE_KIND_F32:
        memcpy(&number, at, sizeof(number));
        if (isfinite(number))
            ct_sjson_write_number(w, (double)number);
        else
            ct_sjson_write_string(w, isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
        return;
    case CT_SAVE_KIND_I32:
        memcpy(&word, at, sizeof(word));
        ct_sjson_write_number(w, (int32_t)word);
        return;
    case CT_SAVE_KIND_ID32:
        memcpy(&word, at, sizeof(word));
        snprintf(text, sizeof(text), "%08" PRIx32, word);
        ct_sjson_write_string(w, text);
        return;
    case CT_SAVE_KIND_ID64:
        memcpy(&id, at, sizeof(id));
        snprintf(text, sizeof(text), "%016" PRIx64, id);
        ct_sjson_write_string(w, text);
        return;
    case CT_SAVE_KIND_BYTES:
        memcpy(&word, at + sizeof(word), sizeof(word));
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "bytes", word);
        ct_sjson_end_object(w);
        return;
    default: // U32, ENTITY
        memcpy(&word, at, sizeof(word));
        ct_sjson_write_number(w, word);
    }
}

static void print_field(const ct_saved_world *world, const ct_saved_field *field,
                        const uint8_t *row, ct_sjson_writer *w) {
    const uint32_t item_bytes = kind_bytes[field->kind];
    ct_sjson_write_key(w, ct_saved_text(world, field->name));
    if (field->kind == CT_SAVE_KIND_TEXT) {
        ct_sjson_write_string(w, (const char *)row + field->offset);
        return;
    }
    if (field->size_bytes == item_bytes) {
        print_item(field, row + field->offset, w);
        return;
    }
    ct_sjson_begin_array(w);
    for (uint32_t at = 0; at < field->size_bytes; at += item_bytes)
        print_item(field, row + field->offset + at, w);
    ct_sjson_end_array(w);
}

static void print_type(const ct_saved_world *world, const ct_saved_type *type, ct_sjson_writer *w) {
    const ct_saved_field *const fields =
        (const ct_saved_field *)ct_saved_at(world, &world->fields) + type->first_field;
    const uint8_t *row = ct_saved_at(world, &type->rows);
    ct_sjson_write_key(w, ct_saved_text(world, type->name));
    ct_sjson_begin_array(w);
    for (uint64_t i = 0; i < type->rows.count; ++i, row += type->row_bytes) {
        ct_saved_row head;
        memcpy(&head, row, sizeof(head));
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "entity", head.entity + 1);
        for (uint32_t k = 0; k < type->num_fields; ++k)
            print_field(world, &fields[k], row, w);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void print_units(const ct_saved_world *world, ct_sjson_writer *w) {
    const ct_saved_unit *const units = ct_saved_at(world, &world->units);
    ct_sjson_write_key(w, "units");
    ct_sjson_begin_array(w);
    for (uint64_t i = 0; i < world->units.count; ++i) {
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "unit", ct_saved_text(world, units[i].name));
        ct_sjson_member_number(w, "entity", units[i].first_entity + 1);
        if (units[i].num_entities > 1)
            ct_sjson_member_number(w, "entities", units[i].num_entities);
        if (units[i].level)
            ct_sjson_member_number(w, "level", units[i].level);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

void ct_saved_world_print(const void *bytes, ct_sjson_writer *w) {
    const ct_saved_world *const world = bytes;
    const ct_saved_level *const levels = ct_saved_at(world, &world->levels);
    const ct_saved_type *const types = ct_saved_at(world, &world->types);
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "time", world->time);
    ct_sjson_write_key(w, "levels");
    ct_sjson_begin_array(w);
    for (uint64_t i = 0; i < world->levels.count; ++i)
        ct_sjson_write_string(w, ct_saved_text(world, levels[i].name));
    ct_sjson_end_array(w);
    print_units(world, w);
    ct_sjson_write_key(w, "components");
    ct_sjson_begin_object(w);
    for (uint64_t i = 0; i < world->types.count; ++i)
        print_type(world, &types[i], w);
    ct_sjson_end_object(w);
    ct_sjson_end_object(w);
}
