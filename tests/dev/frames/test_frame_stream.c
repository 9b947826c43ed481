// A stream of pictures that a test draws: order, changes, levels, and what is sent in PNG is what was drawn.
#include "dev/frames/frame_stream.h"

#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wextra"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

#include "foundation/memory/memory.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson.h"
#include "support/test_support.h"

enum { WIDTH = 200, HEIGHT = 100 };

static uint8_t picture[WIDTH * HEIGHT * 4], shown[WIDTH * HEIGHT * 4];
static uint32_t num_drawn;

static void drawn(void *user) {
    (void)user;
    ++num_drawn;
}

static ct_frame_stream *open_stream(bool is_png, uint32_t width, uint32_t height) {
    const ct_frame_stream_desc desc = {
        .number = 7, .width = width, .height = height, .rate = 30, .is_png = is_png, .quality = 80};
    ct_frame_stream *const s = ct_frame_stream_create(test_heap(), &desc);
    ct_error error = {0};
    s->jpeg = is_png ? NULL : ct_turbojpeg_load(&error);
    s->drawn = drawn;
    return s;
}

static void draw(ct_frame_stream *s) {
    ct_frame_slot *const slot = ct_frame_stream_request(s);
    assert_non_null(slot);
    ct_frame_slot_take(slot, picture, WIDTH, HEIGHT);
}

// The number of a member of the message.
static double member(const ct_sjson *doc, ct_sjson_value object, const char *key) {
    return ct_sjson_number(doc, ct_sjson_find(doc, object, key), -1);
}

// The width of the picture that a message says.
static uint32_t width_of(const ct_frame_slot *slot) {
    ct_error error = {0};
    ct_sjson *const doc =
        ct_sjson_parse(test_heap(), slot->json.text, slot->json.length, "frame", NULL, &error);
    const uint32_t width = (uint32_t)member(doc, ct_sjson_root(doc), "width");
    ct_sjson_free(doc);
    return width;
}

// Reads the tiles of a PNG message into `shown`.
static void show(const ct_frame_slot *slot) {
    ct_error error = {0};
    ct_sjson *const doc =
        ct_sjson_parse(test_heap(), slot->json.text, slot->json.length, "frame", NULL, &error);
    assert_non_null(doc);
    const uint8_t *file = slot->binary.items;
    ct_sjson_value tile = ct_sjson_first(doc, ct_sjson_find(doc, ct_sjson_root(doc), "tiles"));
    for (; tile.entry != 0; tile = ct_sjson_next(doc, tile)) {
        const uint32_t bytes = (uint32_t)member(doc, tile, "bytes");
        int width, height, channels;
        stbi_uc *const pixels =
            stbi_load_from_memory(file, (int)bytes, &width, &height, &channels, 4);
        assert_non_null(pixels);
        assert_int_equal(width, (int)member(doc, tile, "width"));
        assert_int_equal(height, (int)member(doc, tile, "height"));
        uint8_t *const to = shown + 4 * (WIDTH * (uint32_t)member(doc, tile, "y") +
                                         (uint32_t)member(doc, tile, "x"));
        for (int row = 0; row < height; ++row)
            memcpy(to + 4 * (size_t)WIDTH * (size_t)row, pixels + 4 * (size_t)width * (size_t)row,
                   4 * (size_t)width);
        stbi_image_free(pixels);
        file += bytes;
    }
    assert_ptr_equal(file, slot->binary.items + slot->binary.count);
    assert_int_equal(member(doc, ct_sjson_root(doc), "binary_size"), slot->binary.count);
    assert_int_equal(member(doc, ct_sjson_root(doc), "stream"), 7);
    ct_sjson_free(doc);
}

static void paint(uint32_t x, uint32_t y, uint8_t value) {
    uint8_t *const pixel = picture + 4 * (WIDTH * y + x);
    pixel[0] = pixel[1] = pixel[2] = value;
}

static void clear(void) {
    memset(picture, 255, sizeof(picture));
    memset(shown, 0, sizeof(shown));
    num_drawn = 0;
}

static void sends_what_was_drawn_in_order(void **state) {
    (void)state;
    clear();
    ct_frame_stream *const s = open_stream(true, WIDTH, HEIGHT);
    for (uint32_t round = 0; round < 20; ++round) {
        paint(round * 9, round * 4, (uint8_t)(round * 10));
        draw(s);
        assert_true(ct_frame_stream_is_busy(s));
        assert_null(ct_frame_stream_ready(s));
        assert_true(ct_frame_stream_encode(s));
        assert_false(ct_frame_stream_encode(s));
        ct_frame_slot *const slot = ct_frame_stream_ready(s);
        assert_non_null(slot);
        show(slot);
        assert_memory_equal(shown, picture, sizeof(picture));
        ct_frame_stream_sent(s, slot);
    }
    assert_int_equal(num_drawn, 20);
    ct_frame_stream_destroy(s);
}

static void sends_nothing_when_nothing_has_changed(void **state) {
    (void)state;
    clear();
    ct_frame_stream *const s = open_stream(true, WIDTH, HEIGHT);
    for (uint32_t round = 0; round < 3; ++round) {
        draw(s);
        ct_frame_stream_encode(s);
        ct_frame_slot *const slot = ct_frame_stream_ready(s);
        assert_int_equal(slot->json.length != 0, round == 0);
        ct_frame_stream_sent(s, slot);
    }
    // A frame that drew nothing, too.
    ct_frame_slot_take(ct_frame_stream_request(s), NULL, 0, 0);
    assert_true(ct_frame_stream_encode(s));
    assert_int_equal(ct_frame_stream_ready(s)->json.length, 0);
    ct_frame_stream_destroy(s);
}

static void holds_as_many_pictures_as_it_has_slots(void **state) {
    (void)state;
    clear();
    ct_frame_stream *const s = open_stream(true, WIDTH, HEIGHT);
    for (uint32_t i = 0; i < CT_FRAME_SLOTS; ++i) {
        paint(i, 0, 1);
        draw(s);
    }
    assert_null(ct_frame_stream_request(s));
    while (ct_frame_stream_encode(s))
        ;
    for (uint32_t i = 0; i < CT_FRAME_SLOTS; ++i) {
        ct_frame_slot *const slot = ct_frame_stream_ready(s);
        show(slot);
        ct_frame_stream_sent(s, slot);
    }
    assert_memory_equal(shown, picture, sizeof(picture));
    assert_false(ct_frame_stream_is_busy(s));
    ct_frame_stream_destroy(s);
}

// Draws, encodes and counts a picture that differs from the one before.
static void send_one(ct_frame_stream *s, uint8_t value) {
    paint(0, 0, value);
    draw(s);
    assert_true(ct_frame_stream_encode(s));
    ct_frame_slot *const slot = ct_frame_stream_ready(s);
    assert_non_null(slot);
    ct_frame_stream_count_sent(s, slot);
    ct_frame_stream_sent(s, slot);
}

static void a_shown_picture_counts_for_those_before_it(void **state) {
    (void)state;
    clear();
    ct_frame_stream *const s = open_stream(true, WIDTH, HEIGHT);
    for (uint8_t i = 1; i <= 3; ++i)
        send_one(s, i);
    assert_int_equal(s->num_unshown, 3);
    ct_frame_stream_shown(s, 2); // the client said nothing of the first
    assert_int_equal(s->num_unshown, 1);
    ct_frame_stream_shown(s, 1); // late
    assert_int_equal(s->num_unshown, 1);
    ct_frame_stream_shown(s, 3);
    assert_int_equal(s->num_unshown, 0);
    ct_frame_stream_shown(s, 3);
    ct_frame_stream_shown(s, 0);
    assert_int_equal(s->num_unshown, 0);

    // Without numbers, each is for one picture.
    send_one(s, 4);
    send_one(s, 5);
    ct_frame_stream_shown(s, 0);
    assert_int_equal(s->num_unshown, 1);
    ct_frame_stream_shown(s, 99); // none has this number
    assert_int_equal(s->num_unshown, 0);
    ct_frame_stream_destroy(s);
}

static void is_smaller_and_whole_again_by_its_level(void **state) {
    (void)state;
    clear();
    ct_frame_stream *const s = open_stream(false, WIDTH, HEIGHT);
    if (!s->jpeg) {
        ct_frame_stream_destroy(s);
        skip();
    }
    static const uint32_t given[] = {0, 1, 2, 3, 2, 1, 0};
    for (uint32_t i = 0; i < CT_COUNT_OF(given); ++i) {
        s->level = given[i];
        draw(s);
        ct_frame_stream_encode(s);
        ct_frame_slot *const slot = ct_frame_stream_ready(s);
        // Nothing has changed: sent where the size has, or where the picture gets better.
        const bool is_sent = i == 0 || given[i] < given[i - 1] || given[i] == 2;
        assert_int_equal(slot->json.length != 0, is_sent);
        if (is_sent) {
            assert_int_equal(width_of(slot), given[i] < 2 ? WIDTH : WIDTH / 2);
            assert_int_equal(slot->binary.items[0], 0xff); // a JPEG
            assert_int_equal(slot->binary.items[1], 0xd8);
        }
        ct_frame_stream_sent(s, slot);
    }
    ct_frame_stream_destroy(s);
}

// Does what the encoder and the update thread do, as early as they may.
static void finish(void *user) {
    ct_frame_stream *const s = user;
    while (!ct_frame_stream_encode(s))
        ;
    ct_frame_stream_destroy(s);
}

// tsan finds a use of the stream behind the point where others may free it; asan does when it comes to pass.
static void a_closed_stream_is_freed_while_its_picture_is_handed_over(void **state) {
    (void)state;
    enum { ROUNDS = 200 };
    clear();
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        ct_frame_stream *const s = open_stream(true, 16, 16);
        ct_frame_slot *const slot = ct_frame_stream_request(s);
        const ct_thread thread = ct_thread_start("finish", finish, s);
        ct_frame_slot_take(slot, picture, 16, 16);
        ct_thread_join(thread);
    }
    assert_int_equal(num_drawn, ROUNDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_what_was_drawn_in_order),
        cmocka_unit_test(sends_nothing_when_nothing_has_changed),
        cmocka_unit_test(holds_as_many_pictures_as_it_has_slots),
        cmocka_unit_test(a_shown_picture_counts_for_those_before_it),
        cmocka_unit_test(is_smaller_and_whole_again_by_its_level),
        cmocka_unit_test(a_closed_stream_is_freed_while_its_picture_is_handed_over),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
