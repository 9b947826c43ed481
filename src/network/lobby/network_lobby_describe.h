// network_lobby_describe.h: packets of lobbies as text, for those who read a log.
#pragma once
#include "foundation/types.h"

// Writes what a packet of CT_NETWORK_LOBBY says into `text` of `most` bytes: "data of the lobby: map =
// yard". Returns false, with an empty text, when it is not of the protocol. Pure.
bool ct_network_lobby_describe(const uint8_t *bytes, uint32_t size, char *text, uint32_t most);
