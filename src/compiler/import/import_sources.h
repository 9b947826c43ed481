// import_sources.h: the sources that a model becomes: unit, meshes, materials, textures, media.
#pragma once
#include "compiler/import/import_model.h"
#include "foundation/sjson/sjson_writer.h"

// One file that the import wants. `key` finds it again at the next import, whatever its path.
typedef struct ct_import_output {
    const char *key;  // "unit", "mesh /body", "material paint", "texture color *0", "file car.glb",
                      // "skeleton", "animation walk", "state_machine"
    const char *path; // project path; NULL until ct_import_place has chosen it
    const char *stem; // of the path: a valid name without folder and extension
    const char *extension;
    const char *found;    // an image of the project: its project path; NULL: from elsewhere
    bool is_fixed;        // the model refers to this path, which must stay
    bool is_foreign;      // the same file existed before: it stays a person's
    const uint8_t *bytes; // of media; NULL: a source
    uint64_t size_bytes;
    ct_sjson *source;  // the wanted content, once written
    const char *text;  // the same, as a new file
    uint32_t position; // of the node, material, image, clip or file in the model
} ct_import_output;

typedef CT_ARRAY(ct_import_output) ct_import_output_array;

// The outputs of a model. All from `allocator`, a temp allocator.
typedef struct ct_import_sources {
    ct_allocator *allocator;
    const ct_import_model *model;
    const char *folder;     // project path that the sources go to
    const char *model_path; // project path of the model file, "" until ct_import_place
    const char *id_space;   // from which ids are made; "" until ct_import_place
    const char *model_name; // valid name of the model file, without extension
    ct_import_space space;  // {0} until the caller sets it: axes and scale for the meshes
    bool is_in_place;       // the model is already in the project and is not copied
    const char *skeleton;   // of the project, that the clips are for; then nothing but clips is
                            // imported. NULL: the model's own
    ct_import_output_array outputs;
    // Positions in `outputs`; CT_IMPORT_NONE for none.
    uint32_t *mesh_of_node, *material_of, *color_texture_of, *data_texture_of;
    uint32_t first_image, unit, own_skeleton, machine; // likewise
    uint32_t first_animation, num_animations;          // likewise
    ct_string_array warnings;                          // of what is left out
} ct_import_sources;

// Lists what the import writes; `place` decides paths next, then ct_import_sources_write the text.
// `model_path` is the model's project path when it is already in the project, else NULL; for
// `skeleton` see the struct.
void ct_import_sources_list(ct_allocator *a, const ct_import_model *model, const char *folder,
                            const char *model_name, const char *model_path, const char *skeleton,
                            ct_import_sources *sources);

// Adds an output; its key is `kind` and `key`. Returns its position.
uint32_t ct_import_sources_add(ct_import_sources *s, const char *kind, const char *key,
                               const char *stem, const char *extension, uint32_t position);

// Returns the resource's name of an output: its path without the extension.
const char *ct_import_sources_name(const ct_import_sources *s, uint32_t output);

// Writes the members that meshes and animations have for axes and scale, where they are given.
void ct_import_space_write(const ct_import_space *space, ct_sjson_writer *w);

// Writes the text of all sources; every output must have its path.
void ct_import_sources_write(ct_import_sources *s);

// Writes `name` made valid ([a-z0-9_-]+) to memory from `a`; `otherwise` when nothing is left.
const char *ct_import_valid_name(ct_allocator *a, const char *name, const char *otherwise);
