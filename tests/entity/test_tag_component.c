#include "support/test_support.h"

#include <string.h>

#include "entity/tag_component.h"
#include "foundation/error.h"

enum { NUM = 200 };

typedef struct tag_fixture {
    ct_entity_manager *entities;
    ct_tag_manager *tags;
    ct_entity e[NUM];
} tag_fixture;

static const ct_string_id32 ENEMY = {1000}, FLYING = {1001}, BOSS = {1002}, NOBODYS = {1003};

static tag_fixture start(void) {
    tag_fixture f = {.entities = ct_entity_manager_create(test_heap()),
                     .tags = ct_tag_manager_create(test_heap())};
    ct_entity_create(f.entities, f.e, NUM);
    return f;
}

static void stop(tag_fixture *f) {
    ct_tag_manager_destroy(f->tags);
    ct_entity_manager_destroy(f->entities);
}

// Fails unless the query finds exactly these entities, in any order.
static void expect_found(const tag_fixture *f, ct_tag_query query, const ct_entity *expected,
                         uint32_t count) {
    const uint32_t most = ct_tag_most_found(f->tags, &query);
    ct_entity *const found = ct_alloc(test_heap(), sizeof(ct_entity) * (most + 1ull));
    assert_true(most >= count);
    assert_int_equal(ct_tag_find(f->tags, f->entities, &query, found), count);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t times = 0;
        for (uint32_t k = 0; k < count; ++k)
            times += found[k].id == expected[i].id;
        assert_int_equal(times, 1);
    }
    ct_free(test_heap(), found);
}

static void expect_with(const tag_fixture *f, ct_string_id32 tag, const ct_entity *expected,
                        uint32_t count) {
    expect_found(f, (ct_tag_query){.all = &tag, .num_all = 1}, expected, count);
}

// --- Tags ----------------------------------------------------------------------------------------

static void gives_and_takes_tags(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 3, ENEMY);
    ct_tag_add(f.tags, f.e + 1, 1, FLYING);
    ct_tag_add(f.tags, f.e + 1, 1, FLYING); // again: nothing
    assert_true(ct_tag_has(f.tags, f.e[2], ENEMY));
    assert_false(ct_tag_has(f.tags, f.e[3], ENEMY));
    assert_false(ct_tag_has(f.tags, f.e[2], FLYING));
    assert_false(ct_tag_has(f.tags, f.e[2], NOBODYS));
    assert_int_equal(ct_tag_count(f.tags, f.e[1]), 2);
    assert_int_equal(ct_tag_count(f.tags, f.e[3]), 0);
    assert_int_equal(ct_tag_at(f.tags, f.e[0], 0).value, ENEMY.value);
    ct_string_id32 copied[2];
    ct_tag_copy(f.tags, f.e[1], copied);
    ct_tag_copy(f.tags, f.e[3], NULL); // it has none
    assert_int_equal(copied[0].value + copied[1].value, ENEMY.value + FLYING.value);
    expect_with(&f, ENEMY, f.e, 3);
    ct_tag_remove(f.tags, f.e, 2, ENEMY);
    ct_tag_remove(f.tags, f.e, 2, ENEMY); // again: nothing
    expect_with(&f, ENEMY, f.e + 2, 1);
    expect_with(&f, FLYING, f.e + 1, 1);
    assert_false(ct_tag_has(f.tags, f.e[0], ENEMY));
    stop(&f);
}

static void takes_all_tags_and_keeps_the_row(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 5, ENEMY);
    ct_tag_add(f.tags, f.e, 5, BOSS);
    ct_tag_remove_all(f.tags, f.e + 1, 2);
    assert_int_equal(ct_tag_count(f.tags, f.e[1]), 0);
    assert_int_equal(ct_instance_table_count(ct_tag_instances(f.tags)), 5);
    const ct_entity left[] = {f.e[0], f.e[3], f.e[4]};
    expect_with(&f, ENEMY, left, 3);
    ct_tag_destroy(f.tags, f.e, 5);
    assert_int_equal(ct_instance_table_count(ct_tag_instances(f.tags)), 0);
    expect_with(&f, ENEMY, NULL, 0);
    stop(&f);
}

static void makes_a_row_without_tags(void **state) {
    (void)state;
    tag_fixture f = start();
    const uint32_t row = ct_tag_create(f.tags, f.e[7]);
    assert_int_equal(ct_tag_create(f.tags, f.e[7]), row);
    assert_int_equal(ct_tag_instances(f.tags)->entity[row].id, f.e[7].id);
    ct_tag_add(f.tags, &f.e[7], 1, BOSS);
    assert_int_equal(ct_tag_create(f.tags, f.e[7]), row);
    assert_true(ct_tag_has(f.tags, f.e[7], BOSS));
    stop(&f);
}

static void add_none(void *user) {
    tag_fixture *const f = user;
    ct_tag_add(f->tags, f->e, 1, (ct_string_id32){0});
}

static void an_empty_tag_is_a_bug(void **state) {
    (void)state;
    tag_fixture f = start();
    test_expect_death(add_none, &f, "a tag must not be empty");
    stop(&f);
}

// --- Queries -------------------------------------------------------------------------------------

static void finds_intersections_and_differences(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 100, ENEMY);
    ct_tag_add(f.tags, f.e + 50, 100, FLYING);
    ct_tag_add(f.tags, f.e + 60, 5, BOSS);
    const ct_string_id32 both[] = {ENEMY, FLYING}, three[] = {ENEMY, FLYING, BOSS};
    expect_found(&f, (ct_tag_query){.all = both, .num_all = 2}, f.e + 50, 50);
    expect_found(&f, (ct_tag_query){.all = three, .num_all = 3}, f.e + 60, 5);
    expect_found(&f, (ct_tag_query){.all = &ENEMY, .num_all = 1, .none = &FLYING, .num_none = 1},
                 f.e, 50);
    const ct_string_id32 others[] = {NOBODYS, BOSS, ENEMY};
    expect_found(&f, (ct_tag_query){.all = &FLYING, .num_all = 1, .none = others, .num_none = 3},
                 f.e + 100, 50);
    stop(&f);
}

static void finds_nobody_for_what_nobody_has(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 100, ENEMY);
    const ct_string_id32 both[] = {ENEMY, NOBODYS};
    expect_found(&f, (ct_tag_query){.all = both, .num_all = 2}, NULL, 0);
    assert_int_equal(ct_tag_most_found(f.tags, &(ct_tag_query){.all = both, .num_all = 2}), 0);
    // The same tag wanted and not wanted.
    expect_found(&f, (ct_tag_query){.all = &ENEMY, .num_all = 1, .none = &ENEMY, .num_none = 1},
                 NULL, 0);
    stop(&f);
}

static void room_for_results_is_the_rarest_list(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 100, ENEMY);
    ct_tag_add(f.tags, f.e, 3, BOSS);
    const ct_string_id32 both[] = {ENEMY, BOSS};
    assert_int_equal(ct_tag_most_found(f.tags, &(ct_tag_query){.all = both, .num_all = 2}), 3);
    stop(&f);
}

static ct_string_id32 numbered(uint32_t i) {
    return (ct_string_id32){0x70000000 + i};
}

// Callers go on from there, which nobody may from NULL.
static void room_for_no_results_is_somewhere(void **state) {
    (void)state;
    tag_fixture f = start();
    assert_non_null(ct_tag_scratch(f.tags, 0));
    stop(&f);
}

static void more_tags_than_bits_stay_apart(void **state) {
    (void)state;
    tag_fixture f = start();
    for (uint32_t tag = 0; tag < NUM; ++tag) { // entity i has the tags i, i + 1 and i + 64
        ct_tag_add(f.tags, &f.e[tag], 1, numbered(tag));
        ct_tag_add(f.tags, &f.e[(tag + NUM - 1) % NUM], 1, numbered(tag));
        ct_tag_add(f.tags, &f.e[(tag + NUM - 64) % NUM], 1, numbered(tag));
    }
    for (uint32_t i = 0; i < NUM; ++i) {
        const ct_string_id32 both[] = {numbered(i), numbered((i + 64) % NUM)};
        const ct_string_id32 unmatched[] = {numbered(i), numbered((i + 128) % NUM)};
        const ct_entity two[] = {f.e[(i + NUM - 1) % NUM], f.e[(i + NUM - 64) % NUM]};
        expect_found(&f, (ct_tag_query){.all = both, .num_all = 2}, &f.e[i], 1);
        expect_found(&f, (ct_tag_query){.all = unmatched, .num_all = 2}, NULL, 0);
        expect_found(&f, (ct_tag_query){.all = both, .num_all = 1, .none = both + 1, .num_none = 1},
                     two, 2);
    }
    stop(&f);
}

static void numbers_of_tags_are_used_again(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 10, ENEMY);
    const uint64_t before = ct_allocator_stats_of(test_heap()).live_bytes;
    for (uint32_t i = 0; i < 10000; ++i) {
        ct_tag_add(f.tags, f.e + 5, 10, numbered(i));
        const ct_string_id32 both[] = {ENEMY, numbered(i)};
        expect_found(&f, (ct_tag_query){.all = both, .num_all = 2}, f.e + 5, 5);
        ct_tag_remove(f.tags, f.e, 20, numbered(i));
    }
    assert_true(ct_allocator_stats_of(test_heap()).live_bytes < before + 16384);
    stop(&f);
}

// --- The dead ------------------------------------------------------------------------------------

static void finds_only_the_living(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 10, ENEMY);
    ct_entity_destroy(f.entities, f.e, 6);
    expect_with(&f, ENEMY, f.e + 6, 4);
    for (uint32_t i = 0; i < 1000; ++i)
        ct_tag_collect_garbage(f.tags, f.entities);
    assert_int_equal(ct_instance_table_count(ct_tag_instances(f.tags)), 4);
    assert_int_equal(ct_tag_most_found(f.tags, &(ct_tag_query){.all = &ENEMY, .num_all = 1}), 4);
    expect_with(&f, ENEMY, f.e + 6, 4);
    stop(&f);
}

// However many tags the dead have.
static void ends_so_many_each_frame(void **state) {
    (void)state;
    enum { TAGS_EACH = 150, MOST_ROWS = 4096 / (1 + TAGS_EACH) + 1 };
    tag_fixture f = start();
    for (uint32_t tag = 0; tag < TAGS_EACH; ++tag)
        ct_tag_add(f.tags, f.e, NUM, numbered(tag));
    ct_entity_destroy(f.entities, f.e, NUM);
    for (uint32_t left = NUM, ended; left > 0; left -= ended) {
        ended = left < MOST_ROWS ? left : MOST_ROWS;
        ct_tag_collect_garbage(f.tags, f.entities);
        assert_int_equal(ct_instance_table_count(ct_tag_instances(f.tags)), left - ended);
    }
    stop(&f);
}

// Ends the entity and returns the next that has its index.
static ct_entity reborn(const tag_fixture *f, ct_entity e) {
    const uint32_t index = ct_entity_index(e);
    ct_entity_destroy(f->entities, &e, 1);
    do {
        ct_entity_create(f->entities, &e, 1);
        if (ct_entity_index(e) != index)
            ct_entity_destroy(f->entities, &e, 1);
    } while (ct_entity_index(e) != index);
    return e;
}

static void who_gets_an_index_does_not_inherit_tags(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 2, ENEMY);
    const ct_entity next = reborn(&f, f.e[0]);
    assert_int_equal(ct_tag_count(f.tags, next), 0);
    assert_false(ct_tag_has(f.tags, next, ENEMY));
    expect_with(&f, ENEMY, f.e + 1, 1);
    ct_tag_add(f.tags, &next, 1, BOSS); // ends what is left of the former
    assert_int_equal(ct_tag_count(f.tags, f.e[0]), 0);
    assert_int_equal(ct_instance_table_count(ct_tag_instances(f.tags)), 2);
    expect_with(&f, BOSS, &next, 1);
    expect_with(&f, ENEMY, f.e + 1, 1);
    stop(&f);
}

static void the_last_who_had_a_tag_may_give_way_to_who_gets_it(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 1, ENEMY);
    const ct_entity next = reborn(&f, f.e[0]);
    ct_tag_add(f.tags, &next, 1, ENEMY);
    expect_with(&f, ENEMY, &next, 1);
    stop(&f);
}

// --- Templates -----------------------------------------------------------------------------------

static void spawns_from_template_data(void **state) {
    (void)state;
    tag_fixture f = start();
    // Two instances of one copy: {enemy, flying} and {enemy}, as the compiler lays them out.
    const ct_string_id32 enemy = ct_string_id32_of("enemy"), flying = ct_string_id32_of("flying");
    struct {
        uint32_t num_tags, tags[2];
        char texts[20]; // zeroes at the end
    } first = {2, {enemy.value, flying.value}, "enemy\0flying"};
    struct {
        uint32_t num_tags, tags[1];
        char texts[8];
    } second = {1, {enemy.value}, "enemy"};
    _Alignas(8) char data[sizeof(first) + sizeof(second)];
    memcpy(data, &first, sizeof(first));
    memcpy(data + sizeof(first), &second, sizeof(second));
    const uint32_t offsets[] = {0, sizeof(first), sizeof(data)}, ids[] = {1, 2, 1, 2};
    const ct_component_manager manager = ct_tag_component_manager(f.tags);
    ct_tag_add(f.tags, &f.e[3], 1, enemy); // has it already
    manager.spawn(manager.manager, &(ct_component_spawn){f.e, ids, data, offsets, NULL, 2, 2});
    const ct_entity fliers[] = {f.e[0], f.e[2]};
    expect_with(&f, enemy, f.e, 4);
    expect_with(&f, flying, fliers, 2);
    stop(&f);
}

// --- Memory --------------------------------------------------------------------------------------

static void does_not_allocate_after_warming_up(void **state) {
    (void)state;
    tag_fixture f = start();
    uint64_t warm = 0;
    for (uint32_t lap = 0; lap < 20; ++lap) {
        for (uint32_t i = 0; i < 10; ++i)
            ct_tag_add(f.tags, f.e, NUM, numbered(i));
        for (uint32_t i = 0; i < 10; ++i)
            ct_tag_remove(f.tags, f.e, NUM, numbered(i));
        const uint64_t total = ct_allocator_stats_of(test_heap()).total_blocks;
        warm = lap == 2 ? total : warm;
        assert_true(lap < 3 || total == warm);
    }
    stop(&f);
}

// --- Changes -------------------------------------------------------------------------------------

typedef struct changes {
    ct_entity gained[NUM * 2], lost[NUM * 2];
    ct_tag_changed_counts counts;
} changes;

static ct_tag_reader reader_of(const tag_fixture *f, uint32_t name) {
    ct_tag_reader reader;
    ct_error error = {0};
    assert_true(ct_tag_reader_named(f->tags, (ct_string_id32){name}, &reader, &error));
    return reader;
}

static changes changed(const tag_fixture *f, ct_tag_reader reader, ct_string_id32 tag) {
    changes c;
    assert_true(ct_tag_most_changed(f->tags, reader, tag) <= NUM * 2);
    c.counts = ct_tag_changed(f->tags, f->entities, reader, tag, c.gained, c.lost);
    return c;
}

static void a_new_reader_begins_with_all(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 10, ENEMY);
    const ct_tag_reader reader = reader_of(&f, 1);
    changes c = changed(&f, reader, ENEMY);
    assert_true(c.counts.is_anew);
    assert_int_equal(c.counts.num_gained, 10);
    assert_int_equal(c.counts.num_lost, 0);
    ct_tag_clear_changes(f.tags, reader);
    c = changed(&f, reader, ENEMY);
    assert_false(c.counts.is_anew);
    assert_int_equal(c.counts.num_gained, 0);
    assert_int_equal(reader_of(&f, 1).number, reader.number);
    stop(&f);
}

static void tells_what_changed_in_the_end(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 3, ENEMY);
    const ct_tag_reader reader = reader_of(&f, 1);
    ct_tag_clear_changes(f.tags, reader);
    ct_tag_remove(f.tags, f.e, 2, ENEMY); // 0 loses it, 1 only for a moment
    ct_tag_add(f.tags, f.e + 1, 1, ENEMY);
    ct_tag_add(f.tags, f.e + 4, 2, ENEMY); // 4 gains it, 5 only for a moment
    ct_tag_remove(f.tags, f.e + 5, 1, ENEMY);
    ct_tag_add(f.tags, f.e + 6, 1, BOSS); // of no interest
    const changes c = changed(&f, reader, ENEMY);
    assert_int_equal(c.counts.num_gained, 1);
    assert_int_equal(c.gained[0].id, f.e[4].id);
    assert_int_equal(c.counts.num_lost, 1);
    assert_int_equal(c.lost[0].id, f.e[0].id);
    assert_int_equal(changed(&f, reader, BOSS).counts.num_gained, 1);
    stop(&f);
}

static void each_reader_has_a_cursor(void **state) {
    (void)state;
    tag_fixture f = start();
    const ct_tag_reader a = reader_of(&f, 1), b = reader_of(&f, 2);
    ct_tag_clear_changes(f.tags, a);
    ct_tag_clear_changes(f.tags, b);
    ct_tag_add(f.tags, f.e, 3, ENEMY);
    ct_tag_clear_changes(f.tags, a);
    ct_tag_add(f.tags, f.e + 3, 1, ENEMY);
    assert_int_equal(changed(&f, a, ENEMY).counts.num_gained, 1);
    assert_int_equal(changed(&f, b, ENEMY).counts.num_gained, 4);
    ct_tag_clear_changes(f.tags, b);
    ct_tag_clear_changes(f.tags, a);
    assert_int_equal(changed(&f, a, ENEMY).counts.num_gained, 0);
    assert_int_equal(changed(&f, b, ENEMY).counts.num_gained, 0);
    assert_int_equal(ct_tag_most_changed(f.tags, a, ENEMY), 0);
    stop(&f);
}

static void the_dead_are_lost_and_never_gained(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_tag_add(f.tags, f.e, 1, ENEMY);
    const ct_tag_reader reader = reader_of(&f, 1);
    ct_tag_clear_changes(f.tags, reader);
    ct_tag_add(f.tags, f.e + 1, 1, ENEMY);
    ct_entity_destroy(f.entities, f.e, 2);
    assert_int_equal(changed(&f, reader, ENEMY).counts.num_gained, 0);
    for (uint32_t i = 0; i < 100; ++i)
        ct_tag_collect_garbage(f.tags, f.entities);
    const changes c = changed(&f, reader, ENEMY);
    assert_int_equal(c.counts.num_gained, 0);
    assert_int_equal(c.counts.num_lost, 1);
    assert_int_equal(c.lost[0].id, f.e[0].id);
    stop(&f);
}

static void who_falls_behind_begins_anew(void **state) {
    (void)state;
    tag_fixture f = start();
    const ct_tag_reader slow = reader_of(&f, 1), quick = reader_of(&f, 2);
    ct_tag_clear_changes(f.tags, slow);
    ct_tag_clear_changes(f.tags, quick);
    for (uint32_t i = 0; i <= CT_TAG_MOST_CHANGES / 2; ++i) {
        ct_tag_clear_changes(f.tags, quick);
        ct_tag_add(f.tags, f.e, 1, ENEMY);
        ct_tag_remove(f.tags, f.e, 1, ENEMY);
    }
    ct_tag_add(f.tags, f.e + 1, 2, ENEMY);
    changes c = changed(&f, slow, ENEMY);
    assert_true(c.counts.is_anew);
    assert_int_equal(c.counts.num_gained, 2);
    ct_tag_clear_changes(f.tags, slow);
    ct_tag_add(f.tags, f.e + 5, 1, ENEMY);
    c = changed(&f, slow, ENEMY);
    assert_false(c.counts.is_anew);
    assert_int_equal(c.counts.num_gained, 1);
    assert_int_equal(c.gained[0].id, f.e[5].id);
    stop(&f);
}

static void too_many_readers_are_an_error(void **state) {
    (void)state;
    tag_fixture f = start();
    for (uint32_t i = 1; i <= CT_TAG_MAX_READERS; ++i)
        reader_of(&f, i);
    ct_tag_reader reader;
    ct_error error = {0};
    assert_false(ct_tag_reader_named(f.tags, (ct_string_id32){1000}, &reader, &error));
    assert_non_null(strstr(error.message, "64 tag readers"));
    reader_of(&f, 5); // who is there goes on
    stop(&f);
}

// --- Those who were there before -----------------------------------------------------------------

// The next entity that has the index of this one.
static ct_entity next_of(ct_entity e) {
    return (ct_entity){e.id + (1u << CT_ENTITY_INDEX_BITS)};
}

static void spawn_born(const tag_fixture *f, const ct_entity *born, uint32_t count) {
    const struct {
        uint32_t num_tags, tag;
        char text[8];
    } data = {1, ct_string_id32_of("born").value, "born"};
    const uint32_t offset = 0, ids[NUM] = {0};
    const ct_component_manager manager = ct_tag_component_manager(f->tags);
    manager.spawn(manager.manager,
                  &(ct_component_spawn){born, ids, &data, &offset, NULL, 1, count});
    assert_int_equal(ct_instance_table_count(ct_tag_instances(f->tags)), NUM);
}

// Two of three are followed by others, who come with a tag of their own; the third keeps its two.
static void many_who_get_indices_at_once_inherit_nothing(void **state) {
    (void)state;
    tag_fixture f = start();
    ct_entity born[NUM], fliers[NUM];
    uint32_t num_born = 0, num_fliers = 0;
    for (uint32_t i = 0; i < NUM; ++i) {
        ct_tag_add(f.tags, &f.e[i], 1, i % 4 ? ENEMY : FLYING);
        ct_tag_add(f.tags, &f.e[i], 1, i % 3 ? BOSS : NOBODYS);
        if (i % 3 != 0)
            born[num_born++] = next_of(f.e[i]);
        else if (i % 4 == 0)
            fliers[num_fliers++] = f.e[i];
    }
    const ct_tag_reader reader = reader_of(&f, 1);
    ct_tag_clear_changes(f.tags, reader);
    spawn_born(&f, born, num_born);
    assert_int_equal(changed(&f, reader, BOSS).counts.num_lost, num_born);
    assert_int_equal(changed(&f, reader, NOBODYS).counts.num_lost, 0);
    for (uint32_t i = 0; i < NUM; ++i) {
        const ct_entity e = i % 3 ? next_of(f.e[i]) : f.e[i];
        assert_int_equal(ct_tag_count(f.tags, f.e[i]), i % 3 ? 0 : 2);
        assert_int_equal(ct_tag_count(f.tags, e), i % 3 ? 1 : 2);
        assert_int_equal(ct_tag_has(f.tags, e, ct_string_id32_of("born")), i % 3 != 0);
        assert_int_equal(ct_tag_has(f.tags, e, ENEMY), i % 3 == 0 && i % 4 != 0);
        assert_false(ct_tag_has(f.tags, e, BOSS));
    }
    expect_with(&f, FLYING, fliers, num_fliers);
    ct_tag_remove(f.tags, fliers, num_fliers, FLYING); // they are where the arrays say
    expect_with(&f, FLYING, NULL, 0);
    for (uint32_t i = 0; i < num_fliers; ++i)
        assert_int_equal(ct_tag_count(f.tags, fliers[i]), 1);
    stop(&f);
}

// --- Against a plain model -----------------------------------------------------------------------

enum { MODEL_ENTITIES = 60, MODEL_TAGS = 90, MODEL_READERS = 2 };

// Who has what, and what each reader saw of it when it last cleared; a place's entity may die and
// give way to another.
typedef struct tag_model {
    bool has[MODEL_ENTITIES][MODEL_TAGS];
    bool seen[MODEL_READERS][MODEL_ENTITIES][MODEL_TAGS];
    ct_entity former[MODEL_READERS][MODEL_ENTITIES]; // whom the reader saw there
    ct_tag_reader readers[MODEL_READERS];
    ct_entity e[MODEL_ENTITIES];
} tag_model;

static ct_string_id32 model_tag(uint32_t i) {
    return (ct_string_id32){i * 0x9e3779b9u + 1};
}

static bool model_fits(const tag_model *model, uint32_t e, const uint32_t *tags, uint32_t num_all,
                       uint32_t num) {
    for (uint32_t i = 0; i < num; ++i) {
        if (model->has[e][tags[i]] != (i < num_all))
            return false;
    }
    return true;
}

static void check_query(const tag_fixture *f, const tag_model *model, uint32_t *random) {
    uint32_t tags[4], num_all = 1 + test_random(random) % 2,
                      num = num_all + test_random(random) % 3;
    ct_string_id32 ids[4];
    ct_entity expected[MODEL_ENTITIES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < num; ++i) {
        tags[i] = test_random(random) % MODEL_TAGS;
        ids[i] = model_tag(tags[i]);
    }
    for (uint32_t e = 0; e < MODEL_ENTITIES; ++e) {
        if (model_fits(model, e, tags, num_all, num))
            expected[count++] = model->e[e];
    }
    const ct_tag_query query = {
        .all = ids, .num_all = num_all, .none = ids + num_all, .num_none = num - num_all};
    expect_found(f, query, expected, count);
}

static bool is_in(const ct_entity *entities, uint32_t count, ct_entity e) {
    uint32_t times = 0;
    for (uint32_t i = 0; i < count; ++i)
        times += entities[i].id == e.id;
    assert_true(times <= 1);
    return times == 1;
}

static void check_changes(const tag_fixture *f, tag_model *model, uint32_t r) {
    static changes c;
    for (uint32_t tag = 0; tag < MODEL_TAGS; ++tag) {
        c.counts = ct_tag_changed(f->tags, f->entities, model->readers[r], model_tag(tag), c.gained,
                                  c.lost);
        uint32_t num_gained = 0;
        for (uint32_t e = 0; e < MODEL_ENTITIES; ++e) {
            const bool is_same = model->former[r][e].id == model->e[e].id;
            const bool had = is_same && model->seen[r][e][tag] && !c.counts.is_anew;
            const bool has = model->has[e][tag];
            assert_int_equal(is_in(c.gained, c.counts.num_gained, model->e[e]), has && !had);
            assert_int_equal(is_in(c.lost, c.counts.num_lost, model->e[e]), had && !has);
            num_gained += has && !had;
        }
        assert_int_equal(c.counts.num_gained, num_gained);
    }
    ct_tag_clear_changes(f->tags, model->readers[r]);
    memcpy(model->seen[r], model->has, sizeof(model->has));
    memcpy(model->former[r], model->e, sizeof(model->e));
}

static void change_model(const tag_fixture *f, tag_model *model, uint32_t *random) {
    const uint32_t e = test_random(random) % MODEL_ENTITIES;
    const uint32_t tag = test_random(random) % (test_random(random) % MODEL_TAGS + 1);
    const uint32_t what = test_random(random) % 100;
    if (what < 55) {
        ct_tag_add(f->tags, &model->e[e], 1, model_tag(tag));
        model->has[e][tag] = true;
    } else if (what < 90) {
        ct_tag_remove(f->tags, &model->e[e], 1, model_tag(tag));
        model->has[e][tag] = false;
    } else if (what < 96) {
        if (what % 2)
            ct_tag_remove_all(f->tags, &model->e[e], 1);
        else
            ct_tag_destroy(f->tags, &model->e[e], 1);
        memset(model->has[e], 0, sizeof(model->has[e]));
    } else {
        ct_entity_destroy(f->entities, &model->e[e], 1);
        ct_entity_create(f->entities, &model->e[e], 1);
        memset(model->has[e], 0, sizeof(model->has[e]));
        if (what == 99)
            ct_tag_collect_garbage(f->tags, f->entities);
    }
}

static void is_what_a_plain_model_is(void **state) {
    (void)state;
    tag_fixture f = start();
    static tag_model model;
    memset(&model, 0, sizeof(model));
    memcpy(model.e, f.e, sizeof(model.e));
    ct_entity_destroy(f.entities, f.e + MODEL_ENTITIES, NUM - MODEL_ENTITIES);
    for (uint32_t r = 0; r < MODEL_READERS; ++r)
        model.readers[r] = reader_of(&f, r + 1);
    uint32_t random = 88172645;
    const uint32_t rounds = test_rounds(50000, 1000000);
    for (uint32_t i = 0; i < rounds; ++i) {
        change_model(&f, &model, &random);
        if (i % 4 == 0)
            check_query(&f, &model, &random);
        if (i % 100 < MODEL_READERS)
            check_changes(&f, &model, i % 100);
        const uint32_t e = test_random(&random) % MODEL_ENTITIES;
        const uint32_t tag = test_random(&random) % MODEL_TAGS;
        assert_int_equal(ct_tag_has(f.tags, model.e[e], model_tag(tag)), model.has[e][tag]);
    }
    stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_and_takes_tags),
        cmocka_unit_test(takes_all_tags_and_keeps_the_row),
        cmocka_unit_test(makes_a_row_without_tags),
        cmocka_unit_test(an_empty_tag_is_a_bug),
        cmocka_unit_test(finds_intersections_and_differences),
        cmocka_unit_test(finds_nobody_for_what_nobody_has),
        cmocka_unit_test(room_for_results_is_the_rarest_list),
        cmocka_unit_test(room_for_no_results_is_somewhere),
        cmocka_unit_test(more_tags_than_bits_stay_apart),
        cmocka_unit_test(numbers_of_tags_are_used_again),
        cmocka_unit_test(finds_only_the_living),
        cmocka_unit_test(ends_so_many_each_frame),
        cmocka_unit_test(who_gets_an_index_does_not_inherit_tags),
        cmocka_unit_test(the_last_who_had_a_tag_may_give_way_to_who_gets_it),
        cmocka_unit_test(spawns_from_template_data),
        cmocka_unit_test(does_not_allocate_after_warming_up),
        cmocka_unit_test(a_new_reader_begins_with_all),
        cmocka_unit_test(tells_what_changed_in_the_end),
        cmocka_unit_test(each_reader_has_a_cursor),
        cmocka_unit_test(the_dead_are_lost_and_never_gained),
        cmocka_unit_test(who_falls_behind_begins_anew),
        cmocka_unit_test(too_many_readers_are_an_error),
        cmocka_unit_test(many_who_get_indices_at_once_inherit_nothing),
        cmocka_unit_test(is_what_a_plain_model_is),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
