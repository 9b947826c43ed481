#include "lua/lua_annotations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/error.h"
#include "lua/lua_signature.h"

// Annotations of the Lua language server (https://luals.github.io/wiki/annotations). A value's type
// and the module of the same name are two classes: values have parts and operators, no methods.
// Boxes and arrays have methods, so there they are one.

// --- Types ---------------------------------------------------------------------------------------

// What the operators of values take and give (lua_metatable.c).
static const struct {
    const char *type;
    const char *fields;
    const char *operators[5];
} values[] = {
    {"Vector2",
     "xy",
     {"add(Vector2): Vector2", "sub(Vector2): Vector2", "mul(number): Vector2",
      "div(number): Vector2", "unm: Vector2"}},
    {"Vector3",
     "xyz",
     {"add(Vector3): Vector3", "sub(Vector3): Vector3", "mul(number): Vector3",
      "div(number): Vector3", "unm: Vector3"}},
    {"Vector4",
     "xyzw",
     {"add(Vector4): Vector4", "sub(Vector4): Vector4", "mul(number): Vector4",
      "div(number): Vector4", "unm: Vector4"}},
    {"Quaternion", "xyzw", {"mul(Quaternion): Quaternion", "unm: Quaternion"}},
    {"Matrix4x4", "", {"mul(Matrix4x4): Matrix4x4"}},
};

static const char *const primitives[] = {"any", "boolean", "fun",    "integer",
                                         "nil", "number",  "string", "table"};

static bool is_primitive(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(primitives); ++i) {
        if (strcmp(primitives[i], name) == 0)
            return true;
    }
    return false;
}

static bool ends_in(const char *name, const char *end) {
    const size_t length = strlen(name), end_length = strlen(end);
    return length > end_length && strcmp(name + length - end_length, end) == 0;
}

static bool has_methods(const char *name) {
    return ends_in(name, "Box") || ends_in(name, "Array");
}

// A type as annotations write it: `integer|string[]`.
static void add_type(ct_string_builder *out, const char *type) {
    char name[CT_SIGNATURE_NAME_BYTES];
    bool is_array, is_first = true;
    while (ct_signature_next_type(&type, name, &is_array)) {
        ct_string_builder_addf(out, "%s%s%s", is_first ? "" : "|",
                               strcmp(name, "fun") == 0 ? "function" : name, is_array ? "[]" : "");
        is_first = false;
    }
}

// --- Functions -----------------------------------------------------------------------------------

static void parse(const char *text, ct_signature *signature) {
    ct_error error = {0};
    const bool is_fine = ct_signature_parse(text, signature, &error);
    CT_ASSERT(is_fine, "%s: %s", text, error.message);
    if (!is_fine)
        *signature = (ct_signature){0};
}

// The argument's name as Lua allows it; `...` for what is repeated.
static const char *argument_name(const ct_signature_part *part, char name[64]) {
    static const char *const keywords[] = {"and", "end", "for",    "function", "if",   "in",
                                           "not", "or",  "repeat", "then",     "until"};
    if (part->mark == '*' || part->mark == '+')
        return "...";
    bool is_keyword = false;
    for (uint32_t i = 0; i < CT_COUNT_OF(keywords); ++i)
        is_keyword = is_keyword || strcmp(keywords[i], part->name) == 0;
    snprintf(name, 64, "%s%s", part->name, is_keyword ? "_" : "");
    return name;
}

// The end of a list that Lua's `...` can stand for: behind a repeated argument nothing else fits.
static uint32_t num_shown(const ct_signature *signature) {
    uint32_t count = 0;
    while (count < signature->num_arguments) {
        const char mark = signature->arguments[count++].mark;
        if (mark == '*' || mark == '+')
            break;
    }
    return count;
}

static void add_function(ct_string_builder *out, const ct_lua_module *module,
                         const ct_lua_function *function) {
    ct_signature signature;
    char name[64];
    parse(function->signature, &signature);
    const uint32_t count = num_shown(&signature);
    ct_string_builder_addf(out, "\n---%s\n", function->doc);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_signature_part *const part = &signature.arguments[i];
        ct_string_builder_addf(out, "---@param %s%s ", argument_name(part, name),
                               part->mark == '?' ? "?" : "");
        add_type(out, i + 1 == signature.num_arguments || i + 1 < count ? part->type : "any");
        ct_string_builder_add_char(out, '\n');
    }
    for (uint32_t i = 0; i < signature.num_results; ++i) {
        const ct_signature_part *const part = &signature.results[i];
        ct_string_builder_add(out, "---@return ");
        add_type(out, part->type);
        ct_string_builder_add(out, part->mark == 0 ? "" : part->mark == '?' ? "?" : " ...");
        ct_string_builder_add_char(out, '\n');
    }
    ct_string_builder_addf(out, "function %s.%s(", module->name, function->name);
    for (uint32_t i = 0; i < count; ++i)
        ct_string_builder_addf(out, "%s%s", i > 0 ? ", " : "",
                               argument_name(&signature.arguments[i], name));
    ct_string_builder_add(out, ") end\n");
}

// What calling the module makes, as an overload of its class.
static void add_call(ct_string_builder *out, const char *text) {
    ct_signature signature;
    char name[64];
    parse(text, &signature);
    ct_string_builder_add(out, "---@overload fun(");
    for (uint32_t i = 0; i < num_shown(&signature); ++i) {
        const ct_signature_part *const part = &signature.arguments[i];
        ct_string_builder_addf(out, "%s%s%s: ", i > 0 ? ", " : "", argument_name(part, name),
                               part->mark == '?' ? "?" : "");
        add_type(out, part->type);
    }
    ct_string_builder_add_char(out, ')');
    for (uint32_t i = 0; i < signature.num_results; ++i) {
        ct_string_builder_add(out, i > 0 ? ", " : ": ");
        add_type(out, signature.results[i].type);
    }
    ct_string_builder_add_char(out, '\n');
}

void ct_lua_annotate_module(ct_string_builder *out, const ct_lua_module *module) {
    ct_string_builder_addf(out, "---%s\n---@class %s%s\n", module->doc,
                           has_methods(module->name) ? "" : "module.", module->name);
    if (module->call)
        add_call(out, module->call_signature);
    ct_string_builder_addf(out, "%s = {}\n", module->name);
    for (uint32_t i = 0; i < module->num_constants; ++i)
        ct_string_builder_addf(out, "\n---%s\n%s.%s = %g\n", module->constants[i].doc, module->name,
                               module->constants[i].name, module->constants[i].value);
    for (uint32_t i = 0; i < module->num_functions; ++i)
        add_function(out, module, &module->functions[i]);
}

// --- The file of types ---------------------------------------------------------------------------

typedef struct type_name {
    char text[CT_SIGNATURE_NAME_BYTES];
} type_name;

typedef CT_ARRAY(type_name) type_names;

static void collect_types(type_names *names, const ct_signature_part *parts, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const char *at = parts[i].type;
        type_name name;
        bool is_array;
        while (ct_signature_next_type(&at, name.text, &is_array)) {
            bool is_known = is_primitive(name.text) || has_methods(name.text) ||
                            strcmp(name.text, "Entity") == 0;
            for (uint32_t k = 0; k < names->count && !is_known; ++k)
                is_known = strcmp(names->items[k].text, name.text) == 0;
            if (!is_known)
                ct_array_push(names, name);
        }
    }
}

static void collect_types_of(type_names *names, const char *text) {
    ct_signature signature;
    parse(text, &signature);
    collect_types(names, signature.arguments, signature.num_arguments);
    collect_types(names, signature.results, signature.num_results);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const type_name *)a)->text, ((const type_name *)b)->text);
}

static void add_class(ct_string_builder *out, const char *name) {
    ct_string_builder_addf(out, "---@class %s\n", name);
    for (uint32_t i = 0; i < CT_COUNT_OF(values); ++i) {
        if (strcmp(values[i].type, name) != 0)
            continue;
        for (const char *field = values[i].fields; *field != '\0'; ++field)
            ct_string_builder_addf(out, "---@field %c number\n", *field);
        for (uint32_t k = 0; k < CT_COUNT_OF(values[i].operators); ++k) {
            if (values[i].operators[k])
                ct_string_builder_addf(out, "---@operator %s\n", values[i].operators[k]);
        }
    }
    ct_string_builder_add_char(out, '\n');
}

void ct_lua_annotate_types(ct_string_builder *out, ct_allocator *a,
                           const ct_lua_module *const *modules, uint32_t count) {
    type_names names;
    ct_array_init(&names, a);
    for (uint32_t i = 0; i < count; ++i) {
        if (modules[i]->call)
            collect_types_of(&names, modules[i]->call_signature);
        for (uint32_t k = 0; k < modules[i]->num_functions; ++k)
            collect_types_of(&names, modules[i]->functions[k].signature);
    }
    if (names.count > 0)
        qsort(names.items, names.count, sizeof(type_name), compare_names);
    ct_string_builder_add(out, "---@alias Entity Unit\n\n");
    for (uint32_t i = 0; i < names.count; ++i)
        add_class(out, names.items[i].text);
    ct_array_free(&names);
}
