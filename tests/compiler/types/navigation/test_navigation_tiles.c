// Tiles that are taken from the former output: the result is that of a full build, bit for bit.
#include "compiler/types/navigation/navigation_case.h"
#include "foundation/math/random.h"
#include "resource/blob/blob_writer.h"
#include "resource/blob/content_hash.h"

enum { MOST_CRATES = 24 };

typedef struct crate {
    bool is_there;
    float x, y, z, turn, size;
} crate;

typedef struct model {
    crate crates[MOST_CRATES];
    float pond[2];
    bool is_cut;
} model;

static const char source[] =
    "agents = [ { id = \"a\" name = \"human\" radius = 0.5 } { id = \"b\" name = \"dog\" radius = "
    "0.25 height = 0.75 } ]\nareas = [ { id = \"w\" name = \"water\" cost = 3 } ]\n"
    "rules = [ { id = \"r\" find = \"drop\" kind = \"drop\" height = 3 distance = 1 } ]\n";

static void write_town(compile_case *t, const model *town) {
    char text[16384];
    int length = snprintf(text, sizeof(text),
                          "units = [ { id = \"floor\" unit = \"floor\" scale = [2 2 "
                          "1] }\n");
    for (uint32_t i = 0; i < MOST_CRATES; ++i) {
        const crate *const c = &town->crates[i];
        if (c->is_there)
            length +=
                snprintf(text + length, sizeof(text) - (size_t)length,
                         "{ id = \"c%u\" unit = \"crate\" position = [%.3f %.3f %.3f] rotation "
                         "= [0 0 %.4f 1] scale = [%.3f %.3f 1] }\n",
                         i, (double)c->x, (double)c->y, (double)c->z, (double)c->turn,
                         (double)c->size, (double)c->size);
    }
    snprintf(
        text + length, sizeof(text) - (size_t)length,
        "]\nvolumes = [ { id = \"v\" name = \"pond\" position = [%.3f %.3f 0] half_size = [2 2 1] "
        "} ]\n",
        (double)town->pond[0], (double)town->pond[1]);
    compile_case_text(t, "town.level", text);
    snprintf(text, sizeof(text),
             NAVIGATION_SETTINGS "%svolumes = [ { id = \"v\" volume = \"pond\" %s } ]", source,
             town->is_cut ? "cuts = true" : "area = \"water\"");
    compile_case_text(t, "town.navigation", text);
}

static float random_between(ct_random *r, float least, float most) {
    return least + (most - least) * ct_random_float(r);
}

static void edit(model *town, ct_random *r) {
    const uint32_t kind = ct_random_below(r, 8);
    crate *const c = &town->crates[ct_random_below(r, MOST_CRATES)];
    if (kind == 0) {
        town->is_cut = !town->is_cut;
    } else if (kind == 1) {
        town->pond[0] = random_between(r, -14, 14);
        town->pond[1] = random_between(r, -14, 14);
    } else {
        *c = (crate){.is_there = kind > 2,
                     .x = random_between(r, -15, 15),
                     .y = random_between(r, -15, 15),
                     .z = random_between(r, 0, 2),
                     .turn = random_between(r, -1, 1),
                     .size = random_between(r, 0.5f, 5)};
    }
}

static void save(const compile_case *t, const ct_compile_answer *answer) {
    write_bytes(t->folder, "former", answer->blob.items, answer->blob.count);
}

static uint32_t num_tiles(const ct_navigation_resource *r) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->classes.count; ++i)
        count += navigation_class(r, i)->tiles.count;
    return count;
}

// Tiles of a blob whose input hash the other has, too.
static uint32_t num_shared(const ct_navigation_resource *r, const ct_navigation_resource *other) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->classes.count; ++i) {
        const ct_navigation_class *const a = navigation_class(r, i), *const b =
                                                                         navigation_class(other, i);
        const ct_navigation_tile_resource *const tiles = ct_blob_at(r, a->tiles.offset);
        const ct_navigation_tile_resource *const others = ct_blob_at(other, b->tiles.offset);
        for (uint32_t k = 0; k < a->tiles.count; ++k) {
            for (uint32_t m = 0; m < b->tiles.count; ++m)
                count +=
                    tiles[k].input_hash == others[m].input_hash && tiles[k].hash == others[m].hash;
        }
    }
    return count;
}

static void random_edits_give_what_a_full_build_gives(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    ct_random r = ct_random_seeded(7, 0);
    model town = {.pond = {2, 2}};
    const uint32_t rounds = test_rounds(12, 200);
    uint32_t shared = 0, all = 0;
    compile_case_text(&t, "floor.unit", NAVIGATION_FLOOR);
    compile_case_text(&t, "crate.unit", NAVIGATION_CRATE);
    for (uint32_t i = 0; i < MOST_CRATES; ++i)
        edit(&town, &r);
    write_town(&t, &town);
    ct_compile_answer before = navigation_compile(&t, NULL);
    expect_blob(&before, "navigation");
    for (uint32_t i = 0; i < rounds; ++i) {
        save(&t, &before);
        edit(&town, &r);
        write_town(&t, &town);
        ct_compile_answer again = navigation_compile(&t, "former"),
                          whole = navigation_compile(&t, NULL);
        const ct_navigation_resource *const a = expect_blob(&again, "navigation");
        shared += num_shared(a, (const void *)before.blob.items);
        all += num_tiles(a);
        assert_int_equal(again.blob.count, whole.blob.count);
        assert_memory_equal(again.blob.items, whole.blob.items, whole.blob.count);
        assert_int_equal(again.warnings.count, whole.warnings.count);
        ct_compile_answer_free(&before);
        ct_compile_answer_free(&whole);
        before = again;
    }
    print_message("%u edits, %u of %u tiles as before\n", rounds, shared, all);
    assert_true(shared > all / 2); // an edit touches a few of 32 tiles or so
    ct_compile_answer_free(&before);
    compile_case_free(&t);
}

// Marks a tile of the former output: what has the mark was taken from there.
static void mark_tile(ct_compile_answer *answer, uint32_t number) {
    ct_navigation_resource *const r = (ct_navigation_resource *)(void *)answer->blob.items;
    const ct_navigation_class *const c = navigation_class(r, 0);
    ct_navigation_tile_resource *const tile =
        (ct_navigation_tile_resource *)(uintptr_t)ct_blob_at(r, c->tiles.offset) + number;
    tile->max_z = 77;
    r->header.checksum = ct_content_hash(&r->header + 1, answer->blob.count - sizeof(r->header));
}

static float height_of_tile(const ct_compile_answer *answer, uint32_t number) {
    const ct_navigation_resource *const r = (const void *)answer->blob.items;
    const ct_navigation_class *const c = navigation_class(r, 0);
    return ((const ct_navigation_tile_resource *)ct_blob_at(r, c->tiles.offset))[number].max_z;
}

// A floor of four tiles, of which a crate changes one.
static void only_tiles_with_other_input_are_built(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    navigation_write(&t, NAVIGATION_FLOOR_UNIT, "");
    ct_compile_answer former = navigation_compile(&t, NULL);
    for (uint32_t i = 0; i < 4; ++i)
        mark_tile(&former, i);
    save(&t, &former);
    navigation_write(&t, NAVIGATION_FLOOR_UNIT "{ id = \"c\" unit = \"crate\" position = [4 4 0] }",
                     "");
    ct_compile_answer now = navigation_compile(&t, "former");
    expect_blob(&now, "navigation");
    for (uint32_t i = 0; i < 4; ++i)
        assert_float_equal(height_of_tile(&now, i) == 77, i < 3, 0);
    ct_compile_answer_free(&now);
    // Other settings, other tiles.
    navigation_write(&t, NAVIGATION_FLOOR_UNIT, "edge_error = 0.5");
    now = navigation_compile(&t, "former");
    for (uint32_t i = 0; i < 4; ++i)
        assert_true(height_of_tile(&now, i) != 77);
    ct_compile_answer_free(&now);
    ct_compile_answer_free(&former);
    compile_case_free(&t);
}

static void a_damaged_former_output_is_not_used(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    navigation_write(&t, NAVIGATION_FLOOR_UNIT, "");
    ct_compile_answer whole = navigation_compile(&t, NULL);
    ct_compile_answer damaged = navigation_compile(&t, NULL);
    mark_tile(&damaged, 0);
    ++((ct_blob_header *)(void *)damaged.blob.items)->checksum;
    save(&t, &damaged);
    ct_compile_answer now = navigation_compile(&t, "former");
    assert_memory_equal(now.blob.items, whole.blob.items, whole.blob.count);
    ct_compile_answer_free(&now);
    write_text(t.folder, "former", "short");
    now = navigation_compile(&t, "former");
    assert_memory_equal(now.blob.items, whole.blob.items, whole.blob.count);
    ct_compile_answer_free(&now);
    ct_compile_answer_free(&damaged);
    ct_compile_answer_free(&whole);
    compile_case_free(&t);
}

// The driver and its workers do the same.
static void a_compiler_takes_tiles_of_its_data_folder(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    char data[CT_PATH_BYTES];
    ct_path_join(data, t.folder, ".data");
    write_settings(t.folder, "");
    write_boot(t.folder);
    navigation_write(&t, NAVIGATION_FLOOR_UNIT, "");
    ct_compiler *const c = open_compiler(t.folder, data, 1);
    const ct_compile_report *const report = run_compiler(c);
    assert_int_equal(report->errors.count, 0);
    // The former output, with marks.
    char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_resource_file_name(ct_resource_id_of("navigation", "town"), name);
    ct_path_join(path, data, name);
    uint64_t bytes = 0;
    char *const file = ct_file_read(test_heap(), path, &bytes, NULL);
    ct_compile_answer former = navigation_compile(&t, NULL);
    assert_int_equal(bytes, former.blob.count);
    assert_memory_equal(file, former.blob.items, bytes);
    ct_free(test_heap(), file);
    mark_tile(&former, 0);
    write_bytes(data, name, former.blob.items, former.blob.count);
    navigation_write(&t, NAVIGATION_FLOOR_UNIT "{ id = \"c\" unit = \"crate\" position = [4 4 0] }",
                     "");
    run_compiler(c);
    ct_compile_answer now = {.blob.allocator = test_heap()};
    now.blob.items = (uint8_t *)ct_file_read(test_heap(), path, &bytes, NULL);
    assert_non_null(now.blob.items);
    assert_true(height_of_tile(&now, 0) == 77);
    assert_true(height_of_tile(&now, 1) != 77);
    ct_free(test_heap(), now.blob.items);
    ct_compile_answer_free(&former);
    ct_compiler_destroy(c);
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_edits_give_what_a_full_build_gives),
        cmocka_unit_test(only_tiles_with_other_input_are_built),
        cmocka_unit_test(a_damaged_former_output_is_not_used),
        cmocka_unit_test(a_compiler_takes_tiles_of_its_data_folder),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
