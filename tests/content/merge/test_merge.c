#include "content/merge/merge.h"

#include <stdio.h>
#include <string.h>

#include "content/value_compare.h"
#include "support/test_support.h"

// --- Merging texts -------------------------------------------------------------------------------

typedef struct merged {
    ct_string_builder text, report;
    ct_merge_summary summary;
    ct_error error;
    bool ok;
} merged;

static merged merge_as(const char *path, bool is_json, const char *base, const char *theirs,
                       const char *mine) {
    merged m = {0};
    ct_string_builder_init(&m.text, test_heap());
    ct_string_builder_init(&m.report, test_heap());
    const ct_merge_desc desc = {.base = {base, strlen(base), "base.x", false},
                                .theirs = {theirs, strlen(theirs), "theirs.x", false},
                                .mine = {mine, strlen(mine), "mine.x", false},
                                .path = path,
                                .is_json = is_json};
    m.ok = ct_merge_texts(test_heap(), &desc, &m.text, &m.report, &m.summary, &m.error);
    return m;
}

static void free_merged(merged *m) {
    ct_string_builder_free(&m->text);
    ct_string_builder_free(&m->report);
}

// A merge whose result and decisions are known; `decisions` as the report has them.
typedef struct merge_case {
    const char *base, *theirs, *mine, *result, *decisions;
} merge_case;

static void expect_as(const char *path, bool is_json, const merge_case *c) {
    merged m = merge_as(path, is_json, c->base, c->theirs, c->mine);
    if (!m.ok)
        fail_msg("%s:%u:%u: %s", m.error.file, m.error.line, m.error.column, m.error.message);
    assert_string_equal(ct_string_builder_text(&m.text), c->result);
    const char *const found = strstr(ct_string_builder_text(&m.report), "\"decisions\":");
    char expected[1024];
    snprintf(expected, sizeof(expected), "\"decisions\":[%s]}", c->decisions ? c->decisions : "");
    assert_string_equal(found, expected);
    free_merged(&m);
}

static void expect_all(const merge_case *cases, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        expect_as(NULL, false, &cases[i]);
}

// --- Objects -------------------------------------------------------------------------------------

static void objects_go_by_key(void **state) {
    (void)state;
    static const merge_case cases[] = {
        {"a = 1\nb = 2\n", "a = 9\nb = 2\n", "a = 1\nb = 8 // mine\n", "a = 9\nb = 8 // mine\n",
         NULL},
        {"a = 1\n", "a = 1\nb = 2 // new\n", "a = 1 // x\n", "a = 1 // x\nb = 2 // new\n", NULL},
        {"a = 1\nb = 2\n", "b = 2\n", "a = 1\nb = 2\nc = 3\n", "b = 2\nc = 3\n", NULL},
        {"a = 1\nb = 2\n", "a = 1\n", "a = 1\n", "a = 1\n", NULL},
        {"a = { b = { c = 1 d = 2 } }\n", "a = { b = { c = 1 d = 3 } }\n",
         "a = { b = { d = 2 c = 5 } }\n", "a = { b = { d = 3 c = 5 } }\n", NULL},
        {"a = 1", "b = 1\na = 1", "c = 1\na = 1", "c = 1\nb = 1\na = 1", NULL},
        {"a = 1\n", "a = 1\nb = 1\nc = 1\n", "a = 1\nd = 1\n", "a = 1\nd = 1\nb = 1\nc = 1\n",
         NULL},
        {"a = 1\nz = 2\n", "a = 1\nb = 1\nz = 2\nc = 1\n", "z = 2\na = 1\ny = 3\n",
         "z = 2\nc = 1\na = 1\ny = 3\nb = 1\n", NULL},
    };
    expect_all(cases, CT_COUNT_OF(cases));
}

static void where_both_changed_mine_wins(void **state) {
    (void)state;
    static const merge_case cases[] = {
        {"a = 1", "a = 2", "a = 3", "a = 3",
         "{\"kind\":\"changed\",\"path\":\"a\",\"taken\":\"mine\",\"base\":1,\"theirs\":2,"
         "\"mine\":3}"},
        {"a = 1", "a = 2", "a = 2 // same", "a = 2 // same", NULL},
        {"", "a = { b = 1 c = 2 }", "a = { b = 3 d = 4 }", "a = { b = 3 d = 4 }",
         "{\"kind\":\"added\",\"path\":\"a\",\"taken\":\"mine\",\"theirs\":{\"b\":1,\"c\":2},"
         "\"mine\":{\"b\":3,\"d\":4}}"},
        {"", "a = { b = 1 c = 2 }", "a = { c = 2, b = 1 }", "a = { c = 2, b = 1 }", NULL},
        {"a = { p = [1 2 3] }", "a = { p = [1 2 4] }", "a = { p = [0 2 3] }", "a = { p = [0 2 3] }",
         "{\"kind\":\"changed\",\"path\":\"a.p\",\"taken\":\"mine\",\"base\":[1,2,3],"
         "\"theirs\":[1,2,4],\"mine\":[0,2,3]}"},
    };
    expect_all(cases, CT_COUNT_OF(cases));
}

static void what_one_removed_is_gone(void **state) {
    (void)state;
    static const merge_case cases[] = {
        {"a = 1 b = 2", "b = 2", "a = 3 b = 2", "b = 2",
         "{\"kind\":\"removed\",\"path\":\"a\",\"taken\":\"theirs\",\"base\":1,\"mine\":3}"},
        {"a = 1 b = 2", "a = 3 b = 2", "b = 2", "b = 2",
         "{\"kind\":\"removed\",\"path\":\"a\",\"taken\":\"mine\",\"base\":1,\"theirs\":3}"},
    };
    expect_all(cases, CT_COUNT_OF(cases));
}

static void a_value_replaced_as_a_whole_wins(void **state) {
    (void)state;
    static const merge_case cases[] = {
        {"a = { b = 1 }", "a = 5", "a = { b = 2 }", "a = 5",
         "{\"kind\":\"replaced\",\"path\":\"a\",\"taken\":\"theirs\",\"base\":{\"b\":1},"
         "\"theirs\":5,\"mine\":{\"b\":2}}"},
        {"a = { b = 1 }", "a = { b = 2 }", "a = [5]", "a = [5]",
         "{\"kind\":\"replaced\",\"path\":\"a\",\"taken\":\"mine\",\"base\":{\"b\":1},"
         "\"theirs\":{\"b\":2},\"mine\":[5]}"},
        {"a = { id = 1 b = 1 }", "a = { id = 2 }", "a = { id = 1 b = 3 }", "a = { id = 2 }",
         "{\"kind\":\"replaced\",\"path\":\"a\",\"taken\":\"theirs\",\"base\":{\"id\":1,\"b\":1},"
         "\"theirs\":{\"id\":2},\"mine\":{\"id\":1,\"b\":3}}"},
        {"a = { b = 1 }", "a = 5", "a = 6", "a = 6",
         "{\"kind\":\"changed\",\"path\":\"a\",\"taken\":\"mine\",\"base\":{\"b\":1},"
         "\"theirs\":5,\"mine\":6}"},
        {"a = { b = 1 }", "a = 5", "a = { b = 1 } c = 1", "a = 5 c = 1", NULL},
    };
    expect_all(cases, CT_COUNT_OF(cases));
}

static void shapes_of_actors_go_by_id(void **state) {
    (void)state;
    static const merge_case c = {
        "components = [ { id = \"a\" type = \"actor\" shapes = [ { id = \"s\" radius = 1 }"
        " { id = \"t\" type = \"box\" } ] } ]",
        "components = [ { id = \"a\" type = \"actor\" shapes = [ { id = \"s\" radius = 2 }"
        " { id = \"t\" type = \"box\" } ] } ]",
        "components = [ { id = \"a\" type = \"actor\" shapes = [ { id = \"s\" radius = 1"
        " height = 3 } { id = \"t\" type = \"box\" } { id = \"u\" } ] } ]",
        "components = [ { id = \"a\" type = \"actor\" shapes = [ { id = \"s\" radius = 2"
        " height = 3 } { id = \"t\" type = \"box\" } { id = \"u\" } ] } ]",
        NULL};
    expect_as("x.unit", false, &c);
}

// --- Arrays --------------------------------------------------------------------------------------

static void elements_go_by_id(void **state) {
    (void)state;
    static const merge_case cases[] = {
        {"u = [ { id = \"a\" x = 1 } { id = \"b\" x = 1 } ]",
         "u = [ { id = \"a\" x = 2 } { id = \"c\" x = 1 } { id = \"b\" x = 1 } ]",
         "u = [ { id = \"b\" x = 3 } { id = \"a\" x = 1 y = 1 } { id = \"d\" } ]",
         "u = [ { id = \"b\" x = 3 } { id = \"a\" x = 2 y = 1 } { id = \"d\" }"
         " { id = \"c\" x = 1 } ]",
         NULL},
        {"u = [\n    { Id = 1 } // one\n    { Id = 2 } // two\n]\n",
         "u = [\n    // three\n    { Id = 3 }\n    { Id = 1 }\n]\n",
         "u = [\n    { Id = 1  x = 1 } // one\n    { Id = 2 } // two\n]\n",
         "u = [\n    // three\n    { Id = 3 }\n    { Id = 1  x = 1 } // one\n]\n", NULL},
        {"u = [ { ID = 1 } ]", "u = [ { ID = 1 } { ID = 2 x = 1 } ]",
         "u = [ { ID = 2 x = 2 } { ID = 1 } ]", "u = [ { ID = 2 x = 2 } { ID = 1 } ]",
         "{\"kind\":\"added\",\"path\":\"u[ID=2]\",\"taken\":\"mine\","
         "\"theirs\":{\"ID\":2,\"x\":1},\"mine\":{\"ID\":2,\"x\":2}}"},
        {"u = [ { id = 1 x = 1 } { id = 2 x = 1 } ]", "u = [ { id = 1 x = 2 } { id = 2 x = 1 } ]",
         "u = [ { id = 2 x = 1 } ]", "u = [ { id = 2 x = 1 } ]",
         "{\"kind\":\"removed\",\"path\":\"u[id=1]\",\"taken\":\"mine\","
         "\"base\":{\"id\":1,\"x\":1},\"theirs\":{\"id\":1,\"x\":2}}"},
    };
    expect_all(cases, CT_COUNT_OF(cases));
}

static void elements_move_with_who_moved_them(void **state) {
    (void)state;
    static const merge_case cases[] = {
        {"u = [{id=1} {id=2} {id=3}]", "u = [{id=3} {id=1} {id=2}]",
         "u = [{id=1} {id=2 x=1} {id=3} {id=4}]", "u = [{id=3} {id=4} {id=1} {id=2 x=1}]", NULL},
        {"u = [{id=1} {id=2} {id=3}]", "u = [{id=1} {id=2} {id=3 y=1}]",
         "u = [{id=3} {id=2} {id=1}]", "u = [{id=3  y=1} {id=2} {id=1}]", NULL},
        {"u = [{id=1} {id=2} {id=3}]", "u = [{id=3} {id=1} {id=2}]", "u = [{id=3} {id=2} {id=1}]",
         "u = [{id=3} {id=2} {id=1}]",
         "{\"kind\":\"order\",\"path\":\"u\",\"taken\":\"mine\",\"base\":[1,2,3],"
         "\"theirs\":[3,1,2],\"mine\":[3,2,1]}"},
        // Ids from the first to the last that is elsewhere.
        {"u = [{id=0} {id=1} {id=2} {id=\"c\"} {id=9}]",
         "u = [{id=0} {id=\"c\"} {id=1} {id=4} {id=2} {id=9}]",
         "u = [{id=0} {id=\"c\"} {id=2} {id=1} {id=9}]",
         "u = [{id=0} {id=\"c\"} {id=2} {id=1} {id = 4} {id=9}]",
         "{\"kind\":\"order\",\"path\":\"u\",\"taken\":\"mine\",\"base\":[1,2,\"c\"],"
         "\"theirs\":[\"c\",1,4,2],\"mine\":[\"c\",2,1]}"},
        {"u = [{id=1} {id=2} {id=3}]", "u = [{id=3} {id=1} {id=2}]",
         "u = [{id=3} {id=1} {id=2} {id=0}]", "u = [{id=3} {id=1} {id=2} {id=0}]", NULL},
    };
    expect_all(cases, CT_COUNT_OF(cases));
}

static void wrong_ids_are_told_of(void **state) {
    (void)state;
    static const merge_case cases[] = {
        {"u = [ { id = 1 } { id = 1 x = 1 } ]", "u = [ { id = 1 } { id = 1 x = 2 } ]",
         "u = [ { id = 0 } { id = 1 } { id = 1 x = 1 } ]",
         "u = [ { id = 0 } { id = 1 } { id = 1 x = 2 } ]",
         "{\"kind\":\"by_order\",\"path\":\"u[1]\",\"in\":\"base\",\"because\":\"has the id of "
         "another element\"}"},
        {"u = [ { id = 1 } ]", "u = [ { id = 1 } {} ]", "u = [ { id = 1 } ] // mine",
         "u = [ { id = 1 } {} ] // mine",
         "{\"kind\":\"by_order\",\"path\":\"u[1]\",\"in\":\"theirs\",\"because\":\"has no id\"}"},
        {"u = [ { id = 1 } ]", "u = [ { id = 2 } ]", "u = [ { id = {} } ]", "u = [ { id = {} } ]",
         "{\"kind\":\"by_order\",\"path\":\"u[0]\",\"in\":\"mine\",\"because\":\"has an id that is "
         "neither a string nor a number\"},{\"kind\":\"changed\",\"path\":\"u[0]\",\"taken\":"
         "\"mine\",\"base\":{\"id\":1},\"theirs\":{\"id\":2},\"mine\":{\"id\":{}}}"},
    };
    expect_all(cases, CT_COUNT_OF(cases));
}

// Two elements of one id in an array that theirs left alone are nobody's business, however much
// stands beside it.
static void wrong_ids_in_what_did_not_change_are_not_told_of(void **state) {
    (void)state;
    ct_string_builder texts[4];
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        ct_string_builder *const text = &texts[i];
        ct_string_builder_init(text, test_heap());
        ct_string_builder_addf(text, "a = %u b = %u c = {\n", i == 1 || i == 3 ? 2 : 1,
                               i >= 2 ? 2 : 1);
        ct_string_builder_add(text, "u = [ { id = 1 } { id = 1 }");
        for (uint32_t k = 0; k < 2000; ++k) // more than what is compared before it is walked
            ct_string_builder_addf(text, " { id = %u }", k);
        ct_string_builder_add(text, " ] }\n");
    }
    expect_all(&(merge_case){texts[0].text, texts[1].text, texts[2].text, texts[3].text, NULL}, 1);
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i)
        ct_string_builder_free(&texts[i]);
}

// `count` arrays inside each other, each with another element, and two values.
static ct_string_builder write_deep(uint32_t count, uint32_t outermost, uint32_t innermost) {
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add(&text, "a = ");
    for (uint32_t i = 0; i < count; ++i)
        ct_string_builder_addf(&text, "[ \"%u\" // %u\n", i == 0 ? outermost : 7, i);
    ct_string_builder_addf(&text, "%u", innermost);
    for (uint32_t i = 0; i < count; ++i)
        ct_string_builder_add(&text, " ]");
    return text;
}

static void deep_arrays_are_aligned_on_each_level(void **state) {
    (void)state;
    for (uint32_t count = 2; count < 500; count += count < 10 ? 1 : 163) {
        ct_string_builder texts[] = {write_deep(count, 1, 1), write_deep(count, 1, 2),
                                     write_deep(count, 2, 1), write_deep(count, 2, 2)};
        expect_all(&(merge_case){texts[0].text, texts[1].text, texts[2].text, texts[3].text, NULL},
                   1);
        for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i)
            ct_string_builder_free(&texts[i]);
    }
}

static void other_arrays_are_aligned(void **state) {
    (void)state;
    static const merge_case cases[] = {
        {"a = [1 2 3 4 5]", "a = [0 1 2 3 4 5]", "a = [1 2 3 4 5 6]", "a = [0 1 2 3 4 5 6]", NULL},
        {"a = [1 2 3 4 5]", "a = [1 2 4 5]", "a = [1 2 3 4]", "a = [1 2 4]", NULL},
        {"a = [1 2 3 4 5]", "a = [1 2 3 4 9]", "a = [8 2 3 4 5]", "a = [8 2 3 4 9]", NULL},
        {"a = [1 2 3 4 5]", "a = [1 2 7 3 4 5]", "a = [1 2 7 3 4 5 6]", "a = [1 2 7 3 4 5 6]",
         NULL},
        {"a = [1 2 3 4 5]", "a = [1 2 8 3 4 5]", "a = [1 2 7 3 4 5]", "a = [1 2 7 8 3 4 5]", NULL},
        {"a = [1 2 3 4 5]", "a = [1 2 8 4 5]", "a = [1 2 7 4 5]", "a = [1 2 7 4 5]",
         "{\"kind\":\"changed\",\"path\":\"a[2]\",\"taken\":\"mine\",\"base\":3,\"theirs\":8,"
         "\"mine\":7}"},
        {"a = [1 2 3 4 5]", "a = [1 2 8 9 4 5]", "a = [1 2 7 4 5]", "a = [1 2 7 4 5]",
         "{\"kind\":\"elements\",\"path\":\"a[2]\",\"taken\":\"mine\",\"base\":[3],"
         "\"theirs\":[8,9],\"mine\":[7]}"},
        {"a = [1 2 3 4 5]", "a = [1 2 8 9 4 5]", "a = [1 2 8 9 4 5 6]", "a = [1 2 8 9 4 5 6]",
         NULL},
        {"a = [1 2 3 4 5]", "a = [1 2 4 5]", "a = [1 2 7 4 5]", "a = [1 2 4 5]",
         "{\"kind\":\"removed\",\"path\":\"a[2]\",\"taken\":\"theirs\",\"base\":3,\"mine\":7}"},
        {"a = [ { x = 1 y = 1 } { x = 2 y = 2 } ]", "a = [ { x = 1 y = 1 } { x = 2 y = 3 } ]",
         "a = [ { x = 1 y = 1 } { x = 4 y = 2 } ]", "a = [ { x = 1 y = 1 } { x = 4 y = 3 } ]",
         NULL},
        {"a = [ [ [ { x = 1 y = 1 } ] ] ]", "a = [ [ [ { x = 2 y = 1 } ] ] ]",
         "a = [ [ [ { x = 1 y = 2 } ] ] ]", "a = [ [ [ { x = 2 y = 2 } ] ] ]", NULL},
        {"a = []", "a = [1]", "a = [2]", "a = [2 1]", NULL},
        {"a = [1 2]", "a = []", "a = [1 2 3]", "a = [3]", NULL},
    };
    expect_all(cases, CT_COUNT_OF(cases));
}

static void vectors_are_one_value(void **state) {
    (void)state;
    static const merge_case by_count[] = {
        {"a = [1 2 3] b = 1", "a = [1 2 4] b = 1", "a = [1 2 3] b = 2", "a = [1 2 4] b = 2", NULL},
        {"a = [1 2 3] b = 1", "a = [5 2 3 4] b = 1", "a = [1 2 9] b = 1", "a = [5 2 9 4] b = 1",
         NULL},
    };
    expect_all(by_count, CT_COUNT_OF(by_count));
    const merge_case by_schema = {
        "units = [{ id = \"a\" position = [1 2 3] }]",
        "units = [{ id = \"a\" position = [5 2 3 4] }]",
        "units = [{ id = \"a\" position = [1 2 9] }]",
        "units = [{ id = \"a\" position = [1 2 9] }]",
        "{\"kind\":\"changed\",\"path\":\"units[id=a].position\",\"taken\":\"mine\","
        "\"base\":[1,2,3],\"theirs\":[5,2,3,4],\"mine\":[1,2,9]}"};
    expect_as("levels/yard.level", false, &by_schema);
}

static void sets_go_by_value(void **state) {
    (void)state;
    const merge_case c = {"unit = [\"a\" \"b\" \"c\"]", "unit = [\"c\" \"b\" \"d\"]",
                          "unit = [\"c\" \"x\" \"a\" \"b\"]", "unit = [\"c\" \"x\" \"b\" \"d\"]",
                          NULL};
    expect_as("boot.package", false, &c);
}

static void of_two_rotations_that_were_added_mine_stays(void **state) {
    (void)state;
    const merge_case level = {
        "units = [ { id = \"a\" } ]", "units = [ { id = \"a\" rotation = [0 0 1 0] } ]",
        "units = [ { id = \"a\" rotation_degrees = [0 0 90] } ]",
        "units = [ { id = \"a\" rotation_degrees = [0 0 90] } ]",
        "{\"kind\":\"added\",\"path\":\"units[id=a].rotation_degrees\",\"taken\":\"mine\","
        "\"theirs\":[0,0,1,0],\"mine\":[0,0,90]}"};
    expect_as("a.level", false, &level);
    const merge_case in_overrides = {
        "units = [ { id = \"a\" overrides = [ { id = \"t\" } ] } ]",
        "units = [ { id = \"a\" overrides = [ { id = \"t\" rotation_degrees = [0 0 9] } ] } ]",
        "units = [ { id = \"a\" overrides = [ { id = \"t\" rotation = [0 0 1 0] } ] } ]",
        "units = [ { id = \"a\" overrides = [ { id = \"t\" rotation = [0 0 1 0] } ] } ]",
        "{\"kind\":\"added\",\"path\":\"units[id=a].overrides[id=t].rotation\",\"taken\":"
        "\"mine\",\"theirs\":[0,0,9],\"mine\":[0,0,1,0]}"};
    expect_as("a.level", false, &in_overrides);
    // Where base has one, what a side wrote in its stead is all there is.
    const merge_case replaced = {
        "units = [ { id = \"a\" rotation = [0 0 1 0] } ]",
        "units = [ { id = \"a\" rotation_degrees = [0 0 90] } ]",
        "units = [ { id = \"a\" rotation = [1 0 0 0] } ]",
        "units = [ { id = \"a\" rotation_degrees = [0 0 90] } ]",
        "{\"kind\":\"removed\",\"path\":\"units[id=a].rotation\",\"taken\":\"theirs\","
        "\"base\":[0,0,1,0],\"mine\":[1,0,0,0]}"};
    expect_as("a.level", false, &replaced);
}

// --- Text ----------------------------------------------------------------------------------------

static void comes_as_it_looks_around_its_place(void **state) {
    (void)state;
    static const merge_case cases[] = {
        // Tabs, CRLF, a byte order mark, no line end at the end.
        {"\xef\xbb\xbf"
         "a = {\r\n\tb = 1\r\n}\r\nz = 1",
         "a = {\n  b = 1\n  c = {\n    d = 1\n  }"
         "\n}\nz = 1",
         "\xef\xbb\xbf"
         "a = {\r\n\tb = 1\r\n}\r\nz = 2",
         "\xef\xbb\xbf"
         "a = {\r\n\tb = 1\r\n\tc = {\r\n\t\td = 1\r\n\t}\r\n}\r\nz = 2",
         NULL},
        // JSON in mine, SJSON in theirs.
        {"a = 1 z = 1", "a = 1 b = { c = [1 2] } z = 1", "{\n  \"a\": 2,\n  \"z\": 1\n}\n",
         "{\n  \"a\": 2,\n  \"b\": { \"c\": [1, 2] },\n  \"z\": 1\n}\n", NULL},
        // Comments of theirs come with what they belong to; others do not.
        {"a = 1\nb = 2\n",
         "// head of theirs\n\n// of a\na = 5\n// of c\nc = [ 1 /* one */ ] // c\n"
         "b = 2\n",
         "a = 1\nb = 3\n", "a = 5\n// of c\nc = [ 1 /* one */ ] // c\nb = 3\n", NULL},
    };
    expect_all(cases, CT_COUNT_OF(cases));
}

static void json_stays_json(void **state) {
    (void)state;
    static const merge_case cases[] = {
        {"{}", "{\"a\": {\"b\": [1, 2]}}", "{ }", "{ \"a\": {\"b\": [1, 2]} }", NULL},
        {"{\"-\": 1}", "{\"-\": 1, \"b\": {}}", "{\"-\": 2}", "{\"-\": 2, \"b\": {}}", NULL},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i)
        expect_as(NULL, true, &cases[i]);
}

static void expect_error(bool is_json, const char *const texts[3], const char *file, uint32_t line,
                         uint32_t column, const char *message) {
    merged m = merge_as(NULL, is_json, texts[0], texts[1], texts[2]);
    assert_false(m.ok);
    assert_string_equal(m.error.file, file);
    assert_int_equal(m.error.line, line);
    assert_int_equal(m.error.column, column);
    if (!strstr(m.error.message, message))
        fail_msg("found \"%s\", expected \"%s\"", m.error.message, message);
    assert_int_equal(m.text.length, 0);
    assert_int_equal(m.report.length, 0);
    free_merged(&m);
}

static void broken_input_names_its_side(void **state) {
    (void)state;
    static const char *const files[] = {"base.x", "theirs.x", "mine.x"};
    for (uint32_t i = 0; i < 3; ++i) {
        const char *texts[] = {"a = 1", "a = 1", "a = 1"};
        texts[i] = "a = 1\nb = [1 2";
        expect_error(false, texts, files[i], 2, 9, "found the end of the file");
        const char *json[] = {"{\"a\": 1}", "{\"a\": 2}", "{\"a\": 1}"};
        json[i] = "{\"a\": 1,}";
        expect_error(true, json, files[i], 1, 9, "expected a value or key after");
        json[i] = "{a: 1}";
        expect_error(true, json, files[i], 1, 2, "a key needs quotation marks");
        json[i] = "{\"a\" = 1}";
        expect_error(true, json, files[i], 1, 6, "expected \":\"");
        json[i] = "{\"a\": [1 2]}";
        expect_error(true, json, files[i], 1, 10, "expected \",\"");
        json[i] = "{\"a\": \"\"\"b\"\"\"}";
        expect_error(true, json, files[i], 1, 7, "single quotation marks");
        json[i] = "{\"a\": 1} // x";
        expect_error(true, json, files[i], 1, 10, "no comments");
        json[i] = "\"a\": 1";
        expect_error(true, json, files[i], 1, 1, "expected \"{\"");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_go_by_key),
        cmocka_unit_test(where_both_changed_mine_wins),
        cmocka_unit_test(what_one_removed_is_gone),
        cmocka_unit_test(a_value_replaced_as_a_whole_wins),
        cmocka_unit_test(shapes_of_actors_go_by_id),
        cmocka_unit_test(elements_go_by_id),
        cmocka_unit_test(elements_move_with_who_moved_them),
        cmocka_unit_test(wrong_ids_are_told_of),
        cmocka_unit_test(wrong_ids_in_what_did_not_change_are_not_told_of),
        cmocka_unit_test(other_arrays_are_aligned),
        cmocka_unit_test(deep_arrays_are_aligned_on_each_level),
        cmocka_unit_test(vectors_are_one_value),
        cmocka_unit_test(sets_go_by_value),
        cmocka_unit_test(of_two_rotations_that_were_added_mine_stays),
        cmocka_unit_test(comes_as_it_looks_around_its_place),
        cmocka_unit_test(json_stays_json),
        cmocka_unit_test(broken_input_names_its_side),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
