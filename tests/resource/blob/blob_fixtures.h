// blob_fixtures.h: a small valid blob of every type, for tests that damage them.
//
// Each write_<type> starts `w` on test_heap() and finishes the blob; the test changes
// w->bytes.items through the type's struct, and frees it with ct_blob_writer_free.
#pragma once
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "resource/blob/blob_writer.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/flow_fixture.h"
#include "resource/blob/particles_fixture.h"
#include "resource/blob/sound_bus_fixture.h"
#include "resource/blob/sound_event_fixture.h"
#include "resource/blob/state_machine_fixture.h"
#include "resource/types/animation_stream.h"
#include "resource/types/component/actor_data.h"
#include "resource/types/component_resource.h"
#include "resource/types/config_resource.h"
#include "resource/types/environment_resource.h"
#include "resource/types/font_resource.h"
#include "resource/types/gui/gui_theme_resource.h"
#include "resource/types/height_field_resource.h"
#include "resource/types/input_resource.h"
#include "resource/types/lua_resource.h"
#include "resource/types/material_resource.h"
#include "resource/types/mesh_resource.h"
#include "resource/types/navigation/navigation_resource.h"
#include "resource/types/network/network_config_write.h"
#include "resource/types/package_resource.h"
#include "resource/types/physics_resource.h"
#include "resource/types/render_config_resource.h"
#include "resource/types/shader_resource.h"
#include "resource/types/skeleton_resource.h"
#include "resource/types/sound_fixture.h"
#include "resource/types/strings_resource.h"
#include "resource/types/texture_resource.h"
#include "resource/types/unit_resource.h"
#include "support/test_support.h"

static inline void assert_message(const ct_error *error, const char *text) {
    if (!strstr(error->message, text))
        fail_msg("found the error \"%s\", expected one with \"%s\"", error->message, text);
}

// Fails unless `validate` refuses the blob with a message that has `text` in it.
static inline void assert_refused(bool (*validate)(const void *, ct_error *), const void *blob,
                                  const char *text) {
    ct_error error = {0};
    if (validate(blob, &error))
        fail_msg("accepted, expected the error \"%s\"", text);
    assert_message(&error, text);
}

static inline void assert_accepted(bool (*validate)(const void *, ct_error *), const void *blob) {
    ct_error error = {0};
    if (!validate(blob, &error))
        fail_msg("%s", error.message);
}

// An element of an array of the blob, for changing it.
static inline void *item_at(void *blob, ct_blob_array array, uint32_t i, size_t item_bytes) {
    return (char *)blob + array.offset + i * item_bytes;
}
#define ITEM(type, blob, array, i) ((type *)item_at((blob), (array), (i), sizeof(type)))

// Appends zeroes for the fields of a resource struct, which the caller patches.
static inline void start(ct_blob_writer *w, const char *type, uint32_t version,
                         size_t struct_bytes) {
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, type, version);
    ct_array_resize(&w->bytes, (uint32_t)struct_bytes);
}

// Appends an array's bytes, aligned to 16, and patches the field at `field`.
static inline void append_array(ct_blob_writer *w, size_t field, const void *items,
                                size_t item_bytes, uint32_t count) {
    ct_blob_writer_align(w, 16);
    const uint32_t at = ct_blob_write_bytes(w, items, item_bytes * count);
    ct_blob_patch_array(w, (uint32_t)field, at, count);
}

// Appends texts and patches the field at `field`.
static inline void append_strings(ct_blob_writer *w, size_t field, const char *const *texts,
                                  uint32_t count) {
    const ct_blob_array array = ct_blob_write_strings(w, texts, count);
    ct_blob_patch_array(w, (uint32_t)field, array.offset, array.count);
}

static inline void patch(ct_blob_writer *w, size_t field, uint32_t value) {
    ct_blob_patch_u32(w, (uint32_t)field, value);
}

// Overwrites bytes of the fields.
static inline void put(ct_blob_writer *w, size_t field, const void *bytes, size_t count) {
    memcpy(w->bytes.items + field, bytes, count);
}

// 4 x 2 pixels with 3 mips.
static inline void write_texture(ct_blob_writer *w) {
    start(w, "texture", CT_TEXTURE_VERSION, sizeof(ct_texture_resource));
    patch(w, offsetof(ct_texture_resource, format), CT_TEXTURE_FORMAT_RGBA8_SRGB);
    patch(w, offsetof(ct_texture_resource, width), 4);
    patch(w, offsetof(ct_texture_resource, height), 2);
    patch(w, offsetof(ct_texture_resource, num_layers), 1);
    const ct_texture_mip mips[3] = {{4, 2, {0}}, {2, 1, {0}}, {1, 1, {0}}};
    append_array(w, offsetof(ct_texture_resource, mips), mips, sizeof(mips[0]), 3);
    const uint32_t at = ct_blob_writer_offset(w) - (uint32_t)sizeof(mips);
    const uint8_t pixels[4 * 2 * 4] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (uint32_t i = 0; i < 3; ++i)
        append_array(w, at + i * sizeof(mips[0]) + offsetof(ct_texture_mip, pixels), pixels, 1,
                     mips[i].width * mips[i].height * 4);
    ct_blob_writer_finish(w);
}

enum { STREAM_FIXTURE_BYTES = 4 * 2 * 4 };

// The same with the first mip in a stream: bytes of `value`, which are written to `stream`.
static inline void write_streamed_texture(ct_blob_writer *w, uint8_t value,
                                          uint8_t stream[STREAM_FIXTURE_BYTES]) {
    start(w, "texture", CT_TEXTURE_VERSION, sizeof(ct_texture_resource));
    patch(w, offsetof(ct_texture_resource, format), CT_TEXTURE_FORMAT_RGBA8_SRGB);
    patch(w, offsetof(ct_texture_resource, width), 4);
    patch(w, offsetof(ct_texture_resource, height), 2);
    patch(w, offsetof(ct_texture_resource, num_layers), 1);
    patch(w, offsetof(ct_texture_resource, num_streamed), 1);
    memset(stream, value, STREAM_FIXTURE_BYTES);
    const size_t field = offsetof(ct_texture_resource, stream);
    ct_blob_patch_u64(w, (uint32_t)(field + offsetof(ct_blob_stream, hash)),
                      ct_content_hash(stream, STREAM_FIXTURE_BYTES));
    patch(w, field + offsetof(ct_blob_stream, bytes), STREAM_FIXTURE_BYTES);
    const ct_texture_mip mips[3] = {{4, 2, {0}}, {2, 1, {0}}, {1, 1, {0}}};
    append_array(w, offsetof(ct_texture_resource, mips), mips, sizeof(mips[0]), 3);
    const uint32_t at = ct_blob_writer_offset(w) - (uint32_t)sizeof(mips);
    const uint8_t pixels[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const uint32_t pixels_field = at + offsetof(ct_texture_mip, pixels);
    append_array(w, pixels_field + 2 * sizeof(mips[0]), pixels, 1, 4);
    append_array(w, pixels_field + sizeof(mips[0]), pixels, 1, 8);
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    ct_blob_patch_array(w, pixels_field, ct_blob_writer_offset(w), STREAM_FIXTURE_BYTES);
    ct_blob_writer_finish(w);
}

static inline void write_texture_with_stream(ct_blob_writer *w) {
    uint8_t stream[STREAM_FIXTURE_BYTES];
    write_streamed_texture(w, 9, stream);
}

// A texture of 6 x 6 pixels with the layers, in compressed blocks: the last of its mips is 1 x 1.
static inline void write_layered_texture(ct_blob_writer *w, ct_texture_kind kind,
                                         uint32_t num_layers) {
    static const uint32_t sides[] = {6, 3, 1};
    start(w, "texture", CT_TEXTURE_VERSION, sizeof(ct_texture_resource));
    patch(w, offsetof(ct_texture_resource, format), CT_TEXTURE_FORMAT_BC5);
    patch(w, offsetof(ct_texture_resource, kind), kind);
    patch(w, offsetof(ct_texture_resource, width), 6);
    patch(w, offsetof(ct_texture_resource, height), 6);
    patch(w, offsetof(ct_texture_resource, num_layers), num_layers);
    const ct_texture_mip mips[3] = {
        {sides[0], sides[0], {0}}, {sides[1], sides[1], {0}}, {sides[2], sides[2], {0}}};
    append_array(w, offsetof(ct_texture_resource, mips), mips, sizeof(mips[0]), 3);
    const uint32_t at = ct_blob_writer_offset(w) - (uint32_t)sizeof(mips);
    for (uint32_t i = 3; i-- > 0;) {
        const uint64_t bytes =
            ct_texture_layer_bytes(CT_TEXTURE_FORMAT_BC5, sides[i], sides[i]) * num_layers;
        ct_blob_writer_align(w, 16);
        const uint32_t pixels = ct_blob_write_zeroes(w, bytes);
        ct_blob_patch_array(w, at + i * sizeof(mips[0]) + offsetof(ct_texture_mip, pixels), pixels,
                            (uint32_t)bytes);
    }
    ct_blob_writer_finish(w);
}

static inline void write_cube_texture(ct_blob_writer *w) {
    write_layered_texture(w, CT_TEXTURE_KIND_CUBE, CT_TEXTURE_CUBE_LAYERS);
}

// What all meshes here have: two triangles of 4 vertices in two parts, 16-bit indices; a level of
// detail of one triangle; a box of one triangle for collision.
static inline void append_mesh_rest(ct_blob_writer *w) {
    const uint16_t indices[9] = {0, 1, 2, 0, 2, 3, 0, 1, 3};
    const ct_mesh_part parts[2] = {{0, 3, {11}, 0}, {3, 3, {12}, 0}};
    const ct_mesh_lod lods[1] = {{.screen_size = 0.25f, .error = 0.5f}};
    const ct_mesh_part lod_parts[2] = {{6, 3, {11}, 0}, {9, 0, {12}, 0}};
    const float points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    const uint32_t shape_indices[3] = {0, 1, 2};
    const ct_mesh_shape shapes[1] = {{.name = {13},
                                      .use = CT_MESH_SHAPE_USE_COLLISION,
                                      .kind = CT_MESH_SHAPE_KIND_BOX,
                                      .num_points = 3,
                                      .num_indices = 3,
                                      .center = {0.5f, 1, 0},
                                      .rotation = {0, 0, 0, 1},
                                      .half_size = {0.5f, 1, 0},
                                      .radius = 1.2f}};
    append_array(w, offsetof(ct_mesh_resource, indices), indices, 2, 9);
    append_array(w, offsetof(ct_mesh_resource, parts), parts, sizeof(parts[0]), 2);
    append_array(w, offsetof(ct_mesh_resource, lods), lods, sizeof(lods[0]), 1);
    append_array(w, offsetof(ct_mesh_resource, lod_parts), lod_parts, sizeof(lod_parts[0]), 2);
    append_array(w, offsetof(ct_mesh_resource, shapes), shapes, sizeof(shapes[0]), 1);
    append_array(w, offsetof(ct_mesh_resource, shape_points), points, sizeof(points[0]), 3);
    append_array(w, offsetof(ct_mesh_resource, shape_indices), shape_indices, 4, 3);
    ct_blob_writer_finish(w);
}

static inline void start_mesh(ct_blob_writer *w, uint32_t format) {
    start(w, "mesh", CT_MESH_VERSION, sizeof(ct_mesh_resource));
    const float box[7] = {0, 0, 0, 1, 1, 0, 0.8f};
    put(w, offsetof(ct_mesh_resource, bounds_min), box, sizeof(box));
    patch(w, offsetof(ct_mesh_resource, index_bytes), 2);
    patch(w, offsetof(ct_mesh_resource, num_vertices), 4);
    patch(w, offsetof(ct_mesh_resource, num_indices), 9);
    patch(w, offsetof(ct_mesh_resource, format), format);
}

// With full vertices, and colours.
static inline void write_mesh(ct_blob_writer *w) {
    start_mesh(w, CT_MESH_FORMAT_FULL);
    ct_mesh_vertex vertices[4];
    memset(vertices, 0, sizeof(vertices));
    vertices[1].position[0] = vertices[2].position[0] = 1;
    vertices[2].position[1] = vertices[3].position[1] = 1;
    const ct_mesh_vertex_extra extras[4] = {{{65535, 0, 0, 65535}, {0, 1}}};
    append_array(w, offsetof(ct_mesh_resource, vertices), vertices, sizeof(vertices[0]), 4);
    append_array(w, offsetof(ct_mesh_resource, extras), extras, sizeof(extras[0]), 4);
    append_mesh_rest(w);
}

// With full vertices and two collision shapes of a square of two triangles: as its hull, a
// tetrahedron on it, and as a tree of its triangles.
static inline void write_mesh_with_collision(ct_blob_writer *w) {
    const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};
    const uint32_t shape_indices[6] = {0, 1, 2, 0, 2, 3};
    const float points[4][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    const ct_mesh_part part = {0, 6, {11}, 0};
    const float corners[4][3] = {
        {-0.5f, -0.5f, -0.5f}, {1.5f, -0.5f, -0.5f}, {-0.5f, 1.5f, -0.5f}, {-0.5f, -0.5f, 1.5f}};
    const ct_mesh_hull hull = {.center = {0.5f, 0.5f, 0.5f}, .volume = 4.0f / 3, .num_points = 4};
    const ct_mesh_tree_node nodes[3] = {{{0, 0, 0}, {65534, 65534, 3}, -3},
                                        {{0, 0, 0}, {65534, 65534, 3}, 0},
                                        {{0, 0, 0}, {65534, 65534, 3}, 1}};
    ct_mesh_shape shapes[2] = {{.name = {13},
                                .kind = CT_MESH_SHAPE_KIND_CONVEX,
                                .num_points = 4,
                                .num_indices = 6,
                                .center = {1, 1, 0},
                                .rotation = {0, 0, 0, 1},
                                .half_size = {1, 1, 0},
                                .radius = 1.5f}};
    shapes[1] = shapes[0];
    shapes[0].num_hulls = 1;
    shapes[1].kind = CT_MESH_SHAPE_KIND_MESH;
    shapes[1].num_nodes = 3;
    for (uint32_t k = 0; k < 3; ++k) {
        shapes[1].tree_most[k] = 2;
        shapes[1].tree_steps[k] = 32767;
    }
    ct_mesh_vertex vertices[4];
    memset(vertices, 0, sizeof(vertices));
    vertices[1].position[0] = vertices[2].position[0] = 1;
    vertices[2].position[1] = vertices[3].position[1] = 1;
    start_mesh(w, CT_MESH_FORMAT_FULL);
    patch(w, offsetof(ct_mesh_resource, num_indices), 6);
    append_array(w, offsetof(ct_mesh_resource, vertices), vertices, sizeof(vertices[0]), 4);
    append_array(w, offsetof(ct_mesh_resource, indices), indices, 2, 6);
    append_array(w, offsetof(ct_mesh_resource, parts), &part, sizeof(part), 1);
    append_array(w, offsetof(ct_mesh_resource, shapes), shapes, sizeof(shapes[0]), 2);
    append_array(w, offsetof(ct_mesh_resource, shape_points), points, sizeof(points[0]), 4);
    append_array(w, offsetof(ct_mesh_resource, shape_indices), shape_indices, 4, 6);
    append_array(w, offsetof(ct_mesh_resource, hulls), &hull, sizeof(hull), 1);
    append_array(w, offsetof(ct_mesh_resource, hull_points), corners, sizeof(corners[0]), 4);
    append_array(w, offsetof(ct_mesh_resource, tree_nodes), nodes, sizeof(nodes[0]), 3);
    ct_blob_writer_finish(w);
}

// Two joints, which move the vertices of a mesh: with 4 or 8 influences.
static inline void append_skin(ct_blob_writer *w, uint32_t num_influences) {
    ct_mesh_skin_joint joints[2] = {{.name = {0x11}, .radius = 2}, {.name = {0x22}, .radius = -1}};
    static const char *const names[] = {"hip", "knee"};
    for (uint32_t i = 0; i < 2; ++i) {
        for (uint32_t k = 0; k < 3; ++k)
            joints[i].inverse_bind[k][k] = 1;
        joints[i].name_text = ct_blob_write_string(w, names[i], strlen(names[i]));
    }
    const ct_mesh_influences4 fours[4] = {
        {{0}, {255}}, {{1, 0}, {200, 55}}, {{1}, {255}}, {{0, 1}, {128, 127}}};
    const ct_mesh_influences8 eights[4] = {
        {{0}, {255}}, {{1, 0}, {200, 55}}, {{1}, {255}}, {{0, 1}, {128, 127}}};
    const bool is_four = num_influences == 4;
    patch(w, offsetof(ct_mesh_resource, num_influences), num_influences);
    append_array(w, offsetof(ct_mesh_resource, skin_joints), joints, sizeof(joints[0]), 2);
    append_array(w, offsetof(ct_mesh_resource, influences),
                 is_four ? (const void *)fours : (const void *)eights,
                 is_four ? sizeof(fours[0]) : sizeof(eights[0]), 4);
}

// With full vertices and 4 influences, or 8.
static inline void write_skinned_mesh(ct_blob_writer *w, uint32_t num_influences) {
    start_mesh(w, CT_MESH_FORMAT_FULL);
    ct_mesh_vertex vertices[4];
    memset(vertices, 0, sizeof(vertices));
    vertices[1].position[0] = vertices[2].position[0] = 1;
    vertices[2].position[1] = vertices[3].position[1] = 1;
    append_array(w, offsetof(ct_mesh_resource, vertices), vertices, sizeof(vertices[0]), 4);
    append_skin(w, num_influences);
    append_mesh_rest(w);
}

static inline void write_mesh_of_4(ct_blob_writer *w) {
    write_skinned_mesh(w, 4);
}

static inline void write_mesh_of_8(ct_blob_writer *w) {
    write_skinned_mesh(w, 8);
}

// With packed vertices and colours: from (0 0 0) to (1 1 0), on a grid of steps of 1 / 32768.
static inline void write_packed_mesh(ct_blob_writer *w) {
    start_mesh(w, CT_MESH_FORMAT_PACKED);
    const ct_mesh_grid grid = {.point_offset = {0.5f, 0.5f, 0},
                               .point_scale = 32767.0f / 32768,
                               .uv_scale = {2, 2},
                               .uv1_offset = {-1, -1},
                               .uv1_scale = {2, 2}};
    put(w, offsetof(ct_mesh_resource, grid), &grid, sizeof(grid));
    const uint32_t up = 511u << 20, along = 511u | 3u << 30;
    const ct_mesh_packed_vertex vertices[4] = {
        {{-16384, -16384, 0, 32767}, up, along, {0, 0}},
        {{16384, -16384, 0, 32767}, up, along, {65535, 0}},
        {{16384, 16384, 0, 32767}, up, along, {65535, 65535}},
        {{-16384, 16384, 0, 32767}, up, along, {0, 65535}}};
    const ct_mesh_packed_extra extras[4] = {{{255, 0, 128, 255}, {65535, 0}}};
    append_array(w, offsetof(ct_mesh_resource, vertices), vertices, sizeof(vertices[0]), 4);
    append_array(w, offsetof(ct_mesh_resource, extras), extras, sizeof(extras[0]), 4);
    append_mesh_rest(w);
}

static inline void write_wide_uv_mesh(ct_blob_writer *w) {
    start_mesh(w, CT_MESH_FORMAT_PACKED_WIDE_UV);
    const ct_mesh_wide_uv_vertex vertices[4] = {{.uv = {300.25f, -7}}};
    const ct_mesh_wide_uv_extra extras[4] = {{{255, 0, 128, 255}, {100.5f, 0}}};
    append_array(w, offsetof(ct_mesh_resource, vertices), vertices, sizeof(vertices[0]), 4);
    append_array(w, offsetof(ct_mesh_resource, extras), extras, sizeof(extras[0]), 4);
    append_mesh_rest(w);
}

// One option (two variants), two parameters, two textures.
static inline void write_shader(ct_blob_writer *w) {
    start(w, "shader", CT_SHADER_VERSION, sizeof(ct_shader_resource));
    patch(w, offsetof(ct_shader_resource, block_bytes), 32);
    const ct_string_id32 options[1] = {{21}};
    const ct_shader_parameter parameters[2] = {
        {{31}, CT_SHADER_PARAMETER_TYPE_COLOR, 0, 0, {1, 1, 1, 1}},
        {{32}, CT_SHADER_PARAMETER_TYPE_SCALAR, 16, 0, {0.5f, 0, 0, 0}}};
    const ct_shader_texture textures[2] = {{{41}, 1, CT_TEXTURE_KIND_2D, 0, {51}},
                                           {{42}, 2, CT_TEXTURE_KIND_CUBE, 0, {52}}};
    const ct_shader_variant variants[2] = {
        {.options = 0, .state = {.depth_test = 1, .casts_shadows = 1}},
        {.options = 1, .state = {.depth_test = 1, .casts_shadows = 1}}};
    const uint32_t words[6] = {0x07230203, 0x10000, 0, 8, 0, 0};
    append_array(w, offsetof(ct_shader_resource, options), options, 4, 1);
    append_array(w, offsetof(ct_shader_resource, parameters), parameters, sizeof(parameters[0]), 2);
    append_array(w, offsetof(ct_shader_resource, textures), textures, sizeof(textures[0]), 2);
    static const char *const layer_names[2] = {"opaque", "transparent"};
    append_strings(w, offsetof(ct_shader_resource, layer_names), layer_names, 2);
    append_array(w, offsetof(ct_shader_resource, variants), variants, sizeof(variants[0]), 2);
    const uint32_t at = ct_blob_writer_offset(w) - (uint32_t)sizeof(variants);
    for (uint32_t i = 0; i < 2; ++i) {
        const size_t variant = at + i * sizeof(variants[0]);
        append_array(w, variant + offsetof(ct_shader_variant, vertex), words, 4, 6);
        append_array(w, variant + offsetof(ct_shader_variant, fragment), words, 4, 6);
        if (i == 1)
            append_array(w, variant + offsetof(ct_shader_variant, shadow_fragment), words, 4, 6);
    }
    ct_blob_writer_finish(w);
}

static inline void write_material(ct_blob_writer *w) {
    start(w, "material", CT_MATERIAL_VERSION, sizeof(ct_material_resource));
    const uint64_t shader = ct_string_id64_of("shaders/standard").value;
    put(w, offsetof(ct_material_resource, shader), &shader, sizeof(shader));
    const ct_string_id32 options[1] = {{21}};
    const ct_material_parameter parameters[1] = {{{31}, 3, {1, 0.5f, 0, 0}}};
    const ct_material_texture textures[1] = {{{41}, 0, {51}}};
    append_array(w, offsetof(ct_material_resource, options), options, 4, 1);
    append_array(w, offsetof(ct_material_resource, parameters), parameters, sizeof(parameters[0]),
                 1);
    append_array(w, offsetof(ct_material_resource, textures), textures, sizeof(textures[0]), 1);
    ct_blob_writer_finish(w);
}

// Targets color (1) and depth (2), layer opaque (5), steps clear, draw_layer, fullscreen_pass,
// cascaded_shadows.
static inline void write_render_config(ct_blob_writer *w) {
    typedef ct_render_config_resource config;
    start(w, "render_config", CT_RENDER_CONFIG_VERSION, sizeof(config));
    const float lod_bias = 2;
    put(w, offsetof(config, lod_bias.numbers), &lod_bias, sizeof(lod_bias));
    const ct_string_id32 back_buffer = ct_string_id32_of("back_buffer");
    const ct_render_target targets[2] = {
        {{1},
         CT_RENDER_FORMAT_RGBA16F,
         1,
         1,
         0,
         0,
         .format_setting = 2,
         .size_setting = 3,
         .has_history = 1},
        {.name = {2}, .format = CT_RENDER_FORMAT_D32F, .width = 64, .height = 64, .num_mips = 1}};
    const ct_render_layer layers[1] = {{{5}, CT_RENDER_SORT_MATERIAL, 1, {{1}}, {2}, {0}}};
    const ct_render_step steps[7] = {
        {.type = CT_RENDER_STEP_TYPE_CLEAR,
         .num_color_targets = 1,
         .color_targets = {{1}},
         .depth_target = {2},
         .clear_depth = 1},
        {.type = CT_RENDER_STEP_TYPE_DRAW_LAYER, .layer = {5}, .enabled = {1, {{0, 2}}}},
        {.type = CT_RENDER_STEP_TYPE_FULLSCREEN_PASS,
         .num_color_targets = 1,
         .color_targets = {back_buffer},
         .num_inputs = 1,
         .inputs = {{{1}, 1, CT_RENDER_ALL_MIPS, 1}},
         .num_parameters = 1,
         .parameters = {{{7}, 2}},
         .shader = {77}},
        {.type = CT_RENDER_STEP_TYPE_COPY,
         .num_color_targets = 1,
         .color_targets = {back_buffer},
         .num_inputs = 1,
         .inputs = {{{1}, 0, 0, 0}}},
        {.type = CT_RENDER_STEP_TYPE_GENERATE_MIPS, .num_color_targets = 1, .color_targets = {{1}}},
        {.type = CT_RENDER_STEP_TYPE_COMPUTE,
         .num_inputs = 1,
         .inputs = {{{2}, 1, 0, 0}},
         .num_outputs = 1,
         .outputs = {{{1}, 3}},
         .groups = {4, 4, 1},
         .shader = {78}},
        {.type = CT_RENDER_STEP_TYPE_CASCADED_SHADOWS,
         .depth_target = {2},
         .num_cascades = {.numbers = {4}},
         .shadow_distance = {.setting = 3},
         .split_lambda = {.numbers = {0.5f}},
         .on_cpu = {.setting = 1}}};
    const ct_render_setting settings[3] = {
        {.type = CT_RENDER_SETTING_TYPE_BOOL, .most = 1},
        {.type = CT_RENDER_SETTING_TYPE_CHOICE, .most = 1, .default_value = {1}},
        {.type = CT_RENDER_SETTING_TYPE_NUMBER, .least = 0.5f, .most = 2, .default_value = {1}}};
    static const char *const setting_names[3] = {"bloom", "quality", "scale"};
    const ct_render_generator generators[2] = {{{8}, 0, 2}, {{9}, 2, 5}};
    const ct_render_viewport viewports[1] = {{{10}, 0, {0}}};
    const uint32_t numbers[2] = {0, 1};
    append_array(w, offsetof(config, targets), targets, sizeof(targets[0]), 2);
    static const char *const layer_names[1] = {"opaque"};
    append_array(w, offsetof(config, layers), layers, sizeof(layers[0]), 1);
    append_strings(w, offsetof(config, layer_names), layer_names, 1);
    static const char *const step_names[7] = {"", "opaque", "", "bloom", "", "", "shadows"};
    append_array(w, offsetof(config, steps), steps, sizeof(steps[0]), 7);
    append_strings(w, offsetof(config, step_names), step_names, 7);
    append_array(w, offsetof(config, generators), generators, sizeof(generators[0]), 2);
    append_array(w, offsetof(config, viewports), viewports, sizeof(viewports[0]), 1);
    const uint32_t at = ct_blob_writer_offset(w) - (uint32_t)sizeof(viewports);
    append_array(w, at + offsetof(ct_render_viewport, generators), numbers, 4, 2);
    append_array(w, offsetof(config, settings), settings, sizeof(settings[0]), 3);
    const uint32_t settings_at = ct_blob_writer_offset(w) - (uint32_t)sizeof(settings);
    for (uint32_t i = 0; i < 3; ++i)
        ct_blob_patch_string(w, settings_at + i * (uint32_t)sizeof(settings[0]), setting_names[i],
                             (uint32_t)strlen(setting_names[i]));
    const ct_blob_string choices[2] = {{0, 0}, {0, 0}};
    append_array(w, settings_at + sizeof(settings[0]) + offsetof(ct_render_setting, choices),
                 choices, sizeof(choices[0]), 2);
    const uint32_t choices_at = ct_blob_writer_offset(w) - (uint32_t)sizeof(choices);
    ct_blob_patch_string(w, choices_at, "RGBA8", 5);
    ct_blob_patch_string(w, choices_at + (uint32_t)sizeof(choices[0]), "RGBA16F", 7);
    const ct_render_preset presets[1] = {{{0, 0}, {0, 0}}};
    const ct_render_preset_value preset_values[2] = {{0, {1}}, {2, {0.75f}}};
    append_array(w, offsetof(config, presets), presets, sizeof(presets[0]), 1);
    const uint32_t presets_at = ct_blob_writer_offset(w) - (uint32_t)sizeof(presets);
    append_array(w, presets_at + offsetof(ct_render_preset, values), preset_values,
                 sizeof(preset_values[0]), 2);
    ct_blob_patch_string(w, presets_at, "low", 3);
    ct_blob_writer_finish(w);
}

// Three entities, two of them children: transforms for all, a scene graph of two nodes and a mesh
// for the last, and instances of three component types that nobody knows, the second of varying
// size, the third made of the same; then an actor of two shapes and a trigger of one.
// `template_at` is where ct_entity_template stands.
static inline void append_template(ct_blob_writer *w, uint32_t template_at) {
    const uint32_t parents[3] = {CT_NO_PARENT, 0, 1}, owners[4] = {0, 1, 2, 2},
                   ids[3] = {61, 62, 63};
    const ct_schema *const transform = ct_component_type_named("transform")->schema;
    const ct_schema *const node = ct_component_type_named("scene_graph")->instance_schema;
    const ct_schema *const mesh = ct_component_type_named("mesh")->schema;
    ct_transform_data poses[3];
    ct_scene_graph_node_data nodes[2];
    ct_mesh_data drawn;
    struct {
        ct_actor_data head;
        ct_actor_shape_data shapes[2];
    } actor;
    struct {
        ct_trigger_data head;
        ct_actor_shape_data shape;
        ct_string_id32 tags[2]; // one, and what ends an odd number
    } trigger = {.tags = {{81}}};
    ct_schema_defaults(&ct_actor_head_schema, &actor.head);
    ct_schema_defaults(&ct_trigger_head_schema, &trigger.head);
    ct_schema_defaults(&ct_actor_shape_schema, &actor.shapes[0]);
    actor.shapes[1] = trigger.shape = actor.shapes[0];
    actor.shapes[1].type = CT_ACTOR_SHAPE_MESH;
    actor.shapes[1].resource.value = 71;
    actor.head.num_shapes = 2;
    trigger.head.num_shapes = trigger.head.num_tags = 1;
    for (uint32_t i = 0; i < 3; ++i)
        ct_schema_defaults(transform, &poses[i]);
    for (uint32_t i = 0; i < 2; ++i) {
        ct_schema_defaults(node, &nodes[i]);
        nodes[i].name.value = 91 + i;
        nodes[i].parent = i;
    }
    ct_schema_defaults(mesh, &drawn);
    drawn.mesh.value = 71;
    drawn.node.value = 92;
    const ct_component_instances types[8] = {
        {.type = ct_string_id32_of("transform"), .instance_bytes = sizeof(ct_transform_data)},
        {.type = ct_string_id32_of("scene_graph"), .instance_bytes = sizeof(nodes[0])},
        {.type = ct_string_id32_of("mesh"), .instance_bytes = sizeof(ct_mesh_data)},
        {.type = ct_string_id32_of("from_a_plugin"), .instance_bytes = 12},
        {.type = ct_string_id32_of("of_varying_size")},
        {.type = ct_string_id32_of("of_one_kind"), .instance_bytes = 12},
        {.type = ct_string_id32_of("actor")},
        {.type = ct_string_id32_of("trigger")}};
    patch(w, template_at, 3);
    append_array(w, template_at + offsetof(ct_entity_template, parents), parents, 4, 3);
    append_array(w, template_at + offsetof(ct_entity_template, component_types), types,
                 sizeof(types[0]), CT_COUNT_OF(types));
    const uint32_t first = ct_blob_writer_offset(w) - (uint32_t)sizeof(types);
    const void *const data[8] = {
        poses,          nodes,  &drawn,  "twelve bytes", "eight, and sixteen bytes",
        "twelve other", &actor, &trigger};
    const uint32_t counts[8] = {3, 2, 1, 1, 2, 2, 1, 1}, data_index[2] = {0};
    const uint32_t offsets[8][4] = {
        [4] = {0, 8, 24}, [6] = {0, sizeof(actor)}, [7] = {0, sizeof(trigger)}};
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i) {
        const uint32_t total_bytes = offsets[i][counts[i]];
        const size_t at = first + i * sizeof(types[0]);
        append_array(w, at + offsetof(ct_component_instances, entity_index),
                     counts[i] == 3 ? owners : owners + 2, 4, counts[i]);
        append_array(w, at + offsetof(ct_component_instances, ids), ids, 4, counts[i]);
        const uint32_t bytes = types[i].instance_bytes;
        append_array(w, at + offsetof(ct_component_instances, data), data[i], bytes ? bytes : 1,
                     i == 5  ? 1
                     : bytes ? counts[i]
                             : total_bytes);
        if (i == 5)
            append_array(w, at + offsetof(ct_component_instances, data_index), data_index, 4, 2);
        if (bytes == 0)
            append_array(w, at + offsetof(ct_component_instances, offsets), offsets[i], 4,
                         counts[i] + 1);
    }
}

static inline void write_unit(ct_blob_writer *w) {
    start(w, "unit", CT_UNIT_VERSION, sizeof(ct_unit_resource));
    append_template(w, offsetof(ct_unit_resource, entities));
    ct_blob_writer_finish(w);
}

// A tetrahedron and a sphere, a line of two points, and a marker.
static inline void append_members(ct_blob_writer *w) {
    static const float planes[4][4] = {
        {-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {0.57735f, 0.57735f, 0.57735f, 0.57735f}};
    static const float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t triangles[12] = {0, 3, 2, 0, 1, 3, 0, 2, 1, 1, 2, 3};
    static const float ends[2][3] = {{0, 0, 0}, {16, 0, 0}};
    static const float controls[4][3] = {{0, 0, 0}, {5, 0, 0}, {11, 0, 0}, {16, 0, 0}};
    ct_level_volume volumes[2] = {{.id = {83}, .name = {84}, .type = CT_LEVEL_VOLUME_CONVEX},
                                  {.id = {85}, .name = {86}, .type = CT_LEVEL_VOLUME_SPHERE}};
    ct_level_spline spline = {.id = {87}, .name = {88}};
    ct_level_marker marker = {.id = {89}, .name = {90}, .rotation = {0, 0, 0, 1}};
    float lengths[CT_LEVEL_SPLINE_STEPS + 1];
    for (uint32_t i = 0; i <= CT_LEVEL_SPLINE_STEPS; ++i)
        lengths[i] = (float)i;
    for (uint32_t i = 0; i < 2; ++i) {
        volumes[i].rotation[3] = 1;
        for (uint32_t k = 0; k < 3; ++k)
            volumes[i].scale[k] = volumes[i].half_size[k] = 1;
        volumes[i].name_text = ct_blob_write_string(w, i ? "ball" : "tent", 4);
        volumes[i].purpose_text = ct_blob_write_string(w, "fog", 3);
    }
    spline.name_text = marker.name_text = ct_blob_write_string(w, "path", 4);
    spline.purpose_text = marker.purpose_text = ct_blob_write_string(w, "", 0);
    volumes[0].planes = ct_blob_write_items(w, &ct_level_plane_layout, planes, 4);
    volumes[0].points = ct_blob_write_items(w, &ct_level_point_layout, points, 4);
    volumes[0].triangles = ct_blob_write_items(w, &ct_blob_u32_layout, triangles, 12);
    spline.points = ct_blob_write_items(w, &ct_level_point_layout, ends, 2);
    spline.controls = ct_blob_write_items(w, &ct_level_point_layout, controls, 4);
    spline.lengths =
        ct_blob_write_items(w, &ct_blob_u32_layout, lengths, CT_LEVEL_SPLINE_STEPS + 1);
    append_array(w, offsetof(ct_level_resource, volumes), volumes, sizeof(volumes[0]), 2);
    append_array(w, offsetof(ct_level_resource, splines), &spline, sizeof(spline), 1);
    append_array(w, offsetof(ct_level_resource, markers), &marker, sizeof(marker), 1);
}

static inline void write_level(ct_blob_writer *w) {
    start(w, "level", CT_LEVEL_VERSION, sizeof(ct_level_resource));
    const ct_level_unit units[1] = {{{81}, {82}, 0}};
    append_template(w, offsetof(ct_level_resource, entities));
    append_array(w, offsetof(ct_level_resource, units), units, sizeof(units[0]), 1);
    append_members(w);
    ct_blob_writer_finish(w);
}

static inline void write_package(ct_blob_writer *w, const ct_resource_id *ids, uint32_t count) {
    start(w, "package", CT_PACKAGE_VERSION, sizeof(ct_package_resource));
    append_array(w, offsetof(ct_package_resource, resources), ids, sizeof(ids[0]), count);
    ct_blob_writer_finish(w);
}

static inline void write_small_package(ct_blob_writer *w) {
    const ct_resource_id ids[2] = {ct_resource_id_of("texture", "a"),
                                   ct_resource_id_of("unit", "b")};
    write_package(w, ids, 2);
}

// { title = "Crates" window = { width = 640 is_full = true } list = [ 7 ] }, breadth first.
static inline void write_config(ct_blob_writer *w) {
    start(w, "config", CT_CONFIG_VERSION, sizeof(ct_config_resource));
    const ct_config_node nodes[7] = {{.type = CT_SJSON_TYPE_OBJECT, .first = 1, .count = 3},
                                     {.type = CT_SJSON_TYPE_STRING},
                                     {.type = CT_SJSON_TYPE_OBJECT, .first = 4, .count = 2},
                                     {.type = CT_SJSON_TYPE_ARRAY, .first = 6, .count = 1},
                                     {.type = CT_SJSON_TYPE_NUMBER, .number = 640},
                                     {.type = CT_SJSON_TYPE_BOOL, .number = 1},
                                     {.type = CT_SJSON_TYPE_NUMBER, .number = 7}};
    const char *const keys[7] = {NULL, "title", "window", "list", "width", "is_full", NULL};
    append_array(w, offsetof(ct_config_resource, nodes), nodes, sizeof(nodes[0]), 7);
    const uint32_t first = ct_blob_writer_offset(w) - (uint32_t)sizeof(nodes);
    for (uint32_t i = 0; i < 7; ++i) {
        const uint32_t at = first + i * (uint32_t)sizeof(nodes[0]);
        if (keys[i])
            ct_blob_patch_string(w, at + (uint32_t)offsetof(ct_config_node, key), keys[i],
                                 (uint32_t)strlen(keys[i]));
        if (nodes[i].type == CT_SJSON_TYPE_STRING)
            ct_blob_patch_string(w, at + (uint32_t)offsetof(ct_config_node, text), "Crates", 6);
    }
    ct_blob_writer_finish(w);
}

// Polish: { apples = { one = "{count} apple" few = "{count} apples" other = "apples" }
// title = `title` }.
static inline void write_strings_titled(ct_blob_writer *w, const char *title) {
    const ct_plural_relation rules[5] = {{CT_PLURAL_ONE, CT_PLURAL_OPERAND_N, 0, 1, 0, 1, 1},
                                         {CT_PLURAL_FEW, CT_PLURAL_OPERAND_V, 0, 0, 0, 0, 0},
                                         {CT_PLURAL_FEW, CT_PLURAL_OPERAND_I, 0, 0, 10, 2, 4},
                                         {CT_PLURAL_FEW, CT_PLURAL_OPERAND_I, 1, 1, 100, 12, 14},
                                         {CT_PLURAL_MANY, CT_PLURAL_OPERAND_V, 0, 1, 0, 0, 0}};
    const ct_strings_form forms[4] = {{CT_PLURAL_OTHER, {0, 0}},
                                      {CT_PLURAL_ONE, {0, 0}},
                                      {CT_PLURAL_FEW, {0, 0}},
                                      {CT_PLURAL_OTHER, {0, 0}}};
    const char *const texts[4] = {"apples", "{count} apple", "{count} apples", title};
    const char *keys[2] = {"apples", "title"};
    ct_strings_entry entries[2] = {{ct_string_id32_of(keys[0]), {0, 0}, 0, 3},
                                   {ct_string_id32_of(keys[1]), {0, 0}, 3, 1}};
    if (entries[0].id.value > entries[1].id.value) {
        const ct_strings_entry first = entries[0];
        entries[0] = entries[1];
        entries[1] = first;
        keys[0] = "title";
        keys[1] = "apples";
    }
    start(w, "strings", CT_STRINGS_VERSION, sizeof(ct_strings_resource));
    append_array(w, offsetof(ct_strings_resource, rules), rules, sizeof(rules[0]), 5);
    append_array(w, offsetof(ct_strings_resource, entries), entries, sizeof(entries[0]), 2);
    const uint32_t entries_at = ct_blob_writer_offset(w) - (uint32_t)sizeof(entries);
    append_array(w, offsetof(ct_strings_resource, forms), forms, sizeof(forms[0]), 4);
    const uint32_t forms_at = ct_blob_writer_offset(w) - (uint32_t)sizeof(forms);
    ct_blob_patch_string(w, offsetof(ct_strings_resource, language), "pl", 2);
    for (uint32_t i = 0; i < 2; ++i)
        ct_blob_patch_string(w,
                             entries_at + i * (uint32_t)sizeof(entries[0]) +
                                 (uint32_t)offsetof(ct_strings_entry, key),
                             keys[i], (uint32_t)strlen(keys[i]));
    for (uint32_t i = 0; i < 4; ++i)
        ct_blob_patch_string(w,
                             forms_at + i * (uint32_t)sizeof(forms[0]) +
                                 (uint32_t)offsetof(ct_strings_form, text),
                             texts[i], (uint32_t)strlen(texts[i]));
    ct_blob_writer_finish(w);
}

// --- A skeleton ----------------------------------------------------------------------------------

// Two joints: hips, and the spine above them.
static inline void write_skeleton(ct_blob_writer *w) {
    static const char *const names[2] = {"hips", "spine"};
    ct_skeleton_resource s = {.hash = 7, .shell = 0.03f};
    ct_skeleton_joint joints[2];
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "skeleton", CT_SKELETON_VERSION);
    ct_blob_begin(w, &ct_skeleton_layout);
    s.joints = ct_blob_reserve_items(w, &ct_skeleton_joint_layout, 2);
    for (uint32_t i = 0; i < 2; ++i)
        joints[i] =
            (ct_skeleton_joint){.name_text = ct_blob_write_string(w, names[i], strlen(names[i])),
                                .name = ct_string_id32_of(names[i]),
                                .parent = i ? 0 : CT_SKELETON_NO_PARENT,
                                .position = {0, 0, 1},
                                .rotation = {0, 0, 0, 1},
                                .scale = {1, 1, 1}};
    ct_blob_fill_items(w, &ct_skeleton_joint_layout, s.joints, joints);
    ct_blob_end(w, &ct_skeleton_layout, &s);
    ct_blob_writer_finish(w);
}

// --- Physics -------------------------------------------------------------------------------------

// Two materials and two filters, of which the second does not collide with itself, a pair and a
// template of wood.
static inline void write_physics(ct_blob_writer *w) {
    static const char *const names[2] = {"default", "wood"};
    ct_physics_resource p = {.gravity = {0, 0, -9.82f},
                             .step = 0.02f,
                             .max_steps = 4,
                             .solver_iterations = 10,
                             .sleep_linear = 0.8f,
                             .sleep_angular = 1};
    ct_physics_material materials[2];
    ct_physics_filter filters[2];
    const ct_physics_pair pair = {.a = 0, .b = 1, .touch_impulse = 3};
    ct_physics_template template = {.name = ct_string_id32_of("wood")};
    ct_schema_defaults(&ct_actor_head_schema, &template.actor);
    template.actor.material = ct_string_id32_of("wood");
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "physics", CT_PHYSICS_VERSION);
    ct_blob_begin(w, &ct_physics_layout);
    for (uint32_t i = 0; i < 2; ++i) {
        const ct_blob_string text = ct_blob_write_string(w, names[i], strlen(names[i]));
        materials[i] = (ct_physics_material){.name_text = text,
                                             .name = ct_string_id32_of(names[i]),
                                             .friction = 0.5f,
                                             .density = 1000,
                                             .touch_impulse = (float)i + 1};
        filters[i] = (ct_physics_filter){
            .name_text = text, .name = ct_string_id32_of(names[i]), .collides = i ? 1 : 3};
    }
    template.name_text = materials[1].name_text;
    p.materials = ct_blob_write_items(w, &ct_physics_material_layout, materials, 2);
    p.pairs = ct_blob_write_items(w, &ct_physics_pair_layout, &pair, 1);
    p.filters = ct_blob_write_items(w, &ct_physics_filter_layout, filters, 2);
    p.templates = ct_blob_write_items(w, &ct_physics_template_layout, &template, 1);
    ct_blob_end(w, &ct_physics_layout, &p);
    ct_blob_writer_finish(w);
}

// A grid of 3 x 2, whose points are at heights of 0 to 5 metres.
static inline void write_height_field(ct_blob_writer *w) {
    const float heights[6] = {0, 1, 2, 3, 4, 5};
    ct_height_field_resource h = {.columns = 3, .rows = 2, .spacing = {1, 2}, .most = 5};
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "height_field",
                        CT_HEIGHT_FIELD_VERSION);
    ct_blob_begin(w, &ct_height_field_layout);
    h.heights = ct_blob_write_items(w, &ct_blob_u32_layout, heights, 6);
    ct_blob_end(w, &ct_height_field_layout, &h);
    ct_blob_writer_finish(w);
}

// Appends a tile of `count` squares of 4 m in a row along x from the tile's corner. The first begins at
// the side of the tile before, the last ends at that of the tile behind, as the bits 1 and 2 of `sides`
// say.
static inline ct_navigation_tile_resource write_navigation_tile(ct_blob_writer *w, int32_t x,
                                                                uint32_t count, uint32_t sides) {
    ct_navigation_tile_resource tile = {
        .x = x, .max_z = 1, .hash = 1, .input_hash = (uint64_t)x + 2};
    ct_navigation_polygon polygons[2];
    ct_navigation_edge edges[8];
    float vertices[6][3];
    uint16_t triangles[4][3];
    for (uint16_t i = 0; i <= count; ++i) {
        for (uint16_t k = 0; k < 2; ++k) {
            const float at[3] = {(float)(8 * x + 4 * i), (float)(4 * k), 0.5f};
            memcpy(vertices[2 * i + k], at, sizeof(at));
        }
    }
    for (uint16_t i = 0; i < count; ++i) {
        const uint16_t v = (uint16_t)(2 * i), wall = CT_NAVIGATION_EDGE_WALL;
        const uint16_t right = i + 1u < count ? (uint16_t)(i + 1)
                               : sides & 2    ? (uint16_t)CT_NAVIGATION_EDGE_SIDE
                                              : wall;
        const uint16_t left = i > 0       ? (uint16_t)(i - 1)
                              : sides & 1 ? (uint16_t)(CT_NAVIGATION_EDGE_SIDE + 2)
                                          : wall;
        const ct_navigation_edge own[4] = {{v, wall},
                                           {(uint16_t)(v + 2), right},
                                           {(uint16_t)(v + 3), wall},
                                           {(uint16_t)(v + 1), left}};
        const uint16_t two[2][3] = {{v, (uint16_t)(v + 2), (uint16_t)(v + 3)},
                                    {v, (uint16_t)(v + 3), (uint16_t)(v + 1)}};
        memcpy(edges + 4 * i, own, sizeof(own));
        memcpy(triangles + 2 * i, two, sizeof(two));
        polygons[i] = (ct_navigation_polygon){4u * i, 2u * i, 2, 4, (uint8_t)i};
    }
    tile.polygons = ct_blob_write_items(w, &ct_navigation_polygon_layout, polygons, count);
    tile.edges = ct_blob_write_items(w, &ct_navigation_edge_layout, edges, 4 * count);
    tile.vertices = ct_blob_write_items(w, &ct_navigation_vertex_layout, vertices, 2 * count + 2);
    tile.surface_vertices =
        ct_blob_write_items(w, &ct_navigation_vertex_layout, vertices, 2 * count + 2);
    tile.triangles = ct_blob_write_items(w, &ct_navigation_triangle_layout, triangles, 2 * count);
    return tile;
}

// Two tiles of 8 m: one with two squares, and one with a square that is beside them. The second square
// is water. A jump leads across.
static inline void write_navigation(ct_blob_writer *w) {
    static const char *const names[2] = {"ground", "water"};
    ct_navigation_resource r = {
        .tile_size = 8, .cell_size = 0.25f, .cell_height = 0.125f, .level = {7}};
    ct_navigation_area areas[2];
    ct_navigation_class class = {.id = {5},
                                 .name = ct_string_id32_of("human"),
                                 .radius = 0.5f,
                                 .height = 2,
                                 .climb = 0.5f,
                                 .slope = 0.75f};
    ct_navigation_link link = {.id = {6},
                               .kind = ct_string_id32_of("jump"),
                               .from = {1, 2, 0.5f},
                               .to = {10, 2, 0.5f},
                               .radius = 0.5f,
                               .cost = 2,
                               .classes = 1,
                               .flags = CT_NAVIGATION_LINK_BOTH_WAYS};
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "navigation", CT_NAVIGATION_VERSION);
    ct_blob_begin(w, &ct_navigation_layout);
    for (uint32_t i = 0; i < 2; ++i)
        areas[i] =
            (ct_navigation_area){.id = {1 + i},
                                 .name = ct_string_id32_of(names[i]),
                                 .cost = 1 + (float)i,
                                 .flags = i,
                                 .name_text = ct_blob_write_string(w, names[i], strlen(names[i]))};
    class.name_text = ct_blob_write_string(w, "human", 5);
    link.kind_text = ct_blob_write_string(w, "jump", 4);
    const ct_navigation_tile_resource tiles[2] = {write_navigation_tile(w, 0, 2, 2),
                                                  write_navigation_tile(w, 1, 1, 1)};
    class.tiles = ct_blob_write_items(w, &ct_navigation_tile_layout, tiles, 2);
    r.classes = ct_blob_write_items(w, &ct_navigation_class_layout, &class, 1);
    r.areas = ct_blob_write_items(w, &ct_navigation_area_layout, areas, 2);
    r.links = ct_blob_write_items(w, &ct_navigation_link_layout, &link, 1);
    ct_blob_end(w, &ct_navigation_layout, &r);
    ct_blob_writer_finish(w);
}

// A density and a colour of fog.
static inline void write_environment(ct_blob_writer *w) {
    static const char *const names[2] = {"fog_density", "fog_color"};
    ct_environment_resource e = {.values = {0}};
    ct_environment_value values[2];
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "environment",
                        CT_ENVIRONMENT_VERSION);
    ct_blob_begin(w, &ct_environment_layout);
    e.values = ct_blob_reserve_items(w, &ct_environment_value_layout, 2);
    for (uint32_t i = 0; i < 2; ++i)
        values[i] = (ct_environment_value){
            .name_text = ct_blob_write_string(w, names[i], strlen(names[i])),
            .name = ct_string_id32_of(names[i]),
            .type = i ? CT_RENDER_SETTING_TYPE_COLOR : CT_RENDER_SETTING_TYPE_NUMBER,
            .value = {0.25f}};
    if (values[0].name.value > values[1].name.value) {
        const ct_environment_value first = values[0];
        values[0] = values[1];
        values[1] = first;
    }
    ct_blob_fill_items(w, &ct_environment_value_layout, e.values, values);
    ct_blob_end(w, &ct_environment_layout, &e);
    ct_blob_writer_finish(w);
}

// A type of most kinds, one object and one message.
static inline void write_network_config(ct_blob_writer *w) {
    static const char *const teams[] = {"red", "blue"};
    static const ct_network_type_desc types[] = {
        {.name = "health", .kind = CT_NETWORK_INTEGER, .first = -10, .last = 100},
        {.name = "exact", .kind = CT_NETWORK_FLOAT, .bits = 32},
        {.name = "at",
         .kind = CT_NETWORK_VECTOR3,
         .min = {-1, -1, -1},
         .max = {1, 1, 2},
         .bits = 9},
        {.name = "turn", .kind = CT_NETWORK_ROTATION, .bits = 10},
        {.name = "text", .kind = CT_NETWORK_STRING, .max_count = 6},
        {.name = "team", .kind = CT_NETWORK_LOOKUP, .lookups = teams, .num_lookups = 2},
        {.name = "turns", .kind = CT_NETWORK_ARRAY, .element = "turn", .max_count = 2},
    };
    static const ct_network_field_desc fields[] = {
        {.name = "health", .type = "health"},
        {.name = "exact", .type = "exact"},
        {.name = "at", .type = "at"},
        {.name = "turns", .type = "turns"},
        {.name = "text",
         .type = "text",
         .has_value = true,
         .value = {.string = {.text = "hello", .bytes = 5}}},
        {.name = "team", .type = "team"},
        {.name = "unit", .type = "id"},
    };
    static const ct_network_record_desc object = {
        .name = "ball", .fields = fields, .num_fields = CT_COUNT_OF(fields), .position = "at"};
    static const ct_network_record_desc message = {
        .name = "hit", .fields = fields, .num_fields = 2};
    const ct_network_config_desc desc = {.types = types,
                                         .num_types = CT_COUNT_OF(types),
                                         .messages = &message,
                                         .num_messages = 1,
                                         .objects = &object,
                                         .num_objects = 1};
    ct_network_config_place place;
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "network_config",
                        CT_NETWORK_CONFIG_VERSION);
    assert_true(ct_network_config_write(&desc, test_heap(), w, &place, NULL));
}

// A theme whose numbers all differ.
static inline void write_gui_theme(ct_blob_writer *w) {
    static const char *const fonts[CT_GUI_THEME_NUM_FONTS] = {"fonts/plain", "fonts/bold",
                                                              "fonts/digits"};
    ct_gui_theme_resource t = {.fonts = {{0}}};
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "gui_theme", CT_GUI_THEME_VERSION);
    ct_blob_begin(w, &ct_gui_theme_layout);
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_FONTS; ++i) {
        t.font_names[i] = ct_blob_write_string(w, fonts[i], strlen(fonts[i]));
        t.fonts[i] = ct_string_id64_of(fonts[i]);
    }
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_COLORS; ++i)
        t.colors[i] = 0xff302010 + i;
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_SIZES; ++i)
        t.sizes[i] = (float)(20 + i);
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_TIMES; ++i)
        t.times[i] = 0.5f + (float)i;
    ct_blob_end(w, &ct_gui_theme_layout, &t);
    ct_blob_writer_finish(w);
}

static inline void write_strings(ct_blob_writer *w) {
    write_strings_titled(w, "{{Crates}}");
}

typedef struct input_fixture_action {
    const char *name;
    uint32_t kind, set, first_binding, num_bindings;
} input_fixture_action;

static inline ct_input_control input_control_of(const char *text, uint32_t *modifiers) {
    ct_input_control control = {0};
    ct_error error = {0};
    if (text && !ct_input_control_parse(text, &control, modifiers, &error))
        fail_msg("%s", error.message);
    return control;
}

static inline ct_input_binding input_binding_of(const char *a, const char *b, const char *c,
                                                const char *d) {
    uint32_t modifiers = 0, none = 0;
    ct_input_binding binding = {.kind = c   ? CT_INPUT_BINDING_KIND_FOUR
                                        : b ? CT_INPUT_BINDING_KIND_PAIR
                                            : CT_INPUT_BINDING_KIND_CONTROL,
                                .controls = {input_control_of(a, &modifiers),
                                             input_control_of(b, &none), input_control_of(c, &none),
                                             input_control_of(d, &none)},
                                .scale = 1,
                                .dead_zone = -1,
                                .response = 1};
    binding.modifiers = modifiers;
    return binding;
}

static inline void append_input_sets(ct_blob_writer *w, const char *const *names, uint32_t count) {
    ct_input_set sets[CT_INPUT_MAX_SETS];
    for (uint32_t i = 0; i < count; ++i)
        sets[i] = (ct_input_set){ct_string_id32_of(names[i]), i == 0, {0, 0}};
    append_array(w, offsetof(ct_input_resource, sets), sets, sizeof(sets[0]), count);
    const uint32_t at = ct_blob_writer_offset(w) - count * (uint32_t)sizeof(sets[0]);
    for (uint32_t i = 0; i < count; ++i)
        ct_blob_patch_string(
            w, at + i * (uint32_t)sizeof(sets[0]) + (uint32_t)offsetof(ct_input_set, name),
            names[i], (uint32_t)strlen(names[i]));
}

static inline void append_input_actions(ct_blob_writer *w, const input_fixture_action *sources,
                                        uint32_t count) {
    ct_input_action actions[32];
    for (uint32_t i = 0; i < count; ++i)
        actions[i] = (ct_input_action){.id = ct_string_id32_of(sources[i].name),
                                       .kind = sources[i].kind,
                                       .set = sources[i].set,
                                       .first_binding = sources[i].first_binding,
                                       .num_bindings = sources[i].num_bindings};
    append_array(w, offsetof(ct_input_resource, actions), actions, sizeof(actions[0]), count);
    const uint32_t at = ct_blob_writer_offset(w) - count * (uint32_t)sizeof(actions[0]);
    for (uint32_t i = 0; i < count; ++i)
        ct_blob_patch_string(
            w, at + i * (uint32_t)sizeof(actions[0]) + (uint32_t)offsetof(ct_input_action, name),
            sources[i].name, (uint32_t)strlen(sources[i].name));
}

// Jump (space, pad a), write_s (s), save (ctrl+s), move (W A S D, left stick), look (mouse, right
// stick), zoom (q and e, wheel), and in the set menu, which is off, menu_up (up, left stick up).
static inline void write_input(ct_blob_writer *w) {
    ct_input_binding bindings[] = {
        input_binding_of("keyboard.space", NULL, NULL, NULL),
        input_binding_of("pad.a", NULL, NULL, NULL),
        input_binding_of("keyboard.s", NULL, NULL, NULL),
        input_binding_of("ctrl+keyboard.s", NULL, NULL, NULL),
        input_binding_of("keyboard.a", "keyboard.d", "keyboard.s", "keyboard.w"),
        input_binding_of("pad.left", NULL, NULL, NULL),
        input_binding_of("mouse.mouse", NULL, NULL, NULL),
        input_binding_of("pad.right", NULL, NULL, NULL),
        input_binding_of("keyboard.q", "keyboard.e", NULL, NULL),
        input_binding_of("mouse.wheel.y", NULL, NULL, NULL),
        input_binding_of("keyboard.up", NULL, NULL, NULL),
        input_binding_of("pad.left.up", NULL, NULL, NULL),
    };
    bindings[5].dead_zone = 0.5f;
    bindings[6].scale = 0.1f;
    bindings[6].flags = CT_INPUT_BINDING_INVERT_Y;
    bindings[7].scale = 2;
    bindings[7].flags = CT_INPUT_BINDING_PER_SECOND;
    const input_fixture_action actions[] = {
        {"jump", CT_INPUT_ACTION_KIND_BUTTON, 0, 0, 2},
        {"write_s", CT_INPUT_ACTION_KIND_BUTTON, 0, 2, 1},
        {"save", CT_INPUT_ACTION_KIND_BUTTON, 0, 3, 1},
        {"move", CT_INPUT_ACTION_KIND_VECTOR, 0, 4, 2},
        {"look", CT_INPUT_ACTION_KIND_VECTOR, 0, 6, 2},
        {"zoom", CT_INPUT_ACTION_KIND_AXIS, 0, 8, 2},
        {"menu_up", CT_INPUT_ACTION_KIND_BUTTON, 1, 10, 2},
    };
    const char *const sets[] = {"default", "menu"};
    start(w, "input", CT_INPUT_VERSION, sizeof(ct_input_resource));
    append_input_sets(w, sets, 2);
    append_input_actions(w, actions, CT_COUNT_OF(actions));
    append_array(w, offsetof(ct_input_resource, bindings), bindings, sizeof(bindings[0]),
                 CT_COUNT_OF(bindings));
    ct_blob_patch_string(w, offsetof(ct_input_resource, gamepad_mappings), "# none", 6);
    ct_blob_writer_finish(w);
}

static inline void write_lua_text(ct_blob_writer *w, const char *text) {
    start(w, "lua", CT_LUA_VERSION, sizeof(ct_lua_resource));
    ct_blob_patch_string(w, offsetof(ct_lua_resource, path), "main.lua", 8);
    ct_blob_patch_string(w, offsetof(ct_lua_resource, text), text, (uint32_t)strlen(text));
    ct_blob_writer_finish(w);
}

static inline void write_lua(ct_blob_writer *w) {
    write_lua_text(w, "print('hello')");
}

// Two pages, of 8 x 4 and of 4 x 4 pixels, with the glyphs 0, 3 (blank) and 7; both tables of an
// AngelCode font, and outlines of four bytes.
static inline void write_font(ct_blob_writer *w) {
    const ct_font_glyph glyphs[3] = {{0, 0, 1, 0, 7, 4, 0, -1, 3, 6},
                                     {3, 0, 0, 0, 0, 0, 0, 0, 0, 2.5f},
                                     {7, 1, 0, 1, 4, 3, 0, 0, 2, 4}};
    const ct_font_character characters[2] = {{' ', 3}, {'a', 7}};
    const ct_font_kerning kerning[3] = {{3, 7, -0.5f}, {7, 3, 0.25f}, {7, 7, 1}};
    const ct_font_page pages[2] = {{8, 4, {0}}, {4, 4, {0}}};
    const uint64_t fallbacks[1] = {ct_string_id64_of("fonts/other").value};
    const uint8_t bytes[32] = {1, 2, 3, 128, 255};
    ct_font_resource r = {.flags = CT_FONT_DISTANCE_FIELD,
                          .size = 8,
                          .spread = 2,
                          .ascent = 7,
                          .descent = 2,
                          .line_gap = 0.5f,
                          .underline_position = -1,
                          .underline_thickness = 0.5f,
                          .x_height = 4,
                          .cap_height = 6};
    start(w, "font", CT_FONT_VERSION, sizeof(r));
    put(w, sizeof(ct_blob_header), (const char *)&r + sizeof(ct_blob_header),
        sizeof(r) - sizeof(ct_blob_header));
    append_array(w, offsetof(ct_font_resource, glyphs), glyphs, sizeof(glyphs[0]), 3);
    append_array(w, offsetof(ct_font_resource, characters), characters, sizeof(characters[0]), 2);
    append_array(w, offsetof(ct_font_resource, kerning), kerning, sizeof(kerning[0]), 3);
    append_array(w, offsetof(ct_font_resource, fallbacks), fallbacks, sizeof(fallbacks[0]), 1);
    append_array(w, offsetof(ct_font_resource, outlines), bytes, 1, 4);
    append_array(w, offsetof(ct_font_resource, pages), pages, sizeof(pages[0]), 2);
    const uint32_t at = ct_blob_writer_offset(w) - (uint32_t)sizeof(pages);
    for (uint32_t i = 0; i < 2; ++i)
        append_array(w, at + i * sizeof(pages[0]) + offsetof(ct_font_page, pixels), bytes, 1,
                     pages[i].width * pages[i].height);
    ct_blob_writer_finish(w);
}

// A clip of three frames and two joints: the first turns, with a key at frame 1; a curve steps at
// frame 2; the second joint is at another place than at rest. One event, two keys of root motion.
static inline void write_animation(ct_blob_writer *w) {
    ct_animation_resource r = {.skeleton = {9},
                               .skeleton_hash = 8,
                               .rate = 30,
                               .num_frames = 3,
                               .flags = CT_ANIMATION_HAS_ROOT,
                               .num_joints = 2,
                               .num_keyed_groups = 2,
                               .jump_frames = 2,
                               .jump_bytes = 3,
                               .tolerance = 0.001f};
    const ct_animation_root_key root[2] = {{0, {0, 0, 0}, 0}, {3, {1, 0, 0}, 1}};
    const ct_animation_group groups[3] = {
        {.kind = CT_ANIMATION_TRACK_ROTATION,
         .tracks = 1,
         .lanes = {{.value_bits = {4},
                    .tangent_bits = {2},
                    .duration_bits = 1,
                    .jump_value_bits = {4},
                    .jump_tangent_bits = {2},
                    .jump_place_bits = 5}}},
        {.kind = CT_ANIMATION_TRACK_CURVE,
         .flags = CT_ANIMATION_GROUP_WIDE,
         .tracks = 1,
         .first_row = 9,
         .lanes = {{.value_bits = {4},
                    .duration_bits = 1,
                    .is_stepped = 1,
                    .jump_value_bits = {2},
                    .jump_place_bits = 4}}},
        {.kind = CT_ANIMATION_TRACK_POSITION, .tracks = 2, .first_row = 12}};
    ct_animation_row rows[15] = {{{0}}};
    rows[3].lanes[0] = rows[4].lanes[0] = 0.01f; // steps of the rotation
    for (uint32_t l = 0; l < 4; ++l)
        rows[8].lanes[l] = 1; // w of the references
    rows[10].lanes[0] = 1;    // the step of the curve
    rows[12].lanes[1] = 2;
    // The rotation's keys are of 7 bits: +7 with tangent 1 after a frame; +2 with tangent 1 two
    // frames later. The curve's are of 5: +3 after two frames, then +5 after one.
    const uint32_t first = 0 | (7 + 8) << 1 | (1 + 2) << 5,
                   second = 1 | (2 + 8) << 1 | (1 + 2) << 5;
    const uint32_t step = 1 | (3 + 8) << 1, last_step = 0 | (5 + 8) << 1;
    const uint32_t bits = first | step << 7 | second << 12 | last_step << 19;
    const uint8_t stream[11] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16)};
    // Behind the first keys, and behind all. Each says of the rotation: frames since the start, the
    // key's place, value and tangent; of the curve: frames, place, value.
    const uint32_t jump_bits[2] = {12, 24};
    const uint32_t jumps[2] = {0 | 12 << 1 | 0 << 6 | (0 + 2) << 10 | 0 << 12 | 5 << 13 | 0 << 17,
                               1 | 12 << 1 | 7 << 6 | (1 + 2) << 10 | 0 << 12 | 5 << 13 | 3 << 17};
    uint8_t states[2 * 3 + CT_ANIMATION_STREAM_END_BYTES] = {0};
    for (uint32_t i = 0; i < 6; ++i)
        states[i] = (uint8_t)(jumps[i / 3] >> 8 * (i % 3));
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "animation", CT_ANIMATION_VERSION);
    ct_blob_begin(w, &ct_animation_layout);
    ct_animation_event event = {.name = {3}, .time = 0.05f};
    r.events = ct_blob_reserve_items(w, &ct_animation_event_layout, 1);
    event.name_text = ct_blob_write_string(w, "step", 4);
    ct_blob_fill_items(w, &ct_animation_event_layout, r.events, &event);
    ct_animation_curve curve = {.object = {4}, .parameter = {5}};
    r.curves = ct_blob_reserve_items(w, &ct_animation_curve_layout, 1);
    curve.object_text = ct_blob_write_string(w, "", 0);
    curve.parameter_text = ct_blob_write_string(w, "gait", 4);
    ct_blob_fill_items(w, &ct_animation_curve_layout, r.curves, &curve);
    r.root_keys = ct_blob_write_items(w, &ct_animation_root_key_layout, root, 2);
    r.groups = ct_blob_write_items(w, &ct_animation_group_layout, groups, 3);
    r.rows = ct_blob_write_items(w, &ct_animation_row_layout, rows, 15);
    r.stream = ct_blob_write_items(w, &ct_blob_u8_layout, stream, sizeof(stream));
    r.jump_bits = ct_blob_write_items(w, &ct_blob_u32_layout, jump_bits, 2);
    r.jump_states = ct_blob_write_items(w, &ct_blob_u8_layout, states, sizeof(states));
    ct_blob_end(w, &ct_animation_layout, &r);
    ct_blob_writer_finish(w);
}

// Two frames, which are played again and again.
static inline void write_short_sound(ct_blob_writer *w) {
    static const int16_t samples[] = {1000, -1000};
    const ct_sound_chunk chunk = {0, sizeof(samples), 0, 2};
    ct_sound_resource s;
    sound_fixture_begin(w, &s);
    s.num_frames = s.loop_end = 2;
    s.flags = CT_SOUND_LOOPS;
    s.chunks = ct_blob_write_items(w, &ct_sound_chunk_layout, &chunk, 1);
    s.data = ct_blob_write_items(w, &ct_blob_pixels_layout, samples, sizeof(samples));
    ct_blob_end(w, &ct_sound_layout, &s);
    ct_blob_writer_finish(w);
}

// One per type of the table of resource types.
typedef struct fixture {
    const char *type;
    void (*write)(ct_blob_writer *w);
} fixture;

static const fixture fixtures[] = {
    {"animation", write_animation},
    {"config", write_config},
    {"environment", write_environment},
    {"flow", write_flow},
    {"flow_nodes", write_flow_nodes},
    {"font", write_font},
    {"gui_theme", write_gui_theme},
    {"height_field", write_height_field},
    {"input", write_input},
    {"lua", write_lua},
    {"navigation", write_navigation},
    {"network_config", write_network_config},
    {"particles", write_particles},
    {"physics", write_physics},
    {"skeleton", write_skeleton},
    {"sound", write_short_sound},
    {"sound", write_streamed_sound_blob},
    {"sound_bus", write_sound_bus},
    {"sound_event", write_sound_event},
    {"state_machine", write_state_machine},
    {"strings", write_strings},
    {"texture", write_texture},
    {"texture", write_texture_with_stream},
    {"texture", write_cube_texture},
    {"shader", write_shader},
    {"material", write_material},
    {"mesh", write_mesh},
    {"mesh", write_mesh_with_collision},
    {"mesh", write_packed_mesh},
    {"mesh", write_wide_uv_mesh},
    {"mesh", write_mesh_of_4},
    {"mesh", write_mesh_of_8},
    {"render_config", write_render_config},
    {"unit", write_unit},
    {"level", write_level},
    {"package", write_small_package},
};
