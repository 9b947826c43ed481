#include "cli/prompt/prompt_complete.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2 }; // between columns

void ct_prompt_add_name(ct_string_array *names, const char *name) {
    for (uint32_t i = 0; i < names->count; ++i) {
        if (strcmp(names->items[i], name) == 0)
            return;
    }
    ct_array_push(names, ct_copy_string(names->allocator, name));
}

void ct_prompt_free_names(ct_string_array *names) {
    for (uint32_t i = 0; i < names->count; ++i)
        ct_free(names->allocator, names->items[i]);
    ct_array_free(names);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Drops the names that do not begin with `typed`.
static void keep_matching(const char *typed, ct_string_array *names) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < names->count; ++i) {
        if (strncmp(names->items[i], typed, strlen(typed)) == 0)
            names->items[count++] = names->items[i];
        else
            ct_free(names->allocator, names->items[i]);
    }
    names->count = count;
}

// The number of bytes that all names begin with, never within a character of several bytes.
static size_t shared_bytes(const ct_string_array *names) {
    size_t shared = strlen(names->items[0]);
    for (uint32_t i = 1; i < names->count; ++i) {
        size_t same = 0;
        while (same < shared && names->items[i][same] == names->items[0][same])
            ++same;
        shared = same;
    }
    while (shared > 0 && (names->items[0][shared] & 0xc0) == 0x80)
        --shared;
    return shared;
}

static void write_columns(const ct_string_array *names, uint32_t columns, ct_string_builder *list) {
    size_t widest = 0;
    for (uint32_t i = 0; i < names->count; ++i)
        widest = strlen(names->items[i]) > widest ? strlen(names->items[i]) : widest;
    const uint32_t fitting = columns / (uint32_t)(widest + GAP);
    const uint32_t num_columns = fitting > 0 ? fitting : 1;
    const uint32_t num_rows = (names->count + num_columns - 1) / num_columns;
    for (uint32_t row = 0; row < num_rows; ++row) {
        for (uint32_t i = row; i < names->count; i += num_rows) {
            const bool is_last = i + num_rows >= names->count;
            const int width = is_last ? 0 : (int)(widest + GAP);
            ct_string_builder_addf(list, "%-*s", width, names->items[i]);
        }
        ct_string_builder_add_char(list, '\n');
    }
}

void ct_prompt_complete(const char *typed, ct_string_array *names, uint32_t columns,
                        ct_string_builder *insert, ct_string_builder *list) {
    keep_matching(typed, names);
    if (names->count == 0)
        return;
    const size_t shared = shared_bytes(names);
    if (shared > strlen(typed)) {
        ct_string_builder_add_bytes(insert, names->items[0] + strlen(typed),
                                    (uint32_t)(shared - strlen(typed)));
    } else if (names->count > 1) {
        qsort(names->items, names->count, sizeof(names->items[0]), by_text);
        write_columns(names, columns, list);
    }
}
