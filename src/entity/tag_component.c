#include "entity/tag_private.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "resource/types/component/tag_data.h"

enum {
    MOST_ENDED = 4096, // rows and tags that they have, each frame; the last row is ended whole
    NUM_KINDS = 16,    // data of templates of which a spawn remembers the numbers of
    KIND_TAGS = 6,     // so many tags each
    SAMPLE = 8,        // of so many marked rows one is looked at
};

static const ct_soa_array arrays[] = {
    CT_SINGLE_INSTANCE_TABLE_ARRAYS(ct_tag_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_tag_manager, tags, 64),
    CT_SOA_ARRAY_ALIGNED(ct_tag_manager, signature, 64),
};

// --- Life ----------------------------------------------------------------------------------------

ct_tag_manager *ct_tag_manager_create(ct_allocator *a) {
    ct_tag_manager *m = CT_NEW(a, ct_tag_manager);
    m->allocator = a;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_SPARSE);
    ct_array_init(&m->records, a);
    ct_array_push(&m->records, (ct_tag_record){0});
    ct_hash_map_init(&m->numbers, a);
    ct_array_init(&m->changes, a);
    ct_hash_map_init(&m->seen, a);
    ct_array_init(&m->scratch, a);
    ct_tag_memory_init(m);
    return m;
}

void ct_tag_manager_destroy(ct_tag_manager *m) {
    if (!m)
        return;
    for (uint32_t row = 1; row < m->table.soa.count; ++row)
        ct_tag_memory_free_row(m, row);
    for (uint32_t i = 1; i < m->records.count; ++i) {
        ct_buddy_array_free(&m->buddy, &m->records.items[i].entities);
        ct_buddy_array_free(&m->buddy, &m->records.items[i].signatures);
    }
    ct_tag_memory_shutdown(m);
    ct_array_free(&m->scratch);
    ct_hash_map_free(&m->seen);
    ct_array_free(&m->changes);
    ct_hash_map_free(&m->numbers);
    ct_array_free(&m->records);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// --- Tags in use ---------------------------------------------------------------------------------

// The number of the tag, which is in use from now on.
static uint32_t use_tag(ct_tag_manager *m, ct_string_id32 tag) {
    CT_ASSERT(tag.value != 0, "a tag must not be empty");
    uint32_t number = ct_tag_number(m, tag);
    if (number)
        return number;
    number = m->first_free;
    if (number == 0) {
        number = m->records.count;
        ct_array_push(&m->records, (ct_tag_record){0});
    }
    m->first_free = m->records.items[number].next_free;
    m->records.items[number].id = tag;
    ++m->num_sharing[number % CT_TAG_SIGNATURE_BITS];
    ct_hash_map_set(&m->numbers, tag.value, number);
    return number;
}

// Frees a tag that no entity has any more.
static void end_tag(ct_tag_manager *m, uint32_t number) {
    ct_tag_record *const record = &m->records.items[number];
    ct_buddy_array_free(&m->buddy, &record->entities);
    ct_buddy_array_free(&m->buddy, &record->signatures);
    ct_hash_map_erase(&m->numbers, record->id.value);
    --m->num_sharing[number % CT_TAG_SIGNATURE_BITS];
    record->id = (ct_string_id32){0};
    record->next_free = m->first_free;
    m->first_free = number;
}

// Puts an entity into the arrays of a tag, for the moment without signature.
static void enter_index(ct_tag_manager *m, uint32_t row, uint32_t number) {
    ct_tag_record *const record = &m->records.items[number];
    ct_tag_list *const list = &m->tags[row];
    ct_tag_memory_reserve_row(m, row, list->count + 1);
    ct_tag_places(list)[list->count++] = (ct_tag_place){number, record->entities.count};
    ct_tag_push(m, &record->entities, m->table.entity[row]);
    ct_tag_push(m, &record->signatures, 0);
    record->version = ++m->last_version;
    ct_tag_note(m, m->table.entity[row], record->id, true);
}

// The place of a tag that the row has, in its list; looked for first at `near`, where another has
// it: entities of one template have their tags in the same order.
static ct_tag_place *tag_in_row_near(const ct_tag_manager *m, uint32_t row, uint32_t number,
                                     uint32_t near) {
    ct_tag_list *const list = &m->tags[row];
    if (near < list->count && ct_tag_places(list)[near].number == number)
        return &ct_tag_places(list)[near];
    return ct_tag_in_row(m, row, number);
}

// Removes the item at `at` from the arrays of a tag; it was at `in_row` in its row's list.
static void leave_index(ct_tag_manager *m, ct_tag_place at, uint32_t in_row) {
    ct_tag_record *const record = &m->records.items[at.number];
    ct_buddy_array_swap_erase(&record->entities, at.place);
    ct_buddy_array_swap_erase(&record->signatures, at.place);
    record->version = ++m->last_version;
    if (at.place < record->entities.count) {
        const ct_entity moved = record->entities.items[at.place];
        const uint32_t row = ct_instance_table_first(&m->table, moved);
        tag_in_row_near(m, row, at.number, in_row)->place = at.place;
    } else if (record->entities.count == 0) {
        end_tag(m, at.number);
    }
}

// Updates the signature of a row in all places that have it.
static void sign(ct_tag_manager *m, uint32_t row) {
    const uint32_t count = m->tags[row].count;
    const ct_tag_place *const places = ct_tag_places(&m->tags[row]);
    uint64_t signature = 0;
    for (uint32_t i = 0; i < count; ++i)
        signature |= ct_tag_bit(places[i].number);
    for (uint32_t i = 0; i < count; ++i)
        m->records.items[places[i].number].signatures.items[places[i].place] = signature;
    m->signature[row] = signature;
}

// --- Rows ----------------------------------------------------------------------------------------

const ct_instance_table *ct_tag_instances(const ct_tag_manager *m) {
    return &m->table;
}

// Records for all tags of a row that its entity gained or lost them.
static void note_row(ct_tag_manager *m, uint32_t row, bool has) {
    ct_tag_list *const list = &m->tags[row];
    for (uint32_t i = 0; m->num_followers > 0 && i < list->count; ++i) {
        const ct_string_id32 tag = m->records.items[ct_tag_places(list)[i].number].id;
        ct_tag_note_followed(m, m->table.entity[row], tag, has);
    }
}

// Empties the list of a row without recording changes.
static void empty_row(ct_tag_manager *m, uint32_t row) {
    ct_tag_list *const list = &m->tags[row];
    while (list->count) {
        const ct_tag_place last = ct_tag_places(list)[--list->count];
        leave_index(m, last, list->count);
    }
    m->signature[row] = 0;
}

static void clear_row(ct_tag_manager *m, uint32_t row) {
    note_row(m, row, false);
    empty_row(m, row);
}

static void end_row(ct_tag_manager *m, uint32_t row) {
    clear_row(m, row);
    ct_tag_memory_free_row(m, row);
    ct_instance_table_erase(&m->table, row);
}

// Ends the row of a dead entity that had the index of `e` before it: the table would do so without
// the index of tags.
static void end_former(ct_tag_manager *m, ct_entity e) {
    const uint32_t row = ct_instance_table_former(&m->table, e);
    if (row)
        end_row(m, row);
}

// Removes entities without a row from the arrays of a tag, and keeps the order of the others.
static void sweep_tag(ct_tag_manager *m, uint32_t number) {
    ct_tag_record *const record = &m->records.items[number];
    uint32_t num_left = 0;
    for (uint32_t k = 0; k < record->entities.count; ++k) {
        const ct_entity e = record->entities.items[k];
        const uint32_t row = ct_instance_table_first(&m->table, e);
        if (row == 0) {
            ct_tag_note(m, e, record->id, false);
            continue;
        }
        if (k != num_left) {
            record->entities.items[num_left] = e;
            record->signatures.items[num_left] = record->signatures.items[k];
            ct_tag_in_row(m, row, number)->place = num_left;
        }
        ++num_left;
    }
    if (num_left < record->entities.count)
        record->version = ++m->last_version;
    record->entities.count = record->signatures.count = num_left;
    if (num_left == 0)
        end_tag(m, number);
}

static void sweep(ct_tag_manager *m) {
    for (uint32_t number = 1; number < m->records.count; ++number) {
        if (m->records.items[number].id.value)
            sweep_tag(m, number);
    }
    for (uint32_t row = 1; row < m->table.soa.count; ++row) {
        if (ct_instance_table_is_marked(&m->table, row))
            ct_tag_memory_free_row(m, row);
    }
    ct_instance_table_sweep(&m->table);
}

uint32_t ct_tag_create(ct_tag_manager *m, ct_entity e) {
    const uint32_t row = ct_instance_table_first(&m->table, e);
    if (row)
        return row;
    end_former(m, e);
    return ct_instance_table_add(&m->table, e, 0);
}

void ct_tag_destroy(ct_tag_manager *m, const ct_entity *entities, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = ct_instance_table_first(&m->table, entities[i]);
        if (row)
            end_row(m, row);
    }
}

void ct_tag_collect_garbage(ct_tag_manager *m, const ct_entity_manager *entities) {
    for (uint32_t row, n = 0; n < MOST_ENDED;) {
        row = ct_instance_table_dead(&m->table, entities);
        if (row == 0)
            return;
        n += 1 + m->tags[row].count;
        end_row(m, row);
    }
}

// --- Tags of entities ----------------------------------------------------------------------------

void ct_tag_add(ct_tag_manager *m, const ct_entity *entities, uint32_t count, ct_string_id32 tag) {
    if (count == 0)
        return;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = ct_tag_create(m, entities[i]); // may end the last that had the tag
        const uint32_t number = use_tag(m, tag);
        if (ct_tag_in_row(m, row, number))
            continue;
        enter_index(m, row, number);
        sign(m, row);
    }
}

void ct_tag_remove(ct_tag_manager *m, const ct_entity *entities, uint32_t count,
                   ct_string_id32 tag) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t number = ct_tag_number(m, tag); // until the last has lost it
        const uint32_t row = ct_instance_table_first(&m->table, entities[i]);
        ct_tag_place *const at = number && row ? ct_tag_in_row(m, row, number) : NULL;
        if (!at)
            continue;
        ct_tag_list *const list = &m->tags[row];
        const ct_tag_place left = *at;
        *at = ct_tag_places(list)[--list->count];
        ct_tag_note(m, entities[i], tag, false);
        leave_index(m, left, (uint32_t)(at - ct_tag_places(list)));
        sign(m, row);
    }
}

void ct_tag_remove_all(ct_tag_manager *m, const ct_entity *entities, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = ct_instance_table_first(&m->table, entities[i]);
        if (row)
            clear_row(m, row);
    }
}

bool ct_tag_has(const ct_tag_manager *m, ct_entity e, ct_string_id32 tag) {
    const uint32_t number = ct_tag_number(m, tag);
    const uint32_t row = ct_instance_table_first(&m->table, e);
    return number != 0 && row != 0 && (m->signature[row] & ct_tag_bit(number)) != 0 &&
           ct_tag_in_row(m, row, number);
}

uint32_t ct_tag_count(const ct_tag_manager *m, ct_entity e) {
    return m->tags[ct_instance_table_first(&m->table, e)].count; // none has none
}

ct_string_id32 ct_tag_at(const ct_tag_manager *m, ct_entity e, uint32_t i) {
    ct_tag_list *const list = &m->tags[ct_instance_table_first(&m->table, e)];
    CT_ASSERT(i < list->count, "there is no tag %u; the entity has %u", i, list->count);
    return m->records.items[ct_tag_places(list)[i].number].id;
}

void ct_tag_copy(const ct_tag_manager *m, ct_entity e, ct_string_id32 *tags) {
    ct_tag_list *const list = &m->tags[ct_instance_table_first(&m->table, e)];
    for (uint32_t i = 0; i < list->count; ++i)
        tags[i] = m->records.items[ct_tag_places(list)[i].number].id;
}

// --- Registry ------------------------------------------------------------------------------------

// The numbers of the tags of template data, which many instances share.
typedef struct tag_kind {
    const ct_tag_data *data;
    uint32_t numbers[KIND_TAGS]; // as they were: the tag may have ended since
} tag_kind;

static tag_kind *kind_of(tag_kind *kinds, const ct_tag_data *data) {
    return &kinds[((uintptr_t)data >> 3 ^ (uintptr_t)data >> 7) % NUM_KINDS];
}

// The number of tag `i` of template data. Ids that are new get their names.
static uint32_t use_template_tag(ct_tag_manager *m, const ct_tag_data *data, uint32_t i) {
    const ct_string_id32 tag = data->tags[i];
    if (ct_tag_number(m, tag) == 0)
        ct_string_id32_register(ct_tag_data_text(data, i));
    return use_tag(m, tag);
}

// Does the same with the remembered numbers; `kind` is that of the data, or becomes it.
static uint32_t use_kind_tag(ct_tag_manager *m, tag_kind *kind, const ct_tag_data *data,
                             uint32_t i) {
    if (i >= KIND_TAGS)
        return use_template_tag(m, data, i);
    if (kind->data == data && m->records.items[kind->numbers[i]].id.value == data->tags[i].value)
        return kind->numbers[i];
    return kind->numbers[i] = use_template_tag(m, data, i);
}

// Gives an entity that has tags already those of one more template instance.
static void spawn_more(ct_tag_manager *m, ct_entity e, const ct_tag_data *data) {
    const uint32_t row = ct_tag_create(m, e);
    for (uint32_t i = 0; i < data->num_tags; ++i) {
        const uint32_t number = use_template_tag(m, data, i);
        if (!ct_tag_in_row(m, row, number))
            enter_index(m, row, number);
    }
    sign(m, row);
}

// Fills a row without tags, whose entity is there, with those of one template instance, of which no
// two are the same.
static void fill_row(ct_tag_manager *m, uint32_t row, const ct_tag_data *data, tag_kind *kinds) {
    const ct_entity e = m->table.entity[row];
    ct_tag_list *const list = &m->tags[row];
    tag_kind *const kind = kind_of(kinds, data);
    uint64_t signature = 0;
    ct_tag_memory_reserve_row(m, row, data->num_tags);
    for (uint32_t i = 0; i < data->num_tags; ++i) {
        const uint32_t number = use_kind_tag(m, kind, data, i);
        ct_tag_places(list)[i].number = number;
        signature |= ct_tag_bit(number);
    }
    kind->data = data;
    m->signature[row] = signature;
    for (uint32_t i = 0; i < data->num_tags; ++i) {
        ct_tag_record *const record = &m->records.items[ct_tag_places(list)[i].number];
        const uint32_t place = record->entities.count;
        ct_tag_push(m, &record->entities, e);
        ct_tag_push(m, &record->signatures, signature);
        record->version = ++m->last_version;
        ct_tag_places(list)[i].place = place; // pushing may move the list
        list->count = i + 1;
        ct_tag_note(m, e, record->id, true);
    }
}

// Replaces a dead entity in the index by the entity that took over its row.
static void rename_row(ct_tag_manager *m, uint32_t row, ct_entity e) {
    const uint32_t count = m->tags[row].count;
    const ct_tag_place *const places = ct_tag_places(&m->tags[row]);
    for (uint32_t i = 0; i < count; ++i) {
        ct_tag_record *const record = &m->records.items[places[i].number];
        ct_entity *const at = &record->entities.items[places[i].place];
        ct_tag_note(m, *at, record->id, false);
        record->version = ++m->last_version;
        *at = e;
    }
}

// True when the row has the tags of a template instance, in their order.
static bool has_tags(const ct_tag_manager *m, uint32_t row, const ct_tag_data *data) {
    const ct_tag_place *const places = ct_tag_places(&m->tags[row]);
    bool are_same = m->tags[row].count == data->num_tags;
    for (uint32_t i = 0; are_same && i < data->num_tags; ++i)
        are_same = m->records.items[places[i].number].id.value == data->tags[i].value;
    return are_same;
}

static const ct_tag_data *data_of(const ct_component_spawn *spawn, uint32_t k) {
    return (const void *)((const char *)spawn->data +
                          spawn->offsets[ct_component_spawn_data(spawn, k)]);
}

// Returns whether, in a sample, most new entities have the tags of the marked rows that they would
// take over. If not, as in another level, a sweep is faster.
static bool come_again(const ct_tag_manager *m, const ct_component_spawn *spawn, uint32_t count) {
    uint32_t num_looked_at = 0, num_same = 0;
    for (uint32_t row = 1, k = 0; row < m->table.soa.count && k < count; ++row) {
        if (!ct_instance_table_is_marked(&m->table, row))
            continue;
        if (k % SAMPLE == 0) {
            ++num_looked_at;
            num_same += has_tags(m, row, data_of(spawn, k));
        }
        ++k;
    }
    return num_same * 4 >= num_looked_at * 3;
}

// Gives the rows of dead entities that had the same indices to the first new entities, and returns
// their number. With the same template as before, only the entity of a row changes.
static uint32_t take_over(ct_tag_manager *m, const ct_component_spawn *spawn, tag_kind *kinds) {
    const uint32_t count = ct_component_spawn_count(spawn);
    if (!ct_instance_table_sweeps_for(&m->table, count)) {
        for (uint32_t k = 0; k < count; ++k)
            end_former(m, spawn->owners[k]);
        return 0;
    }
    if (ct_instance_table_mark_formers(&m->table, spawn->owners, count) == 0)
        return 0;
    if (!come_again(m, spawn, count)) {
        sweep(m);
        return 0;
    }
    CT_TEMP_ALLOCATOR(temp, m->allocator);
    uint32_t *const rows = ct_alloc(temp, sizeof(*rows) * (uint64_t)count);
    uint32_t *const others =
        ct_alloc(temp, sizeof(*others) * (uint64_t)count); // rows with other tags than before
    const uint32_t taken = ct_instance_table_take_over(&m->table, spawn->owners, NULL, count, rows);
    if (taken == 0)
        sweep(m);
    uint32_t num_others = 0;
    for (uint32_t k = 0; k < taken; ++k) {
        rename_row(m, rows[k], spawn->owners[k]);
        if (has_tags(m, rows[k], data_of(spawn, k)))
            note_row(m, rows[k], true);
        else
            others[num_others++] = k;
    }
    for (uint32_t i = 0; i < num_others; ++i) { // now that the index has no dead ones
        empty_row(m, rows[others[i]]);
        fill_row(m, rows[others[i]], data_of(spawn, others[i]), kinds);
    }
    return taken;
}

static void spawn_rows(void *manager, const ct_component_spawn *spawn) {
    ct_tag_manager *const m = manager;
    tag_kind kinds[NUM_KINDS] = {{0}};
    const uint32_t count = ct_component_spawn_count(spawn), taken = take_over(m, spawn, kinds);
    const uint32_t first =
        ct_instance_table_add_many(&m->table, spawn->owners + taken, NULL, count - taken);
    if (first && count > taken) {
        memset(m->tags + first, 0, sizeof(*m->tags) * (uint64_t)(count - taken));
        memset(m->signature + first, 0, sizeof(*m->signature) * (uint64_t)(count - taken));
    }
    for (uint32_t k = taken; k < count; ++k) {
        if (first)
            fill_row(m, first + k - taken, data_of(spawn, k), kinds);
        else
            spawn_more(m, spawn->owners[k], data_of(spawn, k));
    }
}

static void indices_ended(void *manager, const ct_entity *entities, uint32_t count) {
    ct_tag_manager *const m = manager;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t row = ct_instance_table_of_index(&m->table, entities[k]);
        if (row)
            end_row(m, row);
    }
}

static void collect_garbage(void *manager, const ct_entity_manager *entities) {
    ct_tag_collect_garbage(manager, entities);
}

static void hash_tags(const void *manager, ct_state_hash *hash) {
    const ct_tag_manager *const m = manager;
    for (uint32_t number = 1; number < m->records.count; ++number) {
        const ct_tag_record *const record = &m->records.items[number];
        for (uint32_t k = 0; record->id.value && k < record->entities.count; ++k)
            ct_state_hash_add(hash, record->entities.items[k], CT_ID32("tag", 0xde019dbf).value,
                              &record->id, sizeof(record->id));
    }
}

static void destroy_manager(void *manager) {
    ct_tag_manager_destroy(manager);
}

ct_component_manager ct_tag_component_manager(ct_tag_manager *m) {
    return (ct_component_manager){.type_name = "tag",
                                  .manager = m,
                                  .spawn = spawn_rows,
                                  .indices_ended = indices_ended,
                                  .collect_garbage = collect_garbage,
                                  .hash = hash_tags,
                                  .destroy = destroy_manager};
}
