// script_web.h: the clients of an environment for Http and WebSocket.
//
// Each client, with its library and its thread, is made when a script first uses its module. What has
// come meanwhile is taken at the begin of each frame, and everything ends with the environment. Update
// thread.
#pragma once
#include "script/script.h"
#include "web/http/http_client.h"
#include "web/websocket/websocket_client.h"

// Which hosts may be asked.
typedef struct ct_script_web_options {
    const char *const *hosts; // web.hosts of the settings, copied
    uint32_t num_hosts;
    bool
        is_strict; // others are refused, and no proxy of the environment is used; else it only warns
} ct_script_web_options;

// Makes what an environment keeps of clients; `options` NULL: no host may be asked.
void ct_script_web_start(ct_script *s, const ct_script_web_options *options);

// Ends all requests and connections.
void ct_script_web_shutdown(ct_script *s);

// Takes what the clients have received.
void ct_script_web_update(ct_script *s);

// Return the client, which the first call makes.
ct_http *ct_script_http(ct_script *s);
ct_websockets *ct_script_websockets(ct_script *s);
