// os_linux_address.c: IP addresses, and names looked up by the C library.
#include "foundation/os/address.h"
#include "foundation/os/os.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

static ct_address of_ipv4(const void *bytes) {
    ct_address address;
    memcpy(address.bytes, mapped, sizeof(mapped));
    memcpy(address.bytes + 12, bytes, 4);
    return address;
}

bool ct_address_parse(const char *text, ct_address *address) {
    struct in_addr ipv4;
    struct in6_addr ipv6;
    if (inet_pton(AF_INET, text, &ipv4) == 1)
        *address = of_ipv4(&ipv4);
    else if (inet_pton(AF_INET6, text, &ipv6) == 1)
        memcpy(address->bytes, &ipv6, 16);
    else
        return false;
    return true;
}

const char *ct_address_print(const ct_address *address, char text[CT_ADDRESS_TEXT_BYTES]) {
    const bool is_ipv4 = memcmp(address->bytes, mapped, sizeof(mapped)) == 0;
    inet_ntop(is_ipv4 ? AF_INET : AF_INET6, address->bytes + (is_ipv4 ? 12 : 0), text,
              CT_ADDRESS_TEXT_BYTES);
    return text;
}

bool ct_address_of_system(const void *socket_address, uint64_t size_bytes, ct_address *address) {
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
    sa_family_t family;
    if (size_bytes < sizeof(struct sockaddr))
        return false;
    memcpy(&family, (const char *)socket_address + offsetof(struct sockaddr, sa_family),
           sizeof(family));
    if (family == AF_INET && size_bytes >= sizeof(ipv4)) {
        memcpy(&ipv4, socket_address, sizeof(ipv4));
        *address = of_ipv4(&ipv4.sin_addr);
        return true;
    }
    if (family != AF_INET6 || size_bytes < sizeof(ipv6))
        return false;
    memcpy(&ipv6, socket_address, sizeof(ipv6));
    memcpy(address->bytes, &ipv6.sin6_addr, 16);
    return true;
}

bool ct_address_equal(const ct_address *a, const ct_address *b) {
    return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

// A range of addresses: the first `bits` bits are those of `bytes`.
typedef struct range {
    uint8_t bytes[16];
    uint32_t bits;
} range;

static bool is_in(const uint8_t *bytes, const range *r) {
    const uint32_t whole = r->bits / 8, rest = r->bits % 8;
    return memcmp(bytes, r->bytes, whole) == 0 &&
           (rest == 0 || (bytes[whole] ^ r->bytes[whole]) >> (8 - rest) == 0);
}

static bool is_public_ipv4(const uint8_t *bytes) {
    static const range others[] = {
        {{0}, 8},         {{10}, 8},       {{100, 64}, 10},      {{127}, 8},
        {{169, 254}, 16}, {{172, 16}, 12}, {{192, 0, 0}, 24},    {{192, 0, 2}, 24},
        {{192, 168}, 16}, {{198, 18}, 15}, {{198, 51, 100}, 24}, {{203, 0, 113}, 24},
        {{224}, 4},       {{240}, 4},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i)
        if (is_in(bytes, &others[i]))
            return false;
    return true;
}

bool ct_address_is_loopback(const ct_address *address) {
    static const ct_address one = {{[15] = 1}};
    return ct_address_equal(address, &one) ||
           (memcmp(address->bytes, mapped, sizeof(mapped)) == 0 && address->bytes[12] == 127);
}

bool ct_address_is_public(const ct_address *address) {
    static const range global = {{0x20}, 3}; // 2000::/3, of which these are not
    static const range documentation = {{0x20, 0x01, 0x0d, 0xb8}, 32};
    static const range teredo = {{0x20, 0x01, 0, 0}, 32};
    static const range six_to_four = {{0x20, 0x02}, 16};
    static const range nat64 = {{0, 0x64, 0xff, 0x9b}, 96};
    const uint8_t *const bytes = address->bytes;
    if (memcmp(bytes, mapped, sizeof(mapped)) == 0 || is_in(bytes, &nat64))
        return is_public_ipv4(bytes + 12);
    if (is_in(bytes, &six_to_four))
        return is_public_ipv4(bytes + 2);
    return is_in(bytes, &global) && !is_in(bytes, &documentation) && !is_in(bytes, &teredo);
}

int ct_socket_create(int family, int type, int protocol) {
    return socket(family, type | SOCK_CLOEXEC, protocol);
}

// --- Looking up names ----------------------------------------------------------------------------

// In pages of its own: its thread may outlive every allocator of the engine.
struct ct_lookup {
    pthread_mutex_t mutex; // of what follows
    uint32_t num_users;    // the thread, and the asker until it drops it
    bool is_dropped;
    void (*wake)(void *user);
    void *user;
    ct_lookup_result result;
    char host[]; // not changed
};

static _Atomic uint32_t num_running; // threads

static void free_lookup(ct_lookup *lookup) {
    pthread_mutex_destroy(&lookup->mutex);
    ct_os_pages_free(lookup, sizeof(*lookup) + strlen(lookup->host) + 1);
}

// Call it with the mutex locked.
static void leave(ct_lookup *lookup) {
    const bool is_last = --lookup->num_users == 0;
    pthread_mutex_unlock(&lookup->mutex);
    if (is_last)
        free_lookup(lookup);
}

static void resolve(const char *host, ct_lookup_result *result) {
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    if (getaddrinfo(host, NULL, &hints, &found) != 0)
        return;
    for (const struct addrinfo *i = found; i && result->count < CT_LOOKUP_MAX_ADDRESSES;
         i = i->ai_next)
        result->count +=
            ct_address_of_system(i->ai_addr, i->ai_addrlen, &result->addresses[result->count]);
    freeaddrinfo(found);
}

static void *run_lookup(void *data) {
    ct_lookup *const lookup = data;
    ct_lookup_result result = {.is_done = true};
    resolve(lookup->host, &result);
    pthread_mutex_lock(&lookup->mutex);
    lookup->result = result;
    if (!lookup->is_dropped && lookup->wake)
        lookup->wake(lookup->user);
    leave(lookup);
    --num_running;
    return NULL;
}

static bool start_thread(ct_lookup *lookup) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    const bool is_started = ++num_running <= CT_LOOKUP_MAX_RUNNING &&
                            pthread_create(&thread, &attributes, run_lookup, lookup) == 0;
    num_running -= !is_started;
    pthread_attr_destroy(&attributes);
    return is_started;
}

ct_lookup *ct_lookup_start(const char *host, void (*wake)(void *user), void *user) {
    const size_t bytes = strlen(host) + 1;
    ct_lookup *const lookup = ct_os_pages_allocate(sizeof(*lookup) + bytes);
    if (!lookup)
        return NULL;
    pthread_mutex_init(&lookup->mutex, NULL);
    lookup->num_users = 2;
    lookup->wake = wake;
    lookup->user = user;
    memcpy(lookup->host, host, bytes);
    if (start_thread(lookup))
        return lookup;
    free_lookup(lookup);
    return NULL;
}

ct_lookup_result ct_lookup_result_of(ct_lookup *lookup) {
    pthread_mutex_lock(&lookup->mutex);
    const ct_lookup_result result = lookup->result;
    pthread_mutex_unlock(&lookup->mutex);
    return result;
}

void ct_lookup_drop(ct_lookup *lookup) {
    if (!lookup)
        return;
    pthread_mutex_lock(&lookup->mutex);
    lookup->is_dropped = true;
    leave(lookup);
}
