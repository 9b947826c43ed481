#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/reference/lua_reference.h"
#include "cli/reference/lua_search.h"
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
    fprintf(stderr, "cuttle lua-api: %s \"%s\"", what, name);
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
    return unknown("unknown function", name, names, module->num_functions);
}

static void print_match(const ct_lua_match *match) {
    const ct_lua_function *const function = match->function;
    char name[256];
    snprintf(name, sizeof(name), "%s%s%s", match->module->name, function ? "." : "",
             function ? function->name : "");
    printf("%-40s %s\n", name, function ? function->doc : match->module->doc);
}

// Prints the modules and functions that contain all words: one function in full, several as a list.
static ct_exit print_matches(ct_allocator *a, const ct_lua_module *const *modules,
                             uint32_t num_modules, const char *const *words, uint32_t num_words) {
    enum { MAX_MODULES = 128 };
    const uint32_t count = ct_lua_search(modules, num_modules, words, num_words, NULL, 0);
    if (count == 0 && num_words > 1) {
        fputs("cuttle lua-api: no function or module contains all of these words\n", stderr);
        return CT_EXIT_FAILED;
    }
    if (count == 0) {
        const char *names[MAX_MODULES];
        CT_ASSERT(num_modules <= MAX_MODULES, "there are %u modules", num_modules);
        for (uint32_t i = 0; i < num_modules; ++i)
            names[i] = modules[i]->name;
        return unknown("no function or module contains", words[0], names, num_modules);
    }
    ct_lua_match *const matches = ct_alloc(a, count * sizeof(*matches));
    ct_lua_search(modules, num_modules, words, num_words, matches, count);
    if (count == 1 && matches[0].function) {
        print_function(matches[0].module, matches[0].function);
    } else {
        for (uint32_t i = 0; i < count; ++i)
            print_match(&matches[i]);
    }
    ct_free_sized(a, matches, count * sizeof(*matches));
    return CT_EXIT_OK;
}

// `Module`, `Module.function`, or words to search for.
static ct_exit print_named(ct_allocator *a, const char *const *words, uint32_t num_words) {
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    const size_t length = strcspn(words[0], ".");
    for (uint32_t i = 0; num_words == 1 && i < count; ++i) {
        if (strlen(modules[i]->name) != length || strncmp(modules[i]->name, words[0], length) != 0)
            continue;
        if (words[0][length] == '.')
            return print_function_named(modules[i], words[0] + length + 1);
        print_module(modules[i]);
        return CT_EXIT_OK;
    }
    return print_matches(a, modules, count, words, num_words);
}

static void print_list(void) {
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    for (uint32_t i = 0; i < count; ++i)
        printf("%-20s %3u  %s\n", modules[i]->name, modules[i]->num_functions, modules[i]->doc);
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const char *const luals = ct_command_option_of(&ct_command_lua_api, arguments, "luals");
    const char *const markdown = ct_command_option_of(&ct_command_lua_api, arguments, "markdown");
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
    if (arguments->num_operands > 0)
        return print_named(a, arguments->operands, arguments->num_operands);
    if (!luals && !markdown && !prints_json)
        print_list();
    return CT_EXIT_OK;
}

const ct_command ct_command_lua_api = {
    .name = "lua-api",
    .operands = "[MODULE | MODULE.FUNCTION | WORD…]",
    .least_operands = 0,
    .most_operands = CT_COMMAND_ANY_OPERANDS,
    .summary = "search, print or write the reference of Lua's functions",
    .description =
        "Prints the list of Lua's modules, a module, or a function. Any other words are searched\n"
        "for in names and docs: `cuttle lua-api light color` lists the functions that contain\n"
        "both. Upper and lower case are equal there.\n"
        "\n"
        "--luals writes annotations with which the Lua language server completes and checks\n"
        "scripts. `cuttle new` sets a project up for it. After an update of the engine, run\n"
        "`cuttle lua-api --luals PROJECT/.luals` again.",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
