// Files of saved games from bytes: raw, and as the sections of a good file, so that values and worlds are
// reached. What is read is printed. Nothing may crash or leak.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/sjson/sjson_writer.h"
#include "save/save_file.h"
#include "save/save_value.h"
#include "save/save_world.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read(const void *bytes, uint64_t size) {
    ct_allocator *const a = ct_memory_heap();
    ct_error error = {0};
    ct_save_file *const file = ct_save_file_read(a, bytes, size, false, &error);
    const bool is_damaged = ct_save_file_is_damaged(a, bytes, size);
    CT_REQUIRE(!file || !is_damaged, "a good file is taken for a damaged one");
    if (file) {
        ct_string_builder text;
        ct_sjson_writer w;
        ct_string_builder_init(&text, a);
        ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_SJSON);
        ct_sjson_begin_object(&w);
        ct_save_file_print(file, &w);
        ct_sjson_end_object(&w);
        ct_string_builder_free(&text);
    }
    ct_save_file_free(file);
}

// Appends a world of two units with a type of all kinds of fields, in which bytes of `data` replace some.
static void make_world(ct_byte_array *out, const uint8_t *data, size_t size) {
    static const ct_save_field fields[] = {
        {"number", CT_SAVE_KIND_F32, 0, 12},   {"name", CT_SAVE_KIND_TEXT, 12, 8},
        {"other", CT_SAVE_KIND_ENTITY, 20, 4}, {"bytes", CT_SAVE_KIND_BYTES, 24, 8},
        {"id", CT_SAVE_KIND_ID64, 32, 8},      {"count", CT_SAVE_KIND_I32, 40, 4},
    };
    ct_saved_world_writer w;
    ct_saved_world_writer_init(&w, out->allocator);
    const uint32_t name = ct_saved_world_add_text(&w, "units/a");
    const ct_saved_level level = {.name = name, .num_ids = 1, .rotation = {0, 0, 0, 1}};
    ct_array_push(&w.levels, level);
    ct_array_push(&w.level_ids, 5);
    for (uint32_t i = 0; i < 2; ++i) {
        const ct_saved_unit unit = {
            .name = name, .level = i, .first_entity = i, .num_entities = 1, .entity_id = i + 1};
        ct_array_push(&w.units, unit);
    }
    w.num_entities = 2;
    ct_saved_world_begin_type(&w, "thing", fields, CT_COUNT_OF(fields), 44);
    for (uint32_t i = 0; i < 2; ++i) {
        ct_saved_world_add_row(&w, i, 0);
        ct_saved_world_add_bytes(&w, "12345678", 8);
    }
    ct_saved_world_finish(&w, out);
    for (size_t i = 0; i + 2 < size; i += 3)
        out->items[(data[i] | data[i + 1] << 8) % out->count] = data[i + 2];
    ct_saved_world_writer_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_memory_init();
    ct_allocator *const a = ct_memory_heap();
    ct_byte_array info, world, file;
    const size_t half = size / 2;
    read(data, size);
    ct_array_init(&info, a);
    ct_array_init(&world, a);
    ct_array_init(&file, a);
    ct_save_end_table(&info, ct_save_begin_table(&info), 0);
    make_world(&world, data, half);
    const ct_save_section sections[] = {
        {CT_SAVE_SECTION_INFO, 1, info.items, info.count},
        {CT_SAVE_SECTION_DATA, 1, data + half, size - half},
        {CT_SAVE_SECTION_WORLD, 1, world.items, world.count},
    };
    if (ct_save_file_write(sections, 3, &file, NULL))
        read(file.items, file.count);
    if (size > 3 && file.count > 0) { // a byte of the good file
        file.items[(data[0] | data[1] << 8) % file.count] ^= (uint8_t)(data[2] | 1);
        read(file.items, file.count);
    }
    ct_array_free(&info);
    ct_array_free(&world);
    ct_array_free(&file);
    ct_memory_shutdown();
    return 0;
}
