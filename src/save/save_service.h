// save_service.h: saving and loading on a thread of its own.
//
// The thread starts with the first request, and handles requests one after the other in their order, so
// a load after a save sees what was saved. A request takes what it needs with it: the bytes of its
// sections are its own, or shared and counted. A write that still waits is replaced by a newer one of the
// same slot, in its place in the queue, unless a load of the slot waits in between. Functions here are for
// the update thread.
#pragma once
#include "save/save_store.h"

enum { CT_SAVE_MAX_WAITING = 64 }; // requests in the queue; further ones fail at once

typedef struct ct_save_service ct_save_service;
typedef struct ct_save_request ct_save_request;

// Bytes that several may have, such as a world that is in a Lua value and in a request. Made with one
// holder; freed with the last. Any thread.
typedef struct ct_save_bytes ct_save_bytes;
struct ct_save_bytes {
    ct_allocator *allocator;
    _Atomic uint32_t num_holders;
    ct_byte_array bytes;
};

// Makes shared bytes of an array, whose memory they take over.
ct_save_bytes *ct_save_bytes_create(ct_byte_array *bytes);

// Add and remove a holder.
ct_save_bytes *ct_save_bytes_hold(ct_save_bytes *b);
void ct_save_bytes_release(ct_save_bytes *b); // NULL is fine

// Makes a service for the files in `folder`, which need not exist. `a` must be usable from any thread.
ct_save_service *ct_save_service_create(ct_allocator *a, const char *folder);

// Waits until all requests are done, and ends.
void ct_save_service_destroy(ct_save_service *s); // NULL is fine

// Returns the folder.
const char *ct_save_service_folder(const ct_save_service *s);

// A section of a request.
typedef struct ct_save_part {
    ct_save_section_type type;
    ct_save_bytes *bytes; // a holder is added
} ct_save_part;

// Starts to write a slot, whose name must be valid. Free the request with ct_save_request_free. When
// CT_SAVE_MAX_WAITING requests wait, it is done at once, with an error.
ct_save_request *ct_save_service_write(ct_save_service *s, const char *name,
                                       const ct_save_part *parts, uint32_t count);

// Starts to read a slot, in the same way.
ct_save_request *ct_save_service_read(ct_save_service *s, const char *name);

// Returns whether a request is done, well or not. The functions below are for those that are.
bool ct_save_request_is_done(const ct_save_request *r);

// Returns whether it writes; the slot; the error, "" for one that went well; the warning of a slot whose
// newest file was damaged, or "".
bool ct_save_request_writes(const ct_save_request *r);
const char *ct_save_request_name(const ct_save_request *r);
const char *ct_save_request_error(const ct_save_request *r);
const char *ct_save_request_warning(const ct_save_request *r);

// Returns whether a newer write of the same slot took its place before it was begun: it has no error, and
// wrote nothing.
bool ct_save_request_is_replaced(const ct_save_request *r);

// Returns the file that was read; NULL after an error. Borrowed until the request is freed.
const ct_save_file *ct_save_request_file(const ct_save_request *r);

// Frees a request. One that is not done goes on, and is freed when it is.
void ct_save_request_free(ct_save_service *s, ct_save_request *r);

// Waits until all requests are done.
void ct_save_service_wait(ct_save_service *s);
