// dap_sources.h: sources as clients name them.
#pragma once
#include "cli/debug/dap_session.h"

// Reads the member `source` of a request. Returns false with `error` when it is malformed. Else sets
// `is_found`, and either `script` or, for a file that does not belong to the game, the reason in `outside`.
bool ct_dap_source_script(ct_dap_session *s, ct_dap_object arguments, char script[CT_PATH_BYTES],
                          bool *is_found, ct_error *outside, ct_error *error);
