#include "support/random_tree.h"

#include <stdio.h>
#include <string.h>

#include "foundation/sjson/sjson_writer.h"
#include "support/test_support.h"

enum { MOST_DEPTH = 5, MOST_CHILDREN = 64 };

static const char *const keys[] = {"a",        "b",    "c.d",   "position", "units", "name",
                                   "x y",      "tags", "\"q\"", "children", "value", "é",
                                   "rotation", "9",    "type",  "points"};
static const char *const ids[] = {"\"5b1f0c3e\"", "\"8f\"", "\"lamp one\"", "\"12\"",
                                  "12",           "13",     "\"e1\"",       "\"e2\"",
                                  "\"e3\"",       "\"e4\"", "\"\"",         "-0.5"};
static const char *const scalars[] = {"0",
                                      "1",
                                      "-0",
                                      "0.25",
                                      "1e22",
                                      "-17",
                                      "3",
                                      "true",
                                      "null",
                                      "false",
                                      "\"wood\"",
                                      "\"\"",
                                      "\"a\\nb\\u00e9\"",
                                      "\"x\\u0000y\"",
                                      "\"\"\"raw \\ text\n  on lines\"\"\"",
                                      "\"// no comment\"",
                                      "2"};

const char random_tree_sample[] = "// head\n"
                                  "units = [\n"
                                  "  { id = \"a\" position = [1 2 3] } // one\n"
                                  "  { id = \"b\" \"tags\": [\"x\", \"y\"] }\n"
                                  "]\n"
                                  "points = [[1] [2 { k = 3 }] 4 4]\r\n"
                                  "script = \"\"\"raw\ntext\"\"\"\n"
                                  "none = null\n";

typedef struct tree {
    uint32_t *random;
    uint32_t rate; // of edits
    ct_string_builder *out;
} tree;

static uint32_t pick(tree *t, uint32_t count) {
    return test_random(t->random) % count;
}

static void add(tree *t, const char *text) {
    ct_string_builder_add(t->out, text);
}

// What stands between two values: always something that parts them.
static void add_gap(tree *t, uint32_t depth) {
    static const char *const gaps[] = {" ",
                                       "\n",
                                       " ",
                                       "\n",
                                       ", ",
                                       ",\n",
                                       "  ",
                                       "\n\n",
                                       "\t",
                                       " // after\n",
                                       "\n// before\n",
                                       " /* in */ ",
                                       "\r\n"};
    add(t, gaps[pick(t, CT_COUNT_OF(gaps))]);
    for (uint32_t i = 0; i < depth && t->out->text[t->out->length - 1] == '\n'; ++i)
        add(t, "    ");
}

// What stands after an opening or before a closing bracket.
static void add_edge(tree *t) {
    static const char *const edges[] = {" ", "", "\n", "\n", " /* edge */ ", " // edge\n"};
    add(t, edges[pick(t, CT_COUNT_OF(edges))]);
}

static void add_key(tree *t, const char *key) {
    if (ct_sjson_key_needs_quotes(key) || pick(t, 8) == 0)
        ct_sjson_add_string(t->out, key, (uint32_t)strlen(key));
    else
        add(t, key);
    add(t, pick(t, 6) ? " = " : ": ");
}

static void add_scalar(tree *t) {
    add(t, scalars[pick(t, CT_COUNT_OF(scalars))]);
}

// --- New values ----------------------------------------------------------------------------------

static void add_random(tree *t, uint32_t depth);

// Members of different keys; with `id` as the first one, or none.
static void add_members(tree *t, uint32_t depth, const char *id_key, const char *id) {
    uint32_t key = pick(t, CT_COUNT_OF(keys));
    const uint32_t step = 1 + 2 * pick(t, CT_COUNT_OF(keys) / 2); // runs through all keys
    const uint32_t count = pick(t, depth == 0 ? 8 : 5);
    if (id) {
        add_key(t, id_key);
        add(t, id);
    }
    for (uint32_t i = 0; i < count; ++i, key = (key + step) % CT_COUNT_OF(keys)) {
        if (i > 0 || id)
            add_gap(t, depth);
        add_key(t, keys[key]);
        add_random(t, depth + 1);
    }
}

static void add_object(tree *t, uint32_t depth, const char *id_key, const char *id) {
    add(t, "{");
    add_edge(t);
    add_members(t, depth, id_key, id);
    add_edge(t);
    add(t, "}");
}

static void add_id_elements(tree *t, uint32_t depth) {
    static const char *const id_keys[] = {"id", "id", "Id", "ID"};
    const char *const id_key = id_keys[pick(t, CT_COUNT_OF(id_keys))];
    const uint32_t count = pick(t, 9);
    uint32_t id = pick(t, CT_COUNT_OF(ids));
    for (uint32_t i = 0; i < count; ++i) {
        if (i > 0)
            add_gap(t, depth);
        add_object(t, depth + 1, id_key, ids[id]);
        id = (id + (pick(t, 30) ? 1 : 0)) % CT_COUNT_OF(ids);
    }
}

static void add_array(tree *t, uint32_t depth) {
    const uint32_t kind = pick(t, 4), count = pick(t, kind == 0 ? 5 : 12);
    add(t, "[");
    add_edge(t);
    if (kind == 1 && depth < MOST_DEPTH) {
        add_id_elements(t, depth);
    } else {
        for (uint32_t i = 0; i < count; ++i) {
            if (i > 0)
                add_gap(t, depth);
            if (kind == 0)
                add(t, scalars[pick(t, 7)]); // numbers: vectors
            else if (kind == 2)
                add_scalar(t);
            else
                add_random(t, depth + 1);
        }
    }
    add_edge(t);
    add(t, "]");
}

static void add_random(tree *t, uint32_t depth) {
    const uint32_t kind = pick(t, 5);
    if (kind == 0 && depth < MOST_DEPTH)
        add_object(t, depth, NULL, NULL);
    else if (kind == 1 && depth < MOST_DEPTH)
        add_array(t, depth);
    else
        add_scalar(t);
}

static void add_start(tree *t) {
    static const char *const starts[] = {"", "", "", "\xef\xbb\xbf", "// head\n\n", "\n"};
    add(t, starts[pick(t, CT_COUNT_OF(starts))]);
}

static void add_end(tree *t) {
    static const char *const ends[] = {"\n", "\n", "", " // tail", "\n\n", "\r\n"};
    add(t, ends[pick(t, CT_COUNT_OF(ends))]);
}

static void add_root(tree *t) {
    const uint32_t kind = pick(t, 16);
    if (kind < 2) {
        add_array(t, 0);
        return;
    }
    add(t, kind < 6 ? "{ " : "");
    add_members(t, 0, NULL, NULL);
    add(t, kind < 6 ? " }" : "");
}

void random_tree_write(uint32_t *random, ct_string_builder *out) {
    tree t = {.random = random, .rate = 1, .out = out};
    add_start(&t);
    add_root(&t);
    add_end(&t);
}

// --- Edited copies -------------------------------------------------------------------------------

static bool is_edited(tree *t) {
    return pick(t, t->rate) == 0;
}

static void copy_value(tree *t, const ct_sjson *doc, ct_sjson_value v, uint32_t depth);

// The children of a container, in an order that may be another one. Returns their number.
static uint32_t list_children(tree *t, const ct_sjson *doc, ct_sjson_value container,
                              ct_sjson_value children[MOST_CHILDREN]) {
    uint32_t count = 0;
    ct_sjson_value v = ct_sjson_first(doc, container);
    for (; v.entry && count < MOST_CHILDREN; v = ct_sjson_next(doc, v))
        children[count++] = v;
    for (uint32_t moves = 0; count > 1 && moves < count && is_edited(t); ++moves) {
        const uint32_t from = pick(t, count), to = pick(t, count);
        const ct_sjson_value moved = children[from];
        memmove(children + from, children + from + 1, sizeof(moved) * (count - 1 - from));
        memmove(children + to + 1, children + to, sizeof(moved) * (count - 1 - to));
        children[to] = moved;
    }
    return count;
}

// A key that `object` does not have; NULL when it has them all.
static const char *new_key(tree *t, const ct_sjson *doc, ct_sjson_value object) {
    const uint32_t first = pick(t, CT_COUNT_OF(keys));
    for (uint32_t i = 0; i < CT_COUNT_OF(keys); ++i) {
        const char *const key = keys[(first + i) % CT_COUNT_OF(keys)];
        if (!ct_sjson_find(doc, object, key).entry)
            return key;
    }
    return NULL;
}

static void copy_members(tree *t, const ct_sjson *doc, ct_sjson_value object, uint32_t depth) {
    ct_sjson_value children[MOST_CHILDREN];
    const uint32_t count = list_children(t, doc, object, children);
    const char *const added = is_edited(t) ? new_key(t, doc, object) : NULL;
    const uint32_t place = added ? pick(t, count + 1) : count + 1;
    bool is_first = true;
    for (uint32_t i = 0; i <= count; ++i) {
        if (i == place) {
            if (!is_first)
                add_gap(t, depth);
            add_key(t, added);
            add_random(t, depth + 1);
            is_first = false;
        }
        if (i == count || is_edited(t))
            continue;
        if (!is_first)
            add_gap(t, depth);
        add_key(t, ct_sjson_key(doc, children[i]));
        copy_value(t, doc, children[i], depth + 1);
        is_first = false;
    }
}

// The name of the id of the first element, or NULL.
static const char *id_key_of(const ct_sjson *doc, ct_sjson_value element) {
    static const char *const id_keys[] = {"id", "Id", "ID"};
    for (uint32_t i = 0; i < CT_COUNT_OF(id_keys); ++i) {
        if (element.entry && ct_sjson_find(doc, element, id_keys[i]).entry)
            return id_keys[i];
    }
    return NULL;
}

// Something new between elements: with an id that may be there already, where others have one.
static void add_element(tree *t, const char *id_key, uint32_t depth) {
    if (id_key && depth < MOST_DEPTH)
        add_object(t, depth + 1, id_key, ids[pick(t, CT_COUNT_OF(ids))]);
    else if (!id_key)
        add_random(t, depth + 1);
    else
        add(t, "{ }");
}

static void copy_elements(tree *t, const ct_sjson *doc, ct_sjson_value array, uint32_t depth) {
    ct_sjson_value children[MOST_CHILDREN];
    const uint32_t count = list_children(t, doc, array, children);
    const char *const id_key = id_key_of(doc, ct_sjson_first(doc, array));
    bool is_first = true;
    for (uint32_t i = 0; i <= count; ++i) {
        if (is_edited(t) && is_edited(t)) {
            if (!is_first)
                add_gap(t, depth);
            add_element(t, id_key, depth);
            is_first = false;
        }
        if (i == count || (is_edited(t) && is_edited(t)))
            continue;
        if (!is_first)
            add_gap(t, depth);
        copy_value(t, doc, children[i], depth + 1);
        is_first = false;
    }
}

static void copy_scalar(tree *t, const ct_sjson *doc, ct_sjson_value v) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, t->out, CT_SJSON_STYLE_JSON);
    ct_sjson_write_value(&w, doc, v);
}

static void copy_value(tree *t, const ct_sjson *doc, ct_sjson_value v, uint32_t depth) {
    const ct_sjson_type type = ct_sjson_type_of(doc, v);
    if (type < CT_SJSON_TYPE_ARRAY) {
        if (is_edited(t))
            add_random(t, depth);
        else
            copy_scalar(t, doc, v);
        return;
    }
    if (is_edited(t) && is_edited(t)) {
        add_random(t, depth);
        return;
    }
    add(t, type == CT_SJSON_TYPE_ARRAY ? "[" : "{");
    add_edge(t);
    if (type == CT_SJSON_TYPE_ARRAY)
        copy_elements(t, doc, v, depth);
    else
        copy_members(t, doc, v, depth);
    add_edge(t);
    add(t, type == CT_SJSON_TYPE_ARRAY ? "]" : "}");
}

static void copy_root(tree *t, const ct_sjson *doc) {
    const ct_sjson_value root = ct_sjson_root(doc);
    const uint32_t kind = pick(t, 4);
    if (kind == 0 && pick(t, 20) == 0) {
        add_root(t);
        return;
    }
    if (ct_sjson_type_of(doc, root) == CT_SJSON_TYPE_ARRAY) {
        add(t, "[");
        add_edge(t);
        copy_elements(t, doc, root, 0);
        add_edge(t);
        add(t, "]");
        return;
    }
    add(t, kind == 0 ? "{ " : "");
    copy_members(t, doc, root, 0);
    add(t, kind == 0 ? " }" : "");
}

void random_tree_write_edited(uint32_t *random, uint32_t rate, const ct_sjson *doc,
                              ct_string_builder *out) {
    tree t = {.random = random, .rate = rate, .out = out};
    add_start(&t);
    copy_root(&t, doc);
    add_end(&t);
}
