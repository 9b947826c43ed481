#include "foundation/string/guid.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/string/hex.h"
#include "foundation/string/string_id.h"

enum { TEXT_LENGTH = CT_GUID_TEXT_BYTES - 1 };

// Version 4 and the variant of RFC 4122 in place of six random bits.
static ct_guid as_version_4(ct_guid guid) {
    guid.bytes[6] = (uint8_t)((guid.bytes[6] & 0x0f) | 0x40);
    guid.bytes[8] = (uint8_t)((guid.bytes[8] & 0x3f) | 0x80);
    return guid;
}

ct_guid ct_guid_make(void) {
    ct_guid guid;
    ct_os_random_bytes(guid.bytes, sizeof(guid.bytes));
    return as_version_4(guid);
}

ct_guid ct_guid_make_from(ct_random *r) {
    ct_guid guid;
    for (uint32_t i = 0; i < sizeof(guid.bytes); i += 4) {
        const uint32_t bits = ct_random_u32(r);
        for (uint32_t k = 0; k < 4; ++k)
            guid.bytes[i + k] = (uint8_t)(bits >> (24 - 8 * k));
    }
    return as_version_4(guid);
}

static void put_hash(uint8_t *out, const uint8_t *bytes, uint64_t count) {
    const uint64_t hash = ct_string_id64_of_bytes(bytes, count).value;
    for (uint32_t i = 0; i < 8; ++i)
        out[i] = (uint8_t)(hash >> (56 - 8 * i));
}

// Hashes the name, appends the hashes to the space, and hashes the whole for each half of the id.
ct_guid ct_guid_make_named(ct_guid space, const char *name) {
    uint8_t bytes[2 * sizeof(space.bytes)];
    ct_guid guid;
    memcpy(bytes, space.bytes, sizeof(space.bytes));
    put_hash(bytes + 16, (const uint8_t *)name, strlen(name));
    put_hash(bytes + 24, bytes, 24);
    put_hash(guid.bytes, bytes, sizeof(bytes));
    memcpy(bytes + 16, guid.bytes, 8);
    put_hash(guid.bytes + 8, bytes, sizeof(bytes));
    guid.bytes[6] = (uint8_t)((guid.bytes[6] & 0x0f) | 0x80);
    guid.bytes[8] = (uint8_t)((guid.bytes[8] & 0x3f) | 0x80);
    return guid;
}

static bool has_dash_at(uint32_t position) {
    return position == 8 || position == 13 || position == 18 || position == 23;
}

// Reports that the byte at `position`, or the end, does not fit there.
static bool refuse(const char *text, uint64_t length, uint32_t position, ct_error *error) {
    const char *const expected = position == TEXT_LENGTH ? "the end"
                                 : has_dash_at(position) ? "\"-\""
                                                         : "a hexadecimal digit";
    const uint32_t column = position + 1;
    if (position >= length)
        return ct_error_set_at(error, NULL, 0, column,
                               "a GUID of %u characters instead of 36: expected %s, found the end",
                               position, expected);
    const unsigned char c = (unsigned char)text[position];
    if (c >= 0x20 && c < 0x7f)
        return ct_error_set_at(error, NULL, 0, column,
                               "character %u of a GUID: expected %s, found \"%c\"", column,
                               expected, c);
    return ct_error_set_at(error, NULL, 0, column,
                           "character %u of a GUID: expected %s, found byte 0x%02x", column,
                           expected, c);
}

bool ct_guid_parse(const char *text, uint64_t length, ct_guid *guid, ct_error *error) {
    ct_guid result = {{0}};
    uint32_t num_digits = 0;
    for (uint32_t i = 0; i < TEXT_LENGTH; ++i) {
        const int value = i < length ? ct_hex_digit(text[i]) : -1;
        if (has_dash_at(i)) {
            if (i >= length || text[i] != '-')
                return refuse(text, length, i, error);
        } else if (value < 0) {
            return refuse(text, length, i, error);
        } else {
            uint8_t *byte = &result.bytes[num_digits++ / 2];
            *byte = (uint8_t)(*byte << 4 | value);
        }
    }
    if (length > TEXT_LENGTH)
        return refuse(text, length, TEXT_LENGTH, error);
    *guid = result;
    return true;
}

void ct_guid_format(ct_guid guid, char *text) {
    static const char digits[] = "0123456789abcdef";
    uint32_t num_digits = 0;
    for (uint32_t i = 0; i < TEXT_LENGTH; ++i) {
        if (has_dash_at(i)) {
            text[i] = '-';
            continue;
        }
        const uint8_t byte = guid.bytes[num_digits / 2];
        text[i] = digits[num_digits++ % 2 ? byte & 15 : byte >> 4];
    }
    text[TEXT_LENGTH] = 0;
}

int ct_guid_compare(ct_guid a, ct_guid b) {
    return memcmp(a.bytes, b.bytes, sizeof(a.bytes));
}

bool ct_guid_is_none(ct_guid guid) {
    return ct_guid_is_equal(guid, (ct_guid){{0}});
}

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014) over one half, then with the other.
uint64_t ct_guid_hash(ct_guid guid) {
    uint64_t halves[2] = {0, 0};
    for (uint32_t i = 0; i < sizeof(guid.bytes); ++i)
        halves[i / 8] = halves[i / 8] << 8 | guid.bytes[i];
    uint64_t hash = halves[0];
    for (uint32_t i = 0; i < 2; ++i) {
        hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
        hash ^= hash >> 31;
        if (i == 0)
            hash ^= halves[1];
    }
    return hash;
}
