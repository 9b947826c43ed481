#include <string.h>

#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "foundation/container/hash_map.h"
#include "foundation/log.h"
#include "plugin/plugin_addition.h"
#include "plugin/plugin_interfaces.h"
#include "plugin/plugin_resource_type.h"
#include "resource/types/plugin/plugin_resource.h"

// A type in the game: `user` of its addition.
typedef struct app_resource_type {
    ct_plugin_addition *addition;
    ct_app *app;
    ct_hash_map good; // names of online resources that the plugin has accepted, to 1
} app_resource_type;

static const cuttle_resource_type *desc_of(const app_resource_type *t) {
    return t->addition->desc;
}

static const void *data_of(const ct_plugin_resource *r) {
    return ct_blob_at(r, r->data.offset);
}

// --- One resource --------------------------------------------------------------------------------

static bool is_good(const app_resource_type *t, ct_string_id64 name) {
    return ct_hash_map_find(&t->good, name.value) != NULL;
}

// A call of validate or loaded, which come while a library is brought in, too.
typedef struct data_call {
    const app_resource_type *type;
    cuttle_id64 name;
    const ct_plugin_resource *resource;
    cuttle_error error;
    bool is_valid;
} data_call;

static void call_validate(void *user) {
    data_call *const call = user;
    call->is_valid = desc_of(call->type)
                         ->validate(call->type->addition->plugin, data_of(call->resource),
                                    call->resource->data.count, &call->error);
}

static bool check_data(const app_resource_type *t, const ct_plugin_resource *r, ct_error *error) {
    const cuttle_resource_type *const desc = desc_of(t);
    data_call call = {.type = t, .resource = r};
    if (r->version != desc->version)
        return ct_error_set(error,
                            "its data is of version %u of the type, and the plugin \"%s\" is for "
                            "version %u: compile with the same build of the plugin",
                            r->version, ct_plugin_name(t->addition->plugin), desc->version);
    if (!desc->validate)
        return true;
    ct_plugin_try(t->addition->plugin, call_validate, &call);
    return call.is_valid ||
           ct_error_set(error, "%s",
                        call.error.message[0] ? call.error.message : "its plugin refuses the data");
}

// Notes whether the plugin accepts a resource; logs why not.
static bool accept(app_resource_type *t, ct_string_id64 name, const ct_plugin_resource *r) {
    ct_error error = {0};
    const bool result = check_data(t, r, &error);
    if (result)
        ct_hash_map_set(&t->good, name.value, 1);
    else
        ct_hash_map_erase(&t->good, name.value);
    if (!result)
        ct_log_error("plugin", "plugin_resource_refused", "refused %s \"%s\": %s",
                     t->addition->name, ct_string_id64_name(name), error.message);
    return result;
}

static void tell_loaded(void *user) {
    const data_call *const call = user;
    desc_of(call->type)
        ->loaded(call->type->addition->plugin, call->name, data_of(call->resource),
                 call->resource->data.count);
}

static void call_loaded(const app_resource_type *t, ct_string_id64 name,
                        const ct_plugin_resource *r) {
    data_call call = {.type = t, .name = {name.value}, .resource = r};
    if (desc_of(t)->loaded)
        ct_plugin_try(t->addition->plugin, tell_loaded, &call);
}

static void call_unloaded(const app_resource_type *t, ct_string_id64 name,
                          const ct_plugin_resource *r) {
    if (desc_of(t)->unloaded)
        desc_of(t)->unloaded(t->addition->plugin, (cuttle_id64){name.value}, data_of(r),
                             r->data.count);
}

static void call_reloaded(const app_resource_type *t, ct_string_id64 name,
                          const ct_plugin_resource *old, const ct_plugin_resource *r) {
    if (desc_of(t)->reloaded) {
        desc_of(t)->reloaded(t->addition->plugin, (cuttle_id64){name.value}, data_of(old),
                             old->data.count, data_of(r), r->data.count);
        return;
    }
    call_unloaded(t, name, old);
    call_loaded(t, name, r);
}

// --- Callbacks of the resource manager -----------------------------------------------------------

static void online(void *user, ct_string_id64 name, const void *blob) {
    app_resource_type *const t = user;
    const uint32_t entered = ct_plugin_enter(t->addition->plugin);
    if (accept(t, name, blob))
        call_loaded(t, name, blob);
    ct_plugin_leave(entered);
}

static void offline(void *user, ct_string_id64 name, const void *blob) {
    app_resource_type *const t = user;
    if (!is_good(t, name))
        return;
    const uint32_t entered = ct_plugin_enter(t->addition->plugin);
    ct_hash_map_erase(&t->good, name.value);
    call_unloaded(t, name, blob);
    ct_plugin_leave(entered);
}

static void reload(void *user, ct_string_id64 name, const void *old_blob, const void *new_blob) {
    app_resource_type *const t = user;
    const uint32_t entered = ct_plugin_enter(t->addition->plugin);
    const bool was_good = is_good(t, name);
    const bool is_accepted = accept(t, name, new_blob);
    if (was_good && is_accepted)
        call_reloaded(t, name, old_blob, new_blob);
    else if (was_good)
        call_unloaded(t, name, old_blob);
    else if (is_accepted)
        call_loaded(t, name, new_blob);
    ct_plugin_leave(entered);
}

// --- The kind ------------------------------------------------------------------------------------

static bool check(const ct_plugin_addition *a, ct_error *error) {
    return ct_plugin_resource_type_check(a->desc, error);
}

static bool add_type(ct_plugin_addition *a, ct_error *error) {
    ct_app *const app = ct_app_of_plugin(a->plugin);
    if (!ct_resource_type_register(a->name, error))
        return false;
    app_resource_type *const t = CT_NEW(app->allocator, app_resource_type);
    *t = (app_resource_type){.addition = a, .app = app};
    ct_hash_map_init(&t->good, app->allocator);
    a->user = t;
    const ct_resource_callbacks callbacks = {
        .user = t, .online = online, .offline = offline, .reload = reload};
    ct_resource_manager_register(app->resources, a->name, &callbacks);
    ct_resource_manager_each_online(app->resources, a->name, online, t);
    return true;
}

// What the old library had accepted, and the new one may not, or the other way round.
static void check_again(void *user, ct_string_id64 name, const void *blob) {
    app_resource_type *const t = user;
    const bool was_good = is_good(t, name);
    const bool is_of_version = ((const ct_plugin_resource *)blob)->version == desc_of(t)->version;
    const bool is_accepted = is_of_version && accept(t, name, blob);
    if (!is_of_version) // the compiler is about to bring other data
        ct_hash_map_erase(&t->good, name.value);
    if (was_good && !is_accepted)
        call_unloaded(t, name, blob);
    else if (!was_good && is_accepted)
        call_loaded(t, name, blob);
}

static void replaced(ct_plugin_addition *a) {
    app_resource_type *const t = a->user;
    const uint32_t entered = ct_plugin_enter(a->plugin);
    ct_resource_manager_each_online(t->app->resources, a->name, check_again, t);
    ct_plugin_leave(entered);
}

static void ending(ct_plugin_addition *a) {
    app_resource_type *const t = a->user;
    ct_resource_manager_each_online(t->app->resources, a->name, offline, t);
}

static void remove_type(ct_plugin_addition *a) {
    app_resource_type *const t = a->user;
    ct_resource_manager_unregister(t->app->resources, t);
    ct_hash_map_free(&t->good);
    ct_free_sized(t->app->allocator, t, sizeof(*t));
}

static const ct_plugin_kind kind = {
    .name = "resource type",
    .desc_bytes = sizeof(cuttle_resource_type),
    .check = check,
    .add = add_type,
    .replaced = replaced,
    .ending = ending,
    .remove = remove_type,
};

// --- The interface -------------------------------------------------------------------------------

static bool add(cuttle_plugin *self, const cuttle_resource_type *type, cuttle_error *error) {
    ct_error own = {0};
    if (!type || !type->name)
        ct_error_set(&own, "a resource type needs a name");
    else if (ct_plugin_add(self, &kind, type->name, type, &own))
        return true;
    return ct_plugin_give_error(error, &own);
}

static const void *get(cuttle_plugin *self, const char *type, cuttle_id64 name,
                       uint64_t *size_bytes) {
    const ct_plugin_addition *const a =
        type ? ct_plugin_host_addition(ct_plugin_host_of(self), &kind, type) : NULL;
    const app_resource_type *const t = a ? a->user : NULL;
    if (size_bytes)
        *size_bytes = 0;
    if (!a)
        ct_log_error("plugin", "plugin_bad_argument",
                     "%s called `get` with the type \"%.64s\"; expected one that a plugin adds",
                     ct_plugin_name(self), type ? type : "NULL");
    if (!t || !is_good(t, (ct_string_id64){name.value}))
        return NULL;
    const ct_plugin_resource *const r =
        ct_resource_manager_get(t->app->resources, type, (ct_string_id64){name.value});
    if (r && size_bytes)
        *size_bytes = r->data.count;
    return r ? data_of(r) : NULL;
}

const cuttle_resource_types_api_1 ct_app_resource_types_api_1 = {
    .add = add,
    .name_id = ct_plugin_name_id,
    .get = get,
};
