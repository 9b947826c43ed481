#include "compiler/types/sound/worker_sound_mp3.h"

#include <string.h>

// The versions of a part's head: MPEG 2.5, none, 2, 1.
enum { VERSION_25, VERSION_NONE, VERSION_2, VERSION_1 };

enum { HEAD_BYTES = 4 };

// One part of a file, as its head says (ISO 11172-3, 2.4.1.3).
typedef struct part {
    uint32_t bytes; // with the head; 0: this is no part
    uint32_t num_frames;
} part;

static uint32_t version_of(const uint8_t *head) {
    return head[1] >> 3 & 3;
}

bool ct_worker_mp3_is_head(const uint8_t *bytes) {
    enum { LAYER_3 = 1 };
    return bytes[0] == 0xff && (bytes[1] & 0xe0) == 0xe0 && version_of(bytes) != VERSION_NONE &&
           (bytes[1] >> 1 & 3) == LAYER_3 && bytes[2] >> 4 != 15 && (bytes[2] >> 2 & 3) != 3;
}

static part read_part(const uint8_t *head) {
    static const uint16_t kilobits_1[16] = {0,   32,  40,  48,  56,  64,  80, 96,
                                            112, 128, 160, 192, 224, 256, 320};
    static const uint16_t kilobits_2[16] = {0,  8,  16, 24,  32,  40,  48, 56,
                                            64, 80, 96, 112, 128, 144, 160};
    static const uint32_t rates[3] = {44100, 48000, 32000};
    if (!ct_worker_mp3_is_head(head))
        return (part){0};
    const uint32_t version = version_of(head);
    const bool is_1 = version == VERSION_1;
    const uint32_t rate = rates[head[2] >> 2 & 3] >> (is_1 ? 0 : version == VERSION_2 ? 1 : 2);
    const uint32_t bits = (is_1 ? kilobits_1 : kilobits_2)[head[2] >> 4] * 1000u;
    const uint32_t frames = is_1 ? 1152 : 576, padding = head[2] >> 1 & 1;
    return (part){bits ? frames / 8 * bits / rate + padding : 0, frames};
}

uint64_t ct_worker_id3_bytes(const uint8_t *bytes, uint64_t size_bytes) {
    enum { TAG_HEAD_BYTES = 10 };
    if (size_bytes < TAG_HEAD_BYTES || memcmp(bytes, "ID3", 3) != 0)
        return 0;
    uint64_t size = 0;
    for (uint32_t i = 6; i < TAG_HEAD_BYTES; ++i)
        size = size << 7 | (bytes[i] & 0x7f);
    return TAG_HEAD_BYTES + size;
}

static bool has_text(const uint8_t *bytes, uint64_t size_bytes, const char *text) {
    for (uint64_t i = 0; i + 4 <= size_bytes; ++i) {
        if (memcmp(bytes + i, text, 4) == 0)
            return true;
    }
    return false;
}

// The head is in the first part, behind its side information.
static bool has_length(const uint8_t *bytes, uint64_t size_bytes) {
    return has_text(bytes, size_bytes, "Xing") || has_text(bytes, size_bytes, "Info") ||
           has_text(bytes, size_bytes, "VBRI");
}

uint64_t ct_worker_mp3_count_frames(const uint8_t *bytes, uint64_t size_bytes) {
    uint64_t at = ct_worker_id3_bytes(bytes, size_bytes), num_frames = 0;
    bool is_first = true;
    while (at + HEAD_BYTES <= size_bytes) {
        const part p = read_part(bytes + at);
        if (p.bytes == 0) {
            ++at; // garbage between parts
            continue;
        }
        const uint64_t left = size_bytes - at;
        if (is_first && has_length(bytes + at, left < p.bytes ? left : p.bytes))
            return 0;
        is_first = false;
        num_frames += p.num_frames;
        at += p.bytes;
    }
    return num_frames;
}
