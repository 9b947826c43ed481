// Compiles inputs: actions, their sets and bindings, with every control checked by its name.
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "foundation/container/array.h"
#include "resource/types/input_resource.h"

typedef struct named_set {
    const char *name;
    bool is_active;
} named_set;

typedef struct read_action {
    const char *name;
    uint32_t kind, set, first_binding, num_bindings;
} read_action;

typedef struct input_builder {
    ct_compile *c;
    ct_schema_listener listener;
    ct_input_source source;
    CT_ARRAY(named_set) sets;
    CT_ARRAY(read_action) actions;
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

static void read_set(input_builder *b, ct_sjson_value v) {
    ct_input_set_source source;
    const char *name;
    if (!read_name(b, v, &name) ||
        !ct_schema_read(&ct_input_set_schema, b->c->doc, v, &source, &b->listener))
        return;
    const named_set set = {name, source.is_active != 0};
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

static void read_bindings(input_builder *b, ct_sjson_value array, read_action *action) {
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
    read_action action = {.first_binding = b->bindings.count};
    if (!read_name(b, v, &action.name) ||
        !ct_schema_read(&ct_input_action_schema, b->c->doc, v, &source, &b->listener))
        return;
    if (b->actions.count == CT_INPUT_MAX_ACTIONS) {
        ct_compile_error(b->c, b->c->doc, v, "found more than %d actions",
                         (int)CT_INPUT_MAX_ACTIONS);
        return;
    }
    for (uint32_t i = 0; i < b->actions.count; ++i) {
        if (ct_string_id32_of(b->actions.items[i].name).value ==
            ct_string_id32_of(action.name).value)
            ct_compile_error(b->c, b->c->doc, v, "\"%s\" and \"%s\" have the same id: rename one",
                             action.name, b->actions.items[i].name);
    }
    action.kind = source.kind;
    action.set = read_set_of(b, &source);
    read_bindings(b, source.bindings, &action);
    ct_array_push(&b->actions, action);
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

static void write_sets(input_builder *b, uint32_t field) {
    ct_blob_writer *const w = &b->c->blob;
    const uint32_t at = ct_blob_writer_offset(w);
    ct_blob_patch_array(w, field, at, b->sets.count);
    for (uint32_t i = 0; i < b->sets.count; ++i) {
        ct_blob_write_u32(w, ct_string_id32_of(b->sets.items[i].name).value);
        ct_blob_write_u32(w, b->sets.items[i].is_active);
        ct_blob_write_array_field(w);
    }
    for (uint32_t i = 0; i < b->sets.count; ++i)
        ct_blob_patch_string(w,
                             at + i * (uint32_t)sizeof(ct_input_set) + offsetof(ct_input_set, name),
                             b->sets.items[i].name, (uint32_t)strlen(b->sets.items[i].name));
}

static void write_actions(input_builder *b, uint32_t field) {
    ct_blob_writer *const w = &b->c->blob;
    ct_blob_writer_align(w, 4);
    const uint32_t at = ct_blob_writer_offset(w);
    ct_blob_patch_array(w, field, b->actions.count ? at : 0, b->actions.count);
    for (uint32_t i = 0; i < b->actions.count; ++i) {
        const read_action *const action = &b->actions.items[i];
        ct_blob_write_u32(w, ct_string_id32_of(action->name).value);
        ct_blob_write_u32(w, action->kind);
        ct_blob_write_u32(w, action->set);
        ct_blob_write_u32(w, action->first_binding);
        ct_blob_write_u32(w, action->num_bindings);
        ct_blob_write_u32(w, 0);
        ct_blob_write_array_field(w);
    }
    for (uint32_t i = 0; i < b->actions.count; ++i)
        ct_blob_patch_string(
            w, at + i * (uint32_t)sizeof(ct_input_action) + offsetof(ct_input_action, name),
            b->actions.items[i].name, (uint32_t)strlen(b->actions.items[i].name));
}

static void write_bindings(input_builder *b, uint32_t field) {
    ct_blob_writer *const w = &b->c->blob;
    ct_blob_writer_align(w, 4);
    ct_blob_patch_array(w, field, b->bindings.count ? ct_blob_writer_offset(w) : 0,
                        b->bindings.count);
    for (uint32_t i = 0; i < b->bindings.count; ++i) {
        const ct_input_binding *const binding = &b->bindings.items[i];
        ct_blob_write_u32(w, binding->kind);
        ct_blob_write_u32(w, binding->modifiers);
        for (uint32_t k = 0; k < CT_COUNT_OF(binding->controls); ++k) {
            ct_blob_write_u8(w, binding->controls[k].device);
            ct_blob_write_u8(w, binding->controls[k].part);
            ct_blob_write_u16(w, binding->controls[k].number);
        }
        ct_blob_write_u32(w, binding->flags);
        ct_blob_write_float(w, binding->scale);
        ct_blob_write_float(w, binding->dead_zone);
        ct_blob_write_float(w, binding->response);
    }
}

bool ct_compile_input(ct_compile *c) {
    input_builder b = {.c = c, .listener = ct_compile_listener(c)};
    ct_array_init(&b.sets, c->allocator);
    ct_array_init(&b.actions, c->allocator);
    ct_array_init(&b.bindings, c->allocator);
    if (!ct_schema_read(&ct_input_schema, c->doc, ct_sjson_root(c->doc), &b.source, &b.listener))
        return false;
    ct_array_push(&b.sets, (named_set){"default", true});
    read_each(&b, b.source.sets, read_set);
    read_each(&b, b.source.actions, read_one_action);
    read_mappings(&b);
    if (ct_compile_error_count(c) > 0)
        return false;
    const uint32_t sets = ct_blob_write_array_field(&c->blob);
    const uint32_t actions = ct_blob_write_array_field(&c->blob);
    const uint32_t bindings = ct_blob_write_array_field(&c->blob);
    const uint32_t mappings = ct_blob_write_array_field(&c->blob);
    write_sets(&b, sets);
    write_actions(&b, actions);
    write_bindings(&b, bindings);
    ct_blob_patch_string(&c->blob, mappings, b.mappings, (uint32_t)b.mappings_bytes);
    return true;
}
