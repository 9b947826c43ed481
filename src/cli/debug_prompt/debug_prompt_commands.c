#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/debug_prompt/debug_prompt_private.h"
#include "cli/prompt/prompt_complete.h"
#include "foundation/error.h"

enum { LINES_AROUND = 5 };

// One command; `argument` is what follows its name, without blanks around.
typedef struct debug_command {
    const char *name, *letter, *usage, *summary;
    void (*run)(ct_debug_prompt *p, const char *argument);
    bool needs_stop;
} debug_command;

// --- Breakpoints ---------------------------------------------------------------------------------

// Sends all breakpoints of a script, and takes where they are.
static bool send_breakpoints(ct_debug_prompt *p, const char *script) {
    ct_sjson_writer *const w = ct_debug_prompt_begin(p, "debugger_breakpoints");
    ct_sjson_member_string(w, "script", script);
    ct_sjson_write_key(w, "breakpoints");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < p->breakpoints.count; ++i) {
        const ct_debug_prompt_breakpoint *const b = &p->breakpoints.items[i];
        if (strcmp(b->script, script) != 0)
            continue;
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "line", b->line);
        if (b->unit[0])
            ct_sjson_member_string(w, "unit", b->unit);
        if (b->condition[0])
            ct_sjson_member_string(w, "condition", b->condition);
        if (b->hits[0])
            ct_sjson_member_string(w, "hits", b->hits);
        if (b->log[0])
            ct_sjson_member_string(w, "log", b->log);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_sjson *const doc = ct_debug_prompt_ask(p);
    if (!doc)
        return false;
    ct_sjson_value place =
        ct_sjson_first(doc, ct_sjson_find(doc, ct_sjson_root(doc), "breakpoints"));
    for (uint32_t i = 0; i < p->breakpoints.count && place.entry != 0; ++i) {
        ct_debug_prompt_breakpoint *const b = &p->breakpoints.items[i];
        if (strcmp(b->script, script) != 0)
            continue;
        b->id = ct_debug_prompt_number(doc, place, "breakpoint");
        b->line = ct_debug_prompt_number(doc, place, "line");
        b->is_verified = ct_sjson_bool(doc, ct_sjson_find(doc, place, "verified"), false);
        const char *const message = ct_debug_prompt_text(doc, place, "message");
        b->is_refused = !b->is_verified && message[0];
        if (message[0])
            ct_debug_prompt_print(p, "breakpoint %u: %s", b->number, message);
        place = ct_sjson_next(doc, place);
    }
    ct_sjson_free(doc);
    return true;
}

static void show_breakpoint(ct_debug_prompt *p, const ct_debug_prompt_breakpoint *b) {
    char more[2 * CT_DEBUG_PROMPT_TEXT_BYTES + 256];
    const char *const state = b->is_refused ? "  (refused)" : "  (waits for its script)";
    snprintf(more, sizeof(more), "%s%s%s%s%s%s%s%s%s", b->unit[0] ? "  unit " : "", b->unit,
             b->condition[0] ? "  if " : "", b->condition, b->hits[0] ? "  hits " : "", b->hits,
             b->log[0] ? "  log " : "", b->log, b->is_verified ? "" : state);
    ct_debug_prompt_print(p, "%4u  %s:%u%s", b->number, b->script, b->line, more);
}

// Splits "SCRIPT:LINE REST", "LINE REST" (of the chosen frame's script) or "" (of its line).
static bool read_place(ct_debug_prompt *p, const char *argument, char script[256], uint32_t *line,
                       const char **rest) {
    const size_t word = strcspn(argument, " \t");
    const char *const colon = memchr(argument, ':', word);
    const char *const digits = colon ? colon + 1 : argument;
    char *end = NULL;
    const unsigned long number = word ? strtoul(digits, &end, 10) : p->source_line;
    const size_t length = colon ? (size_t)(colon - argument) : strlen(p->script);
    if (number == 0 || (!word && !p->is_stopped) || number > INT32_MAX || length == 0 ||
        length > 255 || (word && (end != argument + word || !isdigit((unsigned char)digits[0])))) {
        ct_debug_prompt_error(p, "expected SCRIPT:LINE, such as scripts/main.lua:12, or the LINE "
                                 "alone while the game is stopped in a script");
        return false;
    }
    snprintf(script, 256, "%.*s", (int)length, colon ? argument : p->script);
    *line = (uint32_t)number;
    *rest = argument + word + strspn(argument + word, " \t");
    return true;
}

static bool copy_text(ct_debug_prompt *p, char *out, uint32_t bytes, const char *text) {
    if (strlen(text) < bytes) {
        snprintf(out, bytes, "%s", text);
        return true;
    }
    ct_debug_prompt_error(p, "the text has %u bytes; expected at most %u", (uint32_t)strlen(text),
                          bytes - 1);
    return false;
}

static void add_breakpoint(ct_debug_prompt *p, const ct_debug_prompt_breakpoint *b) {
    if (p->breakpoints.count == CT_DEBUG_PROMPT_MAX_BREAKPOINTS) {
        ct_debug_prompt_error(p, "there are %u breakpoints, which is the most; `delete` some",
                              p->breakpoints.count);
        return;
    }
    ct_array_push(&p->breakpoints, *b);
    ct_debug_prompt_breakpoint *const added = &p->breakpoints.items[p->breakpoints.count - 1];
    added->number = ++p->last_number;
    if (send_breakpoints(p, b->script))
        show_breakpoint(p, &p->breakpoints.items[p->breakpoints.count - 1]);
    else
        --p->breakpoints.count;
}

// Reads "", "if CONDITION", "unit NAME" or "unit NAME if CONDITION".
static bool read_condition(ct_debug_prompt *p, ct_debug_prompt_breakpoint *b, const char *text) {
    if (strncmp(text, "unit ", 5) == 0) {
        const char *const name = text + 5 + strspn(text + 5, " \t"), *const end =
                                                                         strstr(name, " if ");
        char unit[CT_DEBUG_PROMPT_TEXT_BYTES];
        snprintf(unit, sizeof(unit), "%.*s", (int)(end ? (size_t)(end - name) : strlen(name)),
                 name);
        if (!copy_text(p, b->unit, sizeof(b->unit), unit))
            return false;
        text = end ? end + 1 : "";
    }
    if (text[0] && strncmp(text, "if ", 3) != 0) {
        ct_debug_prompt_error(p,
                              "found \"%s\" behind the line; expected `if` and a condition, or "
                              "`unit` and a unit's name",
                              text);
        return false;
    }
    return !text[0] || copy_text(p, b->condition, sizeof(b->condition), text + 3);
}

static void run_break(ct_debug_prompt *p, const char *argument) {
    ct_debug_prompt_breakpoint b = {.line = 0};
    const char *rest;
    if (read_place(p, argument, b.script, &b.line, &rest) && read_condition(p, &b, rest))
        add_breakpoint(p, &b);
}

static void run_breakpoints(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    for (uint32_t i = 0; i < p->breakpoints.count; ++i)
        show_breakpoint(p, &p->breakpoints.items[i]);
    if (p->breakpoints.count == 0)
        ct_debug_prompt_print(p, "no breakpoints");
}

static void run_log(ct_debug_prompt *p, const char *argument) {
    ct_debug_prompt_breakpoint b = {.line = 0};
    const char *rest;
    if (!read_place(p, argument, b.script, &b.line, &rest))
        return;
    if (!rest[0])
        ct_debug_prompt_error(p,
                              "expected a text behind the line, such as \"health {self.health}\"");
    else if (copy_text(p, b.log, sizeof(b.log), rest))
        add_breakpoint(p, &b);
}

// The breakpoint of the number that begins `argument`; `rest` is what follows.
static ct_debug_prompt_breakpoint *numbered(ct_debug_prompt *p, const char *argument,
                                            const char **rest) {
    char *end;
    const unsigned long number = strtoul(argument, &end, 10);
    *rest = end + strspn(end, " \t");
    for (uint32_t i = 0; i < p->breakpoints.count; ++i) {
        if (p->breakpoints.items[i].number == number)
            return &p->breakpoints.items[i];
    }
    ct_debug_prompt_error(p, "no breakpoint has the number \"%.20s\"; `breakpoints` lists them",
                          argument);
    return NULL;
}

static void run_hits(ct_debug_prompt *p, const char *argument) {
    const char *rest;
    ct_debug_prompt_breakpoint *const b = numbered(p, argument, &rest);
    if (b && copy_text(p, b->hits, sizeof(b->hits), rest) && send_breakpoints(p, b->script))
        show_breakpoint(p, b);
}

static void run_delete(ct_debug_prompt *p, const char *argument) {
    const char *rest;
    char script[256];
    while (strcmp(argument, "all") == 0 && p->breakpoints.count > 0) {
        snprintf(script, sizeof(script), "%s", p->breakpoints.items[0].script);
        uint32_t num_left = 0;
        for (uint32_t i = 0; i < p->breakpoints.count; ++i) {
            if (strcmp(p->breakpoints.items[i].script, script) != 0)
                p->breakpoints.items[num_left++] = p->breakpoints.items[i];
        }
        p->breakpoints.count = num_left;
        send_breakpoints(p, script);
    }
    if (strcmp(argument, "all") == 0)
        return;
    ct_debug_prompt_breakpoint *const b = numbered(p, argument, &rest);
    if (!b)
        return;
    snprintf(script, sizeof(script), "%s", b->script);
    const uint32_t place = (uint32_t)(b - p->breakpoints.items);
    memmove(b, b + 1, (p->breakpoints.count - place - 1) * sizeof(*b));
    --p->breakpoints.count;
    send_breakpoints(p, script);
}

static void run_errors(ct_debug_prompt *p, const char *argument) {
    ct_sjson_member_string(ct_debug_prompt_begin(p, "debugger_errors"), "stop", argument);
    ct_debug_prompt_tell(p);
}

// --- Going on ------------------------------------------------------------------------------------

// From a file, the next line needs the stop.
static void wait_for_stop(ct_debug_prompt *p) {
    if (!p->line)
        ct_debug_prompt_wait_for_stop(p);
}

static void run_continue(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    ct_debug_prompt_begin(p, "debugger_continue");
    if (ct_debug_prompt_tell(p))
        p->is_stopped = p->has_news;
}

static void step(ct_debug_prompt *p, const char *kind) {
    ct_sjson_writer *const w = ct_debug_prompt_begin(p, "debugger_step");
    ct_sjson_member_string(w, "kind", kind);
    ct_sjson_member_number(w, "thread", p->stopped_thread);
    if (!ct_debug_prompt_tell(p))
        return;
    p->is_stopped = p->has_news;
    wait_for_stop(p);
}

static void run_step(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    step(p, "into");
}

static void run_next(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    step(p, "over");
}

static void run_out(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    step(p, "out");
}

static void run_pause(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    ct_debug_prompt_begin(p, "debugger_pause");
    if (ct_debug_prompt_tell(p))
        wait_for_stop(p);
}

static void run_wait(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    if (p->has_news)
        ct_debug_prompt_show_stop(p);
    else
        ct_debug_prompt_wait_for_stop(p);
}

// --- Looking -------------------------------------------------------------------------------------

static void run_where(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    ct_debug_prompt_show_stack(p);
}

static void choose_frame(ct_debug_prompt *p, uint32_t level) {
    if (ct_debug_prompt_choose_frame(p, level))
        ct_debug_prompt_show_frame(p);
}

static void run_frame(ct_debug_prompt *p, const char *argument) {
    choose_frame(p, (uint32_t)strtoul(argument, NULL, 10));
}

static void run_up(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    choose_frame(p, p->level + 1);
}

static void run_down(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    if (p->level == 0)
        ct_debug_prompt_error(p, "this is the innermost frame");
    else
        choose_frame(p, p->level - 1);
}

static void run_locals(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    ct_sjson_member_number(ct_debug_prompt_begin(p, "debugger_scopes"), "frame", p->frame);
    ct_sjson *const doc = ct_debug_prompt_ask(p);
    if (!doc)
        return;
    ct_sjson_value scope = ct_sjson_first(doc, ct_sjson_find(doc, ct_sjson_root(doc), "scopes"));
    for (; scope.entry != 0; scope = ct_sjson_next(doc, scope)) {
        const char *const name = ct_debug_prompt_text(doc, scope, "name");
        const uint32_t value = ct_debug_prompt_number(doc, scope, "value");
        if (strcmp(name, "Globals") == 0 || value == 0)
            continue;
        ct_debug_prompt_print(p, "%s", name);
        ct_debug_prompt_show_parts(p, value, "  ");
    }
    ct_sjson_free(doc);
}

static void run_print(ct_debug_prompt *p, const char *argument) {
    if (argument[0] == '\0')
        ct_debug_prompt_error(p, "expected an expression");
    else
        ct_debug_prompt_show_value(p, argument, true);
}

static void run_watch(ct_debug_prompt *p, const char *argument) {
    if (argument[0] == '\0') {
        for (uint32_t i = 0; i < p->watches.count; ++i)
            ct_debug_prompt_print(p, "%4u  %s", i + 1, p->watches.items[i]);
        if (p->watches.count == 0)
            ct_debug_prompt_print(p, "nothing is watched");
    } else if (p->watches.count == CT_DEBUG_PROMPT_MAX_WATCHES) {
        ct_debug_prompt_error(p, "%u expressions are watched, which is the most; `unwatch` some",
                              p->watches.count);
    } else {
        ct_prompt_add_name(&p->watches, argument);
        if (p->is_stopped)
            ct_debug_prompt_show_value(p, argument, false);
    }
}

static void run_unwatch(ct_debug_prompt *p, const char *argument) {
    const unsigned long number = strtoul(argument, NULL, 10);
    if (number == 0 || number > p->watches.count) {
        ct_debug_prompt_error(p, "found \"%s\"; expected a number that `watch` lists", argument);
        return;
    }
    ct_free(p->allocator, p->watches.items[number - 1]);
    for (uint32_t i = (uint32_t)number; i < p->watches.count; ++i)
        p->watches.items[i - 1] = p->watches.items[i];
    --p->watches.count;
}

static void run_list(ct_debug_prompt *p, const char *argument) {
    char script[256];
    uint32_t line;
    const char *rest;
    if (read_place(p, argument, script, &line, &rest))
        ct_debug_prompt_show_source(p, script, line > LINES_AROUND ? line - LINES_AROUND : 1,
                                    line + LINES_AROUND,
                                    strcmp(script, p->script) == 0 ? p->source_line : 0);
}

static void run_threads(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    ct_debug_prompt_begin(p, "debugger_threads");
    ct_sjson *const doc = ct_debug_prompt_ask(p);
    if (!doc)
        return;
    ct_sjson_value thread = ct_sjson_first(doc, ct_sjson_find(doc, ct_sjson_root(doc), "threads"));
    for (; thread.entry != 0; thread = ct_sjson_next(doc, thread)) {
        const uint32_t number = ct_debug_prompt_number(doc, thread, "thread");
        const bool is_stopped = ct_sjson_bool(doc, ct_sjson_find(doc, thread, "is_stopped"), false);
        ct_debug_prompt_print(p, "%c%3u  %s%s", number == p->thread ? '>' : ' ', number,
                              ct_debug_prompt_text(doc, thread, "name"),
                              is_stopped ? "  stopped" : "");
    }
    ct_sjson_free(doc);
}

static void run_thread(ct_debug_prompt *p, const char *argument) {
    const uint32_t before = p->thread;
    p->thread = (uint32_t)strtoul(argument, NULL, 10);
    if (ct_debug_prompt_choose_frame(p, 0))
        ct_debug_prompt_show_frame(p);
    else
        p->thread = before;
}

// --- The table -----------------------------------------------------------------------------------

static void run_help(ct_debug_prompt *p, const char *argument);

static void run_quit(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    p->is_quitting = true;
}

static const debug_command commands[] = {
    {"break", "b", "[[SCRIPT:]LINE [unit NAME] [if EXPR]]", "stops there; alone, at this line",
     run_break, false},
    {"log", "", "[SCRIPT:]LINE TEXT", "prints TEXT there, with {expressions}; does not stop",
     run_log, false},
    {"hits", "", "NUMBER 5|>5|>=5|%5", "stops only at these hits of a breakpoint", run_hits, false},
    {"breakpoints", "", "", "lists the breakpoints", run_breakpoints, false},
    {"delete", "d", "NUMBER|all", "takes breakpoints away", run_delete, false},
    {"errors", "", "never|uncaught|all", "which errors stop the game", run_errors, false},
    {"continue", "c", "", "goes on", run_continue, true},
    {"step", "s", "", "to the next line, into functions", run_step, true},
    {"next", "n", "", "to the next line, over functions", run_next, true},
    {"out", "o", "", "to the end of this function", run_out, true},
    {"pause", "", "", "stops at the next line that runs", run_pause, false},
    {"wait", "", "", "waits for a stop", run_wait, false},
    {"where", "w", "", "lists the functions that run", run_where, true},
    {"frame", "f", "NUMBER", "looks at one of them", run_frame, true},
    {"up", "u", "", "looks at the function that called", run_up, true},
    {"down", "", "", "looks at the function that was called", run_down, true},
    {"locals", "l", "", "lists locals and upvalues", run_locals, true},
    {"print", "p", "EXPRESSION", "evaluates in this function; lists the parts", run_print, false},
    {"watch", "", "[EXPRESSION]", "prints it at each stop; alone, lists what is watched", run_watch,
     false},
    {"unwatch", "", "NUMBER", "no longer prints it", run_unwatch, false},
    {"list", "", "[[SCRIPT:]LINE]", "prints the source", run_list, false},
    {"threads", "t", "", "lists coroutines and worker states", run_threads, false},
    {"thread", "", "NUMBER", "looks at one of them", run_thread, true},
    {"help", "h", "", "prints this", run_help, false},
    {"quit", "q", "", "leaves; the game goes on", run_quit, false},
};

static void run_help(ct_debug_prompt *p, const char *argument) {
    (void)argument;
    for (uint32_t i = 0; i < CT_COUNT_OF(commands); ++i) {
        char usage[64];
        snprintf(usage, sizeof(usage), "%s%s%s %s", commands[i].name,
                 commands[i].letter[0] ? ", " : "", commands[i].letter, commands[i].usage);
        ct_debug_prompt_print(p, "%-46s %s", usage, commands[i].summary);
    }
    ct_debug_prompt_print(p, "Anything else is Lua; it runs in the function that is looked at.");
}

void ct_debug_prompt_add_command_names(ct_string_array *names) {
    for (uint32_t i = 0; i < CT_COUNT_OF(commands); ++i)
        ct_prompt_add_name(names, commands[i].name);
}

// A name that Lua goes on with, as in `list = 5` or `print(x)`, is no command.
static bool is_command(const debug_command *c, const char *word, size_t length) {
    const char *const rest = word + length + strspn(word + length, " \t");
    const bool is_name = strncmp(word, c->name, length) == 0 && c->name[length] == '\0';
    const bool is_letter =
        c->letter[0] && strncmp(word, c->letter, length) == 0 && c->letter[length] == '\0';
    const bool is_lua = (rest[0] == '=' && rest[1] != '=') || rest[0] == '.' || rest[0] == '(' ||
                        rest[0] == ':' || rest[0] == '[';
    return (is_name || is_letter) && !is_lua;
}

void ct_debug_prompt_run_line(ct_debug_prompt *p, const char *line) {
    char text[CT_PROMPT_HISTORY_LINE_BYTES];
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        --length;
    if (length >= sizeof(text)) {
        ct_debug_prompt_error(p, "the line has more than %d bytes", (int)sizeof(text) - 1);
        return;
    }
    snprintf(text, sizeof(text), "%.*s", (int)length, line);
    const size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    const bool is_word = text[word] == '\0' || strchr(" \t=.(:[", text[word]);
    for (uint32_t i = 0; word && is_word && i < CT_COUNT_OF(commands); ++i) {
        const debug_command *const c = &commands[i];
        if (!is_command(c, text, word))
            continue;
        if (c->needs_stop && !p->is_stopped)
            ct_debug_prompt_error(p, "`%s` needs a game that is stopped; `pause` stops it",
                                  c->name);
        else
            c->run(p, text + word + strspn(text + word, " \t"));
        return;
    }
    if (text[0] != '\0')
        run_print(p, text);
}
