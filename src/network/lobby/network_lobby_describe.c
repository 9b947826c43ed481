// network_lobby_describe.c: packets of lobbies as text.
#include "network/lobby/network_lobby_describe.h"
#include "network/lobby/network_lobby_private.h"
#include <stdio.h>

bool ct_network_lobby_describe(const uint8_t *bytes, uint32_t size, char *text, uint32_t most) {
    lobby_message m;
    *text = 0;
    if (ct_lobby_read(bytes, size, &m))
        return false;
    const unsigned long long peer = m.peer;
    switch (m.kind) {
    case LOBBY_JOIN:
        snprintf(text, most, "join");
        break;
    case LOBBY_WELCOME:
        snprintf(text, most, "welcome, at most %u members", m.number);
        break;
    case LOBBY_MEMBER:
        snprintf(text, most, "member %016llx%s%s", peer, *m.value ? " at " : "", m.value);
        break;
    case LOBBY_READY:
        snprintf(text, most, "ready");
        break;
    case LOBBY_MEMBER_LEFT:
        snprintf(text, most, "member %016llx left: %s", peer,
                 ct_network_reason_name((ct_network_reason)m.number));
        break;
    case LOBBY_DATA:
        if (peer)
            snprintf(text, most, "data of %016llx: %s = %s", peer, m.key, m.value);
        else
            snprintf(text, most, "data of the lobby: %s = %s", m.key, m.value);
        break;
    case LOBBY_SESSION_HOST:
        snprintf(text, most, "host of the session: %016llx", peer);
        break;
    }
    return *text;
}
