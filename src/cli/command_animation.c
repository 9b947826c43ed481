#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/compiled_resource.h"
#include "cli/project_compile.h"
#include "cli/size_text.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/sjson/sjson_writer.h"
#include "resource/types/animation_stream.h"

static const ct_command_option options[] = {
    {"platform", "P", "read the data for this platform: linux, windows or be64 (linux)"},
    {"source-platform", "P", "read the variants of resources for this platform (as --platform)"},
    {"data-dir", "D", "folder of the compiled data (PROJECT/.cuttle/data/<platform>)"},
    {"json", NULL, "print one JSON object to standard output"},
};

static const char *const kind_names[CT_ANIMATION_TRACK_KIND_COUNT] = {"rotation", "position",
                                                                      "scale", "curve"};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_animation, arguments, name);
}

// A track of the clip that is not the rest pose.
typedef struct track {
    uint32_t kind, number; // of the joint or the curve
    uint32_t num_keys;     // 1: constant
    uint32_t key_bits;     // of a key in the stream
} track;

// All memory is from one temp allocator.
typedef struct clip_report {
    const ct_animation_resource *clip;
    const ct_skeleton_resource *skeleton; // NULL: it is not compiled, or does not fit any more
    CT_ARRAY(track) tracks;
    uint32_t num_keys;
    uint32_t jump_bytes; // of all jump frames but the first
    double joint_seconds;
} clip_report;

// --- What a clip holds ---------------------------------------------------------------------------

// Counts the keys of the lanes of a group; `tracks` has one for each lane.
static void count_keys(const ct_animation_resource *clip, track *const *tracks) {
    const ct_animation_group *const groups = ct_blob_at(clip, clip->groups.offset);
    const uint8_t *const stream = ct_blob_at(clip, clip->stream.offset);
    static uint32_t ends[CT_ANIMATION_MAX_GROUPS * CT_ANIMATION_LANES];
    const uint32_t num_lanes = clip->num_keyed_groups * CT_ANIMATION_LANES;
    uint32_t bit = 0, next = 0;
    for (uint32_t i = 0; i < num_lanes; ++i)
        ends[i] = tracks[i] && tracks[i]->key_bits ? 0 : UINT32_MAX;
    while (next < clip->num_frames) {
        const uint32_t frame = next;
        next = UINT32_MAX;
        for (uint32_t i = 0; i < num_lanes; ++i) {
            const ct_animation_lane *const lane =
                &groups[i / CT_ANIMATION_LANES].lanes[i % CT_ANIMATION_LANES];
            if (ends[i] == frame) {
                ends[i] += ct_animation_key_duration(lane, stream, bit);
                bit += ct_animation_key_bits(lane);
                ++tracks[i]->num_keys;
            }
            next = ends[i] < next ? ends[i] : next;
        }
    }
}

static void make_report(clip_report *r, ct_allocator *scratch, const ct_animation_resource *clip) {
    const ct_animation_group *const groups = ct_blob_at(clip, clip->groups.offset);
    const uint32_t num_lanes = clip->groups.count * CT_ANIMATION_LANES;
    r->clip = clip;
    ct_array_init(&r->tracks, scratch);
    ct_array_reserve(&r->tracks, num_lanes + 1ull);
    track **const of_lanes = ct_alloc_array_zero(scratch, sizeof(*of_lanes), num_lanes + 1ull);
    for (uint32_t i = 0; i < num_lanes; ++i) {
        const ct_animation_group *const g = &groups[i / CT_ANIMATION_LANES];
        const uint32_t l = i % CT_ANIMATION_LANES;
        if (!(g->tracks >> l & 1))
            continue;
        const bool has_keys = g->lanes[l].duration_bits > 0;
        of_lanes[i] = &r->tracks.items[r->tracks.count];
        ct_array_push(&r->tracks,
                      (track){.kind = g->kind,
                              .number = CT_ANIMATION_LANES * g->number + l,
                              .num_keys = 1, // others are in the stream
                              .key_bits = has_keys ? ct_animation_key_bits(&g->lanes[l]) : 0});
    }
    count_keys(clip, of_lanes);
    for (uint32_t i = 0; i < r->tracks.count; ++i)
        r->num_keys += r->tracks.items[i].num_keys;
    const uint32_t num_jumps = clip->jump_bits.count;
    r->jump_bytes = num_jumps ? (clip->jump_bytes + 4) * (num_jumps - 1) : 0;
    r->joint_seconds = (double)ct_animation_length(clip) * clip->num_joints;
}

static const char *joint_name(const clip_report *r, uint32_t joint) {
    uint32_t count;
    static char text[32];
    if (!r->skeleton) {
        snprintf(text, sizeof(text), "joint %u", joint);
        return text;
    }
    const ct_skeleton_joint *const joints = ct_skeleton_joints(r->skeleton, &count);
    return ct_blob_at(r->skeleton, joints[joint].name_text.offset);
}

static const char *track_name(const clip_report *r, const track *t) {
    const ct_animation_curve *const curves = ct_blob_at(r->clip, r->clip->curves.offset);
    return t->kind == CT_ANIMATION_TRACK_CURVE
               ? ct_blob_at(r->clip, curves[t->number].parameter_text.offset)
               : joint_name(r, t->number);
}

// --- Printing ------------------------------------------------------------------------------------

static void print_report(const clip_report *r) {
    const ct_animation_resource *const c = r->clip;
    const double bytes = (double)c->header.size_bytes;
    printf("size      %s, %u joints, %g s at %g Hz\n", ct_size_text_of(c->header.size_bytes).text,
           c->num_joints, (double)ct_animation_length(c), (double)c->rate);
    printf("          %.1f bytes a joint and second, %.1f without jump frames\n",
           bytes / r->joint_seconds, (bytes - r->jump_bytes) / r->joint_seconds);
    printf("error     at most %.4g mm, at %s at %.3f s; %.4g mm on average; tolerance %.4g mm\n",
           (double)c->worst_error * 1000, joint_name(r, c->worst_joint), (double)c->worst_time,
           (double)c->mean_error * 1000, (double)c->tolerance * 1000);
    printf("keys      %u in %u tracks\n", r->num_keys, r->tracks.count);
    for (uint32_t i = 0; i < r->tracks.count; ++i) {
        const track *const t = &r->tracks.items[i];
        printf("  %-8s  %-24s  ", kind_names[t->kind], track_name(r, t));
        if (t->key_bits)
            printf("%u keys of %u bits\n", t->num_keys, t->key_bits);
        else
            printf("constant\n");
    }
}

static void write_tracks(ct_sjson_writer *w, const clip_report *r) {
    ct_sjson_write_key(w, "tracks");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < r->tracks.count; ++i) {
        const track *const t = &r->tracks.items[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "kind", kind_names[t->kind]);
        ct_sjson_member_string(w, "name", track_name(r, t));
        ct_sjson_member_number(w, "keys", t->num_keys);
        ct_sjson_member_number(w, "key_bits", t->key_bits);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void print_json(ct_allocator *a, const clip_report *r) {
    const ct_animation_resource *const c = r->clip;
    const double bytes = (double)c->header.size_bytes;
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_number(&w, "bytes", bytes);
    ct_sjson_member_number(&w, "jump_bytes", r->jump_bytes);
    ct_sjson_member_number(&w, "joints", c->num_joints);
    ct_sjson_member_number(&w, "seconds", (double)ct_animation_length(c));
    ct_sjson_member_number(&w, "rate", (double)c->rate);
    ct_sjson_member_number(&w, "bytes_per_joint_second", bytes / r->joint_seconds);
    ct_sjson_member_number(&w, "bytes_per_joint_second_without_jumps",
                           (bytes - r->jump_bytes) / r->joint_seconds);
    ct_sjson_member_number(&w, "tolerance", (double)c->tolerance);
    ct_sjson_member_number(&w, "worst_error", (double)c->worst_error);
    ct_sjson_member_string(&w, "worst_joint", joint_name(r, c->worst_joint));
    ct_sjson_member_number(&w, "worst_time", (double)c->worst_time);
    ct_sjson_member_number(&w, "mean_error", (double)c->mean_error);
    ct_sjson_member_number(&w, "keys", r->num_keys);
    write_tracks(&w, r);
    ct_sjson_write_key(&w, "errors"); // of a failure there are some
    ct_sjson_begin_array(&w);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
}

// --- The command ---------------------------------------------------------------------------------

static bool report(ct_allocator *scratch, const ct_resource_store *store, const char *name,
                   bool json, ct_error *error) {
    ct_error ignored = {0};
    clip_report r = {0};
    const ct_catalog *const catalog = ct_resource_store_read_catalog(store, scratch, error);
    const ct_animation_resource *const clip =
        catalog ? ct_compiled_read(store, catalog, scratch, ct_resource_id_of("animation", name),
                                   name, error)
                : NULL;
    if (!clip)
        return false;
    const ct_resource_id skeleton = {ct_resource_id_of("skeleton", "").type, clip->skeleton};
    r.skeleton = ct_compiled_read(store, catalog, scratch, skeleton, "", &ignored);
    if (r.skeleton && r.skeleton->hash != clip->skeleton_hash)
        r.skeleton = NULL;
    make_report(&r, scratch, clip);
    if (json)
        print_json(scratch, &r);
    else
        print_report(&r);
    return true;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_error error = {0};
    char folder[CT_PATH_BYTES];
    const bool json = option(arguments, "json") != NULL;
    if (strcmp(arguments->operands[0], "info") != 0) {
        fprintf(stderr, "cuttle animation: found \"%.100s\"; expected info\n",
                arguments->operands[0]);
        return CT_EXIT_USAGE;
    }
    bool is_done = false;
    const ct_compiled_place place = {arguments->operands[1], option(arguments, "platform"),
                                     option(arguments, "source-platform"),
                                     option(arguments, "data-dir")};
    const bool has_folder = ct_compiled_folder(&place, folder, &error);
    if (has_folder) {
        ct_resource_store *const store = ct_resource_store_open_folder(scratch, folder);
        is_done = report(scratch, store, arguments->operands[2], json, &error);
        ct_resource_store_close(store);
    }
    return is_done ? CT_EXIT_OK
                   : ct_compiled_failed(scratch, "animation", has_folder, json, &error);
}

const ct_command ct_command_animation = {
    .name = "animation",
    .operands = "info PROJECT NAME",
    .least_operands = 3,
    .most_operands = 3,
    .summary = "print the size and the error of a clip",
    .description =
        "Reads the clip that was compiled last. Prints its size, the bytes that a joint needs\n"
        "for a second, how far its poses are from those of the file at most and on average\n"
        "(with joint and time), and the keys of each track. Tracks that are as the rest pose\n"
        "are not listed: they need nothing.\n"
        "Example: cuttle animation info mygame characters/fox/run",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
