#include "dev/serve/serve_problems.h"

#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/sjson/sjson_writer.h"
#include "resource/blob/content_hash.h"

void ct_serve_problems_init(ct_serve_problems *p, ct_allocator *a) {
    *p = (ct_serve_problems){0};
    ct_array_init(&p->items, a);
}

void ct_serve_problems_free(ct_serve_problems *p) {
    ct_array_free(&p->items);
}

void ct_serve_problems_clear(ct_serve_problems *p) {
    p->items.count = p->num_left_out = 0;
}

void ct_serve_problems_add(ct_serve_problems *p, const ct_error *error, bool is_warning) {
    if (p->items.count >= CT_SERVE_MAX_PROBLEMS)
        ++p->num_left_out;
    else
        ct_array_push(&p->items, (ct_serve_problem){*error, is_warning});
}

void ct_serve_problems_copy(ct_serve_problems *p, const ct_serve_problems *from) {
    p->items.count = 0;
    ct_array_push_many(&p->items, from->items.items, from->items.count);
    p->num_left_out = from->num_left_out;
}

static bool is_same(const ct_serve_problem *a, const ct_serve_problem *b) {
    return a->is_warning == b->is_warning && a->error.line == b->error.line &&
           a->error.column == b->error.column && strcmp(a->error.file, b->error.file) == 0 &&
           strcmp(a->error.message, b->error.message) == 0;
}

bool ct_serve_problems_equal(const ct_serve_problems *a, const ct_serve_problems *b) {
    bool result = a->items.count == b->items.count && a->num_left_out == b->num_left_out;
    for (uint32_t i = 0; result && i < a->items.count; ++i)
        result = is_same(&a->items.items[i], &b->items.items[i]);
    return result;
}

// --- Messages ------------------------------------------------------------------------------------

void ct_serve_problems_write(const ct_serve_problems *p, ct_string_builder *json) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", "problems");
    ct_sjson_member_number(&w, "num_left_out", p->num_left_out);
    ct_sjson_write_key(&w, "problems");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < p->items.count; ++i) {
        const ct_serve_problem *const problem = &p->items.items[i];
        ct_sjson_begin_object(&w);
        ct_sjson_member_string(&w, "level", problem->is_warning ? "warning" : "error");
        ct_sjson_member_string(&w, "file", problem->error.file);
        ct_sjson_member_number(&w, "line", problem->error.line);
        ct_sjson_member_number(&w, "column", problem->error.column);
        ct_sjson_member_string(&w, "message", problem->error.message);
        ct_sjson_end_object(&w);
    }
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
}

// Reads a whole number of 32 bits. Returns false for any other value.
static bool read_number(const ct_sjson *doc, ct_sjson_value object, const char *key,
                        uint32_t *number) {
    const double value = ct_sjson_number(doc, ct_sjson_find(doc, object, key), -1);
    if (!(value >= 0 && value <= UINT32_MAX))
        return false;
    *number = (uint32_t)value;
    return (double)*number == value;
}

static bool read_problem(const ct_sjson *doc, ct_sjson_value object, ct_serve_problem *problem) {
    ct_error *const e = &problem->error;
    const char *const level = ct_sjson_string(doc, ct_sjson_find(doc, object, "level"), "");
    const char *const file = ct_sjson_string(doc, ct_sjson_find(doc, object, "file"), NULL);
    const char *const message = ct_sjson_string(doc, ct_sjson_find(doc, object, "message"), NULL);
    problem->is_warning = strcmp(level, "warning") == 0;
    if (!file || !message || (!problem->is_warning && strcmp(level, "error") != 0))
        return false;
    snprintf(e->file, sizeof(e->file), "%s", file);
    snprintf(e->message, sizeof(e->message), "%s", message);
    return read_number(doc, object, "line", &e->line) &&
           read_number(doc, object, "column", &e->column);
}

bool ct_serve_problems_read(const ct_sjson *doc, ct_serve_problems *p, ct_error *error) {
    const ct_sjson_value root = ct_sjson_root(doc), list = ct_sjson_find(doc, root, "problems");
    const uint32_t count = ct_sjson_count(doc, list);
    uint32_t num_left_out = 0;
    ct_serve_problems_clear(p);
    if (ct_sjson_type_of(doc, list) != CT_SJSON_TYPE_ARRAY ||
        !read_number(doc, root, "num_left_out", &num_left_out))
        return ct_error_set(error, "a list of problems is malformed");
    if (count > CT_SERVE_MAX_PROBLEMS)
        return ct_error_set(error, "a list has %u problems; expected at most %d", count,
                            CT_SERVE_MAX_PROBLEMS);
    p->num_left_out = num_left_out;
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry != 0; v = ct_sjson_next(doc, v)) {
        ct_serve_problem problem = {0};
        if (!read_problem(doc, v, &problem)) {
            ct_serve_problems_clear(p);
            return ct_error_set(error, "a problem of a list is malformed");
        }
        ct_array_push(&p->items, problem);
    }
    return true;
}

// --- The engine's log ----------------------------------------------------------------------------

void ct_serve_problem_log_init(ct_serve_problem_log *log, ct_allocator *a) {
    *log = (ct_serve_problem_log){0};
    ct_hash_map_init(&log->logged, a);
}

void ct_serve_problem_log_free(ct_serve_problem_log *log) {
    ct_hash_map_free(&log->logged);
}

static uint64_t hash_of(const ct_serve_problem *problem) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    if (problem->is_warning)
        ct_error_format_warning(&problem->error, text, sizeof(text));
    else
        ct_error_format(&problem->error, text, sizeof(text));
    return ct_content_hash(text, strlen(text));
}

static void log_problem(const ct_serve_problem *problem) {
    if (problem->is_warning)
        ct_log_report_warning("compiler", &problem->error);
    else
        ct_log_report("compiler", &problem->error);
}

uint32_t ct_serve_problem_log_take(ct_serve_problem_log *log, const ct_serve_problems *p) {
    uint32_t num_new = 0, num_errors = 0;
    ct_hash_map now;
    ct_hash_map_init(&now, log->logged.allocator);
    for (uint32_t i = 0; i < p->items.count; ++i) {
        const ct_serve_problem *const problem = &p->items.items[i];
        const uint64_t hash = hash_of(problem);
        num_errors += !problem->is_warning;
        if (ct_hash_map_add(&now, hash, 1) && !ct_hash_map_find(&log->logged, hash)) {
            log_problem(problem);
            ++num_new;
        }
    }
    if (num_new > 0 && p->num_left_out > 0) {
        char text[128];
        snprintf(text, sizeof(text),
                 "… and %u more errors and warnings, which `cuttle serve` shows", p->num_left_out);
        ct_log_message(CT_LOG_LEVEL_WARNING, "compiler", text);
    }
    if (log->num_errors > 0 && num_errors == 0)
        ct_log_info("compiler", "the sources compile again");
    ct_hash_map_free(&log->logged);
    log->logged = now;
    log->num_errors = num_errors;
    return num_new;
}
