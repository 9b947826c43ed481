// sjson_document.h: SJSON text that tools read, edit and write without losing a byte.
//
// The document keeps the source text, and over it a flat tree of nodes: arrays of values, of links
// (parent, siblings, children) and of spans (where in the text a node's parts stand). What was not
// edited is written byte by byte as it was read: comments, order, formatting, line ends, a byte
// order mark, a missing line end at the end. An edit appends text behind the source and points the
// spans there; text and nodes that fell out of use stay until the document is freed. Nodes are
// indices and stay valid until they are removed.
//
// Inserted text follows its surroundings: indent, line ends, commas, `=` or `:`, quotes around
// keys. A comment belongs to the value that it precedes, up to a blank line between them, or after
// which it stands on the same line; it moves and goes with that value. Other comments stay.
//
// What it accepts is what ct_sjson_parse accepts (it reads by it), with the same errors. Reading
// and writing are linear in the text; edits cost what they touch, and in objects a walk over the
// members. A document belongs to one thread.
#pragma once
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"

typedef struct ct_sjson_document ct_sjson_document;

// A value of one document, with its key if it is a member; {0} is none.
typedef struct ct_sjson_node {
    uint32_t index;
} ct_sjson_node;

// Parses `size_bytes` of text, which is copied. `file` names it in errors and is copied; `limits`
// may be NULL, and holds for edits too: what would nest deeper, or bring source and inserted text
// past max_bytes, is an error. Returns NULL with `error` for what is not SJSON.
ct_sjson_document *ct_sjson_document_parse(ct_allocator *a, const char *text, uint64_t size_bytes,
                                           const char *file, const ct_sjson_limits *limits,
                                           ct_error *error);

// Reads and parses the file `path`, named `file` in errors.
ct_sjson_document *ct_sjson_document_read(ct_allocator *a, const char *path, const char *file,
                                          const ct_sjson_limits *limits, ct_error *error);

// Makes a document of a tape and the text that it was read from, with nodes only for the root's
// children and those of the containers that `is_open` says yes to: for few edits of a large text,
// as a node takes 80 bytes. A container that is not open has its type and count, but no children;
// it can be set, removed, moved within its container and written, not edited or copied. Containers
// are asked for in the order of the text, and never inside one that is not open. Takes `tape` over,
// which must be a document's, and borrows the text for as long as the document lives or until
// ct_sjson_document_own_text; `limits` as for ct_sjson_document_parse. Linear in the entries of the
// tape.
ct_sjson_document *ct_sjson_document_outline(ct_sjson *tape, const char *text, uint64_t size_bytes,
                                             const ct_sjson_limits *limits,
                                             bool (*is_open)(void *user, ct_sjson_value container),
                                             void *user);

// Copies the text that an outline has borrowed; it may be freed then. An edit does so, too, when it
// first adds text.
void ct_sjson_document_own_text(ct_sjson_document *doc);

// The node that a value of the tape has become; {0} when it was left out. Logarithmic.
ct_sjson_node ct_sjson_document_outlined(const ct_sjson_document *doc, ct_sjson_value value);

// Frees the document; NULL is fine.
void ct_sjson_document_free(ct_sjson_document *doc);

// Appends the whole text to `out`; unedited, it is what was parsed.
void ct_sjson_document_write(const ct_sjson_document *doc, ct_string_builder *out);

// --- Looking at it -------------------------------------------------------------------------------

// The name given to ct_sjson_document_parse.
const char *ct_sjson_document_file(const ct_sjson_document *doc);

// The object that the text is; or the array, where the limits take one.
ct_sjson_node ct_sjson_document_root(const ct_sjson_document *doc);

// NONE for {0} and for a node that was removed.
ct_sjson_type ct_sjson_document_type(const ct_sjson_document *doc, ct_sjson_node node);

// The neighbours of a node in the tree; {0} where there is none. O(1).
ct_sjson_node ct_sjson_document_parent(const ct_sjson_document *doc, ct_sjson_node node);
ct_sjson_node ct_sjson_document_next(const ct_sjson_document *doc, ct_sjson_node node);
ct_sjson_node ct_sjson_document_previous(const ct_sjson_document *doc, ct_sjson_node node);

// The first and last child of a container; {0} when it is empty or no container. O(1).
ct_sjson_node ct_sjson_document_first(const ct_sjson_document *doc, ct_sjson_node container);
ct_sjson_node ct_sjson_document_last(const ct_sjson_document *doc, ct_sjson_node container);

// The number of an array's elements or an object's members; 0 for other types.
uint32_t ct_sjson_document_count(const ct_sjson_document *doc, ct_sjson_node container);

// Element `i` of an array, or {0} when there are not that many or it is no array. Linear.
ct_sjson_node ct_sjson_document_element(const ct_sjson_document *doc, ct_sjson_node array,
                                        uint32_t i);

// The member of `object` named `key`, or {0} (also when `object` is no object). Linear.
ct_sjson_node ct_sjson_document_find(const ct_sjson_document *doc, ct_sjson_node object,
                                     const char *key);

// The key of a member; NULL for other nodes. Borrowed until the next edit.
const char *ct_sjson_document_key(const ct_sjson_document *doc, ct_sjson_node member);

// The content of a value; for other types (and none) `otherwise`. Strings are borrowed until the
// next edit, zero-terminated, and may hold zero bytes.
bool ct_sjson_document_bool(const ct_sjson_document *doc, ct_sjson_node node, bool otherwise);
double ct_sjson_document_number(const ct_sjson_document *doc, ct_sjson_node node, double otherwise);
const char *ct_sjson_document_string(const ct_sjson_document *doc, ct_sjson_node node,
                                     const char *otherwise);

// The length in bytes of a string value; 0 for other types.
uint32_t ct_sjson_document_string_bytes(const ct_sjson_document *doc, ct_sjson_node node);

// Appends the value as it is written now, with all below it, to `out`.
void ct_sjson_document_write_value(const ct_sjson_document *doc, ct_sjson_node node,
                                   ct_string_builder *out);

// Where the node (for a member: its key) stood in the source, counting from 1; 0 and 0 for what was
// inserted. Edits do not change it.
void ct_sjson_document_position(const ct_sjson_document *doc, ct_sjson_node node, uint32_t *line,
                                uint32_t *column);

// Fills `error` with the place of `node` and a message. Returns false.
bool ct_sjson_document_error(const ct_sjson_document *doc, ct_sjson_node node, ct_error *error,
                             const char *format, ...) CT_PRINTF(4, 5);

// --- Editing it ----------------------------------------------------------------------------------

// A value is given as SJSON text of one value (`[0 0 1.2]`, `{ id = "5b1f" }`, see sjson_writer.h).
// Its line breaks and comments are kept; indent, commas, assignments and quotes around keys become
// the document's. Errors in it name the file "the new value". Every edit that fails fills `error`,
// returns false or {0} and changes nothing. The root itself is neither removed nor moved.

// Inserted text looks like JSON where the source does not show how it is written: a text that is
// JSON stays JSON. To be called before the first edit.
void ct_sjson_document_prefer_json(ct_sjson_document *doc);

// Replaces the value of `node`; its key and comments stay. Nodes that were below it are removed. The
// root gets an object in braces or an array; of one without braces, all that was in it goes.
bool ct_sjson_document_set(ct_sjson_document *doc, ct_sjson_node node, const char *value,
                           uint64_t value_bytes, ct_error *error);

// As ct_sjson_document_set, with a finite number in its shortest form, or a string of UTF-8 (bytes
// that are not become U+FFFD).
bool ct_sjson_document_set_number(ct_sjson_document *doc, ct_sjson_node node, double value,
                                  ct_error *error);
bool ct_sjson_document_set_string(ct_sjson_document *doc, ct_sjson_node node, const char *text,
                                  uint32_t bytes, ct_error *error);

// Inserts a member before the member `before`, or last when that is {0}. A key that the object has
// already is an error.
ct_sjson_node ct_sjson_document_insert_member(ct_sjson_document *doc, ct_sjson_node object,
                                              ct_sjson_node before, const char *key,
                                              const char *value, uint64_t value_bytes,
                                              ct_error *error);

// Inserts an element before the element `before`, or last when that is {0}.
ct_sjson_node ct_sjson_document_insert_element(ct_sjson_document *doc, ct_sjson_node array,
                                               ct_sjson_node before, const char *value,
                                               uint64_t value_bytes, ct_error *error);

// Inserts a copy of `source` of the document `from` (which may be `doc`), with its comments and, in
// an object, its key, before `before` of `container`, or last. A member is copied to an object, an
// element to an array.
ct_sjson_node ct_sjson_document_copy(ct_sjson_document *doc, ct_sjson_node container,
                                     ct_sjson_node before, const ct_sjson_document *from,
                                     ct_sjson_node source, ct_error *error);

// As ct_sjson_document_copy, of a member whose key the object has not; that is not looked for, so
// that many can be copied to a large object.
ct_sjson_node ct_sjson_document_copy_new(ct_sjson_document *doc, ct_sjson_node container,
                                         ct_sjson_node before, const ct_sjson_document *from,
                                         ct_sjson_node source, ct_error *error);

// Moves `node` with its comments before `before` of `container`, or last; a member to an object, an
// element to an array, and not into itself. `node` stays valid, and so does what is below it when
// the container is the same; otherwise that is indented anew and its nodes are replaced.
bool ct_sjson_document_move(ct_sjson_document *doc, ct_sjson_node node, ct_sjson_node container,
                            ct_sjson_node before, ct_error *error);

// Gives a member another key. A key that the object has already is an error.
bool ct_sjson_document_rename(ct_sjson_document *doc, ct_sjson_node member, const char *key,
                              ct_error *error);

// Removes `node` with all below it and its comments.
void ct_sjson_document_remove(ct_sjson_document *doc, ct_sjson_node node);
