// The service that rasterises glyphs, without pages.
#include <stdatomic.h>
#include <string.h>

#include "foundation/os/os.h"
#include "gui/gui_glyph_service.h"
#include "support/test_font.h"
#include "support/test_support.h"

enum { NUM_GLYPHS = 500 };

// An allocator over the tests' heap whose first allocation on another thread waits until the gate
// opens: there the service opens a font.
typedef struct gate {
    ct_allocator base;
    uint64_t main_thread;
    atomic_bool is_reached, is_open;
    bool has_passed;
} gate;

static const uint64_t longest_wait = 5000000000u; // nanoseconds

static void wait_for(const atomic_bool *flag) {
    const uint64_t start = ct_os_time_ns();
    while (!atomic_load(flag) && ct_os_time_ns() - start < longest_wait)
        ct_os_sleep_ns(100000);
}

static void *gate_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    gate *const g = (gate *)a;
    if (ct_thread_current_id() != g->main_thread && !g->has_passed) {
        g->has_passed = true;
        atomic_store(&g->is_reached, true);
        wait_for(&g->is_open);
    }
    return test_heap()->allocate(test_heap(), size_bytes, align);
}

static void gate_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    (void)a;
    test_heap()->free(test_heap(), p, size_bytes);
}

static uint64_t gate_allocated_size(ct_allocator *a, const void *p) {
    (void)a;
    return test_heap()->allocated_size(test_heap(), p);
}

static void gate_stats(ct_allocator *a, ct_allocator_stats *stats) {
    (void)a;
    test_heap()->stats(test_heap(), stats);
}

static ct_gui_glyph_request request_of(const ct_font_resource *font, uint32_t number,
                                       uint32_t glyph) {
    return (ct_gui_glyph_request){.font = number,
                                  .glyph = glyph,
                                  .outlines = ct_blob_at(font, font->outlines.offset),
                                  .num_bytes = font->outlines.count,
                                  .size = 16};
}

// While a font is opened, other fonts are requested, taken and forgotten without a wait.
static void never_waits_for_a_font_that_opens(void **state) {
    (void)state;
    ct_font_resource *const font = test_font_of(test_heap(), TEST_FONT_DEJAVU, NULL, 0);
    gate g = {.base = {.allocate = gate_allocate,
                       .free = gate_free,
                       .allocated_size = gate_allocated_size,
                       .stats = gate_stats,
                       .name = "gate"},
              .main_thread = ct_thread_current_id()};
    ct_gui_glyph_service *const s = ct_gui_glyph_service_create(&g.base);
    ct_gui_glyph_request request = request_of(font, 1, 40);
    ct_gui_glyph_service_request(s, &request);
    wait_for(&g.is_reached);
    const uint64_t start = ct_os_time_ns();
    request = request_of(font, 2, 40);
    ct_gui_glyph_service_request(s, &request);
    ct_gui_glyph_result result;
    assert_false(ct_gui_glyph_service_take(s, &result));
    ct_gui_glyph_service_forget(s, 2);
    const uint64_t waited = ct_os_time_ns() - start;
    atomic_store(&g.is_open, true);
    assert_true(g.has_passed);
    assert_true(waited < longest_wait / 2);
    ct_gui_glyph_service_wait(s);
    assert_true(ct_gui_glyph_service_take(s, &result));
    assert_int_equal(result.font, 1);
    assert_false(result.has_failed);
    ct_gui_glyph_service_free(s, &result);
    ct_gui_glyph_service_destroy(s);
    ct_free(test_heap(), font);
}

static void gives_glyphs_in_order_and_forgets_fonts(void **state) {
    (void)state;
    ct_font_resource *const font = test_font_of(test_heap(), TEST_FONT_DEJAVU, NULL, 0);
    ct_gui_glyph_service *const s = ct_gui_glyph_service_create(test_heap());
    for (uint32_t i = 0; i < NUM_GLYPHS; ++i) {
        const ct_gui_glyph_request request = request_of(font, 1 + i % 2, 40 + i);
        ct_gui_glyph_service_request(s, &request);
    }
    ct_gui_glyph_service_wait(s);
    ct_gui_glyph_result result;
    for (uint32_t i = 0; i < NUM_GLYPHS / 2; ++i) {
        assert_true(ct_gui_glyph_service_take(s, &result));
        assert_int_equal(result.font, 1 + i % 2);
        assert_int_equal(result.glyph, 40 + i);
        ct_gui_glyph_service_free(s, &result);
    }
    ct_gui_glyph_service_forget(s, 1);
    for (uint32_t i = NUM_GLYPHS / 2 + 1; i < NUM_GLYPHS; i += 2) {
        assert_true(ct_gui_glyph_service_take(s, &result));
        assert_int_equal(result.glyph, 40 + i);
        ct_gui_glyph_service_free(s, &result);
    }
    assert_false(ct_gui_glyph_service_take(s, &result));
    ct_gui_glyph_service_destroy(s);
    ct_free(test_heap(), font);
}

static void reports_a_font_that_cannot_be_read(void **state) {
    (void)state;
    ct_gui_glyph_service *const s = ct_gui_glyph_service_create(test_heap());
    const ct_gui_glyph_request request = {
        .font = 1, .glyph = 1, .outlines = "nonsense", .num_bytes = 8, .size = 16};
    ct_gui_glyph_service_request(s, &request);
    ct_gui_glyph_service_request(s, &request);
    ct_gui_glyph_service_wait(s);
    for (uint32_t i = 0; i < 2; ++i) {
        ct_gui_glyph_result result;
        assert_true(ct_gui_glyph_service_take(s, &result));
        assert_true(result.has_failed);
        assert_non_null(strstr(result.reason, "font"));
        assert_null(result.pixels);
    }
    ct_gui_glyph_service_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_waits_for_a_font_that_opens),
        cmocka_unit_test(gives_glyphs_in_order_and_forgets_fonts),
        cmocka_unit_test(reports_a_font_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
