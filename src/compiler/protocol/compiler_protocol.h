// compiler_protocol.h: the messages between the driver and its workers.
//
// Messages of foundation/os/message.h: a request is JSON and asks for several resources; each gets
// an answer message of its own, whose binary is a blob that the driver uses in place. Compiled data
// goes straight to the files that the request names; the answer describes their content.
// docs/formats/worker_protocol.md describes both. compiler_protocol.c has the requests,
// compiler_answer.c the answers.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/os/message.h"
#include "project/source_file.h"
#include "resource/resource_id.h"

// The type of a request for the description of a model in place of a compiled resource.
#define CT_COMPILE_IMPORT "import"

// The type of a request for a bitmap font as a distance field.
#define CT_COMPILE_DISTANCE_FONT "distance_font"

// The type of a request for a description of what the plugins of the request add.
#define CT_COMPILE_PLUGINS "plugins"

// The start of the error for a unit that inherits or contains itself; names follow.
#define CT_COMPILE_UNIT_CIRCLE "a unit cannot be part of itself: "

enum {
    CT_WORKER_SOCKET = 3,
    CT_WORKER_MAX_MESSAGE_BYTES = 1 << 30,
    CT_WORKER_MAX_DATA_BYTES = CT_WORKER_MAX_MESSAGE_BYTES - (1 << 24), // of a resource
};

// Where what is compiled goes. All borrowed.
typedef struct ct_compile_output {
    const char *folder; // absolute; NULL: nowhere, the answer holds it
    // Names in the folder, of files to write, which are made or emptied; NULL: those that the
    // resource's files have.
    const char *data, *stream;
    uint64_t data_hash, stream_hash; // content hashes of what need not be written; 0: none
    // Name in the folder that the resource's data has, if it is there; NULL: it is not used. Not
    // part of the message: the worker knows it.
    const char *former;
} ct_compile_output;

// How an AngelCode font becomes one of distance fields.
typedef struct ct_compile_distance_font {
    const char *output;      // the name of the new .fnt; those of its pages begin as it does
    const char *format;      // of ct_angelcode_format_names; NULL: as the source
    const char *page_format; // "png" or "tga"
    uint32_t scale, spread;  // as of ct_distance_field
} ct_compile_distance_font;

// A plugin that the worker needs: its name, and the absolute path of its library, another for each build:
// nothing writes over it.
typedef struct ct_compile_plugin {
    const char *name, *library;
} ct_compile_plugin;

// One resource to compile. All borrowed.
typedef struct ct_compile_request {
    const char *type, *name;       // without properties
    const char *path;              // project path of the source
    const char *project_folder;    // absolute, without links
    const char *core_folder;       // NULL: there is none
    const char *platform;          // destination
    const char *source_platform;   // NULL: the same
    const char *const *properties; // of this variant, without the platform; sorted
    uint32_t num_properties;
    const ct_compile_listed *listing; // sorted; for types that need it
    uint32_t num_listed;
    const ct_compile_plugin
        *plugins; // in the order of loading; each after those that it needs, or not
    uint32_t num_plugins;
    const char *up_axis;            // of a description: as a .mesh has it; NULL: as the file says
    double scale;                   // of a description: as a .mesh has it; 0: as the file says
    const ct_compile_image *images; // of a description: for those not found by what the model says
    uint32_t num_images;
    const ct_compile_distance_font *font; // of CT_COMPILE_DISTANCE_FONT; else NULL
    ct_compile_output output;
} ct_compile_request;

// A file that the compile function read, or looked for in vain.
typedef struct ct_compile_include {
    const char *path;
    uint64_t content_hash; // 0: not there
    ct_file_stamp stamp;   // right before it was read; {0}: not known
} ct_compile_include;

typedef struct ct_compile_referred {
    const char *type, *name;
    const char *file; // that contains the reference
    uint32_t line, column;
    uint32_t include;  // position of the file among the includes; this and the next field are set
                       // when an answer is read
    ct_resource_id id; // of type and name
} ct_compile_referred;

// An error or a warning.
typedef struct ct_compile_fault {
    const char *file;
    uint32_t line, column;
    const char *message;
} ct_compile_fault;

// A file that a worker wrote, or would have where it was not there already.
typedef struct ct_compile_written {
    uint64_t hash;       // of the content; 0: there is none
    ct_file_stamp stamp; // its size, and of a file that was written the rest
} ct_compile_written;

// The result of a compilation. The answer owns its strings, from its allocator; the strings of an
// answer that was read are in its record.
typedef struct ct_compile_answer {
    ct_allocator *allocator;
    void *record; // of an answer that was read: holds its strings. Owned; or NULL
    uint64_t record_bytes;
    ct_allocator *record_allocator;
    CT_ARRAY(ct_compile_include) includes; // the source first
    CT_ARRAY(ct_compile_referred) references;
    CT_ARRAY(ct_compile_fault) errors;
    CT_ARRAY(ct_compile_fault) warnings;
    ct_byte_array blob;   // empty when there are errors, or once it has been written
    ct_byte_array stream; // beside the blob; empty: there is none
    ct_compile_written written_data, written_stream;
    char *write_problem; // why a file could not be written; NULL: it could. Owned
} ct_compile_answer;

// Makes an empty answer with memory from `a`.
void ct_compile_answer_init(ct_compile_answer *answer, ct_allocator *a);

// Frees the answer with its strings. Initialise it again before it is used again.
void ct_compile_answer_free(ct_compile_answer *answer);

// The next four functions append to an answer and copy the strings. Bytes that are not UTF-8
// (quoted
// from broken sources) become `?`.

// Appends a file that was read, or (content hash 0) was not there.
void ct_compile_answer_include(ct_compile_answer *answer, const char *path, uint64_t content_hash);

// Appends a reference: its type, name, file, line and column.
void ct_compile_answer_reference(ct_compile_answer *answer, const ct_compile_referred *reference);

// Appends an error.
void ct_compile_answer_error(ct_compile_answer *answer, const ct_compile_fault *fault);

// Appends a warning.
void ct_compile_answer_warning(ct_compile_answer *answer, const ct_compile_fault *fault);

// Replaces a blob and stream of more than `max_bytes` together, which the driver would not take, by
// an error of the file `path`.
void ct_compile_answer_limit(ct_compile_answer *answer, const char *path, uint32_t max_bytes);

// Appends a framed message to `out` that asks for `count` (1 or more) resources. Folders, platforms,
// listing and plugins are those of the first.
void ct_compile_request_write(const ct_compile_request *requests, uint32_t count,
                              ct_byte_array *out);

// Reads the requests of a message: `count`, at least one. They and their strings are from `a`, a
// temp allocator that the caller frees as a whole. Returns NULL with `error` when the message is
// invalid.
const ct_compile_request *ct_compile_request_read(ct_allocator *a, const ct_message *message,
                                                  uint32_t *count, ct_error *error);

// Appends the answer as a framed message to `out`.
void ct_compile_answer_write(const ct_compile_answer *answer, ct_byte_array *out);

// Reads an answer, which is initialised here with `a` and freed by the caller. Its strings stay in
// a copy of the message, from `record_allocator`; strings that are appended later are not freed
// with it. Returns false with `error`, and nothing to free, when the message is invalid.
bool ct_compile_answer_read(ct_allocator *a, ct_allocator *record_allocator,
                            const ct_message *message, ct_compile_answer *answer, ct_error *error);

// Frees the copy of the message that an answer was read from, for a caller that has replaced its
// strings. Strings that were not replaced move to another copy, from the answer's allocator, which
// must be a temp allocator.
void ct_compile_answer_detach(ct_compile_answer *answer);
