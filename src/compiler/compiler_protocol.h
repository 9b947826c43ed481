// compiler_protocol.h: what the driver and its workers say to each other.
//
// Requests and answers are messages of foundation/message.h: JSON, the answer with blob and stream
// as its binary. Content hashes are hexadecimal text, since a JSON number cannot hold 64 bits.
// docs/formats/worker_protocol.md describes the members.
#pragma once
#include "compiler/compile.h"
#include "foundation/message.h"

// The type of a request for the description of a model in place of a compiled resource.
#define CT_COMPILE_IMPORT "import"

// How the error of a unit starts that inherits or contains itself; names follow.
#define CT_COMPILE_UNIT_CIRCLE "a unit cannot be part of itself: "

enum { CT_WORKER_SOCKET = 3, CT_WORKER_MAX_MESSAGE_BYTES = 1 << 30 };

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
    const char *up_axis; // of a description: as a .mesh has it; NULL: as the file says
    double scale;        // of a description: as a .mesh has it; 0: as the file says
} ct_compile_request;

// A file that the compile function read, or looked for in vain.
typedef struct ct_compile_include {
    const char *path;
    uint64_t content_hash; // 0: not there
} ct_compile_include;

typedef struct ct_compile_referred {
    const char *type, *name;
    const char *file; // where it stands
    uint32_t line, column;
} ct_compile_referred;

// An error or a warning.
typedef struct ct_compile_fault {
    const char *file;
    uint32_t line, column;
    const char *message;
} ct_compile_fault;

// What a compilation gave. Strings are owned by the answer, all from its allocator.
typedef struct ct_compile_answer {
    ct_allocator *allocator;
    CT_ARRAY(ct_compile_include) includes; // the source first
    CT_ARRAY(ct_compile_referred) references;
    CT_ARRAY(ct_compile_fault) errors;
    CT_ARRAY(ct_compile_fault) warnings;
    ct_byte_array blob;   // empty when there are errors
    ct_byte_array stream; // beside the blob; empty: there is none
} ct_compile_answer;

void ct_compile_answer_init(ct_compile_answer *answer, ct_allocator *a);
void ct_compile_answer_free(ct_compile_answer *answer);

// Append to an answer; the strings are copied. Text of errors and warnings that is not UTF-8 (quoted
// from broken sources) gets `?` in its place.
void ct_compile_answer_include(ct_compile_answer *answer, const char *path, uint64_t content_hash);
void ct_compile_answer_reference(ct_compile_answer *answer, const ct_compile_referred *reference);
void ct_compile_answer_error(ct_compile_answer *answer, const ct_compile_fault *fault);
void ct_compile_answer_warning(ct_compile_answer *answer, const ct_compile_fault *fault);

// Puts an error of the file `path` in the place of a blob and stream of more than `max_bytes`
// together, which the driver would not take.
void ct_compile_answer_limit(ct_compile_answer *answer, const char *path, uint32_t max_bytes);

// Append a framed message to `out`.
void ct_compile_request_write(const ct_compile_request *request, ct_byte_array *out);
void ct_compile_answer_write(const ct_compile_answer *answer, ct_byte_array *out);

// Reads a request. Its strings and listing are from `a` and live until the caller frees them as a
// whole (a temp allocator). False with `error` when the message is none.
bool ct_compile_request_read(ct_allocator *a, const ct_message *message,
                             ct_compile_request *request, ct_error *error);

// Reads an answer, which is initialised here with `a` and freed by the caller. False with `error`
// and nothing to free when the message is none.
bool ct_compile_answer_read(ct_allocator *a, const ct_message *message, ct_compile_answer *answer,
                            ct_error *error);
