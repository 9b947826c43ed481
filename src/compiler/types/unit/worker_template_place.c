#include "compiler/types/unit/component_compiler.h"
#include "compiler/types/unit/worker_template.h"
#include "foundation/error.h"
#include "resource/resource_id.h"
#include "resource/types/unit_resource.h"

#include <string.h>

// --- Poses ---------------------------------------------------------------------------------------

static uint32_t find_transform(const ct_template_components *components) {
    uint32_t i = 0;
    while (i < components->count && strcmp(components->items[i]->type->name, "transform") != 0)
        ++i;
    return i;
}

// Puts the pose fields that a layer gives into the transform.
static bool apply_pose(ct_template *t, ct_template_components *components, const char *unit,
                       const ct_template_layer *layer) {
    const ct_schema *const schema = ct_component_type_named("transform")->schema;
    const ct_template_place at = layer->at;
    const uint32_t transform = find_transform(components);
    bool is_copied = false;
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const field = &schema->fields[i];
        const ct_sjson_value value = ct_field_member(field, at.doc, at.value);
        if (!value.entry)
            continue;
        if (transform == components->count)
            return ct_template_is_first(t, (ct_template_place){at.doc, value}) &&
                   ct_compile_error(t->compile, at.doc, value,
                                    "%s has no transform component, so it can have no %s", unit,
                                    ct_sjson_key(at.doc, value));
        if (!is_copied)
            components->items[transform] =
                ct_template_component_copy(t, components->items[transform]);
        is_copied = true;
        components->items[transform]->given |= (uint64_t)1 << i;
        memcpy((char *)components->items[transform]->data + field->offset,
               (const char *)&layer->pose + field->offset, field->size_bytes);
    }
    return true;
}

// --- Components ----------------------------------------------------------------------------------

static bool check_required_fields(ct_template *t, const ct_template_component *component) {
    const ct_schema *const schema = component->type->schema;
    bool result = true;
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const field = &schema->fields[i];
        if (!(field->flags & CT_FIELD_REQUIRED) || component->given >> i & 1)
            continue;
        result = false;
        if (ct_template_is_first(t, component->at))
            ct_compile_error(t->compile, component->at.doc, component->at.value,
                             "%s.%s: is missing; this component needs it", schema->name,
                             field->name);
    }
    return result;
}

// Default values may be references too, which nobody wrote down.
static void tell_default_references(ct_template *t, const ct_template_component *component) {
    const ct_schema *const schema = component->type->schema;
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const field = &schema->fields[i];
        const bool is_reference = field->type == CT_FIELD_TYPE_REFERENCE && field->default_text;
        if (is_reference && field->default_text[0] && !(component->given >> i & 1))
            ct_compile_reference(t->compile, field->reference_type, field->default_text,
                                 component->at.doc, component->at.value);
    }
}

// Appends the bytes of a component of varying size to those of its type.
static bool add_varying(ct_template *t, const ct_template_component *component) {
    const ct_component_compiler *const compiler = ct_component_compiler_of(component->type);
    CT_ASSERT(compiler && compiler->write, "no function makes the data of a %s component",
              component->type->name);
    ct_template_instances *const instances = &t->instances[component->order];
    const uint32_t start = ct_blob_writer_offset(&instances->varying);
    ct_array_push(&instances->offsets, start);
    if (compiler->write(t, component, &instances->varying)) {
        ct_blob_writer_align(&instances->varying, 8);
        return true;
    }
    instances->varying.bytes.count = start;
    --instances->offsets.count;
    return false;
}

// Appends the struct of a component to those of its type.
static void add_struct(const ct_template_component *component, ct_byte_array *structs) {
    const ct_component_compiler *const compiler = ct_component_compiler_of(component->type);
    const uint32_t at = structs->count;
    ct_array_push_many(structs, (const uint8_t *)component->data,
                       component->type->schema->size_bytes);
    if (compiler && compiler->finish)
        compiler->finish(structs->items + at);
}

static bool add_instance(ct_template *t, const ct_template_component *component, uint32_t entity) {
    if (!check_required_fields(t, component))
        return false;
    tell_default_references(t, component);
    for (uint32_t i = 0; i < component->references.count; ++i) {
        const ct_template_reference *const r = &component->references.items[i];
        ct_compile_reference(t->compile, r->type, r->name, r->at.doc, r->at.value);
    }
    const ct_schema *const schema = component->type->instance_schema;
    if (schema && schema != component->type->schema)
        return true; // a scene graph, whose nodes are the instances
    if (!schema && !add_varying(t, component))
        return false;
    ct_template_instances *const instances = &t->instances[component->order];
    ct_array_push(&instances->entities, entity);
    ct_array_push(&instances->ids, ct_string_id32_of(component->id).value);
    if (schema)
        add_struct(component, &instances->data);
    return true;
}

static bool check_instances(ct_template *t, const ct_template_components *components) {
    bool result = true;
    for (uint32_t i = 0; i < components->count; ++i) {
        const ct_template_component *const component = components->items[i];
        const ct_component_compiler *const compiler = ct_component_compiler_of(component->type);
        if (compiler && compiler->check)
            result &= compiler->check(t, component, components);
    }
    return result;
}

// --- Units ---------------------------------------------------------------------------------------

// Tells which unit of the resource that is compiled, with all that is in it, is too much.
static void tell_too_big(ct_template *t) {
    const bool is_unit = t->steps.items[0].at.value.entry == ct_sjson_root(t->compile->doc).entry;
    const ct_template_step *const step = &t->steps.items[is_unit && t->steps.count > 1];
    ct_compile_error(t->compile, step->at.doc, step->at.value,
                     "with this %s there are more than %d entities", step->unit,
                     CT_TEMPLATE_MAX_ENTITIES);
}

// The next entity's number; false after an error when there are too many.
static bool add_entity(ct_template *t, uint32_t parent, uint32_t *entity) {
    *entity = t->parents.count;
    if (t->parents.count < CT_TEMPLATE_MAX_ENTITIES) {
        ct_array_push(&t->parents, parent);
        return true;
    }
    if (!t->is_too_big)
        tell_too_big(t);
    t->is_too_big = true;
    return false;
}

static bool place_children(ct_template *t, const ct_template_children *children, uint32_t parent) {
    bool result = true;
    for (uint32_t i = 0; i < children->count && !t->is_too_big; ++i) {
        const ct_template_child *const child = children->items[i];
        uint32_t root = 0;
        result &=
            ct_template_place_layers(t, child->layers.items, child->layers.count, parent, &root);
    }
    return result;
}

bool ct_template_place_unit(ct_template *t, const ct_template_expansion *unit,
                            const ct_template_layer *const *layers, uint32_t num_layers,
                            uint32_t parent, uint32_t *root) {
    ct_template_components components;
    ct_template_children children;
    ct_array_init(&components, t->compile->allocator);
    ct_array_init(&children, t->compile->allocator);
    ct_array_push_many(&components, unit->components.items, unit->components.count);
    ct_array_push_many(&children, unit->children.items, unit->children.count);
    bool result = true;
    for (uint32_t i = 0; i < num_layers; ++i) {
        const ct_sjson *const doc = layers[i]->at.doc;
        result &= apply_pose(t, &components, unit->name, layers[i]);
        ct_template_override_components(t, &components,
                                        (ct_template_place){doc, layers[i]->overrides});
        ct_template_override_children(t, &children, (ct_template_place){doc, layers[i]->children});
    }
    if (!add_entity(t, parent, root))
        return false;
    for (uint32_t i = 0; i < components.count; ++i)
        result &= add_instance(t, components.items[i], *root);
    result &= check_instances(t, &components);
    result &= ct_template_place_nodes(t, &components, *root);
    return place_children(t, &children, *root) && result;
}

// The last layer that names a unit says which.
static ct_template_place unit_of(const ct_template_layer *const *layers, uint32_t num_layers) {
    for (uint32_t i = num_layers; i-- > 0;)
        if (layers[i]->unit_value.entry)
            return (ct_template_place){layers[i]->at.doc, layers[i]->unit_value};
    return (ct_template_place){layers[0]->at.doc, {0}};
}

bool ct_template_place_layers(ct_template *t, const ct_template_layer *const *layers,
                              uint32_t num_layers, uint32_t parent, uint32_t *root) {
    const ct_template_place at = unit_of(layers, num_layers);
    const char *const name = ct_sjson_string(at.doc, at.value, NULL);
    if (!name || !ct_resource_name_is_canonical(name))
        return false; // told when the layer was read
    const ct_template_expansion *const unit = ct_template_expand(t, name, at);
    if (!unit)
        return false;
    ct_array_push(&t->steps, (ct_template_step){name, unit->doc, at});
    const bool result = ct_template_place_unit(t, unit, layers, num_layers, parent, root);
    --t->steps.count;
    return result;
}
