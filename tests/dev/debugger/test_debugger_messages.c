// The debugger's messages, without a console and a window around it: what is refused and why, several
// clients, the loop of a stopped game, pauses that nothing reads.
#include "script/fake_host.h"

#include "dev/debugger/debugger_private.h"
#include "dev/debugger/fake_console.h"

enum { MAX_SERVED = 32, TEXT_BYTES = 1 << 16 };

static script_fixture f;
static ct_debugger *debugger;

// What the loop of a stopped game is sent, one message a round, and what clients got.
static struct {
    const char *messages[MAX_SERVED];
    uint32_t num_messages, next;
    ct_string_builder answer;              // the last one
    char answers[TEXT_BYTES];              // in the loop, a line each
    char events[TEXT_BYTES];               // of client 1, a line each
    uint32_t num_events[FAKE_CLIENTS + 1]; // by client
} tools;

static void add_line(char *text, const char *line) {
    const size_t length = strlen(text);
    snprintf(text + length, TEXT_BYTES - length, "%s\n", line);
}

// Returns whether a text is in another, whatever spaces they have.
static bool has(const char *text, const char *wanted) {
    static char bare[2][TEXT_BYTES];
    const char *const from[2] = {text, wanted};
    for (uint32_t i = 0; i < 2; ++i) {
        uint32_t length = 0;
        for (const char *c = from[i]; *c && length + 1 < TEXT_BYTES; ++c) {
            if (*c != ' ')
                bare[i][length++] = *c;
        }
        bare[i][length] = '\0';
    }
    return strstr(bare[0], bare[1]) != NULL;
}

static void note_sent(uint32_t client, const char *json) {
    ++tools.num_events[client];
    if (client == 1)
        add_line(tools.events, json);
}

// Sends a message of a client and returns the answer.
static const char *ask_as(uint32_t client, const char *json) {
    ct_string_builder_clear(&tools.answer);
    if (!fake_console_handle(debugger, test_heap(), client, json, (uint32_t)strlen(json),
                             &tools.answer))
        fail_msg("no JSON: %s", json);
    return ct_string_builder_text(&tools.answer);
}

static const char *ask(const char *json) {
    return ask_as(1, json);
}

// Fails unless the answer to a message has a text in it.
static void expect(const char *json, const char *text) {
    const char *const answer = ask(json);
    if (!has(answer, text))
        fail_msg("%s\nwas answered with %s\ninstead of %s", json, answer, text);
}

static void serve_next(void) {
    fake_console.num_waiting = 0;
    if (tools.next < tools.num_messages)
        add_line(tools.answers, ask(tools.messages[tools.next++]));
    else
        add_line(tools.answers, ask("{\"type\": \"debugger_continue\", \"id\": 99}"));
}

#define SERVE(...)                                                                                 \
    serve_these((const char *const[]){__VA_ARGS__},                                                \
                CT_COUNT_OF(((const char *const[]){__VA_ARGS__})))

static void serve_these(const char *const *messages, uint32_t count) {
    memcpy(tools.messages, messages, sizeof(*messages) * count);
    tools.num_messages = count;
    tools.next = 0;
    tools.answers[0] = tools.events[0] = '\0';
}

// Fails unless a text is in what the loop answered, or client 1 was sent.
static void answered(const char *text) {
    if (!has(tools.answers, text))
        fail_msg("%s\nis not in\n%s", text, tools.answers);
}
static void sent(const char *text) {
    if (!has(tools.events, text))
        fail_msg("%s\nis not in\n%s", text, tools.events);
}

static const char script[] = "total = 0\n"
                             "function add(n)\n"
                             "  local double = n * 2\n"
                             "  total = total + double\n"
                             "  return total\n"
                             "end\n"
                             "function hang()\n"
                             "  done = false\n"
                             "  while not done do\n"
                             "  end\n"
                             "  return 'ended'\n"
                             "end\n";

static int set_up(void **state) {
    (void)state;
    f = start_script_with((ct_script_desc){.time_limit_seconds = 20, .stops_long_calls = true});
    memset(&tools, 0, sizeof(tools));
    ct_string_builder_init(&tools.answer, test_heap());
    debugger = fake_console_start(f.world.allocator, f.script);
    fake_console.serve = serve_next;
    fake_console.sent = note_sent;
    assert_true(boot_script(&f, script));
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_debugger_destroy(debugger);
    ct_string_builder_free(&tools.answer);
    stop_script(&f);
    return 0;
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define ATTACH "{\"type\": \"debugger_attach\", \"id\": 1}"
#define BREAK(line)                                                                                \
    "{\"type\": \"debugger_breakpoints\", \"id\": 2, \"script\": \"main\", \"breakpoints\": "      \
    "[{\"line\": " line "}]}"

// --- What is refused -----------------------------------------------------------------------------

static void refuses_what_is_no_message(void **state) {
    (void)state;
    expect("{\"type\": \"debugger_attach\"}", "the message has no \\\"id\\\"");
    expect("{\"type\": \"debugger_pause\", \"id\": 1}", "not attached; send debugger_attach first");
    expect("{\"type\": \"debugger_atach\", \"id\": 1}", "did you mean \\\"debugger_attach\\\"?");
    expect("{\"type\": \"debugger_\", \"id\": [1, {\"a\": 2}]}", "\"id\": [1, {\"a\": 2}]");
    expect("{\"type\": \"debugger_attach\", \"id\": 1, \"name\": 5}", "expected a string");
    ct_string_builder_clear(&tools.answer);
    assert_true(
        fake_console_handle(NULL, test_heap(), 1, ATTACH, sizeof(ATTACH) - 1, &tools.answer));
    assert_true(has(ct_string_builder_text(&tools.answer), "this game has no debugger"));
    assert_true(has(ask_as(0, ATTACH), "only a connection of the console can attach"));
    ct_debugger_end(debugger);
    expect(ATTACH, "no game runs");
}

static void says_what_is_wrong_with_members(void **state) {
    static const struct {
        const char *message, *error;
    } all[] = {
        {"breakpoints\", \"script\": 5", "\\\"script\\\" is 5; expected a string"},
        {"breakpoints\", \"script\": \"\"", "has 0 bytes; expected 1 to"},
        {"breakpoints\", \"script\": \"a\\u0000b\"", "has a zero byte"},
        {"breakpoints\", \"script\": \"a\"", "expected an array of objects"},
        {"breakpoints\", \"script\": \"a\", \"breakpoints\": [5]",
         "breakpoint 0: it is a number; expected an object with a line"},
        {"breakpoints\", \"script\": \"a\", \"breakpoints\": [{\"line\": 1}, {\"line\": 0}]",
         "breakpoint 1: \\\"line\\\" is 0; expected a whole number from 1"},
        {"breakpoints\", \"script\": \"a\", \"breakpoints\": [{\"line\": 1, \"log\": 1}]",
         "\\\"log\\\" is 1; expected a string"},
        {"lines\", \"script\": \"a\", \"first\": 1.5", "\\\"first\\\" is 1.5"},
        {"errors\", \"stop\": \"some\"", "expected \\\"never\\\", \\\"uncaught\\\" or \\\"all\\\""},
        {"pause\", \"thread\": 0", "\\\"thread\\\" is 0; expected a number from 1"},
        {"pause\", \"thread\": 1.5", "expected a whole number"},
        {"pause\", \"thread\": 700", "there is no thread 700"},
        {"pause\", \"thread\": 200001", "there is no thread 200001"},
        {"pause\", \"thread\": 4000000000", "there is no thread 4000000000"},
        {"continue\"", "nothing has stopped"},
        {"step\", \"kind\": \"up\"", "expected \\\"into\\\", \\\"over\\\" or \\\"out\\\""},
        {"step\", \"kind\": \"into\"", "nothing has stopped"},
        {"stack\"", "the game must stop first"},
        {"stack\", \"count\": 100000", "expected a whole number from 1 to 1000"},
        {"scopes\"", "\\\"frame\\\" is nothing"},
        {"scopes\", \"frame\": 0.5", "expected a number from 1"},
        {"scopes\", \"frame\": 5", "its numbers hold until the game goes on"},
        {"scopes\", \"frame\": 9007199254740991", "there is no frame"},
        {"values\", \"value\": 128", "there is no value 1"},
        {"values\", \"value\": 129", "there is no value 129"},
        {"evaluate\", \"text\": 5", "expected a string"},
        {"evaluate\", \"text\": \"1\", \"seconds\": 0", "expected a number from 0.001 to 10"},
        {"evaluate\", \"text\": \"1\", \"frame\": 128", "the game must stop first"},
        {"set\", \"value\": 128, \"name\": \"a\"", "\\\"text\\\" is nothing"},
        {"set\", \"value\": 128, \"name\": \"a\", \"text\": \"1\"", "there is no value 1"},
        {"complete\"", "\\\"text\\\" is nothing"},
    };
    char message[512];
    (void)state;
    expect(ATTACH, "\"version\": 1");
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i) {
        snprintf(message, sizeof(message), "{\"id\": 5, \"type\": \"debugger_%s}", all[i].message);
        expect(message, all[i].error);
        expect(message, "\"error\"");
    }
}

// --- Clients -------------------------------------------------------------------------------------

static void takes_64_clients(void **state) {
    (void)state;
    for (uint32_t i = 1; i <= CT_DEBUGGER_MAX_CLIENTS; ++i)
        assert_true(has(ask_as(i, ATTACH), "\"version\": 1"));
    assert_true(has(ask_as(CT_DEBUGGER_MAX_CLIENTS + 1, ATTACH), "64 clients are attached"));
    assert_true(has(ask_as(5, ATTACH), "\"version\": 1")); // already
    fake_console.has_left[7] = true;
    ct_debugger_update(debugger);
    assert_true(has(ask_as(CT_DEBUGGER_MAX_CLIENTS + 1, ATTACH), "\"version\": 1"));
    assert_false(has(ask_as(3, "{\"type\": \"debugger_detach\", \"id\": 1}"), "error"));
    assert_true(has(ask_as(3, "{\"type\": \"debugger_threads\", \"id\": 1}"), "not attached"));
}

static void clients_have_breakpoints_of_their_own(void **state) {
    (void)state;
    expect(ATTACH, "\"project\": \"/game\"");
    ask_as(2, ATTACH);
    expect(BREAK("3"), "\"verified\": true, \"line\": 3");
    assert_true(has(ask_as(2, BREAK("5")), "\"breakpoint\": 2"));
    SERVE("{\"type\": \"debugger_continue\", \"id\": 1}");
    assert_lua(&f, "add(1)", "2");
    sent("\"line\": 3, \"breakpoints\": [1]");
    sent("\"line\": 5, \"breakpoints\": [2]");
    assert_int_equal(tools.num_events[2], tools.num_events[1]);
    fake_console.has_left[2] = true;
    ct_debugger_update(debugger);
    SERVE("{\"type\": \"debugger_continue\", \"id\": 1}");
    assert_lua(&f, "add(1)", "4");
    assert_false(has(tools.events, "\"line\": 5"));
    fake_console.has_left[1] = true;
    ct_debugger_update(debugger);
    assert_null(f.script->lua.debugger);
}

// --- Stops ---------------------------------------------------------------------------------------

static void serves_what_is_asked_in_a_stop(void **state) {
    (void)state;
    ask(ATTACH);
    ask(BREAK("4"));
    SERVE("{\"type\": \"debugger_stack\", \"id\": 10}",
          "{\"type\": \"debugger_scopes\", \"id\": 11, \"frame\": 128}",
          "{\"type\": \"debugger_evaluate\", \"id\": 12, \"frame\": 128, \"text\": \"double + n\"}",
          "{\"type\": \"debugger_evaluate\", \"id\": 13, \"text\": \"{1, {}}\"}",
          "{\"type\": \"debugger_evaluate\", \"id\": 14, \"text\": \"while true do end\", "
          "\"seconds\": 0.05}",
          "{\"type\": \"debugger_threads\", \"id\": 15}",
          "{\"type\": \"debugger_pause\", \"id\": 16}",
          "{\"type\": \"debugger_complete\", \"id\": 17, \"frame\": 128, \"text\": \"dou\"}",
          "{\"type\": \"debugger_step\", \"id\": 18, \"kind\": \"over\"}",
          "{\"type\": \"debugger_stack\", \"id\": 19, \"first\": 1, \"count\": 1}");
    assert_lua(&f, "add(7)", "14");
    sent("\"reason\": \"breakpoint\", \"thread\": 1, \"script\": \"main.lua\", \"line\": 4");
    answered("\"id\": 10, \"frames\": [{\"frame\": 128, \"name\": \"add\", \"kind\": \"lua\", "
             "\"script\": \"main.lua\", \"line\": 4}");
    answered("\"id\": 11, \"scopes\": [{\"name\": \"Locals\"");
    answered("\"id\": 12, \"text\": \"21\", \"kind\": \"number\", \"value\": 0, \"count\": 0");
    answered("\"kind\": \"table\"");
    answered("of the debugger");
    answered("\"id\": 15, \"threads\": [{\"thread\": 1, \"name\": \"main\", \"state\": \"game\", "
             "\"is_stopped\": true}]");
    answered("thread 1 has stopped already");
    answered("\"names\": [\"double\"]");
    sent("\"reason\": \"step\", \"thread\": 1, \"script\": \"main.lua\", \"line\": 5");
    sent("\"event\": \"continued\", \"thread\": 1");
    assert_false(ct_debugger_is_stopped(debugger));
}

static void goes_on_when_the_game_quits(void **state) {
    (void)state;
    ask(ATTACH);
    ask(BREAK("4"));
    SERVE("{\"type\": \"debugger_threads\", \"id\": 1}");
    fake_console.is_quitting = true; // breakpoints of shutdown stop
    assert_lua(&f, "add(1)", "2");
    sent("\"line\": 4");
    ct_debugger_note_quit(debugger); // in a stop
    SERVE("{\"type\": \"debugger_threads\", \"id\": 1}");
    assert_lua(&f, "add(1)", "4");
    assert_string_equal(tools.events, "");
}

static void leaves_out_logs_above_a_thousand(void **state) {
    (void)state;
    ask(ATTACH);
    ask("{\"type\": \"debugger_breakpoints\", \"id\": 2, \"script\": \"main\", \"breakpoints\": "
        "[{\"line\": 3, \"log\": \"n is {n}\"}]}");
    tools.events[0] = '\0';
    run_lua(&f, "for i = 1, 1500 do add(i) end");
    const uint32_t before = tools.num_events[1];
    ct_debugger_update(debugger);
    assert_int_equal(tools.num_events[1] - before, CT_DEBUGGER_MAX_LOGS + 1);
    sent("\"event\": \"log\", \"text\": \"n is 1\", \"script\": \"main.lua\", \"line\": 3");
    ct_debugger_update(debugger);
    assert_int_equal(tools.num_events[1] - before, CT_DEBUGGER_MAX_LOGS + 1);
}

static void breakpoints_wait_for_their_script(void **state) {
    (void)state;
    ask(ATTACH);
    expect("{\"type\": \"debugger_breakpoints\", \"id\": 2, \"script\": \"later\", "
           "\"breakpoints\": [{\"line\": 1}, {\"line\": 2, \"condition\": \"1 +\"}]}",
           "\"verified\": false, \"line\": 1, \"message\": \"later.lua has not run yet\"");
    load_script(&f, "later", "x = 1\ny = 2\n");
    SERVE("{\"type\": \"debugger_continue\", \"id\": 1}");
    run_lua(&f, "require('later')");
    sent("\"event\": \"script\", \"script\": \"later.lua\", \"reason\": \"new\"");
    sent("\"event\": \"breakpoint\", \"breakpoint\": 1, \"verified\": true");
    sent("\"event\": \"stopped\"");
}

// --- Without a stop ------------------------------------------------------------------------------

static void evaluates_while_the_game_runs(void **state) {
    (void)state;
    ask(ATTACH);
    ask(BREAK("4"));
    expect("{\"type\": \"debugger_evaluate\", \"id\": 1, \"text\": \"{add(1), b = 'c'}\"}",
           "\"kind\": \"table\", \"value\": 128, \"count\": 2");
    expect("{\"type\": \"debugger_values\", \"id\": 1, \"value\": 128}",
           "{\"name\": \"b\", \"text\": \"\\\"c\\\"\", \"kind\": \"string\"");
    expect("{\"type\": \"debugger_set\", \"id\": 1, \"value\": 128, \"name\": \"b\", \"text\": "
           "\"{}\"}",
           "\"kind\": \"table\"");
    expect("{\"type\": \"debugger_evaluate\", \"id\": 1, \"text\": \"while true do end\", "
           "\"seconds\": 0.05}",
           "of the debugger");
    expect("{\"type\": \"debugger_evaluate\", \"id\": 1, \"text\": \"x = nothing.y\"}", "nothing");
    assert_string_equal(tools.events, "");
}

// --- Pauses that nothing reads -------------------------------------------------------------------

#define PAUSE "{\"type\": \"debugger_pause\", \"id\": 40}"

static void wait_with(uint32_t client, const char *json) {
    fake_console.waiting[fake_console.num_waiting].client = client;
    fake_console.waiting[fake_console.num_waiting++].json = json;
}

static void a_pause_is_seen_while_lua_never_returns(void **state) {
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip(); // its signals come late
#endif
    ask(ATTACH);
    for (uint32_t i = 0; i < 2; ++i) {
        SERVE(PAUSE, "{\"type\": \"debugger_stack\", \"id\": 41}",
              "{\"type\": \"debugger_evaluate\", \"id\": 42, \"text\": \"done = true\"}", PAUSE);
        wait_with(1, "{ not JSON debugger_pause");
        wait_with(1, "{\"type\": \"script\", \"script\": \"debugger_pause\", \"id\": 3}");
        wait_with(1, "{\"type\": \"debugger_pause\", \"id\": 3, \"thread\": 77}");
        wait_with(1, PAUSE);
        assert_lua(&f, "hang()", "ended");
        sent("\"event\": \"stopped\", \"reason\": \"pause\", \"thread\": 1, \"script\": "
             "\"main.lua\", \"line\": 9");
        answered("{\"type\": \"result\", \"id\": 40}"); // it stopped for this message
    }
}

static void pauses_of_others_are_not_seen(void **state) {
    (void)state;
    ask(ATTACH);
    SERVE(PAUSE);
    wait_with(2, PAUSE);                                         // not attached
    wait_with(1, "{\"type\": \"debugger_threads\", \"id\": 3}"); // another message
    run_lua(&f, "local a = os.clock() while os.clock() < a + 0.7 do end");
    assert_string_equal(tools.events, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(refuses_what_is_no_message),
        TEST(says_what_is_wrong_with_members),
        TEST(takes_64_clients),
        TEST(clients_have_breakpoints_of_their_own),
        TEST(serves_what_is_asked_in_a_stop),
        TEST(goes_on_when_the_game_quits),
        TEST(leaves_out_logs_above_a_thousand),
        TEST(breakpoints_wait_for_their_script),
        TEST(evaluates_while_the_game_runs),
        TEST(a_pause_is_seen_while_lua_never_returns),
        TEST(pauses_of_others_are_not_seen),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
