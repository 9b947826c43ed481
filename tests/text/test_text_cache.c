// Caches of layouts and runs: hits, eviction, what a frame allocates.
#include "support/test_font.h"
#include "support/test_support.h"
#include "text/text.h"
#include "text/text_cache.h"

#include <stdio.h>
#include <string.h>

static ct_text *engine;
static ct_font_resource *font;

static int set_up(void **state) {
    (void)state;
    engine = ct_text_create(test_heap());
    font = test_font_of(test_heap(), TEST_FONT_DEJAVU, NULL, 0);
    ct_text_set_font(engine, (ct_string_id64){1}, font);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_text_destroy(engine);
    ct_free(test_heap(), font);
    return 0;
}

static ct_text_desc desc_of(const char *text) {
    return (ct_text_desc){.text = text,
                          .num_bytes = (uint32_t)strlen(text),
                          .style = {.font = {1}, .size = 32, .color = 0xffffffff}};
}

static const ct_text_layout *lay_out(const char *text) {
    const ct_text_desc desc = desc_of(text);
    return ct_text_layout_of(engine, &desc);
}

static void allocates_nothing_when_cached(void **state) {
    (void)state;
    char texts[100][24];
    for (uint32_t i = 0; i < 100; ++i) {
        snprintf(texts[i], sizeof(texts[i]), "label number %u", i);
        lay_out(texts[i]);
    }
    const uint64_t blocks = ct_allocator_stats_of(test_heap()).total_blocks;
    const uint64_t hits = ct_text_get_stats(engine).num_layout_hits;
    for (uint32_t frame = 0; frame < 300; ++frame) {
        for (uint32_t i = 0; i < 100; ++i) {
            char copy[24]; // found by its bytes, not by its address
            memcpy(copy, texts[i], sizeof(copy));
            assert_int_equal(lay_out(copy)->num_plain_bytes, strlen(copy));
        }
        ct_text_end_frame(engine);
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, blocks);
    assert_int_equal(ct_text_get_stats(engine).num_layout_hits, hits + 30000);
    assert_int_equal(ct_text_get_stats(engine).num_layouts, 100);
}

static void tells_descriptions_apart(void **state) {
    (void)state;
    const ct_text_desc first = desc_of("text");
    ct_text_desc others[16];
    for (uint32_t i = 0; i < 16; ++i)
        others[i] = first;
    others[0].text = "texT";
    others[1].num_bytes = 3;
    others[2].style.size = 33;
    others[3].style.color = 0xfffffffe;
    others[4].style.outline = 1;
    others[5].style.shadow_blur = 1;
    others[6].style.is_underlined = true;
    others[7].style.is_struck = true;
    others[8].width = 1000;
    others[9].line_height = 2;
    others[10].max_lines = 1;
    others[11].align = CT_TEXT_ALIGN_CENTER;
    others[12].direction = CT_TEXT_DIRECTION_RIGHT_TO_LEFT;
    others[13].has_ellipsis = true;
    others[14].is_single_line = true;
    others[15].has_markup = true;
    const ct_text_layout *const layout = ct_text_layout_of(engine, &first);
    for (uint32_t i = 0; i < 16; ++i)
        assert_ptr_not_equal(ct_text_layout_of(engine, &others[i]), layout);
    assert_int_equal(ct_text_get_stats(engine).num_layouts, 17);
    assert_ptr_equal(ct_text_layout_of(engine, &first), layout);
    assert_int_equal(ct_text_get_stats(engine).num_runs, 3); // text, texT, tex
}

static void drops_what_was_not_asked_for(void **state) {
    (void)state;
    lay_out("kept");
    lay_out("dropped");
    const uint64_t bytes = ct_text_get_stats(engine).cache_bytes;
    for (uint32_t frame = 0; frame < 130; ++frame) {
        lay_out("kept");
        ct_text_end_frame(engine);
    }
    assert_true(ct_text_get_stats(engine).cache_bytes < bytes);
    assert_int_equal(ct_text_get_stats(engine).num_layouts, 2);
    lay_out("kept");
    assert_int_equal(ct_text_get_stats(engine).num_layouts, 2);
    lay_out("dropped");
    assert_int_equal(ct_text_get_stats(engine).num_layouts, 3);
}

static void keeps_within_its_budget(void **state) {
    (void)state;
    char text[1001];
    memset(text, 'x', sizeof(text));
    text[1000] = '\0';
    for (uint32_t i = 0; i < 1000; ++i) {
        snprintf(text, 12, "%011u", i);
        text[11] = 'x';
        lay_out(text);
        if (i % 100 == 99)
            ct_text_end_frame(engine);
    }
    ct_text_end_frame(engine);
    assert_true(ct_text_get_stats(engine).cache_bytes <= 32 << 20);
    assert_true(ct_text_get_stats(engine).cache_bytes > 8 << 20);
    const uint64_t made = ct_text_get_stats(engine).num_layouts;
    lay_out(text); // the latest is still there
    assert_int_equal(ct_text_get_stats(engine).num_layouts, made);
}

static void keeps_quads_of_its_user(void **state) {
    (void)state;
    const ct_text_desc desc = desc_of("quads");
    ct_text_layout *const l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->quads_version, 0);
    assert_int_equal(l->num_quads, 0);
    for (uint32_t i = 0; i < l->num_glyphs; ++i)
        l->quads[i] = (ct_text_quad){.effect = i};
    l->quads_version = 7;
    l->num_quads = 5;
    ct_text_end_frame(engine);
    assert_int_equal(ct_text_layout_of(engine, &desc)->quads_version, 7);
    assert_int_equal(ct_text_layout_of(engine, &desc)->quads[4].effect, 4);
}

static void keeps_languages_side_by_side(void **state) {
    (void)state;
    const ct_text_desc desc = desc_of("two languages");
    uint64_t made = 0;
    for (uint32_t i = 0; i < 6; ++i) {
        ct_text_set_language(engine, i % 2 ? "fr" : "ja");
        assert_int_equal(ct_text_language_number(engine), 1 + i % 2);
        ct_text_layout_of(engine, &desc);
        made = i == 1 ? ct_text_get_stats(engine).num_layouts : made;
    }
    assert_int_equal(ct_text_get_stats(engine).num_layouts, made);
    ct_text_set_language(engine, NULL);
    assert_int_equal(ct_text_language_number(engine), 0);
}

// --- The cache alone -----------------------------------------------------------------------------

typedef struct number_entry {
    ct_text_cache_entry entry;
    uint32_t number;
} number_entry;

static bool is_number(const ct_text_cache_entry *entry, const void *key) {
    return ((const number_entry *)entry)->number == *(const uint32_t *)key;
}

static number_entry *find(ct_text_cache *c, uint64_t hash, uint32_t number, uint32_t frame) {
    return (number_entry *)ct_text_cache_find(c, &hash, &number, is_number, frame);
}

static void add(ct_text_cache *c, uint64_t hash, uint32_t number, uint32_t frame) {
    assert_null(ct_text_cache_find(c, &hash, &number, is_number, frame));
    number_entry *const e = ct_alloc(test_heap(), sizeof(*e));
    *e = (number_entry){{.hash = hash, .bytes = sizeof(*e)}, number};
    ct_text_cache_add(c, &e->entry, frame);
}

static void finds_keys_of_one_hash(void **state) {
    (void)state;
    ct_text_cache c;
    ct_text_cache_init(&c, test_heap());
    for (uint32_t i = 0; i < 50; ++i)
        add(&c, i % 5, i, i);
    for (uint32_t i = 0; i < 50; ++i)
        assert_int_equal(find(&c, i % 5, i, 100 + i)->number, i);
    assert_null(find(&c, 1, 99, 100));
    ct_text_cache_sweep(&c, 149, 10, UINT64_MAX);
    assert_int_equal(c.entries.count, 11);
    ct_text_cache_sweep(&c, 149, 10, 3 * sizeof(number_entry));
    assert_int_equal(c.entries.count, 3);
    ct_text_cache_sweep(&c, 149, 10, 0); // what this frame asked for stays
    assert_int_equal(c.entries.count, 1);
    assert_int_equal(c.bytes, sizeof(number_entry));
    ct_text_cache_clear(&c);
    assert_int_equal(c.bytes, 0);
}

static void hashes_every_byte(void **state) {
    (void)state;
    uint8_t bytes[40] = {0};
    for (uint32_t length = 1; length <= 40; ++length) {
        const uint64_t hash = ct_text_hash_bytes(1, bytes, length);
        assert_true(hash != ct_text_hash_bytes(1, bytes, length - 1));
        assert_true(hash != ct_text_hash_bytes(2, bytes, length));
        for (uint32_t i = 0; i < length; ++i) {
            bytes[i] ^= 1;
            assert_true(hash != ct_text_hash_bytes(1, bytes, length));
            bytes[i] ^= 1;
        }
    }
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(allocates_nothing_when_cached), TEST(tells_descriptions_apart),
        TEST(drops_what_was_not_asked_for),  TEST(keeps_within_its_budget),
        TEST(keeps_quads_of_its_user),       cmocka_unit_test(finds_keys_of_one_hash),
        TEST(keeps_languages_side_by_side),  cmocka_unit_test(finds_keys_of_one_hash),
        cmocka_unit_test(hashes_every_byte),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
