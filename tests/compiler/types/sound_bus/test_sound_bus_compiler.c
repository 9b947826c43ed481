#include "compiler/compile_case.h"
#include "resource/types/sound_bus_resource.h"
#include "resource/types/sound_event_resource.h"

static const ct_sound_bus_resource *compile_buses(compile_case *t, const char *source) {
    compile_case_text(t, "all.sound_bus", source);
    return compile_case_blob(t, "sound_bus", "all");
}

static const ct_sound_bus *bus_named(const ct_sound_bus_resource *r, const char *name) {
    const uint32_t i = ct_sound_find_bus(r, ct_string_id32_of(name));
    assert_int_not_equal(i, UINT32_MAX);
    return (const ct_sound_bus *)ct_blob_at(r, r->buses.offset) + i;
}

static void refuse(const char *source, uint32_t line, uint32_t column, const char *message) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "all.sound_bus", source);
    compile_case_run(&t, "sound_bus", "all");
    const ct_compile_fault *const fault = compile_case_expect(&t, "all.sound_bus", line, message);
    if (column && fault->column != column)
        fail_msg("\"%s\": found column %u, expected %u", message, fault->column, column);
    compile_case_free(&t);
}

#define MASTER "{ name = \"master\" }"

static void parents_come_first(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_bus_resource *const r = compile_buses(
        &t, "buses = [ { name = \"steps\"  parent = \"effects\"  volume = -6  low_pass = 900 }\n"
            "  { name = \"effects\"  parent = \"master\" } " MASTER " ]");
    const ct_sound_bus *const buses = ct_blob_at(r, r->buses.offset);
    assert_int_equal(r->buses.count, 3);
    assert_string_equal(ct_blob_at(r, buses[0].name_text.offset), "master");
    assert_string_equal(ct_blob_at(r, buses[1].name_text.offset), "effects");
    assert_string_equal(ct_blob_at(r, buses[2].name_text.offset), "steps");
    assert_int_equal(buses[0].parent, CT_SOUND_NO_BUS);
    assert_int_equal(buses[1].parent, 0);
    assert_int_equal(buses[2].parent, 1);
    assert_int_equal(buses[2].order, 0);
    assert_int_equal(buses[0].order, 2);
    assert_float_equal(buses[2].volume, -6, 0);
    assert_float_equal(buses[2].low_pass, 900, 0);
    assert_float_equal(buses[1].low_pass, CT_SOUND_OPEN_HZ, 0);
    assert_float_equal(buses[1].reverb.seconds, 0, 0);
    assert_int_equal(buses[1].duck_by, CT_SOUND_NO_BUS);
    compile_case_free(&t);
}

static void senders_are_mixed_before_receivers(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_bus_resource *const r = compile_buses(
        &t,
        "buses = [ " MASTER " { name = \"a\"  parent = \"master\" }\n"
        "  { name = \"b\"  parent = \"master\"  sends = [ { id = \"1\"  to = \"a\"  volume = -12 } "
        "] }\n"
        "  { name = \"c\"  parent = \"a\"  sends = [ { id = \"1\"  to = \"d\" } ] }\n"
        "  { name = \"d\"  parent = \"b\" } ]");
    const ct_sound_bus_send *const sends = ct_blob_at(r, r->sends.offset);
    assert_int_equal(r->sends.count, 2);
    assert_float_equal(sends[0].volume, -12, 0);
    assert_true(bus_named(r, "c")->order < bus_named(r, "d")->order);
    assert_true(bus_named(r, "d")->order < bus_named(r, "b")->order);
    assert_true(bus_named(r, "b")->order < bus_named(r, "a")->order);
    assert_int_equal(bus_named(r, "master")->order, 4);
    compile_case_free(&t);
}

static void ducking_reverb_and_snapshots_are_kept(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_bus_resource *const r = compile_buses(
        &t,
        "buses = [ { name = \"music\"  parent = \"master\"  duck = { by = \"voice\"  threshold = "
        "-40  volume = -9  attack = 0.1  release = 1 }\n"
        "    sends = [ { to = \"hall\" } ] }\n"
        "  { name = \"voice\"  parent = \"master\" } " MASTER "\n"
        "  { name = \"hall\"  parent = \"master\"  place = true  reverb = { seconds = 2  size = 14 "
        " damping = 0.5  pre_delay = 0.03  width = 0.9  dry = 0.1 } } ]\n"
        "snapshots = [ { name = \"under\"  fade = 2  settings = [\n"
        "  { bus = \"music\"  volume = -20  low_pass = 600  sends = { hall = -3 } }\n"
        "  { bus = \"hall\"  reverb_seconds = 4  reverb_damping = 0.9 } ] } { name = \"none\"  "
        "settings = [] } ]");
    const ct_sound_bus *const music = bus_named(r, "music"), *const hall = bus_named(r, "hall");
    const ct_sound_snapshot *const snapshots = ct_blob_at(r, r->snapshots.offset);
    const ct_sound_bus_setting *const s = ct_blob_at(r, r->settings.offset);
    assert_int_equal(music->duck_by, ct_sound_find_bus(r, ct_string_id32_of("voice")));
    assert_float_equal(music->duck_threshold, -40, 0);
    assert_float_equal(music->duck_volume, -9, 0);
    assert_float_equal(music->duck_attack, 0.1f, 0);
    assert_float_equal(music->duck_release, 1, 0);
    assert_int_equal(hall->is_place, 1);
    assert_float_equal(hall->reverb.seconds, 2, 0);
    assert_float_equal(hall->reverb.dry, 0.1f, 0);
    assert_int_equal(r->snapshots.count, 2);
    assert_float_equal(snapshots[0].fade, 2, 0);
    assert_int_equal(snapshots[0].num_settings, 5);
    assert_int_equal(snapshots[1].num_settings, 0);
    const struct {
        const char *bus;
        uint32_t member;
        float value;
    } expected[] = {{"music", CT_SOUND_BUS_VOLUME, -20},
                    {"music", CT_SOUND_BUS_LOW_PASS, 600},
                    {"music", CT_SOUND_BUS_SEND, -3},
                    {"hall", CT_SOUND_BUS_REVERB_SECONDS, 4},
                    {"hall", CT_SOUND_BUS_REVERB_DAMPING, 0.9f}};
    for (uint32_t i = 0; i < CT_COUNT_OF(expected); ++i) {
        assert_int_equal(s[i].bus, ct_sound_find_bus(r, ct_string_id32_of(expected[i].bus)));
        assert_int_equal(s[i].member, expected[i].member);
        assert_float_equal(s[i].value, expected[i].value, 0);
    }
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

static void refuses_trees_that_are_none(void **state) {
    (void)state;
    refuse("buses = []", 1, 1, "buses: found 0, expected 1 to 32");
    refuse("buses = [ { name = \"all\" } ]", 1, 1, "there is no bus \"master\"");
    refuse("buses = [ " MASTER "\n{ name = \"a\" } ]", 2, 3,
           "the bus \"a\" has no parent: write parent = \"master\"");
    refuse("buses = [ " MASTER "\n{ name = \"a\"  parent = \"mastr\" } ]", 2, 15,
           "there is no bus \"mastr\"; did you mean \"master\"?");
    refuse(
        "buses = [ { name = \"master\"\nparent = \"a\" } { name = \"a\"  parent = \"master\" } ]",
        2, 1, "\"master\" is the root of all buses, and has no parent");
    refuse("buses = [ " MASTER
           "\n{ name = \"b\"  parent = \"a\" }\n{ name = \"a\"  parent = \"b\" } ]",
           2, 15, "a bus cannot be its own parent: a: b: a");
    refuse("buses = [ " MASTER " { name = \"b\"\nparent = \"b\" } ]", 2, 1,
           "a bus cannot be its own parent: b: b");
    refuse("buses = [ " MASTER "\n" MASTER " ]", 2, 3, "another has the name \"master\"");
    refuse("buses = [ { name = \"\" } ]", 1, 13, "the name of a bus is empty");
    refuse("buses = [ { id = \"1\"  name = \"master\" }\n{ id = \"1\"  name = \"a\"  parent = "
           "\"master\" } ]",
           2, 3, "another element has the id \"1\"");
    refuse("buses = [ { name = \"master\"  volme = 3 } ]", 1, 30, "did you mean \"volume\"?");
    refuse("buses = [ " MASTER " { name = \"a\"  parent = \"master\"  place = true  reverb = {} }\n"
           "{ name = \"b\"  parent = \"master\"\nplace = true  reverb = {} } ]",
           3, 1, "the bus \"a\" is that of the place already");
}

static void refuses_sends_that_go_backwards(void **state) {
    (void)state;
    refuse("buses = [ " MASTER
           " { name = \"a\"  parent = \"master\"\n  sends = [ { to = \"b\" } ] }\n"
           "{ name = \"b\"  parent = \"master\"\n  sends = [ { to = \"a\" } ] } ]",
           4, 15, "sound would go in a circle, by sends and parents: a: b: a");
    refuse("buses = [ { name = \"master\"\n  sends = [ { to = \"a\" } ] }\n"
           "{ name = \"a\"  parent = \"master\" } ]",
           2, 15, "sound would go in a circle, by sends and parents: a: master: a");
    refuse("buses = [ " MASTER
           " { name = \"a\"  parent = \"master\"\n  sends = [ { to = \"a\" } ] } ]",
           2, 15, "a: a");
    refuse("buses = [ " MASTER
           " { name = \"a\"  parent = \"master\"\n  sends = [ { to = \"aa\" } ] } ]",
           2, 15, "there is no bus \"aa\"");
    refuse("buses = [ " MASTER
           " { name = \"a\"  parent = \"master\"\n  sends = [ { to = \"master\" }\n"
           "{ to = \"master\" } ] } ]",
           3, 3, "found a second send from \"a\" to \"master\"");
    refuse("buses = [ " MASTER " { name = \"a\"  parent = \"master\"\n  duck = { by = \"a\" } } ]",
           2, 12, "a bus cannot make itself quieter");
    refuse("buses = [ " MASTER
           " { name = \"a\"  parent = \"master\"\n  duck = { by = \"voice\" } } ]",
           2, 12, "there is no bus \"voice\"");
}

static void refuses_snapshots_of_what_is_not_there(void **state) {
    (void)state;
#define SNAPSHOT(settings)                                                                         \
    "buses = [ " MASTER " ]\nsnapshots = [ { name = \"s\"\nsettings = [\n" settings " ] } ]"
    refuse(SNAPSHOT("{ bus = \"mastr\"  volume = 1 }"), 4, 3, "did you mean \"master\"?");
    refuse(SNAPSHOT("{ bus = \"master\"  volume = 99 }"), 4, 19, "99");
    refuse(SNAPSHOT("{ bus = \"master\"  reverb_seconds = 1 }"), 4, 19,
           "the bus \"master\" has no reverb, and a snapshot cannot start one: add one to it");
    refuse(SNAPSHOT("{ bus = \"master\"  sends = { master = 1 } }"), 4, 29,
           "the bus \"master\" has no send to \"master\"");
    refuse(SNAPSHOT("{ bus = \"master\"  sends = { hall = 1 } }"), 4, 29,
           "there is no bus \"hall\"");
    refuse(SNAPSHOT("{ bus = \"master\"  volume = 1 }\n{ bus = \"master\"  volume = 2 }"), 5, 19,
           "the snapshot sets this number of \"master\" twice");
    refuse("buses = [ " MASTER " ]\nsnapshots = [ { name = \"s\" settings = [] }\n{ name = \"s\" "
           "settings = [] } ]",
           3, 3, "another has the name \"s\"");
}

static void warns_of_what_has_no_effect(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"buses = [ { name = \"master\"  place = true } ]", "the bus of the place has no reverb"},
        {SNAPSHOT("{ bus = \"master\" }"), "the setting changes nothing"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        compile_case t = compile_case_make();
        compile_buses(&t, cases[i][0]);
        assert_int_equal(t.answer.warnings.count, 1);
        assert_non_null(strstr(t.answer.warnings.items[0].message, cases[i][1]));
        compile_case_free(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_come_first),
        cmocka_unit_test(senders_are_mixed_before_receivers),
        cmocka_unit_test(ducking_reverb_and_snapshots_are_kept),
        cmocka_unit_test(refuses_trees_that_are_none),
        cmocka_unit_test(refuses_sends_that_go_backwards),
        cmocka_unit_test(refuses_snapshots_of_what_is_not_there),
        cmocka_unit_test(warns_of_what_has_no_effect),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
