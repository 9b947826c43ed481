// worker_shader_inputs.h: a part of building shaders: what vertex stages of meshes read.
//
// Vertices are packed: positions and texture coordinates are numbers on the mesh's grid
// (resource/types/mesh_resource.h). Those of skinned meshes are moved by joints, with their normals
// and tangents. A stage declares them as what they mean,
//
//     layout(location = 0) in vec3 position;
//
// and is compiled with another input of that type, and a variable of that name which is made from
// it, the grid and the joints: it needs to know nothing of formats and skins.
#pragma once
#include "foundation/string/string_builder.h"

// A bit for each location that is decoded: 0 position, 1 normal, 2 tangent, 3 uv, 5 uv1.
enum { CT_WORKER_DECODED_INPUTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 };

// Appends the text that must come before declarations that were replaced.
void ct_worker_shader_add_decoders(ct_string_builder *b);

// Appends `text`, GLSL, with the declarations of such inputs replaced; lines stay where they are.
// Returns a bit for the location of each. Declarations in another form than the one above (several
// names, arrays, macros) are left as they are.
uint32_t ct_worker_shader_add_decoded(const char *text, ct_string_builder *b);
