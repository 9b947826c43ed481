// resource_stream.h: reads parts of a resource's stream, for data that is used while it is read.
//
// A reader says where a stream is: in memory behind its blob, in a file beside the blob's, or in an
// archive of a bundle. It is a value, made on the update thread for an online resource
// (ct_resource_manager_stream_reader); reading works on any thread, as long as the resource manager
// lives. Data that was compiled again meanwhile is not recognised here: for that, a format puts a
// stamp in each part.
#pragma once
#include "resource/load/resource_store.h"

typedef struct ct_resource_stream_reader {
    const ct_resource_store *store; // NULL: the stream is in memory
    const uint8_t *memory;
    ct_resource_id data_id; // of the variant
    uint32_t bytes;         // of the stream; 0: no stream
} ct_resource_stream_reader;

// Reads `bytes` (at least 1) from `offset` on to `buffer`. Returns false with `error` when they are not
// inside the stream or cannot be read; the buffer's contents are then undefined. Blocks. Any thread.
bool ct_resource_stream_read(const ct_resource_stream_reader *r, uint64_t offset, uint64_t bytes,
                             void *buffer, ct_error *error);
