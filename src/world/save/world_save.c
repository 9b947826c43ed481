#include "world/save/world_save.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "world/save/world_save_private.h"

// --- Kinds ---------------------------------------------------------------------------------------

static uint32_t table_count(const ct_world *w, void *user) {
    (void)w;
    return ct_instance_table_count(ct_component_table_instances(user));
}

static uint32_t table_first(const ct_world *w, void *user, ct_entity e) {
    (void)w;
    return ct_instance_table_first(ct_component_table_instances(user), e);
}

static uint32_t table_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    const ct_instance_table *const t = ct_component_table_instances(user);
    (void)w, (void)e;
    return t->next ? t->next[i] : 0;
}

static uint32_t table_id(const ct_world *w, void *user, uint32_t i) {
    const ct_instance_table *const t = ct_component_table_instances(user);
    (void)w;
    return t->id ? t->id[i] : 0;
}

static void table_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    (void)s, (void)e;
    ct_component_table_get(user, &i, 1, row);
}

// Fields with values that the schema refuses keep what they have.
static bool table_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                      ct_error *error) {
    const ct_schema *const schema = ct_component_table_schema(user);
    (void)e;
    if (ct_schema_check(schema, row, error)) {
        ct_component_table_set(user, &i, 1, row);
        return true;
    }
    ct_allocator *const a = l->world->allocator;
    uint8_t *const own = ct_alloc(a, schema->size_bytes), *const tried =
                                                              ct_alloc(a, schema->size_bytes);
    ct_component_table_get(user, &i, 1, own);
    for (uint32_t k = 0; k < schema->num_fields; ++k) {
        const ct_field *const f = &schema->fields[k];
        ct_schema_defaults(schema, tried);
        memcpy(tried + f->offset, (const uint8_t *)row + f->offset, f->size_bytes);
        if (ct_schema_check(schema, tried, NULL))
            memcpy(own + f->offset, tried + f->offset, f->size_bytes);
    }
    ct_component_table_set(user, &i, 1, own);
    ct_free_sized(a, own, schema->size_bytes);
    ct_free_sized(a, tried, schema->size_bytes);
    return false;
}

static void table_defaults(void *user, void *row) {
    ct_schema_defaults(ct_component_table_schema(user), row);
}

static uint32_t table_add(ct_world_loading *l, void *user, ct_entity e, uint32_t id,
                          const void *row, ct_error *error) {
    const bool is_single = ct_component_table_is_single(user);
    if (!ct_instance_table_has_room(ct_component_table_instances(user), 1,
                                    ct_component_table_schema(user)->name, error))
        return 0;
    // `row` may have values that the schema refuses; `set` comes next.
    ct_allocator *const a = l->world->allocator;
    const uint32_t bytes = ct_component_table_schema(user)->size_bytes;
    void *const first = ct_alloc(a, bytes);
    ct_schema_defaults(ct_component_table_schema(user), first);
    const uint32_t i = ct_component_table_add(user, &e, is_single ? NULL : &id, first, 1);
    ct_free_sized(a, first, bytes);
    (void)row;
    return i;
}

static void table_remove(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)w, (void)e;
    ct_component_table_erase(user, i);
}

static ct_save_kind kind_of(ct_field_type type) {
    switch (type) {
    case CT_FIELD_TYPE_BOOL:
    case CT_FIELD_TYPE_ENUM:
    case CT_FIELD_TYPE_INDEX:
        return CT_SAVE_KIND_U32;
    case CT_FIELD_TYPE_INT:
        return CT_SAVE_KIND_I32;
    case CT_FIELD_TYPE_TEXT:
        return CT_SAVE_KIND_TEXT;
    case CT_FIELD_TYPE_NAME:
        return CT_SAVE_KIND_ID32;
    case CT_FIELD_TYPE_REFERENCE:
    case CT_FIELD_TYPE_REFERENCES:
        return CT_SAVE_KIND_ID64;
    default:
        return CT_SAVE_KIND_F32;
    }
}

static bool is_saved(const ct_field *field) {
    return field->type != CT_FIELD_TYPE_PADDING && field->type < CT_FIELD_TYPE_STRING;
}

static bool is_saved_field(const ct_field *field) {
    return is_saved(field) || field->type == CT_FIELD_TYPE_INDEX;
}

static void add_table(ct_world_save_kinds *kinds, ct_component_table *table) {
    const ct_schema *const schema = ct_component_table_schema(table);
    const uint32_t first = kinds->fields.count;
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const f = &schema->fields[i];
        if (is_saved_field(f))
            ct_array_push(&kinds->fields,
                          (ct_save_field){f->name, kind_of(f->type), f->offset, f->size_bytes});
    }
    kinds->items[kinds->count++] = (ct_save_component){.name = schema->name,
                                                       .num_fields = kinds->fields.count - first,
                                                       .row_bytes = schema->size_bytes,
                                                       .user = table,
                                                       .count = table_count,
                                                       .first = table_first,
                                                       .next = table_next,
                                                       .id = table_id,
                                                       .get = table_get,
                                                       .set = table_set,
                                                       .add = table_add,
                                                       .remove = table_remove,
                                                       .defaults = table_defaults};
}

static void add_kinds(ct_world_save_kinds *kinds, const ct_save_component *items, uint32_t count) {
    CT_ASSERT(kinds->count + count <= CT_WORLD_SAVE_MAX_KINDS, "too many kinds of components");
    for (uint32_t i = 0; i < count; ++i)
        kinds->items[kinds->count++] = items[i];
}

void ct_world_save_kinds_init(ct_world_save_kinds *kinds, const ct_world *w,
                              const ct_save_component *extra, uint32_t num_extra) {
    const ct_world_system *const s = w->system;
    kinds->count = 0;
    ct_array_init(&kinds->fields, w->allocator);
    add_kinds(kinds, ct_save_entity_kinds, ct_save_num_entity_kinds);
    add_kinds(kinds, ct_save_render_kinds, ct_save_num_render_kinds);
    add_kinds(kinds, ct_save_system_kinds, ct_save_num_system_kinds);
    const uint32_t first = kinds->count;
    for (uint32_t i = 0; i < s->components.count && kinds->count < CT_WORLD_SAVE_MAX_KINDS; ++i)
        add_table(kinds, ct_world_component_table(w, s->components.items[i].schema->name));
    for (uint32_t i = first, field = 0; i < kinds->count; field += kinds->items[i++].num_fields)
        kinds->items[i].fields = kinds->fields.items + field; // now that they do not move
    add_kinds(kinds, extra, num_extra);
}

// --- What components call ------------------------------------------------------------------------

ct_saved_bytes ct_world_save_bytes(ct_world_saving *s, const void *data, uint32_t size_bytes) {
    return ct_saved_world_add_bytes(&s->writer, data, size_bytes);
}

uint32_t ct_world_save_entity(const ct_world_saving *s, ct_entity e) {
    const uint32_t index = ct_entity_index(e);
    const uint32_t number = e.id && index < s->numbers.count ? s->numbers.items[index] : 0;
    return number && ct_entity_equal(s->entities.items[number - 1], e) ? number : 0;
}

ct_world *ct_world_saving_world(const ct_world_saving *s) {
    return s->world;
}

ct_byte_array *ct_world_saving_scratch(ct_world_saving *s) {
    s->scratch.count = 0;
    return &s->scratch;
}

uint32_t ct_world_save_level(const ct_world_saving *s, ct_level level) {
    for (uint32_t i = 0; i < s->levels.count; ++i) {
        if (s->levels.items[i].id == level.id)
            return i + 1;
    }
    return 0;
}

static const ct_save_component *kind_named(const char *name) {
    for (uint32_t i = 0; i < ct_save_num_render_kinds; ++i) {
        if (strcmp(ct_save_render_kinds[i].name, name) == 0)
            return &ct_save_render_kinds[i];
    }
    for (uint32_t i = 0; i < ct_save_num_system_kinds; ++i) {
        if (strcmp(ct_save_system_kinds[i].name, name) == 0)
            return &ct_save_system_kinds[i];
    }
    CT_ASSERT(false, "there is no kind \"%s\" of parts", name);
    return NULL;
}

bool ct_world_save_part(const ct_world *w, const char *kind, ct_entity e, uint32_t i, uint32_t *id,
                        uint32_t *which) {
    const ct_save_component *const k = kind_named(kind);
    uint32_t at = k->first(w, NULL, e);
    *id = k->id(w, NULL, i);
    for (*which = 0; at && at != i; at = k->next(w, NULL, e, at))
        *which += k->id(w, NULL, at) == *id;
    return at != 0;
}

uint32_t ct_world_load_part(const ct_world *w, const char *kind, ct_entity e, uint32_t id,
                            uint32_t which) {
    const ct_save_component *const k = kind_named(kind);
    uint32_t at = k->first(w, NULL, e);
    while (at && (k->id(w, NULL, at) != id || which-- > 0))
        at = k->next(w, NULL, e, at);
    return at;
}

// --- Entities ------------------------------------------------------------------------------------

void ct_world_save_number(ct_world_saving *s, ct_entity e) {
    const uint32_t index = ct_entity_index(e);
    ct_array_push(&s->entities, e);
    if (!e.id)
        return;
    if (index >= s->numbers.count) {
        const uint32_t count = s->world->system->families.count; // by entity index, too
        ct_array_resize(&s->numbers, count > index ? count : index + 1);
    }
    s->numbers.items[index] = s->entities.count;
}

uint64_t ct_world_save_template(const ct_world *w, ct_entity unit, ct_level level) {
    const ct_resource_manager *const resources = w->system->resources;
    const ct_unit_resource *const r =
        level.id ? NULL
                 : ct_resource_manager_get(resources, "unit", ct_world_unit_resource(w, unit));
    for (uint32_t i = 0; level.id && i < w->levels.count; ++i) {
        if (w->levels.items[i].id == level.id)
            return w->level_records.items[i].checksum;
    }
    return r ? r->header.checksum : 0;
}

static void add_level(ct_world_saving *s, ct_level level, const ct_level_record *record) {
    ct_saved_level saved = {
        .resource = record->resource.value,
        .name = ct_saved_world_add_text(&s->writer, ct_string_id64_name(record->resource)),
        .first_id = s->writer.level_ids.count,
        .num_ids = record->num_units};
    const ct_vec3 position = ct_mat4_position(record->pose.matrix);
    memcpy(saved.position, &position, sizeof(saved.position));
    memcpy(saved.rotation, &record->pose.rotation, sizeof(saved.rotation));
    memcpy(saved.scale, &record->pose.scale, sizeof(saved.scale));
    if (record->num_units > 0)
        ct_array_push_many(&s->writer.level_ids, record->ids, record->num_units);
    ct_array_push(&s->writer.levels, saved);
    ct_array_push(&s->levels, level);
}

// Adds a unit with all entities below it. The name of the last resource is used again.
static void add_unit(ct_world_saving *s, ct_entity unit, uint32_t level, uint32_t level_id) {
    ct_saved_world_writer *const w = &s->writer;
    const ct_string_id64 resource = ct_world_unit_resource(s->world, unit);
    const ct_saved_unit *const last = w->units.count ? &w->units.items[w->units.count - 1] : NULL;
    const ct_level of = level ? s->levels.items[level - 1] : (ct_level){0};
    ct_saved_unit saved = {.resource = resource.value,
                           .level = level,
                           .level_id = level_id,
                           .entity_id = unit.id,
                           .first_entity = s->entities.count};
    const bool is_same = last && last->resource == resource.value;
    saved.name = is_same ? last->name : ct_saved_world_add_text(w, ct_string_id64_name(resource));
    saved.checksum = is_same && last->level == level ? last->checksum
                                                     : ct_world_save_template(s->world, unit, of);
    for (ct_entity e = unit; e.id; e = ct_world_next_entity(s->world, unit, e))
        ct_world_save_number(s, e);
    saved.num_entities = s->entities.count - saved.first_entity;
    ct_array_push(&w->units, saved);
}

// Units of levels in their order there, then all others in that of the world.
static void add_units(ct_world_saving *s) {
    const ct_world *const w = s->world;
    const ct_entity_manager *const entities = w->system->entities;
    for (uint32_t i = 0; i < w->levels.count; ++i)
        add_level(s, w->levels.items[i], &w->level_records.items[i]);
    for (uint32_t i = 0; i < w->levels.count; ++i) {
        const ct_level_record *const record = &w->level_records.items[i];
        for (uint32_t k = 0; k < record->num_units; ++k) {
            const ct_entity unit = record->units[k];
            if (unit.id && ct_entity_is_alive(entities, unit) && !ct_world_save_entity(s, unit))
                add_unit(s, unit, i + 1, record->ids[k]);
        }
    }
    for (uint32_t i = 0; i < w->units.count; ++i) {
        if (!ct_world_save_entity(s, w->units.items[i]))
            add_unit(s, w->units.items[i], 0, 0);
    }
    s->writer.num_entities = s->entities.count;
}

// --- Saving --------------------------------------------------------------------------------------

static const ct_save_field whole_fields[] = {{"state", CT_SAVE_KIND_BYTES, 0, 8}};

static void save_whole(ct_world_saving *s, const ct_save_component *kind) {
    ct_saved_world_begin_type(&s->writer, kind->name, whole_fields, 1, sizeof(ct_saved_bytes));
    ct_byte_array *const state = ct_world_saving_scratch(s);
    kind->save_whole(s, kind->user, state);
    if (state->count == 0)
        return;
    void *const row = ct_saved_world_add_row(&s->writer, 0, 0);
    const ct_saved_bytes bytes = ct_world_save_bytes(s, state->items, state->count);
    memcpy(row, &bytes, sizeof(bytes));
}

static void save_rows(ct_world_saving *s, const ct_save_component *kind) {
    for (uint32_t n = 0; n < s->entities.count; ++n) {
        const ct_entity e = s->entities.items[n];
        for (uint32_t i = kind->first(s->world, kind->user, e); i;
             i = kind->next ? kind->next(s->world, kind->user, e, i) : 0) {
            const uint32_t id = kind->id ? kind->id(s->world, kind->user, i) : 0;
            kind->get(s, kind->user, e, i, ct_saved_world_add_row(&s->writer, n, id));
        }
    }
}

// An instance of a kind whose functions call scripts.
typedef struct called_row {
    uint32_t entity, id; // the entity's number
} called_row;

// Finds all instances first, since scripts may end some and make others, which are not saved then.
static void save_called_rows(ct_world_saving *s, const ct_save_component *kind) {
    CT_ARRAY(called_row) all;
    ct_array_init(&all, s->world->allocator);
    for (uint32_t n = 0; n < s->entities.count; ++n) {
        const ct_entity e = s->entities.items[n];
        for (uint32_t i = kind->first(s->world, kind->user, e); i;
             i = kind->next ? kind->next(s->world, kind->user, e, i) : 0)
            ct_array_push(&all, (called_row){n, kind->id ? kind->id(s->world, kind->user, i) : 0});
    }
    for (uint32_t k = 0; k < all.count; ++k) {
        const called_row row = all.items[k];
        const ct_entity e = s->entities.items[row.entity];
        if (!ct_entity_is_alive(s->world->system->entities, e))
            continue;
        uint32_t i = kind->first(s->world, kind->user, e);
        while (i && kind->id && kind->id(s->world, kind->user, i) != row.id)
            i = kind->next ? kind->next(s->world, kind->user, e, i) : 0;
        if (i)
            kind->get(s, kind->user, e, i, ct_saved_world_add_row(&s->writer, row.entity, row.id));
    }
    ct_array_free(&all);
}

static void save_kind(ct_world_saving *s, const ct_save_component *kind) {
    if (kind->save_whole) {
        save_whole(s, kind);
        return;
    }
    ct_saved_world_begin_type(&s->writer, kind->name, kind->fields, kind->num_fields,
                              kind->row_bytes);
    const uint32_t count = kind->count(s->world, kind->user);
    if (count == 0)
        return;
    const uint32_t row_bytes = s->writer.types.items[s->writer.types.count - 1].row_bytes;
    const uint64_t room =
        (uint64_t)(count < s->entities.count ? count : s->entities.count) * row_bytes;
    if (s->writer.rows.count + room <= UINT32_MAX)
        ct_array_reserve(&s->writer.rows, (uint32_t)(s->writer.rows.count + room));
    if (kind->always_sets)
        save_called_rows(s, kind);
    else
        save_rows(s, kind);
}

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

void ct_world_save(ct_world *w, const ct_save_component *extra, uint32_t num_extra,
                   ct_byte_array *out) {
    ct_world_saving s;
    ct_world_save_kinds kinds;
    init_saving(&s, w);
    ct_world_save_kinds_init(&kinds, w, extra, num_extra);
    s.writer.time = w->time;
    add_units(&s);
    for (uint32_t i = 0; i < kinds.count; ++i)
        save_kind(&s, &kinds.items[i]);
    ct_saved_world_finish(&s.writer, out);
    ct_array_free(&kinds.fields);
    free_saving(&s);
}

// --- Loading -------------------------------------------------------------------------------------

bool ct_world_load(ct_world *w, const ct_world_load_desc *desc, ct_error *error) {
    if (!ct_world_system_can_change_rows(w->system) || w->is_ending)
        return ct_error_set(error, w->is_ending ? "the world is about to end"
                                                : "a world cannot be loaded while it is updated");
    ct_world_loading l = {.world = w, .desc = desc, .saved = desc->bytes};
    ct_world_save_kinds kinds;
    init_saving(&l.now, w);
    ct_array_init(&l.levels, w->allocator);
    ct_array_init(&l.sleeping, w->allocator);
    ct_array_init(&l.instances, w->allocator);
    ct_hash_map_init(&l.told, w->allocator);
    ct_world_load_units(&l);
    w->time = l.saved->time;
    ct_world_save_kinds_init(&kinds, w, desc->extra, desc->num_extra);
    ct_world_load_rows(&l, &kinds);
    for (uint32_t i = 0; i < l.sleeping.count; ++i) {
        ct_bullet_body *const body = ct_actor_bullet(ct_world_physics(w), l.sleeping.items[i]);
        if (body)
            ct_bullet_body_sleep(body);
    }
    ct_array_free(&kinds.fields);
    ct_array_free(&l.levels);
    ct_array_free(&l.sleeping);
    ct_array_free(&l.instances);
    ct_hash_map_free(&l.told);
    free_saving(&l.now);
    return true;
}
