// data_index_fixture.h: a small index of compiled data that has one of everything.
#pragma once
#include "resource/blob/blob_fixtures.h"
#include "resource/data_index.h"

static inline void patch_text(ct_blob_writer *w, size_t at, const char *text) {
    ct_blob_patch_string(w, (uint32_t)at, text, (uint32_t)strlen(text));
}

// Two entries; the first with an include, a reference, an error and a warning.
static inline void write_data_index(ct_blob_writer *w) {
    enum { ENTRY = sizeof(ct_data_index_entry) };
    start(w, CT_DATA_INDEX_TYPE, CT_DATA_INDEX_VERSION, sizeof(ct_data_index));
    const ct_resource_id ids[2] = {ct_resource_id_of("material", "wood"),
                                   ct_resource_id_of("unit", "units/box")};
    const ct_data_index_entry entries[2] = {{.id = ids[0], .base = ids[0].name},
                                            {.id = ids[1], .base = ids[1].name}};
    uint32_t slots[4] = {0};
    for (uint32_t i = 0; i < 2; ++i)
        ct_id_table_add(slots, 4, ct_resource_id_key(ids[i]), i);
    append_array(w, offsetof(ct_data_index, slots), slots, sizeof(*slots), 4);
    const ct_data_index_type type = {.environment = 7};
    append_array(w, offsetof(ct_data_index, types), &type, sizeof(type), 1);
    patch_text(w, ct_blob_writer_offset(w) - sizeof(type), "material");
    const ct_data_index_include include = {{0, 0}, 5};
    const ct_data_index_reference reference = {.id = ct_resource_id_of("shader", "s"), .line = 3};
    const ct_data_index_error problem = {.line = 4, .column = 5};
    append_array(w, offsetof(ct_data_index, entries), entries, ENTRY, 2);
    const size_t first = ct_blob_writer_offset(w) - sizeof(entries);
    append_array(w, first + offsetof(ct_data_index_entry, includes), &include, sizeof(include), 1);
    patch_text(w, ct_blob_writer_offset(w) - sizeof(include), "wood.material");
    append_array(w, first + offsetof(ct_data_index_entry, references), &reference,
                 sizeof(reference), 1);
    const size_t r = ct_blob_writer_offset(w) - sizeof(reference);
    patch_text(w, r + offsetof(ct_data_index_reference, name), "s");
    append_array(w, first + offsetof(ct_data_index_entry, errors), &problem, sizeof(problem), 1);
    const size_t p = ct_blob_writer_offset(w) - sizeof(problem);
    patch_text(w, p + offsetof(ct_data_index_error, file), "wood.material");
    patch_text(w, p + offsetof(ct_data_index_error, message), "no such shader");
    append_array(w, first + offsetof(ct_data_index_entry, warnings), &problem, sizeof(problem), 1);
    const size_t n = ct_blob_writer_offset(w) - sizeof(problem);
    patch_text(w, n + offsetof(ct_data_index_error, file), "wood.material");
    patch_text(w, n + offsetof(ct_data_index_error, message), "no map");
    const char *const texts[2][3] = {{"material", "wood", "wood.material"},
                                     {"unit", "units/box", "units/box.unit"}};
    for (uint32_t i = 0; i < 2; ++i) {
        const size_t at = first + i * ENTRY;
        patch_text(w, at + offsetof(ct_data_index_entry, type), texts[i][0]);
        patch_text(w, at + offsetof(ct_data_index_entry, name), texts[i][1]);
        patch_text(w, at + offsetof(ct_data_index_entry, source), texts[i][2]);
    }
    ct_blob_writer_finish(w);
}
