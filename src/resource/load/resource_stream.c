#include "resource/load/resource_stream.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "resource/load/resource_manager_private.h"
#include "resource/types/resource_types.h"

void ct_resource_manager_set_streaming(ct_resource_manager *m, bool is_streaming,
                                       uint64_t bytes_per_second) {
    m->is_streaming = is_streaming;
    ct_resource_loader_set_streaming(m->loader, is_streaming, bytes_per_second);
}

bool ct_resource_manager_is_streaming(const ct_resource_manager *m) {
    return m->is_streaming;
}

// --- Asking --------------------------------------------------------------------------------------

void ct_resource_manager_request_stream(ct_resource_manager *m, const char *type,
                                        ct_string_id64 name) {
    const ct_resource_type *const t = ct_resource_type_named(type);
    const uint32_t slot =
        ct_resource_manager_slot(m, (ct_resource_id){ct_string_id64_of(type), name});
    ct_record *const r = &m->records.items[slot];
    if (!m->is_streaming || r->state != CT_RECORD_STATE_ONLINE || r->stream_ticket || !t->stream)
        return;
    const ct_blob_stream *const stream = t->stream(r->blob.data);
    if (stream->bytes == 0)
        return;
    if (++m->last_ticket == 0)
        m->last_ticket = 1;
    r->stream_ticket = m->last_ticket;
    ++m->num_streams;
    const ct_stream_request request = {.data_id = {r->id.type, r->data_name},
                                       .slot = slot,
                                       .ticket = r->stream_ticket,
                                       .stream = *stream};
    ct_resource_loader_stream(m->loader, &request);
}

void ct_resource_manager_cancel_stream(ct_resource_manager *m, uint32_t slot) {
    ct_record *const r = &m->records.items[slot];
    if (!r->stream_ticket)
        return;
    r->stream_ticket = 0;
    --m->num_streams;
    ct_resource_loader_cancel_stream(m->loader, slot);
}

uint32_t ct_resource_manager_num_streams(const ct_resource_manager *m) {
    return m->num_streams;
}

// --- Taking --------------------------------------------------------------------------------------

static void tell(ct_resource_manager *m, ct_resource_id id, const void *blob, const void *bytes) {
    const uint32_t count = m->registrations.count;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_resource_callbacks c = ct_resource_manager_callbacks(m, i, id.type);
        if (c.streamed)
            c.streamed(c.user, id.name, blob, bytes);
    }
}

// The data may have been compiled again since it was loaded. Then its reload follows, and the
// stream is requested again.
static void report(ct_resource_id id, const ct_error *error) {
    ct_log_warning("resource", "no_stream", "%s \"%s\" stays without its stream: %s%s%s",
                   ct_resource_manager_type_name(id.type), ct_string_id64_name(id.name),
                   error->file, error->file[0] ? ": " : "", error->message);
}

static void take(ct_resource_manager *m, const ct_stream_result *result) {
    ct_record *const r = &m->records.items[result->request.slot];
    if (r->stream_ticket != result->request.ticket) { // cancelled before it arrived
        ct_free(m->allocator, result->bytes);
        ct_free(m->allocator, result->error);
        return;
    }
    const ct_resource_id id = r->id;
    r->stream_ticket = 0;
    --m->num_streams;
    if (result->error) {
        report(id, result->error);
        ct_free(m->allocator, result->error);
        return;
    }
    tell(m, id, r->blob.data, result->bytes);
    ct_array_push(&m->retired_streams,
                  (ct_retired_stream){result->bytes, ct_resource_manager_retire_frame(m)});
}

void ct_resource_manager_take_streams(ct_resource_manager *m) {
    ct_stream_result result;
    while (ct_resource_loader_poll_stream(m->loader, &result))
        take(m, &result);
}

void ct_resource_manager_wait_for_streams(ct_resource_manager *m) {
    ct_resource_manager_take_streams(m);
    while (m->num_streams > 0) {
        ct_resource_loader_wait_for_stream(m->loader);
        ct_resource_manager_take_streams(m);
    }
}

void ct_resource_manager_retire_streams(ct_resource_manager *m, uint64_t frame) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->retired_streams.count; ++i) {
        const ct_retired_stream s = m->retired_streams.items[i];
        if (s.frame <= frame)
            ct_free(m->allocator, s.bytes);
        else
            m->retired_streams.items[kept++] = s;
    }
    m->retired_streams.count = kept;
}

// --- Reading parts -------------------------------------------------------------------------------

ct_resource_stream_reader ct_resource_manager_stream_reader(const ct_resource_manager *m,
                                                            const char *type, ct_string_id64 name) {
    const ct_resource_type *const t = ct_resource_type_named(type);
    const uint32_t slot =
        ct_resource_manager_slot(m, (ct_resource_id){ct_string_id64_of(type), name});
    const ct_record *const r = &m->records.items[slot];
    if (!t || !t->stream || !slot || r->state != CT_RECORD_STATE_ONLINE)
        return (ct_resource_stream_reader){0};
    ct_resource_stream_reader reader = {.bytes = t->stream(r->blob.data)->bytes};
    if (reader.bytes == 0)
        return (ct_resource_stream_reader){0};
    if (m->is_streaming) {
        reader.store = m->store;
        reader.data_id = (ct_resource_id){r->id.type, r->data_name};
    } else {
        const ct_blob_header *const header = r->blob.data;
        reader.memory = (const uint8_t *)header + header->size_bytes;
    }
    return reader;
}

bool ct_resource_stream_read(const ct_resource_stream_reader *r, uint64_t offset, uint64_t bytes,
                             void *buffer, ct_error *error) {
    CT_ASSERT(bytes > 0, "a read of a stream must not be empty");
    if (offset > r->bytes || bytes > r->bytes - offset)
        return ct_error_set(error,
                            "found %" PRIu64 " bytes from %" PRIu64
                            " on; expected a part of a stream of %" PRIu32 " bytes",
                            bytes, offset, r->bytes);
    if (r->store)
        return ct_resource_store_read_stream(r->store, r->data_id, offset, bytes, buffer, error);
    memcpy(buffer, r->memory + offset, bytes);
    return true;
}
