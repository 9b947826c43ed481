// content_mentions.h: the places of a source where it names resources and media files.
//
// What tools know of references is a list of mentions: what is named, how sure that is, the place
// for people, and the bytes of the file that say it. A tool that renames something writes the new
// name over these bytes and touches no other. Mentions are in the order of the text; their names
// are in a single buffer, one after the other. One thread at a time.
#pragma once
#include "foundation/container/array.h"
#include "resource/types/resource_types.h"

typedef enum ct_mention_kind {
    CT_MENTION_KIND_RESOURCE, // refers to the resource `name` of `type`
    CT_MENTION_KIND_PATTERN,  // a package's wildcard: `*` of `name` stands for any characters
    CT_MENTION_KIND_MEDIA,    // `name` is the project path of a media file
    CT_MENTION_KIND_LIKELY,   // a text that could be the name of a resource, of whatever type: it
                              // is one if there is such a resource, and means it probably
    CT_NUM_MENTION_KINDS,
} ct_mention_kind;

enum {
    // The source has a path from the folder of its file, as media that name others do; `name` is
    // the project path that it leads to.
    CT_MENTION_RELATIVE = 1,
    CT_MENTION_OPTIONAL = 2, // nothing fails when it is not there: the compiler does without
    CT_MENTION_RENAMED = 4,  // the source may say a name that is not valid, and means the valid one
};

typedef struct ct_mention {
    uint32_t kind;                // ct_mention_kind
    const ct_resource_type *type; // of RESOURCE and PATTERN; else NULL
    uint32_t name;                // offset in the list's names
    // From 1. Where the compiler has it (data_index.h): at a member's key, an element's value, the
    // word `require`; else at the name. 0 when it is too far on to count.
    uint32_t line, column;
    // The file's bytes between the quotes, a byte order mark counted: the name, and where the
    // source has escapes, these. What is written there instead needs its own (name_spelling.h).
    uint32_t begin, end;
    uint32_t flags; // CT_MENTION_RELATIVE and others
} ct_mention;

typedef struct ct_mentions {
    CT_ARRAY(ct_mention) items;
    ct_byte_array names; // each followed by a zero byte
} ct_mentions;

// An empty list, whose memory will come from `a`.
void ct_mentions_init(ct_mentions *mentions, ct_allocator *a);

// Forgets all and frees the memory.
void ct_mentions_free(ct_mentions *mentions);

// Adds `mention` with its name of `bytes` bytes in place of its `name`. Names that are empty, hold
// a zero byte or are longer than a path can be are passed over: they name nothing.
void ct_mentions_add(ct_mentions *mentions, const ct_mention *mention, const char *name,
                     uint64_t bytes);

// The name of a mention; valid until the next is added.
static inline const char *ct_mention_name(const ct_mentions *mentions, const ct_mention *mention) {
    return (const char *)mentions->names.items + mention->name;
}
