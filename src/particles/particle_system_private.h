// particle_system_private.h: the particle system for the files of this folder.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "particles/particle_private.h"

enum { CT_PARTICLE_NUM_CLASSES = 24 }; // of blocks, from 512 bytes on

struct ct_particle_system {
    ct_allocator *backing, *allocator; // of the struct; proxy
    ct_resource_manager *resources;
    ct_renderer *renderer;
    ct_task_manager *tasks;
    uint32_t budget, gpu_threshold;
    ct_hash_map effects;   // name to blob
    ct_hash_map gpu_blobs; // address of a blob that the GPU has, to the renderer's id
    CT_ARRAY(ct_particle_world *) worlds;
    CT_ARRAY(void *) free_blocks[CT_PARTICLE_NUM_CLASSES];
    uint32_t num_blocks[CT_PARTICLE_NUM_CLASSES]; // that exist, free or not
};

// Life of the lists of blocks.
void ct_particle_blocks_init(ct_particle_system *s);
void ct_particle_blocks_shutdown(ct_particle_system *s);

// Makes effects of a world that play `name` follow its new blob; NULL ends them.
void ct_particle_world_follow(ct_particle_world *w, ct_string_id64 name,
                              const ct_particles_resource *effect);
