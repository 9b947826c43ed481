// material_resource.h: the blob of a material: a shader, its options, and values by name.
//
// Values are bound to offsets by the shader's layout when the material comes online, so a shader
// can change without recompiling its materials.
#pragma once
#include "resource/types/shader_resource.h"

enum { CT_MATERIAL_VERSION = 2 };

typedef struct ct_material_parameter {
    ct_string_id32 name;
    uint32_t num_floats;               // 1 to 4, or 16 for a matrix
    float value[CT_SHADER_MAX_FLOATS]; // colours linear, matrices column by column
} ct_material_parameter;

// A texture of a material, by the shader's name for it.
typedef struct ct_material_texture {
    ct_string_id32 name;
    uint32_t padding;
    ct_string_id64 texture;
} ct_material_texture;

typedef struct ct_material_resource {
    ct_blob_header header;
    ct_string_id64 shader;
    ct_blob_array options;    // ct_string_id32 of the options that are on
    ct_blob_array parameters; // ct_material_parameter
    ct_blob_array textures;   // ct_material_texture
} ct_material_resource;

// The fields that the schema reads from a source. The shader's source defines the parameters.
typedef struct ct_material_source {
    ct_string_id64 parent;       // {0}: no parent
    ct_sjson_value parent_value; // the compiler reads the names here
    ct_string_id64 shader;       // {0} with a parent: the parent's shader
    ct_sjson_value shader_value;
    ct_sjson_value options;    // array of names
    ct_sjson_value parameters; // name = number or array; null: the shader's default
    ct_sjson_value textures;   // name = "textures/…"; null: the shader's default
} ct_material_source;

extern const ct_schema ct_material_schema;
extern const ct_blob_layout ct_material_layout, ct_material_parameter_layout,
    ct_material_texture_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_material_validate(const void *blob, ct_error *error);
