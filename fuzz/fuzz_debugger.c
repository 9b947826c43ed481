// The debugger's messages: whatever tools send, while the game runs and while it is stopped, answers and
// events are JSON, the game goes on when its clients have left, and nothing stays behind.
//
// What the input has is put together to messages of all types, with members that are right, wrong or of
// something else: numbers of threads, frames and values, lines, expressions.
#include <math.h>

#include "dev/debugger/fake_console.h"
#include "foundation/sjson/sjson_writer.h"
#include "support/fake_engine.h"
#include "support/input_bytes.h"
#include "support/json_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUM_FRAMES = 12, MOST_MESSAGES = 160, MOST_A_STOP = 24, NUM_CLIENTS = 3 };

static const fake_engine *engine;
static ct_debugger *debugger;
static uint32_t num_messages, num_in_stop;
static double last_number; // of a frame or a value in an answer

// --- Members -------------------------------------------------------------------------------------

static const char *pick(const char *const *texts, uint32_t count) {
    return texts[next_byte() % count];
}
#define PICK(...)                                                                                  \
    pick((const char *const[]){__VA_ARGS__},                                                       \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static const char *next_expression(void) {
    return PICK("1", "n", "n + 1", "'a'", "{1, n, a = {}}", "Kept", "Kept[n]", "W", "_G",
                "nothing.x", "1 +", "", "error('x')", "error({})", "n = n + 1", "local a = 1",
                "update(0)", "coroutine.yield(1)", "(function() while true do end end)()",
                "string.rep('x', 1000)", "require('nothing')", "deep(1)", "setmetatable({}, bad)",
                "jit.off(update)", "jit.on(update)", "...", "walker", "return n, n",
                "Vector3(1, 2, 3)", "pcall(update)", "work(3)", "\"\\255\"",
                "{[update] = W, [1.5] = 2, [{}] = 3}");
}

static double next_double(void) {
    static const double numbers[] = {0,   1,   2,      3,       5,   -1,       0.5,    1e300,
                                     128, 129, 100001, 1000000, 256, INFINITY, 0x1p53, NAN};
    const uint32_t choice = next_byte();
    if (choice < 64)
        return last_number;
    if (choice < 160)
        return 1 + choice % 24;
    return numbers[choice % CT_COUNT_OF(numbers)];
}

static void write_any(ct_sjson_writer *w) {
    switch (next_byte() % 5) {
    case 0:
        ct_sjson_write_null(w);
        break;
    case 1:
        ct_sjson_write_bool(w, true);
        break;
    case 2:
        ct_sjson_write_string_bytes(w, "a\0b", 3);
        break;
    case 3:
        ct_sjson_begin_array(w);
        ct_sjson_write_number(w, next_double());
        ct_sjson_end_array(w);
        break;
    default:
        ct_sjson_begin_object(w);
        ct_sjson_end_object(w);
    }
}

// Writes a member; now and then as something else, or not at all.
static void write_number(ct_sjson_writer *w, const char *key) {
    const uint32_t choice = next_byte();
    if (choice < 32)
        return;
    ct_sjson_write_key(w, key);
    if (choice < 40)
        write_any(w);
    else
        ct_sjson_write_number(w, next_double());
}

static void write_string(ct_sjson_writer *w, const char *key, const char *text) {
    const uint32_t choice = next_byte();
    if (choice < 16)
        return;
    ct_sjson_write_key(w, key);
    if (choice < 24)
        write_any(w);
    else
        ct_sjson_write_string(w, text);
}

static const char *next_script(void) {
    return PICK("main", "main.lua", "main.lua", "main.lua", "later", "nothing", "", "../x");
}

static void write_breakpoints(ct_sjson_writer *w) {
    ct_sjson_write_key(w, "breakpoints");
    if (next_byte() < 8) {
        write_any(w);
        return;
    }
    ct_sjson_begin_array(w);
    for (uint32_t count = next_byte() % 6; count > 0; --count) {
        ct_sjson_begin_object(w);
        write_number(w, "line");
        if (next_byte() % 4 == 0)
            write_string(w, "condition", next_expression());
        if (next_byte() % 4 == 0)
            write_string(w, "hits", PICK("1", ">2", ">=3", "%2", "0", "x", ">", "99999999999"));
        if (next_byte() % 4 == 0)
            write_string(w, "log", PICK("x", "{n}", "{", "{}", "{1 +}", "{{}}", "a {n} b {W}"));
        if (next_byte() % 8 == 0)
            write_string(w, "unit", PICK("guard", "#1", "\"\\\n", ""));
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

// --- Messages ------------------------------------------------------------------------------------

static const char *next_type(void) {
    return PICK("attach", "attach", "breakpoints", "breakpoints", "breakpoints", "complete",
                "continue", "continue", "detach", "errors", "evaluate", "evaluate", "evaluate",
                "lines", "pause", "scopes", "scopes", "set", "stack", "stack", "step", "step",
                "threads", "values", "values", "", "nothing");
}

static void write_message(ct_sjson_writer *w) {
    const char *const type = next_type();
    char name[32];
    ct_sjson_begin_object(w);
    snprintf(name, sizeof(name), "debugger_%s", type);
    ct_sjson_member_string(w, "type", name);
    if (next_byte() > 4)
        ct_sjson_member_number(w, "id", num_messages);
    if (strcmp(type, "breakpoints") == 0 || strcmp(type, "lines") == 0)
        write_string(w, "script", next_script());
    if (strcmp(type, "breakpoints") == 0)
        write_breakpoints(w);
    if (strcmp(type, "errors") == 0)
        write_string(w, "stop", PICK("all", "never", "uncaught", "some"));
    if (strcmp(type, "step") == 0)
        write_string(w, "kind", PICK("into", "over", "out", "up"));
    if (next_byte() % 2 == 0)
        write_number(w, "frame");
    else if (strcmp(type, "scopes") == 0)
        ct_sjson_member_number(w, "frame", last_number);
    if (strcmp(type, "values") == 0 || strcmp(type, "set") == 0)
        write_number(w, "value");
    if (next_byte() % 4 == 0)
        write_number(w, "thread");
    if (next_byte() % 4 == 0)
        write_number(w, "first");
    if (next_byte() % 4 == 0)
        write_number(w, "count");
    if (strcmp(type, "set") == 0)
        write_string(w, "name", PICK("n", "a", "[1]", "x", "(metatable)", "double", ""));
    write_string(w, "text", next_expression());
    if (strcmp(type, "evaluate") == 0)
        ct_sjson_member_number(w, "seconds", 0.01);
    ct_sjson_end_object(w);
}

// Keeps a number that later messages may use.
static void keep_number(const char *answer) {
    const char *const key = next_byte() % 2 ? "\"value\":" : "\"frame\":";
    const char *at = answer;
    for (uint32_t skipped = next_byte() % 4; (at = strstr(at, key)); --skipped) {
        at += strlen(key);
        if (strtod(at, NULL) > 0)
            last_number = strtod(at, NULL);
        if (skipped == 0)
            return;
    }
}

static void check_text(const char *json) {
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, engine->allocator);
    ct_string_builder_add(&text, json);
    check_answer(&text);
}

static void handle_message(void) {
    ct_string_builder message CT_CLEANUP(ct_string_builder_free);
    ct_string_builder answer CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&message, engine->allocator);
    ct_string_builder_init(&answer, engine->allocator);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &message, CT_SJSON_STYLE_JSON);
    write_message(&w);
    ++num_messages;
    const bool is_json =
        fake_console_handle(debugger, engine->allocator, 1 + next_byte() % NUM_CLIENTS,
                            ct_string_builder_text(&message), message.length, &answer);
    CT_ASSERT(is_json, "no JSON was written: %s", ct_string_builder_text(&message));
    check_answer(&answer);
    keep_number(ct_string_builder_text(&answer));
}

// --- The game ------------------------------------------------------------------------------------

static void sent(uint32_t client, const char *json) {
    CT_ASSERT(client >= 1 && client <= NUM_CLIENTS, "sent to client %u", client);
    check_text(json);
}

// A stop that has taken many messages ends: first a client is sent on, at last all have left.
static void serve(void) {
    ++num_in_stop;
    if (num_messages < MOST_MESSAGES && num_in_stop < MOST_A_STOP) {
        handle_message();
        return;
    }
    if (num_messages < MOST_MESSAGES) {
        num_in_stop = 0;
        fake_console.has_left[1 + next_byte() % NUM_CLIENTS] = true;
        return;
    }
    for (uint32_t i = 1; i <= NUM_CLIENTS; ++i)
        fake_console.has_left[i] = true;
}

static const char game[] = "Application.sleep = nil\n"
                           "bad = {__index = function() error('index') end}\n"
                           "function deep(n)\n"
                           "  return 1 + deep(n + 1)\n"
                           "end\n"
                           "function walk(n)\n"
                           "  for i = 1, n do\n"
                           "    coroutine.yield(i)\n"
                           "  end\n"
                           "end\n"
                           "local function double(n, ...)\n"
                           "  local two = n * 2\n"
                           "  return two, ...\n"
                           "end\n"
                           "function work(n)\n"
                           "  local sum = 0\n"
                           "  for i = 1, n do\n"
                           "    sum = sum + double(i, 'x')\n"
                           "  end\n"
                           "  return sum\n"
                           "end\n"
                           "n = 0\n"
                           "function update(dt)\n"
                           "  n = n + 1\n"
                           "  walker = walker or coroutine.create(walk)\n"
                           "  coroutine.resume(walker, 3)\n"
                           "  work(60)\n"
                           "  pcall(error, 'caught')\n"
                           "  if n % 4 == 0 then error('a bad frame') end\n"
                           "end\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    start_input(data, size);
    num_messages = num_in_stop = 0;
    last_number = 128;
    engine = fake_engine_start(&(ct_script_desc){.time_limit_seconds = 0.5,
                                                 .stops_long_calls = true,
                                                 .memory_limit_bytes = 32 << 20},
                               game);
    debugger = fake_console_start(engine->allocator, engine->script);
    fake_console.serve = serve;
    fake_console.sent = sent;
    for (uint32_t i = 0; i < NUM_FRAMES; ++i) {
        for (uint32_t k = next_byte() % 12; k > 0 && num_messages < MOST_MESSAGES; --k)
            handle_message();
        ct_debugger_update(debugger);
        ct_script_update(engine->script, 1.0 / 60);
        fake_engine_end_frame();
        memset(fake_console.has_left, 0, sizeof(fake_console.has_left));
    }
    ct_debugger_destroy(debugger);
    CT_ASSERT(!ct_script_lua(engine->script)->debugger, "the machine's debugger has not ended%s",
              "");
    fake_engine_stop(); // asserts that nothing is left
    return 0;
}
