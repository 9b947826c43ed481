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
    bool has_bytes;            // a field of the kind BYTES
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

// Writes the column of the world; false when it has other instances.
static bool read_column(column *c) {
    ct_world_loading *const l = c->loading;
    ct_saved_world_writer *const w = &l->now.writer;
    const uint32_t row_bytes = c->type->row_bytes;
    w->rows.count = 0;
    w->bytes.count = 0;
    w->types.items[0] = (ct_saved_type){.row_bytes = row_bytes};
    l->instances.count = 0;
    ct_array_reserve(&l->instances, (uint32_t)c->type->rows.count);
    ct_array_reserve(&w->rows, c->type->rows.count * row_bytes);
    ct_array_reserve(&w->bytes, c->type->bytes.count);
    ct_world_save_rows(&l->now, c->kind, &l->instances);
    if (w->types.items[0].rows.count != c->type->rows.count)
        return false;
    c->now = w->rows.items;
    for (uint64_t i = 0; i < c->type->rows.count; ++i) {
        if (memcmp(c->now + i * row_bytes, c->rows + i * row_bytes, sizeof(ct_saved_row)) != 0)
            return false;
    }
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

// Keeps the numbers of the rows that differ, in place of all.
static void find_changed(column *c, ct_u32_array *changed) {
    const uint32_t row_bytes = c->type->row_bytes, count = (uint32_t)c->type->rows.count;
    const ct_byte_array *const own = &c->loading->now.writer.bytes;
    const bool are_bytes_same =
        own->count == c->type->bytes.count &&
        (own->count == 0 || memcmp(own->items, c->loading->bytes, own->count) == 0);
    if (are_bytes_same && memcmp(c->now, c->rows, (uint64_t)count * row_bytes) == 0)
        return;
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t *const now = c->now + (uint64_t)i * row_bytes + sizeof(ct_saved_row);
        const uint8_t *const row = c->rows + (uint64_t)i * row_bytes + sizeof(ct_saved_row);
        const bool is_same = c->has_bytes && !are_bytes_same
                                 ? has_same_bytes(c, now, row)
                                 : memcmp(now, row, row_bytes - sizeof(ct_saved_row)) == 0;
        if (!is_same)
            ct_array_push(changed, i);
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

// Calls a function of the kind with each row that differs; rows are aligned for that.
static void call_changed(const column *c, const ct_u32_array *changed, bool prepares,
                         ct_world_load_report *report) {
    ct_world_loading *const l = c->loading;
    const ct_save_component *const kind = c->kind;
    uint8_t *const row = l->row;
    for (uint32_t k = 0; k < changed->count; ++k) {
        const uint32_t i = changed->items[k];
        const uint8_t *const saved = c->rows + (uint64_t)i * c->type->row_bytes;
        ct_saved_row head;
        ct_error error = {0};
        memcpy(&head, saved, sizeof(head));
        memcpy(row, saved + sizeof(head), kind->row_bytes);
        keep_finite(kind, c->now + (uint64_t)i * c->type->row_bytes + sizeof(head), row);
        const ct_entity e = l->now.entities.items[head.entity];
        if (prepares)
            kind->prepare(l, kind->user, e, l->instances.items[i], row);
        else if (!kind->set(l, kind->user, e, l->instances.items[i], row, &error))
            report(l, kind, e, &error);
    }
}

bool ct_world_load_column(ct_world_loading *l, const ct_save_component *kind,
                          const ct_saved_type *type, ct_world_load_report *report) {
    column c = {
        .loading = l, .kind = kind, .type = type, .rows = ct_saved_at(l->saved, &type->rows)};
    if (kind->always_sets || type->rows.count == 0 || type->rows.count > UINT32_MAX ||
        !has_same_fields(l, kind, type) || !read_column(&c))
        return false;
    for (uint32_t i = 0; i < kind->num_fields; ++i)
        c.has_bytes |= kind->fields[i].kind == CT_SAVE_KIND_BYTES;
    ct_u32_array changed;
    ct_array_init(&changed, l->world->allocator);
    find_changed(&c, &changed);
    if (kind->prepare)
        call_changed(&c, &changed, true, report);
    call_changed(&c, &changed, false, report);
    ct_array_free(&changed);
    return true;
}
