// The player's bindings of actions, and the file that stores them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "input/actions_private.h"

static const ct_sjson_limits file_limits = {.max_depth = 16, .max_bytes = 1 << 20};

// --- Slots ---------------------------------------------------------------------------------------

void ct_actions_apply_bindings(ct_actions *a, uint32_t index) {
    const ct_input_resource *const resource = ct_actions_resource(a);
    const ct_input_action *const own =
        (const ct_input_action *)ct_blob_at(resource, resource->actions.offset) + index;
    const ct_input_binding *const bindings = ct_blob_at(resource, resource->bindings.offset);
    ct_action *const action = &a->actions.items[index];
    memset(action->bindings, 0, sizeof(action->bindings));
    memset(action->states, 0, sizeof(action->states));
    action->num_slots = own->num_bindings;
    for (uint32_t slot = 0; slot < own->num_bindings; ++slot)
        action->bindings[slot] = bindings[own->first_binding + slot];
    for (uint32_t i = 0; i < a->user_bindings.count; ++i) {
        const ct_user_binding *const user = &a->user_bindings.items[i];
        if (strcmp(user->action, action->name) != 0 ||
            !ct_input_binding_fits(&user->binding, action->kind, NULL))
            continue;
        action->bindings[user->slot - 1] = user->binding;
        if (user->slot > action->num_slots)
            action->num_slots = user->slot;
    }
}

uint32_t ct_actions_num_slots(const ct_actions *a, uint32_t action) {
    CT_ASSERT(action < a->actions.count, "action %u of %u", action, a->actions.count);
    return a->actions.items[action].num_slots;
}

const ct_input_binding *ct_actions_binding(const ct_actions *a, uint32_t action, uint32_t slot) {
    CT_ASSERT(action < a->actions.count && slot >= 1 && slot <= CT_INPUT_MAX_SLOTS,
              "slot %u of action %u", slot, action);
    return &a->actions.items[action].bindings[slot - 1];
}

// Stores a player's binding, in place of the old one in its slot.
static void remember(ct_actions *a, const char *action, uint32_t slot,
                     const ct_input_binding *binding) {
    ct_user_binding user = {.slot = slot, .binding = *binding};
    snprintf(user.action, sizeof(user.action), "%s", action);
    for (uint32_t i = 0; i < a->user_bindings.count; ++i) {
        ct_user_binding *const old = &a->user_bindings.items[i];
        if (old->slot == slot && strcmp(old->action, user.action) == 0) {
            *old = user;
            return;
        }
    }
    ct_array_push(&a->user_bindings, user);
}

bool ct_actions_bind(ct_actions *a, uint32_t action, uint32_t slot, const ct_input_binding *binding,
                     ct_error *error) {
    const ct_action *const at = &a->actions.items[action];
    if (slot < 1 || slot > CT_INPUT_MAX_SLOTS)
        return ct_error_set(error, "slot %u is out of range: expected 1 to %d", slot,
                            (int)CT_INPUT_MAX_SLOTS);
    if (!ct_input_binding_check(binding, error) || !ct_input_binding_fits(binding, at->kind, error))
        return false;
    remember(a, at->name, slot, binding);
    ct_actions_apply_bindings(a, action);
    return true;
}

void ct_actions_reset(ct_actions *a, uint32_t action) {
    const char *const name = ct_actions_name(a, action);
    for (uint32_t i = a->user_bindings.count; i-- > 0;) {
        if (strcmp(a->user_bindings.items[i].action, name) == 0)
            ct_array_erase(&a->user_bindings, i, 1);
    }
    ct_actions_apply_bindings(a, action);
}

void ct_actions_reset_all(ct_actions *a) {
    a->user_bindings.count = 0;
    for (uint32_t i = 0; i < a->actions.count; ++i)
        ct_actions_apply_bindings(a, i);
}

// --- Reading -------------------------------------------------------------------------------------

// What is being read.
typedef struct reading {
    ct_actions *actions;
    const ct_sjson *doc;
    bool is_right;
} reading;

static void warn(reading *r, const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES];
    ct_error_format(error, text, sizeof(text));
    ct_log_warning("input", "user_bindings", "%s", text);
    r->is_right = false;
}

static void warn_at(reading *r, ct_sjson_value at, const char *message) {
    ct_error error = {0};
    ct_sjson_error(r->doc, at, &error, "%s", message);
    warn(r, &error);
}

static void hear_error(void *user, const ct_error *error) {
    warn(user, error);
}

// The slot that a key names; 0 after a warning.
static uint32_t read_slot(reading *r, ct_sjson_value at) {
    const char *const key = ct_sjson_key(r->doc, at);
    char *end = NULL;
    const unsigned long slot = strtoul(key, &end, 10);
    if (key[0] >= '1' && key[0] <= '9' && *end == '\0' && slot <= CT_INPUT_MAX_SLOTS)
        return (uint32_t)slot;
    ct_error error = {0};
    ct_sjson_error(r->doc, at, &error, "found \"%.64s\", expected a slot from 1 to %d", key,
                   (int)CT_INPUT_MAX_SLOTS);
    warn(r, &error);
    return 0;
}

static void read_binding(reading *r, const char *name, int32_t action, ct_sjson_value at) {
    const ct_schema_listener listener = {.user = r, .error = hear_error};
    const uint32_t slot = read_slot(r, at);
    ct_input_binding binding;
    ct_error error = {0};
    if (slot == 0 || !ct_input_binding_read(r->doc, at, &binding, &listener))
        return;
    if (!ct_input_binding_check(&binding, &error) ||
        (action >= 0 &&
         !ct_input_binding_fits(&binding, ct_actions_kind(r->actions, (uint32_t)action), &error)))
        warn_at(r, at, error.message);
    else
        remember(r->actions, name, slot, &binding);
}

static void read_action(reading *r, ct_sjson_value at) {
    const char *const name = ct_sjson_key(r->doc, at);
    const int32_t action = ct_actions_find(r->actions, name);
    if (ct_sjson_type_of(r->doc, at) != CT_SJSON_TYPE_OBJECT || name[0] == '\0' ||
        strlen(name) >= CT_INPUT_NAME_BYTES) {
        warn_at(r, at, "expected an action with its slots, as in jump = { 1 = \"keyboard.k\" }");
        return;
    }
    if (action < 0)
        warn_at(r, at, "unknown action; its bindings are kept but have no effect");
    for (ct_sjson_value v = ct_sjson_first(r->doc, at); v.entry; v = ct_sjson_next(r->doc, v))
        read_binding(r, name, action, v);
}

static void read_root(reading *r) {
    const ct_sjson_value root = ct_sjson_root(r->doc);
    for (ct_sjson_value v = ct_sjson_first(r->doc, root); v.entry; v = ct_sjson_next(r->doc, v)) {
        if (strcmp(ct_sjson_key(r->doc, v), "actions") != 0 ||
            ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_OBJECT) {
            warn_at(r, v, "expected actions = { … }");
            continue;
        }
        for (ct_sjson_value action = ct_sjson_first(r->doc, v); action.entry;
             action = ct_sjson_next(r->doc, action))
            read_action(r, action);
    }
}

bool ct_actions_read_user(ct_actions *a, const char *text, uint64_t bytes, const char *file) {
    ct_error error = {0};
    reading r = {.actions = a, .is_right = true};
    ct_sjson *const doc = ct_sjson_parse(a->allocator, text, bytes, file, &file_limits, &error);
    if (!doc) {
        warn(&r, &error);
        return false;
    }
    r.doc = doc;
    read_root(&r);
    ct_sjson_free(doc);
    for (uint32_t i = 0; i < a->actions.count; ++i)
        ct_actions_apply_bindings(a, i);
    return r.is_right;
}

// --- Writing -------------------------------------------------------------------------------------

static int compare_bindings(const void *left, const void *right) {
    const ct_user_binding *const a = left, *const b = right;
    const int order = strcmp(a->action, b->action);
    return order != 0 ? order : (a->slot > b->slot) - (a->slot < b->slot);
}

void ct_actions_write_user(const ct_actions *a, ct_string_builder *out) {
    ct_sjson_writer w;
    // The order says nothing; sorted, the file changes only where the player changed something.
    if (a->user_bindings.count > 0)
        qsort(a->user_bindings.items, a->user_bindings.count, sizeof(ct_user_binding),
              compare_bindings);
    ct_string_builder_add(out, "// A player's own bindings, written by the game.\n");
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_SJSON);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "actions");
    ct_sjson_begin_object(&w);
    for (uint32_t i = 0; i < a->user_bindings.count; ++i) {
        const ct_user_binding *const user = &a->user_bindings.items[i];
        const bool is_first = i == 0 || strcmp(user[-1].action, user->action) != 0;
        const bool is_last =
            i + 1 == a->user_bindings.count || strcmp(user[1].action, user->action) != 0;
        char slot[16];
        snprintf(slot, sizeof(slot), "%u", user->slot);
        if (is_first) {
            ct_sjson_write_key(&w, user->action);
            ct_sjson_begin_object(&w);
        }
        ct_sjson_write_key(&w, slot);
        ct_input_binding_write(&w, &user->binding);
        if (is_last)
            ct_sjson_end_object(&w);
    }
    ct_sjson_end_object(&w);
    ct_sjson_end_object(&w);
}

// --- The file ------------------------------------------------------------------------------------

void ct_actions_load_user(ct_actions *a) {
    a->is_user_file_read = true;
    if (!a->user_file || ct_os_file_info(a->user_file).kind == CT_FILE_KIND_NONE)
        return;
    ct_error error = {0};
    uint64_t bytes;
    char *const text = ct_file_read(a->allocator, a->user_file, &bytes, &error);
    if (!text) {
        ct_log_warning("input", "user_bindings", "%s", error.message);
        a->is_user_file_odd = true;
        return;
    }
    a->is_user_file_odd = !ct_actions_read_user(a, text, bytes, a->user_file);
    ct_free(a->allocator, text);
}

bool ct_actions_save_user(ct_actions *a, ct_error *error) {
    char folder[CT_PATH_BYTES];
    if (!a->user_file)
        return ct_error_set(error, "cannot save the bindings: there is no folder for player files");
    ct_path_folder(folder, a->user_file);
    if (!ct_folder_create(folder, error) ||
        (a->is_user_file_odd && !ct_file_put_aside(a->user_file, error)))
        return false;
    a->is_user_file_odd = false;
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, a->allocator);
    ct_actions_write_user(a, &text);
    return ct_file_write(a->user_file, ct_string_builder_text(&text), text.length, true, error);
}
