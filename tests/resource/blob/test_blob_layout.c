// Layouts: that those of all types describe their structs, and what is checked and written by them.
#include "resource/blob/blob_layout.h"

#include "resource/blob/blob_fixtures.h"
#include "resource/catalog.h"

// --- The tables of all types ---------------------------------------------------------------------

static void expects_whole(const ct_blob_layout *layout);

static void expects_part(const ct_blob_layout *layout, const ct_blob_part *part) {
    const bool is_numbers = part->kind == CT_BLOB_PART_NUMBERS;
    const uint32_t item_bytes = is_numbers                           ? part->number_bytes
                                : part->kind == CT_BLOB_PART_STRUCTS ? part->layout->size_bytes
                                                                     : sizeof(ct_blob_array);
    const uint32_t align = is_numbers                           ? part->number_bytes
                           : part->kind == CT_BLOB_PART_STRUCTS ? part->layout->align_bytes
                                                                : sizeof(uint32_t);
    if (item_bytes == 0 || part->size_bytes == 0 || part->size_bytes % item_bytes != 0)
        fail_msg("%s.%s: %u bytes of %u each", layout->name, part->name, part->size_bytes,
                 item_bytes);
    if (part->offset % align != 0 || align > layout->align_bytes)
        fail_msg("%s.%s: at %u, expected a multiple of %u", layout->name, part->name, part->offset,
                 align);
    if (part->kind == CT_BLOB_PART_ARRAY && (part->layout != NULL) == (part->choose != NULL))
        fail_msg("%s.%s: a layout, or what chooses it", layout->name, part->name);
    if (part->layout)
        expects_whole(part->layout);
}

// Fails when parts overlap, leave out bytes or pass the struct's end.
static void expects_whole(const ct_blob_layout *layout) {
    uint32_t end = layout->first_offset;
    assert_int_not_equal(layout->num_parts, 0);
    for (uint32_t i = 0; i < layout->num_parts; ++i) {
        const ct_blob_part *const part = &layout->parts[i];
        if (part->offset != end)
            fail_msg("%s.%s: at %u, expected %u, where the part before ends", layout->name,
                     part->name, part->offset, end);
        expects_part(layout, part);
        end = part->offset + part->size_bytes;
    }
    if (end != layout->size_bytes)
        fail_msg("%s: its parts end at %u, the struct at %u", layout->name, end,
                 layout->size_bytes);
}

static void every_type_is_described_to_its_end(void **state) {
    (void)state;
    uint32_t count;
    const ct_resource_type *const types = ct_resource_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (!types[i].layout)
            fail_msg("the type %s has no layout", types[i].name);
        assert_int_equal(types[i].layout->first_offset, sizeof(ct_blob_header));
        expects_whole(types[i].layout);
    }
    expects_whole(&ct_catalog_layout);
    for (uint32_t format = 0; format < CT_MESH_FORMAT_COUNT; ++format) {
        expects_whole(&ct_mesh_vertex_layouts[format]);
        expects_whole(&ct_mesh_extra_layouts[format]);
    }
    expects_whole(&ct_mesh_influences4_layout);
    expects_whole(&ct_mesh_influences8_layout);
}

static void every_component_field_can_stand_in_a_blob(void **state) {
    (void)state;
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_schema *const schema = types[i].instance_schema;
        for (uint32_t f = 0; schema && f < schema->num_fields; ++f) {
            const ct_blob_part part = ct_blob_part_of_field(&schema->fields[f]);
            assert_true(part.number_bytes > 0 && part.size_bytes % part.number_bytes == 0);
            assert_true(part.offset + part.size_bytes <= schema->size_bytes);
        }
    }
}

// --- A garden ------------------------------------------------------------------------------------

typedef struct rose {
    ct_blob_string name, note; // the note may be none
    uint64_t id;
    ct_blob_array petals; // uint32_t
    uint16_t thorns[2];
    uint32_t padding;
} rose;

typedef struct garden {
    ct_blob_header header;
    uint32_t unit_bytes; // of `seeds`: 1 or 2
    uint32_t padding;
    ct_blob_stream stream;
    ct_blob_array roses, words, seeds, soil;
} garden;

static const ct_blob_layout rose_layout = CT_BLOB_STRUCT(
    rose, CT_BLOB_STRING(rose, name), CT_BLOB_STRING_OR_NONE(rose, note),
    CT_BLOB_NUMBERS(8, rose, id, id), CT_BLOB_ARRAY(rose, petals, ct_blob_u32_layout),
    CT_BLOB_NUMBERS(2, rose, thorns, thorns), CT_BLOB_NUMBERS(4, rose, padding, padding));

static const ct_blob_layout *choose_seed(const void *blob, const void *owner, ct_blob_layout *own,
                                         ct_error *error) {
    const uint32_t bytes = ((const garden *)blob)->unit_bytes;
    assert_ptr_equal(blob, owner);
    if (bytes != 1 && bytes != 2) {
        ct_error_set(error, "seeds of %u bytes", bytes);
        return NULL;
    }
    *own = (ct_blob_layout){.name = "seeds", .size_bytes = bytes, .align_bytes = bytes};
    return own;
}

static const ct_blob_layout garden_layout = CT_BLOB_ROOT(
    garden, "a garden", CT_BLOB_NUMBERS(4, garden, unit_bytes, padding),
    CT_BLOB_STRUCTS(garden, stream, ct_blob_stream_layout),
    CT_BLOB_ARRAY(garden, roses, rose_layout), CT_BLOB_ARRAY(garden, words, ct_blob_string_layout),
    CT_BLOB_CHOICE(garden, seeds, choose_seed),
    CT_BLOB_STREAMED(garden, soil, ct_blob_pixels_layout));

static void write_garden(ct_blob_writer *w, ct_byte_order order) {
    static const uint32_t petals[] = {5, 6, 7};
    static const uint16_t seeds[] = {0x0102, 0x0304};
    static const char *const words[] = {"red", "white"};
    rose roses[2] = {{.id = 0x0102030405060708, .thorns = {1, 2}}, {.id = 2}};
    garden g = {.unit_bytes = 2};
    ct_blob_writer_init(w, test_heap(), order, "garden", 1);
    ct_blob_begin(w, &garden_layout);
    ct_blob_write_u8(w, 0xee); // items align themselves
    g.roses = ct_blob_reserve_items(w, &rose_layout, 2);
    roses[0].name = ct_blob_write_string(w, "rosa", 4);
    roses[1].name = ct_blob_write_string(w, "canina", 6);
    roses[1].petals = ct_blob_write_items(w, &ct_blob_u32_layout, petals, 3);
    roses[0].petals = ct_blob_write_items(w, &ct_blob_u32_layout, petals, 0);
    ct_blob_fill_items(w, &rose_layout, g.roses, roses);
    g.words = ct_blob_write_strings(w, words, 2);
    g.seeds = ct_blob_write_items(w, &ct_blob_u16_layout, seeds, 2);
    g.soil = ct_blob_write_items(w, &ct_blob_pixels_layout, "soil", 4);
    ct_blob_end(w, &garden_layout, &g);
    ct_blob_writer_finish(w);
}

static void reads_what_was_written(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_error error = {0};
    write_garden(&w, CT_BYTE_ORDER_LITTLE);
    const garden *const g = (const void *)w.bytes.items;
    if (!ct_blob_check_layout(&garden_layout, g, &error))
        fail_msg("%s", error.message);
    const rose *const roses = ct_blob_at(g, g->roses.offset);
    const ct_blob_string *const words = ct_blob_at(g, g->words.offset);
    assert_int_equal(g->roses.offset, sizeof(garden) + 8);
    assert_string_equal(ct_blob_at(g, roses[1].name.offset), "canina");
    assert_int_equal(roses[0].petals.offset, 0);
    assert_int_equal(((const uint32_t *)ct_blob_at(g, roses[1].petals.offset))[2], 7);
    assert_string_equal(ct_blob_at(g, words[1].offset), "white");
    assert_int_equal(g->soil.offset % CT_BLOB_ALIGN, 0);
    assert_int_equal(g->unit_bytes, 2);
    ct_blob_writer_free(&w);
}

static void writes_for_the_other_byte_order(void **state) {
    (void)state;
    static const uint8_t first[] = {1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2};
    static const uint8_t petals[] = {0, 0, 0, 5, 0, 0, 0, 6};
    ct_blob_writer little, big;
    write_garden(&little, CT_BYTE_ORDER_LITTLE);
    write_garden(&big, CT_BYTE_ORDER_BIG);
    const garden *const g = (const void *)little.bytes.items;
    const rose *const roses = ct_blob_at(g, g->roses.offset);
    const uint8_t *const bytes = big.bytes.items;
    assert_int_equal(little.bytes.count, big.bytes.count);
    assert_memory_equal(bytes + g->roses.offset + offsetof(rose, id), first, sizeof(first));
    assert_memory_equal(bytes + roses[1].petals.offset, petals, sizeof(petals));
    assert_memory_equal(bytes + g->seeds.offset, ((const uint8_t[]){1, 2, 3, 4}), 4);
    assert_memory_equal(bytes + g->soil.offset, "soil", 4);
    ct_blob_writer_free(&little);
    ct_blob_writer_free(&big);
}

// --- The check -----------------------------------------------------------------------------------

static void expects(garden *g, const char *message) {
    ct_error error = {0};
    assert_false(ct_blob_check_layout(&garden_layout, g, NULL));
    assert_false(ct_blob_check_layout(&garden_layout, g, &error));
    assert_message(&error, message);
}

static void names_the_member_that_is_wrong(void **state) {
    (void)state;
    ct_blob_writer w;
    write_garden(&w, CT_BYTE_ORDER_LITTLE);
    garden *const g = (void *)w.bytes.items;
    rose *const roses = ITEM(rose, g, g->roses, 0);
    ct_blob_string *const words = ITEM(ct_blob_string, g, g->words, 0);
    const garden whole = *g;
    const rose one = roses[1];
    g->roses.count = 1000;
    expects(g, "roses: 1000 of 40 bytes");
    *g = whole;
    g->roses.offset += 4;
    expects(g, "roses: at offset");
    *g = whole;
    roses[1].name.bytes = 5;
    expects(g, "roses[1].name: text of 5 bytes");
    roses[1] = one;
    roses[1].note.bytes = 1;
    expects(g, "roses[1].note: text of 1 bytes at offset 0");
    roses[1] = one;
    roses[1].petals.offset += 2;
    expects(g, "roses[1].petals: at offset");
    roses[1] = one;
    words[1] = (ct_blob_string){0};
    expects(g, "words[1]: text of 0 bytes");
    words[1] = words[0];
    g->unit_bytes = 3;
    expects(g, "seeds of 3 bytes");
    g->unit_bytes = 1;
    g->header.size_bytes = sizeof(garden) - 1;
    expects(g, "too small for a garden");
    ct_blob_writer_free(&w);
}

static void lets_bytes_lie_in_the_stream(void **state) {
    (void)state;
    ct_blob_writer w;
    write_garden(&w, CT_BYTE_ORDER_LITTLE);
    garden *const g = (void *)w.bytes.items;
    g->soil = (ct_blob_array){w.bytes.count, 32};
    expects(g, "soil: 32 bytes at offset");
    g->stream.bytes = 32;
    assert_true(ct_blob_check_layout(&garden_layout, g, NULL));
    g->soil.offset += 8;
    g->soil.count = 8;
    expects(g, "are not in the stream");
    g->stream.bytes = 33;
    expects(g, "the stream has 33 bytes, expected a multiple of 16");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_described_to_its_end),
        cmocka_unit_test(every_component_field_can_stand_in_a_blob),
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(writes_for_the_other_byte_order),
        cmocka_unit_test(names_the_member_that_is_wrong),
        cmocka_unit_test(lets_bytes_lie_in_the_stream),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
