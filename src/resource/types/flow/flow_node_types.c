#include "resource/types/flow/flow_node_types.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/types/flow/flow_node_tables.h"
#include "resource/types/flow/flow_once.h"

// clang-format off
static const ct_flow_node_table *const listed_tables[] = {
    &ct_flow_nodes_actor,
    &ct_flow_nodes_animation,
    &ct_flow_nodes_application,
    &ct_flow_nodes_camera,
    &ct_flow_nodes_control,
    &ct_flow_nodes_convert,
    &ct_flow_nodes_data,
    &ct_flow_nodes_debug,
    &ct_flow_nodes_effects,
    &ct_flow_nodes_entity,
    &ct_flow_nodes_event,
    &ct_flow_nodes_external,
    &ct_flow_nodes_input,
    &ct_flow_nodes_level,
    &ct_flow_nodes_light,
    &ct_flow_nodes_material,
    &ct_flow_nodes_math,
    &ct_flow_nodes_mover,
    &ct_flow_nodes_navigation,
    &ct_flow_nodes_physics,
    &ct_flow_nodes_script,
    &ct_flow_nodes_sound,
    &ct_flow_nodes_string,
    &ct_flow_nodes_time,
    &ct_flow_nodes_touch,
    &ct_flow_nodes_unit,
    &ct_flow_nodes_unit_data,
    &ct_flow_nodes_unit_parts,
    &ct_flow_nodes_variable,
};
// clang-format on

// --- Tables and nodes ----------------------------------------------------------------------------

enum { MOST_NODE_TYPES = 1024 };

static _Atomic uint32_t is_sorted;
static ct_flow_node_table tables[CT_COUNT_OF(listed_tables)];
static const ct_flow_node_type *sorted[MOST_NODE_TYPES]; // by name
static uint32_t num_sorted;

static int compare_nodes(const void *a, const void *b) {
    const ct_flow_node_type *const *const left = a;
    const ct_flow_node_type *const *const right = b;
    return strcmp((*left)->name, (*right)->name);
}

static void prepare(void) {
    for (uint32_t i = 0; i < CT_COUNT_OF(listed_tables); ++i) {
        tables[i] = *listed_tables[i];
        CT_ASSERT(num_sorted + tables[i].num_nodes <= MOST_NODE_TYPES,
                  "there are more than %d node types", MOST_NODE_TYPES);
        for (uint32_t n = 0; n < tables[i].num_nodes; ++n)
            sorted[num_sorted++] = &tables[i].nodes[n];
    }
    qsort(sorted, num_sorted, sizeof(sorted[0]), compare_nodes);
    for (uint32_t i = 1; i < num_sorted; ++i)
        CT_ASSERT(strcmp(sorted[i - 1]->name, sorted[i]->name) != 0,
                  "two node types have the name \"%s\"", sorted[i]->name);
}

const ct_flow_node_table *ct_flow_node_tables(uint32_t *count) {
    ct_flow_once(&is_sorted, prepare);
    *count = CT_COUNT_OF(tables);
    return tables;
}

const ct_flow_node_type *ct_flow_find_node_type(const char *name) {
    ct_flow_once(&is_sorted, prepare);
    uint32_t first = 0, end = num_sorted;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        const int order = strcmp(name, sorted[middle]->name);
        if (order == 0)
            return sorted[middle];
        if (order < 0)
            end = middle;
        else
            first = middle + 1;
    }
    return NULL;
}

// --- Types of values -----------------------------------------------------------------------------

static const char *const type_names[CT_FLOW_TYPE_COUNT] = {
    [CT_FLOW_TYPE_EVENT] = "event",
    [CT_FLOW_TYPE_BOOL] = "bool",
    [CT_FLOW_TYPE_NUMBER] = "number",
    [CT_FLOW_TYPE_VECTOR3] = "vector3",
    [CT_FLOW_TYPE_QUATERNION] = "quaternion",
    [CT_FLOW_TYPE_STRING] = "string",
    [CT_FLOW_TYPE_ID] = "id",
    [CT_FLOW_TYPE_UNIT] = "unit",
    [CT_FLOW_TYPE_ENTITY] = "entity",
    [CT_FLOW_TYPE_ACTOR] = "actor",
    [CT_FLOW_TYPE_CAMERA] = "camera",
    [CT_FLOW_TYPE_LIGHT] = "light",
    [CT_FLOW_TYPE_MATERIAL] = "material",
    [CT_FLOW_TYPE_MESH] = "mesh",
    [CT_FLOW_TYPE_MOVER] = "mover",
    [CT_FLOW_TYPE_ANY] = "any",
};

const char *const ct_flow_slot_kind_names[] = {
    [CT_FLOW_SLOT_INPUT] = "input",   [CT_FLOW_SLOT_EVENT_IN] = "event_in",
    [CT_FLOW_SLOT_OUTPUT] = "output", [CT_FLOW_SLOT_EVENT_OUT] = "event_out",
    [CT_FLOW_SLOT_KIND_COUNT] = NULL,
};

const char *ct_flow_type_name(ct_flow_type type) {
    CT_ASSERT((uint32_t)type < CT_FLOW_TYPE_COUNT, "type %u", (uint32_t)type);
    return type_names[type];
}

ct_flow_type ct_flow_type_named(const char *name) {
    uint32_t type = 0;
    while (type < CT_FLOW_TYPE_COUNT && strcmp(type_names[type], name) != 0)
        ++type;
    return (ct_flow_type)type;
}

// --- Slots ---------------------------------------------------------------------------------------

uint32_t ct_flow_count_slots(const ct_flow_node_type *node, ct_flow_slot_kind kind) {
    uint32_t count = 0;
    for (const ct_flow_slot *s = node->slots; s && s->name; ++s)
        count += s->kind == kind;
    return count;
}

const ct_flow_slot *ct_flow_slot_at(const ct_flow_node_type *node, ct_flow_slot_kind kind,
                                    uint32_t number) {
    uint32_t found = 0;
    for (const ct_flow_slot *s = node->slots; s && s->name; ++s) {
        if (s->kind == kind && found++ == number)
            return s;
    }
    CT_FAIL("the number of a slot", "%s has no slot %u of kind %u", node->name, number, kind);
}

const ct_flow_slot *ct_flow_find_slot(const ct_flow_node_type *node, bool is_out, const char *name,
                                      uint32_t *number) {
    uint32_t counts[CT_FLOW_SLOT_KIND_COUNT] = {0};
    for (const ct_flow_slot *s = node->slots; s && s->name; ++s) {
        const bool goes_out = s->kind == CT_FLOW_SLOT_OUTPUT || s->kind == CT_FLOW_SLOT_EVENT_OUT;
        if (goes_out == is_out && strcmp(s->name, name) == 0) {
            *number = counts[s->kind];
            return s;
        }
        ++counts[s->kind];
    }
    return NULL;
}
