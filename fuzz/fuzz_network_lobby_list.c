// Text as a log has it of lobbies that were found: nothing may crash, and what is read keeps its
// limits.
#include "foundation/memory/memory.h"
#include "network/lobby/network_lobby_list.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char start[] = "refreshing 1\nlobby 00000000000000ab 127.0.0.1:4000 2 8 1 0\n:";
    ct_memory_init();
    ct_network_lobby_list list = {0};
    ct_array_init(&list.lobbies, ct_memory_heap());
    char *const text = malloc(sizeof(start) + size);
    if (!text)
        abort();
    memcpy(text, start, sizeof(start) - 1);
    memcpy(text + sizeof(start) - 1, data, size);
    for (uint32_t i = 0; i < 2; ++i) { // as it is, and behind the start of a list
        const char *const at = i ? text : text + sizeof(start) - 1;
        const size_t length = i ? size + sizeof(start) - 1 : size;
        if (!ct_network_lobby_list_read(at, (uint32_t)length, &list))
            continue;
        if (list.lobbies.count > CT_NETWORK_DISCOVERY_LOBBIES)
            abort();
        for (uint32_t l = 0; l < list.lobbies.count; ++l) {
            const ct_network_lobby_info *const info = &list.lobbies.items[l];
            if (!info->host || info->num_pairs > CT_NETWORK_LOBBY_MAX_KEYS)
                abort();
            for (uint32_t p = 0; p < info->num_pairs; ++p)
                if (strlen(info->pairs[p].key) >= CT_NETWORK_LOBBY_KEY_BYTES ||
                    strlen(info->pairs[p].value) >= CT_NETWORK_LOBBY_VALUE_BYTES)
                    abort();
        }
    }
    free(text);
    ct_array_free(&list.lobbies);
    ct_memory_shutdown();
    return 0;
}
