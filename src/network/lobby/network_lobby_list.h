// network_lobby_list.h: what a browser has found, as text: for the log of a network, and its replay.
//
// The text is a line that says whether answers are still waited for, then the lines of each lobby:
//
//     refreshing 1
//     lobby 00000000000000ab 127.0.0.1:4000 2 8 1 0
//     :map
//     :yard
//     .
//
// Host, address, members, most members, whether the config is the same and whether data is left out;
// then each key and value behind a colon, and a dot. Keys and values have no control characters. Pure; any thread.
#pragma once
#include "foundation/container/array.h"
#include "foundation/string/string_builder.h"
#include "network/lobby/network_discovery.h"

// Lobbies, as a browser has them.
typedef struct ct_network_lobby_list {
    bool is_refreshing;
    CT_ARRAY(ct_network_lobby_info) lobbies;
} ct_network_lobby_list;

// Appends the text of what a browser has now.
void ct_network_lobby_list_print(const ct_network_browser *browser, ct_string_builder *text);

// Reads a text into a list, whose lobbies are replaced. Any text is allowed: a lobby that is cut or
// wrong, and what follows it, is left out. Returns false when the text is no list; `list` stays then.
bool ct_network_lobby_list_read(const char *text, uint32_t size, ct_network_lobby_list *list);
