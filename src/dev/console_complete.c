#include "dev/console_complete.h"

#include <string.h>

#include "foundation/array.h"
#include "resource/data_index.h"

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

static bool has_name(const ct_data_index *index, const uint32_t *places, uint32_t count,
                     const char *name) {
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(ct_blob_at(index, entries[places[i]].name.offset), name) == 0)
            return true;
    }
    return false;
}

// Appends the names of resources, whatever their type, that start with `prefix`.
static void find_resources(ct_allocator *a, const char *data_folder, const char *prefix,
                           ct_string_builder *names) {
    ct_error ignored = {0};
    const ct_data_index *const index = ct_data_index_read(a, data_folder, &ignored);
    if (index == NULL)
        return;
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    uint32_t places[MAX_NAMES], count = 0;
    for (uint32_t i = 0; i < index->entries.count && count < MAX_NAMES; ++i) {
        const char *const name = ct_blob_at(index, entries[i].name.offset);
        if (strncmp(name, prefix, strlen(prefix)) != 0 || has_name(index, places, count, name))
            continue;
        ct_string_builder_addf(names, "%s%s", count != 0 ? "\n" : "", name);
        places[count++] = i;
    }
    ct_free(a, (void *)(uintptr_t)index);
}

uint32_t ct_console_complete(ct_console_target *target, const char *text,
                             ct_string_builder *names) {
    const int64_t string = open_string(text);
    if (string < 0)
        return ct_script_complete(ct_app_script(target->app), text, names);
    find_resources(target->allocator, ct_app_data_folder(target->app), text + string, names);
    return (uint32_t)string;
}
