// network_discovery.c: questions and answers as bytes; who answers, and what the browser keeps.
#include "network/lobby/network_discovery.h"
#include "foundation/container/array.h"
#include "foundation/memory/allocator.h"
#include "foundation/os/os.h"
#include "network/lobby/network_lobby_private.h"
#include "network/transport/network_guard.h"
#include <stdio.h>
#include <string.h>

enum {
    VERSION = 1,
    QUESTION = 0x516c7443, // "CtlQ"
    ANSWER = 0x416c7443,   // "CtlA"
    ASKS = 3,
    BROADCAST_OF_LOOPBACK = 0x7fffffff,
    MAX_DATAGRAMS = 1024, // that one update receives; more wait for the next
};
#define ASK_AGAIN_NS UINT64_C(300000000)
#define WAIT_NS UINT64_C(1000000000)
#define LATE_NS UINT64_C(10000000000)

struct ct_network_announcer {
    ct_allocator *allocator;
    ct_network_wire *wire;
    uint16_t game_port;
    bool is_local;
    uint64_t config_hash;
    bool is_begun;
    ct_network_guard guard;
};

struct ct_network_browser {
    ct_allocator *allocator;
    ct_network_wire *wire;
    uint64_t config_hash, nonce;
    uint16_t port;
    uint32_t asks_left;
    uint64_t begun_ns, asked_ns;
    bool has_asked, is_refreshing;
    CT_ARRAY(ct_network_lobby_info) lobbies; // sorted by host
};

ct_network_announcer *ct_network_announcer_create(ct_allocator *a, ct_network_wire *wire,
                                                  uint16_t game_port, bool is_local,
                                                  uint64_t config_hash) {
    ct_network_announcer *const announcer = CT_NEW(a, ct_network_announcer);
    *announcer = (ct_network_announcer){.allocator = a,
                                        .wire = wire,
                                        .game_port = game_port,
                                        .is_local = is_local,
                                        .config_hash = config_hash};
    return announcer;
}

void ct_network_announcer_destroy(ct_network_announcer *announcer) {
    if (announcer)
        ct_free(announcer->allocator, announcer);
}

// What each_data visits: writes a pair as long as there is room.
typedef struct pair_writer {
    ct_bit_writer *w;
    bool is_cut;
} pair_writer;

static void write_pair(void *data, const char *key, const char *value) {
    pair_writer *const pairs = data;
    if (pairs->is_cut)
        return;
    const ct_bit_writer before = *pairs->w;
    ct_bits_write(pairs->w, 1, 8); // one more follows
    ct_lobby_write_text(pairs->w, key);
    ct_lobby_write_text(pairs->w, value);
    if (!pairs->w->is_full && ct_bits_written(pairs->w) / 8 < CT_NETWORK_DISCOVERY_BYTES)
        return;
    *pairs->w = before;
    pairs->is_cut = true;
}

static void answer(ct_network_announcer *announcer, const ct_network_lobby *lobby, uint64_t nonce,
                   ct_datagram_address to, uint64_t now_ns) {
    uint8_t bytes[CT_NETWORK_DISCOVERY_BYTES];
    ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
    ct_bits_write(&w, ANSWER, 32);
    ct_bits_write(&w, VERSION, 8);
    ct_lobby_write_u64(&w, nonce);
    ct_lobby_write_u64(&w, ct_network_lobby_host_peer(lobby));
    ct_lobby_write_u64(&w, announcer->config_hash);
    ct_bits_write(&w, announcer->game_port, 16);
    ct_bits_write(&w, ct_network_lobby_num_members(lobby), 8);
    ct_bits_write(&w, ct_network_lobby_max_members(lobby), 8);
    pair_writer pairs = {.w = &w};
    ct_network_lobby_each_data(lobby, 0, write_pair, &pairs);
    ct_bits_write(&w, pairs.is_cut ? 2 : 0, 8);
    ct_network_wire_send(announcer->wire, now_ns, to, bytes, ct_bits_end(&w));
}

void ct_network_announcer_update(ct_network_announcer *announcer, const ct_network_lobby *lobby,
                                 uint64_t now_ns) {
    if (!announcer->is_begun) {
        uint64_t salt;
        ct_os_random_bytes(&salt, sizeof(salt));
        ct_network_guard_init(&announcer->guard, 100, 20, salt, now_ns);
        announcer->is_begun = true;
    }
    ct_datagram_address from;
    uint8_t bytes[CT_NETWORK_WIRE_BYTES];
    for (uint32_t left = MAX_DATAGRAMS; left > 0; --left) {
        const int64_t size =
            ct_network_wire_receive(announcer->wire, now_ns, &from, bytes, sizeof(bytes));
        if (size < 0)
            break;
        if (size != CT_NETWORK_DISCOVERY_BYTES ||
            (announcer->is_local && from.ip >> 24 != CT_DATAGRAM_IP_LOOPBACK >> 24))
            continue;
        ct_bit_reader r = ct_bits_read_from(bytes, (uint32_t)size);
        if (ct_bits_read(&r, 32) != QUESTION || ct_bits_read(&r, 8) != VERSION)
            continue;
        const uint64_t nonce = ct_lobby_read_u64(&r);
        if (ct_network_lobby_state_of(lobby) == CT_NETWORK_LOBBY_JOINED &&
            ct_network_lobby_is_host(lobby) &&
            ct_network_guard_pass(&announcer->guard, from.ip, now_ns))
            answer(announcer, lobby, nonce, from, now_ns);
    }
}

ct_network_browser *ct_network_browser_create(ct_allocator *a, ct_network_wire *wire,
                                              uint64_t config_hash) {
    ct_network_browser *const browser = CT_NEW(a, ct_network_browser);
    *browser = (ct_network_browser){.allocator = a, .wire = wire, .config_hash = config_hash};
    ct_array_init(&browser->lobbies, a);
    return browser;
}

void ct_network_browser_destroy(ct_network_browser *browser) {
    if (!browser)
        return;
    ct_array_free(&browser->lobbies);
    ct_free(browser->allocator, browser);
}

static void ask(ct_network_browser *browser, uint64_t now_ns) {
    uint8_t bytes[CT_NETWORK_DISCOVERY_BYTES] = {0};
    ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
    ct_bits_write(&w, QUESTION, 32);
    ct_bits_write(&w, VERSION, 8);
    ct_lobby_write_u64(&w, browser->nonce);
    ct_bits_end(&w);
    const uint32_t places[] = {CT_DATAGRAM_IP_BROADCAST, BROADCAST_OF_LOOPBACK};
    for (uint32_t i = 0; i < CT_COUNT_OF(places); ++i)
        ct_network_wire_send(browser->wire, now_ns,
                             (ct_datagram_address){.ip = places[i], .port = browser->port}, bytes,
                             sizeof(bytes));
    browser->asked_ns = now_ns;
    --browser->asks_left;
}

void ct_network_browser_refresh(ct_network_browser *browser, uint16_t port, uint64_t now_ns) {
    browser->lobbies.count = 0;
    browser->port = port;
    ct_os_random_bytes(&browser->nonce, sizeof(browser->nonce));
    browser->asks_left = ASKS;
    browser->begun_ns = now_ns;
    browser->has_asked = browser->is_refreshing = true;
    ask(browser, now_ns);
}

// Reads an answer. Returns false for bytes that do not answer the question that was asked.
static bool read_answer(const ct_network_browser *browser, const void *bytes, uint32_t size,
                        ct_datagram_address from, ct_network_lobby_info *info) {
    ct_bit_reader r = ct_bits_read_from(bytes, size);
    if (ct_bits_read(&r, 32) != ANSWER || ct_bits_read(&r, 8) != VERSION ||
        ct_lobby_read_u64(&r) != browser->nonce)
        return false;
    *info = (ct_network_lobby_info){.host = ct_lobby_read_u64(&r)};
    info->has_same_config = ct_lobby_read_u64(&r) == browser->config_hash;
    from.port = (uint16_t)ct_bits_read(&r, 16);
    ct_datagram_address_print(&from, info->address);
    info->num_members = ct_bits_read(&r, 8);
    info->max_members = ct_bits_read(&r, 8);
    if (!info->host || !from.port || !info->num_members || info->num_members > info->max_members ||
        info->max_members > CT_NETWORK_LOBBY_MAX_MEMBERS)
        return false;
    for (;;) {
        const uint32_t more = ct_bits_read(&r, 8);
        if (more != 1) {
            info->is_cut = more == 2;
            return more <= 2 && ct_bits_is_done(&r);
        }
        if (info->num_pairs == CT_NETWORK_LOBBY_MAX_KEYS)
            return false;
        ct_network_lobby_pair *const pair = &info->pairs[info->num_pairs++];
        if (ct_lobby_read_text(&r, pair->key, sizeof(pair->key)) || !*pair->key ||
            ct_lobby_read_text(&r, pair->value, sizeof(pair->value)))
            return false;
    }
}

// Adds a lobby, or what is newer about it.
static void keep(ct_network_browser *browser, const ct_network_lobby_info *info) {
    uint32_t at = 0;
    while (at < browser->lobbies.count && browser->lobbies.items[at].host < info->host)
        ++at;
    if (at < browser->lobbies.count && browser->lobbies.items[at].host == info->host)
        browser->lobbies.items[at] = *info;
    else if (browser->lobbies.count < CT_NETWORK_DISCOVERY_LOBBIES)
        ct_array_insert(&browser->lobbies, at, *info);
}

void ct_network_browser_update(ct_network_browser *browser, uint64_t now_ns) {
    ct_datagram_address from;
    uint8_t bytes[CT_NETWORK_WIRE_BYTES];
    for (uint32_t left = MAX_DATAGRAMS; left > 0; --left) {
        const int64_t size =
            ct_network_wire_receive(browser->wire, now_ns, &from, bytes, sizeof(bytes));
        if (size < 0)
            break;
        ct_network_lobby_info info;
        if (browser->has_asked && size <= CT_NETWORK_DISCOVERY_BYTES &&
            read_answer(browser, bytes, (uint32_t)size, from, &info))
            keep(browser, &info);
    }
    if (browser->is_refreshing && browser->asks_left && now_ns - browser->asked_ns >= ASK_AGAIN_NS)
        ask(browser, now_ns);
    if (now_ns - browser->begun_ns >= WAIT_NS)
        browser->is_refreshing = false;
    if (now_ns - browser->begun_ns >= LATE_NS)
        browser->has_asked = false;
}

bool ct_network_browser_is_refreshing(const ct_network_browser *browser) {
    return browser->is_refreshing;
}

uint32_t ct_network_browser_count(const ct_network_browser *browser) {
    return browser->lobbies.count;
}

const ct_network_lobby_info *ct_network_browser_lobby(const ct_network_browser *browser,
                                                      uint32_t i) {
    return i < browser->lobbies.count ? &browser->lobbies.items[i] : NULL;
}
