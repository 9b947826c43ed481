// Data components: `values`, merged key by key, become the buffer that instances start as.
#include <math.h>
#include <string.h>

#include "compiler/types/unit/component_compiler.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/string/string_builder.h"
#include "resource/blob/data_buffer.h"
#include "resource/schema/typed_reference.h"

// A member of the merged values. Nodes stand behind their parents; 0 is the root.
typedef struct data_node {
    const char *name;
    uint32_t parent;
    ct_data_key key;
    ct_template_place at; // of the value, in the source that gave it last
    uint32_t object;      // number of the component's object that gave it first
    bool is_object;       // and no reference
    bool is_gone;         // removed, or replaced by a later node: so is all below it
} data_node;

typedef struct data_tree {
    ct_template *t;
    CT_ARRAY(data_node) nodes;
    ct_hash_map members; // from a hash of parent and name to the node
    uint32_t object;     // number of the component's object that is merged in
    bool is_placed;      // this object is where the unit is placed, and overrides it
    bool is_broken;      // an error was told
    ct_allocator *temp;
} data_tree;

// --- Merging -------------------------------------------------------------------------------------

// True for an object that is merged member by member: a reference is one value.
static bool is_object(ct_template_place at) {
    return ct_sjson_type_of(at.doc, at.value) == CT_SJSON_TYPE_OBJECT &&
           !ct_typed_reference_is(at.doc, at.value, NULL);
}

static uint64_t member_key(uint32_t parent, const char *name) {
    return ct_string_id64_of(name).value ^ (parent + 1) * 0x9e3779b97f4a7c15ull;
}

static uint32_t add_node(data_tree *tree, uint32_t parent, const char *name, ct_template_place at) {
    const data_node *const above = &tree->nodes.items[parent];
    const ct_string_id32 id = ct_string_id32_of(name);
    const ct_data_key key = parent ? ct_data_key_join(above->key, id) : ct_data_key_of_id(id);
    ct_array_push(&tree->nodes,
                  (data_node){name, parent, key, at, tree->object, is_object(at), false});
    ct_hash_map_set(&tree->members, member_key(parent, name), tree->nodes.count - 1);
    return tree->nodes.count - 1;
}

static void merge_object(data_tree *tree, uint32_t node, ct_template_place object);

// How warnings call what stands there.
static const char *kind_name(ct_template_place at) {
    const ct_sjson_type type = ct_sjson_type_of(at.doc, at.value);
    const bool is_reference = type == CT_SJSON_TYPE_OBJECT && !is_object(at);
    return is_reference ? "a reference" : ct_sjson_type_name(type);
}

// Warns of a key that what is overridden does not have, hence misspelt. An object without members
// there is open to any.
static void warn_of_new_key(data_tree *tree, uint32_t parent, const char *name,
                            ct_template_place at) {
    const char **const names = CT_NEW_ARRAY(tree->temp, const char *, tree->nodes.count);
    uint32_t count = 0;
    for (uint32_t i = 1; i < tree->nodes.count; ++i) {
        if (tree->nodes.items[i].parent == parent && tree->nodes.items[i].object < tree->object)
            names[count++] = tree->nodes.items[i].name;
    }
    const char *const nearest = ct_nearest_name(name, names, count);
    if (nearest)
        ct_template_warning(tree->t, at,
                            "the overridden object has no value \"%.64s\"; did you mean \"%.64s\"?",
                            name, nearest);
    else if (count > 0)
        ct_template_warning(
            tree->t, at,
            "the overridden object has no value \"%.64s\"; add it there, or remove it here", name);
}

// Warns when an override is of another type than what it overrides. A reference may replace a
// string: both are names to Lua.
static void warn_of_type(data_tree *tree, const data_node *old, ct_template_place at) {
    const char *const was = kind_name(old->at), *const is = kind_name(at);
    const bool is_named = ct_sjson_type_of(old->at.doc, old->at.value) == CT_SJSON_TYPE_STRING &&
                          strcmp(is, "a reference") == 0;
    if (strcmp(was, is) != 0 && !is_named)
        ct_template_warning(tree->t, at, "found %s, but the \"%.64s\" that this overrides is %s",
                            is, old->name, was);
}

// A null takes away what is there; an object goes into an object; all else replaces.
static void merge_member(data_tree *tree, uint32_t parent, const char *name, ct_template_place at) {
    uint32_t node = (uint32_t)ct_hash_map_get(&tree->members, member_key(parent, name), 0);
    const bool is_there = node != 0 && !tree->nodes.items[node].is_gone;
    if (name[0] == 0) {
        tree->is_broken |= !ct_template_error(tree->t, at, "a key of `values` needs a name");
        return;
    }
    if (ct_sjson_type_of(at.doc, at.value) == CT_SJSON_TYPE_NULL) {
        if (is_there)
            tree->nodes.items[node].is_gone = true;
        else
            tree->is_broken |= !ct_template_error(
                tree->t, at, "null cannot remove the value \"%s\": it does not exist here", name);
        return;
    }
    if (is_there && tree->nodes.items[node].object < tree->object)
        warn_of_type(tree, &tree->nodes.items[node], at);
    else if (node == 0 && tree->is_placed && tree->nodes.items[parent].object < tree->object)
        warn_of_new_key(tree, parent, name, at);
    if (is_there && !(is_object(at) && tree->nodes.items[node].is_object))
        tree->nodes.items[node].is_gone = true;
    if (!is_there || tree->nodes.items[node].is_gone)
        node = add_node(tree, parent, name, at);
    if (is_object(at))
        merge_object(tree, node, at);
}

static void merge_object(data_tree *tree, uint32_t node, ct_template_place object) {
    for (ct_sjson_value v = ct_sjson_first(object.doc, object.value); v.entry;
         v = ct_sjson_next(object.doc, v))
        merge_member(tree, node, ct_sjson_key(object.doc, v), (ct_template_place){object.doc, v});
}

// --- Values --------------------------------------------------------------------------------------

// The float nearest to a number in a source.
static bool read_float(data_tree *tree, ct_template_place at, float *value) {
    const double number = ct_sjson_number(at.doc, at.value, 0);
    *value = (float)number;
    return isfinite(*value) ||
           ct_template_error(tree->t, at, "found %g, expected a number that fits into a float",
                             number);
}

static bool read_floats(data_tree *tree, ct_template_place at, ct_data_value *value) {
    const uint32_t count = ct_sjson_count(at.doc, at.value);
    float *const numbers = ct_alloc(tree->temp, sizeof(float) * ((uint64_t)count + 1));
    uint32_t n = 0;
    for (ct_sjson_value v = ct_sjson_first(at.doc, at.value); v.entry;
         v = ct_sjson_next(at.doc, v)) {
        const ct_template_place element = {at.doc, v};
        const ct_sjson_type type = ct_sjson_type_of(at.doc, v);
        if (type != CT_SJSON_TYPE_NUMBER)
            return ct_template_error(tree->t, element,
                                     "found %s, expected a number: arrays of `values` hold only "
                                     "numbers; use an object for other types",
                                     ct_sjson_type_name(type));
        if (!read_float(tree, element, &numbers[n++]))
            return false;
    }
    *value = ct_data_floats(numbers, count);
    return true;
}

// A reference's value is the name of the resource. Errors are reported once.
static bool read_reference(data_tree *tree, ct_template_place at, ct_data_value *value) {
    ct_schema_listener listener = ct_compile_listener(tree->t->compile);
    if (!ct_template_is_first(tree->t, at))
        listener.error = NULL;
    const char *const name = ct_typed_reference_read(at.doc, at.value, &listener);
    if (name)
        *value = ct_data_string(name, (uint32_t)strlen(name));
    return name != NULL;
}

static bool read_value(data_tree *tree, ct_template_place at, ct_data_value *value) {
    float number;
    switch (ct_sjson_type_of(at.doc, at.value)) {
    case CT_SJSON_TYPE_BOOL:
        *value = ct_data_bool(ct_sjson_bool(at.doc, at.value, false));
        return true;
    case CT_SJSON_TYPE_NUMBER:
        if (!read_float(tree, at, &number))
            return false;
        *value = ct_data_float(number);
        return true;
    case CT_SJSON_TYPE_STRING:
        *value = ct_data_string(ct_template_text(at), ct_sjson_string_bytes(at.doc, at.value));
        return true;
    case CT_SJSON_TYPE_OBJECT: // all others have members of their own
        return read_reference(tree, at, value);
    default:
        return read_floats(tree, at, value);
    }
}

// --- The buffer ----------------------------------------------------------------------------------

static void add_path(const data_tree *tree, uint32_t node, ct_string_builder *path) {
    const data_node *const n = &tree->nodes.items[node];
    if (n->parent) {
        add_path(tree, n->parent, path);
        ct_string_builder_addf(path, ".");
    }
    ct_string_builder_addf(path, "%s", n->name);
}

static const char *path_of(const data_tree *tree, uint32_t node) {
    ct_string_builder path;
    ct_string_builder_init(&path, tree->temp);
    add_path(tree, node, &path);
    return ct_string_builder_text(&path);
}

// Sets the value of a node. `places` has the nodes that were set, by their hashes.
static bool set_node(data_tree *tree, uint32_t node, ct_data_buffer *b, ct_hash_map *places) {
    const data_node *const n = &tree->nodes.items[node];
    const uint32_t other = (uint32_t)ct_hash_map_get(places, n->key.hash, 0);
    if (other)
        return ct_template_error(tree->t, n->at,
                                 "the keys %s and %s have the same 32-bit hash; rename one",
                                 path_of(tree, node), path_of(tree, other));
    ct_hash_map_set(places, n->key.hash, node);
    ct_data_value value;
    if (!read_value(tree, n->at, &value))
        return false;
    return ct_data_buffer_set(b, n->key, value) ||
           ct_template_error(tree->t, n->at,
                             "with %s these values take more than the %d bytes of a data component",
                             path_of(tree, node), CT_DATA_MAX_BYTES);
}

// Sets what is left of the tree.
static bool fill_buffer(data_tree *tree, ct_data_buffer *b) {
    ct_hash_map places;
    ct_hash_map_init(&places, tree->temp);
    bool result = !tree->is_broken;
    for (uint32_t i = 1; i < tree->nodes.count; ++i) {
        data_node *const n = &tree->nodes.items[i];
        n->is_gone |= tree->nodes.items[n->parent].is_gone;
        if (!n->is_gone && !n->is_object)
            result &= set_node(tree, i, b, &places);
    }
    return result;
}

static bool is_native(ct_byte_order order) {
    return (order == CT_BYTE_ORDER_LITTLE) == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

bool ct_component_write_data(ct_template *t, const ct_template_component *component,
                             ct_blob_writer *w) {
    CT_TEMP_ALLOCATOR(temp, t->compile->allocator);
    data_tree tree = {.t = t, .temp = temp};
    ct_array_init(&tree.nodes, temp);
    ct_hash_map_init(&tree.members, temp);
    ct_array_push(&tree.nodes, (data_node){.name = ""});
    for (uint32_t i = 0; i < component->objects.count; ++i) {
        const ct_template_place values = ct_template_member(component->objects.items[i], "values");
        tree.object = i;
        tree.is_placed = i >= component->num_unit_objects;
        const bool has_values = ct_sjson_type_of(values.doc, values.value) == CT_SJSON_TYPE_OBJECT;
        if (has_values) // or none, or told when the component was read
            merge_object(&tree, 0, values);
    }
    const ct_data_key no_key = {0};
    const ct_data_value no_value = {0};
    ct_data_buffer *const large = ct_alloc(temp, CT_DATA_MAX_BYTES);
    ct_data_buffer_rebuild(&ct_data_buffer_empty, no_key, no_value, large, CT_DATA_MAX_BYTES);
    if (!fill_buffer(&tree, large))
        return false;
    const uint32_t bytes = (uint32_t)ct_data_buffer_needed_bytes(large, no_key, no_value, 0);
    ct_data_buffer *const tight = ct_alloc(temp, bytes);
    ct_data_buffer_rebuild(large, no_key, no_value, tight, bytes);
    if (!is_native(w->order))
        ct_data_buffer_swap_bytes(tight);
    ct_blob_write_bytes(w, tight, bytes);
    return true;
}
