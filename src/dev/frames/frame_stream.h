// frame_stream.h: the pictures of one stream, on their way from the renderer to a client.
//
// A picture takes one slot of a ring: the update thread asks the renderer for it, the render thread copies the
// pixels in, the encoder makes a message of what has changed since the one before, and the update thread sends
// that. Slots are used, encoded and sent in order, so each message continues the last one. Each function says on
// which thread it runs; the state of a slot says which of them has it.
#pragma once
#include <stdatomic.h>

#include "dev/console_commands.h"
#include "dev/frames/frame_tiles.h"
#include "dev/frames/turbojpeg_api.h"
#include "render/renderer.h"

enum { CT_FRAME_SLOTS = 6, CT_FRAME_MAX_LEVEL = 3 };

typedef enum ct_frame_slot_state {
    CT_FRAME_SLOT_FREE,      // the update thread
    CT_FRAME_SLOT_REQUESTED, // the render thread
    CT_FRAME_SLOT_DRAWN,     // the encoder
    CT_FRAME_SLOT_READY,     // the update thread
} ct_frame_slot_state;

typedef struct ct_frame_stream ct_frame_stream;

typedef struct ct_frame_slot {
    ct_frame_stream *stream;
    _Atomic uint32_t state; // ct_frame_slot_state
    uint32_t level;         // how much smaller and coarser it is made: 0 to CT_FRAME_MAX_LEVEL
    bool is_whole;          // all of it is sent
    ct_byte_array pixels;
    uint32_t width, height; // 0: nothing was drawn
    ct_string_builder json; // the message; empty: nothing to send
    uint32_t number;        // of the message
    ct_byte_array binary;
} ct_frame_slot;

// What a stream shows.
typedef struct ct_frame_stream_desc {
    uint32_t number; // of the stream, for its client
    ct_console_client_id client;
    uint32_t width, height; // the most, in pixels
    double rate;            // pictures a second, the most
    bool is_png;
    int quality;        // of JPEG, 1 to 100
    float rectangle[4]; // of the game's picture, as fractions
    bool has_camera;    // then it is drawn for itself:
    uint32_t world;     // its number (inspect_find.h): a world may end while the stream is open
    ct_string_id32 viewport;
    ct_mat4 pose;
    float field_of_view, near_range, far_range; // radians, metres
} ct_frame_stream_desc;

struct ct_frame_stream {
    ct_allocator *allocator;
    ct_frame_stream_desc desc;
    // What the functions of the threads use.
    const ct_turbojpeg_api *jpeg; // NULL with PNG
    void (*drawn)(void *user); // called on the render thread when a picture waits for the encoder
    void *user;

    // The update thread:
    uint32_t next_request, next_sent; // counts of pictures
    uint64_t due_ns;
    uint32_t last_sent;          // the number of the last message
    uint32_t num_unshown;        // sent, but not shown yet
    uint32_t level, asked_level; // now, and of the last request
    uint32_t num_held,
        num_free; // times that a picture was due in this second: the client was behind, or not
    uint64_t second_ns, calm_since_ns;
    bool is_closed; // freed once no slot is with another thread

    // The encoder:
    uint32_t next_encoded;
    uint32_t number; // of the last message
    void *compressor;
    ct_byte_array shown, next, part_pixels; // as the client has it; what is being encoded
    uint32_t shown_width, shown_height;
    ct_frame_part_array parts;

    ct_frame_slot slots[CT_FRAME_SLOTS];
};

// Makes a stream; `a` must be safe from any thread. Update thread.
ct_frame_stream *ct_frame_stream_create(ct_allocator *a, const ct_frame_stream_desc *desc);

// Frees it; no slot may be with another thread.
void ct_frame_stream_destroy(ct_frame_stream *s);

// Returns whether a slot is with the render thread or the encoder. Update thread.
bool ct_frame_stream_is_busy(const ct_frame_stream *s);

// Takes the next slot for a picture; NULL while none is free. Update thread.
ct_frame_slot *ct_frame_stream_request(ct_frame_stream *s);

// Takes the pixels of a slot that was requested: the `done` of a picture, whose user is the slot. Render thread.
void ct_frame_slot_take(void *slot, const uint8_t *pixels, uint32_t width, uint32_t height);

// Makes the message of the next drawn picture. Returns false when none waits. One thread at a time.
bool ct_frame_stream_encode(ct_frame_stream *s);

// Returns the next slot to be sent; NULL when none is ready. Update thread.
ct_frame_slot *ct_frame_stream_ready(ct_frame_stream *s);

// Counts the message of a slot as sent. Update thread.
void ct_frame_stream_count_sent(ct_frame_stream *s, const ct_frame_slot *slot);

// The client has shown a message, and with it those before. `number` 0: the oldest that it has not shown. Update
// thread.
void ct_frame_stream_shown(ct_frame_stream *s, uint32_t number);

// Gives a slot back that was sent, or had nothing to send. Update thread.
void ct_frame_stream_sent(ct_frame_stream *s, ct_frame_slot *slot);
