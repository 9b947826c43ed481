#include "cli/prompt/prompt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/prompt/console_request.h"
#include "dev/console_commands.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/utf8.h"

enum { ID_BYTES = 32, READ_BYTES = 4096, FIRST_PORT = 64000 };
static const uint64_t slice_ns = 100000000ull;
static const uint64_t complete_limit_ns = 1000000000ull;

#define COLOUR_NONE "\033[0m"
#define COLOUR_FAINT "\033[2m"
#define COLOUR_YELLOW "\033[33m"
#define COLOUR_RED "\033[31m"

// --- Printing ------------------------------------------------------------------------------------

void ct_prompt_print(ct_prompt *p, const char *format, ...) {
    va_list arguments;
    ct_prompt_line_hide(p->line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    ct_prompt_line_show(p->line);
}

// Prints text from an engine: its name first when there are several.
static void print_of(ct_prompt *p, const ct_prompt_engine *engine, const char *colour,
                     const ct_string_builder *text) {
    const bool is_named = p->engines.count > 1;
    const bool is_coloured = p->is_coloured && colour;
    const uint32_t bytes = 4 * text->length + 8; // an escape is 4 bytes at most
    char *const shown = ct_alloc(p->allocator, bytes);
    ct_utf8_write_printable_lines(shown, bytes, ct_string_builder_text(text), text->length);
    ct_prompt_print(p, "%s%s%s%s%s", is_named ? engine->name : "", is_named ? ": " : "",
                    is_coloured ? colour : "", shown, is_coloured ? COLOUR_NONE : "");
    ct_free(p->allocator, shown);
}

// --- What engines say ----------------------------------------------------------------------------

static const char *text_of(const ct_sjson *doc, const char *key, const char *otherwise) {
    return ct_sjson_string(doc, ct_sjson_find(doc, ct_sjson_root(doc), key), otherwise);
}

// Appends a string of the message with all its bytes; true when there was one that is not empty.
static bool add_text(ct_string_builder *out, const ct_sjson *doc, const char *before,
                     const char *key) {
    const ct_sjson_value value = ct_sjson_find(doc, ct_sjson_root(doc), key);
    const uint32_t bytes = ct_sjson_string_bytes(doc, value);
    if (bytes == 0)
        return false;
    ct_string_builder_add(out, before);
    ct_string_builder_add_bytes(out, ct_sjson_string(doc, value, ""), bytes);
    return true;
}

// Errors of a file's lines go to standard error.
static void print_error(ct_prompt *p, const ct_prompt_engine *engine, ct_string_builder *text) {
    p->has_failed = true;
    if (!p->line)
        ct_string_builder_add_char(text, '\n');
    if (p->line)
        print_of(p, engine, COLOUR_RED, text);
    else
        fwrite(ct_string_builder_text(text), 1, text->length, stderr);
}

static void print_wrong(ct_prompt *p, const ct_prompt_engine *engine, const ct_sjson *doc,
                        const char *key) {
    ct_string_builder text;
    ct_string_builder_init(&text, p->allocator);
    add_text(&text, doc, "error: ", key);
    add_text(&text, doc, "\n", "traceback");
    print_error(p, engine, &text);
    ct_string_builder_free(&text);
}

static void show_logged(ct_prompt *p, const ct_prompt_engine *engine, const ct_sjson *doc) {
    const char *const level = text_of(doc, "level", "error");
    const char *const system = text_of(doc, "system", "");
    const char *const message = text_of(doc, "message", "");
    if (!ct_prompt_filter_shows(&p->filter, level, system, message))
        return;
    const bool is_error = strcmp(level, "error") == 0, is_warning = strcmp(level, "warning") == 0;
    ct_string_builder text;
    ct_string_builder_init(&text, p->allocator);
    ct_string_builder_addf(&text, "[%s] %s", system,
                           is_error     ? "error: "
                           : is_warning ? "warning: "
                                        : "");
    add_text(&text, doc, "", "message");
    print_of(p, engine, is_error ? COLOUR_RED : is_warning ? COLOUR_YELLOW : COLOUR_FAINT, &text);
    ct_string_builder_free(&text);
}

// What a game sends of its own.
static void show_message(ct_prompt *p, const ct_prompt_engine *engine, const ct_sjson *doc) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, p->allocator);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_write_value(&w, doc, ct_sjson_root(doc));
    print_of(p, engine, COLOUR_FAINT, &text);
    ct_string_builder_free(&text);
}

static void take_names(ct_prompt *p, const ct_sjson *doc) {
    const ct_sjson_value root = ct_sjson_root(doc);
    p->names_start = (uint32_t)ct_sjson_number(doc, ct_sjson_find(doc, root, "start"), 0);
    ct_sjson_value name = ct_sjson_first(doc, ct_sjson_find(doc, root, "names"));
    for (; name.entry != 0; name = ct_sjson_next(doc, name))
        ct_prompt_add_name(&p->names, ct_sjson_string(doc, name, ""));
}

static void take_result(ct_prompt *p, const ct_prompt_engine *engine, const ct_sjson *doc) {
    const bool is_refused = strcmp(text_of(doc, "type", ""), "error") == 0;
    const char *const wrong = is_refused ? "message" : "error";
    ct_string_builder result;
    ct_string_builder_init(&result, p->allocator);
    if (ct_sjson_bool(doc, ct_sjson_find(doc, ct_sjson_root(doc), "unfinished"), false))
        p->is_unfinished = true;
    else if (text_of(doc, wrong, NULL))
        print_wrong(p, engine, doc, wrong);
    else if (add_text(&result, doc, "", "result"))
        print_of(p, engine, NULL, &result);
    ct_string_builder_free(&result);
}

// Writes the picture that came with an answer.
static void take_file(ct_prompt *p, const ct_prompt_engine *engine, const ct_message *message) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_string_builder text;
    ct_string_builder_init(&text, p->allocator);
    if (ct_console_save_binary(message, ct_string_builder_text(&p->file), path, &error)) {
        ct_string_builder_addf(&text, "wrote %s", path);
        print_of(p, engine, NULL, &text);
    } else {
        ct_string_builder_addf(&text, "error: %s", error.message);
        print_error(p, engine, &text);
    }
    ct_string_builder_free(&text);
}

static void said(void *user, ct_prompt_engine *engine, const ct_message *message,
                 const ct_sjson *doc) {
    ct_prompt *const p = user;
    char id[ID_BYTES];
    snprintf(id, sizeof(id), "%u", p->last_id);
    const char *const type = text_of(doc, "type", "");
    const bool is_answer = strcmp(text_of(doc, "id", ""), id) == 0;
    engine->is_awaited &= !is_answer;
    if (strcmp(type, "message") == 0 && p->line)
        show_logged(p, engine, doc);
    else if (strcmp(type, "completions") == 0 && is_answer)
        take_names(p, doc);
    else if (is_answer && message->binary_bytes != 0 && p->file.length != 0)
        take_file(p, engine, message);
    else if (strcmp(type, "result") == 0 || strcmp(type, "error") == 0)
        take_result(p, engine, doc);
    else if (strcmp(type, "completions") != 0 && strcmp(type, "message") != 0 && p->line)
        show_message(p, engine, doc);
}

static void came(void *user, ct_prompt_engine *engine) {
    ct_prompt *const p = user;
    if (p->line)
        ct_prompt_print(p, "connected to %s:%u", engine->host, engine->port);
}

static void went(void *user, ct_prompt_engine *engine, const char *reason) {
    ct_prompt *const p = user;
    if (p->line)
        ct_prompt_print(p, "%s: %s", engine->name, reason);
    if (!p->line && engine->is_awaited) {
        fprintf(stderr, "error: %s: %s before it answered\n", engine->name, reason);
        p->has_failed = true;
    }
}

// --- Requests ------------------------------------------------------------------------------------

static bool is_selected(const ct_prompt *p, const ct_prompt_engine *engine) {
    return p->selected[0] == '\0' || strcmp(p->selected, engine->name) == 0;
}

// Sends a request to the engines that lines go to, or to the first of them. Returns whether any
// took it.
static bool send_request(ct_prompt *p, const ct_string_builder *json, bool to_first_only) {
    uint32_t num_sent = 0;
    for (uint32_t i = 0; i < p->engines.count; ++i) {
        ct_prompt_engine *const engine = &p->engines.list[i];
        if (!is_selected(p, engine) || (to_first_only && num_sent != 0))
            continue;
        engine->is_awaited = ct_prompt_engine_send(&p->engines, engine, json);
        num_sent += engine->is_awaited;
    }
    return num_sent != 0;
}

// Waits for all answers that are due; for a time, or until Ctrl-C.
static void wait_for_answers(ct_prompt *p, uint64_t limit_ns) {
    const uint64_t deadline = limit_ns != 0 ? ct_os_time_ns() + limit_ns : UINT64_MAX;
    while (ct_prompt_engines_num_awaited(&p->engines) != 0) {
        ct_prompt_engines_wait(&p->engines, slice_ns, false);
        const bool is_late = ct_os_time_ns() >= deadline;
        if (!is_late && !ct_os_take_interrupt())
            continue;
        for (uint32_t i = 0; i < p->engines.count; ++i)
            p->engines.list[i].is_awaited = false;
        if (is_late && !p->line) {
            fprintf(stderr, "error: no answer within %g seconds\n", p->timeout_seconds);
            p->has_failed = true;
        }
    }
}

static void next_id(ct_prompt *p, char id[ID_BYTES]) {
    snprintf(id, ID_BYTES, "%u", ++p->last_id);
}

// Whether several engines would write one file.
static bool is_ambiguous(const ct_prompt *p) {
    return p->file.length != 0 && p->selected[0] == '\0' &&
           ct_prompt_engines_num_connected(&p->engines) > 1;
}

// Sends what was typed so far, and keeps it when more lines must follow.
static void run_chunk(ct_prompt *p) {
    char id[ID_BYTES];
    ct_string_builder json;
    next_id(p, id);
    ct_string_builder_init(&json, p->allocator);
    ct_string_builder_clear(&p->file);
    ct_console_write_line(ct_string_builder_text(&p->chunk), id, &json, &p->file);
    p->is_unfinished = false;
    if (is_ambiguous(p)) {
        const char *const text = "error: several engines would write the same file; choose one "
                                 "with :use";
        p->has_failed = true;
        if (p->line)
            ct_prompt_print(p, "%s", text);
        else
            fprintf(stderr, "%s\n", text);
    } else if (send_request(p, &json, false)) {
        wait_for_answers(p, p->line ? 0 : (uint64_t)(p->timeout_seconds * 1e9));
    } else {
        p->has_failed = true;
        if (p->line)
            ct_prompt_print(p, "no engine is connected; `cuttle run PROJECT` starts one");
        else
            fprintf(stderr, "cuttle console: no engine is connected\n");
    }
    if (!p->is_unfinished)
        ct_string_builder_clear(&p->chunk);
    ct_string_builder_free(&json);
}

static void run_line(ct_prompt *p, const char *text) {
    const bool is_first = p->chunk.length == 0;
    if (is_first && text[strspn(text, " \t")] == '\0')
        return;
    if (is_first && text[0] == ':') {
        ct_prompt_run_command(p, text);
        return;
    }
    ct_string_builder_addf(&p->chunk, "%s%s", is_first ? "" : "\n", text);
    run_chunk(p);
}

// --- At a terminal -------------------------------------------------------------------------------

static bool wait_for_input(void *user) {
    ct_prompt *const p = user;
    ct_prompt_engines_look(&p->engines);
    return ct_prompt_engines_wait(&p->engines, slice_ns, true);
}

static const char *text_before(void *user) {
    ct_prompt *const p = user;
    const char *const name = p->selected[0] != '\0'                              ? p->selected
                             : ct_prompt_engines_num_connected(&p->engines) == 0 ? "no engine"
                             : p->engines.count == 1 ? p->engines.list[0].name
                                                     : "all";
    snprintf(p->before, sizeof(p->before), "%s%s ", name, p->chunk.length != 0 ? ">>" : ">");
    return p->before;
}

static void ask_for_names(ct_prompt *p, const char *text) {
    char id[ID_BYTES];
    ct_string_builder json;
    ct_sjson_writer w;
    next_id(p, id);
    ct_string_builder_init(&json, p->allocator);
    ct_sjson_writer_init(&w, &json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", "complete");
    ct_sjson_member_string(&w, "id", id);
    ct_sjson_member_string(&w, "text", text);
    ct_sjson_end_object(&w);
    if (send_request(p, &json, true))
        wait_for_answers(p, complete_limit_ns);
    ct_string_builder_free(&json);
}

static void complete(void *user, const char *text, ct_string_builder *insert,
                     ct_string_builder *list) {
    ct_prompt *const p = user;
    ct_array_init(&p->names, p->allocator);
    p->names_start = 0;
    if (text[0] == ':')
        ct_prompt_add_command_names(&p->names);
    else
        ask_for_names(p, text);
    if (p->names_start == 0 && text[0] != ':' && text[0] != '\0') {
        uint32_t count = 0;
        const ct_console_command *const commands = ct_console_commands(&count);
        for (uint32_t i = 0; i < count; ++i)
            ct_prompt_add_name(&p->names, commands[i].name);
    }
    if (p->names_start <= strlen(text))
        ct_prompt_complete(text + p->names_start, &p->names, ct_os_terminal_columns(1), insert,
                           list);
    ct_prompt_free_names(&p->names);
}

static void run_terminal(ct_prompt *p) {
    ct_string_builder text;
    ct_string_builder_init(&text, p->allocator);
    ct_prompt_print(p, "Type `:help` for help; Ctrl-D quits.");
    ct_prompt_engines_look(&p->engines);
    if (ct_prompt_engines_num_connected(&p->engines) == 0)
        ct_prompt_print(p, "Waiting for an engine to start.");
    while (!p->is_quitting) {
        const ct_prompt_line_result result = ct_prompt_line_read(p->line, &text);
        if (result == CT_PROMPT_LINE_RESULT_END)
            break;
        if (result == CT_PROMPT_LINE_RESULT_INTERRUPTED) {
            ct_string_builder_clear(&p->chunk);
            continue;
        }
        const char *const line = ct_string_builder_text(&text);
        if (line[0] != '\0')
            ct_prompt_line_remember(p->line, line);
        ct_prompt_history_add(&p->history, line);
        run_line(p, line);
    }
    if (!p->is_quitting)
        putchar('\n');
    ct_string_builder_free(&text);
}

// --- From a file ---------------------------------------------------------------------------------

static void run_lines(ct_prompt *p, ct_string_builder *input, bool is_end) {
    char *line = input->text;
    uint32_t used = 0;
    while (used < input->length && !p->is_quitting) {
        const uint32_t bytes = (uint32_t)strcspn(line, "\n");
        if (line[bytes] == '\0' && !is_end)
            break;
        used += bytes + (line[bytes] == '\n');
        line[bytes] = '\0';
        run_line(p, line);
        line = input->text + used;
    }
    ct_string_builder rest;
    ct_string_builder_init(&rest, p->allocator);
    ct_string_builder_add_bytes(&rest, input->text + used, input->length - used);
    ct_string_builder_free(input);
    *input = rest;
}

static void run_file(ct_prompt *p) {
    ct_string_builder input;
    ct_string_builder_init(&input, p->allocator);
    ct_prompt_engines_look(&p->engines);
    int64_t count = 0;
    do {
        char bytes[READ_BYTES];
        count = ct_os_file_read(0, bytes, sizeof(bytes));
        ct_string_builder_add_bytes(&input, bytes, count > 0 ? (uint32_t)count : 0);
        if (input.length != 0)
            run_lines(p, &input, count <= 0);
    } while (count > 0 && !p->is_quitting);
    if (p->chunk.length != 0) {
        fprintf(stderr, "error: the input ends in the middle of: %s\n",
                ct_string_builder_text(&p->chunk));
        p->has_failed = true;
    }
    ct_string_builder_free(&input);
}

// --- Life cycle ----------------------------------------------------------------------------------

static bool add_engines(ct_prompt *p, const char *const *addresses, uint32_t count,
                        ct_error *error) {
    for (uint32_t i = 0; i < count; ++i) {
        char host[256];
        uint16_t port = 0;
        if (!ct_console_parse_address(addresses[i], host, sizeof(host), &port, error) ||
            !ct_prompt_engines_add(&p->engines, host, port, error))
            return false;
    }
    return true;
}

uint16_t ct_prompt_choose_engine(void) {
    uint16_t port = FIRST_PORT;
    const uint32_t count = ct_prompt_engines_search(&port);
    if (count > 1)
        fprintf(stderr,
                "cuttle console: to 127.0.0.1:%u, the first of %u games; name another as "
                "127.0.0.1:PORT\n",
                port, count);
    else if (count == 1)
        fprintf(stderr, "cuttle console: to 127.0.0.1:%u\n", port);
    return port;
}

static bool open_terminal(ct_prompt *p, ct_error *error) {
    if (!ct_os_is_terminal(0) || !ct_os_is_terminal(1)) // then one engine, as for one command
        return p->engines.count != 0 ||
               ct_prompt_engines_add(&p->engines, "127.0.0.1", ct_prompt_choose_engine(), error);
    const ct_prompt_line_events events = {
        .user = p, .wait = wait_for_input, .prompt = text_before, .complete = complete};
    char path[CT_PATH_BYTES];
    ct_prompt_history_path(path);
    ct_prompt_history_init(&p->history, p->allocator, path);
    p->is_coloured = true;
    p->line = ct_prompt_line_create(p->allocator, &events, &p->history, error);
    return p->line != NULL;
}

static void close_terminal(ct_prompt *p) {
    ct_error error = {0};
    if (p->line && !ct_prompt_history_save(&p->history, &error))
        fprintf(stderr, "cuttle console: cannot save the history: %s\n", error.message);
    ct_prompt_line_destroy(p->line);
    ct_prompt_history_free(&p->history);
}

int ct_prompt_run(ct_allocator *a, const char *const *addresses, uint32_t num_addresses,
                  const char *token, double timeout_seconds) {
    ct_prompt *const p = CT_NEW(a, ct_prompt);
    p->allocator = a;
    p->timeout_seconds = timeout_seconds;
    ct_string_builder_init(&p->chunk, a);
    ct_string_builder_init(&p->file, a);
    ct_prompt_history_init(&p->history, a, "");
    const ct_prompt_engines_events events = {.user = p, .came = came, .went = went, .said = said};
    ct_prompt_engines_init(&p->engines, a, &events);
    p->engines.token = token;
    ct_error error = {0};
    int code = 0;
    if (!add_engines(p, addresses, num_addresses, &error) || !open_terminal(p, &error)) {
        fprintf(stderr, "cuttle console: %s\n", error.message);
        code = 2;
    } else if (p->line) {
        run_terminal(p);
    } else {
        run_file(p);
        code = p->has_failed ? 1 : 0;
    }
    close_terminal(p);
    ct_prompt_engines_free(&p->engines);
    ct_string_builder_free(&p->chunk);
    ct_string_builder_free(&p->file);
    ct_free_sized(a, p, sizeof(*p));
    return code;
}
