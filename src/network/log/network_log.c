// network_log.c: entries as bytes, both ways.
#include "network/log/network_log.h"
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "network/log/network_seen.h"
#include "resource/blob/content_hash.h"
#include <string.h>

enum {
    MAGIC = 0x4c4e5443, // "CTNL"
    HEAD_BYTES = 32,    // magic, version, peer, hash, time
    VERSION_BYTES = 8,  // magic, version
    STATS_BYTES = 20,
    ENTRY_BYTES = 44,
    FULL_BYTES = 1 << 20, // of entries that wait for the file
    SEEN_BYTES = CT_NETWORK_LOG_SEEN_BYTES - CT_NETWORK_SEEN_BYTES,
};
#define WRITE_NS UINT64_C(1000000000)

// What is true of an entry.
enum { FLAG_RELIABLE = 1, FLAG_OK = 2, FLAG_INCOMING = 4 };

struct ct_network_log {
    ct_allocator *allocator;
    int file; // -1 when it did not take something
    ct_error error;
    const ct_network_config_resource *config; // or NULL
    uint64_t written_ns, now_ns;
    ct_peer_id seen_peer; // of `seen`
    ct_byte_array seen;   // what was seen, in a row, until another entry comes
    ct_byte_array waiting;
    char path[CT_PATH_BYTES];
};

// An entry without its bytes, as it is in the file.
typedef struct entry_head {
    uint64_t now_ns, peer;
    uint32_t ip, size; // size: of packets and datagrams, and the answer to room
    float seconds;
    uint16_t port;
    uint8_t kind, event_kind, channel, reason, flags;
    uint32_t num_bytes; // that follow
} entry_head;

static uint8_t *put(uint8_t *at, uint64_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i)
        *at++ = (uint8_t)(value >> (8 * i));
    return at;
}

static uint64_t get(const uint8_t **at, uint32_t bytes) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; ++i)
        value |= (uint64_t) * (*at)++ << (8 * i);
    return value;
}

// Returns the sum of an entry; `bytes` begins behind the sum.
static uint32_t sum_of(const uint8_t *bytes, uint64_t size) {
    return (uint32_t)ct_content_hash(bytes, size);
}

static void add_bytes(ct_network_log *log, const entry_head *e, const uint8_t *bytes) {
    if (log->file < 0)
        return;
    const uint32_t start = log->waiting.count;
    ct_array_resize(&log->waiting, start + ENTRY_BYTES);
    uint32_t seconds;
    memcpy(&seconds, &e->seconds, sizeof(seconds));
    uint8_t *at = put(log->waiting.items + start, 0, 4); // the sum
    at = put(at, e->num_bytes, 4);
    at = put(at, e->now_ns, 8);
    at = put(at, e->peer, 8);
    at = put(at, e->ip, 4);
    at = put(at, e->size, 4);
    at = put(at, seconds, 4);
    at = put(at, e->port, 2);
    at = put(at, e->kind, 1);
    at = put(at, e->event_kind, 1);
    at = put(at, e->channel, 1);
    at = put(at, e->reason, 1);
    at = put(at, e->flags, 1);
    put(at, 0, 1);
    ct_array_push_many(&log->waiting, bytes, e->num_bytes);
    put(log->waiting.items + start,
        sum_of(log->waiting.items + start + 4, log->waiting.count - start - 4), 4);
}

// What was seen becomes an entry.
static void end_seen(ct_network_log *log) {
    if (log->seen.count == 0)
        return;
    const entry_head e = {.kind = CT_NETWORK_LOG_SEEN,
                          .now_ns = log->now_ns,
                          .peer = log->seen_peer,
                          .size = log->seen.count,
                          .num_bytes = log->seen.count};
    add_bytes(log, &e, log->seen.items);
    log->seen.count = 0;
}

static void add_entry(ct_network_log *log, const entry_head *e, const uint8_t *bytes) {
    end_seen(log);
    add_bytes(log, e, bytes);
}

static void write_waiting(ct_network_log *log) {
    if (log->file < 0 || !log->waiting.count)
        return;
    if (!ct_os_file_write(log->file, log->waiting.items, log->waiting.count, &log->error)) {
        ct_log_error("network", "network_log", "the network log %s ends here: %s", log->path,
                     log->error.message);
        ct_os_file_close(log->file);
        log->file = -1;
    }
    log->waiting.count = 0;
}

ct_network_log *ct_network_log_create(ct_allocator *a, const char *path,
                                      const ct_network_log_head *head,
                                      const ct_network_config_resource *config, ct_error *error) {
    const int file = ct_os_file_open_write(path, error);
    if (file < 0)
        return NULL;
    ct_network_log *const log = CT_NEW(a, ct_network_log);
    log->allocator = a;
    log->file = file;
    log->config = config;
    strncpy(log->path, path, sizeof(log->path) - 1);
    ct_array_init(&log->waiting, a);
    ct_array_init(&log->seen, a);
    ct_array_resize(&log->waiting, HEAD_BYTES);
    uint8_t *at = put(log->waiting.items, MAGIC, 4);
    at = put(at, CT_NETWORK_LOG_VERSION, 4);
    at = put(at, head->self, 8);
    at = put(at, head->config_hash, 8);
    put(at, (uint64_t)(head->begun_ns ? head->begun_ns : ct_os_wall_time_ns()), 8);
    if (config && config->header.size_bytes <= CT_NETWORK_LOG_CONFIG_BYTES) {
        const uint32_t size = (uint32_t)config->header.size_bytes;
        add_entry(log,
                  &(entry_head){.kind = CT_NETWORK_LOG_CONFIG, .size = size, .num_bytes = size},
                  (const uint8_t *)config);
    }
    write_waiting(log);
    return log;
}

void ct_network_log_tap(void *data, const ct_network_tap *what) {
    ct_network_log *const log = data;
    const ct_network_transport_event *const event = &what->event;
    entry_head e = {.now_ns = what->now_ns, .kind = (uint8_t)what->kind};
    const uint8_t *bytes = NULL;
    if (what->kind == CT_NETWORK_TAP_EVENT) {
        e.event_kind = (uint8_t)event->kind;
        e.peer = event->peer;
        e.ip = event->address.ip;
        e.port = event->address.port;
        e.channel = (uint8_t)event->channel;
        e.reason = (uint8_t)event->reason;
        e.flags = (uint8_t)((event->is_reliable ? FLAG_RELIABLE : 0) |
                            (event->is_incoming ? FLAG_INCOMING : 0));
        e.size = e.num_bytes = event->size;
        bytes = event->bytes;
    } else {
        e.peer = what->peer;
        e.ip = what->address.ip;
        e.port = what->address.port;
        e.channel = (uint8_t)what->channel;
        e.reason = (uint8_t)what->reason;
        e.flags = (uint8_t)((what->is_reliable ? FLAG_RELIABLE : 0) | (what->is_ok ? FLAG_OK : 0));
        e.seconds = what->seconds;
        e.size = what->size;
        if (what->kind == CT_NETWORK_TAP_SENT) {
            e.num_bytes = what->size;
            bytes = what->bytes;
        }
    }
    add_entry(log, &e, bytes);
    if (log->waiting.count >= FULL_BYTES)
        write_waiting(log);
}

void ct_network_log_seen(void *data, const ct_network_seen *what) {
    ct_network_log *const log = data;
    if (!log->config || log->file < 0)
        return;
    if (log->seen_peer != what->peer || log->seen.count > SEEN_BYTES)
        end_seen(log);
    log->seen_peer = what->peer;
    ct_network_seen_write(log->config, what, &log->seen);
}

void ct_network_log_add_stats(ct_network_log *log, uint64_t now_ns, ct_peer_id peer,
                              const ct_network_log_stats *stats) {
    uint8_t bytes[STATS_BYTES], *at = bytes;
    const float numbers[3] = {stats->round_trip, stats->loss_in, stats->loss_out};
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t word;
        memcpy(&word, &numbers[i], sizeof(word));
        at = put(at, word, 4);
    }
    at = put(at, stats->waiting_bytes, 4);
    put(at, stats->held_back, 4);
    add_entry(log,
              &(entry_head){.kind = CT_NETWORK_LOG_STATS,
                            .now_ns = now_ns,
                            .peer = peer,
                            .size = STATS_BYTES,
                            .num_bytes = STATS_BYTES},
              bytes);
}

void ct_network_log_frame(ct_network_log *log, uint64_t now_ns, double step_seconds) {
    uint8_t bytes[8];
    uint64_t step;
    memcpy(&step, &step_seconds, sizeof(step));
    put(bytes, step, 8);
    add_entry(log, &(entry_head){.now_ns = now_ns, .kind = CT_NETWORK_LOG_FRAME, .num_bytes = 8},
              bytes);
    log->now_ns = now_ns;
    if (now_ns - log->written_ns < WRITE_NS)
        return;
    log->written_ns = now_ns;
    write_waiting(log);
}

void ct_network_log_note(ct_network_log *log, uint64_t now_ns, const char *text) {
    const size_t length = strlen(text);
    const uint32_t size =
        length < CT_NETWORK_LOG_NOTE_BYTES ? (uint32_t)length : CT_NETWORK_LOG_NOTE_BYTES;
    add_entry(log,
              &(entry_head){
                  .now_ns = now_ns, .kind = CT_NETWORK_LOG_NOTE, .size = size, .num_bytes = size},
              (const uint8_t *)text);
}

bool ct_network_log_end(ct_network_log *log, ct_error *error) {
    if (!log)
        return true;
    end_seen(log);
    write_waiting(log);
    const bool is_whole = log->file >= 0;
    if (is_whole)
        ct_os_file_close(log->file);
    else
        ct_error_set(error, "the network log %s is not whole: %s", log->path, log->error.message);
    ct_array_free(&log->waiting);
    ct_array_free(&log->seen);
    ct_free(log->allocator, log);
    return is_whole;
}

bool ct_network_log_open_bytes(const void *bytes, uint64_t size, const char *path,
                               ct_network_log_reader *reader, ct_error *error) {
    *reader = (ct_network_log_reader){.bytes = bytes, .at = HEAD_BYTES, .size = size};
    const uint8_t *at = bytes;
    if (size == 0)
        return ct_error_set(
            error, "the network log %s is empty; one is written by cuttle run --network-log", path);
    if (size < VERSION_BYTES || get(&at, 4) != MAGIC)
        return ct_error_set(
            error, "%s is no network log; one is written by cuttle run --network-log", path);
    const uint32_t version = (uint32_t)get(&at, 4);
    if (version != CT_NETWORK_LOG_VERSION)
        return ct_error_set(error,
                            "%s is a network log of version %u; this program reads version %d: "
                            "use the program that wrote it, or write it again",
                            path, version, CT_NETWORK_LOG_VERSION);
    if (size < HEAD_BYTES)
        return ct_error_set(error, "the network log %s is cut at byte %llu, in its head", path,
                            (unsigned long long)size);
    reader->head.self = get(&at, 8);
    reader->head.config_hash = get(&at, 8);
    reader->head.begun_ns = (int64_t)get(&at, 8);
    return true;
}

bool ct_network_log_open(ct_allocator *a, const char *path, ct_network_log_reader *reader,
                         ct_error *error) {
    uint64_t size;
    char *const bytes = ct_file_read_input(a, path, &size, error);
    if (!bytes)
        return false;
    if (!ct_network_log_open_bytes(bytes, size, path, reader, error)) {
        ct_free(a, bytes);
        return false;
    }
    reader->allocator = a;
    reader->owned = bytes;
    return true;
}

void ct_network_log_rewind(ct_network_log_reader *reader) {
    reader->at = HEAD_BYTES;
}

void ct_network_log_close(ct_network_log_reader *reader) {
    if (reader->owned)
        ct_free(reader->allocator, reader->owned);
    *reader = (ct_network_log_reader){0};
}

// Returns the most bytes that entries of a kind have, UINT32_MAX when there is no such kind. Those of
// frames and stats are of one size.
static uint32_t most_bytes(uint32_t kind) {
    switch (kind) {
    case CT_NETWORK_LOG_FRAME:
        return 8;
    case CT_NETWORK_LOG_STATS:
        return STATS_BYTES;
    case CT_NETWORK_LOG_NOTE:
        return CT_NETWORK_LOG_NOTE_BYTES;
    case CT_NETWORK_LOG_SEEN:
        return CT_NETWORK_LOG_SEEN_BYTES;
    case CT_NETWORK_LOG_CONFIG:
        return CT_NETWORK_LOG_CONFIG_BYTES;
    case CT_NETWORK_TAP_SENT:
    case CT_NETWORK_TAP_EVENT:
        return CT_NETWORK_MAX_RELIABLE;
    default:
        return kind == CT_NETWORK_TAP_NONE || kind > CT_NETWORK_TAP_DATAGRAM_OUT ? UINT32_MAX : 0;
    }
}

// Returns NULL, or what is wrong with an entry whose sum is right.
static const char *check_entry(const entry_head *e) {
    const uint32_t most = most_bytes(e->kind);
    if (most == UINT32_MAX)
        return "its kind is unknown";
    if (e->event_kind > CT_NETWORK_TRANSPORT_PACKET || e->channel >= CT_NETWORK_CHANNELS ||
        e->reason >= CT_NETWORK_REASONS)
        return "a value is out of range";
    const bool is_fixed = e->kind == CT_NETWORK_LOG_FRAME || e->kind == CT_NETWORK_LOG_STATS;
    const uint32_t wanted = is_fixed || most == 0 ? most : e->size;
    return e->num_bytes != wanted || e->num_bytes > most ? "its size is wrong" : NULL;
}

static void fill_tap(const entry_head *e, const uint8_t *bytes, ct_network_tap *tap) {
    const ct_datagram_address address = {.ip = e->ip, .port = e->port};
    *tap = (ct_network_tap){.kind = (ct_network_tap_kind)e->kind, .now_ns = e->now_ns};
    if (e->kind == CT_NETWORK_TAP_EVENT) {
        tap->event = (ct_network_transport_event){
            .kind = (ct_network_transport_event_kind)e->event_kind,
            .peer = e->peer,
            .address = address,
            .is_incoming = e->flags & FLAG_INCOMING,
            .reason = (ct_network_reason)e->reason,
            .channel = (ct_network_channel)e->channel,
            .is_reliable = e->flags & FLAG_RELIABLE,
            .bytes = bytes,
            .size = e->size,
        };
        return;
    }
    tap->peer = e->peer;
    tap->address = address;
    tap->channel = (ct_network_channel)e->channel;
    tap->reason = (ct_network_reason)e->reason;
    tap->is_reliable = e->flags & FLAG_RELIABLE;
    tap->is_ok = e->flags & FLAG_OK;
    tap->seconds = e->seconds;
    tap->size = e->size;
    tap->bytes = e->num_bytes ? bytes : NULL;
}

static void read_stats(const uint8_t *bytes, ct_network_log_stats *stats) {
    float *const numbers[3] = {&stats->round_trip, &stats->loss_in, &stats->loss_out};
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t word = (uint32_t)get(&bytes, 4);
        memcpy(numbers[i], &word, sizeof(word));
        if (!(*numbers[i] >= 0 && *numbers[i] < 1e6f))
            *numbers[i] = 0;
    }
    stats->waiting_bytes = (uint32_t)get(&bytes, 4);
    stats->held_back = (uint32_t)get(&bytes, 4);
}

bool ct_network_log_is_tap(const ct_network_log_entry *entry) {
    return entry->kind <= CT_NETWORK_TAP_DATAGRAM_OUT;
}

bool ct_network_log_next(ct_network_log_reader *reader, ct_network_log_entry *entry,
                         ct_error *error) {
    *error = (ct_error){0};
    const uint64_t left = reader->size - reader->at;
    if (!left)
        return false;
    const uint8_t *const start = reader->bytes + reader->at;
    const uint8_t *at = start;
    if (left < ENTRY_BYTES)
        return ct_error_set(error, "the log is cut at byte %llu", (unsigned long long)reader->at);
    const uint32_t sum = (uint32_t)get(&at, 4);
    entry_head e = {.num_bytes = (uint32_t)get(&at, 4)};
    if (e.num_bytes > left - ENTRY_BYTES)
        return ct_error_set(error, "the log is cut or damaged at byte %llu",
                            (unsigned long long)reader->at);
    if (sum != sum_of(start + 4, ENTRY_BYTES - 4 + e.num_bytes))
        return ct_error_set(error, "the log is damaged at byte %llu: a checksum is wrong",
                            (unsigned long long)reader->at);
    e.now_ns = get(&at, 8);
    e.peer = get(&at, 8);
    e.ip = (uint32_t)get(&at, 4);
    e.size = (uint32_t)get(&at, 4);
    const uint32_t seconds = (uint32_t)get(&at, 4);
    memcpy(&e.seconds, &seconds, sizeof(seconds));
    e.port = (uint16_t)get(&at, 2);
    e.kind = (uint8_t)get(&at, 1);
    e.event_kind = (uint8_t)get(&at, 1);
    e.channel = (uint8_t)get(&at, 1);
    e.reason = (uint8_t)get(&at, 1);
    e.flags = (uint8_t)get(&at, 1);
    const char *const fault = check_entry(&e);
    if (fault)
        return ct_error_set(error, "the entry at byte %llu of the log is wrong: %s",
                            (unsigned long long)reader->at, fault);
    const uint8_t *bytes = start + ENTRY_BYTES;
    *entry = (ct_network_log_entry){.kind = e.kind, .now_ns = e.now_ns};
    fill_tap(&e, bytes, &entry->tap);
    if (e.kind == CT_NETWORK_LOG_FRAME) {
        const uint64_t step = get(&bytes, 8);
        memcpy(&entry->step_seconds, &step, sizeof(step));
    } else if (e.kind == CT_NETWORK_LOG_STATS) {
        read_stats(bytes, &entry->stats);
    }
    if (!(entry->step_seconds >= 0 && entry->step_seconds < 1e6))
        return ct_error_set(error, "the entry at byte %llu of the log is wrong: its step is %g",
                            (unsigned long long)reader->at, entry->step_seconds);
    reader->at += ENTRY_BYTES + e.num_bytes;
    return true;
}
