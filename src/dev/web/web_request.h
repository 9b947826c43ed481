// web_request.h: which connections are requests of HTTP, and which requests are answered.
//
// Pages of any site run in the same browser as those of the engine, so the user of a connection is not
// enough. `Host` must be a loopback name or the address of this machine at which the connection arrived, with
// the console's port: a page whose name was made to lead here (DNS rebinding) has another host. A WebSocket,
// which pages of all sites may open, also needs an `Origin` of this kind. Other users may listen at the same port
// of other addresses of this machine (127.0.0.2, ::1), so only an origin with the very address of the connection
// is the game's own. Pure functions; any thread.
#pragma once
#include "foundation/os/address.h"
#include "foundation/string/url.h"

// What the first bytes of a connection are.
typedef enum ct_web_start {
    CT_WEB_START_UNKNOWN, // the start of a method of HTTP: wait for more
    CT_WEB_START_REQUEST, // a method of HTTP and a space
    CT_WEB_START_OTHER,
} ct_web_start;

enum { CT_WEB_START_BYTES = 8 }; // so many bytes always decide

// Decides what begins with `count` bytes; 0 bytes are UNKNOWN.
ct_web_start ct_web_start_of(const void *bytes, uint64_t count);

// Where a request arrived.
typedef struct ct_web_place {
    ct_address address; // of this machine
    uint16_t port;      // of the console
} ct_web_place;

// Reads the header `Host` of a request (NULL: it has none). Returns false with a `reason` when the request
// must be refused.
bool ct_web_check_host(const ct_web_place *place, const char *text, ct_host *host,
                       ct_error *reason);

// Whose page an `Origin` names.
typedef enum ct_web_origin {
    CT_WEB_ORIGIN_FOREIGN,
    CT_WEB_ORIGIN_OWN, // of this game
    CT_WEB_ORIGIN_OTHER, // of another server of this machine, or by a name that has several: its user decides
} ct_web_origin;

// Where the server of a page listens.
typedef struct ct_web_listener {
    bool has_address; // else a name, localhost
    ct_address address;
    uint16_t port;
} ct_web_listener;

// Reads the header `Origin` of a request. Sets `*at` for OTHER, and `reason` for FOREIGN.
ct_web_origin ct_web_origin_of(const ct_web_place *place, const char *text, ct_web_listener *at,
                               ct_error *reason);
