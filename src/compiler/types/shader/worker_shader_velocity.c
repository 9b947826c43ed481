#include "compiler/types/shader/worker_shader_velocity.h"

#include <stdlib.h>

#include "compiler/types/shader/worker_shader_words.h"
#include "compiler/types/shader/worker_spirv_points.h"

// --- What the text says --------------------------------------------------------------------------

// Behind the word or sign at `p`, unless the text ends there.
static const char *skip_one(const char *p) {
    const uint32_t length = ct_glsl_word_length(p);
    return p + (length ? length : *p != 0);
}

// The next place of a word in `text`; NULL when there is none.
static const char *find_word(const char *text, const char *word) {
    for (const char *p = ct_glsl_skip(text); *p; p = ct_glsl_skip(p)) {
        if (ct_glsl_word_length(p) == strlen(word) && strncmp(p, word, strlen(word)) == 0)
            return p;
        p = skip_one(p);
    }
    return NULL;
}

// The number at `*p`, which it moves behind; `otherwise` when there is none.
static uint32_t take_number(const char **p, uint32_t otherwise) {
    const char *const at = ct_glsl_skip(*p);
    if (!isdigit((unsigned char)*at))
        return otherwise;
    *p = at + ct_glsl_word_length(at);
    return (uint32_t)strtoul(at, NULL, 10);
}

// The first location behind those of the output whose `layout` ends before `p`; 0: it is none.
static uint32_t end_of_output(const char *p) {
    uint32_t location = 0, count = 1;
    bool is_output = false;
    if (!ct_glsl_take(&p, "("))
        return 0;
    for (p = ct_glsl_skip(p); *p && *p != ')'; p = ct_glsl_skip(p))
        if (ct_glsl_take(&p, "location") && ct_glsl_take(&p, "="))
            location = take_number(&p, 0);
        else
            p = skip_one(p);
    for (; *p && *p != ';' && *p != '{'; p = ct_glsl_skip(p)) {
        is_output |= ct_glsl_take(&p, "out");
        if (ct_glsl_take(&p, "["))
            count = take_number(&p, 1);
        p = ct_glsl_skip(p);
        if (*p != ';' && *p != '{')
            p = skip_one(p);
    }
    return is_output ? location + count : 0;
}

// True when a fragment stage has an output of its own at the location of velocity.
static bool takes_location(const char *text) {
    for (const char *p = text; (p = find_word(p, "layout"));) {
        p += strlen("layout");
        if (end_of_output(p) > CT_RENDER_VELOCITY_LOCATION)
            return true;
    }
    return false;
}

void ct_worker_shader_find_velocity(ct_worker_shader *s) {
    s->writes_velocity = s->sets_previous = false;
    if (s->source.compute || s->source.vertices != CT_SHADER_VERTICES_MESH)
        return;
    s->writes_velocity = !takes_location(s->source.fragment);
    s->sets_previous = find_word(s->source.vertex, "previous_position") != NULL;
    for (uint32_t i = 0; i < s->includes.count; ++i)
        s->sets_previous |= find_word(s->includes.items[i].text, "previous_position") != NULL;
}

// --- The wrapped main ----------------------------------------------------------------------------

// The block has the members of `view` in core/shaders/include/frame.glsl up to `jitter`. The pose
// of an object that did not move in the last frame is this frame's.
static const char vertex_declarations[] =
    "layout(std140, set = 0, binding = 0) uniform ct_view_block {\n"
    "    mat4 ct_unused[2];\n"
    "    mat4 ct_still;\n"
    "    mat4 ct_previous;\n"
    "    vec4 ct_jitter;\n"
    "};\n"
    "layout(std430, set = 0, binding = 4) readonly buffer ct_vectors_block "
    "{ vec4 ct_vectors[]; };\n"
    "vec3 ct_transform(vec4 x, vec4 y, vec4 z, vec3 p) {\n"
    "    vec4 h = vec4(p, 1.0);\n"
    "    return vec3(dot(x, h), dot(y, h), dot(z, h));\n"
    "}\n"
    "vec3 ct_world_point() {\n"
    "    ct_instance i = ct_instances[gl_InstanceIndex];\n"
    "    return ct_transform(i.rows[0], i.rows[1], i.rows[2], ct_posed_point);\n"
    "}\n"
    "vec3 ct_previous_world_point() {\n"
    "    ct_instance i = ct_instances[gl_InstanceIndex];\n"
    "    vec3 p = ct_posed_point;\n"
    "    if (ct_num_influences != 0)\n"
    "        p = vec4(ct_bind_point, 1.0) * ct_blend(i.values.z);\n"
    "    uint at = i.values.w & 0x0fffffffu;\n"
    "    if (at == 0u)\n"
    "        return ct_transform(i.rows[0], i.rows[1], i.rows[2], p);\n"
    "    return ct_transform(ct_vectors[at], ct_vectors[at + 1u], ct_vectors[at + 2u], p);\n"
    "}\n";

void ct_worker_shader_add_previous(const ct_worker_shader *s, ct_string_builder *b) {
    if (s->sets_previous)
        ct_string_builder_add(b, "vec3 previous_position = vec3(0.0);\n");
}

void ct_worker_shader_add_velocity(const ct_worker_shader *s, bool is_vertex,
                                   ct_string_builder *b) {
    enum { LAST_LOCATION = 15 };
    static const char *const names[] = {"ct_now", "ct_before"};
    ct_string_builder_addf(b, "layout(constant_id = %d) const bool ct_has_velocity = false;\n",
                           CT_SHADER_VELOCITY_CONSTANT);
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        ct_string_builder_addf(b, "layout(location = %u) %s vec3 %s;\n",
                               LAST_LOCATION - s->num_instanced - i, is_vertex ? "out" : "in",
                               names[i]);
    if (is_vertex)
        ct_string_builder_add(b, vertex_declarations);
    else
        ct_string_builder_addf(b, "layout(location = %d) out vec2 ct_velocity;\n",
                               CT_RENDER_VELOCITY_LOCATION);
}

void ct_worker_shader_begin_velocity(const ct_worker_shader *s, bool is_vertex,
                                     ct_string_builder *b) {
    if (is_vertex && s->sets_previous)
        ct_string_builder_add(b, "if (ct_has_velocity)\n"
                                 "    previous_position = ct_previous_world_point();\n");
}

// A point that was beside or behind the camera moved by more than the whole picture.
void ct_worker_shader_end_velocity(const ct_worker_shader *s, bool is_vertex,
                                   ct_string_builder *b) {
    ct_string_builder_add(b, "if (ct_has_velocity) {\n");
    if (!is_vertex)
        ct_string_builder_add(
            b, "vec2 ct_moved = ct_now.xy / ct_now.z - ct_before.xy / ct_before.z;\n"
               "ct_velocity = ct_before.z > 1e-6 ? clamp(0.5 * ct_moved, -2.0, 2.0) : vec2(2.0);\n"
               "}\n");
    else if (s->sets_previous)
        ct_string_builder_add(b,
                              "ct_now = vec3(gl_Position.xy - 2.0 * ct_jitter.xy * gl_Position.w, "
                              "gl_Position.w);\n"
                              "ct_before = (ct_previous * vec4(previous_position, 1.0)).xyw;\n"
                              "}\n");
    else
        ct_string_builder_add(
            b, "ct_now = (ct_still * vec4(ct_world_point(), 1.0)).xyw;\n"
               "ct_before = (ct_previous * vec4(ct_previous_world_point(), 1.0)).xyw;\n"
               "}\n");
}

// --- The warning ---------------------------------------------------------------------------------

// A member of `view` that changes from frame to frame.
typedef struct changing_member {
    const char *name;
    uint32_t offset;
} changing_member;

static const changing_member changing[] = {
    {"time", CT_SHADER_VIEW_TIME_OFFSET},
    {"camera_pose", CT_SHADER_VIEW_CAMERA_POSE_OFFSET},
    {"camera_position", CT_SHADER_VIEW_CAMERA_POSITION_OFFSET},
};

// The place of `view.member` in `text`; NULL when there is none.
static const char *find_member(const char *text, const char *member) {
    for (const char *p = text; (p = find_word(p, "view"));) {
        p += strlen("view");
        const char *rest = p;
        if (ct_glsl_take(&rest, ".") && ct_glsl_take(&rest, member))
            return p;
    }
    return NULL;
}

static uint32_t lines_before(const char *text, const char *end) {
    uint32_t count = 0;
    for (; text < end; ++text)
        count += *text == '\n';
    return count;
}

static void warn(ct_compile *c, const ct_worker_shader *s, const char *member) {
    const ct_sjson_value stage = s->source.vertex_value;
    const char *file = NULL, *text = s->source.vertex;
    uint32_t line = ct_sjson_content_line(c->doc, stage);
    const char *at = find_member(text, member);
    for (uint32_t i = 0; i < s->includes.count && !at; ++i) {
        file = s->includes.items[i].path;
        text = s->includes.items[i].text;
        line = 1;
        at = find_member(text, member);
    }
    if (!at) { // a macro, or the like
        file = NULL;
        line = ct_sjson_content_line(c->doc, stage);
    }
    ct_compile_warning_at(
        c, file, line + (at ? lines_before(text, at) : 0), 0,
        "the vertex stage moves points by view.%s, but does not say where they were in the last "
        "frame; expected previous_position = …, a point in world space, or velocity = false",
        member);
}

void ct_worker_shader_warn_of_points(ct_compile *c, const ct_worker_shader *s,
                                     const ct_worker_spirv *vertex, bool *has_warned) {
    if (!s->writes_velocity || s->sets_previous)
        return;
    for (uint32_t i = 0; i < CT_COUNT_OF(changing) && !*has_warned; ++i) {
        if (!ct_worker_spirv_points_read(c->allocator, vertex, changing[i].offset))
            continue;
        *has_warned = true;
        warn(c, s, changing[i].name);
    }
}
