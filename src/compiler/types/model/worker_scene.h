// worker_scene.h: a model file as Assimp reads it: nodes in the engine's axes and metres, meshes
// and
// materials as they are in the file.
//
// The engine is right-handed, Z up, Y forward, in metres. glTF and, by its exporters' habit, OBJ
// are
// right-handed with Y up, so their point (x, y, z) becomes (x, -z, y); an FBX file names its axes
// and
// unit. A node's matrix is converted too, so that nodes exported by a Z up program have the
// coordinates that the program shows. The transform from a mesh's own points to its node's space is
// separate (`geometry`): FBX moves the points without the node's children.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/model/worker_gltf_lights.h"
#include "compiler/types/model/worker_gltf_materials.h"
#include "compiler/types/model/worker_matrix.h"
#include "compiler/types/model/worker_model_files.h"
#include "resource/types/mesh_resource.h"

enum { CT_WORKER_SCENE_MAX_DEPTH = 256, CT_WORKER_SCENE_MAX_NODES = 1 << 16 };
#define CT_WORKER_SCENE_NO_NODE UINT32_MAX

struct aiScene;
struct aiNode;

typedef struct ct_worker_scene_node {
    const char *name;               // as the file has it; may be ""
    const char *key;                // its name; its path when it has no name or others have the
                                    // same, which starts with a slash: "/car/wheel#2"
    uint32_t parent;                // comes before it; CT_WORKER_SCENE_NO_NODE for the topmost
    uint32_t end;                   // behind the last node below it
    ct_worker_matrix local;         // to the parent's space
    ct_worker_matrix geometry;      // from the file's mesh space to the node's
    const struct aiNode *file_node; // which meshes it has
} ct_worker_scene_node;

typedef CT_ARRAY(ct_worker_scene_node) ct_worker_scene_node_array;

typedef struct ct_worker_scene {
    const char *path;                  // of the file, for messages
    const struct aiScene *file;        // freed by ct_worker_scene_close
    ct_worker_scene_node_array nodes;  // depth first; a root that the importer made is left out
    ct_worker_matrix axes;             // from the file's axes and unit to ours
    ct_worker_gltf_light_array lights; // of glTF; `file` has those of others
    ct_worker_gltf_material_array gltf_materials; // beside what `file` has
    bool is_gltf;    // colours are linear (of others sRGB), factors multiply maps
    bool has_pivots; // some nodes are parts of an FBX node's transform
} ct_worker_scene;

// Reads the model at `path` through `files`. Everything but scene->file comes from c->allocator.
// Reports what is wrong at `at` in the source or at its place in the file, and returns false with
// nothing to close.
bool ct_worker_scene_open(ct_compile *c, ct_worker_model_files *files, const char *path,
                          ct_mesh_up_axis up_axis, ct_sjson_value at, ct_worker_scene *scene);

// Frees scene->file. The rest is the job's.
void ct_worker_scene_close(ct_worker_scene *scene);

// Returns the name of material `i` of the file; "" when it has no name.
const char *ct_worker_scene_material_name(ct_compile *c, const ct_worker_scene *scene, uint32_t i);

// Returns the node of this name or key. Returns CT_WORKER_SCENE_NO_NODE after reporting at `at`
// that there is no such node, or that several have the name.
uint32_t ct_worker_scene_find(ct_compile *c, const ct_worker_scene *scene, const char *name,
                              ct_sjson_value at);
