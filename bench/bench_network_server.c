// bench_network_server.c: the processor time of a server with 64 clients.
//
// `network_server`: a host with 100 bodies that all move, and 64 clients, each with a moving body of
// its own and a message of 40 bytes to all every second second: 163 objects go to each client at
// 30 Hz. The clients are in another process, over sealed UDP on the loopback device. The figure is
// the processor time (user and system) of the server's process, of 10 seconds, in hundredths of one
// core; it has the motion of its bodies, too. It is scaled to all changes: on a machine with other
// work some ticks come late, and send those of two. Beside half of a core.
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "bench_network.h"
#include "foundation/error.h"
#include "foundation/os/os.h"

enum { CLIENTS = 64, RATE = 30, SECONDS = 10, STARTING = 20, SAYS_EVERY = 2 * RATE };
enum { ENTRIES = CLIENTS * (CLIENTS - 1 + CT_BENCH_BODIES) * RATE }; // changes a second
static const uint64_t tick_ns = 1000000000 / RATE;

static const ct_network_session_desc session_desc = {.max_peers = CLIENTS + 1, .rate = RATE};

static ct_network *make_node(ct_peer_id self) {
    ct_network *const n =
        ct_network_create(&(ct_network_desc){.allocator = ct_bench_heap(),
                                             .config = ct_bench_network_config(),
                                             .address = {.ip = CT_DATAGRAM_IP_LOOPBACK},
                                             .self = self,
                                             .max_peers = CLIENTS + 1},
                          NULL);
    CT_REQUIRE(n && ct_network_create_session(n, &session_desc, NULL), "a network");
    return n;
}

static double seconds_of(uint64_t ns) {
    return (double)ns * 1e-9;
}

// Sleeps until the next tick and returns its time.
static uint64_t next_tick(uint64_t last) {
    const uint64_t next = last + tick_ns, now = ct_os_time_ns();
    if (now < next)
        ct_os_sleep_ns(next - now);
    return now < next + tick_ns ? next : now;
}

// --- Clients -------------------------------------------------------------------------------------

typedef struct client {
    ct_network *network;
    ct_network_object_id ids[CT_BENCH_BODIES]; // the first is its body
} client;

static void say(ct_network_session *s) {
    static const char text[] = "forty bytes that all of the others hear.";
    uint32_t words[CT_NETWORK_MAX_WORDS] = {0};
    const ct_network_value v = {.kind = CT_NETWORK_STRING, .string = {text, 40}};
    ct_network_record_set(ct_bench_network_config(),
                          ct_network_config_messages(ct_bench_network_config()), 0, UINT32_MAX, &v,
                          words, NULL);
    ct_network_session_send(s, 0, 0, words, NULL);
}

static void run_client(client *c, uint32_t index, const ct_bench_bodies *bodies, uint64_t tick,
                       uint64_t now) {
    ct_network_session *const s = ct_network_session_of(c->network);
    ct_network_update(c->network, now);
    if (ct_network_session_state_of(s) == CT_NETWORK_SESSION_IN) {
        if (!c->ids[0])
            c->ids[0] = ct_network_session_create_object(s, 0, NULL, NULL);
        ct_bench_bodies own = {.items = {bodies->items[index]}};
        ct_bench_bodies_send(&own, s, c->ids);
        if ((tick + index) % SAYS_EVERY == 0)
            say(s);
    }
    ct_network_transmit(c->network, now);
}

static ct_network *start_client(ct_peer_id self, const char *host, uint64_t now) {
    ct_network *const n = make_node(self);
    ct_network_update(n, now);
    CT_REQUIRE(ct_network_session_join(ct_network_session_of(n), 1, host, seconds_of(now), NULL),
               "joins");
    return n;
}

// Runs all clients until the other end of `pipe` is closed.
static void run_clients(ct_datagram_address host, int pipe) {
    static client clients[CLIENTS];
    ct_bench_bodies bodies;
    char address[CT_NETWORK_ADDRESS_BYTES], byte;
    ct_datagram_address_print(&host, address);
    ct_bench_bodies_init(&bodies, 9);
    uint64_t now = ct_os_time_ns();
    for (uint32_t i = 0; i < CLIENTS; ++i)
        clients[i].network = start_client(2 + i, address, now);
    for (uint64_t tick = 0; read(pipe, &byte, 1) != 0; ++tick) {
        now = next_tick(now);
        ct_bench_bodies_step(&bodies, 1.0f / RATE);
        for (uint32_t i = 0; i < CLIENTS; ++i)
            run_client(&clients[i], i, &bodies, tick, now);
    }
}

// --- The server ----------------------------------------------------------------------------------

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t run_server(ct_network *n, ct_bench_bodies *bodies, const ct_network_object_id *ids,
                           uint64_t now) {
    now = next_tick(now);
    ct_network_update(n, now);
    ct_bench_bodies_step(bodies, 1.0f / RATE);
    ct_bench_bodies_send(bodies, ct_network_session_of(n), ids);
    ct_network_transmit(n, now);
    return now;
}

// Starts the clients' process. Returns its id and the end of a pipe that it lives as long as.
static pid_t start_clients(ct_datagram_address host, int *end) {
    int ends[2];
    CT_REQUIRE(pipe(ends) == 0, "a pipe");
    const pid_t child = fork();
    CT_REQUIRE(child >= 0, "a process");
    if (child == 0) {
        close(ends[1]);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        run_clients(host, ends[0]);
        _exit(0);
    }
    close(ends[0]);
    *end = ends[1];
    return child;
}

static double run(void) {
    ct_bench_network_begin();
    ct_network *const n = make_node(1);
    ct_network_session *const s = ct_network_session_of(n);
    uint64_t now = ct_os_time_ns();
    int end;
    const pid_t child = start_clients(ct_network_address(n), &end);
    ct_network_update(n, now);
    CT_REQUIRE(ct_network_session_host(s, seconds_of(now), NULL), "a session");
    ct_bench_bodies bodies;
    ct_network_object_id ids[CT_BENCH_BODIES];
    ct_bench_bodies_init(&bodies, 3);
    for (uint32_t i = 0; i < CT_BENCH_BODIES; ++i)
        ids[i] = ct_network_session_create_object(s, 0, NULL, NULL);
    for (uint32_t i = 0; i < STARTING * RATE &&
                         ct_network_session_objects(s, 0, NULL, 0) < CT_BENCH_BODIES + CLIENTS;
         ++i)
        now = run_server(n, &bodies, ids, now);
    for (uint32_t i = 0; i < 2 * RATE; ++i)
        now = run_server(n, &bodies, ids, now);
    const uint64_t began = now, first = ct_network_session_counts_of(s).entries;
    const double before = processor_seconds();
    while (now - began < SECONDS * UINT64_C(1000000000))
        now = run_server(n, &bodies, ids, now);
    const double used = processor_seconds() - before;
    const uint64_t entries = ct_network_session_counts_of(s).entries - first;
    CT_REQUIRE(entries > ENTRIES, "%llu changes were sent", (unsigned long long)entries);
    close(end);
    waitpid(child, NULL, 0);
    ct_network_destroy(n);
    ct_bench_network_end();
    return 100 * used / (double)entries * ENTRIES;
}

static double half_a_core(void) {
    return 50;
}

static const ct_bench_case cases[] = {
    {"network_server", "64 clients at 30 Hz", "half a core", "%", 1, 1, NULL, NULL, run,
     half_a_core},
};

const ct_bench_group ct_bench_network_server = {"network", cases, CT_COUNT_OF(cases)};
