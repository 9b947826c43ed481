#include "compiler/protocol/compiler_circle.h"
#include "compiler/protocol/compiler_protocol.h"
#include "compiler/types/unit/component_compiler.h"
#include "compiler/types/unit/worker_template.h"
#include "foundation/error.h"
#include "foundation/string/string_builder.h"
#include "resource/resource_id.h"
#include "resource/types/unit_resource.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define AT(member)                                                                                 \
    .offset = offsetof(ct_template_layer, member),                                                 \
    .size_bytes = sizeof(((ct_template_layer *)0)->member)

// What a placed unit has besides its pose. `layer` is for level units only.
static const ct_field placed_fields[] = {
    {.name = "unit",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(unit),
     .doc = "The unit to place.",
     .reference_type = "unit"},
    {.name = "unit", .type = CT_FIELD_TYPE_VALUE, AT(unit_value), .doc = "The unit to place."},
    {.name = "overrides",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(overrides),
     .flags = CT_FIELD_SET,
     .doc = "Changes to components of the placed unit, by id."},
    {.name = "children",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(children),
     .flags = CT_FIELD_SET,
     .doc = "Changes to children of the placed unit, by id: pose, overrides, children."},
    {.name = "layer", .type = CT_FIELD_TYPE_STRING, AT(layer), .doc = "The editor's layer."},
};

// The fields of a placed unit are those of a transform and `num_others` of its own.
static ct_schema placed_schema(ct_allocator *a, const char *name, uint32_t num_others,
                               uint32_t identity) {
    const ct_schema *const pose = ct_component_type_named("transform")->schema;
    ct_field *const fields = CT_NEW_ARRAY(a, ct_field, pose->num_fields + num_others);
    memcpy(fields, pose->fields, pose->num_fields * sizeof(ct_field));
    memcpy(fields + pose->num_fields, placed_fields, num_others * sizeof(ct_field));
    return (ct_schema){.name = name,
                       .doc = "A placed unit.",
                       .size_bytes = sizeof(ct_template_layer),
                       .num_fields = pose->num_fields + num_others,
                       .fields = fields,
                       .identity = identity};
}

void ct_template_init(ct_template *t, ct_compile *c) {
    uint32_t num_types = 0;
    ct_component_types(&num_types);
    *t = (ct_template){
        .compile = c,
        .expansions.allocator = c->allocator,
        .missing.allocator = c->allocator,
        .layers.allocator = c->allocator,
        .told.allocator = c->allocator,
        .warned.allocator = c->allocator,
        .applied.allocator = c->allocator,
        .instances = CT_NEW_ARRAY(c->allocator, ct_template_instances, num_types),
    };
    t->child_schema = placed_schema(c->allocator, "child", CT_COUNT_OF(placed_fields) - 1,
                                    CT_SCHEMA_ID | CT_SCHEMA_REMOVED);
    t->level_unit_schema =
        placed_schema(c->allocator, "unit", CT_COUNT_OF(placed_fields), CT_SCHEMA_ID);
    ct_array_init(&t->steps, c->allocator);
    ct_array_init(&t->parents, c->allocator);
    for (uint32_t i = 0; i < num_types; ++i) {
        ct_array_init(&t->instances[i].entities, c->allocator);
        ct_array_init(&t->instances[i].ids, c->allocator);
        ct_array_init(&t->instances[i].data, c->allocator);
        ct_blob_writer_init_plain(&t->instances[i].varying, c->allocator, c->blob.order);
        ct_array_init(&t->instances[i].offsets, c->allocator);
    }
}

// --- Places --------------------------------------------------------------------------------------

// Documents live as long as the job, so their addresses tell them apart.
static uint64_t key_of(ct_template_place at) {
    return (uint64_t)(uintptr_t)at.doc * 0x9e3779b97f4a7c15ull ^ at.value.entry;
}

static bool is_new(ct_hash_map *places, ct_template_place at) {
    if (ct_hash_map_find(places, key_of(at)))
        return false;
    ct_hash_map_set(places, key_of(at), 1);
    return true;
}

bool ct_template_is_first(ct_template *t, ct_template_place at) {
    return is_new(&t->told, at);
}

bool ct_template_error(ct_template *t, ct_template_place at, const char *format, ...) {
    if (!ct_template_is_first(t, at))
        return false;
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return ct_compile_error(t->compile, at.doc, at.value, "%s", text);
}

void ct_template_warning(ct_template *t, ct_template_place at, const char *format, ...) {
    if (!is_new(&t->warned, at))
        return;
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ct_compile_warning(t->compile, at.doc, at.value, "%s", text);
}

ct_template_place ct_template_member(ct_template_place object, const char *key) {
    return (ct_template_place){object.doc, ct_sjson_find(object.doc, object.value, key)};
}

const char *ct_template_text(ct_template_place at) {
    return ct_sjson_string(at.doc, at.value, NULL);
}

const char *ct_template_id(ct_template *t, ct_hash_map *seen, const char *what,
                           ct_template_place object) {
    const ct_template_place at = ct_template_member(object, "id");
    const char *const id = ct_template_text(at);
    if (!id || id[0] == 0) {
        if (ct_template_is_first(t, object))
            ct_compile_error(t->compile, object.doc, at.value.entry ? at.value : object.value,
                             "this %s needs an `id`, a unique text such as a GUID; found %s", what,
                             id ? "\"\"" : ct_sjson_type_name(ct_sjson_type_of(at.doc, at.value)));
        return NULL;
    }
    const uint64_t key = ct_string_id64_of(id).value;
    if (ct_hash_map_find(seen, key)) {
        if (ct_template_is_first(t, object))
            ct_compile_error(t->compile, object.doc, at.value,
                             "the id \"%s\" is used twice here; every %s needs its own", id, what);
        return NULL;
    }
    ct_hash_map_set(seen, key, 1);
    return id;
}

bool ct_template_is_removed(ct_template_place object) {
    const ct_template_place at = ct_template_member(object, "removed");
    return ct_sjson_bool(at.doc, at.value, false);
}

void ct_template_check_removed(ct_template *t, const char *what, ct_template_place object) {
    const ct_template_place at = ct_template_member(object, "removed");
    const ct_sjson_type type = ct_sjson_type_of(at.doc, at.value);
    if (at.value.entry && type != CT_SJSON_TYPE_BOOL)
        ct_template_error(t, at, "found %s, expected true or false: whether this %s is removed",
                          ct_sjson_type_name(type), what);
    if (!ct_template_is_removed(object))
        return;
    for (ct_sjson_value v = ct_sjson_first(object.doc, object.value); v.entry;
         v = ct_sjson_next(object.doc, v)) {
        const char *const key = ct_sjson_key(object.doc, v);
        if (strcmp(key, "id") != 0 && strcmp(key, "type") != 0 && strcmp(key, "removed") != 0)
            ct_template_error(t, (ct_template_place){object.doc, v},
                              "found `%s`, expected only the id of a %s that is removed", key,
                              what);
    }
}

static bool is_object(ct_template *t, const char *what, ct_template_place at) {
    const ct_sjson_type type = ct_sjson_type_of(at.doc, at.value);
    if (type == CT_SJSON_TYPE_OBJECT)
        return true;
    if (ct_template_is_first(t, at))
        ct_compile_error(t->compile, at.doc, at.value, "found %s, expected a %s (an object)",
                         ct_sjson_type_name(type), what);
    return false;
}

// --- Components ----------------------------------------------------------------------------------

// Receives the references of one object that is applied to a component.
typedef struct component_listener {
    ct_template *t;
    ct_template_component *component;
    ct_template_place object;
    bool tells_errors;
} component_listener;

// The name of the member of `object` inside which `at` stands. Values are numbered in the order of
// the text, so it is the last member that starts at or before `at`.
static const char *member_around(ct_template_place object, ct_sjson_value at) {
    const char *key = "";
    for (ct_sjson_value v = ct_sjson_first(object.doc, object.value);
         v.entry && v.entry <= at.entry; v = ct_sjson_next(object.doc, v))
        key = ct_sjson_key(object.doc, v);
    return key;
}

static void listen_reference(void *user, const char *type, const char *name, const ct_sjson *doc,
                             ct_sjson_value at) {
    const component_listener *const l = user;
    ct_array_push(
        &l->component->references,
        (ct_template_reference){
            .field = member_around(l->object, at), .type = type, .name = name, .at = {doc, at}});
}

static void listen_error(void *user, const ct_error *error) {
    const component_listener *const l = user;
    if (l->tells_errors)
        ct_compile_error_at(l->t->compile, error->file, error->line, error->column, "%s",
                            error->message);
}

// Forgets what the fields that `object` gives anew referred to, and notes them as given.
static void note_given_fields(ct_template_component *component, ct_template_place object) {
    const ct_schema *const schema = component->type->schema;
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const char *const field = schema->fields[i].name;
        if (!field || !ct_field_member(&schema->fields[i], object.doc, object.value).entry)
            continue;
        component->given |= (uint64_t)1 << i;
        if (strcmp(field, "node") == 0)
            component->node_at = ct_template_member(object, field);
        for (uint32_t r = component->references.count; r-- > 0;)
            if (strcmp(component->references.items[r].field, field) == 0)
                ct_array_swap_erase(&component->references, r);
    }
}

// Whether a function makes or checks the data from the objects that were applied.
static bool keeps_objects(const ct_component_type *type) {
    const ct_component_compiler *const compiler = ct_component_compiler_of(type);
    return compiler && (compiler->write || compiler->check);
}

// `may_add`: nodes of a scene graph with new ids are new ones.
static void apply_to_component(ct_template *t, ct_template_component *component,
                               ct_template_place object, bool may_add) {
    note_given_fields(component, object);
    const bool is_first = !ct_hash_map_find(&t->applied, key_of(object));
    ct_hash_map_set(&t->applied, key_of(object), 1);
    component_listener l = {t, component, object, is_first};
    const ct_schema_listener listener = {.user = &l,
                                         .reference = listen_reference,
                                         .error = listen_error,
                                         .project = t->compile->project_folder};
    ct_schema_apply(component->type->schema, object.doc, object.value, component->data, &listener);
    if (strcmp(component->type->name, "scene_graph") == 0)
        ct_template_merge_nodes(t, component, object, may_add, is_first);
    if (keeps_objects(component->type))
        ct_array_push(&component->objects, object);
    if (may_add)
        component->num_unit_objects = component->objects.count;
}

ct_template_component *ct_template_component_copy(ct_template *t,
                                                  const ct_template_component *component) {
    ct_allocator *const a = t->compile->allocator;
    const uint32_t bytes = component->type->schema->size_bytes;
    ct_template_component *const copy = CT_NEW(a, ct_template_component);
    *copy = *component;
    copy->data = ct_alloc(a, bytes);
    memcpy(copy->data, component->data, bytes);
    ct_array_init(&copy->references, a);
    ct_array_push_many(&copy->references, component->references.items, component->references.count);
    ct_array_init(&copy->nodes, a);
    ct_array_push_many(&copy->nodes, component->nodes.items, component->nodes.count);
    ct_array_init(&copy->objects, a);
    ct_array_push_many(&copy->objects, component->objects.items, component->objects.count);
    return copy;
}

static void report_unknown_type(ct_template *t, ct_template_place at, const char *type) {
    const char *names[CT_MAX_COMPONENT_TYPES];
    uint32_t count = 0;
    const ct_component_type *const types = ct_component_types(&count);
    ct_string_builder known;
    ct_string_builder_init(&known, t->compile->allocator);
    for (uint32_t i = 0; i < count; ++i) {
        names[i] = types[i].name;
        ct_string_builder_addf(&known, "%s%s", i ? ", " : "", types[i].name);
    }
    const char *const nearest = ct_nearest_name(type, names, count);
    ct_compile_error(
        t->compile, at.doc, at.value,
        "unknown component type \"%s\"%s%s%s; expected one of %s, or one that a plugin "
        "in the settings adds",
        type, nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "",
        ct_string_builder_text(&known));
}

// The component type that an object names, or NULL after an error.
static const ct_component_type *type_of(ct_template *t, ct_template_place object) {
    const ct_template_place at = ct_template_member(object, "type");
    const char *const name = ct_template_text(at);
    const ct_component_type *const type = name ? ct_component_type_named(name) : NULL;
    if (!name)
        ct_compile_error(t->compile, object.doc, at.value.entry ? at.value : object.value,
                         "this component needs a `type`, because no inherited component has its "
                         "id; found %s, expected a string",
                         ct_sjson_type_name(ct_sjson_type_of(at.doc, at.value)));
    else if (!type)
        report_unknown_type(t, at, name);
    if (name && (!type || ct_component_type_is_registered(type)))
        ct_compile_component_type(t->compile, name);
    return type;
}

static void add_component(ct_template *t, ct_template_components *components, const char *id,
                          ct_template_place object) {
    ct_allocator *const a = t->compile->allocator;
    const ct_component_type *const type = type_of(t, object);
    if (!type)
        return;
    CT_ASSERT(type->schema->num_fields <= 64, "%s has more than 64 fields", type->name);
    uint32_t count = 0;
    ct_template_component *component = CT_NEW(a, ct_template_component);
    component->type = type;
    component->order = (uint32_t)(type - ct_component_types(&count));
    component->id = id;
    component->at = object;
    component->data = ct_alloc_zero(a, type->schema->size_bytes);
    ct_array_init(&component->references, a);
    ct_array_init(&component->nodes, a);
    ct_array_init(&component->objects, a);
    ct_schema_defaults(type->schema, component->data);
    apply_to_component(t, component, object, true);
    ct_array_push(components, component);
}

// False when the object gives another type than the component it overrides has.
static bool has_same_type(ct_template *t, const ct_template_component *component,
                          ct_template_place object) {
    const ct_template_place at = ct_template_member(object, "type");
    const char *const type = ct_template_text(at);
    if (!type || strcmp(type, component->type->name) == 0)
        return true;
    if (ct_template_is_first(t, at))
        ct_compile_error(t->compile, at.doc, at.value,
                         "found type \"%s\", but the component \"%s\" that this overrides is of "
                         "type \"%s\"",
                         type, component->id, component->type->name);
    return false;
}

static void override_component(ct_template *t, ct_template_components *components, uint32_t i,
                               ct_template_place object, bool may_add) {
    if (ct_template_is_removed(object)) {
        for (uint32_t k = i + 1; k < components->count; ++k)
            components->items[k - 1] = components->items[k];
        --components->count;
    } else if (has_same_type(t, components->items[i], object)) {
        components->items[i] = ct_template_component_copy(t, components->items[i]);
        apply_to_component(t, components->items[i], object, may_add);
    }
}

static uint32_t find_component(const ct_template_components *components, const char *id) {
    uint32_t i = 0;
    while (i < components->count && strcmp(components->items[i]->id, id) != 0)
        ++i;
    return i;
}

void ct_template_unknown_id(ct_template *t, const char *what, const char *id,
                            ct_template_place object) {
    const ct_template_place at = ct_template_member(object, "id");
    if (ct_template_is_first(t, object))
        ct_compile_error(t->compile, at.doc, at.value,
                         "there is no %s with the id \"%s\" here, so it cannot be %s", what, id,
                         ct_template_is_removed(object) ? "removed" : "overridden");
}

// Merges an array of components. `may_add`: objects with new ids are new components.
static void merge_components(ct_template *t, ct_template_components *components,
                             ct_template_place array, bool may_add) {
    ct_hash_map seen;
    ct_hash_map_init(&seen, t->compile->allocator);
    for (ct_sjson_value v = ct_sjson_first(array.doc, array.value); v.entry;
         v = ct_sjson_next(array.doc, v)) {
        const ct_template_place object = {array.doc, v};
        const char *const id = is_object(t, "component", object)
                                   ? ct_template_id(t, &seen, "component", object)
                                   : NULL;
        if (!id)
            continue;
        ct_template_check_removed(t, "component", object);
        const uint32_t i = find_component(components, id);
        if (i < components->count)
            override_component(t, components, i, object, may_add);
        else if (may_add && !ct_template_is_removed(object))
            add_component(t, components, id, object);
        else
            ct_template_unknown_id(t, "component", id, object);
    }
}

void ct_template_override_components(ct_template *t, ct_template_components *components,
                                     ct_template_place array) {
    merge_components(t, components, array, false);
}

static void check_repeated_types(ct_template *t, const ct_template_components *components) {
    for (uint32_t i = 0; i < components->count; ++i) {
        const ct_template_component *const component = components->items[i];
        for (uint32_t k = 0; k < i && !component->type->may_repeat; ++k) {
            if (components->items[k]->type == component->type) {
                ct_compile_error(t->compile, component->at.doc, component->at.value,
                                 "a unit has at most one %s; \"%s\" is one already",
                                 component->type->name, components->items[k]->id);
                break;
            }
        }
    }
}

// --- Children ------------------------------------------------------------------------------------

const ct_template_layer *ct_template_layer_of(ct_template *t, const ct_schema *schema,
                                              ct_template_place at) {
    const uint64_t key = key_of(at);
    const uint64_t known = ct_hash_map_get(&t->layers, key, 0);
    if (known)
        return (const ct_template_layer *)(uintptr_t)known;
    ct_template_layer *const layer = CT_NEW(t->compile->allocator, ct_template_layer);
    const ct_schema_listener listener = ct_compile_listener(t->compile);
    ct_schema_apply(schema, at.doc, at.value, layer, &listener);
    layer->at = at;
    ct_hash_map_set(&t->layers, key, (uint64_t)(uintptr_t)layer);
    return layer;
}

static uint32_t find_child(const ct_template_children *children, const char *id) {
    uint32_t i = 0;
    while (i < children->count && strcmp(children->items[i]->id, id) != 0)
        ++i;
    return i;
}

// Appends a child, or replaces number `i` by a copy, with one more layer.
static void add_layer(ct_template *t, ct_template_children *children, uint32_t i, const char *id,
                      const ct_template_layer *layer) {
    ct_template_child *const child = CT_NEW(t->compile->allocator, ct_template_child);
    child->id = id;
    ct_array_init(&child->layers, t->compile->allocator);
    if (i < children->count) {
        const ct_template_child *const old = children->items[i];
        ct_array_push_many(&child->layers, old->layers.items, old->layers.count);
        children->items[i] = child;
    } else {
        ct_array_push(children, child);
    }
    ct_array_push(&child->layers, layer);
}

static void merge_child(ct_template *t, ct_template_children *children, const char *id,
                        ct_template_place object, bool may_add) {
    const uint32_t i = find_child(children, id);
    const bool is_new = i == children->count;
    if (is_new && (!may_add || ct_template_is_removed(object))) {
        ct_template_unknown_id(t, "child", id, object);
    } else if (ct_template_is_removed(object)) {
        for (uint32_t k = i + 1; k < children->count; ++k)
            children->items[k - 1] = children->items[k];
        --children->count;
    } else if (is_new && !ct_template_member(object, "unit").value.entry) {
        ct_compile_error(t->compile, object.doc, object.value,
                         "this child needs a `unit`, the name of the unit to place");
    } else {
        add_layer(t, children, i, id, ct_template_layer_of(t, &t->child_schema, object));
    }
}

static void merge_children(ct_template *t, ct_template_children *children, ct_template_place array,
                           bool may_add) {
    ct_hash_map seen;
    ct_hash_map_init(&seen, t->compile->allocator);
    for (ct_sjson_value v = ct_sjson_first(array.doc, array.value); v.entry;
         v = ct_sjson_next(array.doc, v)) {
        const ct_template_place object = {array.doc, v};
        const char *const id =
            is_object(t, "child", object) ? ct_template_id(t, &seen, "child", object) : NULL;
        if (!id)
            continue;
        ct_template_check_removed(t, "child", object);
        merge_child(t, children, id, object, may_add);
    }
}

void ct_template_override_children(ct_template *t, ct_template_children *children,
                                   ct_template_place array) {
    merge_children(t, children, array, false);
}

// --- Units ---------------------------------------------------------------------------------------

// Tells the circle that reaches from step `first` to the last, which `at` leads back from. Returns
// false.
static bool report_cycle(ct_template *t, uint32_t first, ct_template_place at) {
    const ct_template_step *const steps = &t->steps.items[first];
    const uint32_t count = t->steps.count - first;
    const char *names[CT_TEMPLATE_MAX_DEPTH] = {NULL};
    for (uint32_t i = 0; i < count; ++i)
        names[i] = ct_circle_name(t->compile->allocator, ct_sjson_file(steps[i].doc));
    uint32_t closing = 0;
    const char *const way = ct_circle_way(t->compile->allocator, names, count, &closing);
    const ct_template_place place = closing + 1 < count ? steps[closing + 1].at : at;
    if (!ct_template_is_first(t, place))
        return false;
    return ct_compile_error(t->compile, place.doc, place.value, CT_COMPILE_UNIT_CIRCLE "%s", way);
}

// False after an error when going to `unit` would lead in a circle or too deep.
static bool may_enter(ct_template *t, const ct_sjson *doc, ct_template_place at) {
    for (uint32_t i = 0; i < t->steps.count; ++i)
        if (t->steps.items[i].doc == doc)
            return report_cycle(t, i, at);
    if (t->steps.count < CT_TEMPLATE_MAX_DEPTH)
        return true;
    if (ct_template_is_first(t, at))
        ct_compile_error(t->compile, at.doc, at.value,
                         "units inherit and contain each other more than %d deep",
                         CT_TEMPLATE_MAX_DEPTH);
    return false;
}

static const ct_sjson *read_unit(ct_template *t, const char *unit, ct_template_place at) {
    ct_compile *const c = t->compile;
    if (strcmp(c->type, "unit") == 0 && strcmp(c->name, unit) == 0)
        return c->doc;
    return ct_compile_read_resource(c, "unit", unit, at.doc, at.value);
}

static const ct_template_expansion *expand(ct_template *t, const char *unit, const ct_sjson *doc,
                                           ct_template_place at);

// Starts an expansion with what the unit inherits. False after an error.
static bool inherit(ct_template *t, const ct_unit_source *source, const ct_sjson *doc,
                    ct_template_expansion *expansion) {
    const ct_template_place at = {doc, source->inherit_value};
    const char *const base_name = at.value.entry ? ct_template_text(at) : NULL;
    if (!base_name || !ct_resource_name_is_canonical(base_name))
        return true; // the schema told what is wrong with it
    const ct_sjson *const base_doc =
        ct_compile_read_base(t->compile, "unit", base_name, doc, at.value);
    const ct_template_expansion *const base = base_doc ? expand(t, base_name, base_doc, at) : NULL;
    if (!base)
        return false;
    ct_array_push_many(&expansion->components, base->components.items, base->components.count);
    ct_array_push_many(&expansion->children, base->children.items, base->children.count);
    return true;
}

static void fill_expansion(ct_template *t, ct_template_expansion *expansion, const ct_sjson *doc) {
    const uint32_t errors_before = ct_compile_error_count(t->compile);
    expansion->is_broken = true;
    ct_unit_source source = {0};
    const ct_schema_listener listener = ct_compile_listener(t->compile);
    CT_ASSERT(ct_unit_schema.size_bytes == sizeof(source), "the unit schema describes %u bytes",
              ct_unit_schema.size_bytes);
    ct_schema_read(&ct_unit_schema, doc, ct_sjson_root(doc), &source, &listener);
    if (!inherit(t, &source, doc, expansion))
        return;
    merge_components(t, &expansion->components, (ct_template_place){doc, source.components}, true);
    check_repeated_types(t, &expansion->components);
    merge_children(t, &expansion->children, (ct_template_place){doc, source.children}, true);
    expansion->is_broken = ct_compile_error_count(t->compile) > errors_before;
}

static const ct_template_expansion *expand(ct_template *t, const char *unit, const ct_sjson *doc,
                                           ct_template_place at) {
    if (!may_enter(t, doc, at))
        return NULL;
    const uint64_t key = ct_string_id64_of(ct_sjson_file(doc)).value;
    ct_template_expansion *expansion =
        (ct_template_expansion *)(uintptr_t)ct_hash_map_get(&t->expansions, key, 0);
    if (!expansion) {
        ct_allocator *const a = t->compile->allocator;
        expansion = CT_NEW(a, ct_template_expansion);
        expansion->name = unit;
        expansion->doc = doc;
        ct_array_init(&expansion->components, a);
        ct_array_init(&expansion->children, a);
        ct_array_push(&t->steps, (ct_template_step){unit, doc, at});
        fill_expansion(t, expansion, doc);
        --t->steps.count;
        ct_hash_map_set(&t->expansions, key, (uint64_t)(uintptr_t)expansion);
    }
    return expansion->is_broken ? NULL : expansion;
}

const ct_template_expansion *ct_template_expand(ct_template *t, const char *unit,
                                                ct_template_place at) {
    const uint64_t key = ct_string_id64_of(unit).value;
    if (ct_hash_map_find(&t->missing, key))
        return NULL;
    const ct_sjson *const doc = read_unit(t, unit, at);
    if (!doc)
        ct_hash_map_set(&t->missing, key, 1);
    return doc ? expand(t, unit, doc, at) : NULL;
}
