#include "input/actions.h"

#include <string.h>

#include "foundation/error.h"
#include "input/actions_private.h"

// --- Life ----------------------------------------------------------------------------------------

static void take_blob(ct_actions *a, ct_string_id64 name, const void *blob) {
    if (name.value == a->resource_name.value)
        ct_actions_set_resource(a, blob);
}

static void online(void *user, ct_string_id64 name, const void *blob) {
    take_blob(user, name, blob);
}

static void reload(void *user, ct_string_id64 name, const void *old_blob, const void *new_blob) {
    (void)old_blob;
    take_blob(user, name, new_blob);
}

ct_actions *ct_actions_create(const ct_actions_desc *desc) {
    ct_actions *const a = CT_NEW(desc->allocator, ct_actions);
    a->allocator = desc->allocator;
    a->input = desc->input;
    if (desc->resource && desc->resource[0] != '\0')
        a->resource_name = ct_string_id64_of(desc->resource);
    if (desc->user_file) {
        const size_t bytes = strlen(desc->user_file) + 1;
        a->user_file = memcpy(ct_alloc(desc->allocator, bytes), desc->user_file, bytes);
    }
    ct_array_init(&a->blob, desc->allocator);
    ct_array_init(&a->actions, desc->allocator);
    ct_array_init(&a->user_bindings, desc->allocator);
    const ct_resource_callbacks callbacks = {.user = a, .online = online, .reload = reload};
    if (desc->resources)
        ct_resource_manager_register(desc->resources, "input", &callbacks);
    return a;
}

void ct_actions_destroy(ct_actions *a) {
    if (!a)
        return;
    ct_array_free(&a->blob);
    ct_array_free(&a->actions);
    ct_array_free(&a->user_bindings);
    if (a->user_file)
        ct_free(a->allocator, a->user_file);
    ct_free_sized(a->allocator, a, sizeof(*a));
}

// --- The resource --------------------------------------------------------------------------------

// Which sets are active: as before where they were there, else as the resource says.
static void set_up_sets(ct_actions *a, const ct_input_resource *resource) {
    const ct_input_set *const sets = ct_blob_at(resource, resource->sets.offset);
    bool active[CT_INPUT_MAX_SETS] = {false};
    for (uint32_t i = 0; i < resource->sets.count; ++i) {
        const int32_t old = ct_actions_find_set(a, ct_blob_at(resource, sets[i].name.offset));
        active[i] = old >= 0 ? a->active_sets[old] : sets[i].is_active != 0;
    }
    memcpy(a->active_sets, active, sizeof(active));
}

void ct_actions_set_resource(ct_actions *a, const ct_input_resource *resource) {
    set_up_sets(a, resource);
    a->blob.count = 0;
    ct_array_push_many(&a->blob, (const uint8_t *)resource, (uint32_t)resource->header.size_bytes);
    const ct_input_resource *const own = ct_actions_resource(a);
    const ct_input_action *const actions = ct_blob_at(own, own->actions.offset);
    a->actions.count = 0;
    ct_array_resize(&a->actions, own->actions.count);
    for (uint32_t i = 0; i < own->actions.count; ++i) {
        ct_action *const action = &a->actions.items[i];
        action->name = ct_blob_at(own, actions[i].name.offset);
        action->kind = (ct_input_action_kind)actions[i].kind;
        action->set = actions[i].set;
        ct_actions_apply_bindings(a, i);
    }
    if (!a->is_user_file_read)
        ct_actions_load_user(a);
}

const char *ct_actions_gamepad_mappings(const ct_actions *a) {
    const ct_input_resource *const resource = ct_actions_resource(a);
    return resource ? ct_blob_at(resource, resource->gamepad_mappings.offset) : "";
}

// --- State ---------------------------------------------------------------------------------------

uint32_t ct_actions_count(const ct_actions *a) {
    return a->actions.count;
}

static const ct_action *action_at(const ct_actions *a, uint32_t action) {
    CT_ASSERT(action < a->actions.count, "action %u of %u", action, a->actions.count);
    return &a->actions.items[action];
}

const char *ct_actions_name(const ct_actions *a, uint32_t action) {
    return action_at(a, action)->name;
}

ct_input_action_kind ct_actions_kind(const ct_actions *a, uint32_t action) {
    return action_at(a, action)->kind;
}

int32_t ct_actions_find(const ct_actions *a, const char *name) {
    for (uint32_t i = 0; i < a->actions.count; ++i) {
        if (strcmp(a->actions.items[i].name, name) == 0)
            return (int32_t)i;
    }
    return -1;
}

bool ct_actions_held(const ct_actions *a, uint32_t action) {
    return action_at(a, action)->is_held;
}

bool ct_actions_pressed(const ct_actions *a, uint32_t action) {
    return action_at(a, action)->was_pressed;
}

bool ct_actions_released(const ct_actions *a, uint32_t action) {
    return action_at(a, action)->was_released;
}

ct_vec3 ct_actions_value(const ct_actions *a, uint32_t action) {
    return action_at(a, action)->value;
}

// --- Sets ----------------------------------------------------------------------------------------

uint32_t ct_actions_num_sets(const ct_actions *a) {
    const ct_input_resource *const resource = ct_actions_resource(a);
    return resource ? resource->sets.count : 0;
}

const char *ct_actions_set_name(const ct_actions *a, uint32_t set) {
    const ct_input_resource *const resource = ct_actions_resource(a);
    CT_ASSERT(set < ct_actions_num_sets(a), "set %u of %u", set, ct_actions_num_sets(a));
    const ct_input_set *const sets = ct_blob_at(resource, resource->sets.offset);
    return ct_blob_at(resource, sets[set].name.offset);
}

int32_t ct_actions_find_set(const ct_actions *a, const char *name) {
    for (uint32_t i = 0; i < ct_actions_num_sets(a); ++i) {
        if (strcmp(ct_actions_set_name(a, i), name) == 0)
            return (int32_t)i;
    }
    return -1;
}

bool ct_actions_is_active(const ct_actions *a, uint32_t set) {
    return a->active_sets[set];
}

void ct_actions_set_active(ct_actions *a, uint32_t set, bool is_active) {
    a->active_sets[set] = is_active;
}
