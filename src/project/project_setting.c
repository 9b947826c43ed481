#include "project/project_setting.h"
#include "foundation/error.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"

#include <stdio.h>
#include <string.h>

ct_sjson_value ct_setting_find(const ct_sjson *doc, const char *path) {
    ct_sjson_value value = doc ? ct_sjson_root(doc) : (ct_sjson_value){0};
    while (value.entry && *path) {
        char key[256];
        const size_t length = strcspn(path, ".");
        if (length >= sizeof(key))
            return (ct_sjson_value){0};
        memcpy(key, path, length);
        key[length] = 0;
        const bool is_object = ct_sjson_type_of(doc, value) == CT_SJSON_TYPE_OBJECT;
        value = is_object ? ct_sjson_find(doc, value, key) : (ct_sjson_value){0};
        path += length + (path[length] == '.');
    }
    return value;
}

bool ct_setting_has_platform(const ct_sjson *doc, const char *word) {
    const ct_sjson_value list = ct_setting_find(doc, "platforms");
    if (ct_platform_named(word))
        return true;
    if (!list.entry || ct_sjson_type_of(doc, list) != CT_SJSON_TYPE_ARRAY)
        return false;
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v)) {
        if (strcmp(ct_sjson_string(doc, v, ""), word) == 0)
            return true;
    }
    return false;
}

bool ct_setting_check_source_platform(const char *word, const char *const *known, uint32_t count,
                                      ct_error *error) {
    char text[512];
    int length = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(known[i], word) == 0)
            return true;
    for (uint32_t i = 0; i < count && length < (int)sizeof(text); ++i)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "%s\"%s\"", i ? ", " : "",
                           known[i]);
    return ct_error_set(error,
                        "the source platform \"%.100s\" is unknown; expected one of %s "
                        "(`platforms` in settings.config can add more)",
                        word, text);
}

static uint64_t mix(uint64_t hash, const void *bytes, uint64_t count) {
    const uint64_t parts[2] = {hash, ct_content_hash(bytes, count)};
    return ct_content_hash(parts, sizeof(parts));
}

// As deep as the document, which the reader limits.
uint64_t ct_setting_hash(const ct_sjson *doc, ct_sjson_value value) {
    if (!value.entry)
        return 0;
    const ct_sjson_type type = ct_sjson_type_of(doc, value);
    const bool boolean = ct_sjson_bool(doc, value, false);
    const double number = ct_sjson_number(doc, value, 0);
    uint64_t hash = 1 + (uint64_t)type;
    hash = mix(hash, &boolean, sizeof(boolean));
    hash = mix(hash, &number, sizeof(number));
    if (type == CT_SJSON_TYPE_STRING)
        hash = mix(hash, ct_sjson_string(doc, value, ""), ct_sjson_string_bytes(doc, value));
    if (type != CT_SJSON_TYPE_ARRAY && type != CT_SJSON_TYPE_OBJECT)
        return hash;
    for (ct_sjson_value v = ct_sjson_first(doc, value); v.entry; v = ct_sjson_next(doc, v)) {
        const uint64_t member = ct_setting_hash(doc, v);
        const char *const key = type == CT_SJSON_TYPE_OBJECT ? ct_sjson_key(doc, v) : "";
        hash = mix(hash, key, strlen(key));
        hash = mix(hash, &member, sizeof(member));
    }
    return hash | 1;
}
