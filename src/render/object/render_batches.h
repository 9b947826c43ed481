// render_batches.h: quads in batches, one batch for each layer and material.
//
// The layout of a batch: an array of vertices, 4 for each quad, in memory of the processor, and the
// same in a buffer of the device. An object has a run of quads in one batch. Runs are as long as
// size classes (1 to 8, then four in each power of two), so that a run that is given back fits the
// next object of its class: each class has a list of free runs, linked through the first vertex of
// each. What is free, or is at the end of a run and not used, is zeros: quads without an area. When
// more than half of a batch is free, its objects are packed again. What changed is noted as ranges,
// and only they go to the device, so that an object that is set again costs no more among many than
// alone. (Bitsquid's Dual-Mode GUIs.)
//
// In an immediate set quads are appended, and all go after each frame; their vertices go to the
// frame's own memory, as all of them are new.
//
// The copy in memory of the processor is what a batch is restored from on another device. Render
// thread.
#pragma once
#include "foundation/container/hash_map.h"
#include "render/object/render_materials.h"
#include "render/render_gui.h"

enum { CT_RENDER_BATCH_CLASSES = 128 };

typedef CT_ARRAY(ct_batch_vertex) ct_batch_vertex_array;

// A range of quads that the device does not have yet.
typedef struct ct_render_quad_range {
    uint32_t first, count;
} ct_render_quad_range;

typedef struct ct_render_batch {
    int32_t layer;
    uint32_t material; // index
    ct_batch_vertex_array vertices;
    uint32_t num_used;                           // quads of objects
    uint32_t free_runs[CT_RENDER_BATCH_CLASSES]; // first quad + 1 of the first free run; 0: none
    uint32_t num_idle_frames;                    // since it had quads
    bool has_warned;                             // that its material is not for GUIs
    CT_ARRAY(ct_render_quad_range) changes;
    ct_render_buffer buffer; // on the device, of a retained set
    // Where the vertices are in the frame being recorded:
    VkBuffer vertex_buffer;
    uint32_t first_vertex;
} ct_render_batch;

// The place of an object.
typedef struct ct_render_batch_object {
    uint32_t batch; // place in `batches` + 1; 0: there is no object
    uint32_t first; // quad
    uint32_t num_quads;
    uint32_t size_class; // of its run; num_quads may be less
} ct_render_batch_object;

// The batches of a GUI.
typedef struct ct_render_batches {
    ct_allocator *allocator;
    bool is_immediate;
    CT_ARRAY(ct_render_batch) batches;        // they keep their places
    CT_ARRAY(ct_render_batch_object) objects; // by slot
    ct_hash_map batch_of_key;                 // place + 1 by layer and material
    ct_u32_array order;                       // places, by layer, then material
} ct_render_batches;

// Makes an empty set.
void ct_render_batches_init(ct_render_batches *s, ct_allocator *a, bool is_immediate);

// Retires the buffers and frees the set.
void ct_render_batches_shutdown(ct_render_batches *s, ct_render_context *c);

// Takes the buffers from the device; the next upload makes them again.
void ct_render_batches_drop(ct_render_batches *s, ct_render_context *c);

// Appends quads to the batch of a layer and material (an index). Copied.
void ct_render_batches_append(ct_render_batches *s, int32_t layer, uint32_t material,
                              const ct_batch_vertex *vertices, uint32_t num_quads);

// Sets the object in `slot`, in place of the one before. Copied.
void ct_render_batches_set(ct_render_batches *s, uint32_t slot, int32_t layer, uint32_t material,
                           const ct_batch_vertex *vertices, uint32_t num_quads);

// Removes the object in `slot`, if there is one.
void ct_render_batches_remove(ct_render_batches *s, uint32_t slot);

// Removes all quads and keeps the memory.
void ct_render_batches_clear(ct_render_batches *s);

// Packs the batches that are mostly free; ct_render_batches_upload does so, too.
void ct_render_batches_pack(ct_render_batches *s);

// Returns how many bytes the next upload of a retained set will copy to the device.
uint64_t ct_render_batches_pending_bytes(const ct_render_batches *s);

// Brings the device's copy up to date: records copies to the frame's command buffer, between the
// barriers that the caller records. Frees batches that have been empty for long.
void ct_render_batches_upload(ct_render_batches *s, ct_render_frames *f);

// Returns the number of quads of a batch, free ones included.
static inline uint32_t ct_render_batch_num_quads(const ct_render_batch *b) {
    return b->vertices.count / 4;
}
