#include "text/glyph_raster.h"

#include <math.h>

#include "foundation/os/os.h"
#include "text/font_files.h"

static ct_glyph_raster *open_font(const font_file *f) {
    ct_error error = {0};
    ct_glyph_raster *const r = ct_glyph_raster_create(test_heap(), f->bytes, f->count, 0, &error);
    if (!r)
        fail_msg("%s", error.message);
    return r;
}

static ct_glyph_picture draw(ct_glyph_raster *r, uint32_t codepoint, float size, uint32_t spread,
                             ct_byte_array *pixels) {
    ct_error error = {0};
    ct_glyph_picture picture;
    const uint32_t glyph = ct_glyph_raster_glyph_of(r, codepoint);
    assert_true(glyph > 0);
    if (!ct_glyph_raster_draw(r, glyph, size, spread, pixels, &picture, &error))
        fail_msg("%s", error.message);
    assert_int_equal(pixels->count, picture.width * picture.height);
    return picture;
}

static void refuse_font(const void *bytes, uint64_t count, uint32_t face, const char *message) {
    ct_error error = {0};
    assert_null(ct_glyph_raster_create(test_heap(), bytes, count, face, &error));
    if (!strstr(error.message, message))
        fail_msg("found \"%s\", expected \"%s\"", error.message, message);
}

static void refuse_glyph(ct_glyph_raster *r, uint32_t glyph, float size, const char *message) {
    ct_byte_array pixels;
    ct_error error = {0};
    ct_glyph_picture picture = {.width = 7};
    ct_array_init(&pixels, test_heap());
    ct_array_push(&pixels, 1);
    assert_false(ct_glyph_raster_draw(r, glyph, size, 4, &pixels, &picture, &error));
    if (!strstr(error.message, message))
        fail_msg("found \"%s\", expected \"%s\"", error.message, message);
    assert_int_equal(pixels.count, 0);
    assert_int_equal(picture.width, 0);
    ct_array_free(&pixels);
}

// --- Pictures ------------------------------------------------------------------------------------

typedef struct errors {
    double sum, worst;
    uint32_t count;
} errors;

enum { FINE = 16, SIZE = 32, SPREAD = 4 };

// A large picture, as a mask of what is inside.
typedef struct mask {
    const uint8_t *pixels;
    ct_glyph_picture picture;
} mask;

static bool is_inside(const mask *m, int x, int y) {
    return x >= 0 && y >= 0 && x < (int)m->picture.width && y < (int)m->picture.height &&
           m->pixels[(uint32_t)y * m->picture.width + (uint32_t)x] >= 128;
}

// The signed distance in pixels of the mask from (x, y) to its edge, at most `most`.
static double distance_at(const mask *m, double x, double y, int most) {
    const int middle_x = (int)floor(x), middle_y = (int)floor(y);
    const bool inside = is_inside(m, middle_x, middle_y);
    double least = most;
    for (int j = middle_y - most; j <= middle_y + most; ++j) {
        for (int i = middle_x - most; i <= middle_x + most; ++i) {
            if (is_inside(m, i, j) != inside)
                least = fmin(least, hypot(i + 0.5 - x, j + 0.5 - y) - 0.5);
        }
    }
    return inside ? least : -least;
}

static void compare_with_mask(ct_glyph_raster *r, uint32_t codepoint, errors *e) {
    ct_byte_array field, fine;
    ct_array_init(&field, test_heap());
    ct_array_init(&fine, test_heap());
    const ct_glyph_picture p = draw(r, codepoint, SIZE, SPREAD, &field);
    const ct_glyph_picture large = draw(r, codepoint, SIZE * FINE, 0, &fine);
    const mask m = {fine.items, large};
    for (uint32_t i = 0; i < field.count; ++i) {
        // From the field's pixels to those of the mask, both from their top left corners.
        const double x = (p.left + i % p.width + 0.5) * FINE - large.left;
        const double y = large.top - (p.top - i / p.width - 0.5) * FINE;
        const double expected = distance_at(&m, x, y, SPREAD * FINE) / FINE;
        const double found =
            field.items[i] ? (field.items[i] - 128) * (double)SPREAD / 127 : -SPREAD;
        const double error = fabs(found - expected);
        e->sum += error;
        e->worst = fmax(e->worst, error);
        ++e->count;
    }
    ct_array_free(&field);
    ct_array_free(&fine);
}

static void fields_are_the_distances_to_the_edge(void **state) {
    (void)state;
    font_file f = font_file_core();
    ct_glyph_raster *const r = open_font(&f);
    errors e = {0};
    for (const char *c = "AgB&8"; *c; ++c)
        compare_with_mask(r, (uint32_t)*c, &e);
    print_message("distance: mean error %.4f, worst %.4f pixels\n", e.sum / e.count, e.worst);
    assert_true(e.sum / e.count < 0.03);
    assert_true(e.worst < 0.1);
    ct_glyph_raster_destroy(r);
    font_file_free(&f);
}

static double sample(const ct_byte_array *field, const ct_glyph_picture *p, double x, double y) {
    const double u = x - 0.5, v = y - 0.5;
    const int x0 = (int)floor(u), y0 = (int)floor(v);
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        const int i = x0 + (k & 1), j = y0 + (k >> 1);
        const double weight = (1 - fabs(u - i)) * (1 - fabs(v - j));
        if (i >= 0 && j >= 0 && i < (int)p->width && j < (int)p->height)
            sum += weight * field->items[(uint32_t)j * p->width + (uint32_t)i];
    }
    return sum;
}

// A letter at 8 times the size of its field is what FreeType draws at that size.
static void fields_are_sharp_when_enlarged(void **state) {
    (void)state;
    enum { SCALE = 8 };
    font_file f = font_file_core();
    ct_glyph_raster *const r = open_font(&f);
    ct_byte_array field, large;
    double sum = 0;
    uint32_t count = 0;
    ct_array_init(&field, test_heap());
    ct_array_init(&large, test_heap());
    for (const char *c = "AgB&8"; *c; ++c) {
        const ct_glyph_picture p = draw(r, (uint32_t)*c, SIZE, SPREAD, &field);
        const ct_glyph_picture expected = draw(r, (uint32_t)*c, SIZE * SCALE, 0, &large);
        for (uint32_t i = 0; i < large.count; ++i) {
            const double x = (expected.left + i % expected.width + 0.5) / SCALE - p.left;
            const double y = p.top - (expected.top - i / expected.width - 0.5) / SCALE;
            const double distance = (sample(&field, &p, x, y) - 128) * SPREAD / 127 * SCALE;
            const double coverage = fmin(fmax(distance + 0.5, 0), 1) * 255;
            sum += fabs(coverage - large.items[i]);
            ++count;
        }
    }
    print_message("enlarged 8 times: mean difference %.3f of 255\n", sum / count);
    assert_true(sum / count < 2.5);
    ct_array_free(&field);
    ct_array_free(&large);
    ct_glyph_raster_destroy(r);
    font_file_free(&f);
}

static void keeps_the_place_for_any_spread(void **state) {
    (void)state;
    font_file f = font_file_core();
    ct_glyph_raster *const r = open_font(&f);
    ct_byte_array pixels;
    ct_array_init(&pixels, test_heap());
    const ct_glyph_picture plain = draw(r, 'R', 24.5f, 0, &pixels);
    for (uint32_t spread = 1; spread <= 32; ++spread) {
        const ct_glyph_picture p = draw(r, 'R', 24.5f, spread, &pixels);
        assert_true(p.left == plain.left - (float)spread && p.top == plain.top + (float)spread);
        assert_int_equal(p.width, plain.width + 2 * spread);
        assert_int_equal(p.height, plain.height + 2 * spread);
        assert_true(p.advance == plain.advance);
    }
    ct_array_free(&pixels);
    ct_glyph_raster_destroy(r);
    font_file_free(&f);
}

static void blanks_have_an_advance_only(void **state) {
    (void)state;
    font_file f = font_file_core();
    ct_glyph_raster *const r = open_font(&f);
    ct_byte_array pixels;
    ct_array_init(&pixels, test_heap());
    const ct_glyph_picture p = draw(r, ' ', 50, 8, &pixels);
    assert_int_equal(p.width, 0);
    assert_int_equal(p.height, 0);
    assert_true(fabsf(p.advance - 13) < 0.01f); // 260 of 1000 units
    ct_array_free(&pixels);
    ct_glyph_raster_destroy(r);
    font_file_free(&f);
}

static void has_the_metrics_of_the_font(void **state) {
    (void)state;
    font_file f = font_file_core();
    ct_glyph_raster *const r = open_font(&f);
    const ct_glyph_raster_metrics m = ct_glyph_raster_get_metrics(r);
    assert_true(fabsf(m.ascent - 1.069f) < 1e-4f && fabsf(m.descent - 0.293f) < 1e-4f);
    assert_true(fabsf(m.x_height - 0.536f) < 1e-4f && fabsf(m.cap_height - 0.714f) < 1e-4f);
    assert_true(m.underline_position < 0 && m.underline_thickness > 0);
    assert_true(m.num_glyphs > 1000);
    assert_int_equal(ct_glyph_raster_glyph_of(r, 0x1f600), 0);
    ct_glyph_raster_destroy(r);
    font_file_free(&f);
}

// --- Collections ---------------------------------------------------------------------------------

// A collection with one font twice.
static font_file collection_of(const font_file *f) {
    enum { HEADER = 20 };
    font_file c = {ct_alloc(test_heap(), f->count + HEADER), f->count + HEADER};
    memcpy(c.bytes, "ttcf\0\1\0\0\0\0\0\2", 12);
    font_file_set_u32(&c, 12, HEADER);
    font_file_set_u32(&c, 16, HEADER);
    memcpy(c.bytes + HEADER, f->bytes, f->count);
    for (uint32_t i = 0; i < font_file_u16(f, 4); ++i) {
        const uint32_t at = HEADER + 12 + 16 * i + 8;
        font_file_set_u32(&c, at, font_file_u32(&c, at) + HEADER);
    }
    return c;
}

static void opens_the_faces_of_a_collection(void **state) {
    (void)state;
    font_file f = font_file_core();
    font_file c = collection_of(&f);
    for (uint32_t face = 0; face < 2; ++face) {
        ct_glyph_raster *const r =
            ct_glyph_raster_create(test_heap(), c.bytes, c.count, face, NULL);
        assert_non_null(r);
        assert_int_not_equal(ct_glyph_raster_glyph_of(r, 'A'), 0);
        ct_glyph_raster_destroy(r);
    }
    refuse_font(c.bytes, c.count, 2, "found face 2, but the file has 2: 0 to 1");
    refuse_font(f.bytes, f.count, 1, "found face 1, but the file has 1: 0 to 0");
    refuse_font(f.bytes, f.count, 0x10000, "found face 65536");
    font_file_free(&c);
    font_file_free(&f);
}

// --- Damage --------------------------------------------------------------------------------------

static void refuses_what_is_no_font(void **state) {
    (void)state;
    refuse_font("", 0, 0, "this is not a TrueType or OpenType font");
    refuse_font("%PDF-1.4", 8, 0, "this is not a TrueType or OpenType font");
    refuse_font("\0\1\0\0", 4, 0, "the font is damaged: it ends in its header");
    refuse_font("OTTO\0\1aaaaaaaaaaaaaaaaaaaaaaa", 29, 0, "the font is damaged");
}

static void refuses_a_font_cut_anywhere(void **state) {
    (void)state;
    font_file f = font_file_core();
    assert_true(f.count > 4);
    const uint64_t end = f.count - 4; // `count + 4 < f.count` could wrap, and gcc warns of a copy
    for (uint64_t count = 0; count < end; count += count < 400 ? 1 : 997) {
        uint8_t *const cut = ct_alloc(test_heap(), count + 1); // exact for sanitizers
        memcpy(cut, f.bytes, count);
        refuse_font(cut, count, 0, count < 4 ? "not a TrueType" : "the font is damaged");
        ct_free(test_heap(), cut);
    }
    font_file_free(&f);
}

// A glyph is refused, or the picture is right in form.
static void survives_changed_bytes(void **state) {
    (void)state;
    font_file f = font_file_core();
    uint32_t seed = 5, num_refused = 0, num_drawn = 0;
    for (uint32_t round = 0; round < 60; ++round) {
        font_file damaged = {ct_alloc(test_heap(), f.count), f.count};
        memcpy(damaged.bytes, f.bytes, f.count);
        for (uint32_t i = 0; i < 2000; ++i)
            damaged.bytes[300 + test_random(&seed) % (f.count - 300)] = (uint8_t)test_random(&seed);
        ct_glyph_raster *const r =
            ct_glyph_raster_create(test_heap(), damaged.bytes, damaged.count, 0, NULL);
        ct_byte_array pixels;
        ct_array_init(&pixels, test_heap());
        for (uint32_t glyph = 0; r && glyph < 1000; glyph += 37) {
            ct_glyph_picture p;
            ct_error error = {0};
            const bool is_drawn = ct_glyph_raster_draw(r, glyph, 20, 2, &pixels, &p, &error);
            assert_int_equal(pixels.count, p.width * p.height);
            assert_true(is_drawn || (error.message[0] && pixels.count == 0));
            num_drawn += is_drawn;
            num_refused += !is_drawn;
        }
        ct_array_free(&pixels);
        ct_glyph_raster_destroy(r);
        font_file_free(&damaged);
    }
    assert_true(num_refused > 0 && num_drawn > 0);
    font_file_free(&f);
}

// Composite glyphs of two or more components, and where the numbers of the first two are.
typedef struct composite {
    uint32_t glyph, first_at, second_at;
} composite;

static uint32_t find_composites(const font_file *f, uint32_t num_glyphs, composite *found,
                                uint32_t max) {
    uint32_t count = 0;
    for (uint32_t glyph = 0; glyph < num_glyphs && count < max; ++glyph) {
        uint32_t bytes;
        const uint32_t at = font_file_outline(f, glyph, &bytes);
        if (bytes < 20 || font_file_u16(f, at) != 0xffff)
            continue;
        const uint32_t flags = font_file_u16(f, at + 10);
        const uint32_t scale = flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0;
        const uint32_t next = at + 14 + (flags & 1 ? 4 : 2) + scale;
        if (flags & 0x20)
            found[count++] = (composite){glyph, at + 12, next + 2};
    }
    return count;
}

static void refuses_composites_of_themselves(void **state) {
    (void)state;
    font_file f = font_file_core();
    composite c[2];
    assert_int_equal(find_composites(&f, 1000, c, 2), 2);
    font_file_set_u16(&f, c[0].first_at, c[0].glyph);
    ct_glyph_raster *r = open_font(&f);
    refuse_glyph(r, c[0].glyph, 32, "its outline is damaged");
    ct_glyph_raster_destroy(r);
    font_file_set_u16(&f, c[0].first_at, c[1].glyph);
    font_file_set_u16(&f, c[1].first_at, c[0].glyph);
    r = open_font(&f);
    refuse_glyph(r, c[0].glyph, 32, "its outline is damaged");
    refuse_glyph(r, c[1].glyph, 32, "its outline is damaged");
    ct_glyph_raster_destroy(r);
    font_file_free(&f);
}

// Each is twice the next: 2^40 components, or an error.
static void ends_soon_on_composites_that_double(void **state) {
    (void)state;
    enum { DEPTH = 40 };
    font_file f = font_file_core();
    composite c[DEPTH];
    assert_int_equal(find_composites(&f, 1200, c, DEPTH), DEPTH);
    ct_glyph_raster *r = open_font(&f);
    const uint32_t leaf = ct_glyph_raster_glyph_of(r, ' ');
    ct_glyph_raster_destroy(r);
    font_file_set_u16(&f, font_file_table(&f, "maxp") + 30, DEPTH + 1); // the depth that is allowed
    for (uint32_t i = 0; i < DEPTH; ++i) {
        const uint32_t next = i + 1 < DEPTH ? c[i + 1].glyph : leaf;
        font_file_set_u16(&f, c[i].first_at, next);
        font_file_set_u16(&f, c[i].second_at, next);
    }
    r = open_font(&f);
    const uint64_t start_ns = ct_os_time_ns();
    refuse_glyph(r, c[0].glyph, 32, "its outline is damaged");
    assert_true(ct_os_time_ns() - start_ns < UINT64_C(2000000000));
    ct_glyph_raster_destroy(r);
    font_file_free(&f);
}

static void refuses_sizes_and_glyphs_that_cannot_be(void **state) {
    (void)state;
    font_file f = font_file_core();
    ct_glyph_raster *const r = open_font(&f);
    const uint32_t glyph = ct_glyph_raster_glyph_of(r, 'W');
    refuse_glyph(r, glyph, 0, "found the size 0, expected 1 to 10000 pixels");
    refuse_glyph(r, glyph, -5, "found the size -5");
    refuse_glyph(r, glyph, NAN, "found the size");
    refuse_glyph(r, glyph, INFINITY, "found the size inf");
    refuse_glyph(r, glyph, 2000, "the limit is 1024");
    refuse_glyph(r, glyph, 10000, "the limit is 1024");
    refuse_glyph(r, 60000, 32, "there is no glyph 60000; the font has");
    ct_byte_array pixels;
    ct_array_init(&pixels, test_heap());
    draw(r, 'W', 32, 4, &pixels); // it still works
    ct_array_free(&pixels);
    ct_glyph_raster_destroy(r);
    font_file_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_the_distances_to_the_edge),
        cmocka_unit_test(fields_are_sharp_when_enlarged),
        cmocka_unit_test(keeps_the_place_for_any_spread),
        cmocka_unit_test(blanks_have_an_advance_only),
        cmocka_unit_test(has_the_metrics_of_the_font),
        cmocka_unit_test(opens_the_faces_of_a_collection),
        cmocka_unit_test(refuses_what_is_no_font),
        cmocka_unit_test(refuses_a_font_cut_anywhere),
        cmocka_unit_test(survives_changed_bytes),
        cmocka_unit_test(refuses_composites_of_themselves),
        cmocka_unit_test(ends_soon_on_composites_that_double),
        cmocka_unit_test(refuses_sizes_and_glyphs_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
