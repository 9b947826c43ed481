// worker_shader.h: a shader's source as it is read, and the variants made of it.
//
// The stages of a variant are put together from: the version, a define per option that is on, the
// generated material block, samplers and outputs, the included files, and the stage's own text.
// Stages of meshes have a main of their own around it (worker_shader_velocity.h). `#line` directives lead from there to the lines of the sources. In the pass of a shadow map the
// vertex stage is drawn alone; only a fragment stage that discards is compiled once more for it,
// with SHADOW_PASS defined.
#pragma once
#include "compiler/types/shader/worker_glsl.h"
#include "foundation/container/array.h"
#include "resource/types/render_config_resource.h"
#include "resource/types/shader_resource.h"

typedef struct ct_worker_shader_parameter {
    const char *name;
    ct_shader_parameter_type type;
    float default_value[CT_SHADER_MAX_FLOATS];
    uint32_t offset;    // in the block
    uint32_t instanced; // position + 1 among the instanced ones; 0: it is not
    uint32_t line;      // in the source
} ct_worker_shader_parameter;

typedef struct ct_worker_shader_texture {
    const char *name;
    const char *default_texture;
    ct_texture_kind kind;
    uint32_t line; // in the source
} ct_worker_shader_texture;

typedef struct ct_worker_shader_output {
    const char *name;
    ct_render_format format;
    uint32_t line; // in the source
} ct_worker_shader_output;

// A file that GLSL included: its project path, and what it holds.
typedef struct ct_worker_shader_include {
    const char *path;
    const char *text;
} ct_worker_shader_include;

// The modules of a variant, in the order in which the blob has them.
enum {
    CT_WORKER_SHADER_VERTEX,
    CT_WORKER_SHADER_FRAGMENT,
    CT_WORKER_SHADER_SHADOW_FRAGMENT,
    CT_WORKER_SHADER_COMPUTE, // in place of all others
    CT_WORKER_SHADER_MODULES,
};

// Positions in `modules`, and what the options make of the state.
typedef struct ct_worker_shader_variant {
    uint32_t modules[CT_WORKER_SHADER_MODULES]; // + 1; 0: the shader has none
    ct_shader_state state;
} ct_worker_shader_variant;

typedef struct ct_worker_shader {
    ct_shader_source source;
    const char *options[CT_SHADER_MAX_OPTIONS];
    uint32_t num_options;
    CT_ARRAY(ct_worker_shader_parameter) parameters;
    CT_ARRAY(ct_worker_shader_texture) textures;
    ct_worker_shader_output outputs[CT_SHADER_MAX_OUTPUTS];
    uint32_t num_outputs;
    ct_sjson_value states[CT_SHADER_MAX_OPTIONS]; // by option; {0}: it changes nothing
    uint32_t group_size[3];
    CT_ARRAY(ct_worker_shader_include) includes;
    uint32_t block_bytes;
    uint32_t num_instanced;
    bool writes_velocity;              // its stages are wrapped for that (worker_shader_velocity.h)
    bool sets_previous;                // its vertex stage mentions previous_position
    CT_ARRAY(ct_worker_spirv) modules; // distinct
    ct_worker_shader_variant variants[1 << CT_SHADER_MAX_OPTIONS];
} ct_worker_shader;

// Fills `s` but for what is made of it (offsets, block, modules, variants). Reports all errors;
// false when there was any. In worker_shader_read.c.
bool ct_worker_shader_read(ct_compile *c, ct_worker_shader *s);

// Finds the layout of the material block. False after reporting. In worker_shader_build.c.
bool ct_worker_shader_build_block(ct_compile *c, ct_worker_shader *s);

// Compiles all variants and checks that their interfaces fit the renderer's. Stages that do not
// mention an option are compiled once for both of its states, and equal modules are kept once.
bool ct_worker_shader_build_variants(ct_compile *c, ct_worker_shader *s);
