// network_lobby.c: the life of a lobby, its members, what it receives.
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/allocator.h"
#include "network/lobby/network_lobby_private.h"
#include <stdio.h>
#include <string.h>

enum {
    DEFAULT_MEMBERS = 8,
    MOST_AT_ONCE = 10 * CT_NETWORK_LOBBY_PACKETS_PER_SECOND, // of packets of one peer
};
#define DEFAULT_WAIT 10.0f
#define DEFAULT_MIGRATION 5.0f

ct_network_lobby *ct_network_lobby_create(const ct_network_lobby_desc *desc) {
    CT_ASSERT(desc->max_members <= CT_NETWORK_LOBBY_MAX_MEMBERS, "a lobby of %u members",
              desc->max_members);
    ct_network_lobby *const l = CT_NEW(desc->allocator, ct_network_lobby);
    *l = (ct_network_lobby){.desc = *desc};
    if (!l->desc.max_members)
        l->desc.max_members = DEFAULT_MEMBERS;
    if (!(l->desc.wait_seconds > 0))
        l->desc.wait_seconds = DEFAULT_WAIT;
    if (!(l->desc.migration_seconds > 0))
        l->desc.migration_seconds = DEFAULT_MIGRATION;
    ct_array_init(&l->members, desc->allocator);
    ct_array_init(&l->pairs, desc->allocator);
    ct_array_init(&l->senders, desc->allocator);
    return l;
}

void ct_network_lobby_destroy(ct_network_lobby *l) {
    if (!l)
        return;
    ct_array_free(&l->members);
    ct_array_free(&l->pairs);
    ct_array_free(&l->senders);
    ct_free(l->desc.allocator, l);
}

void ct_lobby_set_state(ct_network_lobby *l, ct_network_lobby_state state,
                        ct_network_reason reason) {
    l->state = state;
    l->reason = reason;
    ++l->version;
}

uint32_t ct_lobby_find_member(const ct_network_lobby *l, ct_peer_id peer) {
    for (uint32_t i = 0; i < l->members.count; ++i)
        if (l->members.items[i].peer == peer)
            return i;
    return UINT32_MAX;
}

static void add_member(ct_network_lobby *l, ct_peer_id peer, const char *address) {
    lobby_member member = {.peer = peer};
    snprintf(member.address, sizeof(member.address), "%s", address);
    ct_array_push(&l->members, member);
    ++l->version;
}

void ct_lobby_remove_member(ct_network_lobby *l, uint32_t place) {
    const ct_peer_id peer = l->members.items[place].peer;
    ct_array_erase(&l->members, place, 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->pairs.count; ++i)
        if (l->pairs.items[i].owner != peer)
            l->pairs.items[kept++] = l->pairs.items[i];
    l->pairs.count = kept;
    ++l->version;
}

static void send_packet(ct_network_lobby *l, ct_peer_id to, const lobby_message *m) {
    uint8_t bytes[LOBBY_MAX_PACKET];
    const uint32_t size = ct_lobby_write(m, bytes);
    // Of a peer that is not connected any more, ct_network_lobby_disconnected informs the lobby.
    l->desc.link.send(l->desc.link.data, to, CT_NETWORK_LOBBY, true, bytes, size);
}

// Sends a packet of the host to all other members, but for one.
static void send_to_others(ct_network_lobby *l, ct_peer_id except, const lobby_message *m) {
    for (uint32_t i = 0; i < l->members.count; ++i) {
        const ct_peer_id peer = l->members.items[i].peer;
        if (peer != l->desc.link.self && peer != except)
            send_packet(l, peer, m);
    }
}

static lobby_message data_message(const lobby_pair *pair) {
    lobby_message m = {.kind = LOBBY_DATA, .peer = pair->owner};
    memcpy(m.key, pair->key, sizeof(m.key));
    memcpy(m.value, pair->value, sizeof(m.value));
    return m;
}

static lobby_message member_message(const lobby_member *member) {
    lobby_message m = {.kind = LOBBY_MEMBER, .peer = member->peer};
    memcpy(m.value, member->address, sizeof(member->address));
    return m;
}

static void begin(ct_network_lobby *l) {
    CT_ASSERT(l->state == CT_NETWORK_LOBBY_IDLE, "the lobby is not idle");
    l->max_members = l->desc.max_members;
    l->members.count = 0;
    l->pairs.count = 0;
    l->senders.count = 0;
    l->session_host = 0;
    l->is_welcome = l->is_migrating = false;
    l->port = 0;
}

void ct_network_lobby_host(ct_network_lobby *l) {
    begin(l);
    l->host = l->desc.link.self;
    l->port = l->desc.port;
    add_member(l, l->host, "");
    ct_lobby_set_state(l, CT_NETWORK_LOBBY_JOINED, CT_NETWORK_REASON_NONE);
}

void ct_lobby_ask_to_join(ct_network_lobby *l) {
    send_packet(l, l->host, &(lobby_message){.kind = LOBBY_JOIN});
}

void ct_lobby_reach_host(ct_network_lobby *l) {
    char seen[CT_NETWORK_ADDRESS_BYTES];
    if (l->host && l->desc.link.address(l->desc.link.data, l->host, seen))
        ct_lobby_ask_to_join(l); // it is connected
    else
        l->desc.link.connect(l->desc.link.data, l->host, l->host_address);
}

void ct_network_lobby_join(ct_network_lobby *l, ct_peer_id host, const char *address, double now) {
    begin(l);
    l->host = host;
    l->asked = now;
    snprintf(l->host_address, sizeof(l->host_address), "%s", address);
    ct_lobby_set_state(l, CT_NETWORK_LOBBY_JOINING, CT_NETWORK_REASON_NONE);
    ct_lobby_reach_host(l);
}

void ct_lobby_fail(ct_network_lobby *l, ct_network_reason reason) {
    l->members.count = 0;
    l->pairs.count = 0;
    l->session_host = 0;
    l->is_migrating = false;
    ct_lobby_set_state(l, CT_NETWORK_LOBBY_FAILED, reason);
}

void ct_network_lobby_leave(ct_network_lobby *l) {
    if (l->state != CT_NETWORK_LOBBY_JOINED && l->state != CT_NETWORK_LOBBY_JOINING)
        return;
    const ct_peer_id self = l->desc.link.self;
    // The host's own departure ends the lobby for those that read it.
    const lobby_message m = {
        .kind = LOBBY_MEMBER_LEFT, .peer = self, .number = CT_NETWORK_REASON_LEFT};
    if (ct_network_lobby_is_host(l))
        send_to_others(l, 0, &m);
    else if (l->host)
        send_packet(l, l->host, &m);
    ct_lobby_fail(l, CT_NETWORK_REASON_LEFT);
}

void ct_network_lobby_set_timeouts(ct_network_lobby *l, bool are_on) {
    l->has_no_timeouts = !are_on;
    if (are_on)
        l->asked = -1; // the wait begins once more
}

void ct_network_lobby_connected(ct_network_lobby *l, ct_peer_id peer, double now) {
    if (l->state != CT_NETWORK_LOBBY_JOINING || l->is_welcome)
        return;
    if (!l->host) {
        char seen[CT_NETWORK_ADDRESS_BYTES];
        if (!l->desc.link.address(l->desc.link.data, peer, seen) ||
            strcmp(seen, l->host_address) != 0)
            return;
        l->host = peer;
    }
    if (peer != l->host)
        return;
    l->asked = now;
    ct_lobby_ask_to_join(l);
}

void ct_lobby_drop_member(ct_network_lobby *l, ct_peer_id peer, ct_network_reason reason) {
    const uint32_t place = ct_lobby_find_member(l, peer);
    if (place == UINT32_MAX)
        return;
    ct_lobby_remove_member(l, place);
    send_to_others(l, 0,
                   &(lobby_message){.kind = LOBBY_MEMBER_LEFT, .peer = peer, .number = reason});
    if (l->session_host == peer)
        ct_network_lobby_set_session_host(l, 0, NULL);
}

static void forget_sender(ct_network_lobby *l, ct_peer_id peer) {
    for (uint32_t i = 0; i < l->senders.count; ++i) {
        if (l->senders.items[i].peer != peer)
            continue;
        ct_array_swap_erase(&l->senders, i);
        return;
    }
}

void ct_network_lobby_disconnected(ct_network_lobby *l, ct_peer_id peer, ct_network_reason reason) {
    forget_sender(l, peer);
    if (l->state == CT_NETWORK_LOBBY_JOINED && ct_network_lobby_is_host(l))
        ct_lobby_drop_member(l, peer, reason);
    else if (l->state == CT_NETWORK_LOBBY_JOINED && peer == l->host)
        ct_lobby_lose_host(l, reason);
    else if (l->state == CT_NETWORK_LOBBY_JOINING && peer == l->host && l->is_migrating)
        ct_lobby_try_next(l);
    else if (l->state == CT_NETWORK_LOBBY_JOINING && peer == l->host)
        ct_lobby_fail(l, reason);
}

// Sends a peer that joins all that there is.
static void welcome(ct_network_lobby *l, ct_peer_id peer) {
    send_packet(l, peer,
                &(lobby_message){.kind = LOBBY_WELCOME, .port = l->port, .number = l->max_members});
    for (uint32_t i = 0; i < l->members.count; ++i) {
        const lobby_message m = member_message(&l->members.items[i]);
        send_packet(l, peer, &m);
    }
    for (uint32_t i = 0; i < l->pairs.count; ++i) {
        const lobby_message m = data_message(&l->pairs.items[i]);
        send_packet(l, peer, &m);
    }
    send_packet(l, peer, &(lobby_message){.kind = LOBBY_SESSION_HOST, .peer = l->session_host});
    send_packet(l, peer, &(lobby_message){.kind = LOBBY_READY});
}

static void take_join(ct_network_lobby *l, ct_peer_id peer) {
    const uint32_t place = ct_lobby_find_member(l, peer);
    char address[CT_NETWORK_ADDRESS_BYTES];
    if (place != UINT32_MAX && !l->members.items[place].is_awaited)
        return; // asked twice: it has been let in
    if (place == UINT32_MAX && l->members.count >= l->max_members) {
        l->desc.link.disconnect(l->desc.link.data, peer, CT_NETWORK_REASON_FULL);
        return;
    }
    if (!l->desc.link.address(l->desc.link.data, peer, address))
        return; // it is gone already
    if (place != UINT32_MAX) {
        lobby_member *const member = &l->members.items[place];
        member->is_awaited = false;
        snprintf(member->address, sizeof(member->address), "%s", address);
    } else {
        add_member(l, peer, address);
        const lobby_message joined = member_message(&l->members.items[l->members.count - 1]);
        send_to_others(l, peer, &joined);
    }
    welcome(l, peer);
}

// Sets or removes a value. Returns false when there are too many keys.
static bool set_pair(ct_network_lobby *l, ct_peer_id owner, const char *key, const char *value) {
    uint32_t num_keys = 0;
    for (uint32_t i = 0; i < l->pairs.count; ++i) {
        lobby_pair *const pair = &l->pairs.items[i];
        if (pair->owner != owner)
            continue;
        ++num_keys;
        if (strcmp(pair->key, key) != 0)
            continue;
        if (*value)
            snprintf(pair->value, sizeof(pair->value), "%s", value);
        else
            ct_array_erase(&l->pairs, i, 1);
        ++l->version;
        return true;
    }
    if (!*value)
        return true;
    if (num_keys >= CT_NETWORK_LOBBY_MAX_KEYS)
        return false;
    lobby_pair pair = {.owner = owner};
    snprintf(pair.key, sizeof(pair.key), "%s", key);
    snprintf(pair.value, sizeof(pair.value), "%s", value);
    ct_array_push(&l->pairs, pair);
    ++l->version;
    return true;
}

// Counts a packet of a peer. Returns false when it sends too many: the host would pass them on to all
// members, whose connections cannot take them.
static bool count_packet(ct_network_lobby *l, ct_peer_id peer) {
    uint32_t i = 0;
    while (i < l->senders.count && l->senders.items[i].peer != peer)
        ++i;
    if (i == l->senders.count)
        ct_array_push(&l->senders, (lobby_sender){.peer = peer, .left = MOST_AT_ONCE});
    return --l->senders.items[i].left >= 0;
}

static void refill_senders(ct_network_lobby *l, double now) {
    const double more = (now - l->refilled) * CT_NETWORK_LOBBY_PACKETS_PER_SECOND;
    l->refilled = now;
    for (uint32_t i = 0; i < l->senders.count; ++i) {
        double *const left = &l->senders.items[i].left;
        *left = *left + more < MOST_AT_ONCE ? *left + more : MOST_AT_ONCE;
    }
}

// The host's side. Returns NULL, or what is wrong.
static const char *take_as_host(ct_network_lobby *l, ct_peer_id peer, const lobby_message *m) {
    if (!count_packet(l, peer))
        return "it sends too many";
    if (m->kind == LOBBY_JOIN) {
        take_join(l, peer);
        return NULL;
    }
    if (ct_lobby_find_member(l, peer) == UINT32_MAX)
        return "it comes from a peer that is no member";
    if (m->peer != peer)
        return "it is about another peer than its sender";
    if (m->kind == LOBBY_MEMBER_LEFT) {
        ct_lobby_drop_member(l, peer, CT_NETWORK_REASON_LEFT);
        return NULL;
    }
    if (m->kind != LOBBY_DATA)
        return "a member sends no such kind";
    if (!set_pair(l, peer, m->key, m->value))
        return "it has too many keys";
    send_to_others(l, peer, m);
    return NULL;
}

// A member's side. Returns NULL, or what is wrong.
static const char *take_as_member(ct_network_lobby *l, const lobby_message *m) {
    if (m->kind == LOBBY_WELCOME) {
        if (l->is_welcome || m->number < 2 || m->number > CT_NETWORK_LOBBY_MAX_MEMBERS)
            return "it welcomes in a way that it cannot";
        l->is_welcome = true;
        l->max_members = m->number;
        l->port = m->port;
        l->members.count = l->pairs.count = 0; // the next host says all of it
        return NULL;
    }
    if (!l->is_welcome)
        return "it comes before a welcome";
    const uint32_t place = m->peer ? ct_lobby_find_member(l, m->peer) : UINT32_MAX;
    const bool is_member = place != UINT32_MAX;
    switch (m->kind) {
    case LOBBY_MEMBER:
        if (!m->peer || is_member || l->members.count >= l->max_members)
            return "it has a member that cannot be";
        add_member(l, m->peer, m->value);
        return NULL;
    case LOBBY_MEMBER_LEFT:
        if (m->number >= CT_NETWORK_REASONS || !is_member || m->peer == l->desc.link.self)
            return "a member leaves that is not there";
        if (m->peer == l->host)
            ct_lobby_lose_host(l, (ct_network_reason)m->number);
        else
            ct_lobby_remove_member(l, place);
        return NULL;
    case LOBBY_DATA:
        if (m->peer && !is_member)
            return "it has data of no member";
        return set_pair(l, m->peer, m->key, m->value) ? NULL : "it has too many keys";
    case LOBBY_SESSION_HOST:
        if (m->peer && !is_member)
            return "the session's host is no member";
        l->session_host = m->peer;
        ++l->version;
        return NULL;
    case LOBBY_READY:
        if (l->state != CT_NETWORK_LOBBY_JOINING || !l->members.count ||
            l->members.items[0].peer != l->host ||
            ct_lobby_find_member(l, l->desc.link.self) == UINT32_MAX)
            return "it is ready without what belongs to it";
        l->is_migrating = false;
        ct_lobby_set_state(l, CT_NETWORK_LOBBY_JOINED, CT_NETWORK_REASON_NONE);
        return NULL;
    default:
        return "a host sends no such kind";
    }
}

void ct_network_lobby_receive(ct_network_lobby *l, ct_peer_id peer, const void *bytes,
                              uint32_t size) {
    const bool is_host = ct_network_lobby_is_host(l);
    if (l->state != CT_NETWORK_LOBBY_JOINED && l->state != CT_NETWORK_LOBBY_JOINING)
        return; // a late packet of a lobby that was left
    lobby_message m;
    const char *fault = ct_lobby_read(bytes, size, &m);
    if (!fault && !is_host && m.kind == LOBBY_JOIN && ct_lobby_find_member(l, peer) != UINT32_MAX)
        return; // it has lost the host before this member has; it asks again
    if (!fault)
        fault = is_host           ? take_as_host(l, peer, &m)
                : peer != l->host ? "it does not come from the lobby's host"
                                  : take_as_member(l, &m);
    if (!fault)
        return;
    ct_log_warning(
        "network", "network_lobby_packet",
        "peer %016llx sent a wrong packet of %u bytes to the lobby and is disconnected: %s",
        (unsigned long long)peer, size, fault);
    l->desc.link.disconnect(l->desc.link.data, peer, CT_NETWORK_REASON_BROKEN);
    ct_network_lobby_disconnected(l, peer, CT_NETWORK_REASON_BROKEN);
}

void ct_network_lobby_update(ct_network_lobby *l, double now) {
    refill_senders(l, now);
    if (l->asked < 0)
        l->asked = now;
    if (l->is_migrating) {
        ct_lobby_migrate(l, now);
        return;
    }
    if (l->state != CT_NETWORK_LOBBY_JOINING || l->has_no_timeouts ||
        now - l->asked < l->desc.wait_seconds)
        return;
    if (l->host)
        l->desc.link.disconnect(l->desc.link.data, l->host, CT_NETWORK_REASON_TIMEOUT);
    ct_lobby_fail(l, CT_NETWORK_REASON_TIMEOUT);
}

ct_network_lobby_state ct_network_lobby_state_of(const ct_network_lobby *l) {
    return l->state;
}
ct_network_reason ct_network_lobby_reason(const ct_network_lobby *l) {
    return l->reason;
}
ct_peer_id ct_network_lobby_host_peer(const ct_network_lobby *l) {
    return l->host;
}
uint32_t ct_network_lobby_version(const ct_network_lobby *l) {
    return l->version;
}
uint16_t ct_network_lobby_port(const ct_network_lobby *l) {
    return l->port;
}
uint32_t ct_network_lobby_max_members(const ct_network_lobby *l) {
    return l->max_members;
}
uint32_t ct_network_lobby_num_members(const ct_network_lobby *l) {
    return l->members.count;
}
ct_peer_id ct_network_lobby_session_host(const ct_network_lobby *l) {
    return l->session_host;
}

bool ct_network_lobby_is_host(const ct_network_lobby *l) {
    return l->host == l->desc.link.self;
}

ct_peer_id ct_network_lobby_member(const ct_network_lobby *l, uint32_t i) {
    return i < l->members.count ? l->members.items[i].peer : 0;
}

const char *ct_network_lobby_address(const ct_network_lobby *l, ct_peer_id member) {
    const uint32_t place = ct_lobby_find_member(l, member);
    return place == UINT32_MAX ? NULL : l->members.items[place].address;
}

// Sets `error` unless this program is the host of a lobby.
static bool check_host(const ct_network_lobby *l, ct_error *error) {
    if (l->state == CT_NETWORK_LOBBY_JOINED && ct_network_lobby_is_host(l))
        return true;
    return ct_error_set(error, "only the lobby's host can do this; this program is %s",
                        l->state == CT_NETWORK_LOBBY_JOINED ? "a member" : "in no lobby");
}

bool ct_network_lobby_set_session_host(ct_network_lobby *l, ct_peer_id peer, ct_error *error) {
    if (!check_host(l, error))
        return false;
    if (peer && ct_lobby_find_member(l, peer) == UINT32_MAX)
        return ct_error_set(error, "peer %016llx is no member of the lobby",
                            (unsigned long long)peer);
    l->session_host = peer;
    ++l->version;
    send_to_others(l, 0, &(lobby_message){.kind = LOBBY_SESSION_HOST, .peer = peer});
    return true;
}

bool ct_network_lobby_kick(ct_network_lobby *l, ct_peer_id peer, ct_error *error) {
    if (!check_host(l, error))
        return false;
    if (peer == l->host || ct_lobby_find_member(l, peer) == UINT32_MAX)
        return ct_error_set(error, "peer %016llx is no other member of the lobby",
                            (unsigned long long)peer);
    l->desc.link.disconnect(l->desc.link.data, peer, CT_NETWORK_REASON_KICKED);
    ct_lobby_drop_member(l, peer, CT_NETWORK_REASON_KICKED);
    return true;
}

const char *ct_network_lobby_data(const ct_network_lobby *l, ct_peer_id member, const char *key) {
    for (uint32_t i = 0; i < l->pairs.count; ++i)
        if (l->pairs.items[i].owner == member && strcmp(l->pairs.items[i].key, key) == 0)
            return l->pairs.items[i].value;
    return "";
}

bool ct_network_lobby_set_data(ct_network_lobby *l, ct_peer_id member, const char *key,
                               const char *value, ct_error *error) {
    if (l->state != CT_NETWORK_LOBBY_JOINED)
        return ct_error_set(error, "this program is in no lobby");
    if (!member && !check_host(l, error))
        return false;
    if (member && member != l->desc.link.self)
        return ct_error_set(error, "peer %016llx sets its data itself", (unsigned long long)member);
    const char *fault = *key ? ct_lobby_text_fault(key, CT_NETWORK_LOBBY_KEY_BYTES) : "is empty";
    if (fault)
        return ct_error_set(error, "the key \"%.64s\" %s (at most %d bytes of text)", key, fault,
                            CT_NETWORK_LOBBY_KEY_BYTES - 1);
    fault = ct_lobby_text_fault(value, CT_NETWORK_LOBBY_VALUE_BYTES);
    if (fault)
        return ct_error_set(error, "the value \"%.64s\" of \"%s\" %s (at most %d bytes of text)",
                            value, key, fault, CT_NETWORK_LOBBY_VALUE_BYTES - 1);
    if (!set_pair(l, member, key, value))
        return ct_error_set(error, "no room for the key \"%s\": there are %d keys", key,
                            CT_NETWORK_LOBBY_MAX_KEYS);
    lobby_message m = {.kind = LOBBY_DATA, .peer = member};
    snprintf(m.key, sizeof(m.key), "%s", key);
    snprintf(m.value, sizeof(m.value), "%s", value);
    if (ct_network_lobby_is_host(l))
        send_to_others(l, 0, &m);
    else
        send_packet(l, l->host, &m);
    return true;
}

void ct_network_lobby_each_data(const ct_network_lobby *l, ct_peer_id member,
                                void (*visit)(void *data, const char *key, const char *value),
                                void *data) {
    for (uint32_t i = 0; i < l->pairs.count; ++i)
        if (l->pairs.items[i].owner == member)
            visit(data, l->pairs.items[i].key, l->pairs.items[i].value);
}
