#include "content/diff/diff_json.h"

#include <math.h>
#include <string.h>

#include "content/diff/diff_text.h"
#include "foundation/sjson/sjson_writer.h"

enum { MOST_STEPS = 600 }; // of a path; documents are less deep

static const char *const kind_names[] = {
    [CT_DIFF_KIND_SET] = "set",
    [CT_DIFF_KIND_ADD] = "add",
    [CT_DIFF_KIND_REMOVE] = "remove",
    [CT_DIFF_KIND_MOVE] = "move",
};

// --- Writing -------------------------------------------------------------------------------------

static void write_step(ct_sjson_writer *w, const ct_diff_step *step) {
    if (step->kind == CT_DIFF_STEP_KEY) {
        ct_sjson_write_string(w, step->key);
    } else if (step->kind == CT_DIFF_STEP_INDEX) {
        ct_sjson_write_number(w, step->index);
    } else {
        ct_sjson_begin_object(w);
        ct_sjson_write_key(w, step->kind == CT_DIFF_STEP_ID ? step->key : "value");
        ct_sjson_write_value(w, step->value.doc, step->value.value);
        ct_sjson_end_object(w);
    }
}

static void write_steps(ct_sjson_writer *w, const ct_diff *diff, uint32_t step) {
    if (step == 0)
        return;
    write_steps(w, diff, diff->steps.items[step].parent);
    write_step(w, &diff->steps.items[step]);
}

static void write_member(ct_sjson_writer *w, const char *key, ct_content_value value) {
    if (!ct_content_value_is(value))
        return;
    ct_sjson_write_key(w, key);
    ct_sjson_write_value(w, value.doc, value.value);
}

static void write_operation(ct_sjson_writer *w, const ct_diff *diff, const ct_diff_operation *o,
                            ct_string_builder *at) {
    ct_string_builder_clear(at);
    ct_diff_write_path(diff, o->step, at);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "operation", kind_names[o->kind]);
    ct_sjson_member_string(w, "at", ct_string_builder_text(at));
    ct_sjson_write_key(w, "path");
    ct_sjson_begin_array(w);
    write_steps(w, diff, o->step);
    ct_sjson_end_array(w);
    write_member(w, "old", o->old_value);
    if (o->kind != CT_DIFF_KIND_MOVE)
        write_member(w, "new", o->new_value);
    if (o->before != 0) {
        ct_sjson_write_key(w, "before");
        write_step(w, &diff->steps.items[o->before]);
    }
    if (o->kind == CT_DIFF_KIND_ADD && diff->steps.items[o->step].kind == CT_DIFF_STEP_INDEX)
        ct_sjson_member_number(w, "count", o->count);
    ct_sjson_end_object(w);
}

void ct_diff_write_json(const ct_diff *diff, const char *from, const char *to,
                        ct_string_builder *out) {
    ct_sjson_writer w;
    ct_string_builder at;
    ct_string_builder_init(&at, diff->allocator);
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_PRETTY_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "from", from);
    ct_sjson_member_string(&w, "to", to);
    ct_sjson_write_key(&w, "operations");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < diff->operations.count; ++i)
        write_operation(&w, diff, &diff->operations.items[i], &at);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    ct_string_builder_free(&at);
}

// --- Reading -------------------------------------------------------------------------------------

static const char *found(const ct_sjson *doc, ct_sjson_value v) {
    return ct_sjson_type_name(v.entry ? ct_sjson_type_of(doc, v) : CT_SJSON_TYPE_NONE);
}

// A whole number from 0 on.
static bool read_index(const ct_sjson *doc, ct_sjson_value v, uint32_t *index, ct_error *error) {
    const double number = ct_sjson_number(doc, v, -1);
    if (!(number >= 0 && number < UINT32_MAX && floor(number) == number))
        return ct_sjson_error(doc, v, error, "expected the number of an element, from 0");
    *index = (uint32_t)number;
    return true;
}

static bool read_object_step(const ct_sjson *doc, ct_sjson_value v, ct_diff_step *step,
                             ct_error *error) {
    static const char *const id_keys[] = {"id", "Id", "ID"};
    const ct_sjson_value member = ct_sjson_first(doc, v);
    const char *const key = member.entry ? ct_sjson_key(doc, member) : "";
    const ct_sjson_type type = member.entry ? ct_sjson_type_of(doc, member) : CT_SJSON_TYPE_NONE;
    if (ct_sjson_count(doc, v) == 1 && strcmp(key, "value") == 0 && type < CT_SJSON_TYPE_ARRAY) {
        *step = (ct_diff_step){.kind = CT_DIFF_STEP_VALUE, .value = {doc, member}};
        return true;
    }
    const bool is_id = type == CT_SJSON_TYPE_STRING || type == CT_SJSON_TYPE_NUMBER;
    for (uint32_t i = 0; i < CT_COUNT_OF(id_keys) && is_id && ct_sjson_count(doc, v) == 1; ++i) {
        if (strcmp(key, id_keys[i]) == 0) {
            *step =
                (ct_diff_step){.kind = CT_DIFF_STEP_ID, .key = id_keys[i], .value = {doc, member}};
            return true;
        }
    }
    return ct_sjson_error(doc, v, error,
                          "expected { id = … } (a string or a number) or { value = … } (no "
                          "container) as a step of a path");
}

static bool read_step(const ct_sjson *doc, ct_sjson_value v, ct_diff_step *step, ct_error *error) {
    switch (ct_sjson_type_of(doc, v)) {
    case CT_SJSON_TYPE_STRING: {
        const char *const key = ct_sjson_string(doc, v, "");
        if (strlen(key) != ct_sjson_string_bytes(doc, v))
            return ct_sjson_error(doc, v, error, "a key cannot hold a zero byte");
        *step = (ct_diff_step){.kind = CT_DIFF_STEP_KEY, .key = key};
        return true;
    }
    case CT_SJSON_TYPE_NUMBER:
        *step = (ct_diff_step){.kind = CT_DIFF_STEP_INDEX};
        return read_index(doc, v, &step->index, error);
    case CT_SJSON_TYPE_OBJECT:
        return read_object_step(doc, v, step, error);
    default:
        return ct_sjson_error(doc, v, error,
                              "found %s, expected a step of a path: a string (a key), a number (an "
                              "element) or an object ({ id = … })",
                              found(doc, v));
    }
}

static bool read_path(ct_diff *diff, const ct_sjson *doc, ct_sjson_value operation,
                      ct_diff_operation *o, ct_error *error) {
    const ct_sjson_value path = ct_sjson_find(doc, operation, "path");
    if (!path.entry || ct_sjson_type_of(doc, path) != CT_SJSON_TYPE_ARRAY ||
        (ct_sjson_count(doc, path) == 0 && o->kind != CT_DIFF_KIND_SET) ||
        ct_sjson_count(doc, path) > MOST_STEPS)
        return ct_sjson_error(doc, path.entry ? path : operation, error,
                              "expected a `path`: an array of %d to %d steps",
                              o->kind != CT_DIFF_KIND_SET, MOST_STEPS);
    for (ct_sjson_value v = ct_sjson_first(doc, path); v.entry; v = ct_sjson_next(doc, v)) {
        ct_diff_step step;
        if (!read_step(doc, v, &step, error))
            return false;
        o->step = ct_diff_add_step(diff, o->step, step);
    }
    return true;
}

static bool read_kind(const ct_sjson *doc, ct_sjson_value operation, ct_diff_kind *kind,
                      ct_error *error) {
    const ct_sjson_value v = ct_sjson_find(doc, operation, "operation");
    const char *const name = v.entry ? ct_sjson_string(doc, v, "") : "";
    for (uint32_t i = 1; i < CT_COUNT_OF(kind_names); ++i) {
        if (strcmp(name, kind_names[i]) == 0) {
            *kind = (ct_diff_kind)i;
            return true;
        }
    }
    return ct_sjson_error(doc, v.entry ? v : operation, error,
                          "expected an `operation`: \"set\", \"add\", \"remove\" or \"move\"");
}

// The value that the kind of operation needs, or {0}.
static bool read_value(const ct_sjson *doc, ct_sjson_value operation, const char *key,
                       bool is_needed, ct_content_value *value, ct_error *error) {
    const ct_sjson_value v = ct_sjson_find(doc, operation, key);
    if (is_needed && !v.entry)
        return ct_sjson_error(doc, operation, error, "this operation needs `%s`", key);
    *value = is_needed ? (ct_content_value){doc, v} : (ct_content_value){0};
    return true;
}

static bool read_place(ct_diff *diff, const ct_sjson *doc, ct_sjson_value operation,
                       ct_diff_operation *o, ct_error *error) {
    const ct_sjson_value before = ct_sjson_find(doc, operation, "before");
    const ct_sjson_value count = ct_sjson_find(doc, operation, "count");
    const ct_diff_step leaf = diff->steps.items[o->step];
    ct_diff_step step;
    if (o->kind == CT_DIFF_KIND_ADD && leaf.kind == CT_DIFF_STEP_INDEX) {
        if (!count.entry)
            return ct_sjson_error(doc, operation, error,
                                  "this operation needs `count`, the number of elements that the "
                                  "array had");
        if (!read_index(doc, count, &o->count, error))
            return false;
    }
    if (!before.entry)
        return true;
    if (!read_step(doc, before, &step, error))
        return false;
    if ((step.kind == CT_DIFF_STEP_KEY) != (leaf.kind == CT_DIFF_STEP_KEY))
        return ct_sjson_error(doc, before, error,
                              "`before` must be a step in the same container as the path's last");
    o->before = ct_diff_add_step(diff, leaf.parent, step);
    return true;
}

static bool read_operation(ct_diff *diff, const ct_sjson *doc, ct_sjson_value v, ct_error *error) {
    ct_diff_operation o = {0};
    if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_OBJECT)
        return ct_sjson_error(doc, v, error, "found %s, expected an operation (an object)",
                              found(doc, v));
    if (!read_kind(doc, v, &o.kind, error) || !read_path(diff, doc, v, &o, error))
        return false;
    const bool is_indexed = diff->steps.items[o.step].kind == CT_DIFF_STEP_INDEX;
    const bool has_old = o.kind == CT_DIFF_KIND_SET || o.kind == CT_DIFF_KIND_REMOVE ||
                         (o.kind == CT_DIFF_KIND_MOVE && is_indexed);
    const bool has_new = o.kind == CT_DIFF_KIND_SET || o.kind == CT_DIFF_KIND_ADD;
    const bool has_place = o.kind == CT_DIFF_KIND_ADD || o.kind == CT_DIFF_KIND_MOVE;
    if (!read_value(doc, v, "old", has_old, &o.old_value, error) ||
        !read_value(doc, v, "new", has_new, &o.new_value, error) ||
        (has_place && !read_place(diff, doc, v, &o, error)))
        return false;
    if (o.step == 0 && ct_content_value_type(o.new_value) < CT_SJSON_TYPE_ARRAY)
        return ct_sjson_error(doc, v, error, "the root can only become an object or an array");
    ct_array_push(&diff->operations, o);
    return true;
}

bool ct_diff_read_json(ct_diff *diff, ct_allocator *a, const ct_sjson *doc, ct_error *error) {
    ct_diff_init(diff, a);
    const ct_sjson_value list = ct_sjson_find(doc, ct_sjson_root(doc), "operations");
    if (!list.entry || ct_sjson_type_of(doc, list) != CT_SJSON_TYPE_ARRAY)
        return ct_sjson_error(doc, list.entry ? list : ct_sjson_root(doc), error,
                              "found %s, expected `operations`, an array, as `cuttle diff --json` "
                              "writes it",
                              found(doc, list));
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v)) {
        if (read_operation(diff, doc, v, error))
            continue;
        ct_diff_free(diff);
        ct_diff_init(diff, a);
        return false;
    }
    return true;
}
