// Errors and warnings of the server's compiler: from the list to an engine's log.
#include "dev/serve/served_files.h"

#include "foundation/log.h"

enum { NUM_MANY = 10000 };

// What the log got, a line for each message, without infos of others than the compiler.
static char logged[8192];

static void keep_line(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user;
    const size_t length = strlen(logged);
    if (strcmp(system, "compiler") == 0)
        snprintf(logged + length, sizeof(logged) - length, "%s: %s\n", ct_log_level_name(level),
                 message);
}

typedef struct fixture {
    ct_serve_problems problems;
    ct_serve_problem_log log;
} fixture;

static int set_up(void **state) {
    static fixture f;
    ct_serve_problems_init(&f.problems, test_heap());
    ct_serve_problem_log_init(&f.log, test_heap());
    logged[0] = '\0';
    ct_log_add_sink(&(ct_log_sink){.write = keep_line, .least = CT_LOG_LEVEL_INFO});
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *const f = *state;
    ct_log_remove_sink(keep_line, NULL);
    ct_serve_problems_free(&f->problems);
    ct_serve_problem_log_free(&f->log);
    return 0;
}

static void add(ct_serve_problems *p, const char *file, uint32_t line, const char *message,
                bool is_warning) {
    ct_error error;
    ct_error_set_at(&error, file, line, line != 0 ? 7 : 0, "%s", message);
    ct_serve_problems_add(p, &error, is_warning);
}

static bool read_text(ct_serve_problems *p, const char *json, ct_error *error) {
    ct_sjson *const doc = ct_sjson_parse(test_heap(), json, strlen(json), "message", NULL, error);
    assert_non_null(doc);
    const bool result = ct_serve_problems_read(doc, p, error);
    ct_sjson_free(doc);
    return result;
}

// Sends a list through its message.
static void pass(const ct_serve_problems *from, ct_serve_problems *to) {
    ct_string_builder json;
    ct_string_builder_init(&json, test_heap());
    ct_serve_problems_write(from, &json);
    assert_true(read_text(to, ct_string_builder_text(&json), NULL));
    ct_string_builder_free(&json);
}

static void a_list_arrives_as_it_was(void **state) {
    fixture *const f = *state;
    ct_serve_problems there;
    ct_serve_problems_init(&there, test_heap());
    add(&f->problems, "units/a \"b\".unit", 3, "found \"x\"\nexpected\ta number, 100%s", false);
    add(&f->problems, NULL, 0, "the disk is full", false);
    add(&f->problems, "c.material", 1, "é is unused", true);
    f->problems.num_left_out = 5;
    pass(&f->problems, &there);
    assert_true(ct_serve_problems_equal(&f->problems, &there));
    assert_int_equal(there.items.items[0].error.column, 7);
    there.items.items[2].error.line = 2;
    assert_false(ct_serve_problems_equal(&f->problems, &there));
    ct_serve_problems_clear(&there);
    assert_false(ct_serve_problems_equal(&f->problems, &there));
    ct_serve_problems_free(&there);
}

static void text_that_is_not_utf_8_arrives_mended(void **state) {
    fixture *const f = *state;
    ct_serve_problems there;
    ct_serve_problems_init(&there, test_heap());
    add(&f->problems, "a\xff.lua", 1, "near '\xc3'", false);
    pass(&f->problems, &there);
    assert_string_equal(there.items.items[0].error.message, "near '\xef\xbf\xbd'");
    ct_serve_problems_free(&there);
}

static void ten_thousand_errors_are_two_hundred_and_a_number(void **state) {
    fixture *const f = *state;
    ct_serve_problems there;
    ct_serve_problems_init(&there, test_heap());
    for (uint32_t i = 0; i < NUM_MANY; ++i)
        add(&f->problems, "a.lua", i + 1, "oh no", false);
    assert_int_equal(f->problems.items.count, CT_SERVE_MAX_PROBLEMS);
    pass(&f->problems, &there);
    assert_int_equal(there.items.count, CT_SERVE_MAX_PROBLEMS);
    assert_int_equal(there.num_left_out, NUM_MANY - CT_SERVE_MAX_PROBLEMS);
    ct_serve_problems_free(&there);
}

static void malformed_lists_are_refused(void **state) {
    fixture *const f = *state;
    static const char *const texts[] = {
        "{}",
        "{\"problems\": [], \"num_left_out\": -1}",
        "{\"problems\": [], \"num_left_out\": 0.5}",
        "{\"problems\": {}, \"num_left_out\": 0}",
        "{\"problems\": [3], \"num_left_out\": 0}",
        "{\"problems\": [{}], \"num_left_out\": 0}",
        "{\"problems\": [{\"level\": \"info\", \"file\": \"\", \"message\": \"\", \"line\": 1, "
        "\"column\": 1}], \"num_left_out\": 0}",
        "{\"problems\": [{\"level\": \"error\", \"file\": \"\", \"message\": \"\", \"line\": "
        "1e9999, "
        "\"column\": 1}], \"num_left_out\": 0}",
        "{\"problems\": [{\"level\": \"error\", \"file\": 3, \"message\": \"\", \"line\": 1, "
        "\"column\": 1}], \"num_left_out\": 0}",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        ct_error error = {0};
        ct_sjson *const doc =
            ct_sjson_parse(test_heap(), texts[i], strlen(texts[i]), "message", NULL, &error);
        assert_true(!doc || !ct_serve_problems_read(doc, &f->problems, &error));
        assert_string_not_equal(error.message, "");
        assert_int_equal(f->problems.items.count, 0);
        ct_sjson_free(doc);
    }
    ct_string_builder many;
    ct_error error = {0};
    ct_string_builder_init(&many, test_heap());
    ct_string_builder_add(&many, "{\"num_left_out\": 0, \"problems\": [");
    for (uint32_t i = 0; i < CT_SERVE_MAX_PROBLEMS; ++i)
        ct_string_builder_add(&many, "0, ");
    ct_string_builder_add(&many, "0]}");
    assert_false(read_text(&f->problems, ct_string_builder_text(&many), &error));
    assert_string_equal(error.message, "a list has 201 problems; expected at most 200");
    ct_string_builder_free(&many);
}

static void each_problem_is_logged_once_while_it_lasts(void **state) {
    fixture *const f = *state;
    add(&f->problems, "a.lua", 1, "oh no", false);
    add(&f->problems, "b.lua", 2, "hm", true);
    assert_int_equal(ct_serve_problem_log_take(&f->log, &f->problems), 2);
    assert_string_equal(logged, "error: a.lua:1:7: oh no\nwarning: b.lua:2:7: hm\n");
    logged[0] = '\0';
    assert_int_equal(ct_serve_problem_log_take(&f->log, &f->problems), 0);
    add(&f->problems, "c.lua", 3, "another", false);
    assert_int_equal(ct_serve_problem_log_take(&f->log, &f->problems), 1);
    assert_string_equal(logged, "error: c.lua:3:7: another\n");
    logged[0] = '\0';
    ct_serve_problems_clear(&f->problems);
    add(&f->problems, "b.lua", 2, "hm", true);
    ct_serve_problem_log_take(&f->log, &f->problems);
    assert_string_equal(logged, "info: the sources compile again\n");
    ct_serve_problem_log_take(&f->log, &f->problems); // once
    logged[0] = '\0';
    add(&f->problems, "a.lua", 1, "oh no", false); // it has come back
    ct_serve_problem_log_take(&f->log, &f->problems);
    assert_string_equal(logged, "error: a.lua:1:7: oh no\n");
    logged[0] = '\0';
    f->problems.num_left_out = 3;
    ct_serve_problem_log_take(&f->log, &f->problems); // nothing that is shown is new
    assert_string_equal(logged, "");
    add(&f->problems, "d.lua", 1, "oh", false);
    ct_serve_problem_log_take(&f->log, &f->problems);
    assert_string_equal(logged, "error: d.lua:1:7: oh\nwarning: … and 3 more errors and warnings, "
                                "which `cuttle serve` shows\n");
}

static void they_come_before_the_list_and_again_when_they_change(void **state) {
    fixture *const f = *state;
    ct_serve_source source;
    served_link link;
    served_init(&source);
    for (uint32_t i = 0; i < NUM_MANY; ++i)
        add(&f->problems, "a.lua", i + 1, "oh no", false);
    ct_serve_source_set_problems(&source, &f->problems);
    served_connect(&link, &source, test_scratch_folder(), SERVED_TOKEN, SERVED_TOKEN, "game");
    served_talk(&link);
    assert_string_equal(link.fetch_error.message, "");
    assert_true(ct_serve_fetch_is_complete(&link.fetch)); // the flood does not hold up the data
    assert_int_equal(link.fetch.num_problem_lists, 1);
    assert_true(ct_serve_problems_equal(&link.fetch.problems, &f->problems));
    ct_serve_source_set_problems(&source, &f->problems); // the same
    served_talk(&link);
    assert_int_equal(link.fetch.num_problem_lists, 1);
    ct_serve_problems_clear(&f->problems);
    ct_serve_source_set_problems(&source, &f->problems);
    served_talk(&link);
    assert_int_equal(link.fetch.num_problem_lists, 2);
    assert_int_equal(link.fetch.problems.items.count, 0);
    assert_int_equal(link.fetch.revision, 1);
    served_disconnect(&link);
    // One that connects again hears that all is mended.
    served_connect(&link, &source, test_scratch_folder(), NULL, NULL, "game");
    served_talk(&link);
    assert_int_equal(link.fetch.num_problem_lists, 1);
    assert_int_equal(link.fetch.problems.items.count, 0);
    served_disconnect(&link);
    ct_serve_source_free(&source);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_list_arrives_as_it_was, set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_that_is_not_utf_8_arrives_mended, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ten_thousand_errors_are_two_hundred_and_a_number, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(malformed_lists_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_problem_is_logged_once_while_it_lasts, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(they_come_before_the_list_and_again_when_they_change,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
