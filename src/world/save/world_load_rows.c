// The components of a world that is loaded get their saved values.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "world/save/world_save_private.h"

// --- Access --------------------------------------------------------------------------------------

const void *ct_world_load_bytes(const ct_world_loading *l, ct_saved_bytes bytes) {
    return l->bytes + bytes.offset;
}

ct_entity ct_world_load_entity(const ct_world_loading *l, uint32_t number) {
    return number && number <= l->now.entities.count ? l->now.entities.items[number - 1]
                                                     : (ct_entity){0};
}

void ct_world_load_count_cleared(ct_world_loading *l, uint32_t count) {
    l->num_cleared += count;
}

ct_level ct_world_load_level(const ct_world_loading *l, uint32_t number) {
    return number && number <= l->levels.count ? l->levels.items[number - 1] : (ct_level){0};
}

ct_world *ct_world_loading_world(const ct_world_loading *l) {
    return l->world;
}

void ct_world_load_sleeping(ct_world_loading *l, ct_actor actor) {
    ct_array_push(&l->sleeping, actor);
}

const ct_saved_type *ct_world_load_type(const ct_world_loading *l, const char *name) {
    const ct_saved_type *const types = ct_saved_at(l->saved, &l->saved->types);
    for (uint64_t i = 0; i < l->saved->types.count; ++i) {
        if (strcmp(ct_saved_text(l->saved, types[i].name), name) == 0)
            return &types[i];
    }
    return NULL;
}

const uint8_t *ct_world_load_row(const ct_world_loading *l, const ct_saved_type *type,
                                 uint32_t entity) {
    const uint8_t *const rows = ct_saved_at(l->saved, &type->rows);
    uint64_t first = 0, count = type->rows.count;
    uint32_t found;
    while (count > 0) {
        const uint64_t half = count / 2;
        memcpy(&found, rows + (first + half) * type->row_bytes, sizeof(found));
        const bool is_below = found < entity;
        first += is_below ? half + 1 : 0;
        count = is_below ? count - half - 1 : half;
    }
    if (first == type->rows.count)
        return NULL;
    memcpy(&found, rows + first * type->row_bytes, sizeof(found));
    return found == entity ? rows + first * type->row_bytes : NULL;
}

// --- Fields --------------------------------------------------------------------------------------

// Where the saved fields go: from a saved row to a row of now.
typedef struct field_move {
    uint32_t from, to, size_bytes;
    ct_save_kind kind;
} field_move;

typedef struct kind_load {
    ct_world_loading *loading;
    const ct_save_component *kind;
    const ct_saved_type *type;
    CT_ARRAY(field_move) moves;
    uint64_t bytes_missing; // bits of fields of the kind BYTES that the save does not have
    const uint8_t *row, *end;
} kind_load;

// Lists the fields that the save and the kind have; reports the others.
static void plan_fields(kind_load *k, bool is_reported) {
    ct_world_loading *const l = k->loading;
    const ct_saved_field *const saved =
        (const ct_saved_field *)ct_saved_at(l->saved, &l->saved->fields) + k->type->first_field;
    uint32_t num_used = 0;
    for (uint32_t i = 0; i < k->kind->num_fields; ++i) {
        const ct_save_field *const field = &k->kind->fields[i];
        uint32_t from = 0;
        while (from < k->type->num_fields &&
               strcmp(ct_saved_text(l->saved, saved[from].name), field->name) != 0)
            ++from;
        const bool is_there = from < k->type->num_fields;
        const bool fits = is_there && saved[from].kind == field->kind &&
                          saved[from].size_bytes == field->size_bytes;
        num_used += is_there;
        if (fits)
            ct_array_push(&k->moves, (field_move){saved[from].offset, field->offset,
                                                  field->size_bytes, field->kind});
        else if (field->kind == CT_SAVE_KIND_BYTES && i < 64)
            k->bytes_missing |= 1ull << i;
        if (!fits && is_reported && k->type->rows.count > 0)
            ct_world_load_problem(l, 0,
                                  "the field \"%s\" of the component \"%s\" %s: it has its default",
                                  field->name, k->kind->name,
                                  is_there ? "was of another type" : "is not in the save");
    }
    for (uint32_t i = 0; is_reported && i < k->type->num_fields && num_used < k->type->num_fields;
         ++i) {
        const char *const name = ct_saved_text(l->saved, saved[i].name);
        bool is_known = false;
        for (uint32_t f = 0; f < k->kind->num_fields; ++f)
            is_known |= strcmp(k->kind->fields[f].name, name) == 0;
        if (!is_known && k->type->rows.count > 0)
            ct_world_load_problem(l, 0,
                                  "the component \"%s\" does not have the field \"%s\" any more: "
                                  "its values are left out",
                                  k->kind->name, name);
    }
}

bool ct_world_load_is_finite(const void *floats, uint32_t size_bytes) {
    for (uint32_t at = 0; at < size_bytes; at += sizeof(float)) {
        float number;
        memcpy(&number, (const char *)floats + at, sizeof(number));
        if (!isfinite(number))
            return false;
    }
    return true;
}

// Moves the fields of a saved row over those that an instance has; NaN and infinite numbers stay out.
static void overlay(const kind_load *k, const uint8_t *saved, uint8_t *row) {
    for (uint32_t i = 0; i < k->moves.count; ++i) {
        const field_move *const m = &k->moves.items[i];
        if (m->kind != CT_SAVE_KIND_F32 || ct_world_load_is_finite(saved + m->from, m->size_bytes))
            memcpy(row + m->to, saved + m->from, m->size_bytes);
    }
    static const ct_saved_bytes missing = {0, UINT32_MAX};
    for (uint32_t i = 0; k->bytes_missing && i < k->kind->num_fields && i < 64; ++i) {
        if (k->bytes_missing >> i & 1)
            memcpy(row + k->kind->fields[i].offset, &missing, sizeof(missing));
    }
}

// Whether an instance has what the row says. `now` is a row of the loading's own writer.
static bool is_same(const kind_load *k, const uint8_t *now, const uint8_t *row) {
    const ct_world_loading *const l = k->loading;
    const uint8_t *const own = l->now.writer.bytes.items;
    for (uint32_t i = 0; i < k->kind->num_fields; ++i) {
        const ct_save_field *const f = &k->kind->fields[i];
        if (f->kind != CT_SAVE_KIND_BYTES) {
            if (memcmp(now + f->offset, row + f->offset, f->size_bytes) != 0)
                return false;
            continue;
        }
        ct_saved_bytes a, b;
        memcpy(&a, now + f->offset, sizeof(a));
        memcpy(&b, row + f->offset, sizeof(b));
        if (b.size_bytes != UINT32_MAX &&
            (a.size_bytes != b.size_bytes ||
             (a.size_bytes > 0 && memcmp(own + a.offset, l->bytes + b.offset, a.size_bytes) != 0)))
            return false;
    }
    return true;
}

// --- Instances -----------------------------------------------------------------------------------

static const char *unit_name(const ct_world_loading *l, ct_entity e) {
    const ct_entity unit = ct_world_unit_of(l->world, e);
    return ct_string_id64_name(ct_world_unit_resource(l->world, unit));
}

static bool is_alive(const ct_world_loading *l, ct_entity e) {
    return e.id && ct_entity_is_alive(l->world->system->entities, e);
}

static void report(ct_world_loading *l, const ct_save_component *kind, ct_entity e,
                   const ct_error *error) {
    if (!is_alive(l, e)) // its own function has ended it
        return;
    const uint64_t key = ct_world_unit_resource(l->world, ct_world_unit_of(l->world, e)).value ^
                         ct_string_id64_of(kind->name).value;
    ct_world_load_problem(l, key, "the component \"%s\" of the unit \"%s\" is not restored: %s",
                          kind->name, unit_name(l, e), error->message);
}

// Writes what an instance has into `now`, a row.
static void read_now(kind_load *k, ct_entity e, uint32_t i, uint8_t *now) {
    ct_saved_world_writer *const w = &k->loading->now.writer;
    w->bytes.count = 0;
    w->types.items[0].bytes = (ct_saved_range){0, 0};
    memset(now, 0, k->kind->row_bytes);
    k->kind->get(&k->loading->now, k->kind->user, e, i, now);
}

static void load_instance(kind_load *k, ct_entity e, uint32_t i, const uint8_t *saved) {
    const ct_save_component *const kind = k->kind;
    uint8_t *const now = k->loading->now_row, *const row = k->loading->row;
    ct_error error = {0};
    if (i && !kind->always_sets)
        read_now(k, e, i, now);
    else
        memset(now, 0, kind->row_bytes);
    if (!i && kind->defaults)
        kind->defaults(kind->user, now);
    memcpy(row, now, kind->row_bytes);
    overlay(k, saved, row);
    if (!i) {
        ct_saved_row head;
        memcpy(&head, saved, sizeof(head));
        i = kind->add ? kind->add(k->loading, kind->user, e, head.id, row, &error) : 0;
        if (!i && !error.message[0])
            ct_error_set(&error, "its unit does not have it any more");
    } else if (!kind->always_sets && is_same(k, now, row)) {
        return;
    }
    if (!i || !kind->set(k->loading, kind->user, e, i, row, &error))
        report(k->loading, kind, e, &error);
}

static uint32_t next_of(const kind_load *k, ct_entity e, uint32_t i) {
    return k->kind->next ? k->kind->next(k->loading->world, k->kind->user, e, i) : 0;
}

// Returns the entity's instance number `which` (from 0) with this id, or 0.
static uint32_t find_instance(const kind_load *k, ct_entity e, uint32_t id, uint32_t which) {
    const ct_world *const w = k->loading->world;
    for (uint32_t i = k->kind->first(w, k->kind->user, e); i; i = next_of(k, e, i)) {
        if ((k->kind->id ? k->kind->id(w, k->kind->user, i) : 0) == id && which-- == 0)
            return i;
    }
    return 0;
}

// Returns how many of `count` rows from `rows` on have this id.
static uint32_t count_id(const kind_load *k, const uint8_t *rows, uint32_t count, uint32_t id) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        ct_saved_row head;
        memcpy(&head, rows + (uint64_t)i * k->type->row_bytes, sizeof(head));
        found += head.id == id;
    }
    return found;
}

// Removes an entity's instances that the save does not have. Those that came with a changed unit stay.
static void remove_others(kind_load *k, ct_entity e, const uint8_t *rows, uint32_t count) {
    const ct_world *const w = k->loading->world;
    for (uint32_t i = k->kind->first(w, k->kind->user, e); i;) {
        const uint32_t id = k->kind->id ? k->kind->id(w, k->kind->user, i) : 0;
        uint32_t num_before = 0;
        for (uint32_t at = k->kind->first(w, k->kind->user, e); at != i; at = next_of(k, e, at))
            num_before += (k->kind->id ? k->kind->id(w, k->kind->user, at) : 0) == id;
        if (num_before < count_id(k, rows, count, id)) {
            i = next_of(k, e, i);
            continue;
        }
        k->kind->remove(w, k->kind->user, e, i);
        i = k->kind->first(w, k->kind->user, e);
    }
}

void ct_world_load_add_missing(ct_world_loading *l, const ct_save_component *kind,
                               const ct_saved_type *type) {
    kind_load k = {.loading = l, .kind = kind, .type = type};
    ct_allocator *const a = l->world->allocator;
    uint8_t *const row = ct_alloc(a, kind->row_bytes);
    uint32_t num_before = 0; // rows of the entity
    ct_saved_row last = {0};
    ct_array_init(&k.moves, a);
    plan_fields(&k, false);
    l->bytes = ct_saved_at(l->saved, &type->bytes);
    k.row = ct_saved_at(l->saved, &type->rows);
    k.end = k.row + type->rows.count * type->row_bytes;
    for (; kind->add && k.row < k.end; k.row += type->row_bytes) {
        ct_saved_row head;
        ct_error error;
        memcpy(&head, k.row, sizeof(head));
        num_before = head.entity == last.entity ? num_before : 0;
        last = head;
        const uint8_t *const first = k.row - (uint64_t)num_before * type->row_bytes;
        const uint32_t which = count_id(&k, first, num_before++, head.id);
        const ct_entity e = l->now.entities.items[head.entity];
        if (!is_alive(l, e) || find_instance(&k, e, head.id, which))
            continue;
        memset(row, 0, kind->row_bytes);
        if (kind->defaults)
            kind->defaults(kind->user, row);
        overlay(&k, k.row, row);
        kind->add(l, kind->user, e, head.id, row,
                  &error); // one that cannot be is reported with its row
    }
    ct_array_free(&k.moves);
    ct_free_sized(a, row, kind->row_bytes);
}

static bool is_changed(const ct_world_loading *l, uint32_t entity, uint32_t *unit) {
    const ct_saved_unit *const units = ct_saved_at(l->saved, &l->saved->units);
    while (entity >= units[*unit].first_entity + units[*unit].num_entities)
        ++*unit;
    const ct_saved_unit *const s = &units[*unit];
    const ct_level level = ct_world_load_level(l, s->level);
    return ct_world_save_template(l->world, l->desc->units[*unit], level) != s->checksum;
}

// The rows of entity `n` begin at k->row. Returns how many there are.
static uint32_t rows_of(const kind_load *k, uint32_t n) {
    uint32_t count = 0;
    for (const uint8_t *row = k->row; row < k->end; row += k->type->row_bytes, ++count) {
        uint32_t entity;
        memcpy(&entity, row, sizeof(entity));
        if (entity != n)
            break;
    }
    return count;
}

static void load_entity(kind_load *k, uint32_t n, uint32_t count, bool prepares, uint32_t *unit) {
    ct_world_loading *const l = k->loading;
    const ct_entity e = l->now.entities.items[n];
    const uint32_t first = k->kind->first(l->world, k->kind->user, e);
    if (!prepares && k->kind->remove && first && !(count == 1 && !next_of(k, e, first)) &&
        !is_changed(l, n, unit))
        remove_others(k, e, k->row, count);
    for (uint32_t r = 0; r < count && is_alive(l, e); ++r) { // until a script ends it
        const uint8_t *const row = k->row + (uint64_t)r * k->type->row_bytes;
        ct_saved_row head;
        memcpy(&head, row, sizeof(head));
        const uint32_t i = find_instance(k, e, head.id, count_id(k, k->row, r, head.id));
        if (!prepares) {
            load_instance(k, e, i, row);
        } else if (i) {
            read_now(k, e, i, l->row);
            overlay(k, row, l->row);
            k->kind->prepare(l, k->kind->user, e, i, l->row);
        }
    }
}

static void walk(kind_load *k, bool prepares) {
    ct_world_loading *const l = k->loading;
    uint32_t unit = 0;
    k->row = ct_saved_at(l->saved, &k->type->rows);
    k->end = k->row + k->type->rows.count * k->type->row_bytes;
    const bool has_any = k->kind->count(l->world, k->kind->user) > 0;
    for (uint32_t n = 0; n < l->now.entities.count && (has_any || k->row < k->end); ++n) {
        const uint32_t count = rows_of(k, n);
        if (is_alive(l, l->now.entities.items[n]))
            load_entity(k, n, count, prepares, &unit);
        k->row += (uint64_t)count * k->type->row_bytes;
    }
}

static void load_whole(kind_load *k) {
    ct_world_loading *const l = k->loading;
    ct_error error = {0};
    const uint8_t *const row = ct_saved_at(l->saved, &k->type->rows);
    const ct_saved_field *const field =
        (const ct_saved_field *)ct_saved_at(l->saved, &l->saved->fields) + k->type->first_field;
    ct_saved_bytes bytes;
    if (k->type->rows.count == 0 || k->type->num_fields != 1 || field->kind != CT_SAVE_KIND_BYTES)
        return;
    memcpy(&bytes, row + field->offset, sizeof(bytes));
    if (!k->kind->load_whole(l, k->kind->user, l->bytes + bytes.offset, bytes.size_bytes, &error))
        ct_world_load_problem(l, 0, "the state \"%s\" is not restored: %s", k->kind->name,
                              error.message);
}

// `is_own`: a kind of this floor, whose functions do nothing else to the world.
static void load_kind(ct_world_loading *l, const ct_save_component *kind, bool is_own) {
    kind_load k = {.loading = l, .kind = kind, .type = ct_world_load_type(l, kind->name)};
    if (!k.type)
        return;
    l->bytes = ct_saved_at(l->saved, &k.type->bytes);
    if (kind->load_whole) {
        load_whole(&k);
        return;
    }
    if (k.type->rows.count == 0 && !kind->remove)
        return;
    if (is_own && ct_world_load_column(l, kind, k.type, report))
        return;
    ct_array_init(&k.moves, l->world->allocator);
    plan_fields(&k, true);
    if (kind->prepare)
        walk(&k, true);
    walk(&k, false);
    ct_array_free(&k.moves);
}

void ct_world_load_rows(ct_world_loading *l, const ct_world_save_kinds *kinds) {
    const ct_saved_type *const types = ct_saved_at(l->saved, &l->saved->types);
    ct_allocator *const a = l->world->allocator;
    for (uint32_t i = 0; i < kinds->count; ++i)
        l->row_bytes =
            kinds->items[i].row_bytes > l->row_bytes ? kinds->items[i].row_bytes : l->row_bytes;
    l->now_row = ct_alloc(a, l->row_bytes);
    l->row = ct_alloc(a, l->row_bytes);
    ct_saved_world_begin_type(&l->now.writer, "now", NULL, 0, 0);
    for (uint64_t i = 0; i < l->saved->types.count; ++i) {
        const char *const name = ct_saved_text(l->saved, types[i].name);
        bool is_known = false;
        for (uint32_t k = 0; k < kinds->count; ++k)
            is_known |= strcmp(kinds->items[k].name, name) == 0;
        if (!is_known && types[i].rows.count > 0)
            ct_world_load_problem(l, 0,
                                  "components of the type \"%s\" do not exist any more: %llu are "
                                  "left out",
                                  name, (unsigned long long)types[i].rows.count);
    }
    for (uint32_t i = 0; i < kinds->count; ++i)
        load_kind(l, &kinds->items[i], i + l->desc->num_extra < kinds->count);
    if (l->num_cleared > 0)
        ct_world_load_problem(l, 0,
                              "%u references to entities or parts of them that are not in the save "
                              "or not there are cleared",
                              l->num_cleared);
    ct_free_sized(a, l->now_row, l->row_bytes);
    ct_free_sized(a, l->row, l->row_bytes);
}
