// api_web.h: options of Http and WebSocket that other modules do not have.
#pragma once
#include "script/api_options.h"
#include "script/web/script_web.h"

// Reads `{name = value}` of texts into `headers` of `most`; borrowed while the table is not changed.
// Returns how many. Raises an error for other values, and for more headers.
uint32_t ct_web_option_headers(const ct_option *o, ct_http_header *headers, uint32_t most);
