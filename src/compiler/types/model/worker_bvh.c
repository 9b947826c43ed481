#include "compiler/types/model/worker_bvh.h"

#include <math.h>
#include <string.h>

#include "compiler/types/model/worker_obj_warnings.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/os/path.h"

enum { MAX_CHANNELS = 6, MAX_FRAMES = 1 << 20 };

// What a number of a row moves.
typedef enum channel_kind {
    CHANNEL_X_POSITION,
    CHANNEL_Y_POSITION,
    CHANNEL_Z_POSITION,
    CHANNEL_X_ROTATION,
    CHANNEL_Y_ROTATION,
    CHANNEL_Z_ROTATION,
    CHANNEL_KIND_COUNT,
} channel_kind;

static const char *const channel_names[CHANNEL_KIND_COUNT] = {
    "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation",
};

// The channels of one node: numbers of each row.
typedef struct bvh_joint {
    uint32_t first, count;
    channel_kind kinds[MAX_CHANNELS];
    bool has_offset, has_channels;
} bvh_joint;

typedef struct bvh_reader {
    ct_compile *c;
    ct_worker_scene *scene;
    ct_obj_text text;           // in front of the next word
    CT_ARRAY(bvh_joint) joints; // by node
    uint32_t joint, depth;      // the open one; CT_WORKER_SCENE_NO_NODE: none
    uint32_t num_channels;      // of a row
    uint32_t num_frames;
    double frame_time;
    float *rows;
} bvh_reader;

// Reports an error at `at`, which lies in the reader's line. Returns false.
#define FAIL_AT(r, at, ...)                                                                        \
    ct_compile_error_at((r)->c, (r)->scene->path, (r)->text.line,                                  \
                        ct_obj_text_column(&(r)->text, (at)), __VA_ARGS__)

// --- Words ---------------------------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

// A CR LF is one line end: its LF ends an empty line that is not counted.
static void skip_blanks_and_lines(ct_obj_text *t) {
    for (; t->at < t->end && (is_blank(*t->at) || is_line_end(*t->at)); ++t->at) {
        if (!is_line_end(*t->at))
            continue;
        const bool is_half = *t->at == '\r' && t->at + 1 < t->end && t->at[1] == '\n';
        t->line += !is_half;
        t->line_begin = t->at + 1;
    }
}

// Moves past the next word, wherever it is. Braces are words; a colon ends one. The word is empty
// at the end of the file.
static ct_obj_span next_word(bvh_reader *r) {
    ct_obj_text *const t = &r->text;
    skip_blanks_and_lines(t);
    const char *const begin = t->at;
    if (t->at < t->end && (*t->at == '{' || *t->at == '}')) {
        ++t->at;
        return (ct_obj_span){begin, t->at};
    }
    while (t->at < t->end && !is_blank(*t->at) && !is_line_end(*t->at) && *t->at != '{' &&
           *t->at != '}') {
        if (*t->at++ == ':')
            break;
    }
    return (ct_obj_span){begin, t->at};
}

static bool is_empty(ct_obj_span word) {
    return word.begin == word.end;
}

// Reports that `word` is not what the format has here. Returns false.
static bool fail_word(bvh_reader *r, ct_obj_span word, const char *expected) {
    char quote[CT_WORKER_OBJ_QUOTE_BYTES];
    if (is_empty(word))
        return FAIL_AT(r, word.begin, "found the end of the file; expected %s", expected);
    return FAIL_AT(r, word.begin, "found %s; expected %s", ct_worker_obj_quote(word, quote),
                   expected);
}

static bool expect_word(bvh_reader *r, const char *expected) {
    const ct_obj_span word = next_word(r);
    return ct_obj_is_word(word, expected) ||
           fail_word(r, word, ct_compile_text(r->c, "\"%s\"", expected));
}

// Reads a word as a finite number. Returns false, without a report, for any other word.
static bool take_number(bvh_reader *r, ct_obj_span *word, float *value) {
    *word = next_word(r);
    ct_obj_text number = {.at = word->begin, .end = word->end, .line_begin = word->begin};
    return !is_empty(*word) && ct_obj_text_number(&number, value) == CT_OBJ_NUMBER_FOUND &&
           number.at == word->end && isfinite(*value);
}

// As take_number, but reports: `expected` is what the format has here.
static bool read_number(bvh_reader *r, const char *expected, float *value) {
    ct_obj_span word;
    return take_number(r, &word, value) || fail_word(r, word, expected);
}

static bool read_count(bvh_reader *r, uint32_t least, uint32_t most, const char *what,
                       uint32_t *count) {
    const ct_obj_span word = next_word(r);
    const char *at = word.begin;
    uint64_t value = 0;
    for (; at < word.end && *at >= '0' && *at <= '9'; ++at)
        value = value < UINT32_MAX ? value * 10 + (uint64_t)(*at - '0') : value;
    *count = (uint32_t)value;
    if (!is_empty(word) && at == word.end && value >= least && value <= most)
        return true;
    return fail_word(r, word, ct_compile_text(r->c, "%s from %u to %u", what, least, most));
}

// --- The tree of joints --------------------------------------------------------------------------

// Names may have blanks and colons: they are the rest of the line, up to a brace.
static bool read_name(bvh_reader *r, const char **name) {
    ct_obj_text *const t = &r->text;
    while (t->at < t->end && is_blank(*t->at))
        ++t->at;
    const char *const begin = t->at;
    while (t->at < t->end && !is_line_end(*t->at) && *t->at != '{' && *t->at != '}')
        ++t->at;
    const char *end = t->at;
    while (end > begin && is_blank(end[-1]))
        --end;
    *name = ct_compile_text(r->c, "%.*s", (int)(end - begin), begin);
    return end > begin || FAIL_AT(r, begin, "found no name; expected the joint's name here");
}

static bool open_joint(bvh_reader *r, ct_obj_span word) {
    ct_worker_scene_node node = {.parent = r->joint,
                                 .local = ct_worker_matrix_identity(),
                                 .geometry = ct_worker_matrix_identity()};
    const bvh_joint joint = {0};
    if (r->scene->nodes.count == CT_WORKER_SCENE_MAX_NODES)
        return FAIL_AT(r, word.begin, "found too many joints; expected at most %u",
                       CT_WORKER_SCENE_MAX_NODES);
    if (r->depth > CT_WORKER_SCENE_MAX_DEPTH)
        return FAIL_AT(r, word.begin, "joints are nested more than %u deep",
                       CT_WORKER_SCENE_MAX_DEPTH);
    if (!read_name(r, &node.name) || !expect_word(r, "{"))
        return false;
    r->joint = r->scene->nodes.count;
    ++r->depth;
    ct_array_push(&r->scene->nodes, node);
    ct_array_push(&r->joints, joint);
    return true;
}

static bool read_vector(bvh_reader *r, float v[3]) {
    for (uint32_t i = 0; i < 3; ++i) {
        if (!read_number(r, "a number of OFFSET, which has x, y and z", &v[i]))
            return false;
    }
    return true;
}

static bool read_offset(bvh_reader *r, ct_obj_span word) {
    bvh_joint *const joint = &r->joints.items[r->joint];
    ct_worker_scene_node *const node = &r->scene->nodes.items[r->joint];
    float v[3];
    if (joint->has_offset)
        return FAIL_AT(r, word.begin, "joint \"%s\" has a second OFFSET; expected one", node->name);
    joint->has_offset = true;
    if (!read_vector(r, v))
        return false;
    for (uint32_t i = 0; i < 3; ++i)
        node->local.rows[i][3] = v[i];
    return true;
}

static bool read_channel(bvh_reader *r, bvh_joint *joint) {
    const ct_obj_span word = next_word(r);
    uint32_t kind = 0;
    while (kind < CHANNEL_KIND_COUNT && !ct_obj_is_word(word, channel_names[kind]))
        ++kind;
    if (kind == CHANNEL_KIND_COUNT)
        return fail_word(r, word,
                         "a channel: Xposition, Yposition, Zposition, Xrotation, Yrotation or "
                         "Zrotation");
    for (uint32_t i = 0; i < joint->count; ++i) {
        if (joint->kinds[i] == (channel_kind)kind)
            return FAIL_AT(r, word.begin, "found a second %s of joint \"%s\"; expected one",
                           channel_names[kind], r->scene->nodes.items[r->joint].name);
    }
    joint->kinds[joint->count++] = (channel_kind)kind;
    return true;
}

static bool read_channels(bvh_reader *r, ct_obj_span word) {
    bvh_joint *const joint = &r->joints.items[r->joint];
    uint32_t count;
    if (joint->has_channels)
        return FAIL_AT(r, word.begin, "joint \"%s\" has a second CHANNELS; expected one",
                       r->scene->nodes.items[r->joint].name);
    if (!read_count(r, 0, MAX_CHANNELS, "the number of channels,", &count))
        return false;
    joint->has_channels = true;
    joint->first = r->num_channels;
    for (uint32_t i = 0; i < count; ++i) {
        if (!read_channel(r, joint))
            return false;
    }
    r->num_channels += count;
    return true;
}

// Where the last bone of a chain ends. It is no joint.
static bool skip_end_site(bvh_reader *r) {
    float v[3];
    return expect_word(r, "Site") && expect_word(r, "{") && expect_word(r, "OFFSET") &&
           read_vector(r, v) && expect_word(r, "}");
}

static bool close_joint(bvh_reader *r, ct_obj_span word) {
    const ct_worker_scene_node *const node = &r->scene->nodes.items[r->joint];
    if (!r->joints.items[r->joint].has_offset)
        return FAIL_AT(r, word.begin, "joint \"%s\" has no OFFSET; expected one in front of its }",
                       node->name);
    r->joint = node->parent;
    --r->depth;
    return true;
}

static bool read_in_joint(bvh_reader *r, ct_obj_span word) {
    if (ct_obj_is_word(word, "OFFSET"))
        return read_offset(r, word);
    if (ct_obj_is_word(word, "CHANNELS"))
        return read_channels(r, word);
    if (ct_obj_is_word(word, "JOINT"))
        return open_joint(r, word);
    if (ct_obj_is_word(word, "End"))
        return skip_end_site(r);
    if (ct_obj_is_word(word, "}"))
        return close_joint(r, word);
    return fail_word(r, word, "OFFSET, CHANNELS, JOINT, \"End Site\" or }");
}

// Reads up to the word MOTION.
static bool read_hierarchy(bvh_reader *r) {
    if (!expect_word(r, "HIERARCHY"))
        return false;
    while (true) {
        const ct_obj_span word = next_word(r);
        const bool has_joints = r->scene->nodes.count > 0;
        if (r->joint != CT_WORKER_SCENE_NO_NODE) {
            if (!read_in_joint(r, word))
                return false;
        } else if (ct_obj_is_word(word, "ROOT")) {
            if (!open_joint(r, word))
                return false;
        } else if (has_joints && ct_obj_is_word(word, "MOTION"))
            return r->num_channels > 0 ||
                   FAIL_AT(r, word.begin, "no joint has CHANNELS; expected them in a joint");
        else
            return fail_word(r, word, has_joints ? "MOTION or ROOT" : "ROOT");
    }
}

// --- The table of numbers ------------------------------------------------------------------------

static bool read_motion(bvh_reader *r) {
    float frame_time;
    if (!expect_word(r, "Frames:") ||
        !read_count(r, 1, MAX_FRAMES, "the number of frames,", &r->num_frames) ||
        !expect_word(r, "Frame") || !expect_word(r, "Time:"))
        return false;
    skip_blanks_and_lines(&r->text);
    const char *const at = r->text.at;
    if (!read_number(r, "the seconds of a frame", &frame_time))
        return false;
    if (!(frame_time > 1e-6f && frame_time < 1e6f))
        return FAIL_AT(r, at, "found a frame time of %g seconds; expected 0.000001 to 1000000",
                       (double)frame_time);
    r->frame_time = frame_time;
    return true;
}

static bool read_rows(bvh_reader *r) {
    const uint64_t count = (uint64_t)r->num_frames * r->num_channels;
    const uint64_t left = (uint64_t)(r->text.end - r->text.at);
    // A number and a blank are two bytes: a count that is a lie takes no memory.
    if (count > left / 2 + 1)
        return FAIL_AT(r, r->text.at,
                       "found %u frames of %u numbers, but the rest of the file is too short for "
                       "them; expected a number for each channel and frame",
                       r->num_frames, r->num_channels);
    r->rows = CT_NEW_ARRAY(r->c->allocator, float, count);
    ct_obj_span word;
    for (uint64_t i = 0; i < count; ++i) {
        if (!take_number(r, &word, &r->rows[i]))
            return fail_word(r, word,
                             ct_compile_text(r->c, "number %u of the %u of frame %u (of %u)",
                                             (uint32_t)(i % r->num_channels) + 1, r->num_channels,
                                             (uint32_t)(i / r->num_channels) + 1, r->num_frames));
    }
    word = next_word(r);
    if (!is_empty(word))
        ct_worker_scene_warn(
            r->c, r->scene,
            ct_compile_text(r->c, "line %u: what follows the last of %u frames is left out",
                            r->text.line, r->num_frames));
    return true;
}

// --- The clip ------------------------------------------------------------------------------------

static void add_positions(bvh_reader *r, const bvh_joint *joint, ct_worker_channel *channel) {
    const ct_worker_matrix *const local = &r->scene->nodes.items[channel->node].local;
    float *const values = CT_NEW_ARRAY(r->c->allocator, float, (uint64_t)3 * r->num_frames);
    for (uint32_t frame = 0; frame < r->num_frames; ++frame) {
        const float *const row = r->rows + (uint64_t)frame * r->num_channels + joint->first;
        float *const v = values + (uint64_t)3 * frame;
        for (uint32_t i = 0; i < 3; ++i)
            v[i] = local->rows[i][3];
        for (uint32_t i = 0; i < joint->count; ++i) {
            if (joint->kinds[i] <= CHANNEL_Z_POSITION)
                v[joint->kinds[i]] = row[i];
        }
    }
    channel->kind = CT_WORKER_CHANNEL_POSITION;
    channel->values = values;
    ct_array_push(&r->scene->channels, *channel);
}

// In double: the product of three turns keeps what a float can hold.
static void turn(double q[4], uint32_t axis, double degrees) {
    const double half = fmod(degrees, 720) * (3.14159265358979323846 / 360), s = sin(half),
                 w = cos(half);
    const uint32_t j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double p[4] = {q[0], q[1], q[2], q[3]};
    q[axis] = p[axis] * w + p[3] * s;
    q[j] = p[j] * w + p[k] * s;
    q[k] = p[k] * w - p[j] * s;
    q[3] = p[3] * w - p[axis] * s;
}

static void add_rotations(bvh_reader *r, const bvh_joint *joint, ct_worker_channel *channel) {
    float *const values = CT_NEW_ARRAY(r->c->allocator, float, (uint64_t)4 * r->num_frames);
    for (uint32_t frame = 0; frame < r->num_frames; ++frame) {
        const float *const row = r->rows + (uint64_t)frame * r->num_channels + joint->first;
        double q[4] = {0, 0, 0, 1};
        for (uint32_t i = 0; i < joint->count; ++i) {
            if (joint->kinds[i] >= CHANNEL_X_ROTATION)
                turn(q, joint->kinds[i] - CHANNEL_X_ROTATION, (double)row[i]);
        }
        for (uint32_t i = 0; i < 4; ++i)
            values[(uint64_t)4 * frame + i] = (float)q[i];
    }
    channel->kind = CT_WORKER_CHANNEL_ROTATION;
    channel->values = values;
    ct_array_push(&r->scene->channels, *channel);
}

static const char *file_name(bvh_reader *r) {
    const char *const name = ct_path_file_name(r->scene->path);
    const size_t extension = strlen(ct_path_extension(name));
    return ct_compile_text(r->c, "%.*s", (int)(strlen(name) - (extension ? extension + 1 : 0)),
                           name);
}

static void add_clip(bvh_reader *r) {
    float *const times = CT_NEW_ARRAY(r->c->allocator, float, r->num_frames);
    for (uint32_t i = 0; i < r->num_frames; ++i)
        times[i] = (float)(i * r->frame_time);
    ct_worker_clip clip = {.name = file_name(r), .end = times[r->num_frames - 1]};
    for (uint32_t node = 0; node < r->joints.count; ++node) {
        const bvh_joint *const joint = &r->joints.items[node];
        ct_worker_channel channel = {.node = node, .num_keys = r->num_frames, .times = times};
        bool has_positions = false, has_rotations = false;
        for (uint32_t i = 0; i < joint->count; ++i) {
            has_positions |= joint->kinds[i] <= CHANNEL_Z_POSITION;
            has_rotations |= joint->kinds[i] >= CHANNEL_X_ROTATION;
        }
        if (has_positions)
            add_positions(r, joint, &channel);
        if (has_rotations)
            add_rotations(r, joint, &channel);
    }
    clip.num_channels = r->scene->channels.count;
    ct_array_push(&r->scene->clips, clip);
}

bool ct_worker_bvh_read(ct_compile *c, ct_worker_model_files *files,
                        const ct_worker_model_file *file, ct_sjson_value at,
                        ct_worker_scene *scene) {
    (void)files, (void)at; // it names no others, and all errors have their place
    bvh_reader r = {.c = c,
                    .scene = scene,
                    .text = ct_obj_text_open(file->bytes, file->size_bytes),
                    .joint = CT_WORKER_SCENE_NO_NODE};
    ct_error error = {0};
    if (!ct_obj_text_check(file->bytes, file->size_bytes, &error))
        return ct_compile_error_at(c, scene->path, error.line, error.column, "%s", error.message);
    ct_array_init(&r.joints, c->allocator);
    scene->turn = ct_worker_scene_y_up;
    scene->metres = 1;
    if (!read_hierarchy(&r) || !read_motion(&r) || !read_rows(&r))
        return false;
    add_clip(&r);
    return true;
}
