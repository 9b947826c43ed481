// Compiles inputs: actions, their sets and bindings, with every control checked by its name. What
// a source includes is read before it, so that its own sets and actions replace those of the same
// name.
#include <string.h>

#include "compiler/protocol/compiler_circle.h"
#include "compiler/protocol/compiler_types.h"
#include "foundation/container/array.h"
#include "resource/types/input_resource.h"

enum { MAX_DEPTH = 32 }; // of files that include each other

// A set or an action without its name in the blob.
typedef struct named_set {
    const char *name;
    ct_input_set set;
} named_set;

typedef struct named_action {
    const char *name;
    const ct_sjson *doc;    // where it is from
    ct_input_action action; // its bindings in the builder's
} named_action;

typedef CT_ARRAY(ct_input_binding) binding_array;

typedef struct input_builder {
    ct_compile *c;
    ct_schema_listener listener;
    const ct_sjson *doc; // the one being read
    CT_ARRAY(named_set) sets;
    CT_ARRAY(named_action) actions;
    binding_array bindings; // also of actions that were replaced
    const char *mappings;
    uint64_t mappings_bytes;
    // The files on the way to the one being read, each with the include that leads to the next.
    const ct_sjson *way[MAX_DEPTH];
    ct_sjson_value includes[MAX_DEPTH];
    uint32_t depth;
    CT_ARRAY(const ct_sjson *) files; // all that were read
} input_builder;

// --- Reading -------------------------------------------------------------------------------------

// The name of a member of a map; false after reporting one that is too long or empty.
static bool read_name(input_builder *b, ct_sjson_value v, const char **name) {
    *name = ct_sjson_key(b->doc, v);
    const size_t bytes = strlen(*name);
    return (bytes > 0 && bytes < CT_INPUT_NAME_BYTES) ||
           ct_compile_error(b->c, b->doc, v, "found a name of %zu bytes, expected 1 to %d", bytes,
                            CT_INPUT_NAME_BYTES - 1);
}

static int32_t find_set(const input_builder *b, const char *name) {
    for (uint32_t i = 0; i < b->sets.count; ++i) {
        if (strcmp(b->sets.items[i].name, name) == 0)
            return (int32_t)i;
    }
    return -1;
}

static named_set make_set(const char *name, bool is_active) {
    return (named_set){name, {.id = ct_string_id32_of(name), .is_active = is_active}};
}

static void read_set(input_builder *b, ct_sjson_value v) {
    ct_input_set_source source;
    const char *name;
    if (!read_name(b, v, &name) ||
        !ct_schema_read(&ct_input_set_schema, b->doc, v, &source, &b->listener))
        return;
    const named_set set = make_set(name, source.is_active != 0);
    const int32_t place = find_set(b, name);
    if (place >= 0)
        b->sets.items[place] = set;
    else if (b->sets.count == CT_INPUT_MAX_SETS)
        ct_compile_error(b->c, b->doc, v, "found more than %d sets", (int)CT_INPUT_MAX_SETS);
    else
        ct_array_push(&b->sets, set);
}

static uint32_t read_set_of(input_builder *b, const ct_input_action_source *source) {
    const int32_t set = source->set ? find_set(b, source->set) : 0;
    if (set >= 0)
        return (uint32_t)set;
    const char *names[CT_INPUT_MAX_SETS];
    for (uint32_t i = 0; i < b->sets.count; ++i)
        names[i] = b->sets.items[i].name;
    const char *const nearest = ct_nearest_name(source->set, names, b->sets.count);
    ct_compile_error(b->c, b->doc, source->set_value, "there is no set \"%.64s\" in sets%s%s%s",
                     source->set, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                     nearest ? "\"?" : "");
    return 0;
}

static void read_bindings(input_builder *b, ct_sjson_value array, ct_input_action *action) {
    const ct_sjson *const doc = b->doc;
    if (ct_sjson_type_of(doc, array) != CT_SJSON_TYPE_ARRAY) {
        ct_compile_error(b->c, doc, array, "bindings: found %s, expected an array",
                         ct_sjson_type_name(ct_sjson_type_of(doc, array)));
        return;
    }
    if (ct_sjson_count(doc, array) > CT_INPUT_MAX_SLOTS) {
        ct_compile_error(b->c, doc, array, "bindings: found %u, expected at most %d",
                         ct_sjson_count(doc, array), (int)CT_INPUT_MAX_SLOTS);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v)) {
        ct_input_binding binding;
        ct_error error = {0};
        if (!ct_input_binding_read(doc, v, &binding, &b->listener))
            continue;
        if (!ct_input_binding_fits(&binding, (ct_input_action_kind)action->kind, &error))
            ct_compile_error(b->c, doc, v, "%s", error.message);
        ct_array_push(&b->bindings, binding);
        ++action->num_bindings;
    }
}

// The place of a new action: that of one of its name that was included, or a new one. NULL after
// reporting that there is none.
static named_action *action_place(input_builder *b, ct_sjson_value v, const named_action *named) {
    for (uint32_t i = 0; i < b->actions.count; ++i) {
        named_action *const other = &b->actions.items[i];
        if (other->action.id.value != named->action.id.value)
            continue;
        if (strcmp(other->name, named->name) == 0)
            return other;
        ct_compile_error(b->c, b->doc, v, "\"%s\" and \"%s\"%s%s have the same id: rename one",
                         named->name, other->name, other->doc == b->doc ? "" : " of ",
                         other->doc == b->doc ? "" : ct_sjson_file(other->doc));
        return NULL;
    }
    if (b->actions.count == CT_INPUT_MAX_ACTIONS) {
        ct_compile_error(b->c, b->doc, v, "found more than %d actions", (int)CT_INPUT_MAX_ACTIONS);
        return NULL;
    }
    ct_array_push(&b->actions, *named);
    return &b->actions.items[b->actions.count - 1];
}

static void read_one_action(input_builder *b, ct_sjson_value v) {
    ct_input_action_source source;
    named_action named = {.doc = b->doc, .action.first_binding = b->bindings.count};
    ct_input_action *const action = &named.action;
    if (!read_name(b, v, &named.name) ||
        !ct_schema_read(&ct_input_action_schema, b->doc, v, &source, &b->listener))
        return;
    action->id = ct_string_id32_of(named.name);
    named_action *const place = action_place(b, v, &named);
    if (!place)
        return;
    action->kind = source.kind;
    action->set = read_set_of(b, &source);
    read_bindings(b, source.bindings, action);
    *place = named;
}

static void read_each(input_builder *b, ct_sjson_value map,
                      void (*read)(input_builder *b, ct_sjson_value v)) {
    for (ct_sjson_value v = ct_sjson_first(b->doc, map); v.entry; v = ct_sjson_next(b->doc, v))
        read(b, v);
}

static void read_mappings(input_builder *b, const ct_input_source *source) {
    if (!source->gamepad_mappings)
        return;
    const char *const text = ct_compile_read(b->c, source->gamepad_mappings, &b->mappings_bytes,
                                             b->doc, source->gamepad_mappings_value);
    if (!text)
        return;
    if (strlen(text) != b->mappings_bytes)
        ct_compile_error(b->c, b->doc, source->gamepad_mappings_value,
                         "%s holds a zero byte; expected text", source->gamepad_mappings);
    b->mappings = text;
}

// --- Files ---------------------------------------------------------------------------------------

// Reports that the files on the way from number `first` on include each other in a circle.
static void report_circle(input_builder *b, uint32_t first) {
    const char *names[MAX_DEPTH];
    const uint32_t count = b->depth - first;
    for (uint32_t i = 0; i < count; ++i)
        names[i] = ct_circle_name(b->c->allocator, ct_sjson_file(b->way[first + i]));
    uint32_t closing = 0;
    const char *const circle = ct_circle_way(b->c->allocator, names, count, &closing);
    ct_compile_error(b->c, b->way[first + closing], b->includes[first + closing],
                     "an input cannot include itself: %s", circle);
}

// Whether a file that is included need not be read: it was, or reporting says why it cannot be.
static bool is_done(input_builder *b, const ct_sjson *doc) {
    for (uint32_t i = 0; i < b->depth; ++i) {
        if (b->way[i] == doc) {
            report_circle(b, i);
            return true;
        }
    }
    for (uint32_t i = 0; i < b->files.count; ++i) {
        if (b->files.items[i] == doc)
            return true;
    }
    if (b->depth < MAX_DEPTH)
        return false;
    ct_compile_error(b->c, b->way[b->depth - 1], b->includes[b->depth - 1],
                     "inputs include each other more than %d deep", MAX_DEPTH);
    return true;
}

static void read_file(input_builder *b, const ct_sjson *doc);

static void read_includes(input_builder *b, const ct_sjson *doc, ct_sjson_value list) {
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v)) {
        b->includes[b->depth - 1] = v;
        const ct_sjson *const included =
            ct_compile_read_base(b->c, "input", ct_sjson_string(doc, v, ""), doc, v);
        if (included && !is_done(b, included))
            read_file(b, included);
    }
}

// Reads what a file includes, then the file. The mappings of controllers are only those of the
// source itself.
static void read_file(input_builder *b, const ct_sjson *doc) {
    ct_input_source source;
    if (!ct_schema_read(&ct_input_schema, doc, ct_sjson_root(doc), &source, &b->listener))
        return;
    b->way[b->depth++] = doc;
    read_includes(b, doc, source.includes_value);
    --b->depth;
    b->doc = doc;
    read_each(b, source.sets, read_set);
    read_each(b, source.actions, read_one_action);
    if (b->depth == 0)
        read_mappings(b, &source);
    ct_array_push(&b->files, doc);
}

// --- Writing -------------------------------------------------------------------------------------

static ct_blob_array write_sets(const input_builder *b, ct_blob_writer *w) {
    const uint32_t count = b->sets.count;
    ct_input_set *const sets = CT_NEW_ARRAY(b->c->allocator, ct_input_set, count);
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_input_set_layout, count);
    for (uint32_t i = 0; i < count; ++i) {
        const named_set *const from = &b->sets.items[i];
        sets[i] = from->set;
        sets[i].name = ct_blob_write_string(w, from->name, strlen(from->name));
    }
    ct_blob_fill_items(w, &ct_input_set_layout, array, sets);
    return array;
}

// Writes the actions, and gives `bindings` theirs, in order.
static ct_blob_array write_actions(const input_builder *b, ct_blob_writer *w,
                                   binding_array *bindings) {
    const uint32_t count = b->actions.count;
    ct_input_action *const actions = CT_NEW_ARRAY(b->c->allocator, ct_input_action, count + 1);
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_input_action_layout, count);
    for (uint32_t i = 0; i < count; ++i) {
        const named_action *const from = &b->actions.items[i];
        actions[i] = from->action;
        actions[i].first_binding = bindings->count;
        for (uint32_t k = 0; k < from->action.num_bindings; ++k)
            ct_array_push(bindings, b->bindings.items[from->action.first_binding + k]);
        actions[i].name = ct_blob_write_string(w, from->name, strlen(from->name));
    }
    ct_blob_fill_items(w, &ct_input_action_layout, array, actions);
    return array;
}

static void write_input(const input_builder *b) {
    ct_blob_writer *const w = &b->c->blob;
    ct_input_resource r = {.sets = {0}};
    binding_array bindings;
    ct_array_init(&bindings, b->c->allocator);
    ct_blob_begin(w, &ct_input_layout);
    r.sets = write_sets(b, w);
    r.actions = write_actions(b, w, &bindings);
    r.bindings = ct_blob_write_items(w, &ct_input_binding_layout, bindings.items, bindings.count);
    r.gamepad_mappings = ct_blob_write_string(w, b->mappings, b->mappings_bytes);
    ct_blob_end(w, &ct_input_layout, &r);
}

bool ct_compile_input(ct_compile *c) {
    input_builder *const b = CT_NEW(c->allocator, input_builder);
    b->c = c;
    b->listener = ct_compile_listener(c);
    b->mappings = "";
    ct_array_init(&b->sets, c->allocator);
    ct_array_init(&b->actions, c->allocator);
    ct_array_init(&b->bindings, c->allocator);
    ct_array_init(&b->files, c->allocator);
    ct_array_push(&b->sets, make_set("default", true));
    read_file(b, c->doc);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_input(b);
    return true;
}
