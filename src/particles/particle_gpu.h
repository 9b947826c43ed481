// particle_gpu.h: emitters whose particles are on the GPU.
//
// An emitter goes there when its blob allows it (CT_PARTICLE_EMITTER_GPU) and either the effect asks
// for it or it is as large as the system's threshold; and the renderer can simulate it. That is
// chosen when the effect is made. The update thread counts births as for other emitters, and sends
// each step of time with its births (render_emitter.h); all other work is the shader's. Tasks step
// effects, so steps wait in a queue of the world until the update thread sends them.
//
// The CPU knows nothing of single particles. It counts them by their births, as if none were killed,
// and finds a sphere around them from what their speeds and forces can do in a lifetime.
#pragma once
#include "foundation/os/os.h"
#include "particles/particle_private.h"
#include "render/render_emitter.h"

enum {
    CT_PARTICLE_GPU_RUNS = 32,    // of a record
    CT_PARTICLE_GPU_BUCKETS = 34, // of births: two more than a lifetime has
};

// What the CPU knows of an emitter on the GPU.
typedef struct ct_particle_gpu_emitter {
    ct_render_emitter_id id; // {0}: it is not there
    double life;             // seconds that its particles live at most
    // Births by the time of the effect, in parts of `life`; the last is at `bucket`.
    int64_t bucket;
    uint32_t births[CT_PARTICLE_GPU_BUCKETS];
    // Where the effect was from `since` on, and in a lifetime before that.
    bool has_boxes;
    double since;
    ct_aabb box, box_before;
    float speed; // of the effect: the highest
} ct_particle_gpu_emitter;

// Steps that wait to be sent, of all emitters of a world.
typedef struct ct_particle_gpu_queue {
    ct_mutex mutex;
    ct_u32_array words; // of each: the emitter's id, a record, its runs, its variables
} ct_particle_gpu_queue;

// A step of time while its births are counted.
typedef struct ct_particle_gpu_step {
    const ct_particle_world *world;
    ct_particle_effect *effect;
    ct_particle_emitter_state *state;
    ct_particle_record record;
    ct_particle_run runs[CT_PARTICLE_GPU_RUNS];
} ct_particle_gpu_step;

// --- Life cycle ----------------------------------------------------------------------------------

// Returns whether emitter `e` is to run on the GPU.
bool ct_particle_gpu_takes(const ct_particle_world *w, const ct_particle_emitter *e);

// Make the emitters of an effect on the render thread, without particles, and remove them. Emitters
// on the CPU are left out. Update thread.
void ct_particle_gpu_start(ct_particle_world *w, ct_particle_effect *fx);
void ct_particle_gpu_stop(ct_particle_world *w, ct_particle_effect *fx);

// Forgets the blob of a resource that is going away; its id is for ct_particle_gpu_remove_blob, when
// no effect plays it any more. Update thread.
ct_render_effect_id ct_particle_gpu_forget_blob(ct_particle_system *s,
                                                const ct_particles_resource *resource);
void ct_particle_gpu_remove_blob(ct_particle_system *s, ct_render_effect_id blob);

// Removes the blobs of all resources.
void ct_particle_gpu_remove_blobs(ct_particle_system *s);

// Make an empty queue with memory of `a`, and free it; what waits in it is not sent.
ct_particle_gpu_queue *ct_particle_gpu_queue_create(ct_allocator *a);
void ct_particle_gpu_queue_destroy(ct_allocator *a, ct_particle_gpu_queue *queue);

// --- Steps ---------------------------------------------------------------------------------------

// Begins a step of the chunk's emitter.
void ct_particle_gpu_begin(ct_particle_gpu_step *step, const ct_particle_chunk *c);

// Adds `count` births, the first of number `first` and `age` seconds ago, the others `interval`
// seconds after each other.
void ct_particle_gpu_bear(ct_particle_gpu_step *step, uint32_t first, uint64_t count, double age,
                          double interval);

// Ends the step: it goes to the queue of the world.
void ct_particle_gpu_end(ct_particle_gpu_step *step);

// Lets an effect take `seconds` from its start without sending what is over then. Update thread.
void ct_particle_gpu_seek(ct_particle_effect *fx, double seconds);

// Sends all steps that wait. Update thread.
void ct_particle_gpu_flush(ct_particle_world *w);

// Returns the number of particles of an emitter, as if none were killed: at most two parts in 32 too
// many.
uint32_t ct_particle_gpu_count(const ct_particle_emitter_state *s);

// --- Bounds (particle_gpu_bounds.c) --------------------------------------------------------------

// Finds a sphere around all particles of emitter `index`: the resource's bounds_radius around the
// effect, or one of all places that particles can reach.
void ct_particle_gpu_sphere(const ct_particle_effect *fx, uint32_t index, float sphere[4]);
