// websocket_service.c: the thread that runs connections.
#include <stdio.h>
#include <string.h>

#include "web/websocket/websocket_private.h"

enum { BEAT_US = 50000, CLOSE_SECONDS = 5, READ_BYTES = 16384 };

static const struct lws_protocols protocols[] = {
    {.name = "cuttle", .callback = ct_websocket_callback, .rx_buffer_size = READ_BYTES},
    {0},
};

static struct lws_context *create_context(const ct_websockets *w) {
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT,
        .gid = -1,
        .uid = -1,
        .fd_limit_per_thread = CT_WEBSOCKET_MAX_CONNECTIONS + 16,
        .pt_serv_buf_size = READ_BYTES,
        .client_ssl_ca_filepath = w->ca_path,
        .http_proxy_address = "", // the library would take it from the environment
        .connect_timeout_secs = 10,
        .timeout_secs = 3600, // links have their own
    };
    return w->lws->lws_create_context(&info);
}

// --- A link --------------------------------------------------------------------------------------

// Wakes the thread when a name was looked up.
static void name_found(void *user) {
    const ct_websockets *const w = user;
    w->lws->lws_cancel_service(w->context);
}

// Ends a link whatever it is doing.
static void kill_link(ct_websocket_link *link) {
    const ct_lws_api *const lws = link->owner->lws;
    if (link->wsi) {
        lws->lws_set_opaque_user_data(link->wsi, NULL);
        lws->lws_set_timeout(link->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
        link->wsi = NULL;
    }
}

// Connects to the next address.
static void connect_next(ct_websocket_link *link) {
    ct_websockets *const w = link->owner;
    const ct_address *const address = &link->addresses.addresses[link->next_address++];
    const uint16_t default_port = link->is_secure ? 443 : 80;
    ct_error why = {0};
    if (!ct_web_rules_check_address(w->rules, &link->host, default_port, address, &why)) {
        ct_websocket_end(link, "%s", why.message);
        return;
    }
    char text[CT_ADDRESS_TEXT_BYTES], host[CT_HOST_PATTERN_BYTES];
    snprintf(host, sizeof(host), link->host.is_ipv6 ? "[%s]" : "%s", link->host.name);
    if (link->host.port != default_port)
        snprintf(host + strlen(host), sizeof(host) - strlen(host), ":%u", link->host.port);
    const struct lws_client_connect_info info = {
        .context = w->context,
        .address = ct_address_print(address, text),
        .port = link->host.port,
        .ssl_connection = (link->is_secure ? LCCSCF_USE_SSL : 0) | LCCSCF_HTTP_NO_FOLLOW_REDIRECT,
        .path = link->path,
        .host = host,
        .protocol = link->protocols,
        .local_protocol_name = protocols[0].name,
        .ietf_version_or_minus_one = -1,
        .alpn = "http/1.1",
        .opaque_user_data = link,
        .pwsi = &link->wsi,
    };
    // It may have called back already: then the link is over, or has another address to try.
    struct lws *const wsi = w->lws->lws_client_connect_via_info(&info);
    if (!wsi && !link->is_ended && link->next_address >= link->addresses.count && !link->wsi)
        ct_websocket_end(link, "cannot connect to %s", host);
}

static void step_connecting(ct_websocket_link *link) {
    if (!link->lookup && link->addresses.count == 0 &&
        ct_address_parse(link->host.name, &link->addresses.addresses[0]))
        link->addresses.count = 1;
    if (!link->lookup && link->addresses.count == 0)
        link->lookup = ct_lookup_start(link->host.name, name_found, link->owner);
    if (link->lookup && !link->addresses.is_done) {
        link->addresses = ct_lookup_result_of(link->lookup);
        if (link->addresses.is_done) {
            ct_lookup_drop(link->lookup);
            link->lookup = NULL;
            if (link->addresses.count == 0)
                ct_websocket_end(link, "the host \"%s\" is unknown, or there is no network",
                                 link->host.name);
        }
    }
    if (!link->is_ended && !link->wsi && link->next_address < link->addresses.count)
        connect_next(link);
}

// Brings a link on. What it needs of the mutex's members is copied first: the update thread may wait for
// it meanwhile.
static void step(ct_websocket_link *link) {
    ct_websockets *const w = link->owner;
    ct_mutex_lock(&w->mutex);
    const ct_websocket_state state = link->state;
    const bool wants_close = link->wants_close;
    const bool has_to_send = link->to_send.count > 0;
    const bool is_full = ct_websocket_is_full(link);
    ct_mutex_unlock(&w->mutex);
    const uint64_t now = ct_os_time_ns();
    if (state == CT_WEBSOCKET_STATE_CONNECTING && wants_close) {
        kill_link(link);
        ct_websocket_end(link, NULL);
        return;
    }
    if (state == CT_WEBSOCKET_STATE_CONNECTING && now >= link->deadline_ns) {
        kill_link(link);
        ct_websocket_end(link, "no connection within %g s", link->timeout_seconds);
        return;
    }
    if (state == CT_WEBSOCKET_STATE_CONNECTING) {
        step_connecting(link);
        return;
    }
    if (wants_close && link->close_deadline_ns == 0)
        link->close_deadline_ns = now + UINT64_C(1000000000) * CLOSE_SECONDS;
    if (link->close_deadline_ns && now >= link->close_deadline_ns) {
        kill_link(link);
        ct_websocket_end(link, NULL);
        return;
    }
    if (link->wsi && link->is_paused && (!is_full || wants_close)) {
        link->is_paused = false;
        w->lws->lws_rx_flow_control(link->wsi, 1);
    }
    if (link->wsi && !link->is_closing && (has_to_send || wants_close))
        w->lws->lws_callback_on_writable(link->wsi);
}

// --- The thread ----------------------------------------------------------------------------------

// Takes new links. Returns false when all ends.
static bool take_inbox(ct_websockets *w) {
    ct_mutex_lock(&w->mutex);
    const bool goes_on = !w->is_ending;
    while (w->inbox) {
        ct_websocket_link *const link = w->inbox;
        w->inbox = link->next;
        link->next = w->links;
        w->links = link;
    }
    ct_mutex_unlock(&w->mutex);
    return goes_on;
}

static void nothing(struct lws_sorted_usec_list *timer) {
    (void)timer;
}

// Steps all links and leaves out those that are over, which are then the update thread's. Returns whether
// one has a deadline.
static bool step_all(ct_websockets *w) {
    bool has_deadline = false;
    for (ct_websocket_link *link = w->links; link; link = link->next)
        if (!link->is_ended)
            step(link);
    ct_mutex_lock(&w->mutex);
    for (ct_websocket_link **at = &w->links; *at;) {
        ct_websocket_link *const link = *at;
        has_deadline |= !link->is_ended && (link->state == CT_WEBSOCKET_STATE_CONNECTING ||
                                            link->close_deadline_ns != 0);
        if (link->is_ended) {
            *at = link->next;
            link->is_over = true;
        } else {
            at = &link->next;
        }
    }
    ct_mutex_unlock(&w->mutex);
    return has_deadline;
}

static void end_all(ct_websockets *w, const char *why) {
    take_inbox(w);
    for (ct_websocket_link *link = w->links; link; link = link->next) {
        kill_link(link);
        if (!link->is_ended)
            ct_websocket_end(link, why ? "%s" : NULL, why);
    }
    step_all(w);
}

void ct_websocket_run(void *websockets) {
    ct_websockets *const w = websockets;
    struct lws_context *const context = create_context(w);
    ct_mutex_lock(&w->mutex);
    w->context = context;
    w->is_broken = !context;
    ct_mutex_unlock(&w->mutex);
    while (take_inbox(w) && context) {
        if (step_all(w))
            w->lws->lws_sul_schedule(context, 0, &w->timer, nothing, BEAT_US);
        w->lws->lws_service(context, 0);
    }
    end_all(w, context ? NULL : "libwebsockets does not start");
    ct_mutex_lock(&w->mutex);
    w->context = NULL;
    ct_mutex_unlock(&w->mutex);
    if (context)
        w->lws->lws_context_destroy(context);
}
