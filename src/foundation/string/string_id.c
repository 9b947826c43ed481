#include "foundation/string/string_id.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"

static uint32_t read_u32(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap32(value);
#endif
    return value;
}

static uint64_t read_u64(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

// The last `count` bytes that do not fill a word, the first of them lowest.
static uint64_t read_tail(const uint8_t *bytes, uint64_t count) {
    uint64_t value = 0;
    for (uint64_t i = 0; i < count; ++i)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

ct_string_id32 ct_string_id32_of(const char *text) {
    return ct_string_id32_of_bytes(text, strlen(text));
}

ct_string_id64 ct_string_id64_of(const char *text) {
    return ct_string_id64_of_bytes(text, strlen(text));
}

// MurmurHash2.
ct_string_id32 ct_string_id32_of_bytes(const void *bytes, uint64_t length) {
    const uint32_t m = 0x5bd1e995;
    const uint8_t *at = bytes;
    uint32_t h = (uint32_t)length;
    for (uint64_t left = length / 4; left > 0; --left, at += 4) {
        uint32_t k = read_u32(at) * m;
        k = (k ^ k >> 24) * m;
        h = h * m ^ k;
    }
    if (length % 4)
        h = (h ^ (uint32_t)read_tail(at, length % 4)) * m;
    h = (h ^ h >> 13) * m;
    return (ct_string_id32){h ^ h >> 15};
}

// MurmurHash64A.
ct_string_id64 ct_string_id64_of_bytes(const void *bytes, uint64_t length) {
    const uint64_t m = UINT64_C(0xc6a4a7935bd1e995);
    const uint8_t *at = bytes;
    uint64_t h = length * m;
    for (uint64_t left = length / 8; left > 0; --left, at += 8) {
        uint64_t k = read_u64(at) * m;
        k = (k ^ k >> 47) * m;
        h = (h ^ k) * m;
    }
    if (length % 8)
        h = (h ^ read_tail(at, length % 8)) * m;
    h = (h ^ h >> 47) * m;
    return (ct_string_id64){h ^ h >> 47};
}

ct_string_id32 ct_string_id32_checked(const char *text, uint32_t id, const char *file, int line) {
    const ct_string_id32 right = ct_string_id32_of(text);
    if (right.value != id)
        ct_assert_failed(file, line, "the literal matches its text",
                         "CT_ID32(\"%s\", 0x%08" PRIx32 "): expected 0x%08" PRIx32
                         "; `cuttle hash --fix src` corrects it",
                         text, id, right.value);
    return right;
}

ct_string_id64 ct_string_id64_checked(const char *text, uint64_t id, const char *file, int line) {
    const ct_string_id64 right = ct_string_id64_of(text);
    if (right.value != id)
        ct_assert_failed(file, line, "the literal matches its text",
                         "CT_ID64(\"%s\", 0x%016" PRIx64 "): expected 0x%016" PRIx64
                         "; `cuttle hash --fix src` corrects it",
                         text, id, right.value);
    return right;
}
