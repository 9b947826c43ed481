// script_web.c: the life of the clients.
#include "script/web/script_web.h"

#include "foundation/os/os.h"
#include "foundation/profiler/profiler.h"
#include "script/script_private.h"

struct ct_script_web {
    ct_web_rules rules;
    ct_http *http;             // NULL: not used yet
    ct_websockets *websockets; // NULL: not used yet
};

void ct_script_web_start(ct_script *s, const ct_script_web_options *options) {
    static const ct_script_web_options none = {.is_strict = true};
    const ct_script_web_options *const o = options ? options : &none;
    s->web = CT_NEW(s->lua.allocator, struct ct_script_web);
    ct_web_rules_init(&s->web->rules, o->hosts, o->num_hosts, o->is_strict);
}

void ct_script_web_shutdown(ct_script *s) {
    if (!s->web)
        return;
    ct_http_destroy(s->web->http);
    ct_websockets_destroy(s->web->websockets);
    ct_free_sized(s->lua.allocator, s->web, sizeof(*s->web));
    s->web = NULL;
}

void ct_script_web_update(ct_script *s) {
    if (!s->web || !(s->web->http || s->web->websockets))
        return;
    CT_PROFILER_SCOPE("web");
    if (s->web->http)
        ct_http_update(s->web->http);
    if (s->web->websockets)
        ct_websockets_update(s->web->websockets);
}

// Certificates to trust, while a game is developed.
static const char *ca_path(const ct_script *s) {
    return s->web->rules.is_strict ? NULL : ct_os_environment("SSL_CERT_FILE");
}

ct_http *ct_script_http(ct_script *s) {
    const ct_http_desc desc = {
        .allocator = s->lua.allocator, .rules = &s->web->rules, .ca_path = ca_path(s)};
    if (!s->web->http)
        s->web->http = ct_http_create(&desc);
    return s->web->http;
}

ct_websockets *ct_script_websockets(ct_script *s) {
    const ct_websockets_desc desc = {
        .allocator = s->lua.allocator, .rules = &s->web->rules, .ca_path = ca_path(s)};
    if (!s->web->websockets)
        s->web->websockets = ct_websockets_create(&desc);
    return s->web->websockets;
}
