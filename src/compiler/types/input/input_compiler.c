// Compiles inputs: actions, their sets and bindings, with every control checked by its name.
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "foundation/container/array.h"
#include "resource/types/input_resource.h"

// A set or an action without its name in the blob.
typedef struct named_set {
    const char *name;
    ct_input_set set;
} named_set;

typedef struct named_action {
    const char *name;
    ct_input_action action;
} named_action;

typedef struct input_builder {
    ct_compile *c;
    ct_schema_listener listener;
    ct_input_source source;
    CT_ARRAY(named_set) sets;
    CT_ARRAY(named_action) actions;
    CT_ARRAY(ct_input_binding) bindings;
    const char *mappings;
    uint64_t mappings_bytes;
} input_builder;

// --- Reading -------------------------------------------------------------------------------------

// The name of a member of a map; false after reporting one that is too long or empty.
static bool read_name(input_builder *b, ct_sjson_value v, const char **name) {
    *name = ct_sjson_key(b->c->doc, v);
    const size_t bytes = strlen(*name);
    return (bytes > 0 && bytes < CT_INPUT_NAME_BYTES) ||
           ct_compile_error(b->c, b->c->doc, v, "found a name of %zu bytes, expected 1 to %d",
                            bytes, CT_INPUT_NAME_BYTES - 1);
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
        !ct_schema_read(&ct_input_set_schema, b->c->doc, v, &source, &b->listener))
        return;
    const named_set set = make_set(name, source.is_active != 0);
    if (find_set(b, name) == 0)
        b->sets.items[0] = set;
    else if (b->sets.count == CT_INPUT_MAX_SETS)
        ct_compile_error(b->c, b->c->doc, v, "found more than %d sets", (int)CT_INPUT_MAX_SETS);
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
    ct_compile_error(b->c, b->c->doc, source->set_value, "there is no set \"%.64s\" in sets%s%s%s",
                     source->set, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                     nearest ? "\"?" : "");
    return 0;
}

static void read_bindings(input_builder *b, ct_sjson_value array, ct_input_action *action) {
    const ct_sjson *const doc = b->c->doc;
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

static void read_one_action(input_builder *b, ct_sjson_value v) {
    ct_input_action_source source;
    named_action named = {.action.first_binding = b->bindings.count};
    ct_input_action *const action = &named.action;
    if (!read_name(b, v, &named.name) ||
        !ct_schema_read(&ct_input_action_schema, b->c->doc, v, &source, &b->listener))
        return;
    if (b->actions.count == CT_INPUT_MAX_ACTIONS) {
        ct_compile_error(b->c, b->c->doc, v, "found more than %d actions",
                         (int)CT_INPUT_MAX_ACTIONS);
        return;
    }
    action->id = ct_string_id32_of(named.name);
    for (uint32_t i = 0; i < b->actions.count; ++i) {
        if (b->actions.items[i].action.id.value == action->id.value)
            ct_compile_error(b->c, b->c->doc, v, "\"%s\" and \"%s\" have the same id: rename one",
                             named.name, b->actions.items[i].name);
    }
    action->kind = source.kind;
    action->set = read_set_of(b, &source);
    read_bindings(b, source.bindings, action);
    ct_array_push(&b->actions, named);
}

static void read_each(input_builder *b, ct_sjson_value map,
                      void (*read)(input_builder *b, ct_sjson_value v)) {
    for (ct_sjson_value v = ct_sjson_first(b->c->doc, map); v.entry;
         v = ct_sjson_next(b->c->doc, v))
        read(b, v);
}

static void read_mappings(input_builder *b) {
    b->mappings = "";
    if (!b->source.gamepad_mappings)
        return;
    const char *const text = ct_compile_read(b->c, b->source.gamepad_mappings, &b->mappings_bytes,
                                             b->c->doc, b->source.gamepad_mappings_value);
    if (!text)
        return;
    if (strlen(text) != b->mappings_bytes)
        ct_compile_error(b->c, b->c->doc, b->source.gamepad_mappings_value,
                         "%s holds a zero byte; expected text", b->source.gamepad_mappings);
    b->mappings = text;
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

static ct_blob_array write_actions(const input_builder *b, ct_blob_writer *w) {
    const uint32_t count = b->actions.count;
    ct_input_action *const actions = CT_NEW_ARRAY(b->c->allocator, ct_input_action, count + 1);
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_input_action_layout, count);
    for (uint32_t i = 0; i < count; ++i) {
        const named_action *const from = &b->actions.items[i];
        actions[i] = from->action;
        actions[i].name = ct_blob_write_string(w, from->name, strlen(from->name));
    }
    ct_blob_fill_items(w, &ct_input_action_layout, array, actions);
    return array;
}

static void write_input(const input_builder *b) {
    ct_blob_writer *const w = &b->c->blob;
    ct_input_resource r = {.sets = {0}};
    ct_blob_begin(w, &ct_input_layout);
    r.sets = write_sets(b, w);
    r.actions = write_actions(b, w);
    r.bindings =
        ct_blob_write_items(w, &ct_input_binding_layout, b->bindings.items, b->bindings.count);
    r.gamepad_mappings = ct_blob_write_string(w, b->mappings, b->mappings_bytes);
    ct_blob_end(w, &ct_input_layout, &r);
}

bool ct_compile_input(ct_compile *c) {
    input_builder b = {.c = c, .listener = ct_compile_listener(c)};
    ct_array_init(&b.sets, c->allocator);
    ct_array_init(&b.actions, c->allocator);
    ct_array_init(&b.bindings, c->allocator);
    if (!ct_schema_read(&ct_input_schema, c->doc, ct_sjson_root(c->doc), &b.source, &b.listener))
        return false;
    ct_array_push(&b.sets, make_set("default", true));
    read_each(&b, b.source.sets, read_set);
    read_each(&b, b.source.actions, read_one_action);
    read_mappings(&b);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_input(&b);
    return true;
}
