#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/reference/lua_reference.h"
#include "foundation/error.h"
#include "resource/schema/schema.h"
#include "script/script_modules.h"

static const ct_command_option options[] = {
    {"luals", "DIR", "write annotations for the Lua language server to DIR"},
    {"markdown", "DIR", "write the reference as pages of Markdown to DIR"},
    {"json", NULL, "print everything as one JSON object"},
};

static void print_function(const ct_lua_module *module, const ct_lua_function *function) {
    printf("%s.%s%s\n    %s\n", module->name, function->name, function->signature, function->doc);
}

static void print_module(const ct_lua_module *module) {
    printf("%s: %s\n", module->name, module->doc);
    if (module->call)
        printf("%s%s\n", module->name, module->call_signature);
    for (uint32_t i = 0; i < module->num_functions; ++i)
        print_function(module, &module->functions[i]);
}

static ct_exit unknown(const char *what, const char *name, const char *const *names,
                       uint32_t count) {
    const char *const nearest = ct_nearest_name(name, names, count);
    fprintf(stderr, "cuttle lua-api: there is no %s \"%s\"", what, name);
    if (nearest)
        fprintf(stderr, " (did you mean \"%s\"?)", nearest);
    fputc('\n', stderr);
    return CT_EXIT_FAILED;
}

static ct_exit print_function_named(const ct_lua_module *module, const char *name) {
    enum { MAX_FUNCTIONS = 512 };
    const char *names[MAX_FUNCTIONS];
    CT_ASSERT(module->num_functions <= MAX_FUNCTIONS, "%s has %u functions", module->name,
              module->num_functions);
    for (uint32_t i = 0; i < module->num_functions; ++i) {
        names[i] = module->functions[i].name;
        if (strcmp(names[i], name) == 0) {
            print_function(module, &module->functions[i]);
            return CT_EXIT_OK;
        }
    }
    return unknown("function", name, names, module->num_functions);
}

// `Module` or `Module.function`.
static ct_exit print_named(const char *name) {
    enum { MAX_MODULES = 128 };
    const char *names[MAX_MODULES];
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    CT_ASSERT(count <= MAX_MODULES, "there are %u modules", count);
    const size_t length = strcspn(name, ".");
    for (uint32_t i = 0; i < count; ++i) {
        names[i] = modules[i]->name;
        if (strlen(names[i]) != length || strncmp(names[i], name, length) != 0)
            continue;
        if (name[length] == '.')
            return print_function_named(modules[i], name + length + 1);
        print_module(modules[i]);
        return CT_EXIT_OK;
    }
    return unknown("module", name, names, count);
}

static void print_list(void) {
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    for (uint32_t i = 0; i < count; ++i)
        printf("%-20s %3u  %s\n", modules[i]->name, modules[i]->num_functions, modules[i]->doc);
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const char *luals = ct_command_option_of(&ct_command_lua_api, arguments, "luals");
    const char *markdown = ct_command_option_of(&ct_command_lua_api, arguments, "markdown");
    const bool prints_json = ct_command_option_of(&ct_command_lua_api, arguments, "json") != NULL;
    ct_error error = {0};
    if ((luals && !ct_lua_reference_write_luals(a, luals, &error)) ||
        (markdown && !ct_lua_reference_write_markdown(a, markdown, &error))) {
        fprintf(stderr, "cuttle lua-api: %s\n", error.message);
        return CT_EXIT_FAILED;
    }
    if (prints_json) {
        ct_string_builder text CT_CLEANUP(ct_string_builder_free);
        ct_string_builder_init(&text, a);
        ct_lua_reference_json(&text);
        puts(ct_string_builder_text(&text));
    }
    if (arguments->num_operands == 1)
        return print_named(arguments->operands[0]);
    if (!luals && !markdown && !prints_json)
        print_list();
    return CT_EXIT_OK;
}

const ct_command ct_command_lua_api = {
    .name = "lua-api",
    .operands = "[MODULE | MODULE.FUNCTION]",
    .least_operands = 0,
    .most_operands = 1,
    .summary = "print or write the reference of Lua's functions",
    .description =
        "Prints the list of Lua's modules, or what a module or function does. --luals writes\n"
        "annotations by which the Lua language server completes and checks scripts; `cuttle new`\n"
        "sets a project up for it, and `cuttle lua-api --luals PROJECT/.luals` brings them up to\n"
        "date after a new version of the engine.",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
