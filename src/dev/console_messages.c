#include "dev/console_messages.h"

#include <string.h>

#include "dev/console_complete.h"
#include "dev/debugger/debugger.h"
#include "dev/inspect/log_history.h"
#include "dev/protocol/protocol_areas.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_number.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/utf8.h"
#include "lua/lua_machine.h"

enum { MAX_RESULT_BYTES = 1 << 20 };

void ct_console_write_error(ct_string_builder *answer, const char *message) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, answer, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", "error");
    ct_sjson_member_string(&w, "message", message);
    ct_sjson_end_object(&w);
}

// Cuts a text that is too long for an answer.
static void cut(ct_string_builder *text) {
    if (text->length <= MAX_RESULT_BYTES)
        return;
    text->text[MAX_RESULT_BYTES] = '\0';
    text->length = MAX_RESULT_BYTES;
    ct_string_builder_add(text, "… (cut)");
}

// Answers with `text` under `key` ("result" or "error"), a traceback when there is one, and whether
// more lines may mend the error.
static void answer_result(ct_console_request *r, const char *key, const ct_string_builder *text,
                          const ct_string_builder *traceback, bool is_unfinished) {
    ct_console_begin_answer(r, "result");
    ct_sjson_member_bytes(&r->w, key, ct_string_builder_text(text), text->length);
    if (traceback)
        ct_sjson_member_string(&r->w, "traceback", ct_string_builder_text(traceback));
    if (is_unfinished)
        ct_sjson_member_bool(&r->w, "unfinished", true);
    ct_sjson_end_object(&r->w);
}

// Logs a failure for which the client wants no answer.
static void log_failure(const ct_console_request *r, const char *id,
                        const ct_string_builder *message, const ct_string_builder *traceback) {
    const uint64_t bytes = 4 * (uint64_t)message->length + 8; // an escape is 4 bytes at most
    char *const shown = ct_alloc(r->target->allocator, bytes);
    ct_utf8_write_printable_lines(shown, (uint32_t)bytes, ct_string_builder_text(message),
                                  message->length);
    ct_log_error_limited("console", id, "%s\n%s", shown, ct_string_builder_text(traceback));
    ct_free(r->target->allocator, shown);
}

// --- Messages ------------------------------------------------------------------------------------

static void handle_script(ct_console_request *r) {
    const ct_sjson_value value = ct_sjson_find(r->doc, r->root, "script");
    const char *const lua = ct_sjson_string(r->doc, value, NULL);
    if (!lua) {
        ct_console_answer_error(r, "a message of type \"script\" needs a string \"script\"");
        return;
    }
    ct_string_builder result CT_CLEANUP(ct_string_builder_free);
    ct_string_builder traceback CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&result, r->target->allocator);
    ct_string_builder_init(&traceback, r->target->allocator);
    ct_script *const script = ct_app_script(r->target->app);
    const bool is_done = ct_lua_execute_bytes(
        ct_script_lua(script), lua, ct_sjson_string_bytes(r->doc, value), &result, &traceback);
    cut(&result);
    if (r->id.entry != 0)
        answer_result(r, is_done ? "result" : "error", &result, is_done ? NULL : &traceback,
                      ct_lua_is_unfinished(ct_script_lua(script)));
    else if (!is_done)
        log_failure(r, "console_script", &result, &traceback);
}

// The arguments of a command as text; numbers are converted.
typedef struct command_arguments {
    const char *texts[CT_CONSOLE_MAX_ARGUMENTS];
    char numbers[CT_CONSOLE_MAX_ARGUMENTS][CT_SJSON_NUMBER_BYTES + 1];
    uint32_t count;
} command_arguments;

static bool add_argument(const ct_console_request *r, ct_sjson_value value, command_arguments *list,
                         ct_error *error) {
    const ct_sjson_type type = ct_sjson_type_of(r->doc, value);
    if (list->count == CT_CONSOLE_MAX_ARGUMENTS)
        return ct_error_set(error, "too many arguments; expected at most %d",
                            (int)CT_CONSOLE_MAX_ARGUMENTS);
    const char **const text = &list->texts[list->count];
    if (type == CT_SJSON_TYPE_STRING) {
        *text = ct_console_name(r, value);
        if (!*text)
            return ct_error_set(error,
                                "argument %u has a zero byte; expected a string without zero bytes",
                                list->count + 1);
    } else if (type == CT_SJSON_TYPE_NUMBER) {
        char *const number = list->numbers[list->count];
        number[ct_sjson_number_format(ct_sjson_number(r->doc, value, 0), number)] = '\0';
        *text = number;
    } else {
        return ct_error_set(error, "argument %u is %s; expected a string or a number",
                            list->count + 1, ct_sjson_type_name(type));
    }
    ++list->count;
    return true;
}

static bool read_arguments(const ct_console_request *r, const ct_console_command *command,
                           command_arguments *list, ct_error *error) {
    const ct_sjson_value array = ct_sjson_find(r->doc, r->root, "arguments");
    const ct_sjson_type type = ct_sjson_type_of(r->doc, array);
    if (type == CT_SJSON_TYPE_NONE) {
        const ct_sjson_value value =
            command->member ? ct_sjson_find(r->doc, r->root, command->member) : (ct_sjson_value){0};
        return value.entry == 0 || add_argument(r, value, list, error);
    }
    if (type != CT_SJSON_TYPE_ARRAY)
        return ct_error_set(error, "\"arguments\" is %s; expected an array",
                            ct_sjson_type_name(type));
    ct_sjson_value value = ct_sjson_first(r->doc, array);
    for (; value.entry != 0; value = ct_sjson_next(r->doc, value)) {
        if (!add_argument(r, value, list, error))
            return false;
    }
    return true;
}

static void handle_command(ct_console_request *r) {
    const char *const name = ct_console_text(r, "command");
    if (!name) {
        ct_console_answer_error(
            r, "a message of type \"command\" needs a string \"command\" without zero bytes");
        return;
    }
    ct_string_builder result CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&result, r->target->allocator);
    const ct_console_command *const command = ct_console_command_named(name);
    command_arguments list = {.count = 0};
    ct_error error = {0};
    const bool is_done = command ? read_arguments(r, command, &list, &error) &&
                                       ct_console_command_run(command, r->target, list.count,
                                                              list.texts, &result, &error)
                                 : ct_console_unknown_command(name, &error);
    if (r->target->answers_later)
        return;
    if (!is_done) {
        ct_string_builder_clear(&result);
        ct_string_builder_add(&result, error.message);
    }
    cut(&result);
    if (r->id.entry != 0)
        answer_result(r, is_done ? "result" : "error", &result, NULL, false);
    else if (!command)
        ct_console_answer_error(r, error.message);
    else if (!is_done)
        ct_log_error_limited("console", "console_command", "%s: %s", name, error.message);
}

static void handle_complete(ct_console_request *r) {
    const char *const text = ct_console_text(r, "text");
    if (!text) {
        ct_console_answer_error(
            r, "a message of type \"complete\" needs a string \"text\" without zero bytes");
        return;
    }
    ct_string_builder names CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&names, r->target->allocator);
    const uint32_t start = ct_debugger_is_stopped(r->target->debugger)
                               ? ct_debugger_complete(r->target->debugger, text, &names)
                               : ct_console_complete(r->target, text, &names);
    ct_console_begin_answer(r, "completions");
    ct_sjson_member_number(&r->w, "start", start);
    ct_sjson_write_key(&r->w, "names");
    ct_sjson_begin_array(&r->w);
    const char *name = ct_string_builder_text(&names);
    while (*name != '\0') {
        const uint32_t bytes = (uint32_t)strcspn(name, "\n");
        ct_sjson_write_string_bytes(&r->w, name, bytes);
        name += bytes + (name[bytes] == '\n');
    }
    ct_sjson_end_array(&r->w);
    ct_sjson_end_object(&r->w);
}

static void handle_reload(ct_console_request *r) {
    if (!r->target->reload) {
        ct_console_answer_error(r, "cannot reload: this game runs without a compiler");
        return;
    }
    ct_hot_reload_request(r->target->reload);
    if (r->id.entry != 0) {
        ct_console_begin_answer(r, "result");
        ct_sjson_member_string(&r->w, "result", "reload");
        ct_sjson_end_object(&r->w);
    }
}

static void handle_ping(ct_console_request *r) {
    ct_console_begin_answer(r, "pong");
    ct_sjson_end_object(&r->w);
}

// Passes messages of types that are not in the table to the game.
static void handle_unknown(ct_console_request *r) {
    ct_script *const script = ct_app_script(r->target->app);
    if (!ct_console_text(r, "type") || !ct_script_can_receive(script)) {
        ct_console_answer_error(
            r, "\"type\" must be script, command, complete, reload, ping or one of the "
               "debugger; other types need a global function console_receive in the game");
        return;
    }
    ct_string_builder answer CT_CLEANUP(ct_string_builder_free);
    ct_string_builder traceback CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&answer, r->target->allocator);
    ct_string_builder_init(&traceback, r->target->allocator);
    if (ct_script_receive(script, r->doc, &answer, &traceback))
        ct_string_builder_add_bytes(r->w.out, ct_string_builder_text(&answer), answer.length);
    else if (r->id.entry != 0)
        answer_result(r, "error", &answer, &traceback, false);
    else
        log_failure(r, "console_receive", &answer, &traceback);
}

// --- Types ---------------------------------------------------------------------------------------

// Whether a debugger has stopped the game, and the message is not one of those that are handled then.
static bool must_be_refused(const ct_console_request *r, const ct_protocol_message *row) {
    static const char *const commands[] = {"help", "memory", "quit"};
    if (!ct_debugger_is_stopped(r->target->debugger))
        return false;
    const char *const type = ct_console_text(r, "type");
    if (!row)
        return !type || !ct_debugger_is_message(type);
    if (!row->works_stopped || row->handle != handle_command)
        return !row->works_stopped;
    const char *const command = ct_console_text(r, "command");
    for (uint32_t i = 0; command && i < CT_COUNT_OF(commands); ++i) {
        if (strcmp(command, commands[i]) == 0)
            return false;
    }
    return true;
}

static void refuse(ct_console_request *r) {
    CT_CLEANUP(ct_string_builder_free) ct_string_builder text;
    ct_string_builder_init(&text, r->target->allocator);
    ct_string_builder_add(&text, "the game has stopped ");
    ct_debugger_describe_stop(r->target->debugger, &text);
    ct_string_builder_add(&text,
                          "; until it goes on, expected ping, complete, a message that lists "
                          "things or entity_set, a message of the debugger, or one of the "
                          "commands help, memory and quit");
    if (r->id.entry != 0)
        answer_result(r, "error", &text, NULL, false);
    else
        ct_console_answer_error(r, ct_string_builder_text(&text));
}

// --- The area ------------------------------------------------------------------------------------

static const ct_protocol_message messages[] = {
    {.type = "script",
     .summary =
         "runs Lua on the update thread, between two frames. Without an id, errors are logged",
     .members = CT_PROTOCOL_MEMBERS({"script", "string", "an expression or statements"}),
     .answer = CT_PROTOCOL_MEMBERS(
         {"result", "string?", "the returned values as text, separated by tabs"},
         {"error", "string?", "why it failed, in place of the result"},
         {"traceback", "string?", "of the error"},
         {"unfinished", "boolean?",
          "true: the text ends too early, and more lines may "
          "complete it"}),
     .handle = handle_script},
    {.type = "complete",
     .summary =
         "lists what can follow in a text: globals of Lua, members after `a.b.` or `a:`, names of "
         "resources inside quotes; at most 512. Runs no Lua",
     .members = CT_PROTOCOL_MEMBERS({"text", "string", "what somebody has typed"}),
     .answer =
         CT_PROTOCOL_MEMBERS({"start", "integer", "the byte of the text that the names begin at"},
                             {"names", "string[]", "what can be there"}),
     .answer_type = "completions",
     .works_stopped = true,
     .handle = handle_complete},
    {.type = "command",
     .summary =
         "runs a command of the console; the command `help` lists them. Without an id, errors are "
         "logged",
     .members = CT_PROTOCOL_MEMBERS({"command", "string", "its name"},
                                    {"arguments", "(string|number)[]?", "what follows the name"},
                                    {"exit_code", "integer?", "of the command quit"},
                                    {"file", "string?",
                                     "of the command screenshot: always refused, since clients "
                                     "write pictures"}),
     .answer = CT_PROTOCOL_MEMBERS({"result", "string?", "text for people"},
                                   {"error", "string?", "why it failed, in place of the result"},
                                   {"file_type", "string?", "of the binary data: png"}),
     .has_binary = true,
     .works_stopped = true,
     .handle = handle_command},
    {.type = "reload",
     .summary = "looks for changed sources now, without waiting for the system's notice",
     .answer = CT_PROTOCOL_MEMBERS({"result", "string?", "reload"}),
     .handle = handle_reload},
    {.type = "ping",
     .summary = "asks for a sign of life",
     .answer = ct_protocol_no_members,
     .answer_type = "pong",
     .works_stopped = true,
     .handle = handle_ping},
};

static const ct_protocol_event events[] = {
    {.type = "message",
     .summary = "a message of the log, to every client",
     .members = CT_PROTOCOL_MEMBERS(CT_PROTOCOL_LOG_MEMBERS)},
    {.type = "error",
     .summary =
         "the engine did not understand a message, or is about to close the connection, and why",
     .members = CT_PROTOCOL_MEMBERS({"id", "any?", "of the message"},
                                    {"message", "string", "the reason"})},
};

const ct_protocol_area ct_console_area = {
    .name = "console",
    .summary = "Lua, commands and the log.",
    .messages = messages,
    .num_messages = CT_COUNT_OF(messages),
    .events = events,
    .num_events = CT_COUNT_OF(events),
};

// --- All messages --------------------------------------------------------------------------------

// Takes back what was written behind `length`.
static void shorten(ct_string_builder *b, uint32_t length) {
    b->length = length;
    if (b->text)
        b->text[length] = '\0';
}

// Answers by the function of a row; what it wrote before it failed is taken back.
static void run_row(ct_console_request *r, const ct_protocol_message *row) {
    const uint32_t start = r->w.out->length;
    if (ct_protocol_check(row, r->doc, r->root, &r->error)) {
        ct_console_begin_answer(r, row->answer_type ? row->answer_type : "result");
        if (row->run(r)) {
            ct_sjson_end_object(&r->w);
            if (r->target->answers_later || r->id.entry == 0)
                shorten(r->w.out, start);
            return;
        }
        shorten(r->w.out, start);
        ct_sjson_writer_init(&r->w, r->w.out, CT_SJSON_STYLE_JSON);
    }
    ct_console_begin_answer(r, "result");
    ct_sjson_member_string(&r->w, "error", r->error.message);
    ct_sjson_end_object(&r->w);
}

bool ct_console_handle(ct_console_target *target, const char *json, uint32_t bytes,
                       ct_string_builder *answer, ct_error *reason) {
    ct_sjson *const doc = ct_sjson_parse(target->allocator, json, bytes, "message", NULL, reason);
    if (!doc)
        return false;
    ct_console_request r = {.target = target, .doc = doc, .root = ct_sjson_root(doc)};
    r.id = ct_sjson_find(doc, r.root, "id");
    target->message = doc;
    target->id = r.id;
    target->answers_later = false;
    ct_sjson_writer_init(&r.w, answer, CT_SJSON_STYLE_JSON);
    const char *const type = ct_console_text(&r, "type");
    const ct_protocol_message *const row = type ? ct_protocol_message_named(type) : NULL;
    if (must_be_refused(&r, row))
        refuse(&r);
    else if (row && row->run)
        run_row(&r, row);
    else if (row)
        row->handle(&r);
    else if (type && ct_debugger_is_message(type))
        ct_debugger_handle(target->debugger, target, answer);
    else
        handle_unknown(&r);
    ct_sjson_free(doc);
    return true;
}
