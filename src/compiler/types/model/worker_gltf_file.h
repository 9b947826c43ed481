// worker_gltf_file.h: a glTF 2 file whose JSON is parsed: its lists, and members that are checked.
//
// The parts of the reader share this. Every member that is read is checked for its type, and every
// index for its range; what is wrong is reported at its line (text) or by its place in the JSON.
#pragma once
#include "compiler/types/model/worker_scene.h"
#include "foundation/container/hash_map.h"

// In place of an index: there is none.
#define CT_GLTF_NONE UINT32_MAX

// The lists at the top of the file.
typedef enum ct_gltf_list {
    CT_GLTF_LIST_ACCESSORS,
    CT_GLTF_LIST_ANIMATIONS,
    CT_GLTF_LIST_BUFFER_VIEWS,
    CT_GLTF_LIST_BUFFERS,
    CT_GLTF_LIST_CAMERAS,
    CT_GLTF_LIST_IMAGES,
    CT_GLTF_LIST_LIGHTS, // of KHR_lights_punctual
    CT_GLTF_LIST_MATERIALS,
    CT_GLTF_LIST_MESHES,
    CT_GLTF_LIST_NODES,
    CT_GLTF_LIST_SAMPLERS,
    CT_GLTF_LIST_SCENES,
    CT_GLTF_LIST_SKINS,
    CT_GLTF_LIST_TEXTURES,
    CT_GLTF_LIST_COUNT,
} ct_gltf_list;

// Values of one list, found by position.
typedef struct ct_gltf_values {
    const ct_sjson_value *items;
    uint32_t count;
} ct_gltf_values;

// A piece of bytes of the file or beside it.
typedef struct ct_gltf_bytes {
    const char *bytes; // NULL: not read yet
    uint64_t size_bytes;
} ct_gltf_bytes;

// The elements of an accessor as floats.
typedef struct ct_gltf_floats {
    const float *values; // NULL: not read yet
    uint32_t num_components;
} ct_gltf_floats;

typedef struct ct_gltf_file {
    ct_compile *c;
    ct_worker_model_files *files;
    ct_sjson_value at; // in the source
    ct_worker_scene *scene;
    const ct_sjson *doc;
    bool is_binary;
    ct_gltf_bytes chunk; // BIN of a binary file; size 0 without
    ct_gltf_values lists[CT_GLTF_LIST_COUNT];
    ct_gltf_bytes *buffers, *views;             // by position, as far as they are read
    ct_gltf_floats *floats;                     // of accessors, likewise
    uint64_t num_numbers, num_decoded;          // that were made: of accessors, and bytes of views
    uint32_t *first_primitive, *num_primitives; // by mesh, in scene->meshes
    bool *is_mesh_read, *has_skin_set;          // likewise
    uint32_t *node_places;                      // by node, in scene->nodes, or CT_GLTF_NONE
    bool *is_skin_used;                         // by skin: a mesh of the scene has it
    ct_hash_map skinned_meshes;                 // from mesh << 32 | skin to the first primitive
    uint32_t default_material;                  // in scene->materials; CT_GLTF_NONE: not made yet
    bool is_quantized; // attributes may be integers that are not normalized
} ct_gltf_file;

// Reports an error at a value. Returns false.
bool ct_gltf_error(const ct_gltf_file *g, ct_sjson_value at, const char *format, ...)
    CT_PRINTF(3, 4);

// Adds a warning to the scene, once.
void ct_gltf_warn(const ct_gltf_file *g, const char *format, ...) CT_PRINTF(2, 3);

// Fills the lists from the JSON. Returns false after reporting one that is no array of objects.
bool ct_gltf_open_lists(ct_gltf_file *g);

// Set `member` to the member of `object`, which is {0} when it is not there. Return false after
// reporting one of another type.
bool ct_gltf_object(const ct_gltf_file *g, ct_sjson_value object, const char *key,
                    ct_sjson_value *member);
bool ct_gltf_array(const ct_gltf_file *g, ct_sjson_value object, const char *key,
                   ct_sjson_value *member);

// Set `value` to the member of `object`, or leave it when it is not there. Return false after
// reporting one of another type, for numbers one that is not finite as a float.
bool ct_gltf_number(const ct_gltf_file *g, ct_sjson_value object, const char *key, float *value);
bool ct_gltf_bool(const ct_gltf_file *g, ct_sjson_value object, const char *key, bool *value);
bool ct_gltf_string(const ct_gltf_file *g, ct_sjson_value object, const char *key,
                    const char **value);

// As ct_gltf_number, of an array of exactly `count` numbers.
bool ct_gltf_numbers(const ct_gltf_file *g, ct_sjson_value object, const char *key, float *values,
                     uint32_t count);

// As ct_gltf_number, of a whole number from 0 to `most` (`4.0` is 4).
bool ct_gltf_whole(const ct_gltf_file *g, ct_sjson_value object, const char *key, uint64_t most,
                   uint64_t *value);

// Reads a member that is a position in `list`; CT_GLTF_NONE when it is not there. Returns false
// after reporting one that is out of range.
bool ct_gltf_index(const ct_gltf_file *g, ct_sjson_value object, const char *key, ct_gltf_list list,
                   uint32_t *index);

// As ct_gltf_index, of a value.
bool ct_gltf_index_value(const ct_gltf_file *g, ct_sjson_value v, ct_gltf_list list,
                         uint32_t *index);

// Returns an item of a list.
ct_sjson_value ct_gltf_item(const ct_gltf_file *g, ct_gltf_list list, uint32_t index);

// Returns an extension of `object`, {0} without.
ct_sjson_value ct_gltf_extension(const ct_gltf_file *g, ct_sjson_value object, const char *name);

// Returns the name of an item, or for messages its list and position: `mesh 3`.
const char *ct_gltf_name(const ct_gltf_file *g, ct_gltf_list list, uint32_t index);
