#include "dev/console_complete.h"

#include <string.h>

#include "foundation/container/array.h"
#include "lua/lua_machine.h"
#include "resource/load/resource_manager.h"

enum { MAX_NAMES = 512 };

// The start of the string literal that is open at the end of `text`, behind its quote; -1 for none.
static int64_t open_string(const char *text) {
    int64_t start = -1;
    char quote = '\0';
    for (const char *s = text; *s != '\0'; ++s) {
        if (quote != '\0' && *s == '\\' && s[1] != '\0') {
            ++s;
        } else if (quote != '\0' && *s == quote) {
            quote = '\0';
            start = -1;
        } else if (quote == '\0' && (*s == '"' || *s == '\'')) {
            quote = *s;
            start = s + 1 - text;
        }
    }
    return start;
}

static bool has_name(const ct_catalog *catalog, const uint32_t *places, uint32_t count,
                     const char *name) {
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(ct_catalog_name(catalog, places[i]), name) == 0)
            return true;
    }
    return false;
}

// Appends the names of resources, whatever their type, that start with `prefix`.
static void find_resources(const ct_catalog *catalog, const char *prefix,
                           ct_string_builder *names) {
    uint32_t places[MAX_NAMES], count = 0;
    for (uint32_t i = 0; catalog && i < catalog->names.count && count < MAX_NAMES; ++i) {
        const char *const name = ct_catalog_name(catalog, i);
        if (strncmp(name, prefix, strlen(prefix)) != 0 || has_name(catalog, places, count, name))
            continue;
        ct_string_builder_addf(names, "%s%s", count != 0 ? "\n" : "", name);
        places[count++] = i;
    }
}

uint32_t ct_console_complete(ct_console_target *target, const char *text,
                             ct_string_builder *names) {
    const int64_t string = open_string(text);
    if (string < 0)
        return ct_lua_complete(ct_script_lua(ct_app_script(target->app)), text, names);
    find_resources(ct_resource_manager_catalog(ct_app_resources(target->app)), text + string,
                   names);
    return (uint32_t)string;
}
