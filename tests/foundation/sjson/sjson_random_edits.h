// sjson_random_edits.h: random edits of a document, and what they must lead to.
//
// For test_sjson_document.c and fuzz/fuzz_sjson_document.c. What an edit leads to is told before it
// is made: the document's values as JSON, with the edit laid over them. Afterwards the values in
// the document's tree, and those of its text read by the tape, must be that.
#pragma once
#include "foundation/error.h"
#include "foundation/sjson/sjson_document.h"
#include "foundation/sjson/sjson_writer.h"

#include <string.h>

// One edit. Any part may be missing.
typedef struct sjson_edit {
    uint32_t set;               // a node that gets the value `json`
    uint32_t removed;           // a node that goes (from where it is, when it is moved)
    uint32_t renamed;           // a node that gets the key `key`
    uint32_t container, before; // where a node comes: (`key`,) `json`
    const char *key, *json;
} sjson_edit;

static void sjson_edit_add_json(const ct_sjson_document *doc, uint32_t index,
                                const sjson_edit *edit, ct_sjson_writer *w, ct_allocator *a);

// Writes a JSON text as a value.
static void sjson_edit_add_text(ct_allocator *a, const char *json, ct_sjson_writer *w) {
    ct_error error = {0};
    ct_sjson *const value = ct_sjson_parse_value(a, json, strlen(json), "model", NULL, &error);
    CT_ASSERT(value, "%s in %s", error.message, json);
    ct_sjson_write_value(w, value, ct_sjson_root(value));
    ct_sjson_free(value);
}

static void sjson_edit_add_new(ct_allocator *a, const sjson_edit *edit, ct_sjson_writer *w) {
    if (edit->key)
        ct_sjson_write_key(w, edit->key);
    sjson_edit_add_text(a, edit->json, w);
}

static void sjson_edit_add_children(const ct_sjson_document *doc, uint32_t index,
                                    const sjson_edit *edit, ct_sjson_writer *w, ct_allocator *a) {
    const bool is_place = edit->container == index;
    ct_sjson_node child = ct_sjson_document_first(doc, (ct_sjson_node){index});
    for (; child.index; child = ct_sjson_document_next(doc, child)) {
        if (is_place && edit->before == child.index)
            sjson_edit_add_new(a, edit, w);
        if (child.index == edit->removed)
            continue;
        const char *const key = ct_sjson_document_key(doc, child);
        if (key)
            ct_sjson_write_key(w, child.index == edit->renamed ? edit->key : key);
        sjson_edit_add_json(doc, child.index, edit, w, a);
    }
    if (is_place && edit->before == 0)
        sjson_edit_add_new(a, edit, w);
}

static void sjson_edit_add_json(const ct_sjson_document *doc, uint32_t index,
                                const sjson_edit *edit, ct_sjson_writer *w, ct_allocator *a) {
    const ct_sjson_node node = {index};
    if (index == edit->set) {
        sjson_edit_add_text(a, edit->json, w);
        return;
    }
    switch (ct_sjson_document_type(doc, node)) {
    case CT_SJSON_TYPE_OBJECT:
        ct_sjson_begin_object(w);
        sjson_edit_add_children(doc, index, edit, w, a);
        ct_sjson_end_object(w);
        return;
    case CT_SJSON_TYPE_ARRAY:
        ct_sjson_begin_array(w);
        sjson_edit_add_children(doc, index, edit, w, a);
        ct_sjson_end_array(w);
        return;
    case CT_SJSON_TYPE_STRING:
        ct_sjson_write_string_bytes(w, ct_sjson_document_string(doc, node, ""),
                                    ct_sjson_document_string_bytes(doc, node));
        return;
    case CT_SJSON_TYPE_NUMBER:
        ct_sjson_write_number(w, ct_sjson_document_number(doc, node, 0));
        return;
    case CT_SJSON_TYPE_BOOL:
        ct_sjson_write_bool(w, ct_sjson_document_bool(doc, node, false));
        return;
    default:
        ct_sjson_write_null(w);
        return;
    }
}

// The values from `node` down as JSON, as they will be after `edit`.
static void sjson_edit_json(ct_allocator *a, const ct_sjson_document *doc, uint32_t node,
                            const sjson_edit *edit, ct_string_builder *json) {
    ct_sjson_writer w;
    ct_string_builder_init(json, a);
    ct_sjson_writer_init(&w, json, CT_SJSON_STYLE_JSON);
    sjson_edit_add_json(doc, node, edit, &w, a);
}

static void sjson_edit_tape_json(ct_allocator *a, const ct_string_builder *text,
                                 ct_string_builder *json) {
    ct_error error = {0};
    ct_sjson *const tape = ct_sjson_parse(a, text->text, text->length, "written", NULL, &error);
    CT_ASSERT(tape, "%u:%u: %s in what was written:\n%s", error.line, error.column, error.message,
              ct_string_builder_text(text));
    ct_sjson_writer w;
    ct_string_builder_init(json, a);
    ct_sjson_writer_init(&w, json, CT_SJSON_STYLE_JSON);
    ct_sjson_write_value(&w, tape, ct_sjson_root(tape));
    ct_sjson_free(tape);
}

// The tree's links fit each other.
static void sjson_edit_check_links(const ct_sjson_document *doc, ct_sjson_node container) {
    uint32_t count = 0;
    ct_sjson_node last = {0};
    for (ct_sjson_node c = ct_sjson_document_first(doc, container); c.index;
         c = ct_sjson_document_next(doc, c)) {
        CT_ASSERT(ct_sjson_document_parent(doc, c).index == container.index, "a wrong parent");
        CT_ASSERT(ct_sjson_document_previous(doc, c).index == last.index, "a wrong neighbour");
        sjson_edit_check_links(doc, c);
        last = c;
        ++count;
    }
    CT_ASSERT(ct_sjson_document_last(doc, container).index == last.index, "a wrong last child");
    CT_ASSERT(ct_sjson_document_count(doc, container) == count, "a wrong count");
}

// Tree and text of the document must hold the values `expected`.
static void sjson_edit_check(ct_allocator *a, const ct_sjson_document *doc,
                             const ct_string_builder *expected, const char *what) {
    const sjson_edit none = {0};
    ct_string_builder text, tree_json, text_json;
    ct_string_builder_init(&text, a);
    ct_sjson_document_write(doc, &text);
    sjson_edit_check_links(doc, ct_sjson_document_root(doc));
    sjson_edit_json(a, doc, 1, &none, &tree_json);
    sjson_edit_tape_json(a, &text, &text_json);
    CT_ASSERT(strcmp(tree_json.text, expected->text) == 0, "after %s the tree is\n%s\nand not\n%s",
              what, tree_json.text, expected->text);
    CT_ASSERT(strcmp(text_json.text, expected->text) == 0,
              "after %s the text is\n%s\nthat is\n%s\nand not\n%s", what, text.text, text_json.text,
              expected->text);
    ct_string_builder_free(&text);
    ct_string_builder_free(&tree_json);
    ct_string_builder_free(&text_json);
}

static uint32_t sjson_edit_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

// A child of the container, or none for its end.
static uint32_t sjson_edit_pick_child(const ct_sjson_document *doc, uint32_t container,
                                      uint32_t *random) {
    const uint32_t count = ct_sjson_document_count(doc, (ct_sjson_node){container});
    uint32_t steps = sjson_edit_random(random) % (count + 1);
    ct_sjson_node child = ct_sjson_document_first(doc, (ct_sjson_node){container});
    while (steps-- && child.index)
        child = ct_sjson_document_next(doc, child);
    return child.index;
}

// Any node, by a walk from the root.
static uint32_t sjson_edit_pick(const ct_sjson_document *doc, uint32_t *random) {
    uint32_t node = 1;
    while (sjson_edit_random(random) % 4) {
        const uint32_t child = sjson_edit_pick_child(doc, node, random);
        if (!child)
            break;
        node = child;
    }
    return node;
}

static bool sjson_edit_is_below(const ct_sjson_document *doc, uint32_t node, uint32_t ancestor) {
    while (node && node != ancestor)
        node = ct_sjson_document_parent(doc, (ct_sjson_node){node}).index;
    return node;
}

static const char *const sjson_edit_values[] = {
    "5",
    "-0.25",
    "\"\"",
    "\"x\"",
    "true",
    "null",
    "[]",
    "{}",
    "[1 2]",
    "[1, 2]",
    "{ a = 1  b = 2 }",
    "{\"a\":1,\"b\":[]}",
    "\"\"\"\nraw\n\"\"\"",
    "{\n    a = 1 // one\n    // two\n    b = [\n 3 ]\n}",
    "[ /* x */ 1 // y\n ]",
    "[[[]]]",
    "\"a\\u0000\\n\"",
};

static const char *const sjson_edit_keys[] = {"a",  "b",         "c",    "key",      "",
                                              "//", "two words", "true", "\xc3\xa4", "d\"q"};

typedef enum sjson_edit_kind {
    SJSON_EDIT_KIND_SET,
    SJSON_EDIT_KIND_INSERT,
    SJSON_EDIT_KIND_REMOVE,
    SJSON_EDIT_KIND_RENAME,
    SJSON_EDIT_KIND_MOVE,
    SJSON_EDIT_KIND_COPY,
    SJSON_EDIT_KIND_COUNT,
} sjson_edit_kind;

// What is to be done, before it is known whether it can be.
typedef struct sjson_edit_plan {
    sjson_edit_kind kind;
    ct_sjson_node node, container, before;
    bool is_object; // the container
    const char *value, *key;
} sjson_edit_plan;

static sjson_edit_plan sjson_edit_choose(const ct_sjson_document *doc, uint32_t *random) {
    sjson_edit_plan p = {
        .kind = (sjson_edit_kind)(sjson_edit_random(random) % SJSON_EDIT_KIND_COUNT),
        .node.index = sjson_edit_pick(doc, random),
        .container.index = sjson_edit_pick(doc, random),
        .value = sjson_edit_values[sjson_edit_random(random) % CT_COUNT_OF(sjson_edit_values)],
        .key = sjson_edit_keys[sjson_edit_random(random) % CT_COUNT_OF(sjson_edit_keys)],
    };
    if (ct_sjson_document_type(doc, p.container) < CT_SJSON_TYPE_ARRAY)
        p.container = ct_sjson_document_parent(doc, p.container);
    p.is_object = ct_sjson_document_type(doc, p.container) == CT_SJSON_TYPE_OBJECT;
    p.before.index = sjson_edit_pick_child(doc, p.container.index, random);
    return p;
}

// False when the plan would be a bug of its caller, or let the document grow without bounds.
static bool sjson_edit_is_possible(const ct_sjson_document *doc, const sjson_edit_plan *p,
                                   uint32_t node_bytes) {
    const char *const key = ct_sjson_document_key(doc, p->node);
    if (p->kind == SJSON_EDIT_KIND_INSERT)
        return true;
    if (p->node.index == 1)
        return false;
    if (p->kind == SJSON_EDIT_KIND_RENAME)
        return key;
    if (p->kind < SJSON_EDIT_KIND_RENAME)
        return true;
    if ((key != NULL) != p->is_object)
        return false;
    return p->kind == SJSON_EDIT_KIND_COPY
               ? node_bytes < 500
               : !sjson_edit_is_below(doc, p->container.index, p->node.index);
}

// What the plan leads to; `key` and `json` are those of its node.
static sjson_edit sjson_edit_of(const sjson_edit_plan *p, const char *key, const char *json) {
    switch (p->kind) {
    case SJSON_EDIT_KIND_SET:
        return (sjson_edit){.set = p->node.index, .json = p->value};
    case SJSON_EDIT_KIND_INSERT:
        return (sjson_edit){.container = p->container.index,
                            .before = p->before.index,
                            .key = p->is_object ? p->key : NULL,
                            .json = p->value};
    case SJSON_EDIT_KIND_REMOVE:
        return (sjson_edit){.removed = p->node.index};
    case SJSON_EDIT_KIND_RENAME:
        return (sjson_edit){.renamed = p->node.index, .key = p->key};
    default:
        return (sjson_edit){.removed = p->kind == SJSON_EDIT_KIND_MOVE ? p->node.index : 0,
                            .container = p->container.index,
                            .before = p->before.index,
                            .key = key,
                            .json = json};
    }
}

static bool sjson_edit_make(ct_sjson_document *doc, const sjson_edit_plan *p, ct_error *error) {
    const uint64_t bytes = strlen(p->value);
    switch (p->kind) {
    case SJSON_EDIT_KIND_SET:
        return ct_sjson_document_set(doc, p->node, p->value, bytes, error);
    case SJSON_EDIT_KIND_INSERT:
        return (p->is_object ? ct_sjson_document_insert_member(doc, p->container, p->before, p->key,
                                                               p->value, bytes, error)
                             : ct_sjson_document_insert_element(doc, p->container, p->before,
                                                                p->value, bytes, error))
            .index;
    case SJSON_EDIT_KIND_REMOVE:
        ct_sjson_document_remove(doc, p->node);
        return true;
    case SJSON_EDIT_KIND_RENAME:
        return ct_sjson_document_rename(doc, p->node, p->key, error);
    case SJSON_EDIT_KIND_MOVE:
        return ct_sjson_document_move(doc, p->node, p->container, p->before, error);
    default:
        return ct_sjson_document_copy(doc, p->container, p->before, doc, p->node, error).index;
    }
}

// Makes a random edit when there is one to make, and checks what it led to. Returns whether it
// changed something.
static inline bool sjson_edit_once(ct_allocator *a, ct_sjson_document *doc, uint32_t *random) {
    static const char *const names[] = {"set", "insert", "remove", "rename", "move", "copy"};
    const sjson_edit none = {0};
    const sjson_edit_plan plan = sjson_edit_choose(doc, random);
    const char *const key = ct_sjson_document_key(doc, plan.node);
    char *const own_key = key ? ct_copy_string(a, key) : NULL;
    ct_string_builder json, unchanged, expected;
    sjson_edit_json(a, doc, plan.node.index, &none, &json);
    sjson_edit_json(a, doc, 1, &none, &unchanged);
    const sjson_edit edit = sjson_edit_of(&plan, own_key, json.text);
    bool ok = sjson_edit_is_possible(doc, &plan, json.length);
    if (ok) {
        ct_error error = {0};
        sjson_edit_json(a, doc, 1, &edit, &expected);
        ok = sjson_edit_make(doc, &plan, &error);
        CT_ASSERT(ok || error.message[0], "%s failed without words", names[plan.kind]);
        sjson_edit_check(a, doc, ok ? &expected : &unchanged, names[plan.kind]);
        ct_string_builder_free(&expected);
    }
    ct_string_builder_free(&json);
    ct_string_builder_free(&unchanged);
    ct_free(a, own_key);
    return ok;
}
