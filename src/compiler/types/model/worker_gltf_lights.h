// worker_gltf_lights.h: the lights of a glTF 2 file (KHR_lights_punctual), which Assimp leaves out.
#pragma once
#include "foundation/container/array.h"
#include "foundation/sjson/sjson.h"

// A light at a node, along the node's -z. What the file leaves out, or has as no number, is as the
// extension says.
typedef struct ct_worker_gltf_light {
    uint32_t node;            // position among the nodes of the scene that is shown, depth first
    const char *type;         // "directional", "point" or "spot"
    float color[3];           // linear, 0 to 1
    float intensity;          // lux, of point and spot lights candela
    float range;              // metres; 0: without end
    float inner_cone_radians; // from the axis
    float outer_cone_radians;
} ct_worker_gltf_light;

typedef CT_ARRAY(ct_worker_gltf_light) ct_worker_gltf_light_array;

// Appends the lights of the scene that is shown to `lights`. The nodes are a tree, no deeper than
// CT_WORKER_SCENE_MAX_DEPTH; scratch memory is from `a`, a temp allocator. A light that is not
// there, or of a type that is not in the extension, is passed over.
void ct_worker_gltf_lights_read(ct_allocator *a, const ct_sjson *doc,
                                ct_worker_gltf_light_array *lights);
