// sjson_document.h: SJSON text that tools read, edit and write without losing a byte.
//
// A document keeps the source text and a flat tree of nodes over it: arrays of values, of links
// (parent, siblings, children) and of spans (where in the text each part of a node is). Unedited
// parts are written byte for byte as they were read: comments, order, formatting, line ends, a byte
// order mark, a missing line end at the end. An edit appends text behind the source and points the
// spans there; unused text and nodes stay until the document is freed. Nodes are indices and stay
// valid until they are removed.
//
// Inserted text follows its surroundings: indent, line ends, commas, `=` or `:`, quotes around
// keys. A comment belongs to the value that follows it, unless a blank line separates them; after a
// value on the same line, it belongs to that value. A comment is moved and removed with its value.
// Other comments stay.
//
// The document accepts what ct_sjson_parse accepts (which it uses), with the same errors. Reading
// and writing are linear in the text; an edit costs what it touches, and in objects a walk over the
// members. A document belongs to one thread.
#pragma once
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"

typedef struct ct_sjson_document ct_sjson_document;

// A value of one document, with its key if it is a member; {0} means no node.
typedef struct ct_sjson_node {
    uint32_t index;
} ct_sjson_node;

// Parses `size_bytes` of text, which is copied. `file` names the text in errors and is copied.
// `limits` may be NULL and apply to edits too: an edit that would nest deeper, or bring source and
// inserted text past max_bytes, is an error. Returns NULL with `error` for text that is not SJSON.
ct_sjson_document *ct_sjson_document_parse(ct_allocator *a, const char *text, uint64_t size_bytes,
                                           const char *file, const ct_sjson_limits *limits,
                                           ct_error *error);

// Reads and parses the file `path`, which errors call `file`.
ct_sjson_document *ct_sjson_document_read(ct_allocator *a, const char *path, const char *file,
                                          const ct_sjson_limits *limits, ct_error *error);

// Makes a document from a tape and the text that it was read from. Nodes are made only for the
// root's children and for the children of containers for which `is_open` returns true. This suits
// few edits of a large text, as a node takes 80 bytes. A container that is not open has its type
// and count, but no children; it can be set, removed, moved within its container and written, but
// not edited or copied. `is_open` is called in the order of the text, and never for containers
// inside one that is not open. Takes ownership of `tape`, which must be a document's, and borrows
// the text for the life of the document or until ct_sjson_document_own_text; `limits` are as for
// ct_sjson_document_parse. Linear in the entries of the tape.
ct_sjson_document *ct_sjson_document_outline(ct_sjson *tape, const char *text, uint64_t size_bytes,
                                             const ct_sjson_limits *limits,
                                             bool (*is_open)(void *user, ct_sjson_value container),
                                             void *user);

// Copies the text that an outline borrowed; the text may then be freed. An edit also copies it,
// when it first adds text.
void ct_sjson_document_own_text(ct_sjson_document *doc);

// Returns the node made from a value of the tape; {0} when it was left out. Logarithmic.
ct_sjson_node ct_sjson_document_outlined(const ct_sjson_document *doc, ct_sjson_value value);

// Frees the document; NULL is fine.
void ct_sjson_document_free(ct_sjson_document *doc);

// Appends the whole text to `out`. An unedited document gives the parsed text.
void ct_sjson_document_write(const ct_sjson_document *doc, ct_string_builder *out);

// --- Looking at it -------------------------------------------------------------------------------

// Returns the name given to ct_sjson_document_parse.
const char *ct_sjson_document_file(const ct_sjson_document *doc);

// Returns the root: an object, or an array if the limits allow it.
ct_sjson_node ct_sjson_document_root(const ct_sjson_document *doc);

// Returns the type of a node; NONE for {0} and for a removed node.
ct_sjson_type ct_sjson_document_type(const ct_sjson_document *doc, ct_sjson_node node);

// Return the neighbours of a node in the tree; {0} where there is none. O(1).
ct_sjson_node ct_sjson_document_parent(const ct_sjson_document *doc, ct_sjson_node node);
ct_sjson_node ct_sjson_document_next(const ct_sjson_document *doc, ct_sjson_node node);
ct_sjson_node ct_sjson_document_previous(const ct_sjson_document *doc, ct_sjson_node node);

// Return the first and the last child of a container; {0} for an empty container or another type.
// O(1).
ct_sjson_node ct_sjson_document_first(const ct_sjson_document *doc, ct_sjson_node container);
ct_sjson_node ct_sjson_document_last(const ct_sjson_document *doc, ct_sjson_node container);

// Returns the number of elements of an array or members of an object; 0 for other types.
uint32_t ct_sjson_document_count(const ct_sjson_document *doc, ct_sjson_node container);

// Returns element `i` of an array; {0} when it has fewer elements or is not an array. Linear.
ct_sjson_node ct_sjson_document_element(const ct_sjson_document *doc, ct_sjson_node array,
                                        uint32_t i);

// Returns the member of `object` named `key`, or {0} (also when `object` is not an object). Linear.
ct_sjson_node ct_sjson_document_find(const ct_sjson_document *doc, ct_sjson_node object,
                                     const char *key);

// Returns the key of a member; NULL for other nodes. Borrowed until the next edit.
const char *ct_sjson_document_key(const ct_sjson_document *doc, ct_sjson_node member);

// Return the content of a value; `otherwise` for another type and for {0}. Strings are borrowed
// until the next edit, are zero-terminated, and may hold zero bytes.
bool ct_sjson_document_bool(const ct_sjson_document *doc, ct_sjson_node node, bool otherwise);
double ct_sjson_document_number(const ct_sjson_document *doc, ct_sjson_node node, double otherwise);
const char *ct_sjson_document_string(const ct_sjson_document *doc, ct_sjson_node node,
                                     const char *otherwise);

// Returns the length in bytes of a string value; 0 for other types.
uint32_t ct_sjson_document_string_bytes(const ct_sjson_document *doc, ct_sjson_node node);

// Appends the value as the document has it now, with everything in it, to `out`.
void ct_sjson_document_write_value(const ct_sjson_document *doc, ct_sjson_node node,
                                   ct_string_builder *out);

// Sets the line and column (starting at 1) of the node (for a member: of its key) in the source; 0
// and 0 for inserted nodes. Edits do not change them.
void ct_sjson_document_position(const ct_sjson_document *doc, ct_sjson_node node, uint32_t *line,
                                uint32_t *column);

// Fills `error` with the position of `node` and a message. Returns false.
bool ct_sjson_document_error(const ct_sjson_document *doc, ct_sjson_node node, ct_error *error,
                             const char *format, ...) CT_PRINTF(4, 5);

// --- Editing it ----------------------------------------------------------------------------------

// Values are passed as SJSON text of one value (`[0 0 1.2]`, `{ id = "5b1f" }`, see
// sjson_writer.h). Their line breaks and comments are kept; indent, commas, assignments and quotes
// around keys become the document's. Errors in them name the file "the new value". An edit that
// fails fills `error`, returns false or {0} and changes nothing. The root can be neither removed
// nor moved.

// Makes inserted text look like JSON where the source does not show its style: JSON text stays
// JSON. Call it before the first edit.
void ct_sjson_document_prefer_json(ct_sjson_document *doc);

// Replaces the value of `node`; its key and comments stay. Nodes below it are removed. The root can
// be set to an object in braces or an array; if the root has no braces, all of its content is
// replaced.
bool ct_sjson_document_set(ct_sjson_document *doc, ct_sjson_node node, const char *value,
                           uint64_t value_bytes, ct_error *error);

// Set a value as ct_sjson_document_set does, to a finite number in its shortest form, or to a
// string of UTF-8 (invalid bytes become U+FFFD).
bool ct_sjson_document_set_number(ct_sjson_document *doc, ct_sjson_node node, double value,
                                  ct_error *error);
bool ct_sjson_document_set_string(ct_sjson_document *doc, ct_sjson_node node, const char *text,
                                  uint32_t bytes, ct_error *error);

// Inserts a member before the member `before`, or last when it is {0}. A key that the object
// already has is an error.
ct_sjson_node ct_sjson_document_insert_member(ct_sjson_document *doc, ct_sjson_node object,
                                              ct_sjson_node before, const char *key,
                                              const char *value, uint64_t value_bytes,
                                              ct_error *error);

// Inserts an element before the element `before`, or last when it is {0}.
ct_sjson_node ct_sjson_document_insert_element(ct_sjson_document *doc, ct_sjson_node array,
                                               ct_sjson_node before, const char *value,
                                               uint64_t value_bytes, ct_error *error);

// Inserts a copy of `source` of the document `from` (which may be `doc`) before `before` of
// `container`, or last. The copy includes the comments of `source` and, in an object, its key. A
// member goes to an object, an element to an array.
ct_sjson_node ct_sjson_document_copy(ct_sjson_document *doc, ct_sjson_node container,
                                     ct_sjson_node before, const ct_sjson_document *from,
                                     ct_sjson_node source, ct_error *error);

// Copies as ct_sjson_document_copy does, a member whose key the object does not have. That is not
// checked, so many members can be copied to a large object.
ct_sjson_node ct_sjson_document_copy_new(ct_sjson_document *doc, ct_sjson_node container,
                                         ct_sjson_node before, const ct_sjson_document *from,
                                         ct_sjson_node source, ct_error *error);

// Moves `node` with its comments before `before` of `container`, or last; a member goes to an
// object, an element to an array, and no node into itself. `node` stays valid. The nodes below it
// stay valid if the container is the same; otherwise they are indented again and replaced by new
// nodes.
bool ct_sjson_document_move(ct_sjson_document *doc, ct_sjson_node node, ct_sjson_node container,
                            ct_sjson_node before, ct_error *error);

// Gives a member another key. A key that the object already has is an error.
bool ct_sjson_document_rename(ct_sjson_document *doc, ct_sjson_node member, const char *key,
                              ct_error *error);

// Removes `node`, everything in it, and its comments.
void ct_sjson_document_remove(ct_sjson_document *doc, ct_sjson_node node);
