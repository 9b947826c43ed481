// url.h: the parts of addresses on the web, and patterns of hosts.
//
// The reader takes what one library after another would understand in the same way, and refuses the rest
// with a message that says what to write: no user names, no backslashes, no spaces, control characters or
// bytes beyond ASCII. So the host that is checked is the host that is asked.
#pragma once
#include "foundation/error.h"

enum {
    CT_URL_MAX_BYTES = 8192,
    CT_HOST_BYTES = 254,         // of a host, with its terminator
    CT_HOST_PATTERN_BYTES = 264, // of a pattern with its port, with its terminator
};

// A host with a port. The host is in lower case: a name, an IPv4 address, or an IPv6 address without its
// brackets.
typedef struct ct_host {
    char name[CT_HOST_BYTES];
    bool is_ipv6;
    uint16_t port; // 0: not given
} ct_host;

// The parts of a URL.
typedef struct ct_url {
    const char *scheme; // the one of the caller's that it has
    ct_host host;       // its port is that of the scheme when the URL has none
    const char
        *path; // from the `/` or `?` behind the host to the end; borrowed from the URL, may be ""
    uint32_t path_bytes; // without a fragment (`#…`)
} ct_url;

// A scheme that a caller takes, and its port.
typedef struct ct_url_scheme {
    const char *name; // "https"
    uint16_t port;    // 443
} ct_url_scheme;

// Reads a URL of one of `count` schemes. Returns false with `error` and leaves `url`.
bool ct_url_parse(const char *text, const ct_url_scheme *schemes, uint32_t count, ct_url *url,
                  ct_error *error);

// Reads "example.com", "example.com:8080", "127.0.0.1" or "[::1]:8080". Returns false with `error` and
// leaves `host`.
bool ct_host_parse(const char *text, ct_host *host, ct_error *error);

// Which hosts a project allows.
typedef struct ct_host_pattern {
    ct_host host;      // of "*.example.com": "example.com"
    bool is_wild;      // any host below it, and not the host itself
    bool has_any_port; // "example.com:*"
} ct_host_pattern;

// Reads a host as ct_host_parse does, which may begin with `*.` when it is a name and whose port may be
// `*`. Returns false with `error` and leaves `pattern`.
bool ct_host_pattern_parse(const char *text, ct_host_pattern *pattern, ct_error *error);

// Returns whether the pattern allows `host`. A pattern without a port allows `default_port` only, that of
// the scheme.
bool ct_host_pattern_allows(const ct_host_pattern *pattern, const ct_host *host,
                            uint16_t default_port);
