#include <string.h>

#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "lua/lua_annotations.h"
#include "script/plugin/script_plugins_private.h"

static bool is_same(ct_allocator *a, const char *path, const ct_string_builder *text) {
    uint64_t bytes = 0;
    char *const old = ct_file_read(a, path, &bytes, NULL);
    const bool is_equal = old && strcmp(old, ct_string_builder_text(text)) == 0;
    ct_free(a, old);
    return is_equal;
}

// A module as its plugin has it now, without functions that have ended.
static void annotate(const ct_plugin_module *module, ct_string_builder *text) {
    ct_lua_function functions[CT_SCRIPT_MAX_PLUGIN_FUNCTIONS];
    ct_lua_module now = module->module;
    now.functions = functions;
    now.num_functions = 0;
    for (uint32_t i = 0; i < module->module.num_functions; ++i)
        if (module->additions[i])
            functions[now.num_functions++] = module->functions[i];
    if (now.num_functions == 0)
        return;
    ct_string_builder_add(text, "\n");
    ct_lua_annotate_module(text, &now);
}

bool ct_script_annotate_plugins(const ct_script *s, const char *folder, ct_error *error) {
    uint32_t count;
    char path[CT_PATH_BYTES];
    const ct_lua_module *const *const modules = ct_script_plugin_modules(s, &count);
    if (count == 0 || ct_os_file_info(folder).kind != CT_FILE_KIND_FOLDER ||
        !ct_path_try_join(path, folder, "plugins.lua"))
        return true;
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, s->backing);
    ct_string_builder_add(&text, "---@meta\n-- The modules of this project's plugins, written when "
                                 "it runs: do not edit.\n");
    for (uint32_t i = 0; i < count; ++i)
        annotate((const ct_plugin_module *)modules[i], &text);
    return is_same(s->backing, path, &text) ||
           ct_file_write(path, ct_string_builder_text(&text), strlen(ct_string_builder_text(&text)),
                         false, error);
}
