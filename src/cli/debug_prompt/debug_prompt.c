#include "cli/debug_prompt/debug_prompt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/debug_prompt/debug_prompt_private.h"
#include "cli/prompt/console_request.h"
#include "cli/prompt/prompt.h"
#include "foundation/error.h"
#include "foundation/string/utf8.h"

enum { ID_BYTES = 32, READ_BYTES = 4096, PRINTED_BYTES = 16384 };
static const uint64_t slice_ns = 100000000ull;

// --- Printing ------------------------------------------------------------------------------------

// Text of games may hold anything: what is no printable character is escaped.
static void print_to(ct_debug_prompt *p, FILE *file, const char *before, const char *format,
                     va_list arguments) {
    char text[PRINTED_BYTES], shown[PRINTED_BYTES];
    vsnprintf(text, sizeof(text), format, arguments);
    ct_utf8_write_printable_lines(shown, sizeof(shown), text, (uint32_t)strlen(text));
    ct_prompt_line_hide(p->line);
    fprintf(file, "%s%s\n", before, shown);
    fflush(file);
    ct_prompt_line_show(p->line);
}

void ct_debug_prompt_print(ct_debug_prompt *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_to(p, stdout, "", format, arguments);
    va_end(arguments);
}

void ct_debug_prompt_error(ct_debug_prompt *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_to(p, p->line ? stdout : stderr, "error: ", format, arguments);
    va_end(arguments);
    p->has_failed = true;
}

// --- What the game says --------------------------------------------------------------------------

const char *ct_debug_prompt_text(const ct_sjson *doc, ct_sjson_value object, const char *key) {
    return ct_sjson_string(doc, ct_sjson_find(doc, object, key), "");
}

uint32_t ct_debug_prompt_number(const ct_sjson *doc, ct_sjson_value object, const char *key) {
    const double number = ct_sjson_number(doc, ct_sjson_find(doc, object, key), 0);
    return number >= 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

// "stopped at scripts/main.lua:12: breakpoint"
static void take_stop(ct_debug_prompt *p, const ct_sjson *doc, ct_sjson_value stop) {
    const char *const reason = ct_debug_prompt_text(doc, stop, "reason");
    const char *const text = ct_debug_prompt_text(doc, stop, "text");
    p->is_stopped = p->has_news = true;
    p->stopped_thread = ct_debug_prompt_number(doc, stop, "thread");
    p->source_line = ct_debug_prompt_number(doc, stop, "line");
    snprintf(p->script, sizeof(p->script), "%s", ct_debug_prompt_text(doc, stop, "script"));
    ct_string_builder_clear(&p->reason);
    if (p->source_line == 0)
        ct_string_builder_add(&p->reason, "the game waits before its first line");
    else
        ct_string_builder_addf(&p->reason, "stopped at %s:%u: %s", p->script, p->source_line,
                               reason);
    ct_sjson_value id = ct_sjson_first(doc, ct_sjson_find(doc, stop, "breakpoints"));
    p->num_hits = 0;
    for (; id.entry != 0 && p->num_hits < CT_DEBUG_PROMPT_MAX_HITS; id = ct_sjson_next(doc, id))
        p->hits[p->num_hits++] = (uint32_t)ct_sjson_number(doc, id, 0);
    if (text[0] != '\0')
        ct_string_builder_addf(&p->reason, ": %s", text);
}

static void take_breakpoint(ct_debug_prompt *p, const ct_sjson *doc, ct_sjson_value event) {
    const uint32_t id = ct_debug_prompt_number(doc, event, "breakpoint");
    for (uint32_t i = 0; i < p->breakpoints.count; ++i) {
        ct_debug_prompt_breakpoint *const b = &p->breakpoints.items[i];
        if (b->id != id)
            continue;
        b->is_verified = ct_sjson_bool(doc, ct_sjson_find(doc, event, "verified"), false);
        b->line = ct_debug_prompt_number(doc, event, "line");
        ct_debug_prompt_print(p, "breakpoint %u is at %s:%u now", b->number, b->script, b->line);
    }
}

static void take_event(ct_debug_prompt *p, const ct_sjson *doc, ct_sjson_value event) {
    const char *const kind = ct_debug_prompt_text(doc, event, "event");
    if (strcmp(kind, "stopped") == 0)
        take_stop(p, doc, event);
    else if (strcmp(kind, "continued") == 0)
        p->is_stopped = p->has_news = false;
    else if (strcmp(kind, "breakpoint") == 0)
        take_breakpoint(p, doc, event);
    else if (strcmp(kind, "log") == 0)
        ct_debug_prompt_print(p, "%s:%u: %s", ct_debug_prompt_text(doc, event, "script"),
                              ct_debug_prompt_number(doc, event, "line"),
                              ct_debug_prompt_text(doc, event, "text"));
    else if (strcmp(kind, "script") == 0 &&
             strcmp(ct_debug_prompt_text(doc, event, "reason"), "changed") == 0)
        ct_debug_prompt_print(p, "%s has changed", ct_debug_prompt_text(doc, event, "script"));
}

static void said(void *user, ct_prompt_engine *engine, const ct_message *message,
                 const ct_sjson *doc) {
    ct_debug_prompt *const p = user;
    const ct_sjson_value root = ct_sjson_root(doc);
    const char *const type = ct_debug_prompt_text(doc, root, "type");
    char id[ID_BYTES];
    (void)engine;
    snprintf(id, sizeof(id), "%u", p->last_id);
    if (strcmp(type, "debugger") == 0) {
        take_event(p, doc, root);
    } else if (strcmp(type, "error") == 0 && ct_sjson_find(doc, root, "id").entry == 0) {
        ct_debug_prompt_error(p, "%s", ct_debug_prompt_text(doc, root, "message"));
    } else if (strcmp(type, "message") == 0 && p->line) {
        ct_debug_prompt_print(p, "[%s] %s", ct_debug_prompt_text(doc, root, "system"),
                              ct_debug_prompt_text(doc, root, "message"));
    } else if (p->is_awaited && strcmp(ct_debug_prompt_text(doc, root, "id"), id) == 0) {
        ct_string_builder_clear(&p->answer);
        ct_string_builder_add_bytes(&p->answer, message->json, message->json_bytes);
        p->is_awaited = false;
    }
}

static void came(void *user, ct_prompt_engine *engine) {
    (void)user, (void)engine;
}

static void went(void *user, ct_prompt_engine *engine, const char *reason) {
    ct_debug_prompt *const p = user;
    (void)engine;
    if (!p->is_attached)
        return;
    ct_debug_prompt_print(p, "%s%s", reason, p->line ? "; Enter leaves the prompt" : "");
    p->is_quitting = true;
    p->is_attached = p->is_stopped = p->has_news = false;
}

// --- Requests ------------------------------------------------------------------------------------

ct_sjson_writer *ct_debug_prompt_begin(ct_debug_prompt *p, const char *type) {
    char id[ID_BYTES];
    snprintf(id, sizeof(id), "%u", ++p->last_id);
    ct_string_builder_clear(&p->request);
    ct_sjson_writer_init(&p->writer, &p->request, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&p->writer);
    ct_sjson_member_string(&p->writer, "type", type);
    ct_sjson_member_string(&p->writer, "id", id);
    return &p->writer;
}

// Waits until `*flag` is `wanted`; false when the time is up, the game has ended or Ctrl-C was pressed.
static bool wait_until(ct_debug_prompt *p, const bool *flag, bool wanted) {
    const uint64_t end_ns = ct_os_time_ns() + (uint64_t)(p->timeout_seconds * 1e9);
    while (*flag != wanted) {
        if (p->engines.list[0].socket < 0 || ct_os_time_ns() >= end_ns || ct_os_take_interrupt())
            return false;
        ct_prompt_engines_wait(&p->engines, slice_ns, false);
    }
    return true;
}

ct_sjson *ct_debug_prompt_ask(ct_debug_prompt *p) {
    ct_error error = {0};
    ct_sjson_end_object(&p->writer);
    p->is_awaited = true;
    if (!ct_prompt_engine_send(&p->engines, &p->engines.list[0], &p->request) ||
        !wait_until(p, &p->is_awaited, false)) {
        ct_debug_prompt_error(p, "the game has not answered");
        p->is_awaited = false;
        return NULL;
    }
    ct_sjson *const doc = ct_sjson_parse(p->allocator, ct_string_builder_text(&p->answer),
                                         p->answer.length, "the engine's answer", NULL, &error);
    if (!doc) {
        ct_debug_prompt_error(p, "%s", error.message);
        return NULL;
    }
    const ct_sjson_value root = ct_sjson_root(doc);
    const bool is_refused = strcmp(ct_debug_prompt_text(doc, root, "type"), "error") == 0;
    const char *const wrong = ct_debug_prompt_text(doc, root, is_refused ? "message" : "error");
    if (wrong[0] == '\0' && !is_refused)
        return doc;
    ct_debug_prompt_error(p, "%s", wrong);
    ct_sjson_free(doc);
    return NULL;
}

bool ct_debug_prompt_tell(ct_debug_prompt *p) {
    ct_sjson *const doc = ct_debug_prompt_ask(p);
    if (!doc)
        return false;
    ct_sjson_free(doc);
    return true;
}

bool ct_debug_prompt_wait_for_stop(ct_debug_prompt *p) {
    if (wait_until(p, &p->is_stopped, true)) {
        ct_debug_prompt_show_stop(p);
        return true;
    }
    if (p->engines.list[0].socket >= 0)
        ct_debug_prompt_error(p, "the game has not stopped within %g seconds (--timeout)",
                              p->timeout_seconds);
    return false;
}

static bool attach(ct_debug_prompt *p) {
    ct_sjson_member_string(ct_debug_prompt_begin(p, "debugger_attach"), "name",
                           "cuttle console debug");
    ct_sjson *const doc = ct_debug_prompt_ask(p);
    if (!doc)
        return false;
    const ct_sjson_value root = ct_sjson_root(doc);
    p->is_attached = true;
    snprintf(p->project, sizeof(p->project), "%s", ct_debug_prompt_text(doc, root, "project"));
    snprintf(p->core, sizeof(p->core), "%s", ct_debug_prompt_text(doc, root, "core"));
    const ct_sjson_value stop = ct_sjson_find(doc, root, "stopped");
    if (ct_sjson_type_of(doc, stop) == CT_SJSON_TYPE_OBJECT)
        take_stop(p, doc, stop);
    ct_sjson_free(doc);
    if (p->has_news)
        ct_debug_prompt_show_stop(p);
    return true;
}

// --- At a terminal -------------------------------------------------------------------------------

static bool wait_for_input(void *user) {
    ct_debug_prompt *const p = user;
    const bool has_input = ct_prompt_engines_wait(&p->engines, slice_ns, true);
    if (p->has_news)
        ct_debug_prompt_show_stop(p);
    return has_input;
}

static const char *text_before(void *user) {
    const ct_debug_prompt *const p = user;
    return p->is_stopped ? "stopped> " : "running> ";
}

static void complete(void *user, const char *text, ct_string_builder *insert,
                     ct_string_builder *list) {
    ct_debug_prompt *const p = user;
    ct_string_array names;
    uint32_t start = 0;
    ct_array_init(&names, p->allocator);
    if (strcspn(text, " .:[(") == strlen(text))
        ct_debug_prompt_add_command_names(&names);
    if (p->is_stopped) {
        ct_sjson_writer *const w = ct_debug_prompt_begin(p, "debugger_complete");
        ct_sjson_member_string(w, "text", text);
        ct_sjson_member_number(w, "frame", p->frame);
        ct_sjson *const doc = ct_debug_prompt_ask(p);
        if (doc) {
            start = ct_debug_prompt_number(doc, ct_sjson_root(doc), "start");
            ct_sjson_value name =
                ct_sjson_first(doc, ct_sjson_find(doc, ct_sjson_root(doc), "names"));
            for (; name.entry != 0; name = ct_sjson_next(doc, name))
                ct_prompt_add_name(&names, ct_sjson_string(doc, name, ""));
            ct_sjson_free(doc);
        }
    }
    if (start <= strlen(text))
        ct_prompt_complete(text + start, &names, ct_os_terminal_columns(1), insert, list);
    ct_prompt_free_names(&names);
}

static void run_terminal(ct_debug_prompt *p) {
    ct_string_builder text, last;
    ct_string_builder_init(&text, p->allocator);
    ct_string_builder_init(&last, p->allocator);
    ct_debug_prompt_print(p, "Type `help` for help; Ctrl-D lets the game go on.");
    while (!p->is_quitting) {
        const ct_prompt_line_result result = ct_prompt_line_read(p->line, &text);
        if (result == CT_PROMPT_LINE_RESULT_END)
            break;
        if (result == CT_PROMPT_LINE_RESULT_INTERRUPTED)
            continue;
        // An empty line does the last step again.
        const bool is_empty = text.length == 0;
        if (!is_empty) {
            ct_prompt_line_remember(p->line, ct_string_builder_text(&text));
            ct_prompt_history_add(&p->history, ct_string_builder_text(&text));
            ct_string_builder_clear(&last);
            ct_string_builder_add(&last, ct_string_builder_text(&text));
        }
        if (!is_empty || p->is_stopped)
            ct_debug_prompt_run_line(p, ct_string_builder_text(&last));
    }
    putchar('\n');
    ct_string_builder_free(&text);
    ct_string_builder_free(&last);
}

// --- From a file ---------------------------------------------------------------------------------

static void run_file(ct_debug_prompt *p) {
    ct_string_builder input;
    char bytes[READ_BYTES];
    int64_t count;
    ct_string_builder_init(&input, p->allocator);
    while ((count = ct_os_file_read(0, bytes, sizeof(bytes))) > 0)
        ct_string_builder_add_bytes(&input, bytes, (uint32_t)count);
    char *line = input.length > 0 ? input.text : NULL;
    while (line && *line != '\0' && !p->is_quitting) {
        char *const end = line + strcspn(line, "\n");
        const bool is_last = *end == '\0';
        *end = '\0';
        if (line[0] != '\0')
            ct_debug_prompt_run_line(p, line);
        line = is_last ? end : end + 1;
    }
    ct_string_builder_free(&input);
}

// --- Life cycle ----------------------------------------------------------------------------------

static bool open_engine(ct_debug_prompt *p, const char *address, ct_error *error) {
    char host[256] = "127.0.0.1";
    uint16_t port = 0;
    if (!address)
        port = ct_prompt_choose_engine();
    else if (!ct_console_parse_address(address, host, sizeof(host), &port, error))
        return false;
    return ct_prompt_engines_add(&p->engines, host, port, error);
}

static bool open_terminal(ct_debug_prompt *p, ct_error *error) {
    if (!ct_os_is_terminal(0) || !ct_os_is_terminal(1))
        return true;
    const ct_prompt_line_events events = {
        .user = p, .wait = wait_for_input, .prompt = text_before, .complete = complete};
    char path[CT_PATH_BYTES];
    ct_prompt_history_path(path);
    ct_prompt_history_free(&p->history);
    ct_prompt_history_init(&p->history, p->allocator, path);
    p->line = ct_prompt_line_create(p->allocator, &events, &p->history, error);
    return p->line != NULL;
}

static int run_prompt(ct_debug_prompt *p, const char *address) {
    ct_error error = {0};
    if (!open_engine(p, address, &error)) {
        fprintf(stderr, "cuttle console debug: %s\n", error.message);
        return 2;
    }
    ct_prompt_engines_look(&p->engines);
    const ct_prompt_engine *const engine = &p->engines.list[0];
    if (engine->socket < 0) {
        fprintf(stderr,
                "cuttle console debug: nothing answers at %s:%u; `cuttle run PROJECT` starts a "
                "game\n",
                engine->host, engine->port);
        return 1;
    }
    if (!open_terminal(p, &error)) {
        fprintf(stderr, "cuttle console debug: %s\n", error.message);
        return 1;
    }
    if (!attach(p))
        return 1;
    if (p->line)
        run_terminal(p);
    else
        run_file(p);
    if (p->is_attached) { // the game goes on; the connection's end would do so, too
        ct_debug_prompt_begin(p, "debugger_detach");
        p->is_attached = !ct_debug_prompt_tell(p);
    }
    if (p->line && !ct_prompt_history_save(&p->history, &error))
        fprintf(stderr, "cuttle console debug: cannot save the history: %s\n", error.message);
    return !p->line && p->has_failed ? 1 : 0;
}

int ct_debug_prompt_run(ct_allocator *a, const char *address, const char *token,
                        double timeout_seconds) {
    ct_debug_prompt *const p = CT_NEW(a, ct_debug_prompt);
    p->allocator = a;
    p->timeout_seconds = timeout_seconds;
    ct_array_init(&p->breakpoints, a);
    ct_array_init(&p->watches, a);
    ct_string_builder_init(&p->reason, a);
    ct_string_builder_init(&p->request, a);
    ct_string_builder_init(&p->answer, a);
    ct_prompt_history_init(&p->history, a, "");
    const ct_prompt_engines_events events = {.user = p, .came = came, .went = went, .said = said};
    ct_prompt_engines_init(&p->engines, a, &events);
    p->engines.token = token;
    const int code = run_prompt(p, address);
    ct_prompt_line_destroy(p->line);
    ct_prompt_history_free(&p->history);
    ct_prompt_engines_free(&p->engines);
    ct_string_builder_free(&p->reason);
    ct_string_builder_free(&p->request);
    ct_string_builder_free(&p->answer);
    ct_prompt_free_names(&p->watches);
    ct_array_free(&p->breakpoints);
    ct_free_sized(a, p, sizeof(*p));
    return code;
}
