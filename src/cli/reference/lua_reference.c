#include "cli/reference/lua_reference.h"
#include "lua/lua_annotations.h"
#include "script/script_modules.h"

#include <stdio.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "foundation/sjson/sjson_writer.h"
#include "lua/lua_signature.h"

// --- JSON ----------------------------------------------------------------------------------------

static void write_parts(ct_sjson_writer *w, const char *key, const ct_signature_part *parts,
                        uint32_t count) {
    ct_sjson_write_key(w, key);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i) {
        ct_sjson_begin_object(w);
        if (parts[i].name[0] != '\0')
            ct_sjson_member_string(w, "name", parts[i].name);
        ct_sjson_member_string(w, "type", parts[i].type);
        if (parts[i].resource[0])
            ct_sjson_member_string(w, "resource", parts[i].resource);
        if (parts[i].mark == '?' || parts[i].mark == '*')
            ct_sjson_member_bool(w, "is_optional", true);
        if (parts[i].mark == '*' || parts[i].mark == '+')
            ct_sjson_member_bool(w, "is_repeated", true);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

// The members that describe a signature, into the open object.
static void write_signature(ct_sjson_writer *w, const char *text) {
    ct_signature signature;
    ct_error error = {0};
    CT_ASSERT(ct_signature_parse(text, &signature, &error), "%s: %s", text, error.message);
    ct_sjson_member_string(w, "signature", text);
    write_parts(w, "arguments", signature.arguments, signature.num_arguments);
    write_parts(w, "results", signature.results, signature.num_results);
}

static void write_constants(ct_sjson_writer *w, const ct_lua_module *module) {
    ct_sjson_write_key(w, "constants");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < module->num_constants; ++i) {
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "name", module->constants[i].name);
        ct_sjson_member_number(w, "value", module->constants[i].value);
        ct_sjson_member_string(w, "doc", module->constants[i].doc);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_module(ct_sjson_writer *w, const ct_lua_module *module) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", module->name);
    ct_sjson_member_string(w, "doc", module->doc);
    if (module->call) {
        ct_sjson_write_key(w, "call");
        ct_sjson_begin_object(w);
        write_signature(w, module->call_signature);
        ct_sjson_end_object(w);
    }
    if (module->num_constants > 0)
        write_constants(w, module);
    ct_sjson_write_key(w, "functions");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < module->num_functions; ++i) {
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "name", module->functions[i].name);
        ct_sjson_member_string(w, "doc", module->functions[i].doc);
        write_signature(w, module->functions[i].signature);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

void ct_lua_reference_json(ct_string_builder *out) {
    ct_sjson_writer w;
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "version", CT_VERSION_STRING);
    ct_sjson_write_key(&w, "modules");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < count; ++i)
        write_module(&w, modules[i]);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
}

// --- Markdown ------------------------------------------------------------------------------------

void ct_lua_reference_markdown(ct_string_builder *out, const ct_lua_module *module) {
    ct_string_builder_addf(out, "# %s\n\n%s\n", module->name, module->doc);
    if (module->call)
        ct_string_builder_addf(out, "\n```\n%s%s\n```\n", module->name, module->call_signature);
    for (uint32_t i = 0; i < module->num_constants; ++i)
        ct_string_builder_addf(out, "%s- `%s.%s`: %s\n", i == 0 ? "\n" : "", module->name,
                               module->constants[i].name, module->constants[i].doc);
    for (uint32_t i = 0; i < module->num_functions; ++i) {
        const ct_lua_function *const function = &module->functions[i];
        ct_string_builder_addf(out, "\n## %s\n\n```\n%s.%s%s\n```\n\n%s\n", function->name,
                               module->name, function->name, function->signature, function->doc);
    }
}

void ct_lua_reference_markdown_index(ct_string_builder *out) {
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    ct_string_builder_add(
        out, "# Lua reference\n\nWritten by `cuttle lua-api --markdown DIR` from the engine's own "
             "tables: do not edit.\n\n"
             "How to read a signature: `name: type`, then what comes back. `?` behind a type: may "
             "be left out, or be nil; `*`: any number of them; `+`: at least one; `any(a,b)`: one "
             "of these; `[]`: a table of them, from 1; `string(unit)`: the name of a resource of "
             "this type, `string(type)`: of the type that the argument `type` gives.\n\n"
             "| module | functions | |\n| --- | --- | --- |\n");
    for (uint32_t i = 0; i < count; ++i)
        ct_string_builder_addf(out, "| [%s](%s.md) | %u | %s |\n", modules[i]->name,
                               modules[i]->name, modules[i]->num_functions, modules[i]->doc);
}

// --- Files ---------------------------------------------------------------------------------------

// Writes `text` to `folder`/`name``extension`, and empties it.
static bool write_file(const char *folder, const char *name, const char *extension,
                       ct_string_builder *text, ct_error *error) {
    char file[256], path[CT_PATH_BYTES];
    snprintf(file, sizeof(file), "%s%s", name, extension);
    if (!ct_path_try_join(path, folder, file))
        return ct_error_set(error, "%s: the path is too long", folder);
    const bool is_written =
        ct_file_write(path, ct_string_builder_text(text), text->length, false, error);
    ct_string_builder_clear(text);
    return is_written;
}

// Writes one file for each module, made by `write`.
static bool write_modules(const char *folder, const char *extension,
                          void (*write)(ct_string_builder *out, const ct_lua_module *module),
                          ct_string_builder *text, ct_error *error) {
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    for (uint32_t i = 0; i < count; ++i) {
        write(text, modules[i]);
        if (!write_file(folder, modules[i]->name, extension, text, error))
            return false;
    }
    return true;
}

static const char annotations_head[] =
    "---@meta\n-- Written by `cuttle lua-api --luals` of Cuttle " CT_VERSION_STRING
    ": do not edit.\n\n";

static void annotate(ct_string_builder *out, const ct_lua_module *module) {
    ct_string_builder_add(out, annotations_head);
    ct_lua_annotate_module(out, module);
}

bool ct_lua_reference_write_luals(ct_allocator *a, const char *folder, ct_error *error) {
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, a);
    if (!ct_folder_create(folder, error) || !write_modules(folder, ".lua", annotate, &text, error))
        return false;
    uint32_t count;
    const ct_lua_module *const *const modules = ct_script_modules(&count);
    ct_string_builder_add(&text, annotations_head);
    ct_lua_annotate_types(&text, a, modules, count);
    return write_file(folder, "types", ".lua", &text, error);
}

bool ct_lua_reference_write_markdown(ct_allocator *a, const char *folder, ct_error *error) {
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, a);
    if (!ct_folder_create(folder, error) ||
        !write_modules(folder, ".md", ct_lua_reference_markdown, &text, error))
        return false;
    ct_lua_reference_markdown_index(&text);
    return write_file(folder, "README", ".md", &text, error);
}
