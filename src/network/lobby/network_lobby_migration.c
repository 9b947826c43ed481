// network_lobby_migration.c: the next host of a lobby, when the host is gone.
//
// All members have the same list, in the order in which they came: the first is the next host. It goes
// on with all others as members, and waits for each of them to join. They connect to it. A candidate
// that does not answer leaves the list of those that wait for it.
#include <stdio.h>

#include "network/lobby/network_lobby_private.h"

// A candidate that does not know yet that the host is gone says nothing.
#define ASK_AGAIN_SECONDS 1.0

// Becomes the host. The others are waited for.
static void become_host(ct_network_lobby *l) {
    l->host = l->desc.link.self;
    l->is_migrating = l->members.count > 1;
    for (uint32_t i = 0; i < l->members.count; ++i)
        l->members.items[i].is_awaited = l->members.items[i].peer != l->host;
    l->senders.count = 0;
    ct_lobby_set_state(l, CT_NETWORK_LOBBY_JOINED, CT_NETWORK_REASON_NONE);
}

// Joins the first member's lobby, or is that member.
static void go_to_first(ct_network_lobby *l) {
    const lobby_member *const first = &l->members.items[0];
    l->asked = l->asked_again = -1;
    l->is_welcome = false;
    if (first->peer == l->desc.link.self) {
        // Where the old host was lost and there is no other, it is this program that was cut off.
        if (l->members.count == 1 && l->lost == CT_NETWORK_REASON_TIMEOUT)
            ct_lobby_fail(l, CT_NETWORK_REASON_TIMEOUT);
        else
            become_host(l);
        return;
    }
    l->is_migrating = true;
    l->host = first->peer;
    snprintf(l->host_address, sizeof(l->host_address), "%s", first->address);
    ct_lobby_set_state(l, CT_NETWORK_LOBBY_JOINING, CT_NETWORK_REASON_NONE);
    ct_lobby_reach_host(l);
}

void ct_lobby_lose_host(ct_network_lobby *l, ct_network_reason reason) {
    const uint32_t place = ct_lobby_find_member(l, l->host);
    // Of other reasons, the lobby goes on without this member.
    const bool is_gone = reason == CT_NETWORK_REASON_LEFT || reason == CT_NETWORK_REASON_TIMEOUT;
    if (l->desc.has_no_migration || !is_gone || place == UINT32_MAX ||
        l->state != CT_NETWORK_LOBBY_JOINED) {
        ct_lobby_fail(l, reason);
        return;
    }
    if (l->session_host == l->host)
        l->session_host = 0;
    l->lost = reason;
    ct_lobby_remove_member(l, place);
    go_to_first(l);
}

void ct_lobby_try_next(ct_network_lobby *l) {
    const uint32_t place = ct_lobby_find_member(l, l->host);
    if (l->is_welcome || place == UINT32_MAX) { // its list has replaced that of the old host
        ct_lobby_fail(l, l->lost);
        return;
    }
    if (l->session_host == l->host)
        l->session_host = 0;
    ct_lobby_remove_member(l, place);
    go_to_first(l);
}

// As the new host: ends the wait for those that did not come.
static void end_wait(ct_network_lobby *l) {
    l->is_migrating = false;
    for (uint32_t i = l->members.count; i-- > 0;) {
        const lobby_member member = l->members.items[i];
        if (member.is_awaited)
            ct_lobby_drop_member(l, member.peer, CT_NETWORK_REASON_TIMEOUT);
    }
    if (l->members.count == 1 && l->lost == CT_NETWORK_REASON_TIMEOUT)
        ct_lobby_fail(l, CT_NETWORK_REASON_TIMEOUT);
}

static bool is_complete(const ct_network_lobby *l) {
    for (uint32_t i = 0; i < l->members.count; ++i)
        if (l->members.items[i].is_awaited)
            return false;
    return true;
}

void ct_lobby_migrate(ct_network_lobby *l, double now) {
    const bool is_over = !l->has_no_timeouts && now - l->asked >= l->desc.migration_seconds;
    if (ct_network_lobby_is_host(l)) {
        if (is_over)
            end_wait(l);
        else if (is_complete(l))
            l->is_migrating = false;
        return;
    }
    if (is_over) {
        const ct_peer_id silent = l->host;
        ct_lobby_try_next(l);
        l->desc.link.disconnect(l->desc.link.data, silent, CT_NETWORK_REASON_TIMEOUT);
        return;
    }
    if (l->asked_again < 0)
        l->asked_again = now;
    if (now - l->asked_again < ASK_AGAIN_SECONDS || l->is_welcome)
        return;
    l->asked_again = now;
    char seen[CT_NETWORK_ADDRESS_BYTES];
    if (l->desc.link.address(l->desc.link.data, l->host, seen))
        ct_lobby_ask_to_join(l);
}
