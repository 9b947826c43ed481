// worker_texture_blocks.h: pixels in the formats of textures.
#pragma once
#include "compiler/types/texture/worker_texture_levels.h"
#include "resource/types/texture_resource.h"

// Writes the level as `format` (ct_texture_format) has it, ct_texture_layer_bytes of it, to `out`.
// Blocks at the right and lower edge repeat the last pixel. The same bytes on every machine.
// `quality` (ct_texture_quality) says how hard blocks are tried.
void ct_worker_texture_encode(ct_allocator *a, const ct_worker_level *level,
                              const ct_worker_texels *texels, uint32_t format, uint32_t quality,
                              uint8_t *out);
