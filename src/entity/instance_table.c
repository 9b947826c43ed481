#include "entity/instance_table.h"

#include "foundation/error.h"

enum {
    LIVING_IN_A_ROW = 4,
    AHEAD = 8,
    PLACES_AHEAD = 24,
    RECENT = 256,      // instances that were found by numbers, a power of two
    FEWEST_FIRST = 44, // room in a map: entities without the component rarely collide with others
};

void ct_instance_table_init(ct_instance_table *t, ct_allocator *a, void *owner,
                            const ct_soa_array *arrays, uint32_t num_arrays,
                            ct_instance_lookup lookup) {
    t->id = t->next = t->previous = t->number = NULL; // unless they are among the arrays
    ct_soa_block_init(&t->soa, a, owner, arrays, num_arrays);
    ct_soa_block_add(&t->soa, 1); // the none
    ct_hash_map_init(&t->first, a);
    if (lookup == CT_INSTANCE_LOOKUP_HASH)
        ct_hash_map_reserve(&t->first, FEWEST_FIRST);
    ct_array_init(&t->places, a);
    ct_hash_map_init(&t->newest, a);
    t->allocator = a;
    t->recent = t->number ? CT_NEW_ARRAY(a, uint32_t, RECENT) : NULL;
    t->lookup = lookup;
    t->came_around = false;
    t->random = 2463534242u;
    t->dead = (ct_entity){0};
}

void ct_instance_table_free(ct_instance_table *t) {
    ct_soa_block_free(&t->soa);
    ct_hash_map_free(&t->first);
    ct_array_free(&t->places);
    ct_hash_map_free(&t->newest);
    ct_free(t->allocator, t->recent);
}

// --- From entity to first instance ---------------------------------------------------------------

static void set_first(ct_instance_table *t, ct_entity e, uint32_t i) {
    if (t->lookup == CT_INSTANCE_LOOKUP_HASH)
        ct_hash_map_set(&t->first, e.id, i);
    else
        t->places.items[ct_entity_index(e)] = ct_instance_table_place(e, i);
}

static void clear_first(ct_instance_table *t, ct_entity e) {
    if (t->lookup == CT_INSTANCE_LOOKUP_HASH)
        ct_hash_map_erase(&t->first, e.id);
    else
        t->places.items[ct_entity_index(e)] = ct_instance_table_no_place(ct_entity_index(e));
}

// Makes places for `entities` by index. Returns whether any entity already has one of these places.
static bool reserve_places(ct_instance_table *t, const ct_entity *entities, uint32_t count) {
    const uint32_t num_places = t->places.count;
    uint32_t largest = 0, taken = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t index = ct_entity_index(entities[i]);
        largest = index > largest ? index : largest;
        if (index < num_places)
            taken |= ct_instance_table_at_index(t->places.items[index], entities[i]);
    }
    if (largest >= num_places)
        ct_array_reserve(&t->places, largest + 1);
    for (uint32_t i = num_places; i <= largest; ++i)
        t->places.items[i] = ct_instance_table_no_place(i);
    t->places.count = largest >= num_places ? largest + 1 : num_places;
    return taken != 0;
}

// Ends the instances of an entity that had the index of `e` before it.
static void end_former(ct_instance_table *t, ct_entity e) {
    const uint32_t i = ct_instance_table_former(t, e);
    const ct_entity former = t->entity[i];
    if (i)
        ct_instance_table_erase_entities(t, &former, 1);
}

// Makes places for `entities` by index, free of others that had them.
static void prepare_places(ct_instance_table *t, const ct_entity *entities, uint32_t count) {
    CT_REQUIRE((uint64_t)t->soa.count + count <= 1u << CT_INSTANCE_PLACE_BITS,
               "%u more components of a type that already has %u are too many", count,
               t->soa.count);
    if (!reserve_places(t, entities, count))
        return;
    if (!ct_instance_table_sweeps_for(t, count)) {
        for (uint32_t i = 0; i < count; ++i)
            end_former(t, entities[i]);
    } else if (ct_instance_table_mark_formers(t, entities, count))
        ct_instance_table_sweep(t);
}

static void first_many_hash(const ct_instance_table *t, const ct_entity *entities, uint32_t count,
                            uint32_t *instances) {
    for (uint32_t i = 0; i < count; ++i) {
        if (i + AHEAD < count)
            ct_hash_map_prefetch(&t->first, entities[i + AHEAD].id);
        instances[i] = (uint32_t)ct_hash_map_get(&t->first, entities[i].id, 0);
    }
}

static void first_many_sparse(const ct_instance_table *t, const ct_entity *entities, uint32_t count,
                              uint32_t *instances) {
    const uint32_t *const places = t->places.items, num_places = t->places.count;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t index = ct_entity_index(entities[i]);
        if (i + PLACES_AHEAD < count && ct_entity_index(entities[i + PLACES_AHEAD]) < num_places)
            __builtin_prefetch(&places[ct_entity_index(entities[i + PLACES_AHEAD])]);
        instances[i] = index < num_places ? ct_instance_table_at(places[index], entities[i]) : 0;
    }
}

void ct_instance_table_first_many(const ct_instance_table *t, const ct_entity *entities,
                                  uint32_t count, uint32_t *instances) {
    if (t->lookup == CT_INSTANCE_LOOKUP_HASH)
        first_many_hash(t, entities, count, instances);
    else
        first_many_sparse(t, entities, count, instances);
}

uint32_t ct_instance_table_with_id(const ct_instance_table *t, ct_entity e, uint32_t id) {
    CT_ASSERT(t->id, "instances of a single table have no ids");
    uint32_t i = ct_instance_table_first(t, e);
    while (i && t->id[i] != id)
        i = t->next[i];
    return i;
}

uint32_t ct_instance_table_with_number(const ct_instance_table *t, ct_entity e, uint32_t number,
                                       uint32_t num_bits) {
    CT_ASSERT(t->number, "instances of this table have no numbers");
    CT_ASSERT(num_bits <= CT_INSTANCE_NUMBER_BITS, "numbers have no %u bits", num_bits);
    const uint32_t mask = (1u << num_bits) - 1;
    uint32_t i = ct_instance_table_first(t, e);
    if (!i || !((t->number[i] ^ number) & mask))
        return i;
    // An entry is only the place to look first: rows move.
    uint32_t *const recent = &t->recent[(e.id * 0x9e3779b1u ^ (number & mask)) % RECENT];
    const uint32_t known = *recent;
    if (known < t->soa.count && t->entity[known].id == e.id &&
        !((t->number[known] ^ number) & mask))
        return known;
    while (i && ((t->number[i] ^ number) & mask))
        i = t->next[i];
    return *recent = i;
}

// --- Adding --------------------------------------------------------------------------------------

bool ct_instance_table_has_room(const ct_instance_table *t, uint64_t count, const char *what,
                                ct_error *error) {
    const bool is_sparse = t->lookup == CT_INSTANCE_LOOKUP_SPARSE;
    const uint32_t most = (is_sparse ? 1u << CT_INSTANCE_PLACE_BITS : 1u << 31) - 1;
    return count <= most - ct_instance_table_count(t) ||
           ct_error_set(error,
                        "no room for %llu more components of the type %s; it has %u of at most %u",
                        (unsigned long long)count, what, ct_instance_table_count(t), most);
}

void ct_instance_table_reserve(ct_instance_table *t, uint32_t count) {
    ct_soa_block_reserve(&t->soa, t->soa.count + count);
    if (t->lookup == CT_INSTANCE_LOOKUP_HASH)
        ct_hash_map_reserve(&t->first, t->first.count + count);
}

// Returns the number after that of the entity's newest instance, and skips those in use, because
// numbers wrap around. `last` is the last instance in its chain; 0: the chain is empty.
static uint32_t next_number(ct_instance_table *t, ct_entity e, uint32_t last) {
    uint32_t number = last ? t->number[last] + 1 : 0;
    if (t->newest.count) {
        const uint64_t *const ended = ct_hash_map_find(&t->newest, e.id);
        number = ended ? (uint32_t)*ended + 1 : number;
        if (ended)
            ct_hash_map_erase(&t->newest, e.id);
    }
    t->came_around |= number >> CT_INSTANCE_NUMBER_BITS != 0;
    while (t->came_around && ct_instance_table_with_number(t, e, number, CT_INSTANCE_NUMBER_BITS))
        ++number;
    return number & ((1u << CT_INSTANCE_NUMBER_BITS) - 1);
}

// Makes instance `i` of `e` the last in its chain, and numbers it.
static void append_to_chain(ct_instance_table *t, ct_entity e, uint32_t i) {
    const uint32_t first = ct_instance_table_first(t, e);
    CT_ASSERT(!first || t->next, "entity %u already has such a component", e.id);
    const uint32_t last = first ? t->previous[first] : 0;
    if (t->number)
        t->number[i] = next_number(t, e, last);
    if (t->previous)
        t->previous[i] = first ? last : i;
    if (first)
        t->next[last] = t->previous[first] = i;
    else
        set_first(t, e, i);
}

uint32_t ct_instance_table_add(ct_instance_table *t, ct_entity e, uint32_t id) {
    CT_ASSERT(e.id != 0, "a component needs an entity");
    if (t->lookup == CT_INSTANCE_LOOKUP_SPARSE)
        prepare_places(t, &e, 1);
    const uint32_t i = ct_soa_block_add(&t->soa, 1);
    t->entity[i] = e;
    if (t->id)
        t->id[i] = id;
    append_to_chain(t, e, i);
    return i;
}

// Returns the row for the instance of entity `i`: that in `rows` or, if that is NULL, in order from
// `first`.
static inline uint32_t row_for(const uint32_t *rows, uint32_t first, uint32_t i) {
    return rows ? rows[i] : first + i;
}

// Returns how many of `entities` got their instances; less than `count` when one already has an
// instance. For single sparse tables, the most frequent kind.
static inline uint32_t place_single_sparse(ct_instance_table *t, const ct_entity *entities,
                                           const uint32_t *rows, uint32_t first, uint32_t count) {
    uint32_t *const places = t->places.items;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_entity e = entities[i];
        uint32_t *const place = &places[ct_entity_index(e)];
        if (ct_instance_table_at_index(*place, e))
            return i;
        const uint32_t row = row_for(rows, first, i);
        *place = ct_instance_table_place(e, row);
        t->entity[row] = e;
    }
    return count;
}

// As place_single_sparse, for tables in which an entity may have several.
static void place_sparse(ct_instance_table *t, const ct_entity *entities, const uint32_t *ids,
                         const uint32_t *rows, uint32_t first, uint32_t count) {
    uint32_t *const places = t->places.items, *const id = t->id, *const next = t->next;
    uint32_t *const previous = t->previous, *const number = t->number;
    ct_entity *const owner = t->entity;
    const bool is_counting = t->newest.count != 0; // by numbers that ended ones had
    for (uint32_t i = 0; i < count; ++i) {
        const ct_entity e = entities[i];
        const uint32_t row = row_for(rows, first, i), index = ct_entity_index(e);
        owner[row] = e;
        id[row] = ids[i];
        next[row] = 0;
        previous[row] = row;
        if (number)
            number[row] = 0;
        if (ct_instance_table_at_index(places[index], e) || is_counting)
            append_to_chain(t, e, row);
        else
            places[index] = ct_instance_table_place(e, row);
    }
}

// As place_single_sparse, for tables by hash.
static uint32_t place_by_hash(ct_instance_table *t, const ct_entity *entities, const uint32_t *ids,
                              uint32_t first, uint32_t count) {
    // One look-up in the map each; append_to_chain handles the numbers of ended instances.
    const bool is_counting = t->newest.count != 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = first + i;
        if (i + AHEAD < count)
            ct_hash_map_prefetch(&t->first, entities[i + AHEAD].id);
        const bool has_one = is_counting ? ct_instance_table_first(t, entities[i]) != 0
                                         : !ct_hash_map_add(&t->first, entities[i].id, row);
        if (has_one && !t->next)
            return i;
        t->entity[row] = entities[i];
        if (t->id) {
            t->id[row] = ids[i];
            t->next[row] = 0;
            t->previous[row] = row;
        }
        if (t->number)
            t->number[row] = 0;
        if (has_one || is_counting)
            append_to_chain(t, entities[i], row);
    }
    return count;
}

// Gives `entities` instances in `rows` or, if that is NULL, in order from `first`. Returns their
// number: less than `count` when one already has an instance in a single table.
static uint32_t place_many(ct_instance_table *t, const ct_entity *entities, const uint32_t *ids,
                           const uint32_t *rows, uint32_t first, uint32_t count) {
    if (t->lookup == CT_INSTANCE_LOOKUP_HASH)
        return place_by_hash(t, entities, ids, first, count);
    if (!t->next)
        return place_single_sparse(t, entities, rows, first, count);
    place_sparse(t, entities, ids, rows, first, count);
    return count;
}

uint32_t ct_instance_table_add_many(ct_instance_table *t, const ct_entity *entities,
                                    const uint32_t *ids, uint32_t count) {
    CT_ASSERT(!ids == !t->id, "pass ids for all tables except single ones");
    const bool is_sparse = t->lookup == CT_INSTANCE_LOOKUP_SPARSE;
    if (is_sparse && count > 0)
        prepare_places(t, entities, count); // may end others
    ct_instance_table_reserve(t, count);
    const uint32_t first = t->soa.count;
    const uint32_t placed = place_many(t, entities, ids, NULL, first, count);
    if (placed == count) {
        t->soa.count += count;
        return first;
    }
    for (uint32_t i = 0; i < placed; ++i)
        clear_first(t, entities[i]);
    return 0;
}

uint32_t ct_instance_table_take_over(ct_instance_table *t, const ct_entity *entities,
                                     const uint32_t *ids, uint32_t count, uint32_t *rows) {
    CT_ASSERT(t->lookup == CT_INSTANCE_LOOKUP_SPARSE,
              "a table that finds rows by hash cannot mark rows");
    uint32_t n = 0;
    for (uint32_t i = 1; i < t->soa.count && n < count; ++i) {
        if (ct_instance_table_is_marked(t, i))
            rows[n++] = i;
    }
    reserve_places(t, entities, n);
    const uint32_t placed = place_many(t, entities, ids, rows, 0, n);
    if (placed == n)
        return n;
    for (uint32_t i = 0; i < placed; ++i) {
        clear_first(t, entities[i]);
        t->entity[rows[i]] = (ct_entity){0};
    }
    return 0;
}

// --- Erasing -------------------------------------------------------------------------------------

// Takes instance `i` out of its entity's chain.
static void leave_chain(ct_instance_table *t, uint32_t i) {
    const ct_entity e = t->entity[i];
    if (!t->next || t->previous[i] == i) {
        clear_first(t, e);
        return;
    }
    const uint32_t before = t->previous[i], after = t->next[i];
    if (t->next[before]) // it is not the last, and so `i` not the first
        t->next[before] = after;
    else
        set_first(t, e, after);
    t->previous[after ? after : ct_instance_table_first(t, e)] = before;
}

// Updates all references to instance `i`, which is about to move, to `target`.
static void redirect(ct_instance_table *t, uint32_t i, uint32_t target) {
    const ct_entity e = t->entity[i];
    const uint32_t before = t->next ? t->previous[i] : i;
    if (before == i) {
        set_first(t, e, target);
        if (t->next)
            t->previous[i] = target;
        return;
    }
    const uint32_t after = t->next[i];
    if (t->next[before])
        t->next[before] = target;
    else
        set_first(t, e, target);
    t->previous[after ? after : ct_instance_table_first(t, e)] = target;
}

void ct_instance_table_erase(ct_instance_table *t, uint32_t i) {
    ct_instance_table_check(t, i);
    leave_chain(t, i);
    const uint32_t last = t->soa.count - 1;
    if (i != last)
        redirect(t, last, i);
    ct_soa_block_swap_erase(&t->soa, i);
}

void ct_instance_table_end(ct_instance_table *t, uint32_t i) {
    ct_instance_table_check(t, i);
    CT_ASSERT(t->number, "instances of this table have no numbers");
    const uint64_t entity = t->entity[i].id;
    if (!t->next[i] && !ct_hash_map_find(&t->newest, entity)) // the number there is newer
        ct_hash_map_set(&t->newest, entity, t->number[i]);
    ct_instance_table_erase(t, i);
}

void ct_instance_table_forget(ct_instance_table *t, const ct_entity *entities, uint32_t count) {
    for (uint32_t k = 0; t->newest.count && k < count; ++k)
        ct_hash_map_erase(&t->newest, entities[k].id);
}

void ct_instance_table_swap(ct_instance_table *t, uint32_t i, uint32_t k) {
    CT_ASSERT(!t->next, "only rows of a single table can be swapped");
    ct_instance_table_check(t, i);
    ct_instance_table_check(t, k);
    set_first(t, t->entity[i], k);
    set_first(t, t->entity[k], i);
    ct_soa_block_swap(&t->soa, i, k);
}

// Erases the instance of `e`, if it has one: as ct_instance_table_erase, without a look at what
// only other tables have.
static inline void erase_single_sparse(ct_instance_table *t, ct_entity e) {
    const uint32_t i = ct_instance_table_first(t, e), last = t->soa.count - 1;
    if (i == 0)
        return;
    t->places.items[ct_entity_index(e)] = ct_instance_table_no_place(ct_entity_index(e));
    if (i != last)
        set_first(t, t->entity[last], i);
    ct_soa_block_swap_erase(&t->soa, i);
}

static inline void fetch_place(const ct_instance_table *t, ct_entity e) {
    if (ct_entity_index(e) < t->places.count)
        __builtin_prefetch(&t->places.items[ct_entity_index(e)], 1);
}

// Prefetches ahead, for entities to erase later: their rows, the entity that will move into each
// row, and the place of that entity.
static void erase_many_sparse(ct_instance_table *t, const ct_entity *entities, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        if (k + PLACES_AHEAD < count)
            fetch_place(t, entities[k + PLACES_AHEAD]);
        if (k + AHEAD < count)
            ct_soa_block_prefetch(&t->soa, ct_instance_table_first(t, entities[k + AHEAD]));
        if (t->soa.count > AHEAD)
            fetch_place(t, t->entity[t->soa.count - AHEAD]);
        erase_single_sparse(t, entities[k]);
    }
}

void ct_instance_table_erase_entities(ct_instance_table *t, const ct_entity *entities,
                                      uint32_t count) {
    if (t->lookup == CT_INSTANCE_LOOKUP_SPARSE && !t->next) {
        erase_many_sparse(t, entities, count);
        return;
    }
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t i; (i = ct_instance_table_first(t, entities[k])) != 0;)
            ct_instance_table_erase(t, i);
    }
    ct_instance_table_forget(t, entities, count);
}

uint32_t ct_instance_table_of_index(const ct_instance_table *t, ct_entity e) {
    const uint32_t index = ct_entity_index(e);
    if (t->lookup == CT_INSTANCE_LOOKUP_SPARSE)
        return index < t->places.count ? ct_instance_table_at_index(t->places.items[index], e) : 0;
    uint32_t i = 0;
    for (uint32_t g = 0; i == 0 && t->first.count && g <= CT_ENTITY_LAST_GENERATION; ++g)
        i = ct_instance_table_first(t, ct_entity_make(index, g));
    return i;
}

void ct_instance_table_erase_indices(ct_instance_table *t, const ct_entity *entities,
                                     uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t i; (i = ct_instance_table_of_index(t, entities[k])) != 0;) {
            const ct_entity e = t->entity[i];
            ct_instance_table_erase_entities(t, &e, 1);
        }
    }
}

static uint32_t next_random(ct_instance_table *t) { // Marsaglia 2003
    t->random ^= t->random << 13;
    t->random ^= t->random >> 17;
    t->random ^= t->random << 5;
    return t->random;
}

uint32_t ct_instance_table_dead(ct_instance_table *t, const ct_entity_manager *entities) {
    const uint32_t count = ct_instance_table_count(t);
    if (t->next && t->dead.id && !ct_entity_is_alive(entities, t->dead)) {
        const uint32_t left = ct_instance_table_first(t, t->dead);
        if (left)
            return left;
    }
    for (uint32_t living = 0; count > 0 && living < LIVING_IN_A_ROW; ++living) {
        const uint32_t i = 1 + next_random(t) % count;
        if (!ct_entity_is_alive(entities, t->entity[i])) {
            t->dead = t->entity[i];
            return i;
        }
    }
    return 0;
}
