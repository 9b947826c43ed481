#include "cli/nodes/nodes_steps.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/os/file.h"
#include "foundation/string/utf8.h"

static const uint64_t wait_every_ns = 50000000;    // 20 times a second
static const uint64_t quit_limit_ns = 10000000000; // of the step `stop`, when its timeout is longer

// As expressions: `true` or `false`, and then the values, for messages. The line end is for an
// expression that ends with a comment.
#define CONDITION_BEGIN "return (function(...) return not not (...), ... end)("
#define CONDITION_END "\n)"

static bool is_in(uint64_t set, uint32_t node) {
    return set >> node & 1;
}

static void end_todo(ct_nodes_state *s, uint32_t node) {
    s->todo &= ~(UINT64_C(1) << node);
}

ct_nodes_progress ct_nodes_fail(ct_nodes_state *s, uint32_t node, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ct_nodes_outcome *const o = s->outcome;
    o->result = CT_NODES_RESULT_FAILED;
    o->line = s->step ? s->step->line : 0;
    o->step = s->step ? ct_nodes_step_name(s->step->kind) : "";
    o->node = node < s->plan->nodes.count ? s->plan->nodes.items[node].id : "";
    ct_string_builder_clear(&o->message);
    ct_string_builder_add(&o->message, text);
    return CT_NODES_PROGRESS_FAILED;
}

uint64_t ct_nodes_ready(const ct_nodes_state *s) {
    uint64_t set = 0;
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        if (s->engines[i].state == CT_NODES_ENGINE_STATE_READY)
            set |= UINT64_C(1) << i;
    }
    return set;
}

// --- Lua -----------------------------------------------------------------------------------------

static void ask(ct_nodes_state *s, uint32_t node) {
    const bool is_condition =
        s->step->kind == CT_NODES_STEP_KIND_WAIT || s->step->kind == CT_NODES_STEP_KIND_ASSERT;
    ct_nodes_values values = s->desc->values;
    ct_string_builder lua CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&lua, s->desc->allocator);
    values.node = node;
    if (is_condition)
        ct_string_builder_add(&lua, CONDITION_BEGIN);
    ct_nodes_add_lua(&lua, s->step->lua, &values);
    if (is_condition)
        ct_string_builder_add(&lua, CONDITION_END);
    ct_nodes_engine_send_script(&s->engines[node], ct_string_builder_text(&lua));
}

// Keeps an answer: of a condition, the values after its `true` or `false`. Returns whether it is
// true; what is no condition is.
static bool keep_answer(ct_nodes_state *s, uint32_t node) {
    const ct_nodes_engine *const e = &s->engines[node];
    const char *text = ct_string_builder_text(&e->answer);
    uint32_t length = e->answer.length;
    bool is_true = true;
    if (s->step->kind != CT_NODES_STEP_KIND_SAME) {
        const char *const tab = memchr(text, '\t', length);
        const uint32_t skipped = tab ? (uint32_t)(tab - text) + 1 : length;
        is_true = strncmp(text, "true", 4) == 0;
        text += skipped;
        length -= skipped;
    }
    ct_string_builder_clear(&s->values[node]);
    ct_string_builder_add_bytes(&s->values[node], text, length);
    return is_true;
}

static ct_nodes_progress ask_all(ct_nodes_state *s) {
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        if (is_in(s->todo, i))
            ask(s, i);
    }
    return CT_NODES_PROGRESS_BUSY;
}

// Takes the answer of a node of the set to do, if it has come. Returns FAILED when it is an error,
// DONE when it has come.
static ct_nodes_progress take_answer(ct_nodes_state *s, uint32_t node) {
    ct_nodes_engine *const e = &s->engines[node];
    if (!is_in(s->todo, node) || !e->has_answer)
        return CT_NODES_PROGRESS_BUSY;
    e->has_answer = false;
    if (!e->has_failed)
        return CT_NODES_PROGRESS_DONE;
    ct_nodes_fail(s, node, "%s", "");
    ct_string_builder_add_bytes(&s->outcome->message, ct_string_builder_text(&e->answer),
                                e->answer.length);
    return CT_NODES_PROGRESS_FAILED;
}

static ct_nodes_progress update_script(ct_nodes_state *s) {
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        const ct_nodes_progress progress = take_answer(s, i);
        if (progress == CT_NODES_PROGRESS_FAILED)
            return progress;
        if (progress == CT_NODES_PROGRESS_DONE)
            end_todo(s, i);
    }
    return s->todo == 0 ? CT_NODES_PROGRESS_DONE : CT_NODES_PROGRESS_BUSY;
}

static ct_nodes_progress begin_wait(ct_nodes_state *s) {
    memset(s->next_ns, 0, sizeof(s->next_ns));
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i)
        ct_string_builder_clear(&s->values[i]);
    return CT_NODES_PROGRESS_BUSY;
}

static ct_nodes_progress update_wait(ct_nodes_state *s) {
    const uint64_t now_ns = ct_os_time_ns();
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        const ct_nodes_progress progress = take_answer(s, i);
        if (progress == CT_NODES_PROGRESS_FAILED)
            return progress;
        if (progress == CT_NODES_PROGRESS_DONE && keep_answer(s, i))
            end_todo(s, i);
        if (is_in(s->todo, i) && !s->engines[i].is_asked && now_ns >= s->next_ns[i]) {
            ask(s, i);
            s->next_ns[i] = now_ns + wait_every_ns;
        }
    }
    return s->todo == 0 ? CT_NODES_PROGRESS_DONE : CT_NODES_PROGRESS_BUSY;
}

static ct_nodes_progress update_assert(ct_nodes_state *s) {
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        const ct_nodes_progress progress = take_answer(s, i);
        if (progress == CT_NODES_PROGRESS_FAILED)
            return progress;
        if (progress == CT_NODES_PROGRESS_BUSY)
            continue;
        if (!keep_answer(s, i)) {
            const bool has_message = s->step->message[0] != '\0';
            return ct_nodes_fail(s, i, "%.400s%s%.300s is %.200s", s->step->message,
                                 has_message ? ": " : "", s->step->lua,
                                 ct_string_builder_text(&s->values[i]));
        }
        end_todo(s, i);
    }
    return s->todo == 0 ? CT_NODES_PROGRESS_DONE : CT_NODES_PROGRESS_BUSY;
}

// --- Comparing -----------------------------------------------------------------------------------

// Returns the first line in which the two texts differ, from 1; 0: they are the same.
static uint32_t first_difference(const ct_string_builder *a, const ct_string_builder *b) {
    const char *const a_text = ct_string_builder_text(a), *const b_text = ct_string_builder_text(b);
    uint32_t line = 1, i = 0;
    for (; i < a->length && i < b->length && a_text[i] == b_text[i]; ++i)
        line += a_text[i] == '\n';
    if (i == a->length && i == b->length)
        return 0;
    const bool has_fewer_lines =
        (i == a->length && b_text[i] == '\n') || (i == b->length && a_text[i] == '\n');
    return has_fewer_lines ? line + 1 : line;
}

// Appends line `number` of a text, or that it has fewer.
static void add_line(ct_string_builder *out, const ct_string_builder *value, uint32_t number) {
    enum { MAX_SHOWN = 300 };
    const char *text = ct_string_builder_text(value);
    const char *const end = text + value->length;
    for (uint32_t line = 1; line < number; ++line) {
        const char *const next = memchr(text, '\n', (size_t)(end - text));
        if (!next) {
            ct_string_builder_add(out, "(its result has fewer lines)");
            return;
        }
        text = next + 1;
    }
    const char *const line_end = memchr(text, '\n', (size_t)(end - text));
    const uint32_t length = (uint32_t)((line_end ? line_end : end) - text);
    char shown[4 * MAX_SHOWN + 8]; // an escape is 4 bytes at most
    ct_utf8_write_printable_lines(shown, sizeof(shown), text,
                                  length < MAX_SHOWN ? length : MAX_SHOWN);
    ct_string_builder_add(out, shown);
    if (length > MAX_SHOWN)
        ct_string_builder_add(out, "…");
}

// Writes each node's value to a file, which errors only warn of.
static void write_values(const ct_nodes_state *s) {
    char path[CT_PATH_BYTES], name[CT_NODES_ID_BYTES + 32];
    ct_error error = {0};
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        const ct_string_builder *const value = &s->values[i];
        snprintf(name, sizeof(name), "same_line_%u.%s.txt", s->step->line,
                 s->plan->nodes.items[i].id);
        if (is_in(s->set, i) && value->length != 0 &&
            (!ct_path_try_join(path, s->desc->values.folder, name) ||
             !ct_file_write(path, value->text, value->length, false, &error)))
            fprintf(stderr, "cuttle nodes: cannot keep %s: %s\n", name, error.message);
    }
}

static ct_nodes_progress report_difference(ct_nodes_state *s, uint32_t node, uint32_t line) {
    ct_nodes_fail(s, node, "results differ, first at line %u of the result", line);
    ct_string_builder *const out = &s->outcome->message;
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        if (!is_in(s->set, i))
            continue;
        ct_string_builder_addf(out, "\n    %s: ", s->plan->nodes.items[i].id);
        add_line(out, &s->values[i], line);
    }
    write_values(s);
    ct_string_builder_addf(out, "\n    The whole results are in %s/same_line_%u.*.txt",
                           s->desc->values.folder, s->step->line);
    return CT_NODES_PROGRESS_FAILED;
}

// Compares all with the first node. The node that is named has the earliest difference.
static ct_nodes_progress compare(ct_nodes_state *s) {
    uint32_t first = CT_NODES_MAX_NODES, found = CT_NODES_MAX_NODES, line = 0;
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        if (!is_in(s->set, i))
            continue;
        if (first == CT_NODES_MAX_NODES) {
            first = i;
            continue;
        }
        const uint32_t differs = first_difference(&s->values[first], &s->values[i]);
        if (differs != 0 && (line == 0 || differs < line)) {
            line = differs;
            found = i;
        }
    }
    return line == 0 ? CT_NODES_PROGRESS_DONE : report_difference(s, found, line);
}

static ct_nodes_progress begin_same(ct_nodes_state *s) {
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i)
        ct_string_builder_clear(&s->values[i]);
    return ask_all(s);
}

static ct_nodes_progress update_same(ct_nodes_state *s) {
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        const ct_nodes_progress progress = take_answer(s, i);
        if (progress == CT_NODES_PROGRESS_FAILED)
            return progress;
        if (progress != CT_NODES_PROGRESS_DONE)
            continue;
        keep_answer(s, i);
        end_todo(s, i);
    }
    return s->todo == 0 ? compare(s) : CT_NODES_PROGRESS_BUSY;
}

// --- Pictures ------------------------------------------------------------------------------------

static ct_nodes_progress begin_screenshot(ct_nodes_state *s) {
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        if (is_in(s->todo, i))
            ct_nodes_engine_send_command(&s->engines[i], "screenshot");
    }
    return CT_NODES_PROGRESS_BUSY;
}

// Writes a picture as NODE.NAME.png, or with a number when a step is repeated.
static bool write_picture(const ct_nodes_state *s, uint32_t node, ct_error *error) {
    const ct_byte_array *const picture = &s->engines[node].picture;
    const char *const id = s->plan->nodes.items[node].id;
    char path[CT_PATH_BYTES], name[160];
    uint32_t number = 1;
    do {
        if (number == 1)
            snprintf(name, sizeof(name), "%s.%s.png", id, s->step->message);
        else
            snprintf(name, sizeof(name), "%s.%s.%u.png", id, s->step->message, number);
        if (!ct_path_try_join(path, s->desc->values.folder, name))
            return ct_error_set(error, "the path of the picture %s is too long", name);
        ++number;
    } while (ct_os_file_info(path).kind != CT_FILE_KIND_NONE);
    return ct_file_write(path, picture->items, picture->count, false, error);
}

static ct_nodes_progress update_screenshot(ct_nodes_state *s) {
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        const ct_nodes_progress progress = take_answer(s, i);
        ct_error error = {0};
        if (progress == CT_NODES_PROGRESS_FAILED)
            return progress;
        if (progress == CT_NODES_PROGRESS_DONE) {
            end_todo(s, i);
            if (!write_picture(s, i, &error))
                return ct_nodes_fail(s, i, "%s", error.message);
        }
    }
    return s->todo == 0 ? CT_NODES_PROGRESS_DONE : CT_NODES_PROGRESS_BUSY;
}

// --- Nodes that come and go ----------------------------------------------------------------------

static bool start_node(ct_nodes_state *s, uint32_t node, ct_error *error) {
    ct_nodes_engine *const e = &s->engines[node];
    ct_nodes_values values = s->desc->values;
    ct_string_array words;
    char log[CT_PATH_BYTES], name[CT_NODES_ID_BYTES + 16];
    const char *const id = s->plan->nodes.items[node].id;
    if (e->num_starts == 0)
        snprintf(name, sizeof(name), "%s.log", id);
    else
        snprintf(name, sizeof(name), "%s.%u.log", id, e->num_starts + 1);
    if (!ct_path_try_join(log, values.folder, name))
        return ct_error_set(error, "the path of the log %s is too long", name);
    values.node = node;
    values.start = e->num_starts + 1;
    ct_array_init(&words, s->desc->allocator);
    ct_nodes_add_command(&words, &values);
    ct_array_push(&words, NULL);
    const bool is_started = ct_nodes_engine_start(e, (const char *const *)words.items, log, error);
    ct_nodes_free_words(&words);
    return is_started;
}

ct_nodes_progress ct_nodes_start_nodes(ct_nodes_state *s, uint64_t set) {
    s->todo = set;
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        ct_error error = {0};
        if (!is_in(set, i))
            continue;
        if (s->engines[i].state != CT_NODES_ENGINE_STATE_OFF)
            return ct_nodes_fail(s, i, "it runs already");
        if (!start_node(s, i, &error))
            return ct_nodes_fail(s, i, "%s", error.message);
    }
    return CT_NODES_PROGRESS_BUSY;
}

static ct_nodes_progress begin_start(ct_nodes_state *s) {
    uint64_t off = 0;
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        if (s->engines[i].state == CT_NODES_ENGINE_STATE_OFF)
            off |= UINT64_C(1) << i;
    }
    return ct_nodes_start_nodes(s, s->step->is_all ? off : s->step->on);
}

static ct_nodes_progress update_start(ct_nodes_state *s) {
    s->todo &= ~ct_nodes_ready(s);
    return s->todo == 0 ? CT_NODES_PROGRESS_DONE : CT_NODES_PROGRESS_BUSY;
}

ct_nodes_progress ct_nodes_check_end(ct_nodes_state *s, uint32_t node) {
    const ct_nodes_engine *const e = &s->engines[node];
    const int code = e->process.exit_code;
    if (e->was_killed)
        return ct_nodes_fail(s, node, "was asked to quit, did not, and was killed");
    if (code < 0)
        return ct_nodes_fail(s, node, "was asked to quit and ended by signal %d", -code);
    if (code > 0)
        return ct_nodes_fail(s, node, "was asked to quit and ended with exit code %d", code);
    return CT_NODES_PROGRESS_DONE;
}

static ct_nodes_progress begin_stop(ct_nodes_state *s) {
    const double limit_s = s->step->seconds;
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        const uint64_t limit_ns =
            limit_s * 1e9 > (double)quit_limit_ns ? quit_limit_ns : (uint64_t)(limit_s * 1e9);
        if (is_in(s->todo, i))
            ct_nodes_engine_quit(&s->engines[i], limit_ns);
    }
    return CT_NODES_PROGRESS_BUSY;
}

static ct_nodes_progress update_stop(ct_nodes_state *s) {
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        const ct_nodes_engine *const e = &s->engines[i];
        if (!is_in(s->todo, i) || e->state != CT_NODES_ENGINE_STATE_OFF)
            continue;
        end_todo(s, i);
        if (ct_nodes_check_end(s, i) == CT_NODES_PROGRESS_FAILED)
            return CT_NODES_PROGRESS_FAILED;
    }
    return s->todo == 0 ? CT_NODES_PROGRESS_DONE : CT_NODES_PROGRESS_BUSY;
}

static ct_nodes_progress begin_kill(ct_nodes_state *s) {
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        if (is_in(s->todo, i))
            ct_nodes_engine_kill(&s->engines[i]);
    }
    return CT_NODES_PROGRESS_DONE;
}

// --- All kinds -----------------------------------------------------------------------------------

static ct_nodes_progress begin_nothing(ct_nodes_state *s) {
    (void)s;
    return CT_NODES_PROGRESS_BUSY;
}

static ct_nodes_progress update_sleep(ct_nodes_state *s) {
    const double seconds = (double)(ct_os_time_ns() - s->step_start_ns) * 1e-9;
    return seconds >= s->step->seconds ? CT_NODES_PROGRESS_DONE : CT_NODES_PROGRESS_BUSY;
}

static const struct {
    ct_nodes_progress (*begin)(ct_nodes_state *s);
    ct_nodes_progress (*update)(ct_nodes_state *s);
} step_table[CT_NODES_NUM_STEP_KINDS] = {
    [CT_NODES_STEP_KIND_SCRIPT] = {ask_all, update_script},
    [CT_NODES_STEP_KIND_WAIT] = {begin_wait, update_wait},
    [CT_NODES_STEP_KIND_ASSERT] = {ask_all, update_assert},
    [CT_NODES_STEP_KIND_SAME] = {begin_same, update_same},
    [CT_NODES_STEP_KIND_SLEEP] = {begin_nothing, update_sleep},
    [CT_NODES_STEP_KIND_SCREENSHOT] = {begin_screenshot, update_screenshot},
    [CT_NODES_STEP_KIND_START] = {begin_start, update_start},
    [CT_NODES_STEP_KIND_STOP] = {begin_stop, update_stop},
    [CT_NODES_STEP_KIND_KILL] = {begin_kill, begin_nothing},
};

ct_nodes_progress ct_nodes_step_begin(ct_nodes_state *s) {
    const ct_nodes_step *const step = s->step;
    const uint64_t ready = ct_nodes_ready(s);
    s->step_start_ns = ct_os_time_ns();
    s->todo = s->set = step->is_all ? ready : step->on;
    const bool needs_ready =
        step->kind != CT_NODES_STEP_KIND_START && step->kind != CT_NODES_STEP_KIND_SLEEP;
    for (uint32_t i = 0; needs_ready && i < s->plan->nodes.count; ++i) {
        if (is_in(s->todo & ~ready, i))
            return ct_nodes_fail(s, i,
                                 "does not run; a step before may start it: { start = "
                                 "\"%s\" }",
                                 s->plan->nodes.items[i].id);
    }
    if (needs_ready && s->todo == 0)
        return ct_nodes_fail(s, CT_NODES_MAX_NODES, "no node runs");
    return step_table[step->kind].begin(s);
}

ct_nodes_progress ct_nodes_step_update(ct_nodes_state *s) {
    return step_table[s->step->kind].update(s);
}

ct_nodes_progress ct_nodes_step_time_out(ct_nodes_state *s) {
    uint32_t node = 0;
    while (node < s->plan->nodes.count && !is_in(s->todo, node))
        ++node;
    const double seconds = s->step->seconds;
    const ct_string_builder *const value = &s->values[node % CT_NODES_MAX_NODES];
    const bool has_value = s->step->kind == CT_NODES_STEP_KIND_WAIT && value->length != 0;
    if (has_value)
        ct_nodes_fail(s, node, "%.400s is still %.200s after %g s", s->step->lua,
                      ct_string_builder_text(value), seconds);
    else if (s->step->kind == CT_NODES_STEP_KIND_START)
        ct_nodes_fail(s, node, "its console did not answer within %g s", seconds);
    else if (s->step->kind == CT_NODES_STEP_KIND_STOP)
        ct_nodes_fail(s, node, "was asked to quit and still runs after %g s", seconds);
    else
        ct_nodes_fail(s, node, "no answer within %g s", seconds);
    for (uint32_t i = node + 1; i < s->plan->nodes.count; ++i) {
        if (is_in(s->todo, i))
            ct_string_builder_addf(&s->outcome->message, "\n    Also not done: %s",
                                   s->plan->nodes.items[i].id);
    }
    return CT_NODES_PROGRESS_FAILED;
}
