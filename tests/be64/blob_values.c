#include "blob_values.h"

#include <stdlib.h>
#include <string.h>

#include "dump_text.h"
#include "foundation/error.h"
#include "resource/types/component_resource.h"
#include "resource/types/sound_resource.h"
#include "resource/types/unit_resource.h"

enum { NUMBERS_OF_A_LINE = 64 };

typedef struct walk {
    const ct_blob_header *blob;
    bool is_sound;
    uint8_t *is_read; // for each byte of the blob
    ct_error *error;
} walk;

static void mark(walk *w, uint32_t at, uint64_t bytes) {
    memset(w->is_read + at, 1, (size_t)bytes);
}

// --- Numbers and strings -------------------------------------------------------------------------

// Read as the loaders do, so that sanitizers see a number that is not aligned.
static uint64_t number_at(const void *at, uint32_t bytes) {
    switch (bytes) {
    case 1:
        return *(const uint8_t *)at;
    case 2:
        return *(const uint16_t *)at;
    case 4:
        return *(const uint32_t *)at;
    default:
        return *(const uint64_t *)at;
    }
}

static void print_numbers(walk *w, const char *name, uint32_t at, uint32_t number_bytes,
                          uint32_t count) {
    const char *const numbers = ct_blob_at(w->blob, at);
    for (uint32_t i = 0; i < count; ++i) {
        if (i > 0 && i % NUMBERS_OF_A_LINE == 0)
            dump_text_line_end();
        if (i % NUMBERS_OF_A_LINE == 0 && count > NUMBERS_OF_A_LINE)
            dump_text_place_at(name, i);
        else if (i == 0)
            dump_text_place(name);
        dump_text_number(number_at(numbers + (uint64_t)i * number_bytes, number_bytes),
                         number_bytes);
    }
    if (count > 0)
        dump_text_line_end();
    mark(w, at, (uint64_t)count * number_bytes);
}

static void print_string(walk *w, const ct_blob_part *part, uint32_t at) {
    const ct_blob_string string = *(const ct_blob_string *)ct_blob_at(w->blob, at);
    mark(w, at, sizeof(string));
    if (string.offset == 0 && string.bytes == 0)
        return;
    dump_text_place(part->name);
    dump_text_string(ct_blob_at(w->blob, string.offset), string.bytes);
    dump_text_line_end();
    mark(w, string.offset, string.bytes + (uint64_t)1);
}

// --- Structs and arrays --------------------------------------------------------------------------

static bool print_struct(walk *w, const ct_blob_layout *layout, uint32_t at);

static bool print_structs(walk *w, const char *name, const ct_blob_layout *layout, uint32_t at,
                          uint32_t count) {
    const ct_blob_part *const only = &layout->parts[0];
    if (only->kind == CT_BLOB_PART_NUMBERS && only->number_bytes == layout->size_bytes) {
        print_numbers(w, name, at, only->number_bytes, count);
        return true;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t before = dump_text_enter_at(name, i);
        if (!print_struct(w, layout, at + i * layout->size_bytes))
            return false;
        dump_text_leave(before);
    }
    return true;
}

// Prints the data of components by their schema; blob_uses_print prints what the loader's functions
// make of those of varying size.
static bool print_components(walk *w, const ct_component_instances *c) {
    uint32_t count, t = 0;
    const ct_component_type *const types = ct_component_types(&count);
    while (t < count && types[t].id.value != c->type.value)
        ++t;
    if (t == count)
        return ct_error_set(w->error, "of the unknown component type %08x", c->type.value);
    const ct_schema *const schema = types[t].instance_schema;
    for (uint32_t i = 0; schema && i < c->data.count; ++i) {
        const uint32_t before = dump_text_enter_at("data", i);
        for (uint32_t f = 0; f < schema->num_fields; ++f) {
            const ct_blob_part part = ct_blob_part_of_field(&schema->fields[f]);
            if (part.number_bytes > 0)
                print_numbers(w, part.name, c->data.offset + i * schema->size_bytes + part.offset,
                              part.number_bytes, part.size_bytes / part.number_bytes);
        }
        dump_text_leave(before);
    }
    if (!schema)
        mark(w, c->data.offset, c->data.count);
    return true;
}

// The data of a sound in memory: samples of 16 bits; or, for each chunk, the sizes of its packets,
// and the packets.
static void print_sound(walk *w, const ct_sound_resource *s) {
    const ct_sound_chunk *const chunks = ct_blob_at(s, s->chunks.offset);
    for (uint32_t i = 0; i < s->chunks.count; ++i) {
        const uint32_t at = s->data.offset + chunks[i].offset;
        if (s->codec == CT_SOUND_CODEC_SAMPLES) {
            print_numbers(w, "samples", at, 2, chunks[i].bytes / 2);
            continue;
        }
        const uint32_t num_packets = *(const uint32_t *)ct_blob_at(s, at);
        const uint32_t table_bytes = 4 + 4 * num_packets;
        print_numbers(w, "packets", at, 4, 1 + num_packets);
        print_numbers(w, "vorbis", at + table_bytes, 1, chunks[i].bytes - table_bytes);
    }
}

// Its layout was checked.
static bool print_array(walk *w, const ct_blob_part *part, const void *owner, uint32_t at) {
    const ct_blob_array array = *(const ct_blob_array *)ct_blob_at(w->blob, at);
    ct_blob_layout own;
    const ct_blob_layout *const layout =
        part->choose ? part->choose(w->blob, owner, &own, w->error) : part->layout;
    if (!layout)
        return false;
    if (array.offset >= w->blob->size_bytes) { // in the stream, as it says
        print_numbers(w, part->name, at, sizeof(uint32_t), 2);
        return true;
    }
    mark(w, at, sizeof(array));
    dump_text_place(part->name);
    dump_text_number(array.count, 4);
    dump_text_line_end();
    if (w->is_sound && strcmp(part->name, "data") == 0) {
        print_sound(w, (const ct_sound_resource *)w->blob);
        return true;
    }
    return layout->num_parts == 0 ? print_components(w, owner)
                                  : print_structs(w, part->name, layout, array.offset, array.count);
}

static bool print_struct(walk *w, const ct_blob_layout *layout, uint32_t at) {
    for (uint32_t i = 0; i < layout->num_parts; ++i) {
        const ct_blob_part *const part = &layout->parts[i];
        const uint32_t part_at = at + part->offset;
        switch (part->kind) {
        case CT_BLOB_PART_NUMBERS:
            print_numbers(w, part->name, part_at, part->number_bytes,
                          part->size_bytes / part->number_bytes);
            break;
        case CT_BLOB_PART_STRING:
            print_string(w, part, part_at);
            break;
        case CT_BLOB_PART_STRUCTS:
            if (!print_structs(w, part->name, part->layout, part_at,
                               part->size_bytes / part->layout->size_bytes))
                return false;
            break;
        case CT_BLOB_PART_ARRAY:
            if (!print_array(w, part, ct_blob_at(w->blob, at), part_at))
                return false;
            break;
        }
    }
    return true;
}

// Bytes that no part reads fill gaps, and are 0.
static bool check_rest(const walk *w) {
    const uint8_t *const bytes = (const uint8_t *)w->blob;
    for (uint64_t i = 0; i < w->blob->size_bytes; ++i) {
        if (!w->is_read[i] && bytes[i] != 0)
            return ct_error_set(w->error, "byte %llu is %u, but nothing leads to it",
                                (unsigned long long)i, bytes[i]);
    }
    return true;
}

bool blob_values_print(const ct_blob_header *blob, const ct_blob_layout *layout, ct_error *error) {
    walk w = {.blob = blob,
              .is_sound = layout == &ct_sound_layout,
              .is_read = calloc(1, (size_t)blob->size_bytes),
              .error = error};
    if (!w.is_read)
        return ct_error_set(error, "out of memory");
    mark(&w, 0, sizeof(*blob));
    const bool is_right = print_struct(&w, layout, 0) && check_rest(&w);
    free(w.is_read);
    return is_right;
}
