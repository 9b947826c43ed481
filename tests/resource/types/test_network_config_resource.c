#include "resource/types/network_config_resource.h"

#include <math.h>
#include <string.h>

#include "network/fields/fields_fixture.h"
#include "resource/types/network/network_config_hash.h"

static ct_network_config_resource *config;

static int make_config(void **state) {
    (void)state;
    config = test_network_config(&fixture_config);
    return 0;
}

static int free_config(void **state) {
    (void)state;
    ct_free(test_heap(), config);
    return 0;
}

static void assert_refused(const char *text) {
    ct_error error = {0};
    if (ct_network_config_validate(config, &error))
        fail_msg("accepted, expected \"%s\"", text);
    if (!strstr(error.message, text))
        fail_msg("found \"%s\", expected \"%s\"", error.message, text);
}

static ct_network_type *type_named(const char *name) {
    ct_network_type *const types = (ct_network_type *)(uintptr_t)ct_network_config_types(config);
    for (uint32_t i = 0; i < config->types.count; ++i) {
        if (types[i].id.value == ct_string_id32_of(name).value)
            return &types[i];
    }
    fail_msg("no type \"%s\"", name);
    return NULL;
}

static ct_network_record_type *thing(void) {
    return (ct_network_record_type *)(uintptr_t)fixture_thing(config);
}

// --- Look-up -------------------------------------------------------------------------------------

static void finds_by_name(void **state) {
    (void)state;
    const uint32_t hit = ct_network_config_message(config, ct_string_id32_of("hit"));
    assert_int_equal(hit, 0);
    assert_int_equal(ct_network_config_message(config, ct_string_id32_of("thing")), UINT32_MAX);
    assert_int_equal(ct_network_config_object(config, ct_string_id32_of("hit")), UINT32_MAX);
    const ct_network_record_type *const message = &ct_network_config_messages(config)[hit];
    assert_int_equal(message->num_fields, 3);
    assert_int_equal(message->is_reliable, 1);
    assert_int_equal(ct_network_config_field(config, message, ct_string_id32_of("any")), 2);
    assert_int_equal(ct_network_config_field(config, message, ct_string_id32_of("speed")),
                     UINT32_MAX);
    assert_int_equal(thing()->position, 7);
    assert_int_equal(thing()->is_shared, 1);
    assert_true(thing()->distance == 80 && thing()->priority == 2 && thing()->rate == 20);
    assert_string_equal(ct_network_config_lookup(config, type_named("team"), 1), "blue");
}

static void gives_each_kind_its_words(void **state) {
    (void)state;
    static const struct {
        const char *type;
        uint32_t num_words;
        uint8_t widths[6];
    } expected[] = {
        {"bool", 1, {1}},
        {"health", 1, {7}},
        {"any", 1, {32}},
        {"speed", 1, {12}},
        {"point", 2, {10, 10}},
        {"position", 3, {15, 15, 15}},
        {"rotation", 4, {2, 10, 10, 10}},
        {"text", 6, {5, 32, 32, 32, 32, 32}},
        {"id", 2, {32, 32}},
        {"peer", 2, {32, 32}},
        {"object", 1, {32}},
        {"team", 1, {2}},
        {"speeds", 6, {3, 12, 12, 12, 12, 12}},
        {"rotations", 13, {2, 2, 10, 10, 10, 2}},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(expected); ++i) {
        uint8_t widths[CT_NETWORK_MAX_WORDS];
        const ct_network_type *const t = type_named(expected[i].type);
        assert_int_equal(t->num_words, expected[i].num_words);
        assert_int_equal(ct_network_type_widths(ct_network_config_types(config), t, widths),
                         t->num_words);
        assert_memory_equal(widths, expected[i].widths, t->num_words < 6 ? t->num_words : 6);
    }
}

// --- Validation ----------------------------------------------------------------------------------

static void refuses_types_that_are_wrong(void **state) {
    (void)state;
    static const struct {
        const char *type;
        size_t offset;
        uint32_t value;
        const char *message;
    } wrong[] = {
        {"speed", offsetof(ct_network_type, id), 0, ".id: it is not that of its name"},
        {"speed", offsetof(ct_network_type, kind), CT_NETWORK_KINDS, "found kind 12"},
        {"speed", offsetof(ct_network_type, bits), 1, "found 1 bits, expected 2 to 23"},
        {"speed", offsetof(ct_network_type, bits), 24, "found 24 bits"},
        {"speed", offsetof(ct_network_type, bits), 32, "which are for exact floats"},
        {"speed", offsetof(ct_network_type, min), 0x42480000, "found min 50 and max 50"},
        {"speed", offsetof(ct_network_type, max), 0x7fc00000, "found min -50 and max nan"},
        {"speed", offsetof(ct_network_type, num_words), 2, "num_words: found 2, expected 1"},
        {"position", offsetof(ct_network_type, min) + 8, 0x7f800000, "found min inf"},
        {"health", offsetof(ct_network_type, first), 101, "found integers 101 to 100"},
        {"rotation", offsetof(ct_network_type, bits), 21, "found 21 bits for a part"},
        {"text", offsetof(ct_network_type, max_count), 513, "at most 513 bytes"},
        {"text", offsetof(ct_network_type, max_count), 0, "at most 0 bytes"},
        {"text", offsetof(ct_network_type, max_count), 21, "num_words: found 6, expected 7"},
        {"team", offsetof(ct_network_type, num_lookups), 0, "found lookups"},
        {"team", offsetof(ct_network_type, num_lookups), 4, "there are only 3"},
        {"team", offsetof(ct_network_type, first_lookup), UINT32_MAX, "there are only 3"},
        {"speeds", offsetof(ct_network_type, element), 99, "found element type 99"},
        {"speeds", offsetof(ct_network_type, max_count), 256, "found a max_count of 256"},
        {"rotations", offsetof(ct_network_type, max_count), 64, "num_words: found 13, expected 0"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        uint32_t *const at =
            (uint32_t *)(void *)((char *)type_named(wrong[i].type) + wrong[i].offset);
        const uint32_t before = *at;
        *at = wrong[i].value;
        assert_refused(wrong[i].message);
        *at = before;
    }
    ct_network_type *const speeds = type_named("speeds");
    const ct_network_type *const types = ct_network_config_types(config);
    speeds->element = (uint32_t)(type_named("text") - types);
    assert_refused("found elements of kind string");
    speeds->element = (uint32_t)(type_named("rotations") - types);
    assert_refused("found elements of kind array");
    speeds->element = (uint32_t)(speeds - types);
    assert_refused("found elements of kind array");
}

static void refuses_records_that_are_wrong(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        uint32_t value;
        const char *message;
    } wrong[] = {
        {offsetof(ct_network_record_type, id), 5, ".id: it is not that of its name"},
        {offsetof(ct_network_record_type, first_field), UINT32_MAX, "there are only 19"},
        {offsetof(ct_network_record_type, first_field), 4, "there are only 19"},
        {offsetof(ct_network_record_type, num_fields), 65, "found fields"},
        {offsetof(ct_network_record_type, num_fields), 15, "num_words: found"},
        {offsetof(ct_network_record_type, first_width), UINT32_MAX, "found words"},
        {offsetof(ct_network_record_type, num_words), 257, "found words"},
        {offsetof(ct_network_record_type, num_words), 20, "found words"},
        {offsetof(ct_network_record_type, is_reliable), 2, "found is_reliable 2"},
        {offsetof(ct_network_record_type, is_shared), 2, "is_shared 2"},
        {offsetof(ct_network_record_type, position), 6, "field 6 is no vector3"},
        {offsetof(ct_network_record_type, position), 16, "field 16 is no vector3"},
        {offsetof(ct_network_record_type, distance), 0xbf800000, "found distance -1"},
        {offsetof(ct_network_record_type, rate), 0x7fc00000, "rate nan"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        uint32_t *const at = (uint32_t *)(void *)((char *)thing() + wrong[i].offset);
        const uint32_t before = *at;
        ct_network_record_type *const t = thing();
        (void)t;
        *at = wrong[i].value;
        assert_refused(wrong[i].message);
        *at = before;
    }
}

static void refuses_fields_widths_and_defaults_that_are_wrong(void **state) {
    (void)state;
    ct_network_field *const fields =
        (ct_network_field *)(uintptr_t)ct_network_record_fields(config, thing());
    uint8_t *const widths = (uint8_t *)(uintptr_t)ct_network_record_widths(config, thing());
    uint32_t *const words = (uint32_t *)(uintptr_t)ct_network_record_defaults(config, thing());
    const ct_network_field before = fields[3];
    fields[3].id = fields[2].id;
    fields[3].name = fields[2].name;
    assert_refused("fields[3]: another field has its name");
    fields[3] = before;
    fields[3].type = 1000;
    assert_refused("fields[3]: found type 1000");
    fields[3] = before;
    fields[3].first_word = 4;
    assert_refused("fields[3]: found words 4 + 1");
    fields[3] = before;
    fields[3].id.value ^= 1;
    assert_refused("fields[3].id: it is not that of its name");
    fields[3] = before;
    widths[5] = 33;
    assert_refused("its widths are not those of its type");
    widths[5] = 32;
    words[fields[9].first_word] = 19;
    assert_refused("fields[9]: its default is not valid");
    words[fields[9].first_word] = 5;
    config->widths.count -= 1;
    assert_refused("expected as many");
    config->widths.count += 1;
    assert_true(ct_network_config_validate(config, NULL));
}

// --- Descriptions --------------------------------------------------------------------------------

static void assert_not_written(const ct_network_config_desc *desc, const char *text, uint32_t list,
                               uint32_t index, uint32_t field) {
    ct_blob_writer w;
    ct_network_config_place place;
    ct_error error = {0};
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "network_config",
                        CT_NETWORK_CONFIG_VERSION);
    assert_false(ct_network_config_write(desc, test_heap(), &w, &place, &error));
    ct_blob_writer_free(&w);
    if (!strstr(error.message, text))
        fail_msg("found \"%s\", expected \"%s\"", error.message, text);
    assert_int_equal(place.list, list);
    assert_int_equal(place.index, index);
    assert_int_equal(place.field, field);
}

static void refuses_descriptions_of_types(void **state) {
    (void)state;
    static const struct {
        ct_network_type_desc type;
        const char *message;
    } wrong[] = {
        {{.name = "peer"}, "there is another type \"peer\""},
        {{.name = "b", .kind = CT_NETWORK_INTEGER, .first = 2, .last = 1}, "min 2 above max 1"},
        {{.name = "b", .kind = CT_NETWORK_FLOAT, .max = {1}, .bits = 40}, "found 40 bits"},
        {{.name = "b", .kind = CT_NETWORK_FLOAT, .min = {1}, .max = {1}, .bits = 4},
         "a min below the max"},
        {{.name = "b", .kind = CT_NETWORK_FLOAT, .min = {1000}, .max = {1001}, .bits = 23},
         "finer than floats are"},
        {{.name = "b", .kind = CT_NETWORK_ARRAY, .element = "bool", .max_count = 256},
         "found a max of 256 elements"},
        {{.name = "b", .kind = CT_NETWORK_ARRAY, .element = "peer", .max_count = 128},
         "its 128 elements of \"peer\" take 256 words and one for their count"},
        {{.name = "b", .kind = CT_NETWORK_ARRAY, .element = "none", .max_count = 8},
         "there is no type \"none\""},
        {{.name = "b", .kind = CT_NETWORK_ARRAY, .element = "b", .max_count = 8},
         "\"b\" is an array; elements"},
        {{.name = "b", .kind = CT_NETWORK_STRING, .max_count = 513}, "found a max of 513 bytes"},
        {{.name = "b", .kind = CT_NETWORK_LOOKUP}, "found an empty list"},
        {{.name = ""}, "found a type without a name"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        const ct_network_type_desc types[2] = {{.name = "a"}, wrong[i].type};
        assert_not_written(&(ct_network_config_desc){.types = types, .num_types = 2},
                           wrong[i].message, CT_NETWORK_PLACE_TYPE, 1, UINT32_MAX);
    }
}

static void refuses_descriptions_of_records(void **state) {
    (void)state;
    static const ct_network_type_desc types[] = {
        {.name = "text", .kind = CT_NETWORK_STRING, .max_count = 512},
    };
    static const ct_network_field_desc long_text[] = {{.name = "x", .type = "text"},
                                                      {.name = "y", .type = "text"}};
    static const ct_network_field_desc twice[] = {{.name = "x", .type = "id"},
                                                  {.name = "x", .type = "id"}};
    static const ct_network_field_desc unknown[] = {{.name = "x", .type = "id"},
                                                    {.name = "y", .type = "di"}};
    static const ct_network_field_desc value[] = {
        {.name = "y", .type = "id"},
        {.name = "x",
         .type = "text",
         .has_value = true,
         .value = {.string = {.text = "\xff", .bytes = 1}}}};
    static const struct {
        ct_network_record_desc object;
        const char *message;
        uint32_t field;
    } wrong[] = {
        {{.name = "b", .fields = long_text, .num_fields = 2}, "its 129 words are too many: tho", 1},
        {{.name = "b", .fields = twice, .num_fields = 2}, "there is another field \"x\"", 1},
        {{.name = "b", .fields = unknown, .num_fields = 2}, "there is no type \"di\"", 1},
        {{.name = "b", .fields = value, .num_fields = 2}, "not UTF-8", 1},
        {{.name = "b", .fields = value, .num_fields = 65}, "found 65 fields", UINT32_MAX},
        {{.name = "b", .position = "z"}, "there is no field \"z\"", UINT32_MAX},
        {{.name = "b", .fields = value, .num_fields = 1, .position = "y"},
         "found field \"y\" of kind id",
         UINT32_MAX},
        {{.name = "b", .rate = NAN}, "rate nan", UINT32_MAX},
        {{.name = "a"}, "there is another object \"a\"", UINT32_MAX},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        const ct_network_record_desc objects[2] = {{.name = "a"}, wrong[i].object};
        assert_not_written(
            &(ct_network_config_desc){
                .types = types, .num_types = 1, .objects = objects, .num_objects = 2},
            wrong[i].message, CT_NETWORK_PLACE_OBJECT, 1, wrong[i].field);
    }
}

// --- Hashes --------------------------------------------------------------------------------------

static uint64_t hash_with(const ct_network_type_desc *type, const ct_network_field_desc *field,
                          bool is_shared, float rate) {
    ct_network_record_desc object = {.name = "ball", .is_shared = is_shared, .rate = rate};
    object.fields = field;
    object.num_fields = 1;
    ct_network_config_resource *const c = test_network_config(&(ct_network_config_desc){
        .types = type, .num_types = 1, .objects = &object, .num_objects = 1});
    const uint64_t hash = c->hash;
    assert_true(hash == ct_network_config_hash(c));
    ct_free(test_heap(), c);
    return hash;
}

static void hashes_what_both_ends_must_have_alike(void **state) {
    (void)state;
    static const char *const lists[][2] = {{"a", "b"}, {"b", "a"}};
    const ct_network_field_desc f = {.name = "x", .type = "t"};
    const ct_network_type_desc t = {.name = "t", .kind = CT_NETWORK_FLOAT, .max = {1}, .bits = 8};
    const uint64_t hash = hash_with(&t, &f, false, 1);
    assert_true(hash_with(&t, &f, false, 2) == hash);
    assert_true(hash_with(&t, &f, true, 1) != hash);
    ct_network_type_desc t2 = t;
    t2.max[0] = 2;
    assert_true(hash_with(&t2, &f, false, 1) != hash);
    t2 = t;
    t2.bits = 9;
    assert_true(hash_with(&t2, &f, false, 1) != hash);
    ct_network_field_desc f2 = f;
    f2.name = "y";
    assert_true(hash_with(&t, &f2, false, 1) != hash);
    f2 = f;
    f2.has_value = true;
    f2.value.number = 1;
    assert_true(hash_with(&t, &f2, false, 1) != hash);
    t2 = (ct_network_type_desc){
        .name = "t", .kind = CT_NETWORK_LOOKUP, .lookups = lists[0], .num_lookups = 2};
    const uint64_t list = hash_with(&t2, &f, false, 1);
    t2.lookups = lists[1];
    assert_true(hash_with(&t2, &f, false, 1) != list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_by_name, make_config, free_config),
        cmocka_unit_test_setup_teardown(gives_each_kind_its_words, make_config, free_config),
        cmocka_unit_test_setup_teardown(refuses_types_that_are_wrong, make_config, free_config),
        cmocka_unit_test_setup_teardown(refuses_records_that_are_wrong, make_config, free_config),
        cmocka_unit_test_setup_teardown(refuses_fields_widths_and_defaults_that_are_wrong,
                                        make_config, free_config),
        cmocka_unit_test(refuses_descriptions_of_types),
        cmocka_unit_test(refuses_descriptions_of_records),
        cmocka_unit_test(hashes_what_both_ends_must_have_alike),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
