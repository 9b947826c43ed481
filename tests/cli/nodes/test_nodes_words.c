// Placeholders, and the commands that start nodes and the file server.
#include "cli/nodes/nodes_words.h"

#include <string.h>

#include "cli/nodes/nodes_process.h"
#include "support/test_support.h"

static ct_nodes_plan *plan_of(const char *text) {
    ct_nodes_error_array errors;
    ct_array_init(&errors, test_heap());
    ct_nodes_plan *const plan =
        ct_nodes_plan_parse(test_heap(), "p.sjson", text, strlen(text), &errors);
    if (!plan)
        fail_msg("%s", errors.items[0].message);
    return plan;
}

static ct_nodes_values values_of(const ct_nodes_plan *plan, uint32_t node) {
    return (ct_nodes_values){.plan = plan,
                             .node = node,
                             .run = 3,
                             .seed = 12,
                             .folder = "/out/run_3",
                             .project = "/my games/one",
                             .cuttle = "/bin/cuttle",
                             .server = "127.0.0.1:14000"};
}

// Asserts the words of the command, with `|` between them.
static void expect_words(const ct_nodes_values *values, const char *expected) {
    ct_string_array words;
    ct_string_builder text;
    ct_array_init(&words, test_heap());
    ct_string_builder_init(&text, test_heap());
    ct_nodes_add_command(&words, values);
    for (uint32_t i = 0; i < words.count; ++i)
        ct_string_builder_addf(&text, "%s%s", i == 0 ? "" : "|", words.items[i]);
    assert_string_equal(ct_string_builder_text(&text), expected);
    ct_string_builder_free(&text);
    ct_nodes_free_words(&words);
}

static void expect_command(const ct_nodes_plan *plan, uint32_t node, const char *expected) {
    const ct_nodes_values values = values_of(plan, node);
    expect_words(&values, expected);
}

#define STEPS "steps = [ { sleep = 1 } ]"

static void replaces_placeholders_in_lua(void **state) {
    (void)state;
    ct_nodes_plan *const plan =
        plan_of("project = \".\" nodes = [ { id = \"a\" } { id = \"b\" } ] " STEPS);
    const ct_nodes_values values = values_of(plan, 1);
    static const char *const texts[][2] = {
        {"seed($seed) run = $run", "seed(12) run = 3"},
        {"join('$node', $index, '$folder/x')", "join('b', 2, '/out/run_3/x')"},
        {"$node$node_$nodes", "bb_$nodes"},
        {"s:match('%d+$') $ $port $cuttle", "s:match('%d+$') $ $port $cuttle"},
        {"", ""},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        ct_string_builder out;
        ct_string_builder_init(&out, test_heap());
        ct_nodes_add_lua(&out, texts[i][0], &values);
        assert_string_equal(ct_string_builder_text(&out), texts[i][1]);
        ct_string_builder_free(&out);
    }
    ct_nodes_plan_free(plan);
}

static void starts_a_node_on_this_machine(void **state) {
    (void)state;
    ct_nodes_plan *const plan = plan_of(
        "project = \".\" network_log = true nodes = [ { id = \"a\" } { id = \"b\" window = true "
        "port = 64007 options = [\"--log\" \"$folder/$node.txt\"] arguments = [\"--as\" \"$node\"] "
        "} ] " STEPS);
    expect_command(plan, 0,
                   "/bin/cuttle|run|/my games/one|--no-compile|--headless|--port|0|--network-log|"
                   "/out/run_3/a.network|--|--seed|12");
    expect_command(plan, 1,
                   "/bin/cuttle|run|/my games/one|--no-compile|--port|64007|--network-log|"
                   "/out/run_3/b.network|--log|/out/run_3/b.txt|--|--seed|12|--as|b");
    ct_nodes_values values = values_of(plan, 0);
    values.start = 2; // what the first start has written stays
    expect_words(&values, "/bin/cuttle|run|/my games/one|--no-compile|--headless|--port|0|"
                          "--network-log|/out/run_3/a.2.network|--|--seed|12");
    ct_nodes_plan_free(plan);
}

static void starts_nodes_elsewhere(void **state) {
    (void)state;
    ct_nodes_plan *const plan = plan_of(
        "project = \".\" nodes = [ { id = \"a\" launch = [\"nice\" \"$cuttle\" \"$arguments\"] } { "
        "id = \"b\" host = \"box\" port = 64007 launch = [\"ssh\" \"box\" \"cuttle $arguments; "
        "echo "
        "$HOME\"] } { id = \"c\" port = 64001 detached = true } ] " STEPS);
    expect_command(plan, 0,
                   "nice|/bin/cuttle|run|/my games/one|--no-compile|--headless|--port|0|--|--seed|"
                   "12");
    expect_command(plan, 1,
                   "ssh|box|cuttle run '/my games/one' --no-compile --headless --port 64007 -- "
                   "--seed 12; echo $HOME");
    expect_command(plan, 2, "");
    ct_nodes_plan_free(plan);
}

static void gets_data_from_a_server(void **state) {
    (void)state;
    ct_nodes_plan *const plan =
        plan_of("project = \".\" data = \"server\" nodes = [ { id = \"a\" } ] " STEPS);
    expect_command(plan, 0,
                   "/bin/cuttle|run|--host|127.0.0.1:14000|--project|one|--require-server|"
                   "--headless|--port|0|--|--seed|12");
    const ct_nodes_values values = values_of(plan, 0);
    static const char *const expected[] = {"/bin/cuttle", "serve", "/my games/one", "--port", "0"};
    ct_string_array words;
    ct_array_init(&words, test_heap());
    ct_nodes_add_server_command(&words, &values);
    assert_int_equal(words.count, CT_COUNT_OF(expected));
    for (uint32_t i = 0; i < words.count; ++i)
        assert_string_equal(words.items[i], expected[i]);
    ct_nodes_free_words(&words);
    ct_nodes_plan_free(plan);
}

static void finds_ports_in_lines_of_logs(void **state) {
    (void)state;
    assert_int_equal(ct_nodes_port_in("[console] listening on 127.0.0.1:64001"), 64001);
    assert_int_equal(ct_nodes_port_in("[serve] serving at [::1]:14000; Ctrl-C ends it"), 14000);
    assert_int_equal(ct_nodes_port_in("listening on nothing"), 0);
    assert_int_equal(ct_nodes_port_in("listening on a:99999"), 0);
    assert_int_equal(ct_nodes_port_in("I am listening"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_placeholders_in_lua),
        cmocka_unit_test(starts_a_node_on_this_machine),
        cmocka_unit_test(starts_nodes_elsewhere),
        cmocka_unit_test(gets_data_from_a_server),
        cmocka_unit_test(finds_ports_in_lines_of_logs),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
