// worker_parameter.h: values of shader parameters as sources write them: a shader's defaults and a
// material's values.
#pragma once
#include "compiler/protocol/compile.h"
#include "resource/types/shader_resource.h"

// The type of this name, "scalar", "vector2", … as sources write it; NONE when there is no such
// type.
ct_shader_parameter_type ct_worker_parameter_type_named(const char *name);

// The types' names, for error messages.
#define CT_WORKER_PARAMETER_TYPES "scalar, vector2, vector3, vector4, color, matrix4x4"

// Reads the value `v` of `doc`: a number for scalars, an array for the rest; colours are sRGB, 3 or
// 4 numbers from 0 to 1, and become linear. `value` has 4 places, 16 for a matrix; unused ones are
// 0. Returns false after reporting what is wrong with the parameter `name`.
bool ct_worker_parameter_read(ct_compile *c, const ct_sjson *doc, ct_sjson_value v,
                              const char *name, ct_shader_parameter_type type, float *value);
