// worker_shader_includes.h: the GLSL files that a shader includes, and those that these include.
#pragma once
#include "compiler/types/shader/worker_shader.h"

// Fills `s->includes` with what `includes` of the shader lists and what lines `#include "path"` of
// these files and of the stages name: each file once, behind those that it includes itself. Paths
// are project paths. The lines are blank afterwards, in `includes` and in the stages of
// `s->source`. Reports circles, missing files and lines that say something else, and `#version`,
// each at its line.
void ct_worker_shader_read_includes(ct_compile *c, ct_worker_shader *s);
