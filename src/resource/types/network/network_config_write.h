// network_config_write.h: makes the blob of a network config from a description in C.
//
// The compiler describes a source with it, and tests describe theirs. Types and records may come in
// any order; names refer to each other. The types "bool", "id", "peer" and "object" are always
// there. Any thread.
#pragma once
#include "resource/blob/blob_writer.h"
#include "resource/types/network/network_value.h"

// Members that the kind does not have are ignored and become 0 in the blob.
typedef struct ct_network_type_desc {
    const char *name;
    uint32_t kind; // ct_network_kind
    uint32_t bits;
    float min[3], max[3];
    int32_t first, last;
    uint32_t max_count;
    const char *element; // the name of a type
    const char *const *lookups;
    uint32_t num_lookups;
} ct_network_type_desc;

// A field of an object, or an argument of a message.
typedef struct ct_network_field_desc {
    const char *name;
    const char *type;       // the name of a type
    bool has_value;         // false: ct_network_value_default
    ct_network_value value; // of a new record; `kind` is ignored
} ct_network_field_desc;

// An object, or a message.
typedef struct ct_network_record_desc {
    const char *name;
    const ct_network_field_desc *fields;
    uint32_t num_fields;
    bool is_reliable;               // of messages
    bool is_shared;                 // this and what follows: of objects
    const char *position;           // the name of a field, or NULL
    float distance, priority, rate; // the priority: of unreliable messages, too
} ct_network_record_desc;

// A whole config.
typedef struct ct_network_config_desc {
    const ct_network_type_desc *types;
    const ct_network_record_desc *messages, *objects;
    uint32_t num_types, num_messages, num_objects;
} ct_network_config_desc;

// What in a description an error is about.
typedef struct ct_network_config_place {
    enum {
        CT_NETWORK_PLACE_NOWHERE,
        CT_NETWORK_PLACE_TYPE,
        CT_NETWORK_PLACE_MESSAGE,
        CT_NETWORK_PLACE_OBJECT,
    } list;
    uint32_t index; // in the list
    uint32_t field; // of that record; UINT32_MAX: all of it
} ct_network_config_place;

// Appends the whole blob to `w`, which was started with the type "network_config", and finishes it.
// What is written passes ct_network_config_validate. Returns false with `error` and `place` when
// two names of one list are equal or have the same id, a name or type is not there, a number is out
// of its range, or there is too much of something; what `w` holds is then not to be used. `scratch`
// is for what is needed meanwhile.
bool ct_network_config_write(const ct_network_config_desc *desc, ct_allocator *scratch,
                             ct_blob_writer *w, ct_network_config_place *place, ct_error *error);
