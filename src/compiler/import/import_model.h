// import_model.h: a worker's description of a model file, checked, for `cuttle import`.
//
// Only workers have import libraries, so a worker describes the model: its nodes as a flat array
// whose parents come first, materials in the terms of core/shaders/pbr, and the bytes of all files.
// References are positions in arrays; CT_IMPORT_NONE refers to nothing.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson.h"

#define CT_IMPORT_NONE UINT32_MAX
enum { CT_IMPORT_NUM_MAPS = 4 };

// The maps of a material; their names are those of the shader's options and textures.
extern const char *const ct_import_map_names[CT_IMPORT_NUM_MAPS];

typedef struct ct_import_node {
    const char *name;      // of any characters
    const char *key;       // what `node` of a `.mesh` calls it
    uint32_t parent;       // comes before it
    ct_sjson_value pose;   // object with position, rotation and scale
    const uint32_t *parts; // materials of its own mesh's parts
    uint32_t num_parts;    // 0: it has no mesh
    bool is_joint;         // of a skin, or moved by a clip; or above one that is
    bool is_moved;         // by a clip
} ct_import_node;

typedef struct ct_import_material {
    const char *name;
    bool is_used;
    ct_sjson_value options;            // array: the shader's, beside those of maps
    ct_sjson_value parameters;         // object, as a `.material` has it
    uint32_t maps[CT_IMPORT_NUM_MAPS]; // images
} ct_import_material;

// Bytes of a file that belongs to the model.
typedef struct ct_import_file {
    const char *path; // canonical, from the folder that the model goes to; the model itself first
    const uint8_t *bytes;
    uint64_t size_bytes;
} ct_import_file;

typedef struct ct_import_image {
    const char *key;  // what the model calls it; of a model in the project, what it did when it
                      // was first imported (import_images.h)
    const char *name; // of any characters
    const char *extension;     // "png", "jpg" or "tga"
    const char *path;          // from the folder that was asked about; NULL: inside the model
    const char *wrap, *filter; // as a `.texture` has them; NULL: the default
    const uint8_t *bytes;
    uint64_t size_bytes;
} ct_import_image;

// A camera or light: `value` holds position and rotation in its node's space, and the component's
// fields.
typedef struct ct_import_extra {
    uint32_t node;
    ct_sjson_value value;
} ct_import_extra;

typedef struct ct_import_clip {
    const char *name; // of any characters; "" without
    const char *key;  // what `clip` of an .animation calls it
    bool moves;       // a node; else it is empty
} ct_import_clip;

typedef struct ct_import_model {
    const ct_sjson *doc; // the description
    ct_import_node *nodes;
    uint32_t num_nodes;
    ct_import_material *materials;
    uint32_t num_materials;
    ct_import_file *files; // at least one
    uint32_t num_files;
    ct_import_image *images;
    uint32_t num_images;
    ct_import_extra *cameras, *lights;
    uint32_t num_cameras, num_lights;
    ct_import_clip *clips;
    uint32_t num_clips;
    const char **warnings;
    uint32_t num_warnings;
    const char **uses; // of nodes whose triangles are in the mesh of another one, as lines
    uint32_t num_uses;
} ct_import_model;

// Reads a description (a framed message, docs/formats/worker_protocol.md), which must outlive the
// model. All that it allocates stays in `a`, a temp allocator. False with `error` when anything in
// it is not as it should be.
bool ct_import_model_read(ct_allocator *a, const uint8_t *bytes, uint64_t size_bytes,
                          ct_import_model *model, ct_error *error);

// The scales that a .mesh can have.
#define CT_IMPORT_LEAST_SCALE 1e-6
#define CT_IMPORT_MOST_SCALE 1e6

// How lengths and axes of a model are meant; {0}: as its file says.
typedef struct ct_import_space {
    const char *up_axis; // "y", "z", "file" as a .mesh has it; NULL: not given
    double scale;        // 0: not given
} ct_import_space;

typedef CT_ARRAY(ct_error) ct_import_error_array;
typedef CT_ARRAY(ct_compile_image) ct_import_known_images;

typedef struct ct_import_question {
    const char *worker_path; // NULL: `cuttle-worker` beside this program
    const char *model;       // the file, absolute or relative to the working folder
    // Of a model in a project: that one's folder, absolute, and the path in it. Else NULL: what the
    // model needs lies in its own folder.
    const char *project, *path;
    ct_import_space space;
    const ct_import_known_images *known; // below the project
} ct_import_question;

// Has a worker process describe a model. All stays in `a`, a temp allocator. False with `errors`
// filled (files by their absolute paths).
bool ct_import_model_ask(ct_allocator *a, const ct_import_question *question,
                         ct_import_model *model, ct_import_error_array *errors);
