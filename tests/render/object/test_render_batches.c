// Batches of quads without a device: where objects are, and what is sent of them.
#include <string.h>

#include "render/object/render_batches.h"
#include "support/test_support.h"

enum { QUAD_BYTES = 4 * sizeof(ct_batch_vertex) };

static ct_render_batches batches;

static int start(void **state) {
    (void)state;
    ct_render_batches_init(&batches, test_heap(), false);
    return 0;
}

// Without a device there is nothing to retire.
static int end(void **state) {
    (void)state;
    ct_render_context context = {.device = NULL};
    ct_render_batches_shutdown(&batches, &context);
    return 0;
}

// Quads that show by which object and when they were made.
static void fill(ct_batch_vertex *vertices, uint32_t num_quads, uint32_t mark) {
    for (uint32_t i = 0; i < num_quads * 4; ++i)
        vertices[i] = (ct_batch_vertex){.position = {(float)i, 1, 2}, .color = mark};
}

static void set(uint32_t slot, int32_t layer, uint32_t material, uint32_t num_quads,
                uint32_t mark) {
    static ct_batch_vertex vertices[4096];
    fill(vertices, num_quads, mark);
    ct_render_batches_set(&batches, slot, layer, material, vertices, num_quads);
}

static void assert_object(uint32_t slot, int32_t layer, uint32_t material, uint32_t num_quads,
                          uint32_t mark) {
    const ct_render_batch_object *const o = &batches.objects.items[slot];
    assert_int_equal(o->num_quads, num_quads);
    assert_true(o->batch != 0);
    const ct_render_batch *const b = &batches.batches.items[o->batch - 1];
    assert_int_equal(b->layer, layer);
    assert_int_equal(b->material, material);
    for (uint32_t i = 0; i < num_quads * 4; ++i) {
        const ct_batch_vertex *const v = &b->vertices.items[o->first * 4 + i];
        assert_int_equal(v->color, mark);
        assert_true(v->position[0] == (float)i);
    }
}

// The number of quads of all batches that have an area.
static uint32_t count_shown(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < batches.order.count; ++i) {
        const ct_render_batch *const b = &batches.batches.items[batches.order.items[i]];
        for (uint32_t q = 0; q < ct_render_batch_num_quads(b); ++q)
            count += b->vertices.items[q * 4].position[1] != 0;
    }
    return count;
}

static void keeps_objects_of_one_key_in_one_batch(void **state) {
    (void)state;
    set(1, 3, 7, 2, 100);
    set(2, 3, 7, 1, 200);
    set(3, 3, 8, 1, 300);
    set(4, -1, 7, 1, 400);
    assert_int_equal(batches.order.count, 3);
    const ct_render_batch *const lowest = &batches.batches.items[batches.order.items[0]];
    assert_int_equal(lowest->layer, -1);
    assert_object(1, 3, 7, 2, 100);
    assert_object(2, 3, 7, 1, 200);
    assert_int_equal(batches.objects.items[1].batch, batches.objects.items[2].batch);
    assert_int_equal(count_shown(), 5);
}

static void replaces_an_object_in_place(void **state) {
    (void)state;
    set(1, 0, 1, 2, 100);
    set(2, 0, 1, 2, 200);
    const uint32_t first = batches.objects.items[1].first;
    set(1, 0, 1, 2, 101);
    assert_int_equal(batches.objects.items[1].first, first);
    assert_object(1, 0, 1, 2, 101);
    assert_object(2, 0, 1, 2, 200);
}

static void reuses_the_place_of_a_removed_object(void **state) {
    (void)state;
    set(1, 0, 1, 5, 100);
    set(2, 0, 1, 5, 200);
    ct_render_batches_remove(&batches, 1);
    assert_int_equal(count_shown(), 5);
    set(3, 0, 1, 5, 300);
    assert_int_equal(batches.objects.items[3].first, 0);
    assert_object(3, 0, 1, 5, 300);
}

static void moves_an_object_to_another_batch(void **state) {
    (void)state;
    set(1, 0, 1, 3, 100);
    set(1, 5, 2, 4, 101);
    assert_object(1, 5, 2, 4, 101);
    assert_int_equal(count_shown(), 4);
}

static void sends_only_what_changed(void **state) {
    (void)state;
    for (uint32_t slot = 1; slot <= 10000; ++slot)
        set(slot, 0, 1, 1, slot);
    ct_render_batch *const b = &batches.batches.items[0];
    b->changes.count = 0; // as an upload leaves it
    b->buffer.handle = (VkBuffer)(uintptr_t)1;
    set(5000, 0, 1, 1, 99);
    set(5000, 0, 1, 1, 98);
    set(7, 0, 1, 1, 97);
    assert_int_equal(ct_render_batches_pending_bytes(&batches), 2 * QUAD_BYTES);
    b->buffer.handle = VK_NULL_HANDLE;
}

static void packs_what_is_mostly_free(void **state) {
    (void)state;
    for (uint32_t slot = 1; slot <= 1000; ++slot)
        set(slot, 0, 1, 1 + slot % 3, slot);
    for (uint32_t slot = 1; slot <= 1000; ++slot)
        if (slot % 10)
            ct_render_batches_remove(&batches, slot);
    ct_render_batches_pack(&batches);
    assert_true(ct_render_batch_num_quads(&batches.batches.items[0]) < 300);
    for (uint32_t slot = 10; slot <= 1000; slot += 10)
        assert_object(slot, 0, 1, 1 + slot % 3, slot);
}

static void keeps_an_object_without_quads(void **state) {
    (void)state;
    set(1, 0, 1, 0, 1);
    assert_true(batches.objects.items[1].batch != 0);
    set(1, 0, 1, 3, 2);
    assert_object(1, 0, 1, 3, 2);
    set(1, 0, 1, 0, 3);
    assert_int_equal(count_shown(), 0);
    ct_render_batches_remove(&batches, 1);
    ct_render_batches_remove(&batches, 1);
    ct_render_batches_remove(&batches, 5000);
}

static void holds_100000_objects_in_100_layers(void **state) {
    (void)state;
    enum { NUM_OBJECTS = 100000, NUM_LAYERS = 100 };
    for (uint32_t slot = 1; slot <= NUM_OBJECTS; ++slot)
        set(slot, (int32_t)(slot % NUM_LAYERS), 1, 1, slot);
    assert_int_equal(batches.order.count, NUM_LAYERS);
    for (uint32_t slot = 1; slot <= NUM_OBJECTS; ++slot)
        if (slot % 1000)
            ct_render_batches_remove(&batches, slot);
    ct_render_batches_pack(&batches);
    for (uint32_t slot = 1000; slot <= NUM_OBJECTS; slot += 1000)
        assert_object(slot, 0, 1, 1, slot);
    assert_int_equal(count_shown(), NUM_OBJECTS / 1000);
    uint32_t num_vertices = 0;
    for (uint32_t i = 0; i < batches.batches.count; ++i)
        num_vertices += batches.batches.items[i].vertices.count;
    assert_true(num_vertices < 1000 * 4);
}

// Random changes against a list of what each slot holds.
static void agrees_with_a_model(void **state) {
    (void)state;
    enum { NUM_SLOTS = 200, NUM_STEPS = 20000 };
    struct {
        bool exists;
        int32_t layer;
        uint32_t material, num_quads, mark;
    } model[NUM_SLOTS] = {{0}};
    uint64_t random = 12345;
    for (uint32_t step = 1; step <= NUM_STEPS; ++step) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t slot = (uint32_t)(random >> 33) % NUM_SLOTS;
        const uint32_t what = (uint32_t)(random >> 20) & 7;
        if (what < 3 && model[slot].exists) {
            ct_render_batches_remove(&batches, slot);
            model[slot].exists = false;
        } else {
            model[slot].exists = true;
            model[slot].layer = (int32_t)((random >> 41) % 3) - 1;
            model[slot].material = 1 + (uint32_t)(random >> 45) % 3;
            model[slot].num_quads = (uint32_t)(random >> 50) % 40;
            model[slot].mark = step;
            set(slot, model[slot].layer, model[slot].material, model[slot].num_quads, step);
        }
        if (step % 64 == 0)
            ct_render_batches_pack(&batches);
    }
    uint32_t num_quads = 0;
    for (uint32_t slot = 0; slot < NUM_SLOTS; ++slot) {
        if (!model[slot].exists)
            continue;
        num_quads += model[slot].num_quads;
        if (model[slot].num_quads)
            assert_object(slot, model[slot].layer, model[slot].material, model[slot].num_quads,
                          model[slot].mark);
    }
    assert_int_equal(count_shown(), num_quads);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keeps_objects_of_one_key_in_one_batch, start, end),
        cmocka_unit_test_setup_teardown(replaces_an_object_in_place, start, end),
        cmocka_unit_test_setup_teardown(reuses_the_place_of_a_removed_object, start, end),
        cmocka_unit_test_setup_teardown(moves_an_object_to_another_batch, start, end),
        cmocka_unit_test_setup_teardown(sends_only_what_changed, start, end),
        cmocka_unit_test_setup_teardown(packs_what_is_mostly_free, start, end),
        cmocka_unit_test_setup_teardown(keeps_an_object_without_quads, start, end),
        cmocka_unit_test_setup_teardown(holds_100000_objects_in_100_layers, start, end),
        cmocka_unit_test_setup_teardown(agrees_with_a_model, start, end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
