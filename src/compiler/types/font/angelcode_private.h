// angelcode_private.h: what the readers and writers of the three formats of `.fnt` files share.
//
// A file is a list of records: a tag with values. Text and XML name the values; the tables of
// fields below say where each goes, and what it may be. The binary format has the same values at
// fixed places and is checked by the same tables.
#pragma once
#include "compiler/types/font/angelcode.h"
#include "foundation/string/string_builder.h"

enum { CT_ANGELCODE_MAX_ATTRIBUTES = 64 };

// A value of a record, as text.
typedef struct ct_angelcode_attribute {
    const char *key, *value;
} ct_angelcode_attribute;

// A value of a record: one or more numbers, or a text.
typedef struct ct_angelcode_field {
    const char *key;
    uint32_t offset;     // in the struct of the record
    uint32_t count;      // of numbers; of a text 0
    uint32_t text_bytes; // of the array for a text
    int32_t least, most; // of each number
    int32_t otherwise;   // when the record does not have it
    bool is_required;
    bool is_rare; // written only when it is not 0
} ct_angelcode_field;

typedef struct ct_angelcode_table {
    const char *tag;
    const ct_angelcode_field *fields; // in the order in which they are written
    uint32_t num_fields;
} ct_angelcode_table;

extern const ct_angelcode_table ct_angelcode_info_table, ct_angelcode_common_table,
    ct_angelcode_page_table, ct_angelcode_char_table, ct_angelcode_kerning_table;

typedef struct ct_angelcode_reader {
    ct_angelcode *font;
    const char *file;
    ct_error *error;
    bool has_info, has_common;
    int64_t num_chars, num_kernings; // as announced; -1: not
    uint32_t chars_place, kernings_place;
} ct_angelcode_reader;

// Takes a record of a text or XML file. Returns false with the reader's error.
bool ct_angelcode_take_record(ct_angelcode_reader *r, const char *tag,
                              const ct_angelcode_attribute *attributes, uint32_t count,
                              uint32_t place);

// Checks the numbers of a record that a binary file has. Returns false with the reader's error.
bool ct_angelcode_check_record(ct_angelcode_reader *r, const ct_angelcode_table *table,
                               const void *record, uint32_t place);

// Add a record. Return false with the reader's error when there are too many.
bool ct_angelcode_add_page(ct_angelcode_reader *r, const ct_angelcode_page *page);
bool ct_angelcode_add_char(ct_angelcode_reader *r, const ct_angelcode_char *added);
bool ct_angelcode_add_kerning(ct_angelcode_reader *r, const ct_angelcode_kerning *kerning);

// Read the whole file into the reader's font. Return false with its error.
bool ct_angelcode_read_text(ct_angelcode_reader *r, ct_allocator *a, const char *text,
                            uint64_t num_bytes);
bool ct_angelcode_read_xml(ct_angelcode_reader *r, ct_allocator *a, const char *text,
                           uint64_t num_bytes);
bool ct_angelcode_read_binary(ct_angelcode_reader *r, const uint8_t *bytes, uint64_t num_bytes);

// Append the whole file. Return false with `error` when the format cannot hold a name.
bool ct_angelcode_write_text(const ct_angelcode *font, ct_string_builder *out, ct_error *error);
void ct_angelcode_write_xml(const ct_angelcode *font, ct_string_builder *out);
bool ct_angelcode_write_binary(const ct_angelcode *font, ct_byte_array *out, ct_error *error);

// Appends the numbers of a field: "1,2,3,4".
void ct_angelcode_write_numbers(const ct_angelcode_field *field, const void *record,
                                ct_string_builder *out);

// Returns whether a field is written: a rare one is not when it is 0.
bool ct_angelcode_is_written(const ct_angelcode_field *field, const void *record);
