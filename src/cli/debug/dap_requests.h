// dap_requests.h: the table of requests.
#pragma once
#include "cli/debug/dap_session.h"

// Handles a message of the client. Returns false with `error` when it is no message of the protocol, after
// which there is no use in reading on: not JSON, or a request without a number to respond to.
bool ct_dap_dispatch(ct_dap_session *s, const char *json, uint32_t bytes, ct_error *error);
