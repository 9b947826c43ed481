// Plans as they are read: what they hold, and every error with its place.
#include "cli/nodes/nodes_plan.h"

#include <stdio.h>
#include <string.h>

#include "foundation/os/file.h"
#include "foundation/string/string_builder.h"
#include "support/test_support.h"

#define NODES "nodes = [ { id = \"a\" } { id = \"b\" } ]\n"
#define PLAN "project = \"game\"\n" NODES

static ct_nodes_plan *parse(const char *text, ct_nodes_error_array *errors) {
    ct_array_init(errors, test_heap());
    return ct_nodes_plan_parse(test_heap(), "plans/p.sjson", text, strlen(text), errors);
}

static ct_nodes_plan *parse_good(const char *text) {
    ct_nodes_error_array errors;
    ct_nodes_plan *const plan = parse(text, &errors);
    if (!plan)
        fail_msg("%u:%u: %s", errors.items[0].line, errors.items[0].column,
                 errors.items[0].message);
    assert_int_equal(errors.count, 0);
    return plan;
}

// Asserts that a text has one error, at `line` and `column`, with this message.
static void expect_error(const char *text, uint32_t line, uint32_t column, const char *message) {
    ct_nodes_error_array errors;
    assert_null(parse(text, &errors));
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].message, message);
    assert_string_equal(errors.items[0].file, "plans/p.sjson");
    assert_int_equal(errors.items[0].line, line);
    assert_int_equal(errors.items[0].column, column);
    ct_array_free(&errors);
}

// The same for one step of a plan that is good otherwise. The step is at line 3, column 11.
static void expect_step_error(const char *step, uint32_t column, const char *message) {
    char text[2048];
    snprintf(text, sizeof(text), PLAN "steps = [ %s ]\n", step);
    expect_error(text, 3, column, message);
}

// --- Good plans ----------------------------------------------------------------------------------

static void reads_a_plan_with_defaults(void **state) {
    (void)state;
    ct_nodes_plan *const plan = parse_good(PLAN "steps = [ { wait = \"Game.ready\" } ]");
    assert_string_equal(plan->project, "plans/game");
    assert_int_equal(plan->data, CT_NODES_DATA_LOCAL);
    assert_int_equal(plan->num_runs, 1);
    assert_int_equal(plan->seed, 1);
    assert_true(plan->step_timeout == 30 && plan->run_timeout == 600 && plan->start_timeout == 60);
    assert_false(plan->has_network_log);
    assert_int_equal(plan->nodes.count, 2);
    assert_int_equal(ct_nodes_plan_all(plan), 3);
    const ct_nodes_node *const b = &plan->nodes.items[1];
    assert_string_equal(b->id, "b");
    assert_string_equal(b->host, "127.0.0.1");
    assert_int_equal(b->port, 0);
    assert_true(b->autostart && !b->has_window && !b->is_detached);
    assert_int_equal(b->launch.count + b->options.count + b->arguments.count, 0);
    const ct_nodes_step *const step = &plan->steps.items[0];
    assert_int_equal(plan->steps.count, 1);
    assert_int_equal(step->kind, CT_NODES_STEP_KIND_WAIT);
    assert_string_equal(step->lua, "Game.ready");
    assert_true(step->is_all && step->on == 3 && step->seconds == 30);
    assert_int_equal(step->line, 3);
    ct_nodes_plan_free(plan);
}

static void reads_all_members(void **state) {
    (void)state;
    ct_nodes_plan *const plan =
        parse_good("project = \"/games/one\"  data = \"server\"  server = \"box:14000\"\n"
                   "project_name = \"samples/one\"  runs = 500  seed = 4294967295\n"
                   "step_timeout = 1.5  run_timeout = 60  start_timeout = 5  network_log = true\n"
                   "nodes = [ { id = \"server\"  launch = [\"ssh\" \"box\" \"cuttle $arguments\"]\n"
                   "  options = [\"--size\" \"64x64\"]  arguments = [\"--host\"]  host = \"box\"\n"
                   "  port = 64010  window = true  autostart = false  detached = true } ]\n"
                   "steps = [ { start = \"server\" } ]");
    assert_string_equal(plan->project, "/games/one");
    assert_int_equal(plan->data, CT_NODES_DATA_SERVER);
    assert_string_equal(plan->server, "box:14000");
    assert_string_equal(plan->project_name, "samples/one");
    assert_int_equal(plan->num_runs, 500);
    assert_int_equal(plan->seed, UINT32_MAX);
    assert_true(plan->step_timeout == 1.5 && plan->has_network_log);
    const ct_nodes_node *const node = &plan->nodes.items[0];
    assert_int_equal(node->launch.count, 3);
    assert_string_equal(node->launch.items[2], "cuttle $arguments");
    assert_string_equal(node->options.items[1], "64x64");
    assert_string_equal(node->arguments.items[0], "--host");
    assert_string_equal(node->host, "box");
    assert_int_equal(node->port, 64010);
    assert_true(node->has_window && !node->autostart && node->is_detached);
    assert_true(plan->steps.items[0].seconds == 5);
    ct_nodes_plan_free(plan);
}

static void reads_every_kind_of_step(void **state) {
    (void)state;
    ct_nodes_plan *const plan = parse_good(
        PLAN "steps = [ { script = \"x = 1\"  on = \"b\" }\n{ wait = \"x\"  timeout = 2 }\n"
             "{ assert = \"x\"  message = \"is set\"  on = [\"b\" \"a\"] }\n{ same = \"x\" }\n"
             "{ sleep = 0.5 }\n{ screenshot = \"end\"  on = \"a\" }\n{ stop = \"a\" }\n"
             "{ kill = \"all\" }\n{ start = [\"a\"]  timeout = 3 } ]");
    static const struct {
        ct_nodes_step_kind kind;
        uint64_t on;
        double seconds;
        const char *name;
    } expected[] = {
        {CT_NODES_STEP_KIND_SCRIPT, 2, 30, "script"},
        {CT_NODES_STEP_KIND_WAIT, 3, 2, "wait"},
        {CT_NODES_STEP_KIND_ASSERT, 3, 30, "assert"},
        {CT_NODES_STEP_KIND_SAME, 3, 30, "same"},
        {CT_NODES_STEP_KIND_SLEEP, 0, 0.5, "sleep"},
        {CT_NODES_STEP_KIND_SCREENSHOT, 1, 30, "screenshot"},
        {CT_NODES_STEP_KIND_STOP, 1, 30, "stop"},
        {CT_NODES_STEP_KIND_KILL, 3, 30, "kill"},
        {CT_NODES_STEP_KIND_START, 1, 3, "start"},
    };
    assert_int_equal(plan->steps.count, CT_COUNT_OF(expected));
    for (uint32_t i = 0; i < CT_COUNT_OF(expected); ++i) {
        const ct_nodes_step *const step = &plan->steps.items[i];
        assert_int_equal(step->kind, expected[i].kind);
        assert_int_equal(step->on, expected[i].on);
        assert_true(step->seconds == expected[i].seconds);
        assert_int_equal(step->line, 3 + i);
        assert_string_equal(ct_nodes_step_name(step->kind), expected[i].name);
    }
    assert_string_equal(plan->steps.items[2].message, "is set");
    assert_false(plan->steps.items[2].is_all); // all that are named must run
    assert_string_equal(plan->steps.items[5].message, "end");
    ct_nodes_plan_free(plan);
}

static void flattens_repeats(void **state) {
    (void)state;
    ct_nodes_plan *const plan = parse_good(
        PLAN "steps = [ { repeat = 3  steps = [ { sleep = 1 } { repeat = 2  steps = [ { sleep = 2 "
             "} ] } ] } { sleep = 3 } ]");
    const ct_nodes_step *const steps = plan->steps.items;
    assert_int_equal(plan->steps.count, 5);
    assert_int_equal(steps[0].kind, CT_NODES_STEP_KIND_REPEAT);
    assert_int_equal(steps[0].times, 3);
    assert_int_equal(steps[0].end, 4);
    assert_int_equal(steps[2].times, 2);
    assert_int_equal(steps[2].end, 4);
    assert_true(steps[1].seconds == 1 && steps[3].seconds == 2 && steps[4].seconds == 3);
    ct_nodes_plan_free(plan);
}

static void reads_scripts_from_files_beside_the_plan(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "p.sjson");
    char script[CT_PATH_BYTES + 16];
    snprintf(script, sizeof(script), "%.*s/join.lua", (int)(strrchr(path, '/') - path), path);
    static const char lua[] = "Game.join()\n";
    static const char text[] = PLAN "steps = [ { file = \"join.lua\" } ]";
    assert_true(ct_file_write(script, lua, strlen(lua), false, NULL));
    assert_true(ct_file_write(path, text, strlen(text), false, NULL));
    ct_nodes_error_array errors;
    ct_array_init(&errors, test_heap());
    ct_nodes_plan *const plan = ct_nodes_plan_read(test_heap(), path, &errors);
    assert_non_null(plan);
    assert_string_equal(plan->steps.items[0].lua, lua);
    assert_int_equal(plan->steps.items[0].kind, CT_NODES_STEP_KIND_SCRIPT);
    ct_nodes_plan_free(plan);
    assert_null(ct_nodes_plan_read(test_heap(), "nowhere.sjson", &errors));
    assert_non_null(strstr(errors.items[0].message, "nowhere.sjson"));
    ct_array_free(&errors);
}

// --- Errors --------------------------------------------------------------------------------------

static void names_what_is_wrong_with_a_plan(void **state) {
    (void)state;
#define STEPS "steps = [ { sleep = 1 } ]\n"
    expect_error("project = ", 1, 11,
                 "expected a value for the key \"project\", found the end of the file");
    expect_error(NODES STEPS, 1, 1, "plan.project: is missing; expected a string");
    expect_error("project = \"g\"\n" STEPS, 1, 1, "plan.nodes: is missing; expected an array");
    expect_error(PLAN, 1, 1, "plan.steps: is missing; expected an array");
    expect_error(PLAN "steps = []", 3, 1,
                 "plan.steps: found no steps; write what to do, such as steps = [ { wait = \"Game "
                 "~= nil\" } ]");
    expect_error(PLAN STEPS "rusn = 4", 4, 1, "plan.rusn: unknown member; did you mean \"runs\"?");
    expect_error(PLAN STEPS "runs = 0", 4, 1, "plan.runs: found 0, expected 1 to 1e+06");
    expect_error(PLAN STEPS "seed = -1", 4, 1,
                 "plan.seed: expected a whole number from 0 to 4294967295, such as 1");
    expect_error(PLAN STEPS "seed = 0.5", 4, 1,
                 "plan.seed: expected a whole number from 0 to 4294967295, such as 1");
    expect_error(PLAN STEPS "data = \"sever\"", 4, 1,
                 "plan.data: found \"sever\", expected one of: local, server; did you mean "
                 "\"server\"?");
    expect_error(PLAN STEPS "step_timeout = 0", 4, 1,
                 "plan.step_timeout: found 0, expected 0.01 to 86400 s");
    expect_error("project = \"\"\n" NODES STEPS, 1, 1,
                 "plan.project: found \"\", expected the project's folder, from the plan's folder: "
                 "project = \".\"");
    expect_error(PLAN STEPS "server = \"box:1\"", 4, 1,
                 "plan.server: nodes use no file server; write data = \"server\", too");
    expect_error(PLAN STEPS "data = \"server\"\nserver = \"box\"", 5, 1,
                 "plan.server: invalid address \"box\"; expected HOST:PORT");
    expect_error(PLAN STEPS "data = \"server\"\nserver = \"b:1\"\nserver_launch = [\"x\"]", 5, 1,
                 "plan.server: names a server that runs already, and server_launch starts one; "
                 "remove one of the two");
    expect_error(PLAN STEPS "data = \"server\"\nserver_launch = [\"x\" 1]", 5, 22,
                 "plan.server_launch: found a number, expected a word in quotes");
}

static void names_what_is_wrong_with_a_node(void **state) {
    (void)state;
#define WITH_NODES(nodes) "project = \"g\"\nnodes = " nodes "\n" STEPS
    expect_error(WITH_NODES("[]"), 2, 1,
                 "plan.nodes: found 0 nodes, expected 1 to 64: nodes = [ { id = \"a\" } { id = "
                 "\"b\" } ]");
    expect_error(WITH_NODES("[ 3 ]"), 2, 11, "plan.nodes[0]: found a number, expected an object");
    expect_error(WITH_NODES("[ { } ]"), 2, 11, "node.id: is missing; expected a string");
    expect_error(WITH_NODES("[ { id = \"A b\" } ]"), 2, 13,
                 "node.id: found \"A b\", expected 1 to 31 of the characters a-z, 0-9, _ and -");
    expect_error(WITH_NODES("[ { id = \"\" } ]"), 2, 13,
                 "node.id: found \"\", expected 1 to 31 of the characters a-z, 0-9, _ and -");
    expect_error(WITH_NODES("[ { id = \"all\" } ]"), 2, 13,
                 "node.id: \"all\" means all nodes in steps; write another id, such as \"a\"");
    expect_error(WITH_NODES("[ { id = \"a\" }\n{ id = \"a\" } ]"), 3, 3,
                 "node.id: \"a\" is also the id of the node at line 2; write another id");
    expect_error(WITH_NODES("[ { id = \"a\" prot = 1 } ]"), 2, 22,
                 "node.prot: unknown member; did you mean \"port\"?");
    expect_error(WITH_NODES("[ { id = \"a\" port = 65536 } ]"), 2, 22,
                 "node.port: found 65536, expected 0 to 65535");
    expect_error(WITH_NODES("[ { id = \"a\" host = \"box\" } ]"), 2, 22,
                 "node.host: \"box\" is another machine, whose port cannot be chosen from here; "
                 "write a port, too: port = 64000");
    expect_error(WITH_NODES("[ { id = \"a\" detached = true } ]"), 2, 22,
                 "node.detached: its port cannot be read from a log; write a port, too: port = "
                 "64000");
    expect_error(WITH_NODES("[ { id = \"a\" launch = [] } ]"), 2, 22,
                 "node.launch: found no words; write a command, such as [\"ssh\" \"box\" \"cuttle "
                 "$arguments\"], or leave launch out");
    expect_error(WITH_NODES("[ { id = \"a\" options = [\"x\" true] } ]"), 2, 37,
                 "node.options: found a boolean, expected a word in quotes");
    expect_error(WITH_NODES("[ { id = \"a\" arguments = [\"\\u0000\"] } ]"), 2, 35,
                 "node.arguments: found a zero byte, expected a word without one");
}

static void names_what_is_wrong_with_a_step(void **state) {
    (void)state;
    expect_step_error("{ }", 11,
                      "step: has no action; write one of: script, file, wait, assert, same, sleep, "
                      "screenshot, start, stop, kill, repeat");
    expect_step_error("7", 11, "step: found a number, expected an object");
    expect_step_error("{ on = \"a\" }", 11,
                      "step: has no action; write one of: script, file, wait, assert, same, sleep, "
                      "screenshot, start, stop, kill, repeat");
    expect_step_error("{ wiat = \"x\" }", 13, "step.wiat: unknown member; did you mean \"wait\"?");
    expect_step_error("{ script = \"x\" wait = \"x\" }", 26,
                      "step.wait: the step also has script; write two steps");
    expect_step_error("{ sleep = 1 on = \"a\" }", 23,
                      "step.on: a step with sleep has no on; remove it");
    expect_step_error("{ wait = \"x\" message = \"a\" }", 24,
                      "step.message: a step with wait has no message; remove it");
    expect_step_error("{ kill = \"a\" timeout = 1 }", 24,
                      "step.timeout: a step with kill has no timeout; remove it");
    expect_step_error("{ sleep = 1 steps = [] }", 23,
                      "step.steps: a step with sleep has no steps; remove it");
    expect_step_error("{ wait = \"x\" on = \"c\" }", 24,
                      "step.on: the plan has no node \"c\"; write \"all\" or the id of a node, "
                      "such as \"a\"");
    expect_step_error("{ stop = \"everyone\" }", 13,
                      "step.stop: the plan has no node \"everyone\"; write \"all\" or the id of a "
                      "node, such as \"a\"");
    expect_step_error("{ wait = \"x\" on = [] }", 24,
                      "step.on: found an empty array, expected \"all\", the id of a node, or an "
                      "array of ids: [\"a\" \"b\"]");
    expect_step_error("{ wait = \"x\" on = 1 }", 24,
                      "step.on: found a number, expected \"all\", the id of a node, or an array of "
                      "ids: [\"a\" \"b\"]");
    expect_step_error("{ wait = \"x\" on = [\"a\" 2] }", 34,
                      "step.on: found a number, expected the id of a node in quotes");
    expect_step_error("{ wait = 5 }", 13, "step.wait: found a number, expected a string");
    expect_step_error("{ script = \" \" }", 13, "step.script: found no text; expected Lua");
    expect_step_error("{ same = \"a\\u0000\" }", 13, "step.same: found a zero byte; expected Lua");
    expect_step_error("{ wait = \"x\" timeout = 0 }", 24,
                      "step.timeout: found 0, expected 0.01 to 86400 s");
    expect_step_error("{ screenshot = \"a/b\" }", 13,
                      "step.screenshot: found \"a/b\", expected a name for the picture: 1 to 64 of "
                      "the characters a-z, 0-9, _ and -");
    expect_step_error("{ repeat = 2 }", 11,
                      "step.repeat: found no steps; write steps = [ … ] beside it");
    expect_step_error("{ repeat = 2 steps = [] }", 24,
                      "step.repeat: found no steps; write steps = [ … ] beside it");
    expect_step_error("{ repeat = 0 steps = [ { sleep = 1 } ] }", 13,
                      "step.repeat: found 0, expected 1 to 1e+06");
    expect_step_error("{ repeat = 2 steps = [ { sleep = -1 } ] }", 36,
                      "step.sleep: found -1, expected 0 to 86400 s");
    expect_step_error("{ file = \"no.lua\" }", 13,
                      "step.file: cannot read plans/no.lua: No such file or directory; write a "
                      "path from the plan's folder");
}

static void suggests_the_node_that_was_meant(void **state) {
    (void)state;
    expect_error("project = \"g\"\nnodes = [ { id = \"server\" } { id = \"client\" } ]\n"
                 "steps = [ { kill = \"cleint\" } ]",
                 3, 13, "step.kill: the plan has no node \"cleint\"; did you mean \"client\"?");
}

static void limits_depth_and_number_of_steps(void **state) {
    (void)state;
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add(&text, PLAN "steps = [\n");
    for (uint32_t i = 0; i <= CT_NODES_MAX_DEPTH + 1; ++i)
        ct_string_builder_add(&text, "{ repeat = 2 steps = [\n");
    ct_string_builder_add(&text, "{ sleep = 1 }");
    for (uint32_t i = 0; i <= CT_NODES_MAX_DEPTH + 1; ++i)
        ct_string_builder_add(&text, "] }");
    ct_string_builder_add(&text, "]");
    expect_error(ct_string_builder_text(&text), 4 + CT_NODES_MAX_DEPTH, 1,
                 "step.repeat: found more than 8 inside each other");
    ct_string_builder_clear(&text);
    ct_string_builder_add(&text, PLAN "steps = [\n");
    for (uint32_t i = 0; i < CT_NODES_MAX_STEPS + 10; ++i)
        ct_string_builder_add(&text, "{ sleep = 1 }\n");
    ct_string_builder_add(&text, "]");
    expect_error(ct_string_builder_text(&text), 4 + CT_NODES_MAX_STEPS, 1,
                 "plan.steps: found more than 4096 steps");
    ct_string_builder_free(&text);
}

static void reports_all_errors_at_once(void **state) {
    (void)state;
    ct_nodes_error_array errors;
    assert_null(parse("project = 1\nnodes = [ { id = \"a\" prot = 1 } ]\n"
                      "steps = [ { wait = \"x\" on = \"a\" } { sleep = true } ]",
                      &errors));
    assert_int_equal(errors.count, 3); // that there is no node "a" is no further error
    assert_int_equal(errors.items[0].line, 1);
    assert_int_equal(errors.items[1].line, 2);
    assert_string_equal(errors.items[2].message, "step.sleep: found a boolean, expected a number");
    ct_array_free(&errors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_plan_with_defaults),
        cmocka_unit_test(reads_all_members),
        cmocka_unit_test(reads_every_kind_of_step),
        cmocka_unit_test(flattens_repeats),
        cmocka_unit_test(reads_scripts_from_files_beside_the_plan),
        cmocka_unit_test(names_what_is_wrong_with_a_plan),
        cmocka_unit_test(names_what_is_wrong_with_a_node),
        cmocka_unit_test(names_what_is_wrong_with_a_step),
        cmocka_unit_test(suggests_the_node_that_was_meant),
        cmocka_unit_test(limits_depth_and_number_of_steps),
        cmocka_unit_test(reports_all_errors_at_once),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
