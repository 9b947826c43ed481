// worker_shader_velocity.h: a part of building shaders: how meshes write velocity.
//
// The main functions of a mesh's stages are wrapped: that of the vertex stage also says where the
// vertex is in this frame's picture and where it was in the last one, that of the fragment stage
// writes the difference at CT_RENDER_VELOCITY_LOCATION. Both do so under the constant
// CT_SHADER_VELOCITY_CONSTANT, so that a pipeline without that target has nothing of it. A vertex
// stage that moves points by itself assigns `previous_position`, a point in world space.
#pragma once
#include "compiler/types/shader/worker_shader.h"
#include "foundation/string/string_builder.h"

// Finds whether the shader's stages write velocity, and whether its vertex stage says where it was:
// s->writes_velocity and s->sets_previous.
void ct_worker_shader_find_velocity(ct_worker_shader *s);

// Appends the variable that a vertex stage may assign, also when no velocity is written.
void ct_worker_shader_add_previous(const ct_worker_shader *s, ct_string_builder *b);

// Appends the declarations that the wrapped main needs. Of vertex stages, the decoders of inputs
// (worker_shader_inputs.h) come before them.
void ct_worker_shader_add_velocity(const ct_worker_shader *s, bool is_vertex, ct_string_builder *b);

// Appends what the wrapped main does before the stage's own one, and after it.
void ct_worker_shader_begin_velocity(const ct_worker_shader *s, bool is_vertex,
                                     ct_string_builder *b);
void ct_worker_shader_end_velocity(const ct_worker_shader *s, bool is_vertex, ct_string_builder *b);

// Warns, at the line, when the points of a compiled vertex stage depend on what changes from frame
// to frame, and nothing says where they were. It sets `has_warned` then, and does nothing when that is
// set.
void ct_worker_shader_warn_of_points(ct_compile *c, const ct_worker_shader *s,
                                     const ct_worker_spirv *vertex, bool *has_warned);
