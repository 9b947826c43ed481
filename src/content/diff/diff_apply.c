#include "content/diff/diff_apply.h"

#include <stdio.h>
#include <string.h>

#include "content/diff/diff_text.h"
#include "content/document_nodes.h"
#include "content/merge/array_kind.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/string_id.h"

enum { MOST_VALUE_BYTES = 120 }; // of a value in a message

// Where an operation works: nodes of the document, before any edit.
typedef struct target {
    ct_sjson_node node;      // SET, REMOVE, MOVE
    ct_sjson_node container; // ADD, MOVE
    ct_sjson_node before;
} target;

typedef struct applier {
    const ct_diff *diff;
    ct_sjson_document *doc;
    ct_sjson *tape;       // of the document before any edit
    ct_sjson_node *nodes; // of each entry of the tape
    ct_allocator *scratch;
    uint32_t *found;      // entry that each step leads to; 0: not looked up yet
    ct_hash_map children; // from container and step to entry; 0: there are two; of sets: the last
    ct_hash_map earlier;  // elements of sets: to the one before it of the same hash
    ct_hash_map indexed;  // containers whose children are in there
    ct_hash_map taken;    // entries that are removed from sets
    uint32_t operation;   // that is at work
    ct_error *error;
} applier;

static const ct_diff_operation *operation_of(const applier *p) {
    return &p->diff->operations.items[p->operation];
}

static const ct_diff_step *step_of(const applier *p, uint32_t step) {
    return &p->diff->steps.items[step];
}

// Says at which operation, `operation 3, units[id=8f]`, and at which value of the document (none:
// {0}) something is wrong. Returns false.
static bool fail(applier *p, ct_sjson_value at, const char *message) {
    ct_string_builder path;
    ct_string_builder_init(&path, p->scratch);
    ct_diff_write_path(p->diff, operation_of(p)->step, &path);
    uint32_t line = 0, column = 0;
    if (at.entry)
        ct_sjson_position(p->tape, at, &line, &column);
    ct_error_set_at(p->error, ct_sjson_document_file(p->doc), line, column,
                    "operation %u, %.300s: %.600s", p->operation + 1, ct_string_builder_text(&path),
                    message);
    ct_string_builder_free(&path);
    return false;
}

// The same, with the path to a step before the message.
static bool fail_at_step(applier *p, ct_sjson_value at, uint32_t step, const char *message) {
    ct_string_builder text;
    ct_string_builder_init(&text, p->scratch);
    ct_diff_write_path(p->diff, step, &text);
    ct_string_builder_add_char(&text, ' ');
    ct_string_builder_add(&text, message);
    fail(p, at, ct_string_builder_text(&text));
    ct_string_builder_free(&text);
    return false;
}

static bool fail_value(applier *p, ct_sjson_value at, ct_content_value expected) {
    ct_string_builder text;
    ct_string_builder_init(&text, p->scratch);
    ct_string_builder_add(&text, "found ");
    ct_diff_write_brief((ct_content_value){p->tape, at}, MOST_VALUE_BYTES, &text);
    ct_string_builder_add(&text, ", expected ");
    ct_diff_write_brief(expected, MOST_VALUE_BYTES, &text);
    fail(p, at, ct_string_builder_text(&text));
    ct_string_builder_free(&text);
    return false;
}

// --- Finding values ------------------------------------------------------------------------------

static uint64_t mixed(uint64_t hash, uint64_t number) {
    hash = hash * UINT64_C(0x9e3779b97f4a7c15) + number;
    return (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

// What children of a container are told apart by, of steps of this kind.
static uint64_t place_key(ct_sjson_value container, const ct_diff_step *step) {
    const uint64_t by_id = step->kind == CT_DIFF_STEP_ID ? ct_string_id64_of(step->key).value : 0;
    return mixed(mixed(container.entry, (uint64_t)step->kind), by_id);
}

static uint64_t child_key(uint64_t place, const ct_diff_step *step) {
    if (step->kind == CT_DIFF_STEP_KEY)
        return mixed(place, ct_string_id64_of(step->key).value);
    if (step->kind == CT_DIFF_STEP_ID || step->kind == CT_DIFF_STEP_VALUE)
        return mixed(place, ct_value_hash(step->value));
    return mixed(place, step->index);
}

static void index_child(applier *p, uint64_t key, const ct_diff_step *step, uint32_t entry) {
    const uint64_t *const there = ct_hash_map_find(&p->children, key);
    if (there && step->kind == CT_DIFF_STEP_VALUE)
        ct_hash_map_set(&p->earlier, entry, *there);
    const bool is_double = there && step->kind != CT_DIFF_STEP_VALUE;
    ct_hash_map_set(&p->children, key, is_double ? 0 : entry);
}

static void index_children(applier *p, ct_sjson_value container, const ct_diff_step *step) {
    const uint64_t place = place_key(container, step);
    if (ct_hash_map_find(&p->indexed, place))
        return;
    ct_hash_map_set(&p->indexed, place, 1);
    ct_diff_step child = *step;
    child.index = 0;
    for (ct_sjson_value v = ct_sjson_first(p->tape, container); v.entry;
         v = ct_sjson_next(p->tape, v), ++child.index) {
        if (step->kind == CT_DIFF_STEP_KEY)
            child.key = ct_sjson_key(p->tape, v);
        if (step->kind == CT_DIFF_STEP_ID)
            child.value = ct_array_element_id((ct_content_value){p->tape, v}, step->key);
        if (step->kind == CT_DIFF_STEP_ID && !ct_content_value_is(child.value))
            continue;
        if (step->kind == CT_DIFF_STEP_VALUE)
            child.value = (ct_content_value){p->tape, v};
        index_child(p, child_key(place, &child), step, v.entry);
    }
}

// True when `v` is what the step says, and not only by its hash.
static bool is_child(const applier *p, ct_sjson_value v, const ct_diff_step *step) {
    if (step->kind == CT_DIFF_STEP_KEY)
        return strcmp(ct_sjson_key(p->tape, v), step->key) == 0;
    return step->kind != CT_DIFF_STEP_ID ||
           ct_value_is_equal(p->scratch,
                             ct_array_element_id((ct_content_value){p->tape, v}, step->key),
                             step->value);
}

// The last element of a set that is `value` and that no operation has taken.
static ct_sjson_value find_in_set(applier *p, ct_sjson_value set, const ct_diff_step *step) {
    index_children(p, set, step);
    uint64_t *const last = ct_hash_map_find(&p->children, child_key(place_key(set, step), step));
    if (!last)
        return (ct_sjson_value){0};
    while (*last && ct_hash_map_find(&p->taken, *last)) // those are not walked over again
        *last = ct_hash_map_get(&p->earlier, *last, 0);
    for (uint64_t at = *last; at; at = ct_hash_map_get(&p->earlier, at, 0)) {
        const ct_sjson_value v = {(uint32_t)at};
        if (ct_value_is_equal(p->scratch, (ct_content_value){p->tape, v}, step->value) &&
            !ct_hash_map_find(&p->taken, at))
            return v;
    }
    return (ct_sjson_value){0};
}

// What `step` leads to in `container`, or {0}; `is_double` is set when there are two.
static ct_sjson_value find_child(applier *p, ct_sjson_value container, const ct_diff_step *step,
                                 bool *is_double) {
    const ct_sjson_type type = ct_sjson_type_of(p->tape, container);
    *is_double = false;
    if (type != (step->kind == CT_DIFF_STEP_KEY ? CT_SJSON_TYPE_OBJECT : CT_SJSON_TYPE_ARRAY))
        return (ct_sjson_value){0};
    if (step->kind == CT_DIFF_STEP_VALUE)
        return find_in_set(p, container, step);
    index_children(p, container, step);
    const uint64_t *const entry =
        ct_hash_map_find(&p->children, child_key(place_key(container, step), step));
    *is_double = entry && *entry == 0;
    const ct_sjson_value v = {entry ? (uint32_t)*entry : 0};
    return v.entry && is_child(p, v, step) ? v : (ct_sjson_value){0};
}

static bool find_step(applier *p, uint32_t step, ct_sjson_value *v) {
    if (p->found[step] == 0) {
        ct_sjson_value container;
        bool is_double;
        if (!find_step(p, step_of(p, step)->parent, &container))
            return false;
        *v = find_child(p, container, step_of(p, step), &is_double);
        if (!v->entry)
            return fail_at_step(p, container, step, is_double ? "is there twice" : "is not there");
        p->found[step] = v->entry;
    }
    *v = (ct_sjson_value){p->found[step]};
    return true;
}

// --- Looking up operations -----------------------------------------------------------------------

static ct_sjson_node node_of(const applier *p, ct_sjson_value v) {
    return p->nodes[v.entry];
}

static bool look_up_old(applier *p, target *t) {
    const ct_diff_operation *const o = operation_of(p);
    ct_sjson_value v;
    if (!find_step(p, o->step, &v))
        return false;
    if (!ct_value_is_equal(p->scratch, (ct_content_value){p->tape, v}, o->old_value))
        return fail_value(p, v, o->old_value);
    if (step_of(p, o->step)->kind == CT_DIFF_STEP_VALUE)
        ct_hash_map_set(&p->taken, v.entry, 1);
    t->node = node_of(p, v);
    return true;
}

static bool check_new_element(applier *p, ct_sjson_value container, const ct_diff_step *leaf) {
    const ct_diff_operation *const o = operation_of(p);
    bool is_double = false;
    if (leaf->kind == CT_DIFF_STEP_INDEX && ct_sjson_count(p->tape, container) != o->count) {
        char message[80];
        snprintf(message, sizeof(message), "found an array of %u elements, expected %u",
                 ct_sjson_count(p->tape, container), o->count);
        return fail(p, container, message);
    }
    if (leaf->kind == CT_DIFF_STEP_ID &&
        !ct_value_is_equal(p->scratch, ct_array_element_id(o->new_value, leaf->key), leaf->value))
        return fail(p, container, "the added element has another id");
    const bool may_be_there = leaf->kind == CT_DIFF_STEP_INDEX || leaf->kind == CT_DIFF_STEP_VALUE;
    const ct_sjson_value there =
        may_be_there ? (ct_sjson_value){0} : find_child(p, container, leaf, &is_double);
    if (there.entry || is_double)
        return fail(p, there.entry ? there : container, "exists already");
    return true;
}

static bool look_up_container(applier *p, target *t) {
    const ct_diff_operation *const o = operation_of(p);
    const ct_diff_step *const leaf = step_of(p, o->step);
    ct_sjson_value v, before = {0};
    if (!find_step(p, leaf->parent, &v))
        return false;
    const bool is_object = leaf->kind == CT_DIFF_STEP_KEY;
    if (ct_sjson_type_of(p->tape, v) != (is_object ? CT_SJSON_TYPE_OBJECT : CT_SJSON_TYPE_ARRAY))
        return fail_at_step(p, v, leaf->parent, is_object ? "is not an object" : "is not an array");
    if (o->kind == CT_DIFF_KIND_ADD && !check_new_element(p, v, leaf))
        return false;
    if (o->before != 0 && !find_step(p, o->before, &before))
        return false;
    t->container = node_of(p, v);
    if (before.entry)
        t->before = node_of(p, before);
    return true;
}

static bool look_up(applier *p, target *t) {
    const ct_diff_operation *const o = operation_of(p);
    ct_sjson_value v;
    switch (o->kind) {
    case CT_DIFF_KIND_NONE:
        break;
    case CT_DIFF_KIND_SET:
    case CT_DIFF_KIND_REMOVE:
        return look_up_old(p, t);
    case CT_DIFF_KIND_ADD:
        return look_up_container(p, t);
    case CT_DIFF_KIND_MOVE:
        if (!look_up_container(p, t) || !find_step(p, o->step, &v) ||
            (ct_content_value_is(o->old_value) && !look_up_old(p, t)))
            return false;
        t->node = node_of(p, v);
        break;
    }
    return true;
}

// --- Editing -------------------------------------------------------------------------------------

// The text of one value: what stands after the key of a document of one member.
static void write_value(ct_content_value value, ct_string_builder *out) {
    static const char start[] = "v = ";
    ct_sjson_writer w;
    ct_string_builder_clear(out);
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_SJSON);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "v");
    ct_sjson_write_value(&w, value.doc, value.value);
    ct_sjson_end_object(&w);
    memmove(out->text, out->text + (sizeof(start) - 1), out->length - (sizeof(start) - 1));
    out->length -= sizeof(start) - 1;
}

// False when another operation was in the way of this one.
static bool is_there(const applier *p, const target *t) {
    const ct_sjson_document *const doc = p->doc;
    const ct_sjson_node needed[] = {t->node, t->container, t->before};
    for (uint32_t i = 0; i < CT_COUNT_OF(needed); ++i) {
        if (needed[i].index && ct_sjson_document_type(doc, needed[i]) == CT_SJSON_TYPE_NONE)
            return false;
    }
    return !t->before.index ||
           (t->before.index != t->node.index &&
            ct_sjson_document_parent(doc, t->before).index == t->container.index);
}

static bool edit(applier *p, const target *t, ct_string_builder *text, ct_error *error) {
    const ct_diff_operation *const o = operation_of(p);
    const ct_diff_step *const leaf = step_of(p, o->step);
    if (o->kind == CT_DIFF_KIND_SET || o->kind == CT_DIFF_KIND_ADD)
        write_value(o->new_value, text);
    switch (o->kind) {
    case CT_DIFF_KIND_NONE:
        break;
    case CT_DIFF_KIND_SET:
        return ct_sjson_document_set(p->doc, t->node, text->text, text->length, error);
    case CT_DIFF_KIND_REMOVE:
        ct_sjson_document_remove(p->doc, t->node);
        break;
    case CT_DIFF_KIND_MOVE:
        return ct_sjson_document_move(p->doc, t->node, t->container, t->before, error);
    case CT_DIFF_KIND_ADD:
        return (leaf->kind == CT_DIFF_STEP_KEY
                    ? ct_sjson_document_insert_member(p->doc, t->container, t->before, leaf->key,
                                                      text->text, text->length, error)
                    : ct_sjson_document_insert_element(p->doc, t->container, t->before, text->text,
                                                       text->length, error))
                   .index != 0;
    }
    return true;
}

static bool edit_all(applier *p, const target *targets) {
    ct_string_builder text;
    ct_string_builder_init(&text, p->scratch);
    bool is_right = true;
    for (p->operation = 0; is_right && p->operation < p->diff->operations.count; ++p->operation) {
        const target *const t = &targets[p->operation];
        ct_error error = {0};
        is_right = is_there(p, t) ||
                   fail(p, (ct_sjson_value){0}, "another operation conflicts with this one");
        if (is_right && !edit(p, t, &text, &error))
            is_right = fail(p, (ct_sjson_value){0}, error.message);
        if (!is_right)
            break;
    }
    ct_string_builder_free(&text);
    return is_right;
}

// --- The whole -----------------------------------------------------------------------------------

static bool read_tape(applier *p) {
    const ct_sjson_limits limits = {
        .max_depth = UINT32_MAX, .max_bytes = UINT32_MAX, .takes_array = true};
    ct_string_builder text;
    ct_string_builder_init(&text, p->scratch);
    ct_sjson_document_write(p->doc, &text);
    p->tape = ct_sjson_parse(p->scratch, ct_string_builder_text(&text), text.length,
                             ct_sjson_document_file(p->doc), &limits, p->error);
    ct_string_builder_free(&text);
    if (!p->tape)
        return false;
    p->nodes = ct_document_nodes(p->scratch, p->doc, p->tape);
    return true;
}

static bool look_up_all(applier *p, target *targets) {
    for (p->operation = 0; p->operation < p->diff->operations.count; ++p->operation) {
        if (!look_up(p, &targets[p->operation]))
            return false;
    }
    return true;
}

bool ct_diff_apply(const ct_diff *diff, ct_sjson_document *doc, ct_allocator *scratch,
                   ct_error *error) {
    applier p = {.diff = diff, .doc = doc, .scratch = scratch, .error = error};
    ct_hash_map_init(&p.children, scratch);
    ct_hash_map_init(&p.earlier, scratch);
    ct_hash_map_init(&p.indexed, scratch);
    ct_hash_map_init(&p.taken, scratch);
    target *const targets = CT_NEW_ARRAY(scratch, target, diff->operations.count);
    p.found = CT_NEW_ARRAY(scratch, uint32_t, diff->steps.count);
    p.found[0] = 1; // the root
    const bool is_right = read_tape(&p) && look_up_all(&p, targets) && edit_all(&p, targets);
    ct_free(scratch, targets);
    ct_free(scratch, p.found);
    ct_free(scratch, p.nodes);
    ct_sjson_free(p.tape);
    ct_hash_map_free(&p.children);
    ct_hash_map_free(&p.earlier);
    ct_hash_map_free(&p.indexed);
    ct_hash_map_free(&p.taken);
    return is_right;
}
