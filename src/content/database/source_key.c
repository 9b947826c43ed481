#include "content/database/source_key.h"

#include <string.h>

static bool is_plain(unsigned char c) {
    return c > 0x20 && c < 0x7f && c != '%' && c != '[';
}

// C1 control characters are 0xc2 and 0x80 to 0x9f in UTF-8.
static bool has_control(const char *name) {
    for (const unsigned char *c = (const unsigned char *)name; *c; ++c)
        if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f))
            return true;
    return false;
}

static bool ends_as_text(const char *key, size_t length) {
    return length >= 2 && memcmp(key + length - 2, "[]", 2) == 0;
}

bool ct_source_key_of(const char *name, bool is_text, ct_string_builder *out) {
    const uint32_t begin = out->length;
    const size_t length = strlen(name);
    if (length > CT_DATABASE_MAX_KEY_BYTES)
        return false;
    if (length == 0 || name[0] == '@' || ends_as_text(name, length) || has_control(name)) {
        ct_string_builder_add(out, "@=");
        for (const char *c = name; *c; ++c) {
            if (is_plain((unsigned char)*c))
                ct_string_builder_add_char(out, *c);
            else
                ct_string_builder_addf(out, "%%%02X", (unsigned char)*c);
        }
    } else {
        ct_string_builder_add_bytes(out, name, (uint32_t)length);
    }
    if (is_text)
        ct_string_builder_add(out, "[]");
    return out->length - begin <= CT_DATABASE_MAX_KEY_BYTES;
}

bool ct_source_key_is_member(const char *key, uint32_t length) {
    return key[0] != '@' || (length >= 2 && key[1] == '=');
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool add_decoded(const char *text, uint32_t length, ct_string_builder *out) {
    for (uint32_t i = 0; i < length; ++i) {
        if (text[i] != '%') {
            ct_string_builder_add_char(out, text[i]);
            continue;
        }
        const int high = i + 2 < length ? hex_digit(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low < 0 || high * 16 + low == 0)
            return false;
        ct_string_builder_add_char(out, (char)(high * 16 + low));
        i += 2;
    }
    return true;
}

bool ct_source_key_name(const char *key, uint32_t length, ct_string_builder *out, bool *is_text) {
    const uint32_t begin = out->length;
    *is_text = ends_as_text(key, length);
    const uint32_t bytes = length - (*is_text ? 2 : 0);
    if (bytes < 2 || memcmp(key, "@=", 2) != 0) {
        ct_string_builder_add_bytes(out, key, bytes);
    } else if (!add_decoded(key + 2, bytes - 2, out)) {
        return false;
    }
    // Only one spelling is valid, so that no two keys are of one member.
    ct_string_builder again;
    ct_string_builder_init(&again, out->allocator);
    const char *const name = ct_string_builder_text(out) + begin;
    const bool is_same = ct_source_key_of(name, *is_text, &again) && again.length == length &&
                         memcmp(ct_string_builder_text(&again), key, length) == 0;
    ct_string_builder_free(&again);
    return is_same;
}
