#include "resource/types/sound_bus_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

// Sound buses, of which the tests damage one member after the other.
typedef struct buses {
    ct_blob_writer w;
    ct_sound_bus_resource *r;
} buses;

static buses make(void) {
    buses t;
    write_sound_bus(&t.w);
    assert_accepted(ct_sound_bus_validate, t.w.bytes.items);
    t.r = (ct_sound_bus_resource *)(void *)t.w.bytes.items;
    return t;
}

// Sets a member, expects the message, and puts the member back.
#define REFUSE(t, member, bad, message)                                                            \
    do {                                                                                           \
        const __typeof__(member) good = (member);                                                  \
        (member) = (bad);                                                                          \
        assert_refused(ct_sound_bus_validate, (t)->r, (message));                                  \
        (member) = good;                                                                           \
        assert_accepted(ct_sound_bus_validate, (t)->r);                                            \
    } while (0)

static ct_sound_bus *bus_at(const buses *t, uint32_t i) {
    return ITEM(ct_sound_bus, t->r, t->r->buses, i);
}

static void refuses_buses_out_of_range(void **state) {
    (void)state;
    buses t = make();
    REFUSE(&t, t.r->buses, (ct_blob_array){0}, "buses: found 0, expected 1 to 32");
    REFUSE(&t, bus_at(&t, 1)->name.value, 5, "buses[1].name: its id does not match");
    REFUSE(&t, bus_at(&t, 2)->volume, 25, "buses[2]: found volume 25");
    REFUSE(&t, bus_at(&t, 2)->low_pass, NAN, "low_pass");
    REFUSE(&t, bus_at(&t, 1)->is_place, 2, "buses[1].is_place: found 2");
    REFUSE(&t, bus_at(&t, 3)->is_place, 1, "buses: found 2 with is_place");
    REFUSE(&t, bus_at(&t, 0)->parent, 1, "buses[0].parent: found 1");
    REFUSE(&t, bus_at(&t, 1)->parent, 1, "buses[1].parent: found 1");
    REFUSE(&t, bus_at(&t, 1)->parent, CT_SOUND_NO_BUS, "buses[1].parent: found 4294967295");
    REFUSE(&t, bus_at(&t, 2)->duck_by, 2, "buses[2].duck_by: found 2 of 4");
    REFUSE(&t, bus_at(&t, 2)->duck_by, 4, "buses[2].duck_by: found 4 of 4");
    REFUSE(&t, bus_at(&t, 2)->duck_volume, 1, "buses[2]: found duck 1");
    REFUSE(&t, bus_at(&t, 2)->duck_threshold, NAN, "buses[2]: found duck");
    REFUSE(&t, bus_at(&t, 2)->duck_attack, -1, "attack -1");
    REFUSE(&t, bus_at(&t, 2)->duck_release, 61, "release 61");
    REFUSE(&t, *bus_at(&t, 3), *bus_at(&t, 2), "buses[3].name: another bus has it");
    ct_blob_writer_free(&t.w);
}

static void refuses_reverbs_out_of_range(void **state) {
    (void)state;
    buses t = make();
    ct_sound_reverb *const r = &bus_at(&t, 1)->reverb;
    REFUSE(&t, r->seconds, 31, "buses[1].reverb: found seconds 31");
    REFUSE(&t, r->seconds, NAN, "buses[1].reverb: found seconds");
    REFUSE(&t, r->size, 0.5f, "size 0.5");
    REFUSE(&t, r->damping, 2, "damping 2");
    REFUSE(&t, r->pre_delay, 1, "pre_delay 1");
    REFUSE(&t, r->width, -1, "width -1");
    REFUSE(&t, r->dry, 2, "dry 2");
    REFUSE(&t, r->seconds, 0, "settings[3]: bus 1 has no reverb");
    ct_blob_writer_free(&t.w);
}

static void refuses_orders_that_do_not_fit(void **state) {
    (void)state;
    buses t = make();
    REFUSE(&t, bus_at(&t, 3)->order, 4, "buses[3].order: found 4 of 4");
    REFUSE(&t, bus_at(&t, 3)->order, 1, "buses[3].order: found 1 of 4, or a second time");
    bus_at(&t, 0)->order = 2;
    bus_at(&t, 1)->order = 3;
    assert_refused(ct_sound_bus_validate, t.r, "buses[1].order: it comes after its parent");
    bus_at(&t, 0)->order = 3;
    bus_at(&t, 1)->order = 1;
    bus_at(&t, 2)->order = 2;
    assert_refused(ct_sound_bus_validate, t.r, "sends[0]: found 2 to 1, expected one mixed later");
    ct_blob_writer_free(&t.w);
}

static void refuses_sends_and_snapshots_out_of_range(void **state) {
    (void)state;
    buses t = make();
    ct_sound_bus_send *const send = ITEM(ct_sound_bus_send, t.r, t.r->sends, 0);
    ct_sound_snapshot *const snapshot = ITEM(ct_sound_snapshot, t.r, t.r->snapshots, 0);
    ct_sound_bus_setting *const settings = ITEM(ct_sound_bus_setting, t.r, t.r->settings, 0);
    REFUSE(&t, send->from, 4, "sends[0]: found 4 to 1");
    REFUSE(&t, send->to, 2, "sends[0]: found 2 to 2");
    REFUSE(&t, send->volume, NAN, "sends[0].volume");
    REFUSE(&t, snapshot->name.value, 5, "snapshots[0].name: its id does not match");
    REFUSE(&t, snapshot->fade, -1, "snapshots[0].fade: found -1");
    REFUSE(&t, snapshot->num_settings, 6, "snapshots[0]: found settings 0 + 6 of 5");
    REFUSE(&t, snapshot->first_setting, UINT32_MAX, "found settings 4294967295 + 5");
    REFUSE(&t, settings[0].bus, 4, "settings[0].bus: found 4 of 4");
    REFUSE(&t, settings[0].member, CT_SOUND_BUS_MEMBER_COUNT, "found -20 for member 5");
    REFUSE(&t, settings[0].value, NAN, "settings[0]: found");
    REFUSE(&t, settings[1].value, 5, "settings[1]: found 5 for member 1");
    REFUSE(&t, settings[2].send, 1, "settings[2].send: found 1, expected one of bus 2");
    REFUSE(&t, settings[2].bus, 3, "settings[2].send: found 0, expected one of bus 3");
    REFUSE(&t, settings[4].bus, 2, "settings[4]: bus 2 has no reverb");
    ct_blob_writer_free(&t.w);
}

static void finds_buses_and_snapshots(void **state) {
    (void)state;
    buses t = make();
    assert_int_equal(ct_sound_find_bus(t.r, ct_string_id32_of("master")), 0);
    assert_int_equal(ct_sound_find_bus(t.r, ct_string_id32_of("voice")), 3);
    assert_int_equal(ct_sound_find_bus(t.r, ct_string_id32_of("underwater")), UINT32_MAX);
    assert_int_equal(ct_sound_find_snapshot(t.r, ct_string_id32_of("underwater")), 0);
    assert_int_equal(ct_sound_find_snapshot(t.r, ct_string_id32_of("master")), UINT32_MAX);
    ct_blob_writer_free(&t.w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_buses_out_of_range),
        cmocka_unit_test(refuses_reverbs_out_of_range),
        cmocka_unit_test(refuses_orders_that_do_not_fit),
        cmocka_unit_test(refuses_sends_and_snapshots_out_of_range),
        cmocka_unit_test(finds_buses_and_snapshots),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
