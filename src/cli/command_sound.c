#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/compiled_resource.h"
#include "cli/size_text.h"
#include "cli/sound/sound_picture.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/sjson/sjson_writer.h"
#include "resource/types/sound_resource.h"

static const ct_command_option options[] = {
    {"waveform", "FILE", "write a picture of the waveform to this PNG file"},
    {"platform", "P", "read the data for this platform: linux, windows or be64 (linux)"},
    {"source-platform", "P", "read the variants of resources for this platform (as --platform)"},
    {"data-dir", "D", "folder of the compiled data (PROJECT/.cuttle/data/<platform>)"},
    {"json", NULL, "print one JSON object to standard output"},
};

static const char *const codec_names[CT_SOUND_CODEC_COUNT] = {"samples", "vorbis"};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_sound, arguments, name);
}

// --- Printing ------------------------------------------------------------------------------------

static double seconds_of(const ct_sound_resource *s, uint32_t frame) {
    return (double)frame / s->rate;
}

static uint64_t bytes_of(const ct_sound_resource *s) {
    return s->header.size_bytes + s->stream.bytes;
}

// The bytes of the data, as part of what samples would take.
static double share_of_samples(const ct_sound_resource *s) {
    return (double)s->data.count / ((double)s->num_frames * s->num_channels * sizeof(int16_t));
}

static double decibels(double factor) {
    return 20 * log10(factor);
}

static void print_report(const ct_sound_resource *s) {
    const double gain = decibels((double)s->gain);
    printf("length    %.3f s, %u frames at %u Hz, %s\n", seconds_of(s, s->num_frames),
           s->num_frames, s->rate, s->num_channels == 1 ? "mono" : "stereo");
    printf("media     %s, %u Hz, %u %s\n", (const char *)ct_blob_at(s, s->media_format.offset),
           s->media_rate, s->media_channels, s->media_channels == 1 ? "channel" : "channels");
    printf("stored    as %s, %s, %u chunks\n", codec_names[s->codec],
           s->flags & CT_SOUND_STREAMED ? "streamed" : "in memory", s->chunks.count);
    printf("size      %s", ct_size_text_of(bytes_of(s)).text);
    if (s->codec == CT_SOUND_CODEC_VORBIS)
        printf(", data %.1f%% of that of samples", share_of_samples(s) * 100);
    if (s->flags & CT_SOUND_LOOPS)
        printf("\nloop      from %.3f s to %.3f s\n", seconds_of(s, s->loop_begin),
               seconds_of(s, s->loop_end));
    else
        printf("\nloop      none\n");
    if (s->peak == 0) {
        printf("loudness  silent\n");
        return;
    }
    printf("loudness  %.1f LUFS, peak %.1f dB\n", (double)s->loudness, decibels((double)s->peak));
    printf("gain      %+.1f dB: plays at %.1f LUFS, peak %.1f dB\n", gain,
           (double)s->loudness + gain, decibels((double)s->peak) + gain);
}

static void write_loop(ct_sjson_writer *w, const ct_sound_resource *s) {
    ct_sjson_member_bool(w, "loops", (s->flags & CT_SOUND_LOOPS) != 0);
    ct_sjson_member_number(w, "loop_begin", seconds_of(s, s->loop_begin));
    ct_sjson_member_number(w, "loop_end", seconds_of(s, s->loop_end));
}

static void print_json(ct_allocator *a, const ct_sound_resource *s) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_number(&w, "seconds", seconds_of(s, s->num_frames));
    ct_sjson_member_number(&w, "frames", s->num_frames);
    ct_sjson_member_number(&w, "rate", s->rate);
    ct_sjson_member_number(&w, "channels", s->num_channels);
    ct_sjson_member_string(&w, "media", ct_blob_at(s, s->media_format.offset));
    ct_sjson_member_number(&w, "media_rate", s->media_rate);
    ct_sjson_member_number(&w, "media_channels", s->media_channels);
    ct_sjson_member_string(&w, "store", codec_names[s->codec]);
    ct_sjson_member_bool(&w, "streamed", (s->flags & CT_SOUND_STREAMED) != 0);
    ct_sjson_member_number(&w, "chunks", s->chunks.count);
    ct_sjson_member_number(&w, "bytes", (double)bytes_of(s));
    ct_sjson_member_number(&w, "stream_bytes", s->stream.bytes);
    write_loop(&w, s);
    ct_sjson_member_number(&w, "loudness", (double)s->loudness);
    ct_sjson_member_number(&w, "peak", (double)s->peak);
    ct_sjson_member_number(&w, "gain", (double)s->gain);
    ct_sjson_write_key(&w, "errors"); // of a failure there are some
    ct_sjson_begin_array(&w);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
}

// --- The command ---------------------------------------------------------------------------------

// The name of the resource, which may also be given as its file's.
static void name_of(const char *operand, char name[CT_PATH_BYTES]) {
    static const char extension[] = ".sound";
    const size_t length = strlen(operand), tail = sizeof(extension) - 1;
    const bool is_file = length > tail && strcmp(operand + length - tail, extension) == 0;
    snprintf(name, CT_PATH_BYTES, "%.*s", (int)(is_file ? length - tail : length), operand);
}

static bool report(ct_allocator *scratch, const ct_resource_store *store,
                   const ct_command_arguments *arguments, ct_error *error) {
    char name[CT_PATH_BYTES];
    name_of(arguments->operands[2], name);
    const ct_catalog *const catalog = ct_resource_store_read_catalog(store, scratch, error);
    const ct_sound_resource *const sound =
        catalog ? ct_compiled_read(store, catalog, scratch, ct_resource_id_of("sound", name), name,
                                   error)
                : NULL;
    const char *const picture = option(arguments, "waveform");
    if (!sound || (picture && !ct_sound_picture_write(scratch, sound, picture, error)))
        return false;
    if (option(arguments, "json"))
        print_json(scratch, sound);
    else
        print_report(sound);
    return true;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_error error = {0};
    char folder[CT_PATH_BYTES];
    if (strcmp(arguments->operands[0], "info") != 0) {
        fprintf(stderr, "cuttle sound: found \"%.100s\"; expected info\n", arguments->operands[0]);
        return CT_EXIT_USAGE;
    }
    bool is_done = false;
    const ct_compiled_place place = {arguments->operands[1], option(arguments, "platform"),
                                     option(arguments, "source-platform"),
                                     option(arguments, "data-dir")};
    const bool has_folder = ct_compiled_folder(&place, folder, &error);
    if (has_folder) {
        ct_resource_store *const store = ct_resource_store_open_folder(scratch, folder);
        is_done = report(scratch, store, arguments, &error);
        ct_resource_store_close(store);
    }
    return is_done ? CT_EXIT_OK
                   : ct_compiled_failed(scratch, "sound", has_folder,
                                        option(arguments, "json") != NULL, &error);
}

const ct_command ct_command_sound = {
    .name = "sound",
    .operands = "info PROJECT NAME",
    .least_operands = 3,
    .most_operands = 3,
    .summary = "print the length, loudness and size of a sound",
    .description =
        "Reads the sound that was compiled last. Prints its length, rate and channels, the\n"
        "file that it was made of, how it is stored and how many bytes that takes, its loop,\n"
        "its loudness (EBU R 128) and peak, and the gain that it plays with.\n"
        "Example: cuttle sound info mygame sounds/impact --waveform impact.png",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
