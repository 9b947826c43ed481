// identity.h: finds and repairs missing and duplicate ids of array elements.
//
// Units, their components, children and nodes have ids (CT_SCHEMA_ID). Other sources override them
// by id, and diff and merge match them by id. People who copy such elements by hand forget to
// change the id. An element without an id gets one. Of several with the same id the first keeps it,
// because a reference may mean any of them. The id of an override names an element elsewhere, so no
// new id can be made for it.
#pragma once
#include "content/references/content_place.h"
#include "foundation/sjson/sjson_document.h"
#include "foundation/string/guid.h"

typedef enum ct_identity_fault {
    CT_IDENTITY_FAULT_NONE,
    CT_IDENTITY_FAULT_MISSING,  // or empty
    CT_IDENTITY_FAULT_DOUBLED,  // an element before it in the array has it
    CT_IDENTITY_FAULT_NO_TEXT,  // found another type than a string
    CT_IDENTITY_FAULT_OVERRIDE, // missing or doubled, and it names an element elsewhere
} ct_identity_fault;

typedef struct ct_identity_finding {
    ct_identity_fault fault;
    ct_sjson_value element, id; // of the tape; `id` is {0} when missing
    char *path;                 // "units[3]", from the allocator that was given
    ct_guid new_id;             // {0} where it cannot be repaired
} ct_identity_finding;

typedef CT_ARRAY(ct_identity_finding) ct_identity_finding_array;

// Returns whether sources of this type of resource have arrays with ids.
bool ct_identity_is_in(const ct_schema *schema);

// Appends the faults in the ids of a source, in the order of the text. `path` names the file
// for its type. Paths of findings and the array's own memory are from `a`, a temp allocator. New
// ids are made at random. Linear.
void ct_identity_find(ct_identity_finding_array *findings, ct_allocator *a, const ct_sjson *tape,
                      const char *path);

// Gives the new ids of `findings` to the elements of `doc`, which must be unedited and of the text
// of `tape`. Changes nothing else. Returns the number of new ids, or UINT32_MAX with `error` when
// the document would become too large.
uint32_t ct_identity_repair(const ct_identity_finding_array *findings, ct_allocator *scratch,
                            const ct_sjson *tape, ct_sjson_document *doc, ct_error *error);

// Returns the words for a fault that follow the path: "has no id".
const char *ct_identity_fault_text(ct_identity_fault fault);
