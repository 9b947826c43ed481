#include "dev/inspect/memory_traces.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/memory_trace.h"

typedef struct held_trace {
    ct_console_client_id client;
    char name[CT_MEMORY_TRACES_NAME_BYTES];
} held_trace;

static struct {
    held_trace items[CT_MEMORY_TRACES_MAX];
    uint32_t count;
} held;

// Returns the place of the first trace of this name from `place` on; held.count without one.
static uint32_t find(const char *name, uint32_t place) {
    while (place < held.count && strcmp(held.items[place].name, name) != 0)
        ++place;
    return place;
}

static bool has(ct_console_client_id client, const char *name) {
    for (uint32_t i = find(name, 0); i < held.count; i = find(name, i + 1)) {
        if (held.items[i].client.value == client.value)
            return true;
    }
    return false;
}

static void drop(uint32_t place) {
    held.items[place] = held.items[--held.count];
}

// Ends a trace that no client holds any more. Names can mean parts of others: what those mean goes on.
static void end_trace(const char *name) {
    ct_error ignored = {0};
    ct_memory_trace(name, false, &ignored); // fails when the allocator has ended
    for (uint32_t i = 0; i < held.count; ++i)
        ct_memory_trace(held.items[i].name, true, &ignored);
}

static bool start(ct_console_client_id client, const char *name, ct_error *error) {
    // One that the command has switched on is not a client's to end.
    const bool is_held = client.value != 0 && !has(client, name) &&
                         (find(name, 0) < held.count || !ct_memory_is_traced(name));
    if (is_held && held.count == CT_MEMORY_TRACES_MAX)
        return ct_error_set(error, "clients trace %d allocators already; expected at most as many",
                            CT_MEMORY_TRACES_MAX);
    if (strlen(name) >= CT_MEMORY_TRACES_NAME_BYTES)
        return ct_error_set(error, "\"name\" has %zu bytes; expected at most %d", strlen(name),
                            CT_MEMORY_TRACES_NAME_BYTES - 1);
    if (!ct_memory_trace(name, true, error))
        return false;
    if (is_held) {
        held_trace *const t = &held.items[held.count++];
        t->client = client;
        snprintf(t->name, sizeof(t->name), "%s", name);
    }
    return true;
}

bool ct_memory_traces_set(ct_console_client_id client, const char *name, bool is_on,
                          ct_error *error) {
    if (is_on)
        return start(client, name, error);
    if (!ct_memory_trace(name, false, error))
        return false;
    for (uint32_t i; (i = find(name, 0)) < held.count;)
        drop(i);
    return true;
}

void ct_memory_traces_update(ct_console_server *server) {
    for (uint32_t i = held.count; i > 0; --i) {
        const held_trace t = held.items[i - 1];
        if (ct_console_server_has_client(server, t.client))
            continue;
        drop(i - 1);
        if (find(t.name, 0) == held.count)
            end_trace(t.name);
    }
}

void ct_memory_traces_end(void) {
    while (held.count > 0) {
        const held_trace t = held.items[0];
        drop(0);
        end_trace(t.name);
    }
}
