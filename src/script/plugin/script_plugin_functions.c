#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "lua/lua_signature.h"
#include "script/plugin/script_plugins_private.h"

// The name under which a host keeps its script.
#define SYSTEM "script"

ct_script *ct_script_of_plugin(const ct_plugin *plugin) {
    return ct_plugin_host_system(ct_plugin_host_of(plugin), SYSTEM);
}

static struct ct_script_plugins *plugins_of(ct_script *s) {
    if (!s->plugins)
        s->plugins = CT_NEW(s->backing, struct ct_script_plugins);
    return s->plugins;
}

void ct_script_set_plugins(ct_script *s, ct_plugin_host *plugins) {
    struct ct_script_plugins *const p = plugins_of(s);
    if (p->host)
        ct_plugin_host_offer(p->host, SYSTEM, NULL);
    p->host = plugins;
    if (plugins)
        ct_plugin_host_offer(plugins, SYSTEM, s);
}

const ct_lua_module *const *ct_script_plugin_modules(const ct_script *s, uint32_t *count) {
    *count = s->plugins ? s->plugins->count : 0;
    return s->plugins ? s->plugins->modules : NULL;
}

static void free_texts(ct_script *s, ct_lua_function *f) {
    ct_free(s->backing, (void *)f->name);
    ct_free(s->backing, (void *)f->signature);
    ct_free(s->backing, (void *)f->doc);
    *f = (ct_lua_function){0};
}

void ct_script_plugins_free(ct_script *s) {
    struct ct_script_plugins *const p = s->plugins;
    if (!p)
        return;
    ct_script_set_plugins(s, NULL);
    for (uint32_t i = 0; i < p->count; ++i) {
        ct_plugin_module *const module = (ct_plugin_module *)(uintptr_t)p->modules[i];
        for (uint32_t k = 0; k < module->module.num_functions; ++k)
            free_texts(s, &module->functions[k]);
        ct_free_sized(s->backing, module, sizeof(*module));
    }
    ct_free_sized(s->backing, p, sizeof(*p));
    s->plugins = NULL;
}

// --- Calls ---------------------------------------------------------------------------------------

// Every function of a plugin, as Lua sees it.
static int call_plugin(lua_State *L) {
    const ct_plugin_module *const module = (const ct_plugin_module *)ct_lua_called_module(L);
    const uint32_t place = (uint32_t)lua_tonumber(L, lua_upvalueindex(CT_UPVALUE_PLACE)) & 0xffff;
    const ct_plugin_addition *const a = module->additions[place];
    if (!a)
        return ct_function_error(L, "its plugin has ended, or does not have it any more");
    CT_ERROR_CONTEXT("running plugin", ct_plugin_name(a->plugin));
    const int num_results = ((const cuttle_lua_function *)a->desc)->call(L);
    if (num_results >= 0 && num_results <= lua_gettop(L))
        return num_results;
    if (num_results == CUTTLE_LUA_ERROR && lua_type(L, -1) == LUA_TSTRING)
        return ct_function_error(L, "%s", lua_tostring(L, -1));
    return ct_function_error(L, "it returned %d, with %d values on the stack", num_results,
                             lua_gettop(L));
}

ct_plugin *ct_script_running_plugin(lua_State *L) {
    lua_Debug running;
    if (!lua_checkstack(L, 1) || !lua_getstack(L, 0, &running) || !lua_getinfo(L, "f", &running))
        return NULL;
    const bool is_ours = lua_tocfunction(L, -1) == call_plugin;
    lua_pop(L, 1);
    if (!is_ours)
        return NULL;
    const ct_plugin_module *const module = (const ct_plugin_module *)ct_lua_called_module(L);
    const uint32_t place = (uint32_t)lua_tonumber(L, lua_upvalueindex(CT_UPVALUE_PLACE)) & 0xffff;
    return module->additions[place] ? module->additions[place]->plugin : NULL;
}

// --- Modules -------------------------------------------------------------------------------------

static ct_plugin_module *find_module(const ct_script *s, const char *name, size_t length) {
    for (uint32_t i = 0; s->plugins && i < s->plugins->count; ++i) {
        const ct_lua_module *const module = s->plugins->modules[i];
        if (strlen(module->name) == length && strncmp(module->name, name, length) == 0)
            return (ct_plugin_module *)(uintptr_t)module;
    }
    return NULL;
}

// Returns the plugin that has a module: the one that described it, or has functions in it; NULL: it is
// new, or those that had it have ended.
static const ct_plugin *owner_of(const ct_plugin_module *module, const ct_plugin_host *host) {
    const ct_plugin_addition *const described =
        ct_plugin_host_addition(host, &ct_script_lua_module_kind, module->name);
    if (described)
        return described->plugin;
    for (uint32_t i = 0; i < module->module.num_functions; ++i)
        if (module->additions[i])
            return module->additions[i]->plugin;
    return NULL;
}

typedef struct global_name {
    char name[64];
    bool exists;
} global_name;

static int look_for_global(lua_State *L) {
    global_name *const global = ct_lua_run_data(L);
    lua_pushstring(L, global->name);
    lua_rawget(L, LUA_GLOBALSINDEX);
    global->exists = !lua_isnil(L, -1);
    return 0;
}

static bool is_identifier(const char *name, size_t length) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return length > 0 && length < 64 && strspn(name, letters) >= length &&
           (name[0] < '0' || name[0] > '9');
}

// "Module.function": where its function's name begins; NULL for another form.
static const char *function_name(const char *name) {
    const char *const dot = strchr(name, '.');
    if (!dot || !is_identifier(name, (size_t)(dot - name)) ||
        !is_identifier(dot + 1, strlen(dot + 1)))
        return NULL;
    return dot + 1;
}

static bool check_module(const ct_plugin_addition *a, size_t length, ct_error *error) {
    ct_script *const s = ct_script_of_plugin(a->plugin);
    if (!s)
        return ct_error_set(error, "Lua has ended");
    const ct_plugin_module *const module = find_module(s, a->name, length);
    const ct_plugin *const owner = module ? owner_of(module, ct_plugin_host_of(a->plugin)) : NULL;
    if (owner && owner != a->plugin)
        return ct_error_set(error,
                            "the module \"%s\" is of the plugin \"%s\"; choose another name for "
                            "the module",
                            module->name, ct_plugin_name(owner));
    if (module)
        return true;
    global_name global = {.exists = false};
    snprintf(global.name, sizeof(global.name), "%.*s", (int)length, a->name);
    if (!ct_lua_run(&s->lua, look_for_global, &global))
        return ct_error_set(error, "Lua has no memory left");
    if (global.exists)
        return ct_error_set(error,
                            "there is already a global \"%s\" in Lua; choose another name for "
                            "the module",
                            global.name);
    return plugins_of(s)->count < CT_SCRIPT_MAX_PLUGIN_MODULES ||
           ct_error_set(error, "plugins have added %d modules already",
                        CT_SCRIPT_MAX_PLUGIN_MODULES);
}

static bool check_signature(const char *signature, ct_error *error) {
    ct_signature parsed;
    ct_error why = {0};
    if (!signature)
        return ct_error_set(error,
                            "it has no signature; expected one such as \"(unit: Unit) -> nil\"");
    return ct_signature_parse(signature, &parsed, &why) ||
           ct_error_set(error, "its signature \"%.128s\" is wrong: %s", signature, why.message);
}

static bool check(const ct_plugin_addition *a, ct_error *error) {
    const cuttle_lua_function *const f = a->desc;
    const char *const name = function_name(a->name);
    if (!name)
        return ct_error_set(error,
                            "\"%s\" is no name of a function of a module; expected two names of "
                            "letters, digits and underscores",
                            a->name);
    if (!f->call || !f->doc)
        return ct_error_set(error, "%s needs a function and a sentence of documentation", a->name);
    return check_signature(f->signature, error) &&
           check_module(a, (size_t)(name - 1 - a->name), error);
}

static char *copy_text(ct_script *s, const char *text) {
    char *const copy = ct_alloc(s->backing, strlen(text) + 1);
    strcpy(copy, text);
    return copy;
}

static void set_texts(ct_script *s, ct_lua_function *f, const ct_plugin_addition *a) {
    const cuttle_lua_function *const desc = a->desc;
    free_texts(s, f);
    *f = (ct_lua_function){.name = copy_text(s, function_name(a->name)),
                           .function = call_plugin,
                           .signature = copy_text(s, desc->signature),
                           .doc = copy_text(s, desc->doc)};
}

static ct_plugin_module *make_module(ct_script *s, const char *name, size_t length) {
    ct_plugin_module *const module = CT_NEW(s->backing, ct_plugin_module);
    *module = (ct_plugin_module){.number = s->lua.num_modules};
    snprintf(module->name, sizeof(module->name), "%.*s", (int)length, name);
    module->module =
        (ct_lua_module){.name = module->name, .doc = module->doc, .functions = module->functions};
    snprintf(module->doc, sizeof(module->doc), "Functions of a plugin.");
    return module;
}

typedef struct new_function {
    ct_plugin_module *module;
    uint32_t place;
} new_function;

static int open_function(lua_State *L) {
    const new_function *const added = ct_lua_run_data(L);
    lua_getglobal(L, added->module->name);
    if (!lua_istable(L, -1)) { // a script has written over it
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_setglobal(L, added->module->name);
    }
    ct_lua_push_module_function(L, added->module->number, added->place);
    lua_setfield(L, -2, added->module->functions[added->place].name);
    return 0;
}

static int open_module(lua_State *L) {
    const new_function *const added = ct_lua_run_data(L);
    ct_lua_open_new_modules(L, added->module->number + 1);
    return 0;
}

// The place of a function that had this name before, or a new one; CT_SCRIPT_MAX_PLUGIN_FUNCTIONS: no
// room.
static uint32_t place_of(const ct_plugin_module *module, const char *name) {
    for (uint32_t i = 0; i < module->module.num_functions; ++i)
        if (strcmp(module->functions[i].name, name) == 0)
            return i;
    return module->module.num_functions;
}

// Returns the module of this name, which is made if there is none; NULL with `error`.
static ct_plugin_module *need_module(ct_script *s, const ct_plugin_addition *a, size_t length,
                                     ct_error *error) {
    struct ct_script_plugins *const p = plugins_of(s);
    if (!check_module(a, length, error))
        return NULL;
    new_function added = {.module = find_module(s, a->name, length)};
    if (added.module)
        return added.module;
    added.module = make_module(s, a->name, length);
    s->modules[added.module->number] = &added.module->module;
    if (!ct_lua_run(&s->lua, open_module, &added)) {
        ct_free_sized(s->backing, added.module, sizeof(*added.module));
        ct_error_set(error, "Lua has no memory left");
        return NULL;
    }
    p->modules[p->count++] = &added.module->module;
    return added.module;
}

static bool add(ct_plugin_addition *a, ct_error *error) {
    ct_script *const s = ct_script_of_plugin(a->plugin);
    const char *const name = function_name(a->name);
    new_function added = {.module = need_module(s, a, (size_t)(name - 1 - a->name), error)};
    if (!added.module)
        return false;
    added.place = place_of(added.module, name);
    if (added.place == CT_SCRIPT_MAX_PLUGIN_FUNCTIONS)
        return ct_error_set(error, "the module \"%s\" has %d functions already", added.module->name,
                            CT_SCRIPT_MAX_PLUGIN_FUNCTIONS);
    set_texts(s, &added.module->functions[added.place], a);
    if (added.place == added.module->module.num_functions)
        ++added.module->module.num_functions;
    added.module->additions[added.place] = a;
    a->user = added.module;
    if (ct_lua_run(&s->lua, open_function, &added))
        return true;
    added.module->additions[added.place] = NULL; // its name stays, as that of one that has ended
    a->user = NULL;
    return ct_error_set(error, "Lua refuses it: %s", ct_string_builder_text(&s->lua.error_message));
}

static void replaced(ct_plugin_addition *a) {
    ct_script *const s = ct_script_of_plugin(a->plugin);
    ct_plugin_module *const module = a->user;
    if (s)
        set_texts(s, &module->functions[place_of(module, function_name(a->name))], a);
}

static int forget_function(lua_State *L) {
    const new_function *const ended = ct_lua_run_data(L);
    lua_getglobal(L, ended->module->name);
    if (lua_istable(L, -1)) {
        lua_pushnil(L);
        lua_setfield(L, -2, ended->module->functions[ended->place].name);
    }
    return 0;
}

static void remove_function(ct_plugin_addition *a) {
    ct_script *const s = ct_script_of_plugin(a->plugin);
    if (!s)
        return; // and its modules with it
    new_function ended = {.module = a->user};
    ended.place = place_of(ended.module, function_name(a->name));
    ended.module->additions[ended.place] = NULL;
    ct_lua_run(&s->lua, forget_function, &ended);
}

const ct_plugin_kind ct_script_lua_function_kind = {
    .name = "Lua function",
    .desc_bytes = sizeof(cuttle_lua_function),
    .check = check,
    .add = add,
    .replaced = replaced,
    .remove = remove_function,
};

// --- Docs of modules -----------------------------------------------------------------------------

static bool check_doc(const ct_plugin_addition *a, ct_error *error) {
    const size_t length = strlen(a->name);
    return is_identifier(a->name, length)
               ? check_module(a, length, error)
               : ct_error_set(error,
                              "\"%s\" is no name of a module; expected letters, digits and "
                              "underscores",
                              a->name);
}

static void set_doc(ct_plugin_addition *a) {
    const cuttle_lua_module *const desc = a->desc;
    ct_plugin_module *const module = a->user;
    if (ct_script_of_plugin(a->plugin) && desc->doc)
        snprintf(module->doc, sizeof(module->doc), "%s", desc->doc);
}

static bool add_doc(ct_plugin_addition *a, ct_error *error) {
    a->user = need_module(ct_script_of_plugin(a->plugin), a, strlen(a->name), error);
    if (a->user)
        set_doc(a);
    return a->user != NULL;
}

const ct_plugin_kind ct_script_lua_module_kind = {
    .name = "Lua module",
    .desc_bytes = sizeof(cuttle_lua_module),
    .check = check_doc,
    .add = add_doc,
    .replaced = set_doc,
};
