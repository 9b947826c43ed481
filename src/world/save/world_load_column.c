// A kind of component is loaded as a whole, where the world has the instances of the save in its order.
//
// What the world has is written as a column like the saved one, and compared with it. Only instances
// whose rows differ are set. Kinds of higher floors, whose functions may change the world, and fields
// that are others now take the longer way (world_load_rows.c).
#include <string.h>

#include "foundation/error.h"
#include "world/save/world_save_private.h"

// What the world has of a kind, and what it is to have.
typedef struct column {
    ct_world_loading *loading;
    const ct_save_component *kind;
    const ct_saved_type *type;
    const uint8_t *rows, *now; // of the save, of the world
    bool has_same_rows;        // all of them, but for the bytes of fields
    bool has_bytes;            // a field of the kind BYTES
    ct_u32_array changed;      // numbers of the rows that differ
    ct_u32_array many;         // and of those that `set_many` gets
} column;

// Whether the fields are those that the save has, at the same places.
static bool has_same_fields(const ct_world_loading *l, const ct_save_component *kind,
                            const ct_saved_type *type) {
    const ct_saved_field *const saved =
        (const ct_saved_field *)ct_saved_at(l->saved, &l->saved->fields) + type->first_field;
    if (type->num_fields != kind->num_fields ||
        type->row_bytes != ct_round_up(sizeof(ct_saved_row) + kind->row_bytes, 4))
        return false;
    for (uint32_t i = 0; i < kind->num_fields; ++i) {
        const ct_save_field *const f = &kind->fields[i];
        if (saved[i].kind != (uint32_t)f->kind || saved[i].size_bytes != f->size_bytes ||
            saved[i].offset != sizeof(ct_saved_row) + f->offset ||
            strcmp(ct_saved_text(l->saved, saved[i].name), f->name) != 0)
            return false;
    }
    return true;
}

// Writes the rows of the world that the save has, too; false at the first other one.
static bool read_rows(column *c, uint8_t *rows) {
    ct_world_loading *const l = c->loading;
    const ct_save_component *const kind = c->kind;
    const uint32_t row_bytes = c->type->row_bytes, count = (uint32_t)c->type->rows.count;
    uint32_t k = 0;
    for (uint32_t n = 0; n < l->now.entities.count; ++n) {
        const ct_entity e = l->now.entities.items[n];
        for (uint32_t i = e.id ? kind->first(l->world, kind->user, e) : 0; i;
             i = kind->next ? kind->next(l->world, kind->user, e, i) : 0, ++k) {
            const ct_saved_row head = {n, kind->id ? kind->id(l->world, kind->user, i) : 0};
            uint8_t *const row = rows + (uint64_t)k * row_bytes;
            if (k == count || memcmp(&head, c->rows + (row - rows), sizeof(head)) != 0)
                return false;
            memcpy(row, &head, sizeof(head));
            kind->get(&l->now, kind->user, e, i, row + sizeof(head));
            l->instances.items[k] = i;
        }
    }
    return k == count;
}

// Writes the column of the world; false when it has other instances.
static bool read_column(column *c) {
    ct_world_loading *const l = c->loading;
    ct_saved_world_writer *const w = &l->now.writer;
    const uint64_t num_bytes = c->type->rows.count * c->type->row_bytes;
    w->rows.count = 0;
    w->bytes.count = 0;
    w->types.items[0] = (ct_saved_type){.row_bytes = c->type->row_bytes};
    ct_array_resize(&l->instances, c->type->rows.count);
    ct_array_resize(&w->rows, num_bytes);
    ct_array_reserve(&w->bytes, c->type->bytes.count);
    if (!read_rows(c, w->rows.items))
        return false;
    c->now = w->rows.items;
    c->has_same_rows = memcmp(c->now, c->rows, num_bytes) == 0;
    return true;
}

// Whether the bytes of a row are the same, wherever they are.
static bool has_same_bytes(const column *c, const uint8_t *now, const uint8_t *row) {
    const ct_world_loading *const l = c->loading;
    for (uint32_t i = 0; i < c->kind->num_fields; ++i) {
        const ct_save_field *const f = &c->kind->fields[i];
        ct_saved_bytes a, b;
        if (f->kind != CT_SAVE_KIND_BYTES) {
            if (memcmp(now + f->offset, row + f->offset, f->size_bytes) != 0)
                return false;
            continue;
        }
        memcpy(&a, now + f->offset, sizeof(a));
        memcpy(&b, row + f->offset, sizeof(b));
        if (a.size_bytes != b.size_bytes ||
            (a.size_bytes > 0 &&
             memcmp(l->now.writer.bytes.items + a.offset, l->bytes + b.offset, a.size_bytes) != 0))
            return false;
    }
    return true;
}

// Whether rows that differ do so only where `set_many` sets them.
static bool is_for_many(const ct_save_component *kind, const uint8_t *now, const uint8_t *row) {
    const uint32_t first = kind->many_bytes;
    return kind->set_many && memcmp(now + first, row + first, kind->row_bytes - first) == 0;
}

// Keeps the numbers of the rows that differ, in place of all.
static void find_changed(column *c) {
    const uint32_t row_bytes = c->type->row_bytes, count = (uint32_t)c->type->rows.count;
    const ct_byte_array *const own = &c->loading->now.writer.bytes;
    const bool are_bytes_same =
        own->count == c->type->bytes.count &&
        (own->count == 0 || memcmp(own->items, c->loading->bytes, own->count) == 0);
    if (are_bytes_same && c->has_same_rows)
        return;
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t *const now = c->now + (uint64_t)i * row_bytes + sizeof(ct_saved_row);
        const uint8_t *const row = c->rows + (uint64_t)i * row_bytes + sizeof(ct_saved_row);
        const bool is_same = c->has_bytes && !are_bytes_same
                                 ? has_same_bytes(c, now, row)
                                 : memcmp(now, row, row_bytes - sizeof(ct_saved_row)) == 0;
        if (!is_same)
            ct_array_push(is_for_many(c->kind, now, row) ? &c->many : &c->changed, i);
    }
}

// Numbers that are NaN or infinite stay as they are in the world.
static void keep_finite(const ct_save_component *kind, const uint8_t *now, uint8_t *row) {
    for (uint32_t i = 0; i < kind->num_fields; ++i) {
        const ct_save_field *const f = &kind->fields[i];
        if (f->kind == CT_SAVE_KIND_F32 && !ct_world_load_is_finite(row + f->offset, f->size_bytes))
            memcpy(row + f->offset, now + f->offset, f->size_bytes);
    }
}

// Returns the entity of a row, and writes its fields to `row`, aligned, as they are to be set.
static ct_entity take_row(const column *c, uint32_t i, uint8_t *row) {
    const uint64_t at = (uint64_t)i * c->type->row_bytes;
    ct_saved_row head;
    memcpy(&head, c->rows + at, sizeof(head));
    memcpy(row, c->rows + at + sizeof(head), c->kind->row_bytes);
    keep_finite(c->kind, c->now + at + sizeof(head), row);
    return c->loading->now.entities.items[head.entity];
}

static void prepare_rows(const column *c) {
    ct_world_loading *const l = c->loading;
    for (uint32_t k = 0; k < c->changed.count; ++k) {
        const uint32_t i = c->changed.items[k];
        const ct_entity e = take_row(c, i, l->row);
        c->kind->prepare(l, c->kind->user, e, l->instances.items[i], l->row);
    }
}

static void set_rows(const column *c, const uint32_t *numbers, uint32_t count,
                     ct_world_load_report *report) {
    ct_world_loading *const l = c->loading;
    ct_error error = {0};
    for (uint32_t k = 0; k < count; ++k) {
        const ct_entity e = take_row(c, numbers[k], l->row);
        if (c->kind->set(l, c->kind->user, e, l->instances.items[numbers[k]], l->row, &error))
            continue;
        report(l, c->kind, e, &error);
        error = (ct_error){0};
    }
}

static void set_many_rows(const column *c, ct_world_load_report *report) {
    ct_world_loading *const l = c->loading;
    ct_entity entities[CT_SAVE_MANY];
    uint32_t instances[CT_SAVE_MANY];
    const void *rows[CT_SAVE_MANY];
    for (uint32_t first = 0, count; first < c->many.count; first += count) {
        const uint32_t *const numbers = c->many.items + first;
        count = c->many.count - first < CT_SAVE_MANY ? c->many.count - first : CT_SAVE_MANY;
        for (uint32_t k = 0; k < count; ++k) {
            const uint8_t *const saved = c->rows + (uint64_t)numbers[k] * c->type->row_bytes;
            ct_saved_row head;
            memcpy(&head, saved, sizeof(head));
            entities[k] = l->now.entities.items[head.entity];
            instances[k] = l->instances.items[numbers[k]];
            rows[k] = saved + sizeof(head);
        }
        if (!c->kind->set_many(l, c->kind->user, entities, instances, rows, count))
            set_rows(c, numbers, count, report);
    }
}

bool ct_world_load_column(ct_world_loading *l, const ct_save_component *kind,
                          const ct_saved_type *type, ct_world_load_report *report) {
    column c = {
        .loading = l, .kind = kind, .type = type, .rows = ct_saved_at(l->saved, &type->rows)};
    if (kind->always_sets || type->rows.count == 0 ||
        type->rows.count > UINT32_MAX / type->row_bytes || !has_same_fields(l, kind, type) ||
        !read_column(&c))
        return false;
    for (uint32_t i = 0; i < kind->num_fields; ++i)
        c.has_bytes |= kind->fields[i].kind == CT_SAVE_KIND_BYTES;
    ct_array_init(&c.changed, l->world->allocator);
    ct_array_init(&c.many, l->world->allocator);
    find_changed(&c);
    if (kind->prepare)
        prepare_rows(&c);
    set_rows(&c, c.changed.items, c.changed.count, report);
    set_many_rows(&c, report);
    ct_array_free(&c.changed);
    ct_array_free(&c.many);
    return true;
}
