// render_emitters.h: emitters of particles on the GPU (render_emitter.h), on the render thread.
//
// The blob of an effect is in a buffer as it is. An emitter has a buffer of channels, all numbers 1
// at first, so that no slot has a living particle, and a buffer of what is drawn. The steps of a
// frame, of all emitters, are three arrays (records, runs, variables) in memory that the processor
// writes; the records of an emitter are a list. Each emitter with records is one dispatch, with a
// thread for each slot. The shader finds everything by addresses in its push constants.
//
// Buffers are made when an emitter is first simulated, and again on the next device. Render thread.
#pragma once
#include "render/object/render_shaders.h"
#include "render/render_stream.h"

typedef struct ct_render_effect {
    ct_render_effect_id id; // {0}: this place is free
    ct_particles_resource *blob;
    ct_render_buffer buffer;
} ct_render_effect;

typedef struct ct_render_emitter {
    ct_render_emitter_id id; // {0}: this place is free
    ct_render_emitter_desc desc;
    uint32_t effect;               // position of it
    uint32_t num_slots;            // that were ever used
    uint32_t first_record, record; // of the frame, the last; UINT32_MAX: it has no steps
    ct_render_buffer channels, instances;
} ct_render_emitter;

typedef struct ct_render_emitters {
    ct_render_context *context;
    ct_render_shaders *shaders;
    uint32_t shader, signature;
    CT_ARRAY(ct_render_effect) effects;
    CT_ARRAY(ct_render_emitter) items;
    ct_hash_map place_of_effect, place_of_emitter; // position + 1 by id
    ct_u32_array free_effects, free_items;
    // Of the frame:
    CT_ARRAY(ct_particle_record) records;
    CT_ARRAY(ct_particle_run) runs;
    CT_ARRAY(ct_vec4) variables;
    CT_ARRAY(ct_render_command_emitter_read) reads;
    ct_render_buffer uploads[CT_RENDER_FRAMES_IN_FLIGHT];
    bool keeps_steps; // those of this frame wait for the pipeline, with those of the next
} ct_render_emitters;

// Starts without emitters. It borrows the context and the shaders, which must outlive it.
void ct_render_emitters_init(ct_render_emitters *e, ct_render_context *c, ct_render_shaders *s);

// Takes everything from the device. Emitters stay, without particles.
void ct_render_emitters_drop(ct_render_emitters *e);

// Frees everything, after a drop.
void ct_render_emitters_shutdown(ct_render_emitters *e);

// Add an effect, whose blob follows the command and is copied, and remove one with its blob. Its
// emitters must have been removed.
void ct_render_emitters_add_effect(ct_render_emitters *e, const ct_render_command_effect *x);
void ct_render_emitters_remove_effect(ct_render_emitters *e, ct_render_effect_id effect);

// Add an emitter, and remove one. An emitter of an effect that does not exist is not added.
void ct_render_emitters_add(ct_render_emitters *e, const ct_render_command_emitter *x);
void ct_render_emitters_remove(ct_render_emitters *e, ct_render_emitter_id emitter);

// Adds a step of time of an emitter to those of the frame. Runs and variables follow the command;
// all is copied.
void ct_render_emitters_step(ct_render_emitters *e, const ct_render_command_emitter_step *x);

// Remembers what asked for channels until ct_render_emitters_deliver.
void ct_render_emitters_read(ct_render_emitters *e, const ct_render_command_emitter_read *x);

// Forgets the steps of the last frame.
void ct_render_emitters_clear_frame(ct_render_emitters *e);

// Asks for the pipeline ahead of its use.
void ct_render_emitters_ask(ct_render_emitters *e);

// Records the steps of the frame, before its views.
void ct_render_emitters_simulate(ct_render_emitters *e);

// Returns the buffer of instances of an emitter and how many there are (one more is behind them);
// VK_NULL_HANDLE when there is nothing to draw.
VkBuffer ct_render_emitters_instances(const ct_render_emitters *e, ct_render_emitter_id emitter,
                                      uint32_t *count);

// Records copies of the channels that were asked for, and returns them; zeroed: no one asked.
ct_render_buffer ct_render_emitters_copy(ct_render_emitters *e);

// Calls back all that asked for channels, when the device has finished the frame.
void ct_render_emitters_deliver(ct_render_emitters *e, const ct_render_buffer *copies);
