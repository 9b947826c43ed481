#include "world/save/world_inspect.h"

#include <string.h>

#include "foundation/error.h"
#include "world/save/world_save_private.h"

// Where the parts of a component are, while arrays still grow.
typedef struct place {
    uint64_t row, bytes;
} place;

struct ct_world_inspection {
    ct_allocator *allocator;
    ct_world_save_kinds kinds;
    ct_world_saving saving;
    CT_ARRAY(ct_inspected_component) components;
    CT_ARRAY(place) places;
};

static void add_instance(ct_world_inspection *n, const ct_save_component *kind, ct_entity e,
                         uint32_t i, uint32_t number) {
    ct_saved_world_writer *const w = &n->saving.writer;
    const uint32_t id = kind->id ? kind->id(n->saving.world, kind->user, i) : 0;
    // Rows in a save are at multiples of 4 only: functions of kinds get one that is aligned.
    uint8_t *const row = ct_alloc(n->allocator, kind->row_bytes + 1ull);
    memset(row, 0, kind->row_bytes);
    kind->get(&n->saving, kind->user, e, i, row);
    memcpy(ct_saved_world_add_row(w, 0, id), row, kind->row_bytes);
    ct_free_sized(n->allocator, row, kind->row_bytes + 1ull);
    const ct_saved_type *const type = &w->types.items[w->types.count - 1];
    ct_array_push(&n->places, ((place){w->rows.count - type->row_bytes + sizeof(ct_saved_row),
                                       type->bytes.offset}));
    ct_array_push(&n->components, ((ct_inspected_component){.type = kind->name,
                                                            .id = id,
                                                            .instance = i,
                                                            .place = number,
                                                            .fields = kind->fields,
                                                            .num_fields = kind->num_fields,
                                                            .row_bytes = kind->row_bytes}));
}

static void begin_kind(ct_world_inspection *n, const ct_save_component *kind) {
    ct_saved_world_begin_type(&n->saving.writer, kind->name, kind->fields, kind->num_fields,
                              kind->row_bytes);
}

static void add_kind(ct_world_inspection *n, const ct_save_component *kind, ct_entity e) {
    const ct_world *const w = n->saving.world;
    uint32_t i = kind->first(w, kind->user, e), number = 0;
    if (!i)
        return;
    begin_kind(n, kind);
    for (; i; i = kind->next ? kind->next(w, kind->user, e, i) : 0)
        add_instance(n, kind, e, i, number++);
}

// A saving without entities: what refers to one is 0.
static void init_saving(ct_world_saving *s, ct_world *w) {
    *s = (ct_world_saving){.world = w};
    ct_saved_world_writer_init(&s->writer, w->allocator);
    ct_array_init(&s->scratch, w->allocator);
    ct_array_init(&s->numbers, w->allocator);
    ct_array_init(&s->entities, w->allocator);
    ct_array_init(&s->levels, w->allocator);
}

static void free_saving(ct_world_saving *s) {
    ct_saved_world_writer_free(&s->writer);
    ct_array_free(&s->scratch);
    ct_array_free(&s->numbers);
    ct_array_free(&s->entities);
    ct_array_free(&s->levels);
}

static ct_world_inspection *make(ct_world *w) {
    ct_world_inspection *const n = CT_NEW(w->allocator, ct_world_inspection);
    n->allocator = w->allocator;
    init_saving(&n->saving, w);
    ct_array_init(&n->components, w->allocator);
    ct_array_init(&n->places, w->allocator);
    ct_world_save_kinds_init(&n->kinds, w, NULL, 0);
    return n;
}

static bool is_wanted(const ct_save_component *kind, const char *type) {
    return kind->first && !kind->save_whole && (!type || strcmp(kind->name, type) == 0);
}

static void find_rows(ct_world_inspection *n) {
    for (uint32_t i = 0; i < n->components.count; ++i)
        n->components.items[i].row = n->saving.writer.rows.items + n->places.items[i].row;
}

ct_world_inspection *ct_world_inspect(ct_world *w, ct_entity e, const char *type) {
    ct_world_inspection *const n = make(w);
    for (uint32_t i = 0; i < n->kinds.count; ++i)
        if (is_wanted(&n->kinds.items[i], type))
            add_kind(n, &n->kinds.items[i], e);
    find_rows(n);
    return n;
}

ct_world_inspection *ct_world_inspect_instance(ct_world *w, ct_entity e, const char *type,
                                               uint32_t instance) {
    ct_world_inspection *const n = make(w);
    for (uint32_t i = 0; i < n->kinds.count; ++i) {
        if (!is_wanted(&n->kinds.items[i], type))
            continue;
        begin_kind(n, &n->kinds.items[i]);
        add_instance(n, &n->kinds.items[i], e, instance, 0);
    }
    find_rows(n);
    return n;
}

void ct_world_inspection_free(ct_world_inspection *n) {
    free_saving(&n->saving);
    ct_array_free(&n->components);
    ct_array_free(&n->places);
    ct_array_free(&n->kinds.fields);
    ct_free_sized(n->allocator, n, sizeof(*n));
}

const ct_inspected_component *ct_world_inspected(const ct_world_inspection *n, uint32_t *count) {
    *count = n->components.count;
    return n->components.items;
}

const void *ct_world_inspected_bytes(const ct_world_inspection *n, const ct_inspected_component *c,
                                     const ct_save_field *field, uint32_t *size_bytes) {
    ct_saved_bytes bytes;
    memcpy(&bytes, c->row + field->offset, sizeof(bytes));
    *size_bytes = bytes.size_bytes;
    return n->saving.writer.bytes.items + n->places.items[c - n->components.items].bytes +
           bytes.offset;
}

// --- Setting -------------------------------------------------------------------------------------

// Takes out of a row what an inspection cannot give back.
static void keep_others(const ct_save_component *kind, uint8_t *row) {
    static const ct_saved_bytes unchanged = {0, UINT32_MAX};
    for (uint32_t i = 0; i < kind->num_fields; ++i) {
        const ct_save_field *const f = &kind->fields[i];
        if (f->kind == CT_SAVE_KIND_BYTES)
            memcpy(row + f->offset, &unchanged, sizeof(unchanged));
        else if (f->kind == CT_SAVE_KIND_ENTITY)
            memset(row + f->offset, 0, f->size_bytes);
    }
}

// Loads one row, as if a save had it.
static bool set_row(ct_world *w, const ct_save_component *kind, ct_entity e, uint32_t instance,
                    const void *row, ct_error *error) {
    ct_world_loading l = {.world = w};
    uint8_t *const copy = ct_alloc(w->allocator, kind->row_bytes + 1ull);
    memcpy(copy, row, kind->row_bytes);
    keep_others(kind, copy);
    init_saving(&l.now, w);
    ct_array_init(&l.sleeping, w->allocator);
    const bool is_set = kind->set(&l, kind->user, e, instance, copy, error);
    ct_array_free(&l.sleeping);
    free_saving(&l.now);
    ct_free_sized(w->allocator, copy, kind->row_bytes + 1ull);
    return is_set;
}

bool ct_world_inspect_set(ct_world *w, ct_entity e, const char *type, uint32_t instance,
                          const void *row, ct_error *error) {
    ct_world_save_kinds kinds;
    bool is_set = false, is_known = false;
    ct_world_save_kinds_init(&kinds, w, NULL, 0);
    for (uint32_t i = 0; i < kinds.count && !is_known; ++i) {
        is_known = kinds.items[i].set && strcmp(kinds.items[i].name, type) == 0;
        if (is_known)
            is_set = set_row(w, &kinds.items[i], e, instance, row, error);
    }
    ct_array_free(&kinds.fields);
    return is_known ? is_set : ct_error_set(error, "there is no component \"%.64s\"", type);
}
