// identity.h: the ids by which elements of arrays are known: who lacks one, and who has another's.
//
// Units, their components, children and nodes have ids (CT_SCHEMA_ID), by which other sources
// override them and diff and merge know them. People copy such elements by hand, and forget. An
// element without an id gets one; of several with the same the first keeps it, as what refers to it
// means either. Overrides name by their ids what stands elsewhere: none can be made up for them.
#pragma once
#include "content/references/content_place.h"
#include "foundation/sjson/sjson_document.h"
#include "foundation/string/guid.h"

typedef enum ct_identity_fault {
    CT_IDENTITY_FAULT_NONE,
    CT_IDENTITY_FAULT_MISSING,  // or empty
    CT_IDENTITY_FAULT_DOUBLED,  // an element before it in the array has it
    CT_IDENTITY_FAULT_NO_TEXT,  // found another type than a string
    CT_IDENTITY_FAULT_OVERRIDE, // missing or doubled, where it names what stands elsewhere
} ct_identity_fault;

typedef struct ct_identity_finding {
    ct_identity_fault fault;
    ct_sjson_value element, id; // of the tape; `id` {0} where there is none
    char *path;                 // "units[3]", from the allocator that was given
    ct_guid new_id;             // {0} where it cannot be repaired
} ct_identity_finding;

typedef CT_ARRAY(ct_identity_finding) ct_identity_finding_array;

// True for types of resources whose sources have arrays with ids.
bool ct_identity_is_in(const ct_schema *schema);

// Appends what is wrong with the ids of a source, in the order of the text. `path` names the file
// for its type. Paths of findings and the array's own memory are from `a`, a temp allocator. New
// ids are made at random. Linear.
void ct_identity_find(ct_identity_finding_array *findings, ct_allocator *a, const ct_sjson *tape,
                      const char *path);

// Gives the new ids of `findings` to the elements of `doc`, unedited and of the text of `tape`; all
// else stays as it is. Returns how many there were; UINT32_MAX with `error` when it would become
// too large.
uint32_t ct_identity_repair(const ct_identity_finding_array *findings, ct_allocator *scratch,
                            const ct_sjson *tape, ct_sjson_document *doc, ct_error *error);

// The words for a fault after the path: "has no id".
const char *ct_identity_fault_text(ct_identity_fault fault);
