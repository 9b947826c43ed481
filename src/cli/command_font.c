#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "compiler/import/distance_font.h"
#include "foundation/memory/temp_allocator.h"

enum { MOST_SCALE = 64, MOST_SPREAD = 64 }; // as distance_field.h has them

static const ct_command_option options[] = {
    {"o", "FILE", "the new font; its pages are written beside it"},
    {"scale", "N", "pixels of the font that become one pixel (default 8)"},
    {"spread", "N", "new pixels from an outline to the end of its field (default 4)"},
    {"format", "FORMAT", "text, xml or binary (default: as the font)"},
    {"pages", "FORMAT", "png or tga (default png)"},
};

static bool is_one_of(const char *value, const char *const *names, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(value, names[i]) == 0)
            return true;
    }
    return false;
}

// Returns false with `error`, which says what is wrong with the options.
static bool read_options(const ct_command_arguments *arguments, ct_distance_font_desc *desc,
                         ct_error *error) {
    static const char *const formats[] = {"text", "xml", "binary"};
    static const char *const page_formats[] = {"png", "tga"};
    const ct_command *const command = &ct_command_font;
    const char *const pages = ct_command_option_of(command, arguments, "pages");
    desc->input = arguments->operands[0];
    desc->output = ct_command_option_of(command, arguments, "o");
    desc->format = ct_command_option_of(command, arguments, "format");
    desc->page_format = pages ? pages : "png";
    desc->scale = 8;
    desc->spread = 4;
    if (!desc->output)
        return ct_error_set(error, "expected the name of the new font: -o OUT.fnt");
    if (!ct_command_count("scale", ct_command_option_of(command, arguments, "scale"), 1, MOST_SCALE,
                          &desc->scale, error) ||
        !ct_command_count("spread", ct_command_option_of(command, arguments, "spread"), 1,
                          MOST_SPREAD, &desc->spread, error))
        return false;
    if (desc->format && !is_one_of(desc->format, formats, CT_COUNT_OF(formats)))
        return ct_error_set(error, "--format is \"%s\"; expected text, xml or binary",
                            desc->format);
    return is_one_of(desc->page_format, page_formats, CT_COUNT_OF(page_formats)) ||
           ct_error_set(error, "--pages is \"%s\"; expected png or tga", desc->page_format);
}

static void print_report(const ct_distance_font_report *report) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    for (uint32_t i = 0; i < report->errors.count; ++i) {
        ct_error_format(&report->errors.items[i], text, sizeof(text));
        fprintf(stderr, "%s\n", text);
    }
    for (uint32_t i = 0; i < report->warnings.count; ++i) {
        ct_error_format_warning(&report->warnings.items[i], text, sizeof(text));
        fprintf(stderr, "%s\n", text);
    }
    for (uint32_t i = 0; i < report->files.count; ++i)
        printf("written   %s\n", report->files.items[i]);
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_distance_font_desc desc = {0};
    ct_error error = {0};
    if (!read_options(arguments, &desc, &error)) {
        fprintf(stderr, "cuttle font: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    ct_distance_font_report report;
    const bool is_done = ct_distance_font_run(scratch, &desc, &report);
    print_report(&report);
    return is_done ? CT_EXIT_OK : CT_EXIT_FAILED;
}

const ct_command ct_command_font = {
    .name = "font",
    .operands = "FONT",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "make distance fields of an AngelCode font",
    .description =
        "Reads a large AngelCode font (.fnt: text, XML or binary, with PNG, TGA or JPEG\n"
        "pages) and writes a small one whose pages are distance fields: 128 on the\n"
        "outline, 255 inside, 0 outside. All measurements are divided by the scale. Export\n"
        "the large font with scale x spread pixels of padding around the characters. The\n"
        "files need not be part of a project.\n"
        "Example: cuttle font big.fnt -o small.fnt --scale 8 --spread 4",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
