// Network logs from bytes, with sums made right, and what they hold played into a network. Nothing
// may crash or leak.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "network/log/network_log.h"
#include "resource/blob/content_hash.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD_BYTES = 32, ENTRY_BYTES = 44 };

// Makes the sums of entries right, so that what is behind them is reached.
static void mend(uint8_t *bytes, size_t size) {
    memcpy(bytes, "CTNL\2\0\0\0", 8);
    for (size_t at = HEAD_BYTES; size - at >= ENTRY_BYTES;) {
        uint32_t num_bytes;
        bytes[at + 5] &= 1, bytes[at + 6] = bytes[at + 7] = 0; // not too long
        memcpy(&num_bytes, bytes + at + 4, 4);
        if (num_bytes > size - at - ENTRY_BYTES)
            return;
        const uint32_t sum = (uint32_t)ct_content_hash(bytes + at + 4, ENTRY_BYTES - 4 + num_bytes);
        memcpy(bytes + at, &sum, 4);
        at += ENTRY_BYTES + num_bytes;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_memory_init();
    ct_error error;
    ct_network_log_reader reader;
    ct_network_log_entry entry;
    if (ct_network_log_open_bytes(data, size, "a.log", &reader, &error))
        while (ct_network_log_next(&reader, &entry, &error))
            continue;
    if (size >= HEAD_BYTES) {
        uint8_t *const bytes = malloc(size);
        memcpy(bytes, data, size);
        mend(bytes, size);
        ct_network_transport *const replay = ct_network_transport_create(
            &(ct_network_transport_desc){.allocator = ct_memory_heap(), .self = 1});
        const ct_network_link link = ct_network_transport_link(replay);
        if (!ct_network_log_open_bytes(bytes, size, "a.log", &reader, &error))
            abort();
        while (ct_network_log_next(&reader, &entry, &error))
            if (ct_network_log_is_tap(&entry))
                ct_network_transport_play(replay, &entry.tap);
        ct_network_transport_event event;
        ct_network_transport_update(replay, 1000000);
        while (ct_network_transport_next(replay, &event))
            link.room(link.data, event.peer);
        ct_network_transport_destroy(replay);
        ct_network_log_close(&reader);
        free(bytes);
    }
    ct_memory_shutdown();
    return 0;
}
