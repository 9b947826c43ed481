// network_describe.c: packets as text, for those who read a log.
#include <stdio.h>
#include <string.h>

#include "network/lobby/network_lobby_describe.h"
#include "network/network.h"
#include "network/network_private.h"

static bool describe_greeting(const uint8_t *bytes, uint32_t size, char *text) {
    if (size == 9 && bytes[0] == GREETING_HELLO) {
        uint64_t hash = 0;
        for (uint32_t i = 0; i < 8; ++i)
            hash |= (uint64_t)bytes[1 + i] << (8 * i);
        snprintf(text, CT_NETWORK_DESCRIBED_BYTES, "hello, config %016llx",
                 (unsigned long long)hash);
    } else if (size > 1 && bytes[0] == GREETING_SUMMARY) {
        snprintf(text, CT_NETWORK_DESCRIBED_BYTES, "summary of the config, which differs");
    }
    return *text;
}

static bool describe_end(const uint8_t *bytes, uint32_t size, char *text) {
    if (size == 3 && bytes[0] == SHARE_END && bytes[1] < CT_NETWORK_REASONS)
        snprintf(text, CT_NETWORK_DESCRIBED_BYTES, "end of its part in the session: %s",
                 ct_network_reason_name((ct_network_reason)bytes[1]));
    else if (size == 2 && bytes[0] == SHARE_ENDED)
        snprintf(text, CT_NETWORK_DESCRIBED_BYTES, "end of its part in the session taken");
    return *text;
}

bool ct_network_describe(ct_network_channel channel, const uint8_t *bytes, uint32_t size,
                         char text[CT_NETWORK_DESCRIBED_BYTES]) {
    *text = 0;
    switch (channel) {
    case CT_NETWORK_GREETING:
        return describe_greeting(bytes, size, text);
    case CT_NETWORK_LOBBY:
        return ct_network_lobby_describe(bytes, size, text, CT_NETWORK_DESCRIBED_BYTES);
    case CT_NETWORK_SESSION:
        return describe_end(bytes, size, text);
    default:
        return false;
    }
}
