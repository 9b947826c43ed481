// AngelCode fonts: text, XML and binary, which the first bytes distinguish. A font that is read can
// be scaled, and written in each format; a file that is written reads as the same font.
#include <string.h>

#include "compiler/types/font/angelcode.h"
#include "compiler/types/font/angelcode_convert.h"
#include "foundation/memory/memory.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    return 0;
}

// The font as text; empty when its names cannot be written so.
static void write_text(const ct_angelcode *font, ct_byte_array *text) {
    ct_error error = {0};
    text->count = 0;
    if (!ct_angelcode_write(font, CT_ANGELCODE_FORMAT_TEXT, text, &error))
        CT_ASSERT(error.message[0] && text->count == 0, "an error without a message%s", "");
}

static void check_format(const ct_angelcode *font, ct_angelcode_format format) {
    ct_allocator *const heap = ct_memory_heap();
    ct_byte_array bytes, text, text_again;
    ct_angelcode again;
    ct_error error = {0};
    ct_array_init(&bytes, heap);
    ct_array_init(&text, heap);
    ct_array_init(&text_again, heap);
    if (ct_angelcode_write(font, format, &bytes, &error)) {
        const bool is_read =
            ct_angelcode_read(heap, "again.fnt", bytes.items, bytes.count, &again, &error);
        CT_ASSERT(is_read, "what was written is not read: %s", error.message);
        // A number of a character set has a name, which is not always that of the source.
        memcpy(again.info.charset, font->info.charset, sizeof(again.info.charset));
        write_text(font, &text);
        write_text(&again, &text_again);
        CT_ASSERT(text.count == text_again.count &&
                      (text.count == 0 || memcmp(text.items, text_again.items, text.count) == 0),
                  "%s has another font", ct_angelcode_format_names[format]);
        ct_angelcode_free(&again);
    } else {
        CT_ASSERT(error.message[0], "an error without a message%s", "");
    }
    ct_array_free(&text_again);
    ct_array_free(&text);
    ct_array_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_angelcode font;
    ct_error error = {0};
    if (!ct_angelcode_read(ct_memory_heap(), "fuzz.fnt", data, size, &font, &error)) {
        CT_ASSERT(error.message[0], "an error without a message%s", "");
        return 0;
    }
    for (uint32_t i = 0; ct_angelcode_format_names[i]; ++i)
        check_format(&font, (ct_angelcode_format)i);
    ct_angelcode_scale(&font, 8);
    for (uint32_t i = 0; ct_angelcode_format_names[i]; ++i)
        check_format(&font, (ct_angelcode_format)i);
    ct_angelcode_free(&font);
    return 0;
}
