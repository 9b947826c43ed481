// Files of unit replays from bytes, and a good file with bytes changed, with the checksum made right:
// what loads is read to and fro. Nothing may crash or leak.
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/memory/memory.h"
#include "resource/blob/data_buffer.h"
#include "world/network/unit_frames.h"

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

// A good file of four frames: units come, move, go; lines, texts, data.
static uint8_t *make_file(size_t *size) {
    enum { UNITS = 3, FRAMES = 4 };
    static const uint32_t numbers[UNITS] = {0, 1, 2};
    ct_unit_state now[UNITS] = {
        {.resource = {1}}, {.resource = {2}, .level = {3}}, {.resource = {4}}};
    ct_unit_state before[UNITS] = {0};
    _Alignas(4) uint8_t values[64] = {0};
    ct_data_buffer *const buffer = (ct_data_buffer *)(void *)values;
    ct_data_buffer_rebuild(&ct_data_buffer_empty, (ct_data_key){7}, ct_data_string("text", 4),
                           buffer, sizeof(values));
    const ct_replay_line line = {.to = {{1, 2, 3}}};
    const ct_replay_text text = {.text = "a text", .bytes = 6};
    ct_unit_frames frames;
    ct_unit_frames_init(&frames, ct_memory_heap());
    for (uint32_t i = 0; i < FRAMES; ++i) {
        for (uint32_t k = 0; k < UNITS; ++k)
            ct_unit_words_of(ct_vec3_make((float)(i * k), (float)k, -1),
                             ct_quat_axis_angle(ct_vec3_make(0, 0, 1), (float)(i * k)),
                             ct_vec3_make(1, 1, (float)k), now[k].words);
        now[1].data_bytes = i > 1 ? (uint32_t)sizeof(values) : 0;
        const bool is_key = i % 3 == 0, comes = i == 1, goes = i == 2;
        const uint32_t live = i == 0 ? 2 : goes ? 2 : 3;
        ct_unit_frames_write(&frames, &(ct_unit_frame_desc){.dt = 0.5f,
                                                            .is_key = is_key,
                                                            .gone = numbers + 2,
                                                            .num_gone = goes,
                                                            .come = is_key ? numbers : numbers + 2,
                                                            .num_come = is_key ? live : comes,
                                                            .live = numbers,
                                                            .num_live = live,
                                                            .now = now,
                                                            .before = before,
                                                            .data = values,
                                                            .lines = &line,
                                                            .num_lines = i == 1,
                                                            .texts = &text,
                                                            .num_texts = i == 2});
    }
    *size = HEAD_BYTES + frames.bytes.count + HASH_BYTES;
    uint8_t *const bytes = calloc(1, *size);
    bytes[12] = UNITS;
    memcpy(bytes + HEAD_BYTES, frames.bytes.items, frames.bytes.count);
    ct_unit_frames_free(&frames);
    return bytes;
}

static void try_file(ct_unit_replay *r, uint8_t *bytes, size_t size, bool is_good) {
    ct_error error;
    mend(bytes, size);
    if (ct_unit_replay_load_bytes(r, bytes, size, "a.replay", &error))
        walk(bytes, size);
    else if (is_good)
        abort();
    free(bytes);
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
        try_file(r, bytes, size, false);
    }
    size_t good_size;
    uint8_t *const good = make_file(&good_size);
    for (size_t i = 0; i + 3 <= size; i += 3)
        good[12 + (data[i] + 256u * data[i + 1]) % (good_size - 12 - HASH_BYTES)] = data[i + 2];
    try_file(r, good, good_size, size < 3);
    ct_unit_replay_destroy(r);
    ct_memory_shutdown();
    return 0;
}
