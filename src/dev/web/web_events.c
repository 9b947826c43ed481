// web_events.c: what libwebsockets reports, by connection.
#include "dev/web/web_private.h"
#include "foundation/error.h"

// Which connection a wsi belongs to; NULL: none, or one that has given it up.
static ct_web_connection *connection_of(struct lws *wsi) {
    ct_error ignored;
    const ct_lws_api *const lws = ct_lws_load(&ignored); // loaded long ago
    return wsi && lws ? lws->lws_get_opaque_user_data(wsi) : NULL;
}

// Ends a connection's own end of its pair.
static void drop_pair(ct_web_connection *c) {
    const ct_lws_api *const lws = c->web->lws;
    if (!c->pair || c->web->is_destroying)
        return;
    lws->lws_set_opaque_user_data(c->pair, NULL);
    lws->lws_set_timeout(c->pair, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    c->pair = NULL;
}

// The thread frees a connection without a wsi.
static int forget(ct_web_connection *c, struct lws *wsi) {
    c->web->lws->lws_set_opaque_user_data(wsi, NULL);
    if (wsi == c->pair) { // the console has closed its end, of which there may be more to read
        c->pair = NULL;
        if (c->wsi && !c->web->is_destroying)
            c->web->lws->lws_callback_on_writable(c->wsi);
    } else {
        c->wsi = NULL;
        drop_pair(c);
    }
    return 0;
}

int ct_web_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t bytes) {
    (void)user;
    ct_web_connection *c = NULL;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
    case LWS_CALLBACK_HTTP_FILE_COMPLETION:
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_RECEIVE:
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
    case LWS_CALLBACK_SERVER_WRITEABLE:
    case LWS_CALLBACK_RAW_RX_FILE:
    case LWS_CALLBACK_RAW_WRITEABLE_FILE:
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_RAW_CLOSE_FILE:
    case LWS_CALLBACK_WSI_DESTROY:
        c = connection_of(wsi);
        break;
    default:
        return 0;
    }
    if (!c)
        return reason == LWS_CALLBACK_CLOSED || reason == LWS_CALLBACK_RAW_CLOSE_FILE ||
                       reason == LWS_CALLBACK_WSI_DESTROY
                   ? 0
                   : -1;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return ct_web_answer_request(c, wsi, in, bytes);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return ct_web_check_upgrade(c, wsi, in);
    case LWS_CALLBACK_HTTP_FILE_COMPLETION:
        return -1; // one request a connection
    case LWS_CALLBACK_ESTABLISHED:
        ct_web_open_page(c);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        ct_web_receive(c, in, bytes);
        return 0;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        c->page_has_closed = true;
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return ct_web_send(c);
    case LWS_CALLBACK_RAW_RX_FILE:
        ct_web_read_pair(c);
        return 0;
    case LWS_CALLBACK_RAW_WRITEABLE_FILE:
        ct_web_write_pair(c);
        return 0;
    default:
        return forget(c, wsi);
    }
}
