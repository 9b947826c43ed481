#include "cli/debug/dap_sources.h"

#include <stdio.h>
#include <string.h>

#include "cli/debug/dap_requests.h"
#include "foundation/os/file.h"
#include "foundation/string/utf8.h"

// Writes the path that a client has given, which may be a URI.
static bool plain_path(const ct_dap_session *s, const char *given, char path[CT_PATH_BYTES],
                       ct_error *error) {
    if (s->client.is_uri || strncmp(given, "file:", strlen("file:")) == 0)
        return ct_dap_path_of_uri(given, path, error);
    return ct_path_try_join(path, "", given) ||
           ct_error_set(error, "a path of %zu bytes; expected at most %d", strlen(given),
                        CT_PATH_BYTES - 1);
}

bool ct_dap_source_script(ct_dap_session *s, ct_dap_object arguments, char script[CT_PATH_BYTES],
                          bool *is_found, ct_error *outside, ct_error *error) {
    ct_sjson_value source = {0};
    const char *given = "";
    uint32_t reference = 0;
    char path[CT_PATH_BYTES];
    if (!ct_dap_optional_object(arguments, "source", &source, error))
        return false;
    const ct_dap_object o = {arguments.doc, source};
    if (!ct_dap_optional_number(o, "sourceReference", &reference, error) ||
        !ct_dap_optional_string(o, "path", &given, error))
        return false;
    *is_found = false;
    if (reference != 0) {
        *is_found = reference <= s->references.count &&
                    ct_path_try_join(script, "", s->references.items[reference - 1]);
        if (!*is_found)
            ct_error_set(outside, "unknown `sourceReference` %u", reference);
    } else if (given[0] == '\0') {
        return ct_error_set(error, "`source` has no `path`");
    } else {
        *is_found = plain_path(s, given, path, outside) &&
                    ct_dap_paths_script(&s->paths, path, script, outside);
    }
    return true;
}

bool ct_dap_do_source(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    char script[CT_PATH_BYTES], path[CT_PATH_BYTES];
    uint32_t reference = 0;
    bool is_found = false;
    ct_sjson_value source = {0};
    if (!ct_dap_optional_object(r->arguments, "source", &source, error) ||
        !ct_dap_number(r->arguments, "sourceReference", &reference, error))
        return false;
    if (source.entry == 0 && reference != 0) {
        is_found = reference <= s->references.count &&
                   ct_path_try_join(script, "", s->references.items[reference - 1]);
        if (!is_found)
            return ct_error_set(error, "unknown `sourceReference` %u", reference);
    } else if (!ct_dap_source_script(s, r->arguments, script, &is_found, error, error)) {
        return false;
    }
    if (!is_found)
        return false;
    uint64_t bytes = 0;
    char *const text = ct_dap_paths_file(&s->paths, script, path)
                           ? ct_file_read(s->allocator, path, &bytes, error)
                           : NULL;
    const bool is_text = text && bytes < CT_DAP_MAX_MESSAGE_BYTES && ct_utf8_is_valid(text, bytes);
    if (is_text) {
        ct_sjson_writer *const w = ct_dap_begin_response(s, r);
        ct_sjson_member_bytes(w, "content", text, (uint32_t)bytes);
        ct_sjson_member_string(w, "mimeType", "text/x-lua");
        ct_dap_end_message(s);
    }
    ct_free(s->allocator, text);
    return is_text || ct_error_set(error, "the source of \"%.300s\" is not there", script);
}

bool ct_dap_do_loaded_sources(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    (void)error;
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_write_key(w, "sources");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < s->loaded.count; ++i)
        ct_dap_write_source(s, NULL, s->loaded.items[i], NULL);
    ct_sjson_end_array(w);
    ct_dap_end_message(s);
    return true;
}
