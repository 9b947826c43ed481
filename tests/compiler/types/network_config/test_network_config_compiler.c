#include "compiler/compile_case.h"
#include "resource/types/network/network_config_hash.h"
#include "resource/types/network/network_value.h"

#define TYPES                                                                                      \
    "types = {\n"                                                                                  \
    "  health = { type = \"integer\" min = -5 max = 100 }\n"                                       \
    "  speed = { type = \"float\" min = 0 max = 50 bits = 12 }\n"                                  \
    "  exact = { type = \"float\" }\n"                                                             \
    "  point = { type = \"vector2\" min = -8 max = [8, 9] bits = 10 }\n"                           \
    "  position = { type = \"vector3\" min = [-1, -2, -3] max = [4, 5, 6] bits = 15 }\n"           \
    "  rotation = { type = \"rotation\" }\n"                                                       \
    "  name = { type = \"string\" max = 7 }\n"                                                     \
    "  team = { type = \"lookup\" values = [\"red\", \"blue\"] }\n"                                \
    "  weapons = { type = \"array\" of = \"health\" max = 3 }\n"                                   \
    "}\n"

static const ct_network_record_type *object_of(const ct_network_config_resource *c,
                                               const char *name) {
    const uint32_t i = ct_network_config_object(c, ct_string_id32_of(name));
    assert_int_not_equal(i, UINT32_MAX);
    return &ct_network_config_objects(c)[i];
}

// The first value of a field.
static ct_network_value first_value(const ct_network_config_resource *c,
                                    const ct_network_record_type *r, const char *name) {
    const uint32_t i = ct_network_config_field(c, r, ct_string_id32_of(name));
    assert_int_not_equal(i, UINT32_MAX);
    const ct_network_field *const f = &ct_network_record_fields(c, r)[i];
    return ct_network_value_read(&ct_network_config_types(c)[f->type],
                                 ct_network_record_defaults(c, r) + f->first_word);
}

static void writes_types_objects_and_messages(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(
        &t, "game.network_config",
        TYPES "objects = { ball = { fields = { at = { type = \"position\" default = [1, 2, 3] }\n"
              "  alive = { type = \"bool\" default = true } health = { type = \"health\" default "
              "= 50 }\n  turn = { type = \"rotation\" default = [0, 0, 2, 0] } speed = \"speed\"\n"
              "  exact = { type = \"exact\" default = 0.1 } point = { type = \"point\" default = "
              "[1, 9] }\n  name = { type = \"name\" default = \"Ball\" } unit = { type = \"id\" "
              "default = \"units/a\" }\n  team = { type = \"team\" default = \"blue\" } weapons = "
              "\"weapons\" }\n  relevance = { position = \"at\" distance = 80 } priority = 2 rate "
              "= 20 shared = true } }\n"
              "messages = { hit = { arguments = { who = \"object\" from = \"peer\" damage = "
              "\"health\" } } look = { reliable = false }\n"
              "  puff = { reliable = false priority = 0.5 } }");
    const ct_network_config_resource *const c = compile_case_blob(&t, "network_config", "game");
    assert_int_equal(c->types.count, 9 + 4);
    assert_true(c->hash == ct_network_config_hash(c));
    const ct_network_record_type *const ball = object_of(c, "ball");
    assert_int_equal(ball->num_fields, 11);
    assert_int_equal(ball->position, 0);
    assert_true(ball->distance == 80 && ball->priority == 2 && ball->rate == 20);
    assert_int_equal(ball->is_shared, 1);
    assert_float_equal(first_value(c, ball, "at").parts[1], 2, 0.001);
    assert_true(first_value(c, ball, "alive").boolean);
    assert_int_equal(first_value(c, ball, "health").integer, 50);
    assert_float_equal(first_value(c, ball, "turn").parts[2], 1, 0.001);
    assert_float_equal(first_value(c, ball, "speed").number, 0, 0);
    assert_true(first_value(c, ball, "exact").number == 0.1f);
    assert_float_equal(first_value(c, ball, "point").parts[1], 9, 0);
    assert_int_equal(first_value(c, ball, "name").string.bytes, 4);
    assert_memory_equal(first_value(c, ball, "name").string.text, "Ball", 4);
    assert_true(first_value(c, ball, "unit").id == ct_string_id64_of("units/a").value);
    assert_int_equal(first_value(c, ball, "team").lookup, 1);
    assert_int_equal(first_value(c, ball, "weapons").count, 0);
    const ct_network_record_type *const messages = ct_network_config_messages(c);
    const uint32_t hit = ct_network_config_message(c, ct_string_id32_of("hit"));
    const uint32_t look = ct_network_config_message(c, ct_string_id32_of("look"));
    assert_int_equal(messages[hit].is_reliable, 1);
    assert_int_equal(messages[look].is_reliable, 0);
    const uint32_t puff = ct_network_config_message(c, ct_string_id32_of("puff"));
    assert_true(messages[look].priority == 1 && messages[puff].priority == 0.5f);
    assert_int_equal(messages[look].num_fields, 0);
    // In the order of the source.
    assert_int_equal(ct_network_config_field(c, &messages[hit], ct_string_id32_of("from")), 1);
    compile_case_free(&t);
}

static void refuses_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t line;
        const char *message;
    } cases[] = {
        {"types = {\n a = { type = \"intger\" } }", 2, "unknown type \"intger\"; did you mean"},
        {"types = {\n a = { } }", 2, "type"},
        {"types = {\n a = { type = \"integer\" min = 5 max = 2 } }", 2, "found min 5 above max 2"},
        {"types = {\n a = { type = \"integer\" min = 5 } }", 2, "missing max"},
        {"types = {\n a = { type = \"integer\" min = 0.5 max = 2 } }", 2, "expected a whole"},
        {"types = {\n a = { type = \"bool\" max = 2 } }", 2, "found max, but a type of kind bool"},
        {"types = {\n a = { type = \"float\" min = 0 max = 1 } }", 2, "missing bits"},
        {"types = {\n a = { type = \"float\" min = 0 bits = 8 } }", 2, "found min without max"},
        {"types = {\n a = { type = \"float\" bits = 8 } }", 2, "found 8 bits without min and max"},
        {"types = {\n a = { type = \"float\" min = 0 max = 1 bits = 40 } }", 2, "bits: found 40"},
        {"types = {\n a = { type = \"float\" min = 0 max = 1 bits = 30 } }", 2, "found 30 bits"},
        {"types = {\n a = { type = \"float\" min = 1 max = 1 bits = 3 } }", 2, "a min below the"},
        {"types = {\n a = { type = \"float\" min = 0 max = 1e99 bits = 3 } }", 2, "too large"},
        {"types = {\n a = { type = \"vector3\" min = [0, 0] max = 1 bits = 3 } }", 2,
         "min: found an array, expected a number, or an array of 3 numbers"},
        {"types = {\n a = { type = \"rotation\" bits = 21 } }", 2, "bits: found 21"},
        {"types = {\n a = { type = \"string\" max = 513 } }", 2, "max: found 513"},
        {"types = {\n a = { type = \"lookup\" values = [] } }", 2, "expected an array of names"},
        {"types = {\n a = { type = \"lookup\" values = [\"x\", \"x\"] } }", 2, "there twice"},
        {"types = {\n a = { type = \"array\" of = \"bol\" max = 2 } }", 2, "did you mean \"bool\""},
        {"types = {\n a = { type = \"array\" of = \"b\" max = 2 }\n"
         " b = { type = \"array\" of = \"bool\" max = 2 } }",
         2, "\"b\" is an array; elements"},
        {"types = {\n a = { type = \"array\" of = \"peer\" max = 200 } }", 2, "take 400 words"},
        {"types = {\n peer = { type = \"bool\" } }", 2, "there is another type \"peer\""},
        {"objects = {\n a = { fields = {\n x = \"poition\" } } }\ntypes = { position = { type = "
         "\"bool\" } }",
         3, "unknown type \"poition\"; did you mean \"position\""},
        {"objects = {\n a = { fields = {\n x = 5 } } }", 3, "x: found a number, expected the name"},
        {"objects = {\n a = { fields = {\n x = { type = \"bool\" default = 5 } } } }", 3,
         "expected true or false"},
        {"objects = {\n a = { fields = {\n x = { type = \"peer\" default = 5 } } } }", 3,
         "always start as none"},
        {"types = { h = { type = \"integer\" min = 0 max = 9 } }\n"
         "objects = { a = { fields = {\n x = { type = \"h\" default = 10 } } } }",
         3, "default: found 10"},
        {"objects = {\n a = { fields = {\n x = \"bool\" }\n relevance = { position = \"y\" "
         "distance "
         "= 5 } } }",
         2, "there is no field \"y\""},
        {"objects = {\n a = { fields = {\n x = \"bool\" }\n relevance = { position = \"x\" "
         "distance "
         "= 5 } } }",
         2, "found field \"x\" of kind bool"},
        {"messages = {\n a = {\n priority = 2 } }", 3, "reliable messages have none"},
        {"messages = {\n a = { reliable = false\n priority = -1 } }", 3, "priority: found -1"},
        {"messages = {\n peer_joined = { arguments = {} } }", 2,
         "calls the method peer_joined for"},
        {"types = { t = { type = \"string\" max = 512 } }\n"
         "messages = { a = { arguments = {\n x = \"t\"\n y = \"t\" } } }",
         4, "its 129 words are too many"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        compile_case t = compile_case_make();
        compile_case_text(&t, "a.network_config", cases[i].text);
        compile_case_run(&t, "network_config", "a");
        compile_case_expect(&t, "a.network_config", cases[i].line, cases[i].message);
        compile_case_free(&t);
    }
}

static void takes_an_empty_config(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.network_config", "\n");
    const ct_network_config_resource *const c = compile_case_blob(&t, "network_config", "a");
    assert_int_equal(c->types.count, 4);
    assert_int_equal(c->objects.count, 0);
    compile_case_free(&t);
}

static void inherits_types_objects_and_messages(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(
        &t, "shared/base.network_config",
        "types = { health = { type = \"integer\" min = 0 max = 100 }\n"
        "  team = { type = \"lookup\" values = [\"red\"] } }\n"
        "objects = { ball = { fields = { health = { type = \"health\" default = 100 } } }\n"
        "  box = { fields = { team = { type = \"team\" default = \"red\" } } } }\n"
        "messages = { hit = { arguments = { damage = \"health\" } } }");
    compile_case_text(&t, "middle.network_config", "inherit = \"shared/base\"");
    compile_case_text(&t, "game.network_config",
                      "inherit = \"middle\"\n"
                      "types = { health = { type = \"integer\" min = 0 max = 200 } team = { type = "
                      "\"bool\" } speed = { type = \"float\" } }\n"
                      "objects = { box = { fields = { team = \"team\" speed = \"speed\" } } }\n"
                      "messages = { look = { reliable = false } }");
    const ct_network_config_resource *const c = compile_case_blob(&t, "network_config", "game");
    assert_int_equal(c->types.count, 3 + 4);
    assert_int_equal(c->objects.count, 2);
    assert_int_equal(c->messages.count, 2);
    // An inherited object has the type of this config.
    const ct_network_record_type *const ball = object_of(c, "ball");
    assert_int_equal(ct_network_record_widths(c, ball)[0], 8);
    assert_int_equal(first_value(c, ball, "health").integer, 100);
    // One that is replaced has nothing of the old one, whose default is none of the new type.
    assert_int_equal(object_of(c, "box")->num_fields, 2);
    assert_false(first_value(c, object_of(c, "box"), "team").boolean);
    assert_true(compile_case_has_include(&t, "shared/base.network_config"));
    // The same as one file has the same hash.
    const uint64_t hash = c->hash;
    compile_case_text(
        &t, "whole.network_config",
        "types = { health = { type = \"integer\" min = 0 max = 200 } team = { type = "
        "\"bool\" } speed = { type = \"float\" } }\n"
        "objects = { ball = { fields = { health = { type = \"health\" default = 100 } } }\n"
        "  box = { fields = { team = \"team\" speed = \"speed\" } } }\n"
        "messages = { look = { reliable = false } hit = { arguments = { damage = "
        "\"health\" } } }");
    const ct_network_config_resource *const whole =
        compile_case_blob(&t, "network_config", "whole");
    assert_true(whole->hash == hash);
    compile_case_free(&t);
}

static void names_the_file_of_what_is_wrong(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "base.network_config",
                      "types = { a = { type = \"integer\" min = 0 max = 10 } }\n"
                      "objects = { ball = { fields = {\n x = { type = \"a\" default = 9 } } } }\n"
                      "messages = { hit = { arguments = { y = \"b\" } } }");
    compile_case_text(&t, "game.network_config",
                      "inherit = \"base\"\ntypes = { a = { type = \"integer\" min = 0 max = 5 } }");
    compile_case_run(&t, "network_config", "game");
    compile_case_expect(&t, "base.network_config", 3, "found 9, expected a whole number, 0 to 5");
    compile_case_expect(&t, "base.network_config", 4, "unknown type \"b\"");
    compile_case_text(&t, "game.network_config", "inherit = \"nothing\"");
    compile_case_run(&t, "network_config", "game");
    compile_case_expect(&t, "game.network_config", 1, "nothing");
    compile_case_text(&t, "game.network_config", "inherit = \"b\"");
    compile_case_text(&t, "b.network_config", "\n inherit = \"game\"");
    compile_case_run(&t, "network_config", "game");
    compile_case_expect(&t, "game.network_config", 1,
                        "a network config cannot inherit itself: b: game: b");
    compile_case_text(&t, "game.network_config", "inherit = \"c0\"");
    for (uint32_t i = 0; i < 8; ++i) {
        char name[32], text[32];
        snprintf(name, sizeof(name), "c%u.network_config", i);
        snprintf(text, sizeof(text), "inherit = \"c%u\"", i + 1);
        compile_case_text(&t, name, i < 7 ? text : "types = {}");
    }
    compile_case_run(&t, "network_config", "game");
    compile_case_expect(&t, "c6.network_config", 1, "more than 8 deep");
    compile_case_text(&t, "c6.network_config", "types = {}");
    compile_case_blob(&t, "network_config", "game");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_types_objects_and_messages),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(takes_an_empty_config),
        cmocka_unit_test(inherits_types_objects_and_messages),
        cmocka_unit_test(names_the_file_of_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
