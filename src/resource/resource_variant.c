#include "resource/resource_variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

// --- Names of sources ----------------------------------------------------------------------------

// The place of the first `.` of the file name, or the end.
static uint32_t base_length(const char *path) {
    const char *const slash = strrchr(path, '/');
    const char *const file = slash ? slash + 1 : path;
    return (uint32_t)(file - path) + (uint32_t)strcspn(file, ".");
}

uint32_t ct_data_name_base_length(const char *data_name) {
    return base_length(data_name);
}

bool ct_property_is_canonical(const char *text) {
    for (const char *s = text; *s; ++s) {
        if (!(*s >= 'a' && *s <= 'z') && !(*s >= '0' && *s <= '9') && *s != '_' && *s != '-')
            return false;
    }
    return text[0] != 0;
}

// Cuts the text at its dots. False when there are too many.
static bool split(ct_source_name *parts) {
    char *rest = parts->properties_text;
    for (;;) {
        if (parts->num_properties == CT_VARIANT_MAX_PROPERTIES)
            return false;
        parts->property_offsets[parts->num_properties++] =
            (uint16_t)(rest - parts->properties_text);
        char *const dot = strchr(rest, '.');
        if (!dot)
            return true;
        *dot = 0;
        rest = dot + 1;
    }
}

static int compare_properties(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Appends the canonical form of a property, if anything is left of it.
static void add_suggested(const char *property, const char **suggested, uint32_t *count,
                          char texts[][CT_RESOURCE_NAME_BYTES]) {
    if (!property[0])
        return;
    ct_resource_name_suggest(property, texts[*count]);
    for (char *s = texts[*count]; *s; ++s)
        *s = *s == '/' ? '_' : *s;
    for (uint32_t i = 0; i < *count; ++i) {
        if (strcmp(suggested[i], texts[*count]) == 0)
            return;
    }
    suggested[*count] = texts[*count];
    ++*count;
}

static bool suggest(const char *path, const char *type, const ct_source_name *parts,
                    const char *what, ct_error *error) {
    char name[CT_RESOURCE_NAME_BYTES], all[2 * CT_RESOURCE_NAME_BYTES];
    char texts[CT_VARIANT_MAX_PROPERTIES][CT_RESOURCE_NAME_BYTES];
    const char *suggested[CT_VARIANT_MAX_PROPERTIES];
    uint32_t count = 0;
    ct_resource_name_suggest(parts->name, name);
    for (uint32_t i = 0; i < parts->num_properties; ++i)
        add_suggested(ct_source_name_property(parts, i), suggested, &count, texts);
    qsort(suggested, count, sizeof(*suggested), compare_properties);
    int length = snprintf(all, sizeof(all), "%s", name);
    for (uint32_t i = 0; i < count && length < (int)sizeof(all); ++i)
        length += snprintf(all + length, sizeof(all) - (size_t)length, ".%s", suggested[i]);
    return ct_error_set(error, "%s: rename \"%.300s.%s\" to \"%.400s.%s\"", what, path, type, all,
                        type);
}

// Returns the problem with the parts, or NULL.
static const char *find_problem(const ct_source_name *parts) {
    if (!ct_resource_name_is_canonical(parts->name))
        return "names of resources may only contain a-z, 0-9, _, - and /";
    for (uint32_t i = 0; i < parts->num_properties; ++i) {
        if (!ct_property_is_canonical(ct_source_name_property(parts, i)))
            return "properties, between name and type, may only contain a-z, 0-9, _ and -";
    }
    for (uint32_t i = 1; i < parts->num_properties; ++i) {
        const int order =
            strcmp(ct_source_name_property(parts, i - 1), ct_source_name_property(parts, i));
        if (order >= 0)
            return order == 0 ? "the same property appears twice"
                              : "properties must be in alphabetical order";
    }
    return NULL;
}

bool ct_source_name_parse(const char *path, const char *type, ct_source_name *parts,
                          ct_error *error) {
    const uint32_t length = base_length(path);
    *parts = (ct_source_name){0};
    if (strlen(path) >= CT_RESOURCE_NAME_BYTES)
        return ct_error_set(error, "names of resources must be shorter than %d characters",
                            (int)CT_RESOURCE_NAME_BYTES);
    memcpy(parts->name, path, length);
    if (path[length] == '.') {
        snprintf(parts->properties_text, sizeof(parts->properties_text), "%s", path + length + 1);
        if (!split(parts))
            return ct_error_set(error, "a resource may have at most %d properties",
                                (int)CT_VARIANT_MAX_PROPERTIES);
    }
    const char *const problem = find_problem(parts);
    return !problem || suggest(path, type, parts, problem, error);
}

void ct_source_name_data_name(const ct_source_name *parts, const char *left_out,
                              char data_name[CT_RESOURCE_NAME_BYTES]) {
    uint32_t length = (uint32_t)snprintf(data_name, CT_RESOURCE_NAME_BYTES, "%s", parts->name);
    for (uint32_t i = 0; i < parts->num_properties; ++i) {
        if (!left_out || strcmp(ct_source_name_property(parts, i), left_out) != 0)
            length += (uint32_t)snprintf(data_name + length, CT_RESOURCE_NAME_BYTES - length, ".%s",
                                         ct_source_name_property(parts, i));
    }
}

// --- Preference ----------------------------------------------------------------------------------

uint64_t ct_preference_rank(const ct_preference_order *order, const ct_string_id64 *properties,
                            uint32_t count) {
    uint64_t rank = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t place = 0;
        while (place < order->count && order->properties[place].value != properties[i].value)
            ++place;
        if (place == order->count)
            return 0;
        rank |= UINT64_C(1) << (CT_PREFERENCE_MAX_PROPERTIES - place);
    }
    return rank | 1;
}
