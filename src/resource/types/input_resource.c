#include "resource/types/input_resource.h"

#include <stdio.h>

#include "foundation/error.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

static const ct_field set_fields[] = {
    {.name = "active",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_input_set_source, is_active),
     .doc = "Whether the set's actions are active at the start.",
     .default_value = {1}},
};

const ct_schema ct_input_set_schema = {
    .name = "input_set",
    .doc = "Actions that are activated and deactivated together.",
    .size_bytes = sizeof(ct_input_set_source),
    .num_fields = CT_COUNT_OF(set_fields),
    .fields = set_fields,
};

static const char *const kind_names[] = {"button", "axis", "vector", NULL};

static const ct_field action_fields[] = {
    {.name = "kind",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_input_action_source, kind),
     .doc = "button: pressed or not. axis: one number. vector: two numbers.",
     .enum_names = kind_names},
    {.name = "set",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_input_action_source, set),
     .doc = "The action's set. Default: \"default\"."},
    {.name = "set",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_input_action_source, set_value),
     .doc = "Position in the source."},
    {.name = "bindings",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_input_action_source, bindings),
     .flags = CT_FIELD_REQUIRED,
     .doc = "What triggers the action: an array of controls, or of objects of input_binding."},
};

const ct_schema ct_input_action_schema = {
    .name = "input_action",
    .doc = "Something that a player can do, with any device.",
    .size_bytes = sizeof(ct_input_action_source),
    .num_fields = CT_COUNT_OF(action_fields),
    .fields = action_fields,
};

static const ct_field fields[] = {
    {.name = "includes",
     .type = CT_FIELD_TYPE_REFERENCES,
     AT(ct_input_source, includes),
     .doc = "Inputs whose sets and actions this one takes in. Those of the same name replace them.",
     .reference_type = "input"},
    {.name = "includes",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_input_source, includes_value),
     .doc = "Position in the source."},
    {.name = "sets",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_input_source, sets),
     .doc = "The sets, by name.",
     .schema = &ct_input_set_schema},
    {.name = "actions",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_input_source, actions),
     .doc = "The actions, by name.",
     .schema = &ct_input_action_schema},
    {.name = "gamepad_mappings",
     .type = CT_FIELD_TYPE_MEDIA,
     AT(ct_input_source, gamepad_mappings),
     .doc = "A file in the format of SDL's controller database, for controllers that SDL does not "
            "know."},
    {.name = "gamepad_mappings",
     .type = CT_FIELD_TYPE_VALUE,
     AT(ct_input_source, gamepad_mappings_value),
     .doc = "Position in the source."},
};

const ct_schema ct_input_schema = {
    .name = "input",
    .doc = "Actions of players, and the controls that trigger them.",
    .size_bytes = sizeof(ct_input_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_input_set_layout =
    CT_BLOB_STRUCT(ct_input_set, CT_BLOB_NUMBERS(4, ct_input_set, id, is_active),
                   CT_BLOB_STRING(ct_input_set, name));

const ct_blob_layout ct_input_action_layout =
    CT_BLOB_STRUCT(ct_input_action, CT_BLOB_NUMBERS(4, ct_input_action, id, padding),
                   CT_BLOB_STRING(ct_input_action, name));

const ct_blob_layout ct_input_layout = CT_BLOB_ROOT(
    ct_input_resource, "an input", CT_BLOB_ARRAY(ct_input_resource, sets, ct_input_set_layout),
    CT_BLOB_ARRAY(ct_input_resource, actions, ct_input_action_layout),
    CT_BLOB_ARRAY(ct_input_resource, bindings, ct_input_binding_layout),
    CT_BLOB_STRING(ct_input_resource, gamepad_mappings));

// --- Validation ----------------------------------------------------------------------------------

static bool check_name(const ct_input_resource *r, ct_blob_string name, ct_string_id32 id,
                       const char *what, ct_error *error) {
    if (name.bytes == 0 || name.bytes >= CT_INPUT_NAME_BYTES)
        return ct_error_set(error, "%s: its name of %u bytes is empty or too long", what,
                            name.bytes);
    return ct_string_id32_of(ct_blob_at(r, name.offset)).value == id.value ||
           ct_error_set(error, "%s: its id does not match its name", what);
}

static bool check_sets(const ct_input_resource *r, ct_error *error) {
    const ct_input_set *const sets = ct_blob_at(r, r->sets.offset);
    if (r->sets.count == 0 || r->sets.count > CT_INPUT_MAX_SETS)
        return ct_error_set(error, "sets: found %u, expected 1 to %d", r->sets.count,
                            (int)CT_INPUT_MAX_SETS);
    for (uint32_t i = 0; i < r->sets.count; ++i) {
        char what[32];
        snprintf(what, sizeof(what), "sets[%u]", i);
        if (!check_name(r, sets[i].name, sets[i].id, what, error))
            return false;
        if (sets[i].is_active > 1)
            return ct_error_set(error, "%s: found is_active %u, expected 0 or 1", what,
                                sets[i].is_active);
    }
    return true;
}

static bool check_action(const ct_input_resource *r, uint32_t i, ct_error *error) {
    const ct_input_action *const action =
        (const ct_input_action *)ct_blob_at(r, r->actions.offset) + i;
    const ct_input_binding *const bindings = ct_blob_at(r, r->bindings.offset);
    char what[32];
    snprintf(what, sizeof(what), "actions[%u]", i);
    if (!check_name(r, action->name, action->id, what, error))
        return false;
    if (action->kind >= CT_NUM_INPUT_ACTION_KINDS || action->set >= r->sets.count)
        return ct_error_set(error, "%s: unknown kind %u or set %u", what, action->kind,
                            action->set);
    if (action->num_bindings > CT_INPUT_MAX_SLOTS || action->first_binding > r->bindings.count ||
        action->num_bindings > r->bindings.count - action->first_binding)
        return ct_error_set(error, "%s: found bindings %u + %u, but there are only %u", what,
                            action->first_binding, action->num_bindings, r->bindings.count);
    for (uint32_t k = 0; k < action->num_bindings; ++k) {
        if (!ct_input_binding_fits(&bindings[action->first_binding + k],
                                   (ct_input_action_kind)action->kind, error))
            return false;
    }
    return true;
}

bool ct_input_validate(const void *blob, ct_error *error) {
    const ct_input_resource *const r = blob;
    if (!ct_blob_check_layout(&ct_input_layout, r, error) || !check_sets(r, error))
        return false;
    const ct_input_binding *const bindings = ct_blob_at(r, r->bindings.offset);
    for (uint32_t i = 0; i < r->bindings.count; ++i) {
        ct_error inner = {0};
        if (!ct_input_binding_check(&bindings[i], &inner))
            return ct_error_set(error, "bindings[%u]: %.200s", i, inner.message);
    }
    if (r->actions.count > CT_INPUT_MAX_ACTIONS)
        return ct_error_set(error, "actions: found %u, expected at most %d", r->actions.count,
                            (int)CT_INPUT_MAX_ACTIONS);
    for (uint32_t i = 0; i < r->actions.count; ++i) {
        if (!check_action(r, i, error))
            return false;
    }
    return true;
}
