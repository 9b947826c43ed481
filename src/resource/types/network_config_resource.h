// network_config_resource.h: what a game sends: types of values, messages, game objects.
//
// A record is the state of one object, or the arguments of one message: an array of 32-bit words.
// A field is a range of words, and each word has a width: only its lowest bits are used. So records
// are compared with memcmp and coded word by word (network/fields/network_record.h), without
// knowledge of types. libc only.
#pragma once
#include "resource/types/resource_types.h"

enum {
    CT_NETWORK_CONFIG_VERSION = 1,
    CT_NETWORK_MAX_TYPES = 1024,
    CT_NETWORK_MAX_RECORDS = 1024,    // messages, and objects
    CT_NETWORK_MAX_FIELDS = 64,       // of a record
    CT_NETWORK_MAX_WORDS = 256,       // of a record
    CT_NETWORK_MAX_STRING_BYTES = 512 // of a value of kind string, without a terminator
};

// What a value is. In brackets: its words, with their widths in bits.
typedef enum ct_network_kind {
    CT_NETWORK_BOOL,     // [1]
    CT_NETWORK_INTEGER,  // `min` to `max`, whole [as many as the range needs]
    CT_NETWORK_FLOAT,    // `min` to `max` in 2^bits steps; with 32 bits and no range: exact [bits]
    CT_NETWORK_VECTOR2,  // each part has its own `min` and `max` [bits, bits]
    CT_NETWORK_VECTOR3,  // positions, velocities [bits, bits, bits]
    CT_NETWORK_ROTATION, // a unit quaternion as its three smallest parts [2, bits, bits, bits]
    CT_NETWORK_STRING,   // UTF-8 of at most `max_count` bytes [length, then 32 for 4 bytes]
    CT_NETWORK_ID,       // a 64-bit id: a resource name in sources, any 64 bits in Lua [32, 32]
    CT_NETWORK_PEER,     // a peer [32, 32]
    CT_NETWORK_OBJECT,   // the id of a game object, 0: none [32]
    CT_NETWORK_LOOKUP,   // one of a list of names [as many as the list needs]
    CT_NETWORK_ARRAY,    // at most `max_count` values of type `element` [length, then each]
    CT_NETWORK_KINDS,
} ct_network_kind;

typedef struct ct_network_type {
    ct_string_id32 id;
    ct_blob_string name;
    uint32_t kind; // ct_network_kind
    uint32_t bits; // of each word of a float, vector or rotation
    float min[3], max[3];
    int32_t first, last;   // of an integer
    uint32_t max_count;    // of a string in bytes, of an array in elements
    uint32_t element;      // of an array: index of a type that is no array and no string
    uint32_t first_lookup; // of a lookup: in `lookups`
    uint32_t num_lookups;
    uint32_t num_words;
} ct_network_type;

typedef struct ct_network_field {
    ct_string_id32 id;
    ct_blob_string name;
    uint32_t type;       // index in `types`
    uint32_t first_word; // in the record
    uint32_t num_words;  // that of its type
} ct_network_field;

// A message or a game object.
typedef struct ct_network_record_type {
    ct_string_id32 id;
    ct_blob_string name;
    uint32_t first_field, num_fields; // in `fields`; of messages: their arguments, in order
    uint32_t first_width, num_words;  // in `widths` and `defaults`: a byte and a word for each word
    // Of messages.
    uint32_t is_reliable; // 1: arrives once, in order with the creation of objects
    // Of objects; `priority` of unreliable messages, too: below 1 they go after fields.
    uint32_t position;  // field with its position, for relevance; UINT32_MAX: none
    float distance;     // metres from a peer's point of interest beyond which it gets no updates
    float priority;     // 1 is usual; how much of the bandwidth it gets beside others
    float rate;         // most updates a second; 0: each time
    uint32_t is_shared; // 1: stays, and gets another owner, when its owner leaves; 0: destroyed
} ct_network_record_type;

typedef struct ct_network_config_resource {
    ct_blob_header header;
    uint64_t hash;       // of all that both ends must have alike: names, kinds, ranges, order
    ct_blob_array types; // ct_network_type, sorted by id
    ct_blob_array
        messages; // ct_network_record_type, sorted by id; a number on the wire is its index
    ct_blob_array objects;  // likewise
    ct_blob_array fields;   // ct_network_field
    ct_blob_array widths;   // uint8_t, 1 to 32
    ct_blob_array defaults; // uint32_t: the words of a new record
    ct_blob_array lookups;  // ct_blob_string
} ct_network_config_resource;

extern const ct_blob_layout ct_network_config_layout, ct_network_type_layout,
    ct_network_field_layout, ct_network_record_type_layout;

// Validates a blob of this type after its header was checked. Returns false with `error`, which
// names the invalid member. libc only.
bool ct_network_config_validate(const void *blob, ct_error *error);

// Return the index of the message, object or field with a name's id, UINT32_MAX when there is none.
// O(log n); fields: O(n) of that record.
uint32_t ct_network_config_message(const ct_network_config_resource *config, ct_string_id32 id);
uint32_t ct_network_config_object(const ct_network_config_resource *config, ct_string_id32 id);
uint32_t ct_network_config_field(const ct_network_config_resource *config,
                                 const ct_network_record_type *record, ct_string_id32 id);

// Return one of a config's arrays, borrowed from the blob.
const ct_network_type *ct_network_config_types(const ct_network_config_resource *config);
const ct_network_record_type *ct_network_config_messages(const ct_network_config_resource *config);
const ct_network_record_type *ct_network_config_objects(const ct_network_config_resource *config);
// Returns a name of the list of a lookup type; `index` is below its num_lookups. Borrowed.
const char *ct_network_config_lookup(const ct_network_config_resource *config,
                                     const ct_network_type *type, uint32_t index);
// The fields, widths and defaults of a record of the config.
const ct_network_field *ct_network_record_fields(const ct_network_config_resource *config,
                                                 const ct_network_record_type *record);
const uint8_t *ct_network_record_widths(const ct_network_config_resource *config,
                                        const ct_network_record_type *record);
const uint32_t *ct_network_record_defaults(const ct_network_config_resource *config,
                                           const ct_network_record_type *record);
