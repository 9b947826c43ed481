// unit_frames.h: the frames of a replay as bytes, and the state that they lead to.
//
// A frame is a head, bits (network_bits.h), and words: buffers of data and texts, in the order in which
// the bits speak of them. Units have numbers from 0, in the order in which they were first recorded.
// Bits: units that went; units that came, with resource and level; changes, each with the gap from the
// number before, a bit each for position, rotation, scale, data, and their differences; lines; texts.
// A key frame begins with no units. Bytes may come from outside: what is no frame is refused. Pure.
#pragma once
#include "foundation/container/array.h"
#include "network/fields/network_bits.h"
#include "world/network/unit_replay.h"

// The head of a frame. `bytes` is that of the whole frame, a multiple of 4; `num_bits` bytes of bits
// follow, filled up to a word.
typedef struct ct_unit_frame_head {
    uint32_t bytes, bits_bytes, is_key;
    float dt;
} ct_unit_frame_head;

enum {
    CT_UNIT_POSITION_WORDS = 3, // 1/1024 m, signed
    CT_UNIT_ROTATION_WORDS = 4, // ct_network_value of a rotation
    CT_UNIT_SCALE_WORDS = 3,    // floats
    CT_UNIT_WORDS = 10,
};

// A unit in a frame.
typedef struct ct_unit_state {
    ct_string_id64 resource, level;
    uint32_t level_unit;
    uint32_t words[CT_UNIT_WORDS];
    uint32_t data_at, data_bytes; // a data buffer, in the bytes of the frames; 0: none
    bool is_alive;
} ct_unit_state;

// A frame in the list of all.
typedef struct ct_unit_frame {
    uint32_t at; // in the bytes
    bool is_key;
    double time; // seconds since the first
} ct_unit_frame;

// Frames, one behind the other. Aligned to 4 bytes.
typedef struct ct_unit_frames {
    CT_ARRAY(uint8_t) bytes;
    CT_ARRAY(ct_unit_frame) list;
    uint32_t num_units; // numbers are below
} ct_unit_frames;

// The state at a frame.
typedef struct ct_unit_cursor {
    uint32_t frame;                // UINT32_MAX: at none
    CT_ARRAY(ct_unit_state) units; // by number
    CT_ARRAY(ct_replay_line) lines;
    CT_ARRAY(ct_replay_text) texts;
} ct_unit_cursor;

// Make frames and cursors empty, and free them.
void ct_unit_frames_init(ct_unit_frames *f, ct_allocator *a);
void ct_unit_frames_free(ct_unit_frames *f);
void ct_unit_cursor_init(ct_unit_cursor *c, ct_allocator *a);
void ct_unit_cursor_free(ct_unit_cursor *c);

// Goes to a frame of the list. Returns false with `error` at a frame that is no valid one; the cursor
// is at none then.
bool ct_unit_cursor_seek(ct_unit_cursor *c, const ct_unit_frames *f, uint32_t frame,
                         ct_error *error);

// Makes the list from the bytes. Returns false with `error` when sizes and times do not fit.
bool ct_unit_frames_list(ct_unit_frames *f, ct_error *error);

// Removes the frames before the second key frame. Returns false when there is none.
bool ct_unit_frames_drop_oldest(ct_unit_frames *f);

// Converts a pose to words and back.
void ct_unit_words_of(ct_vec3 position, ct_quat rotation, ct_vec3 scale,
                      uint32_t words[CT_UNIT_WORDS]);
void ct_unit_words_pose(const uint32_t words[CT_UNIT_WORDS], ct_vec3 *position, ct_quat *rotation,
                        ct_vec3 *scale);

// What a frame to write has. Numbers are ascending.
typedef struct ct_unit_frame_desc {
    float dt;
    bool is_key;
    const uint32_t *gone, *come; // of key frames only `come`: all that live
    uint32_t num_gone, num_come;
    const uint32_t *live; // all that live
    uint32_t num_live;
    const ct_unit_state *now; // by number; data is in `data`
    const uint8_t *data;
    ct_unit_state *before; // by number: what was written last, which becomes `now`
    const ct_replay_line *lines;
    const ct_replay_text *texts;
    uint32_t num_lines, num_texts;
} ct_unit_frame_desc;

// Appends a frame.
void ct_unit_frames_write(ct_unit_frames *f, const ct_unit_frame_desc *desc);
