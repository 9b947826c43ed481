// render_stream.h: the state changes that the update thread sends to the render thread.
//
// A byte stream of commands: a 16-byte header, then a payload whose size is rounded up to 16, so
// that matrices in it are aligned. The update thread appends to one stream while the render thread
// reads the other; a stream keeps its memory from frame to frame.
#pragma once
#include "foundation/container/array.h"
#include "render/render_emitter.h"
#include "render/render_gui.h"
#include "render/render_skeleton.h"
#include "resource/types/shader_resource.h"

enum {
    CT_RENDER_OBJECT_HIDDEN = 1,
    CT_RENDER_OBJECT_MIRRORED = 2,   // its pose turns triangles inside out; set by render thread
    CT_RENDER_OBJECT_SHADOWLESS = 4, // it casts no shadows
    CT_RENDER_OBJECT_SKINNED = 8,    // it has a skeleton; set by render thread
    CT_RENDER_OBJECT_JUMPED = 32,    // it has no velocity in this frame; not kept
    CT_RENDER_OBJECT_OUTLINED = 16,  // it has an outline; set by OBJECT_SET_OUTLINE
    CT_RENDER_OBJECT_MARKED = 64,    // a tool's outline covers the game's; likewise
};

// The commands of the stream. The struct of the same name follows each.
typedef enum ct_render_command_type {
    CT_RENDER_COMMAND_TYPE_NONE,
    CT_RENDER_COMMAND_TYPE_WORLD_CREATE,
    CT_RENDER_COMMAND_TYPE_WORLD_DESTROY,
    CT_RENDER_COMMAND_TYPE_WORLD_TIME,
    CT_RENDER_COMMAND_TYPE_OBJECT_CREATE,
    CT_RENDER_COMMAND_TYPE_OBJECTS_DESTROY,
    CT_RENDER_COMMAND_TYPE_OBJECTS_SET_POSES,
    CT_RENDER_COMMAND_TYPE_OBJECT_SET_FLAG,
    CT_RENDER_COMMAND_TYPE_OBJECT_SET_MATERIAL,
    CT_RENDER_COMMAND_TYPE_OBJECT_SET_VALUE,
    CT_RENDER_COMMAND_TYPE_OBJECT_SET_SKELETON,
    CT_RENDER_COMMAND_TYPE_OBJECT_SET_OUTLINE,
    CT_RENDER_COMMAND_TYPE_SKELETON_CREATE,
    CT_RENDER_COMMAND_TYPE_SKELETON_DESTROY,
    CT_RENDER_COMMAND_TYPE_SKELETONS_SET_POSES,
    CT_RENDER_COMMAND_TYPE_LIGHT_SET,
    CT_RENDER_COMMAND_TYPE_LIGHT_DESTROY,
    CT_RENDER_COMMAND_TYPE_LINES,
    CT_RENDER_COMMAND_TYPE_CLOUDS_BEGIN,
    CT_RENDER_COMMAND_TYPE_CLOUD,
    CT_RENDER_COMMAND_TYPE_EFFECT_CREATE,
    CT_RENDER_COMMAND_TYPE_EFFECT_DESTROY,
    CT_RENDER_COMMAND_TYPE_EMITTER_CREATE,
    CT_RENDER_COMMAND_TYPE_EMITTER_DESTROY,
    CT_RENDER_COMMAND_TYPE_EMITTER_STEP,
    CT_RENDER_COMMAND_TYPE_EMITTER_READ,
    CT_RENDER_COMMAND_TYPE_GUI_CREATE,
    CT_RENDER_COMMAND_TYPE_GUI_SET,
    CT_RENDER_COMMAND_TYPE_GUI_DESTROY,
    CT_RENDER_COMMAND_TYPE_GUI_CLEAR,
    CT_RENDER_COMMAND_TYPE_GUI_APPEND,
    CT_RENDER_COMMAND_TYPE_GUI_OBJECT,
    CT_RENDER_COMMAND_TYPE_GUI_REMOVE,
    CT_RENDER_COMMAND_TYPE_GLYPHS,
    CT_RENDER_COMMAND_TYPE_MATERIAL_PARAMETER,
    CT_RENDER_COMMAND_TYPE_MATERIAL_TEXTURE,
    CT_RENDER_COMMAND_TYPE_RESOURCE,
    CT_RENDER_COMMAND_TYPE_CONFIG,
    CT_RENDER_COMMAND_TYPE_SETTINGS,
    CT_RENDER_COMMAND_TYPE_RESIZE,
    CT_RENDER_COMMAND_TYPE_RENDER_WORLD,
    CT_RENDER_COMMAND_TYPE_SCREENSHOT,
    CT_RENDER_COMMAND_TYPE_PICTURE,
    CT_RENDER_COMMAND_TYPE_DRAW_PICTURE,
    CT_RENDER_COMMAND_TYPE_KEEP_PICTURE, // without a payload
    CT_RENDER_COMMAND_TYPE_SPLIT_FRAME,  // likewise
    CT_RENDER_COMMAND_TYPE_FAULT,
} ct_render_command_type;

typedef struct ct_render_command_header {
    uint32_t type; // ct_render_command_type
    uint32_t padding;
    uint64_t payload_bytes; // the size of what follows, a multiple of 16
} ct_render_command_header;

// Payloads. The arrays of a payload with a count follow it.

typedef struct ct_render_command_world { // WORLD_CREATE, WORLD_DESTROY, CLOUDS_BEGIN
    ct_render_world_id world;
} ct_render_command_world;

// Sets the time that shaders of a world see.
typedef struct ct_render_command_world_time {
    ct_render_world_id world;
    double seconds;
} ct_render_command_world_time;

typedef struct ct_render_command_object_create { // then ct_string_id64[num_materials]
    ct_mat4 pose;
    ct_render_world_id world;
    ct_render_object_id object;
    ct_string_id64 mesh;
    uint32_t num_materials; // of the first parts; the others have none
    uint32_t flags;         // HIDDEN, SHADOWLESS
} ct_render_command_object_create;

typedef struct ct_render_command_objects { // OBJECTS_DESTROY: ids; OBJECTS_SET_POSES: poses, ids
    ct_render_world_id world;
    uint32_t count;
    uint64_t padding;
} ct_render_command_objects;

typedef struct ct_render_command_object_flag {
    ct_render_world_id world;
    ct_render_object_id object;
    uint32_t flag; // HIDDEN, SHADOWLESS or JUMPED
    bool is_set;
} ct_render_command_object_flag;

// Gives one part of an object another material.
typedef struct ct_render_command_object_material {
    ct_render_world_id world;
    ct_render_object_id object;
    uint32_t part;
    ct_string_id64 material;
} ct_render_command_object_material;

// Sets an instanced shader parameter of one object.
typedef struct ct_render_command_object_value {
    ct_render_world_id world;
    ct_render_object_id object;
    ct_string_id32 name;
    float value[4];
} ct_render_command_object_value;

// Gives an object a skeleton; {0}: takes it away.
typedef struct ct_render_command_object_skeleton {
    ct_render_world_id world;
    ct_render_object_id object;
    ct_render_skeleton_id skeleton;
} ct_render_command_object_skeleton;

// Gives an object an outline, or takes it away.
typedef struct ct_render_command_object_outline {
    ct_render_world_id world;
    ct_render_object_id object;
    bool is_set;
    bool is_mark;   // of a tool
    float value[4]; // of the parameter ct_render_outline_parameter
} ct_render_command_object_outline;

typedef struct ct_render_command_skeleton { // SKELETON_CREATE: then names; SKELETON_DESTROY
    ct_render_world_id world;
    ct_render_skeleton_id skeleton;
    uint32_t num_joints;
} ct_render_command_skeleton;

// SKELETONS_SET_POSES: then ct_render_joint_pose[num_joints] of all, ids, uint32_t[count] joints.
typedef struct ct_render_command_skeletons {
    uint64_t num_joints; // of all
    ct_render_world_id world;
    uint32_t count;
} ct_render_command_skeletons;

typedef struct ct_render_command_light { // LIGHT_SET makes it when it is new; LIGHT_DESTROY
    ct_mat4 pose;
    ct_light_data data;
    ct_render_world_id world;
    ct_render_light_id light;
} ct_render_command_light;

typedef struct ct_render_command_lines { // then ct_line_vertex[count]
    ct_render_world_id world;
    uint32_t count;
} ct_render_command_lines;

typedef struct ct_render_command_cloud { // then ct_particle_instance[count]
    ct_render_cloud_desc desc;
    ct_render_world_id world;
    uint32_t count;
    ct_render_emitter_id emitter; // whose particles it shows, without instances; {0}: of none
    uint32_t padding[3];
} ct_render_command_cloud;

typedef struct ct_render_command_effect { // EFFECT_CREATE: then the blob; EFFECT_DESTROY
    ct_render_effect_id effect;
    uint32_t padding[3];
} ct_render_command_effect;

typedef struct ct_render_command_emitter { // EMITTER_CREATE, EMITTER_DESTROY
    ct_render_emitter_desc desc;
    ct_render_emitter_id emitter;
} ct_render_command_emitter;

// Then ct_particle_run[num_runs], float[num_variables][4].
typedef struct ct_render_command_emitter_step {
    ct_render_emitter_id emitter;
    ct_particle_record record;
} ct_render_command_emitter_step;

// Asks for channels; `done` is called on the render thread.
typedef struct ct_render_command_emitter_read {
    void (*done)(void *user, const float *channels, uint32_t num_channels, uint32_t capacity);
    void *user;
    ct_render_emitter_id emitter;
} ct_render_command_emitter_read;

typedef struct ct_render_command_gui { // GUI_CREATE, GUI_SET, GUI_DESTROY, GUI_CLEAR
    ct_render_gui_desc desc;
    ct_render_world_id world;
    ct_render_gui_id gui;
} ct_render_command_gui;

typedef struct ct_render_command_gui_quads { // then ct_batch_vertex[num_quads * 4]
    ct_render_gui_key key;
    uint32_t slot; // GUI_OBJECT
    uint32_t num_quads;
} ct_render_command_gui_quads;

typedef struct ct_render_command_gui_remove { // then uint32_t[count]
    ct_render_world_id world;
    ct_render_gui_id gui;
    uint32_t count;
} ct_render_command_gui_remove;

typedef struct ct_render_command_glyphs { // then uint8_t[width * height]
    ct_render_glyph_area area;
} ct_render_command_glyphs;

typedef struct ct_render_command_material {
    ct_string_id64 material;
    ct_string_id32 name;
    uint32_t num_values;
    float values[CT_SHADER_MAX_FLOATS]; // MATERIAL_PARAMETER
    ct_string_id64 texture;             // MATERIAL_TEXTURE
} ct_render_command_material;

// The types of resources that the render thread keeps.
typedef enum ct_render_resource_type {
    CT_RENDER_RESOURCE_TYPE_TEXTURE,
    CT_RENDER_RESOURCE_TYPE_MESH,
    CT_RENDER_RESOURCE_TYPE_SHADER,
    CT_RENDER_RESOURCE_TYPE_MATERIAL,
    CT_RENDER_RESOURCE_TYPE_COUNT,
} ct_render_resource_type;

typedef struct ct_render_command_resource {
    uint32_t type; // ct_render_resource_type
    uint32_t padding;
    ct_string_id64 name;
    const void *blob;   // valid until this frame has been drawn; NULL: it went offline
    const void *stream; // of a texture, as long; NULL: its upper mips are not there
} ct_render_command_resource;

typedef struct ct_render_command_config { // then float[4] for each of its settings
    ct_string_id64 name;
    const void *blob; // as above; NULL: it went before the frame was handed over
} ct_render_command_config;

typedef struct ct_render_command_settings { // then float[4][count]
    uint64_t config_checksum;               // of the config whose settings these are
    uint32_t count;
    uint32_t padding;
} ct_render_command_settings;

// Sets the size of the back buffer, in pixels.
typedef struct ct_render_command_resize {
    uint32_t width, height;
} ct_render_command_resize;

// Draws a world into a part of the back buffer: x, y, width and height as fractions of it. Then
// ct_render_environment_value[num_values].
typedef struct ct_render_command_render_world {
    ct_render_view view;
    ct_render_world_id world;
    ct_string_id32 viewport;
    float rectangle[4];
    uint32_t num_values;
    uint32_t padding;
} ct_render_command_render_world;

// Asks for the pixels of the frame; `done` is called on the render thread.
typedef struct ct_render_command_screenshot {
    void (*done)(void *user, const uint8_t *pixels, uint32_t width, uint32_t height);
    void *user;
} ct_render_command_screenshot;

// Asks for a part of the frame's pixels, once the device has finished it (renderer_picture.h).
typedef struct ct_render_command_picture {
    void (*done)(void *user, const uint8_t *pixels, uint32_t width, uint32_t height);
    void *user;
    float rectangle[4];
} ct_render_command_picture;

// Asks for the pixels of a view of its own, which is drawn before the views of the frame and then covered. Then
// ct_render_environment_value[view.num_values].
typedef struct ct_render_command_draw_picture {
    ct_render_command_picture picture;
    ct_render_command_render_world view;
} ct_render_command_draw_picture;

typedef struct ct_render_command_fault { // as ct_vulkan_fault
    int32_t result;
    uint32_t call, period, num_times;
} ct_render_command_fault;

// Commands one after the other, each a header and its struct.
typedef struct ct_render_stream {
    ct_byte_array bytes;
    uint32_t last; // where the last command starts; valid while there is one
} ct_render_stream;

// Makes an empty stream that grows from `a`.
void ct_render_stream_init(ct_render_stream *s, ct_allocator *a);

// Frees the stream's memory.
void ct_render_stream_free(ct_render_stream *s);

// Removes all commands and keeps the memory.
void ct_render_stream_clear(ct_render_stream *s);

// Appends a command and returns its payload, aligned to 16, for the caller to fill before the next
// push.
void *ct_render_stream_push(ct_render_stream *s, ct_render_command_type type,
                            uint64_t payload_bytes);

// Makes room for `end` bytes in all. Ends the program when a stream would be over 4 GiB.
void ct_render_stream_grow(ct_render_stream *s, uint64_t end);

// Makes the payload of the last command longer by `more_bytes`, a multiple of 16. Returns where the
// new bytes begin, as above. The payload's size before must have been a multiple of 16.
static inline void *ct_render_stream_extend(ct_render_stream *s, uint64_t more_bytes) {
    const uint64_t end = s->bytes.count + more_bytes;
    if (end > s->bytes.capacity)
        ct_render_stream_grow(s, end);
    ct_render_command_header *const header = (void *)(s->bytes.items + s->last);
    header->payload_bytes += more_bytes;
    void *const added = s->bytes.items + s->bytes.count;
    s->bytes.count = (uint32_t)end;
    return added;
}

// Calls back every command of the stream that asks for pixels or channels, without them (NULL).
void ct_render_stream_refuse_screenshots(const ct_render_stream *s);

// Returns the next command's header and sets `payload`; NULL at the end. Start with *cursor 0.
const ct_render_command_header *ct_render_stream_next(const ct_render_stream *s, uint64_t *cursor,
                                                      const void **payload);
