#include "content/merge/array_kind.h"

#include <stdio.h>
#include <string.h>

#include "foundation/string/string_builder.h"
#include "support/test_support.h"

static ct_sjson *parse(const char *text) {
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(test_heap(), text, strlen(text), "value", NULL, &error);
    if (!doc)
        fail_msg("%s in %s", error.message, text);
    return doc;
}

// The member `key` of the root with its place in a file of that name.
static ct_content_value member_of(const ct_sjson *doc, const char *key) {
    return (ct_content_value){doc, ct_sjson_find(doc, ct_sjson_root(doc), key)};
}

static ct_array_kind kind_in(const char *file, const char *key, const char *a, const char *b) {
    ct_sjson *const x = parse(a), *const y = parse(b);
    const ct_content_value versions[] = {member_of(x, key), member_of(y, key)};
    ct_array_match match;
    ct_array_match_make(&match, test_heap(),
                        ct_content_place_of_member(ct_content_place_of_file(file), key), versions,
                        2);
    const ct_array_kind kind = match.kind;
    ct_array_match_free(&match);
    ct_sjson_free(x);
    ct_sjson_free(y);
    return kind;
}

static void tells_kinds_apart(void **state) {
    (void)state;
    static const struct {
        const char *file, *key, *a, *b;
        ct_array_kind kind;
    } rows[] = {
        {"x", "p", "p = [1 2 3]", "p = [1 2 4]", CT_ARRAY_KIND_VALUE},
        {"x", "p", "p = [1 2 3]", "q = 1", CT_ARRAY_KIND_VALUE},
        {"x", "p", "p = [1 2 3]", "p = [1 2]", CT_ARRAY_KIND_SEQUENCE},
        {"x", "p", "p = [1 2 3]", "p = [1 2 \"3\"]", CT_ARRAY_KIND_SEQUENCE},
        {"x", "p", "p = [1]", "p = [2]", CT_ARRAY_KIND_SEQUENCE},
        {"x", "p", "p = [1 2 3 4 5]", "p = [1 2 3 4 6]", CT_ARRAY_KIND_SEQUENCE},
        {"x", "p", "p = []", "p = []", CT_ARRAY_KIND_SEQUENCE},
        {"x", "p", "p = [{ id = 1 }]", "p = []", CT_ARRAY_KIND_IDENTITY},
        {"x", "p", "p = [{ Id = \"a\" }]", "p = [{ Id = 1 }]", CT_ARRAY_KIND_IDENTITY},
        {"x", "p", "p = [{ ID = \"a\" }]", "p = [{ x = 1 }]", CT_ARRAY_KIND_SEQUENCE},
        {"x", "p", "p = [{ id = \"a\" }]", "p = [{ Id = \"a\" }]", CT_ARRAY_KIND_SEQUENCE},
        {"x", "p", "p = [{ id = \"a\" } 1]", "p = []", CT_ARRAY_KIND_SEQUENCE},
        {"x", "p", "p = [{ id = \"a\" } { id = \"a\" }]", "p = []", CT_ARRAY_KIND_SEQUENCE},
        {"x", "p", "p = [{ id = 1 } { id = \"1\" }]", "p = []", CT_ARRAY_KIND_IDENTITY},
        {"x", "p", "p = [{ id = null }]", "p = []", CT_ARRAY_KIND_SEQUENCE},
        {"x", "p", "p = [{ id = [1] }]", "p = []", CT_ARRAY_KIND_SEQUENCE},
        {"a/b.package", "unit", "unit = [\"a\" \"b\"]", "unit = []", CT_ARRAY_KIND_SET},
        {"a/b.package", "other", "other = [\"a\" \"b\"]", "other = []", CT_ARRAY_KIND_SEQUENCE},
        {"a.material", "options", "options = [\"A\"]", "options = [{ a = 1 }]",
         CT_ARRAY_KIND_SEQUENCE},
        {"b.fr.level", "units", "units = [{ id = \"a\" }]", "", CT_ARRAY_KIND_IDENTITY},
        {"a.level/x", "units", "units = []", "", CT_ARRAY_KIND_SEQUENCE},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        if (kind_in(rows[i].file, rows[i].key, rows[i].a, rows[i].b) != rows[i].kind)
            fail_msg("row %u is not of kind %u", i, rows[i].kind);
        if (kind_in(rows[i].file, rows[i].key, rows[i].b, rows[i].a) != rows[i].kind)
            fail_msg("row %u, turned round, is not of kind %u", i, rows[i].kind);
    }
}

static void knows_vectors_by_their_schema(void **state) {
    (void)state;
    ct_sjson *const doc = parse("units = [{ id = \"a\" position = [1 2 3 4 5] overrides = [1 2]"
                                " }] components = [{ id = \"c\" type = \"mesh\" materials = [] }]");
    ct_content_place place = ct_content_place_of_file("levels/yard.level");
    const ct_content_value units = member_of(doc, "units");
    const ct_content_value unit = {doc, ct_sjson_first(doc, units.value)};
    place = ct_content_place_of_element(ct_content_place_of_member(place, "units"), unit);
    const ct_content_value position = {doc, ct_sjson_find(doc, unit.value, "position")};
    const ct_content_value overrides = {doc, ct_sjson_find(doc, unit.value, "overrides")};
    ct_array_match match;
    ct_array_match_make(&match, test_heap(), ct_content_place_of_member(place, "position"),
                        &position, 1);
    assert_int_equal(match.kind, CT_ARRAY_KIND_VALUE); // of five numbers: wrong, but one value
    ct_array_match_free(&match);
    ct_array_match_make(&match, test_heap(), ct_content_place_of_member(place, "overrides"),
                        &overrides, 1);
    assert_int_equal(match.kind, CT_ARRAY_KIND_SET); // of two numbers, but no vector
    ct_array_match_free(&match);

    const ct_content_value components = member_of(doc, "components");
    const ct_content_value component = {doc, ct_sjson_first(doc, components.value)};
    place = ct_content_place_of_member(ct_content_place_of_file("a.unit"), "components");
    place = ct_content_place_of_element(place, component);
    assert_non_null(place.schema);
    assert_string_equal(place.schema->name, "mesh");
    place = ct_content_place_of_member(place, "materials");
    assert_int_equal(place.field->type, CT_FIELD_TYPE_REFERENCES);
    assert_null(ct_content_place_of_member((ct_content_place){0}, "materials").field);
    ct_sjson_free(doc);
}

// The rows as text: for each, the position of its element in every version, or `-`.
static void describe_rows(const ct_array_match *match, const ct_content_value *versions,
                          uint32_t num_versions, ct_string_builder *out) {
    for (uint32_t row = 0; row < match->rows.count; ++row) {
        for (uint32_t i = 0; i < num_versions; ++i) {
            uint32_t at = 0;
            while (at < match->orders[i].count && match->orders[i].items[at] != row)
                ++at;
            const bool is_there = at < match->orders[i].count;
            assert_int_equal(is_there, match->rows.items[row].elements[i].entry != 0);
            ct_string_builder_addf(out, is_there ? "%u" : "-", at);
        }
        ct_string_builder_add_char(out, ' ');
    }
    (void)versions;
}

static void expect_rows(const char *file, const char *key, const char *const *texts,
                        const char *expected) {
    ct_sjson *docs[3];
    ct_content_value versions[3];
    for (uint32_t i = 0; i < 3; ++i) {
        docs[i] = parse(texts[i]);
        versions[i] = member_of(docs[i], key);
    }
    ct_array_match match;
    ct_array_match_make(&match, test_heap(),
                        ct_content_place_of_member(ct_content_place_of_file(file), key), versions,
                        3);
    ct_string_builder rows;
    ct_string_builder_init(&rows, test_heap());
    describe_rows(&match, versions, 3, &rows);
    assert_string_equal(ct_string_builder_text(&rows), expected);
    ct_string_builder_free(&rows);
    ct_array_match_free(&match);
    for (uint32_t i = 0; i < 3; ++i)
        ct_sjson_free(docs[i]);
}

static void matches_elements(void **state) {
    (void)state;
    static const char *const by_id[] = {"a = [{id=1} {id=2} {id=3}]",
                                        "a = [{id=3} {id=1 x=2} {id=4}]",
                                        "a = [{id=5} {id=2} {id=3} {id=4}]"};
    expect_rows("x", "a", by_id, "01- 1-1 202 -23 --0 ");
    static const char *const by_value[] = {"unit = [\"a\" \"a\" \"b\"]", "unit = [\"b\" \"a\"]",
                                           "unit = [\"a\" \"c\" \"a\" \"a\"]"};
    expect_rows("x.package", "unit", by_value, "010 1-2 20- --1 --3 ");
    static const char *const with_none[] = {"b = 1", "a = [{id=3}]", "a = []"};
    expect_rows("x", "a", with_none, "-0- ");
}

static void says_why_ids_do_not_count(void **state) {
    (void)state;
    static const struct {
        const char *text;
        ct_array_fault fault;
        uint32_t at;
    } rows[] = {
        {"a = [{id=1} {id=2} {id=1}]", CT_ARRAY_FAULT_DOUBLED_ID, 2},
        {"a = [{x=1} {id=2}]", CT_ARRAY_FAULT_NO_ID, 0},
        {"a = [{id=1} 3]", CT_ARRAY_FAULT_NO_ID, 1},
        {"a = [{id=1} {id=true}]", CT_ARRAY_FAULT_ID_TYPE, 1},
        {"a = [{x=1} 3]", CT_ARRAY_FAULT_NONE, 0},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        ct_sjson *const doc = parse(rows[i].text), *const good = parse("a = [{id=7}]");
        const ct_content_value versions[] = {member_of(good, "a"), member_of(doc, "a")};
        const bool has_ids = rows[i].fault != CT_ARRAY_FAULT_NONE;
        ct_array_match match;
        ct_array_match_make(&match, test_heap(), (ct_content_place){0}, versions + !has_ids,
                            1 + has_ids);
        assert_int_equal(match.kind, CT_ARRAY_KIND_SEQUENCE);
        assert_int_equal(match.fault, rows[i].fault);
        assert_int_equal(match.rows.count, 0);
        if (has_ids) {
            ct_sjson_value at = ct_sjson_first(doc, versions[1].value);
            for (uint32_t k = 0; k < rows[i].at; ++k)
                at = ct_sjson_next(doc, at);
            assert_int_equal(match.fault_version, 1);
            assert_int_equal(match.fault_at.entry, at.entry);
            assert_non_null(strstr(ct_array_fault_text(match.fault), "id"));
        }
        ct_array_match_free(&match);
        ct_sjson_free(doc);
        ct_sjson_free(good);
    }
}

// Equal elements without end must not be compared each with all others.
static void takes_a_set_of_equal_elements(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add(&text, "unit = [");
    for (uint32_t i = 0; i < COUNT; ++i)
        ct_string_builder_add(&text, "1 ");
    ct_string_builder_add(&text, "]");
    ct_sjson *const doc = parse(text.text);
    const ct_content_value array = member_of(doc, "unit");
    const ct_content_value versions[] = {array, array, array};
    ct_array_match match;
    ct_array_match_make(&match, test_heap(),
                        ct_content_place_of_member(ct_content_place_of_file("a.package"), "unit"),
                        versions, 3);
    assert_int_equal(match.kind, CT_ARRAY_KIND_SET);
    assert_int_equal(match.rows.count, COUNT);
    ct_array_match_free(&match);
    ct_sjson_free(doc);
    ct_string_builder_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_kinds_apart),
        cmocka_unit_test(knows_vectors_by_their_schema),
        cmocka_unit_test(matches_elements),
        cmocka_unit_test(says_why_ids_do_not_count),
        cmocka_unit_test(takes_a_set_of_equal_elements),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
