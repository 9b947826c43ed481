#include <float.h>
#include <math.h>

#include "compiler/compile_case.h"
#include "resource/types/sound_event_resource.h"

#define PARAMETERS "parameters = { force = 0.5  material = \"wood\" }\n"

// Compiles `source` as the event "step". Its memory is that of `t`.
static const ct_sound_event_resource *compile_event(compile_case *t, const char *source) {
    compile_case_text(t, "step.sound_event", source);
    return compile_case_blob(t, "sound_event", "step");
}

// Compiles an event with these parameters and `play`, which starts on line 2.
static const ct_sound_event_resource *compile_play(compile_case *t, const char *play) {
    char source[8192];
    snprintf(source, sizeof(source), PARAMETERS "play = %s\n", play);
    return compile_event(t, source);
}

static const ct_sound_node *node_at(const ct_sound_event_resource *e, uint32_t i) {
    return (const ct_sound_node *)ct_blob_at(e, e->nodes.offset) + i;
}

static const ct_sound_curve *curve_at(const ct_sound_event_resource *e, uint32_t i) {
    return (const ct_sound_curve *)ct_blob_at(e, e->curves.offset) + i;
}

static const ct_sound_point *points_of(const ct_sound_event_resource *e, uint32_t curve) {
    return (const ct_sound_point *)ct_blob_at(e, e->points.offset) +
           curve_at(e, curve)->first_point;
}

// Fails unless the event is refused at a line and column (0: any) with this message.
static void refuse_event(const char *source, uint32_t line, uint32_t column, const char *message) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "step.sound_event", source);
    compile_case_run(&t, "sound_event", "step");
    const ct_compile_fault *const fault =
        compile_case_expect(&t, "step.sound_event", line, message);
    if (column && fault->column != column)
        fail_msg("\"%s\": found column %u, expected %u", message, fault->column, column);
    compile_case_free(&t);
}

// The same for `play`, which starts on line 2, column 8.
static void refuse_play(const char *play, uint32_t line, uint32_t column, const char *message) {
    static char source[32768];
    snprintf(source, sizeof(source), PARAMETERS "play = %s\n", play);
    refuse_event(source, line, column, message);
}

// Fails unless the event compiles with exactly this warning, or none (NULL).
static void warns_about(const char *source, const char *message) {
    compile_case t = compile_case_make();
    compile_event(&t, source);
    assert_int_equal(t.answer.warnings.count, message != NULL);
    if (message && !strstr(t.answer.warnings.items[0].message, message))
        fail_msg("found the warning \"%s\"", t.answer.warnings.items[0].message);
    compile_case_free(&t);
}

// --- What is compiled ----------------------------------------------------------------------------

static void a_string_is_a_sound(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_event_resource *const e = compile_event(&t, "play = \"sounds/step\"");
    assert_int_equal(e->nodes.count, 1);
    assert_int_equal(e->name.value, ct_string_id64_of("step").value);
    assert_int_equal(node_at(e, 0)->kind, CT_SOUND_NODE_SOUND);
    assert_int_equal(node_at(e, 0)->sound.value, ct_string_id64_of("sounds/step").value);
    assert_true(has_reference(&t.answer, "sound", "sounds/step"));
    assert_int_equal(e->priority, 128);
    assert_int_equal(e->spatial.is_spatial, 0);
    assert_int_equal(e->bus.value, 0);
    compile_case_free(&t);
}

static void nodes_come_before_their_children(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_event_resource *const e = compile_play(
        &t,
        "{ type = \"layers\"  nodes = [\n"
        "  { type = \"random\"  sounds = [\"a\" \"b\" \"c\"]  delay = 0.5 }\n"
        "  { type = \"sequence\"  sounds = [\"d\" \"e\"] }\n"
        "  { type = \"chain\"  nodes = [ { sound = \"f\"  repeats = 3 } { sound = \"g\"  loop = "
        "true } ] } ] }");
    static const uint32_t kinds[] = {CT_SOUND_NODE_LAYERS,
                                     CT_SOUND_NODE_RANDOM,
                                     0,
                                     0,
                                     0,
                                     CT_SOUND_NODE_SEQUENCE,
                                     0,
                                     0,
                                     CT_SOUND_NODE_CHAIN,
                                     0,
                                     0};
    assert_int_equal(e->nodes.count, CT_COUNT_OF(kinds));
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i)
        assert_int_equal(node_at(e, i)->kind, kinds[i]);
    assert_int_equal(node_at(e, 0)->first_child, 1);
    assert_int_equal(node_at(e, 0)->num_children, 3);
    assert_int_equal(node_at(e, 1)->next, 5);
    assert_int_equal(node_at(e, 1)->avoid, 1);
    assert_float_equal(node_at(e, 1)->delay, 0.5f, 0);
    assert_int_equal(node_at(e, 5)->next, 8);
    assert_int_equal(node_at(e, 8)->next, CT_SOUND_NO_NODE);
    assert_int_equal(node_at(e, 9)->repeats, 3);
    assert_int_equal(node_at(e, 10)->flags, CT_SOUND_NODE_LOOPS);
    assert_int_equal(e->num_slots, 2);
    assert_int_not_equal(node_at(e, 1)->slot, node_at(e, 5)->slot);
    assert_true(has_reference(&t.answer, "sound", "g"));
    compile_case_free(&t);
}

static void values_are_numbers_ranges_and_curves(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_event_resource *const e = compile_play(
        &t,
        "{ sound = \"a\"  volume = -3  pitch = [-1 2]\n"
        "  low_pass = { parameter = \"force\"  shape = \"smooth\"  points = [[0 500] [1 22000]] "
        "}\n"
        "  gain = { parameter = \"time\"  shape = \"step\"  points = [[0 1] [2 0.5] [3 0]] } }");
    const ct_sound_value *const values = ct_blob_at(e, e->values.offset);
    assert_int_equal(e->values.count, 2);
    assert_int_equal(values[0].target, CT_SOUND_TARGET_VOLUME);
    assert_float_equal(values[0].low, -3, 0);
    assert_float_equal(values[0].high, -3, 0);
    assert_int_equal(values[1].target, CT_SOUND_TARGET_PITCH);
    assert_float_equal(values[1].low, -1, 0);
    assert_float_equal(values[1].high, 2, 0);
    assert_int_equal(e->curves.count, 2);
    const ct_sound_curve *const gain = curve_at(e, 0), *const low_pass = curve_at(e, 1);
    assert_int_equal(gain->target, CT_SOUND_TARGET_GAIN);
    assert_int_equal(gain->shape, CT_SOUND_SHAPE_STEP);
    assert_int_equal(gain->parameter.value, ct_sound_built_in_id(CT_SOUND_BUILT_IN_TIME).value);
    assert_int_equal(gain->num_points, 3);
    assert_float_equal(points_of(e, 0)[1].x, 2, 0);
    assert_float_equal(points_of(e, 0)[1].y, 0.5f, 0);
    assert_int_equal(low_pass->target, CT_SOUND_TARGET_LOW_PASS);
    assert_int_equal(low_pass->shape, CT_SOUND_SHAPE_SMOOTH);
    assert_float_equal(low_pass->missing, 0.5f, 0);
    assert_float_equal(points_of(e, 1)[1].y, 22000, 0);
    compile_case_free(&t);
}

static void sounds_list_the_curves_of_their_path(void **state) {
    (void)state;
    compile_case t = compile_case_make();
#define RISING "{ parameter = \"force\"  points = [[0 -6] [1 0]] }"
    const ct_sound_event_resource *const e =
        compile_play(&t, "{ type = \"layers\"  volume = " RISING "  nodes = [\n"
                         "  { type = \"random\"  send = " RISING "  nodes = [\n"
                         "    { sound = \"a\"  pitch = " RISING " } { sound = \"b\" } ] }\n"
                         "  { sound = \"c\" } ] }");
    const uint32_t *const list = ct_blob_at(e, e->leaf_curves.offset);
    static const uint32_t targets[] = {CT_SOUND_TARGET_VOLUME, CT_SOUND_TARGET_SEND,
                                       CT_SOUND_TARGET_PITCH};
    const uint32_t leaves[][2] = {{2, 3}, {3, 2}, {4, 1}}; // node, curves
    for (uint32_t i = 0; i < CT_COUNT_OF(leaves); ++i) {
        const ct_sound_node *const leaf = node_at(e, leaves[i][0]);
        assert_int_equal(leaf->num_curves, leaves[i][1]);
        for (uint32_t k = 0; k < leaf->num_curves; ++k)
            assert_int_equal(curve_at(e, list[leaf->first_curve + k])->target, targets[k]);
    }
    compile_case_free(&t);
}

static void cases_are_for_texts_numbers_and_the_rest(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_event_resource *const e = compile_play(
        &t, "{ type = \"layers\" nodes = [\n"
            "{ type = \"switch\"  parameter = \"material\"  follow = true  fade = 0.3  cases = [\n"
            "  { value = \"wood\"  play = { type = \"switch\"  parameter = \"force\"\n"
            "      cases = [ { low = 1  high = 2  play = \"a\" } { low = 5  play = \"b\" } ] } }\n"
            "  { play = \"c\" } ] } ] }");
    const ct_sound_case *const cases = ct_blob_at(e, e->cases.offset);
    const ct_sound_node *const outer = node_at(e, 1), *const inner = node_at(e, 2);
    assert_int_equal(e->cases.count, 4);
    assert_int_equal(outer->flags, CT_SOUND_NODE_FOLLOWS);
    assert_float_equal(outer->fade, 0.3f, 0);
    assert_int_equal(outer->parameter.value, ct_string_id32_of("material").value);
    assert_int_equal(outer->num_cases, 2);
    assert_int_equal(cases[outer->first_case].kind, CT_SOUND_CASE_TEXT);
    assert_int_equal(cases[outer->first_case].text.value, ct_string_id32_of("wood").value);
    assert_int_equal(cases[outer->first_case + 1].kind, CT_SOUND_CASE_ELSE);
    assert_int_equal(inner->flags, 0);
    assert_int_equal(cases[inner->first_case].kind, CT_SOUND_CASE_NUMBER);
    assert_float_equal(cases[inner->first_case].low, 1, 0);
    assert_float_equal(cases[inner->first_case].high, 2, 0);
    assert_float_equal(cases[inner->first_case + 1].low, 5, 0);
    assert_float_equal(cases[inner->first_case + 1].high, FLT_MAX, 0);
    compile_case_free(&t);
}

// What a curve of straight lines gives.
static double value_at(const ct_sound_event_resource *e, uint32_t curve, double x) {
    const ct_sound_point *const p = points_of(e, curve);
    const uint32_t count = curve_at(e, curve)->num_points;
    if (x <= (double)p[0].x)
        return (double)p[0].y;
    for (uint32_t i = 1; i < count; ++i) {
        const double from = (double)p[i - 1].x, to = (double)p[i].x;
        if (x <= to)
            return (double)p[i - 1].y +
                   ((double)p[i].y - (double)p[i - 1].y) * (x - from) / (to - from);
    }
    return (double)p[count - 1].y;
}

static void blends_keep_the_power(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_event_resource *const e =
        compile_play(&t, "{ type = \"blend\"  parameter = \"force\"  nodes = [ { at = 0  play = "
                         "\"a\" } { at = 10  play = { sound = \"b\"  volume = -1 } } { at = 50  "
                         "play = { type = \"random\" sounds = [\"c\" \"d\"] } } ] }");
    assert_int_equal(e->nodes.count, 6);
    assert_int_equal(e->curves.count, 3);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(curve_at(e, i)->target, CT_SOUND_TARGET_GAIN);
        assert_float_equal(curve_at(e, i)->missing, 0.5f, 0);
    }
    for (uint32_t step = 0; step <= 6000; ++step) {
        const double x = -5 + 0.01 * step;
        double power = 0;
        for (uint32_t i = 0; i < 3; ++i)
            power += value_at(e, i, x) * value_at(e, i, x);
        if (fabs(10 * log10(power)) > 0.1)
            fail_msg("at %g: found %g dB", x, 10 * log10(power));
    }
    const double places[] = {0, 10, 50};
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t k = 0; k < 3; ++k)
            assert_float_equal(value_at(e, i, places[k]), i == k, 1e-6);
    }
    assert_int_equal(node_at(e, 4)->num_curves, 1); // that of the random around it
    compile_case_free(&t);
}

static void blends_of_places_without_room_between_have_fewer_points(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_event_resource *const e = compile_play(
        &t,
        "{ type = \"blend\"  parameter = \"force\"  nodes = [ { at = 16777216  play = \"a\" } { "
        "at = 16777218  play = \"b\" } ] }");
    assert_true(curve_at(e, 0)->num_points < 9); // the type's own check did not refuse it
    assert_float_equal(value_at(e, 0, 16777216), 1, 0);
    assert_float_equal(value_at(e, 1, 16777218), 1, 0);
    compile_case_free(&t);
}

static void places_music_and_markers_are_kept(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_event_resource *const e = compile_event(
        &t,
        "play = \"a\"  limit = 4  steal = \"quietest\"  cooldown = 0.1  fade_in = 1  fade_out = "
        "2\n"
        "spatial = { attenuation = \"linear\"  least_distance = 2  most_distance = 30  rolloff = "
        "3\n"
        "  cone = { inner = 60  outer = 90  volume = -20 }  spread = [0.1 0.5]  doppler = 0.5\n"
        "  occlusion = { volume = -9  low_pass = 900  radius = 0.4 } }\n"
        "music = { tempo = 90  beats = 3  first_beat = 0.25 }\n"
        "markers = [ { id = \"1\"  at = 2  name = \"late\" } { id = \"2\"  at = 1  event = "
        "\"other\" } { id = \"3\"  at = 2  name = \"last\" } ]");
    const ct_sound_spatial *const s = &e->spatial;
    const ct_sound_marker *const markers = ct_blob_at(e, e->markers.offset);
    assert_int_equal(e->limit, 4);
    assert_int_equal(e->steal, CT_SOUND_STEAL_QUIETEST);
    assert_float_equal(e->cooldown, 0.1f, 0);
    assert_float_equal(e->fade_in, 1, 0);
    assert_float_equal(e->fade_out, 2, 0);
    assert_int_equal(s->is_spatial, 1);
    assert_int_equal(s->attenuation, CT_SOUND_ATTENUATION_LINEAR);
    assert_float_equal(s->least_distance + s->most_distance + s->rolloff, 35, 1e-6f);
    assert_float_equal(s->cone_inner + s->cone_outer + s->cone_volume, 130, 1e-6f);
    assert_float_equal(s->spread_near, 0.1f, 0);
    assert_float_equal(s->spread_far, 0.5f, 0);
    assert_float_equal(s->doppler, 0.5f, 0);
    assert_float_equal(s->occlusion_volume, -9, 0);
    assert_float_equal(s->occlusion_low_pass, 900, 0);
    assert_float_equal(s->occlusion_radius, 0.4f, 0);
    assert_float_equal(e->tempo, 90, 0);
    assert_int_equal(e->beats, 3);
    assert_float_equal(e->first_beat, 0.25f, 0);
    assert_int_equal(e->markers.count, 3);
    assert_int_equal(markers[0].event.value, ct_string_id64_of("other").value);
    assert_int_equal(markers[1].name.value, ct_string_id32_of("late").value);
    assert_int_equal(markers[2].name.value, ct_string_id32_of("last").value);
    assert_true(has_reference(&t.answer, "sound_event", "other"));
    compile_case_free(&t);
}

static void the_bus_is_one_of_the_projects(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "settings.config", "sound = { buses = \"mine\" }");
    compile_case_text(&t, "mine.sound_bus",
                      "buses = [ { name = \"master\" } { name = \"drums\" } ]");
    compile_case_text(&t, "step.sound_event", "bus = \"drums\"  play = \"a\"");
    const ct_sound_event_resource *const e = compile_case_blob(&t, "sound_event", "step");
    assert_int_equal(e->bus.value, ct_string_id32_of("drums").value);
    compile_case_text(&t, "step.sound_event", "play = \"a\"\nbus = \"drms\"");
    compile_case_run(&t, "sound_event", "step");
    compile_case_expect(&t, "step.sound_event", 2,
                        "there is no bus \"drms\"; did you mean \"drums\"?");
    compile_case_free(&t);
}

// --- What is refused -----------------------------------------------------------------------------

static void refuses_nodes_that_are_none(void **state) {
    (void)state;
    refuse_event("bus = \"x\"", 0, 0, "play");
    refuse_play("5", 2, 1, "found a number, expected the name of a sound, or a node: { type = … }");
    refuse_play("{ type = \"radnom\"  sounds = [\"a\"] }", 2, 10, "did you mean \"random\"?");
    refuse_play(
        "{ sounds = [\"a\"] }", 2, 10,
        "`sounds` needs a `type` beside it: \"random\", \"sequence\", \"chain\", \"layers\"");
    refuse_play("{ type = \"random\"  sounds = [\"a\"]  loop = true }", 2, 43,
                "a node of type \"random\" has no `loop`: it is of \"sound\"");
    refuse_play("{ type = \"random\"  sounds = [\"a\"]  volum = 3 }", 2, 43, "did you mean");
    refuse_play("{ type = \"sound\" }", 2, 1, "sound: found nothing, expected the name of a sound");
    refuse_play("{ type = \"random\"  sounds = [] }", 2, 27, "has nothing to play");
    refuse_play("{ type = \"layers\" }", 2, 1, "has nothing to play");
    refuse_play("{ type = \"layers\"  sounds = [3] }", 2, 37, "found a number, expected the name");
    refuse_play("{ type = \"layers\"  sounds = [\"a\"]  nodes = [ { sound = \"a\" } ] }", 2, 27,
                "found `sounds` beside `nodes`");
    refuse_play("\"Sounds/Step.wav\"", 2, 1, "is not the name of a resource");
    refuse_play("{ type = \"random\"  avoid = 2  sounds = [\"a\" \"b\"] }", 2, 27,
                "avoid: found 2, but there are 2 to choose from; expected at most 1");
    refuse_play("{ sound = \"a\"  at = 3 }", 2, 23,
                "`at` and `play` are of the elements of a blend");
}

static void refuses_parameters_that_are_not_declared_or_of_the_wrong_kind(void **state) {
    (void)state;
    refuse_play("{ sound = \"a\"\n  volume = { parameter = \"forse\"  points = [[0 0] [1 1]] } }",
                3, 14, "there is no parameter \"forse\"; did you mean \"force\"?");
    refuse_play(
        "{ sound = \"a\"\n  volume = { parameter = \"zzzzzzzz\"  points = [[0 0] [1 1]] } }", 3, 14,
        "declare it, with its value at the start, in `parameters`");
    refuse_play(
        "{ sound = \"a\"\n  volume = { parameter = \"material\"  points = [[0 0] [1 1]] } }", 3, 14,
        "the parameter \"material\" is a text, expected a number");
    refuse_play(
        "{ type = \"blend\"  parameter = \"material\"  nodes = [ { at = 0  play = \"a\" } { "
        "at = 1  play = \"b\" } ] }",
        2, 26, "is a text, expected a number");
    refuse_play("{ type = \"switch\"  parameter = \"materiel\"  cases = [ { play = \"a\" } ] }", 2,
                27, "did you mean \"material\"?");
    refuse_event("parameters = { force = true } play = \"a\"", 1, 16,
                 "parameters: found a boolean, expected a number or a text");
    refuse_event("parameters = { time = 1 } play = \"a\"", 1, 16, "the engine sets \"time\"");
}

static void refuses_switches_that_cannot_choose(void **state) {
    (void)state;
#define SWITCH(parameter, cases)                                                                   \
    "{ type = \"switch\"  parameter = \"" parameter "\"\n  cases = [ " cases " ] }"
    refuse_play(SWITCH("force", ""), 3, 3, "cases: found 0 of a switch, expected 1 to 255");
    refuse_play("{ type = \"switch\"  parameter = \"force\" }", 2, 1, "cases: found 0");
    refuse_play("{ type = \"switch\"  cases = [ { play = \"a\" } ] }", 2, 1,
                "`parameter` of the switch is missing");
    refuse_play(SWITCH("material", "{ low = 1  high = 2  play = \"a\" }"), 3, 15,
                "the parameter \"material\" is a text, expected a number");
    refuse_play(SWITCH("force", "{ value = \"wood\"  play = \"a\" }"), 3, 15,
                "the parameter \"force\" is a number, expected a text");
    refuse_play(SWITCH("force", "{ value = 3  play = \"a\" }"), 3, 15,
                "value: found a number, expected a text; a case for numbers is { low high play }");
    refuse_play(SWITCH("force", "{ low = 3  high = 3  play = \"a\" }"), 3, 15,
                "found low = 3, high = 3: no number is between");
    refuse_play(SWITCH("material", "{ value = \"a\"  low = 3  play = \"a\" }"), 3, 15,
                "found `value` beside `low` or `high`");
    refuse_play(SWITCH("force", "{ low = 3 }"), 3, 13, "`play` of the case is missing");
    refuse_play(SWITCH("material", "{ play = \"a\" } { value = \"x\"  play = \"a\" }"), 3, 28,
                "this case never plays: case 1 takes what it would");
    refuse_play(
        SWITCH("material", "{ value = \"x\"  play = \"a\" } { value = \"x\"  play = \"a\" }"), 3,
        41, "this case never plays: case 1");
#define NUMBERS(low, high) "{ low = " low "  high = " high "  play = \"a\" } "
    refuse_play(SWITCH("force", NUMBERS("1", "5") NUMBERS("2", "4")), 3, 47,
                "this case never plays: case 1 takes what it would");
    refuse_play(SWITCH("force", NUMBERS("3", "5") NUMBERS("1", "3") NUMBERS("2", "4")), 3, 81,
                "this case never plays: those before it take all numbers that it would");
    refuse_play(SWITCH("force", "{ low = 1  play = \"a\" } { high = 1  play = \"a\" } "
                                "{ play = \"a\" }"),
                3, 62, "this case never plays: those before it take all numbers that it would");
    warns_about(PARAMETERS
                "play = " SWITCH("force", NUMBERS("3", "5") NUMBERS("1", "2.5") NUMBERS("2", "4")),
                NULL);
    warns_about(PARAMETERS
                "play = " SWITCH("force", NUMBERS("2", "3") NUMBERS("1", "4") "{ play = \"a\" }"),
                NULL);
}

static void refuses_values_and_curves_that_are_none(void **state) {
    (void)state;
#define VOLUME(value) "{ sound = \"a\"\n  volume = " value " }"
#define POINTS(points) VOLUME("{ parameter = \"force\"  points = " points " }")
    refuse_play(VOLUME("25"), 3, 3, "volume: found 25, expected a number from -96 to 24");
    refuse_play(VOLUME("\"loud\""), 3, 3,
                "volume: found a string, expected a number, [low high] or a curve");
    refuse_play(VOLUME("[1 2 3]"), 3, 3, "volume: found 3 numbers, expected [low high]");
    refuse_play(VOLUME("[2 1]"), 3, 3, "volume: found [2 1], expected the smaller first");
    refuse_play(VOLUME("{ points = [[0 0]] }"), 3, 3, "parameter");
    refuse_play(VOLUME("{ parameter = \"force\"  shape = \"round\"  points = [[0 0]] }"), 3, 0,
                "expected one of");
    refuse_play(POINTS("[]"), 3, 35, "points: found 0, expected 1 to 64");
    refuse_play(POINTS("3"), 3, 35, "points: found a number, expected an array");
    refuse_play(POINTS("[[0 0] [0 1]]"), 3, 51,
                "points: found 0 behind 0, expected parameters that rise");
    refuse_play(POINTS("[[0 0] [1]]"), 3, 51, "expected [parameter volume]");
    refuse_play(POINTS("[[0 0] [1 99]]"), 3, 54, "volume: found 99");
    refuse_play(POINTS("[[\"x\" 0]]"), 3, 46, "points: found a string, expected a number");
    warns_about(PARAMETERS "play = " POINTS("[[0 -4]]"),
                "a curve with one point is constant; add a point, or write volume = -4");
}

static void refuses_blends_without_places(void **state) {
    (void)state;
#define BLEND(nodes) "{ type = \"blend\"  parameter = \"force\"\n  nodes = [ " nodes " ] }"
    refuse_play(BLEND("{ at = 0  play = \"a\" }"), 3, 3,
                "nodes: found 1 of a blend, expected 2 to 8");
    refuse_play("{ type = \"blend\"  nodes = [ { at = 0  play = \"a\" } ] }", 2, 1,
                "`parameter` of the blend is missing");
    refuse_play(BLEND("{ play = \"a\" } { at = 0  play = \"a\" }"), 3, 13, "`at` is missing");
    refuse_play(BLEND("{ at = 1  play = \"a\" } { at = 1  play = \"a\" }"), 3, 38,
                "at: found 1 behind 1, expected numbers that rise");
    refuse_play(BLEND("{ at = 1  play = \"a\"  volume = 3 } { at = 2  play = \"a\" }"), 3, 35,
                "move `volume` into the node that it plays");
}

static void refuses_trees_that_are_too_large(void **state) {
    (void)state;
    static char play[30000];
    play[0] = 0;
    for (uint32_t i = 0; i < 8; ++i)
        strcat(play, "{ type = \"random\"  nodes = [\n");
    strcat(play, "{ sound = \"a\" }");
    for (uint32_t i = 0; i < 8; ++i)
        strcat(play, " ] }");
    refuse_play(play, 10, 1, "found nodes in nodes 9 deep, expected at most 8");
    strcpy(play, "{ type = \"random\"  sounds = [\n");
    for (uint32_t i = 0; i < 256; ++i)
        strcat(play, "\"a\" ");
    strcat(play, "] }");
    refuse_play(play, 3, 0, "found more than 256 nodes and sounds");
    refuse_play(
        "{ type = \"random\"  nodes = [\n"
        "{ type = \"layers\"  sounds = [\"a\" \"b\" \"c\" \"d\" \"e\" \"f\" \"g\" \"h\" \"i\"] "
        "} ] }",
        3, 1, "found 9 sounds that play in one start of the event, expected at most 8");
    refuse_play(
        "{ type = \"chain\"  nodes = [\n"
        "{ type = \"random\"  nodes = [ { sound = \"a\"  loop = true } ] } { sound = \"b\" } "
        "] }",
        3, 1, "what is behind this in the chain never plays");
    strcpy(play, "{ type = \"random\"  nodes = [\n");
    for (uint32_t i = 0; i < 60; ++i)
        strcat(play,
               "{ sound = \"a\"  volume = { parameter = \"force\" points = [[0 0] [1 1]] }  pitch "
               "= { parameter = \"force\" points = [[0 0] [1 1]] }  gain = { parameter = "
               "\"force\" points = [[0 0] [1 1]] }\n send = { parameter = \"force\" points = "
               "[[0 0] [1 1]] }  low_pass = { parameter = \"force\" points = [[0 99] [1 999]] } "
               "}");
    strcat(play, "] }");
    refuse_play(play, 0, 0, "found 300 curves with those of blends, expected at most 256");
}

static void refuses_events_that_play_themselves(void **state) {
    (void)state;
    refuse_event("play = \"a\"\nmarkers = [ { at = 1  event = \"step\" } ]", 2, 23,
                 "an event cannot play itself");
}

static void refuses_places_and_markers_that_are_none(void **state) {
    (void)state;
#define SPATIAL(members) "play = \"a\"\nspatial = { " members " }"
    refuse_event(SPATIAL("least_distance = 5  most_distance = 5"), 2, 33,
                 "most_distance: found 5, expected more than `least_distance`, 5");
    refuse_event(SPATIAL("cone = { inner = 90  outer = 60 }"), 2, 34,
                 "outer: found 60, expected at least `inner`, 90");
    refuse_event(SPATIAL("spread = 2"), 2, 13, "spread: expected a number from 0 to 1");
    refuse_event(SPATIAL("spread = [1]"), 2, 13, "spread: found 1 numbers");
    refuse_event(SPATIAL("attenuation = \"invers\""), 2, 13, "did you mean \"inverse\"?");
    refuse_event(
        "play = \"a\"\nmarkers = [ { id = \"1\"  at = 1  name = \"a\" } { id = \"1\"  at = "
        "1  name = \"b\" } ]",
        2, 48, "another element has the id \"1\"");
    refuse_event("play = \"a\"\nmusic = { beats = 3 }", 2, 0, "tempo");
}

static void repeats_in_chains_only(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_event_resource *e =
        compile_play(&t, "{ type = \"random\"  nodes = [ { sound = \"a\"  repeats = 5 } ] }");
    assert_int_equal(node_at(e, 1)->repeats, 1);
    compile_case_free(&t);
    t = compile_case_make();
    // A sound repeats by itself, what picks counts each time: 1 + 3 * 2 + 1.
    e = compile_play(&t, "{ type = \"chain\"  nodes = [ { sound = \"a\"  repeats = 100 } { type = "
                         "\"chain\"  sounds = [\"b\" \"c\"]  repeats = 3 } { sound = \"d\" } ] }");
    assert_int_equal(node_at(e, 1)->repeats, 100);
    assert_int_equal(node_at(e, 2)->repeats, 3);
    compile_case_free(&t);
    refuse_play("{ type = \"chain\"  nodes = [\n{ type = \"random\"  sounds = [\"a\" \"b\"]  "
                "repeats = 9 } ] }",
                2, 0, "found 9 sounds that play in one start of the event, expected at most 8");
    refuse_play("{ type = \"layers\"  nodes = [\n{ type = \"chain\"  nodes = [ { type = \"chain\"  "
                "sounds = [\"a\" \"b\"]  repeats = 10000 } ] } ] }",
                3, 1, "found 20000 sounds that play in one start of the event, expected at most 8");
}

static void warns_of_what_has_no_effect(void **state) {
    (void)state;
    warns_about("play = \"a\"", NULL);
    warns_about("play = \"a\"  steal = \"oldest\"", "`steal` has no effect without a `limit`");
    warns_about("play = { sound = \"a\"  weight = 2 }", "`weight` has no effect");
    warns_about("play = { sound = \"a\"  repeats = 2 }", "`repeats` has no effect");
    warns_about("parameters = { x = 1 }\nplay = { type = \"switch\"  parameter = \"x\"  fade = 1  "
                "cases = [ { play = \"a\" } ] }",
                "`fade` has no effect without follow = true");
    warns_about("play = \"a\"  markers = [ { at = 1 } ]", "the marker does nothing");
    warns_about("play = \"a\"  spatial = { attenuation = \"curve\" }", "as loud at any distance");
    warns_about(
        "play = { sound = \"a\"  gain = { parameter = \"distance\"  points = [[0 1] [9 0]] } }",
        "the event has no `spatial`");
    warns_about(
        "play = { sound = \"a\"  gain = { parameter = \"distance\"  points = [[0 1] [9 0]] } }\n"
        "spatial = { attenuation = \"curve\" }",
        NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_is_a_sound),
        cmocka_unit_test(nodes_come_before_their_children),
        cmocka_unit_test(values_are_numbers_ranges_and_curves),
        cmocka_unit_test(sounds_list_the_curves_of_their_path),
        cmocka_unit_test(cases_are_for_texts_numbers_and_the_rest),
        cmocka_unit_test(blends_keep_the_power),
        cmocka_unit_test(blends_of_places_without_room_between_have_fewer_points),
        cmocka_unit_test(places_music_and_markers_are_kept),
        cmocka_unit_test(the_bus_is_one_of_the_projects),
        cmocka_unit_test(refuses_nodes_that_are_none),
        cmocka_unit_test(refuses_parameters_that_are_not_declared_or_of_the_wrong_kind),
        cmocka_unit_test(refuses_switches_that_cannot_choose),
        cmocka_unit_test(refuses_values_and_curves_that_are_none),
        cmocka_unit_test(refuses_blends_without_places),
        cmocka_unit_test(refuses_trees_that_are_too_large),
        cmocka_unit_test(refuses_events_that_play_themselves),
        cmocka_unit_test(refuses_places_and_markers_that_are_none),
        cmocka_unit_test(repeats_in_chains_only),
        cmocka_unit_test(warns_of_what_has_no_effect),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
