// lws_api.h: the functions of libwebsockets that the engine uses, found at run time: no program links it.
#pragma once
#include <libwebsockets.h>

#include "foundation/types.h"

#define CT_LWS_FUNCTIONS(X)                                                                        \
    X(lws_adopt_descriptor_vhost)                                                                  \
    X(lws_callback_on_writable)                                                                    \
    X(lws_cancel_service)                                                                          \
    X(lws_client_connect_via_info)                                                                 \
    X(lws_close_reason)                                                                            \
    X(lws_context_destroy)                                                                         \
    X(lws_create_context)                                                                          \
    X(lws_create_vhost)                                                                            \
    X(lws_frame_is_binary)                                                                         \
    X(lws_get_opaque_user_data)                                                                    \
    X(lws_hdr_copy)                                                                                \
    X(lws_hdr_total_length)                                                                        \
    X(lws_is_final_fragment)                                                                       \
    X(lws_rx_flow_control)                                                                         \
    X(lws_service)                                                                                 \
    X(lws_send_pipe_choked)                                                                        \
    X(lws_serve_http_file)                                                                         \
    X(lws_set_log_level)                                                                           \
    X(lws_set_opaque_user_data)                                                                    \
    X(lws_set_timeout)                                                                             \
    X(lws_sul_schedule)                                                                            \
    X(lws_validity_confirmed)                                                                      \
    X(lws_write)

// libwebsockets' functions, loaded when a game makes its first connection, or a page connects to a game.
typedef struct ct_lws_api {
#define CT_LWS_POINTER(name) __typeof__(&name) name;
    CT_LWS_FUNCTIONS(CT_LWS_POINTER)
#undef CT_LWS_POINTER
} ct_lws_api;

// Loads libwebsockets, once for the life of the process, and turns its log off. Returns NULL with an
// `error` that says what to install. Update thread.
const ct_lws_api *ct_lws_load(ct_error *error);
