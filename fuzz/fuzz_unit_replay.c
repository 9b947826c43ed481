// Files of unit replays from bytes, with the checksum made right: what loads plays through to its end.
// Nothing may crash or leak.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "world/network/unit_frames.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD_BYTES = 24, HASH_BYTES = 8 };

// Makes head and checksum right, so that the frames are reached.
static void mend(uint8_t *bytes, size_t size) {
    const uint32_t version = 1, order = 0x01020304;
    const uint64_t num_bytes = size - HEAD_BYTES - HASH_BYTES;
    memcpy(bytes, "CTUR", 4);
    memcpy(bytes + 4, &version, 4);
    memcpy(bytes + 8, &order, 4);
    bytes[13] &= 15, bytes[14] = bytes[15] = 0; // of units: not too many
    memcpy(bytes + 16, &num_bytes, 8);
    const uint64_t hash = XXH3_64bits(bytes, size - HASH_BYTES);
    memcpy(bytes + size - HASH_BYTES, &hash, HASH_BYTES);
}

// Goes to and fro in frames that loaded, and drops the oldest.
static void walk(const uint8_t *bytes, size_t size) {
    ct_unit_frames frames;
    ct_unit_cursor cursor;
    ct_unit_frames_init(&frames, ct_memory_heap());
    ct_unit_cursor_init(&cursor, ct_memory_heap());
    memcpy(&frames.num_units, bytes + 12, 4);
    ct_array_push_many(&frames.bytes, bytes + HEAD_BYTES,
                       (uint32_t)(size - HEAD_BYTES - HASH_BYTES));
    if (!ct_unit_frames_list(&frames, NULL))
        abort();
    const uint32_t count = frames.list.count;
    for (uint32_t i = 0; i < 2 * count; ++i) {
        const uint32_t frame = i % 2 ? i / 2 : count - 1 - i / 2;
        if (!ct_unit_cursor_seek(&cursor, &frames, frame, NULL))
            abort();
        for (uint32_t k = 0; k < cursor.units.count; ++k) {
            ct_vec3 position, scale;
            ct_quat rotation;
            if (!cursor.units.items[k].is_alive)
                continue;
            ct_unit_words_pose(cursor.units.items[k].words, &position, &rotation, &scale);
            if (!ct_quat_is_rotation(rotation))
                abort();
        }
    }
    while (ct_unit_frames_drop_oldest(&frames)) {
        cursor.frame = UINT32_MAX;
        if (!ct_unit_cursor_seek(&cursor, &frames, 0, NULL))
            abort();
    }
    ct_unit_cursor_free(&cursor);
    ct_unit_frames_free(&frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_memory_init();
    ct_unit_replay *const r =
        ct_unit_replay_create(&(ct_unit_replay_desc){.allocator = ct_memory_heap()});
    ct_error error;
    ct_unit_replay_load_bytes(r, data, size, "a.replay", &error);
    if (size >= HEAD_BYTES + HASH_BYTES) {
        uint8_t *const bytes = malloc(size);
        memcpy(bytes, data, size);
        mend(bytes, size);
        if (ct_unit_replay_load_bytes(r, bytes, size, "a.replay", &error))
            walk(bytes, size);
        free(bytes);
    }
    ct_unit_replay_destroy(r);
    ct_memory_shutdown();
    return 0;
}
