#include "resource/types/unit_resource.h"

#include <stdio.h>

#include "foundation/error.h"
#include "resource/types/component_resource.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

static const ct_schema child_schema;

// `layer` is last: the schema of children leaves it out.
static const ct_field placed_fields[] = {
    {.name = "unit",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_unit_child_source, unit),
     .doc = "The unit to place.",
     .reference_type = "unit"},
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_unit_child_source, position),
     .doc = "Position in the parent's space, or in the level.",
     .unit = "m",
     .least = -1e7,
     .most = 1e7},
    {.name = "rotation",
     .type = CT_FIELD_TYPE_QUATERNION,
     AT(ct_unit_child_source, rotation),
     .doc = "Rotation in the same space, as x y z w.",
     .default_value = {0, 0, 0, 1},
     .degrees_name = "rotation_degrees"},
    {.name = "scale",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_unit_child_source, scale),
     .doc = "Scale along the unit's own axes. A negative scale mirrors; 0 flattens.",
     .least = -1e6,
     .most = 1e6,
     .default_value = {1, 1, 1}},
    {.name = "overrides",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_unit_child_source, overrides),
     .flags = CT_FIELD_SET | CT_FIELD_OVERRIDES,
     .doc = "Changes to fields of the placed unit's components, by component id.",
     .schemas = ct_component_schemas},
    {.name = "children",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_unit_child_source, children),
     .flags = CT_FIELD_SET | CT_FIELD_OVERRIDES,
     .doc = "Changes to fields of the placed unit's children, by child id.",
     .schema = &child_schema},
    {.name = "layer",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_unit_child_source, layer),
     .doc = "The unit's layer in the level tool.",
     .default_text = NULL},
};

static const ct_schema child_schema = {
    .name = "child",
    .doc = "A unit placed in another.",
    .size_bytes = sizeof(ct_unit_child_source),
    .num_fields = CT_COUNT_OF(placed_fields) - 1,
    .fields = placed_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_REMOVED,
};

static const ct_schema placed_schema = {
    .name = "placed_unit",
    .doc = "A unit placed in a level.",
    .size_bytes = sizeof(ct_unit_child_source),
    .num_fields = CT_COUNT_OF(placed_fields),
    .fields = placed_fields,
    .identity = CT_SCHEMA_ID,
};

static const ct_field unit_fields[] = {
    {.name = "inherit",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_unit_source, inherit),
     .doc = "The unit that this one inherits from. Entries with the same id override it field by "
            "field.",
     .default_text = NULL,
     .reference_type = "unit"},
    {.name = "inherit",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_unit_source, inherit_value),
     .doc = "The unit that this one inherits from. Entries with the same id override it field by "
            "field."},
    {.name = "components",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_unit_source, components),
     .flags = CT_FIELD_SET,
     .doc = "Components of the root entity: { id type … } and the fields of that type.",
     .schemas = ct_component_schemas},
    {.name = "children",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_unit_source, children),
     .flags = CT_FIELD_SET,
     .doc = "Units below this one: { id unit position rotation scale overrides }.",
     .schema = &child_schema},
};

const ct_schema ct_unit_schema = {
    .name = "unit",
    .doc = "A template of entities with components.",
    .size_bytes = sizeof(ct_unit_source),
    .num_fields = CT_COUNT_OF(unit_fields),
    .fields = unit_fields,
};

static const ct_field level_fields[] = {
    {.name = "units",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_level_source, units),
     .flags = CT_FIELD_SET,
     .doc = "Placed units: { id unit position rotation scale layer overrides }.",
     .schema = &placed_schema},
    {.name = "script",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_level_source, script),
     .doc = "The level's script.",
     .default_text = NULL,
     .reference_type = "lua"},
    {.name = "flow",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_level_source, flow),
     .doc = "The level's flow graph.",
     .reference_type = "flow"},
    {.name = "navigation",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_level_source, navigation),
     .doc = "Where agents can walk in the level.",
     .reference_type = "navigation"},
    {.name = "volumes",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_level_source, volumes),
     .flags = CT_FIELD_SET,
     .doc = "Named parts of space: { id name type … }.",
     .schema = &ct_level_volume_schema},
    {.name = "splines",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_level_source, splines),
     .flags = CT_FIELD_SET,
     .doc = "Named curves: { id name type points … }.",
     .schema = &ct_level_spline_schema},
    {.name = "markers",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_level_source, markers),
     .flags = CT_FIELD_SET,
     .doc = "Named poses: { id name position rotation }.",
     .schema = &ct_level_marker_schema},
};

const ct_schema ct_level_schema = {
    .name = "level",
    .doc = "A set of placed units, and named places.",
    .size_bytes = sizeof(ct_level_source),
    .num_fields = CT_COUNT_OF(level_fields),
    .fields = level_fields,
};

// --- The blobs -----------------------------------------------------------------------------------

// Structs of a schema, or of a component type that may be a plugin's; or bytes of varying size.
static const ct_blob_layout *choose_data(const void *blob, const void *owner, ct_blob_layout *own,
                                         ct_error *error) {
    const uint32_t bytes = ((const ct_component_instances *)owner)->instance_bytes;
    (void)blob, (void)error;
    *own = (ct_blob_layout){.name = "data", .size_bytes = bytes ? bytes : 1, .align_bytes = 8};
    return own;
}

const ct_blob_layout ct_component_instances_layout = CT_BLOB_STRUCT(
    ct_component_instances, CT_BLOB_NUMBERS(4, ct_component_instances, type, instance_bytes),
    CT_BLOB_ARRAY(ct_component_instances, entity_index, ct_blob_u32_layout),
    CT_BLOB_ARRAY(ct_component_instances, ids, ct_blob_u32_layout),
    CT_BLOB_CHOICE(ct_component_instances, data, choose_data),
    CT_BLOB_ARRAY(ct_component_instances, offsets, ct_blob_u32_layout),
    CT_BLOB_ARRAY(ct_component_instances, data_index, ct_blob_u32_layout));

const ct_blob_layout ct_entity_template_layout = CT_BLOB_STRUCT(
    ct_entity_template, CT_BLOB_NUMBERS(4, ct_entity_template, num_entities, padding),
    CT_BLOB_ARRAY(ct_entity_template, parents, ct_blob_u32_layout),
    CT_BLOB_ARRAY(ct_entity_template, component_types, ct_component_instances_layout));

const ct_blob_layout ct_unit_layout =
    CT_BLOB_ROOT(ct_unit_resource, "a unit",
                 CT_BLOB_STRUCTS(ct_unit_resource, entities, ct_entity_template_layout));

const ct_blob_layout ct_level_unit_layout =
    CT_BLOB_STRUCT(ct_level_unit, CT_BLOB_NUMBERS(8, ct_level_unit, unit, unit),
                   CT_BLOB_NUMBERS(4, ct_level_unit, id, root));

const ct_blob_layout ct_level_layout =
    CT_BLOB_ROOT(ct_level_resource, "a level",
                 CT_BLOB_STRUCTS(ct_level_resource, entities, ct_entity_template_layout),
                 CT_BLOB_ARRAY(ct_level_resource, units, ct_level_unit_layout),
                 CT_BLOB_NUMBERS(8, ct_level_resource, script, navigation),
                 CT_BLOB_ARRAY(ct_level_resource, volumes, ct_level_volume_layout),
                 CT_BLOB_ARRAY(ct_level_resource, splines, ct_level_spline_layout),
                 CT_BLOB_ARRAY(ct_level_resource, markers, ct_level_marker_layout));

// --- Validation ----------------------------------------------------------------------------------

// The position in spawn order of a known component type; UINT32_MAX when it is not known.
static uint32_t spawn_position(ct_string_id32 type) {
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (types[i].id.value == type.value)
            return i;
    }
    return UINT32_MAX;
}

static bool check_parents(const ct_blob_header *h, const ct_entity_template *t, bool has_one_root,
                          ct_error *error) {
    if (t->parents.count != t->num_entities)
        return ct_error_set(error, "parents: found %u, expected %u", t->parents.count,
                            t->num_entities);
    const uint32_t *const parents = ct_blob_at(h, t->parents.offset);
    uint32_t last_root = 0;
    for (uint32_t i = 0; i < t->num_entities; ++i) {
        const bool may_be_root = i == 0 || !has_one_root;
        last_root = parents[i] == CT_NO_PARENT ? i : last_root;
        if (parents[i] != CT_NO_PARENT && parents[i] < last_root)
            return ct_error_set(error, "parents[%u]: found %u, which is before the last root, %u",
                                i, parents[i], last_root);
        if (parents[i] == CT_NO_PARENT ? !may_be_root : parents[i] >= i)
            return ct_error_set(error, "parents[%u]: found %u, expected an earlier entity%s", i,
                                parents[i], may_be_root ? " or no parent" : "");
    }
    return true;
}

// Checks the data of a type whose instances are structs.
static bool check_structs(const ct_blob_header *h, const ct_component_instances *c,
                          const ct_schema *schema, const char *what, ct_error *error) {
    if (c->instance_bytes != schema->size_bytes)
        return ct_error_set(error, "%s: found %u bytes for each %s, expected %u", what,
                            c->instance_bytes, schema->name, schema->size_bytes);
    const char *const data = ct_blob_at(h, c->data.offset);
    for (uint32_t i = 0; i < c->data.count; ++i) {
        const char *const instance = data + (uint64_t)i * c->instance_bytes;
        if (ct_schema_check(schema, instance, NULL))
            continue;
        ct_error inner = {0}; // only now: it is large
        ct_schema_check(schema, instance, &inner);
        return ct_error_set(error, "%s.data[%u]: %.512s", what, i, inner.message);
    }
    return true;
}

// Checks the data of a type of varying size.
static bool check_varying(const ct_blob_header *h, const ct_component_instances *c,
                          const ct_component_type *type, const char *what, ct_error *error) {
    if (c->instance_bytes != 0)
        return ct_error_set(error, "%s: found %u bytes for each %s, expected 0, as its size varies",
                            what, c->instance_bytes, type->name);
    const char *const data = ct_blob_at(h, c->data.offset);
    const uint32_t *const offsets = ct_blob_at(h, c->offsets.offset);
    for (uint32_t i = 0; i + 1 < c->offsets.count; ++i) {
        const uint32_t bytes = offsets[i + 1] - offsets[i];
        if (type->check_instance(data + offsets[i], bytes, NULL))
            continue;
        ct_error inner = {0};
        type->check_instance(data + offsets[i], bytes, &inner);
        return ct_error_set(error, "%s.data[%u]: %.512s", what, i, inner.message);
    }
    return true;
}

// Checks the data of a type that this program knows.
static bool check_known(const ct_blob_header *h, const ct_component_instances *c,
                        const ct_component_type *type, const char *what, ct_error *error) {
    if (type->has_own_data && c->data_index.count)
        return ct_error_set(
            error, "%s.data_index: found %u of %s, expected 0, as each instance has its own data",
            what, c->data_index.count, type->name);
    return type->instance_schema ? check_structs(h, c, type->instance_schema, what, error)
                                 : check_varying(h, c, type, what, error);
}

// Checks that each scene graph, whose nodes are consecutive, does not have too many nodes, and that
// each node comes after its parent.
static bool check_nodes(const ct_blob_header *h, const ct_component_instances *c, const char *what,
                        ct_error *error) {
    const uint32_t *const owners = ct_blob_at(h, c->entity_index.offset);
    const ct_scene_graph_node_data *const nodes = ct_blob_at(h, c->data.offset);
    uint32_t number = 0; // of the node in its graph
    for (uint32_t i = 0; i < c->data.count; ++i) {
        const bool is_first = i == 0 || owners[i] != owners[i - 1];
        number = is_first ? 1 : number + 1;
        if (number > CT_SCENE_GRAPH_MAX_NODES)
            return ct_error_set(error, "%s.data[%u]: an entity has more than %u nodes", what, i,
                                (uint32_t)CT_SCENE_GRAPH_MAX_NODES);
        if (nodes[i].parent >= number)
            return ct_error_set(error, "%s.data[%u]: found parent %u, expected a number below %u",
                                what, i, nodes[i].parent, number);
    }
    return true;
}

// Checks the offsets of data of varying size.
static bool check_offsets(const ct_blob_header *h, const ct_component_instances *c,
                          const char *what, ct_error *error) {
    if (c->offsets.count == 0)
        return ct_error_set(
            error, "%s.offsets: the array is empty; expected at least the end of the data", what);
    const uint32_t count = c->offsets.count - 1;
    const uint32_t *const offsets = ct_blob_at(h, c->offsets.offset);
    uint32_t before = 0;
    for (uint32_t i = 0; i <= count; ++i) {
        if (offsets[i] < before || offsets[i] % 8 != 0 || (i == 0 && offsets[i] != 0))
            return ct_error_set(
                error,
                "%s.offsets[%u]: found %u after %u, expected ascending multiples of 8 from 0", what,
                i, offsets[i], before);
        before = offsets[i];
    }
    return before == c->data.count ||
           ct_error_set(error, "%s: found %u bytes, expected %u", what, c->data.count, before);
}

// Checks the index of each instance's data among `num_data` data.
static bool check_data_index(const ct_blob_header *h, const ct_component_instances *c,
                             uint32_t num_data, const char *what, ct_error *error) {
    const uint32_t count = c->entity_index.count;
    if (c->data_index.count == 0)
        return num_data == count ||
               ct_error_set(error, "%s: found data for %u instances, expected %u", what, num_data,
                            count);
    if (c->data_index.count != count || num_data > count)
        return ct_error_set(error, "%s.data_index: found %u for %u data, expected %u", what,
                            c->data_index.count, num_data, count);
    const uint32_t *const data_index = ct_blob_at(h, c->data_index.offset);
    for (uint32_t i = 0; i < count; ++i) {
        if (data_index[i] >= num_data)
            return ct_error_set(error, "%s.data_index[%u]: found %u, but there are only %u data",
                                what, i, data_index[i], num_data);
    }
    return true;
}

static bool check_instances(const ct_blob_header *h, const ct_entity_template *t,
                            const ct_component_instances *c, const char *what, ct_error *error) {
    const uint32_t count = c->entity_index.count, bytes = c->instance_bytes;
    if (c->ids.count != count || (bytes && c->offsets.count))
        return ct_error_set(
            error, "%s: found %u owners, %u ids, %u offsets of %u bytes each, which do not match",
            what, count, c->ids.count, c->offsets.count, bytes);
    if (!(bytes || check_offsets(h, c, what, error)) ||
        !check_data_index(h, c, bytes ? c->data.count : c->offsets.count - 1, what, error))
        return false;
    const uint32_t *const owners = ct_blob_at(h, c->entity_index.offset);
    for (uint32_t i = 0; i < count; ++i) {
        if (owners[i] >= t->num_entities)
            return ct_error_set(error,
                                "%s.entity_index[%u]: found %u, but there are only %u entities",
                                what, i, owners[i], t->num_entities);
        if (i > 0 && owners[i] < owners[i - 1])
            return ct_error_set(error,
                                "%s.entity_index[%u]: found %u after %u, expected ascending order",
                                what, i, owners[i], owners[i - 1]);
    }
    return true;
}

// Checks that no entity has two instances of a type of which it may have only one.
static bool check_single(const ct_blob_header *h, const ct_component_instances *c,
                         const ct_component_type *type, const char *what, ct_error *error) {
    const uint32_t *const owners = ct_blob_at(h, c->entity_index.offset);
    for (uint32_t i = 1; i < c->entity_index.count; ++i) {
        if (owners[i] == owners[i - 1])
            return ct_error_set(error, "%s.entity_index[%u]: entity %u has two %ss", what, i,
                                owners[i], type->name);
    }
    return true;
}

// Checks the instances of one type, `what`; `next` is the first position in spawn order that may
// come now.
static bool check_type(const ct_blob_header *h, const ct_entity_template *t,
                       const ct_component_instances *c, uint32_t *next, const char *what,
                       ct_error *error) {
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    if (!check_instances(h, t, c, what, error))
        return false;
    const uint32_t position = spawn_position(c->type);
    if (position == UINT32_MAX)
        return true; // of a plugin that is not loaded
    const bool has_order = !ct_component_type_is_registered(&types[position]);
    if (has_order && position < *next)
        return ct_error_set(error, "%s: %s is listed twice or out of spawn order", what,
                            types[position].name);
    *next = has_order ? position + 1 : *next;
    if (!check_known(h, c, &types[position], what, error))
        return false;
    if (c->type.value == CT_ID32("scene_graph", 0x2090b5fd).value)
        return check_nodes(h, c, what, error);
    return types[position].may_repeat || check_single(h, c, &types[position], what, error);
}

static bool check_template(const ct_blob_header *h, const ct_entity_template *t, bool has_one_root,
                           ct_error *error) {
    if (!check_parents(h, t, has_one_root, error))
        return false;
    const ct_component_instances *const lists = ct_blob_at(h, t->component_types.offset);
    uint32_t next = 0;
    for (uint32_t i = 0; i < t->component_types.count; ++i) {
        const uint32_t before = next;
        if (check_type(h, t, &lists[i], &next, "component_types", NULL))
            continue;
        char what[48]; // only now: writing it takes longer than checking
        snprintf(what, sizeof(what), "component_types[%u]", i);
        next = before;
        return check_type(h, t, &lists[i], &next, what, error);
    }
    return true;
}

bool ct_unit_validate(const void *blob, ct_error *error) {
    const ct_unit_resource *const u = blob;
    if (!ct_blob_check_layout(&ct_unit_layout, u, error))
        return false;
    if (u->entities.num_entities == 0)
        return ct_error_set(error, "the unit has no entities");
    return check_template(&u->header, &u->entities, true, error);
}

bool ct_level_validate(const void *blob, ct_error *error) {
    const ct_level_resource *const l = blob;
    if (!ct_blob_check_layout(&ct_level_layout, l, error) ||
        !check_template(&l->header, &l->entities, false, error))
        return false;
    const uint32_t *const parents = ct_blob_at(l, l->entities.parents.offset);
    const ct_level_unit *const units = ct_blob_at(l, l->units.offset);
    for (uint32_t i = 0; i < l->units.count; ++i) {
        const uint32_t root = units[i].root;
        if (root >= l->entities.num_entities || parents[root] != CT_NO_PARENT)
            return ct_error_set(error, "units[%u]: entity %u is not a root", i, root);
        if (i > 0 && root <= units[i - 1].root)
            return ct_error_set(error,
                                "units[%u]: found root %u after %u, expected ascending order", i,
                                root, units[i - 1].root);
    }
    return ct_level_volumes_check(l, l->volumes, error) &&
           ct_level_splines_check(l, l->splines, error) &&
           ct_level_markers_check(l, l->markers, error);
}
