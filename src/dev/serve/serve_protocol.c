#include "dev/serve/serve_protocol.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson_writer.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"
#include "resource/catalog.h"
#include "resource/types/resource_types.h"

static const ct_sjson_limits limits = {.max_depth = 8};

// A message being written.
typedef struct writing {
    ct_string_builder text;
    ct_sjson_writer writer;
} writing;

static void begin(writing *w, const ct_serve_channel *c, const char *type) {
    ct_string_builder_init(&w->text, c->out.allocator);
    ct_sjson_writer_init(&w->writer, &w->text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w->writer);
    ct_sjson_member_string(&w->writer, "type", type);
}

static void end(writing *w, ct_serve_channel *c) {
    ct_sjson_end_object(&w->writer);
    ct_serve_channel_send(c, ct_string_builder_text(&w->text), NULL, 0);
    ct_string_builder_free(&w->text);
}

void ct_serve_send_hello(ct_serve_channel *c, const ct_serve_nonce *nonce, bool has_token,
                         const char *version) {
    char text[2 * CT_SERVE_NONCE_BYTES + 1];
    writing w;
    ct_serve_hexadecimal_write(nonce->bytes, sizeof(nonce->bytes), text);
    begin(&w, c, "hello");
    ct_sjson_member_number(&w.writer, "protocol", CT_SERVE_PROTOCOL);
    ct_sjson_member_string(&w.writer, "nonce", text);
    ct_sjson_member_bool(&w.writer, "has_token", has_token);
    if (version)
        ct_sjson_member_string(&w.writer, "version", version);
    end(&w, c);
}

void ct_serve_send_proof(ct_serve_channel *c, const ct_serve_key *proof) {
    char text[2 * CT_SERVE_KEY_BYTES + 1];
    ct_serve_hexadecimal_write(proof->bytes, sizeof(proof->bytes), text);
    ct_serve_send_text(c, "proof", "proof", text);
}

void ct_serve_send_text(ct_serve_channel *c, const char *type, const char *key, const char *value) {
    writing w;
    begin(&w, c, type);
    if (key)
        ct_sjson_member_string(&w.writer, key, value);
    end(&w, c);
}

// --- Versions ------------------------------------------------------------------------------------

void ct_serve_send_opened(ct_serve_channel *c, const char *project) {
    writing w;
    uint32_t count = 0;
    const ct_resource_type *const types = ct_resource_types(&count);
    begin(&w, c, "opened");
    ct_sjson_member_string(&w.writer, "project", project);
    ct_sjson_member_string(&w.writer, "platform", CT_PLATFORM_HOST);
    ct_sjson_member_number(&w.writer, "catalog", CT_CATALOG_VERSION);
    ct_sjson_write_key(&w.writer, "types");
    ct_sjson_begin_object(&w.writer);
    for (uint32_t i = 0; i < count; ++i)
        if (!ct_resource_type_is_registered(&types[i]))
            ct_sjson_member_number(&w.writer, types[i].name, types[i].version);
    ct_sjson_end_object(&w.writer);
    end(&w, c);
}

uint64_t ct_serve_versions(void) {
    uint32_t count = 0;
    const ct_resource_type *const types = ct_resource_types(&count);
    uint64_t result = ct_content_hash(CT_PLATFORM_HOST, strlen(CT_PLATFORM_HOST));
    for (uint32_t i = 0; i <= count; ++i) {
        char text[128];
        if (i < count &&
            ct_resource_type_is_registered(&types[i])) // of the project, not the engine
            continue;
        snprintf(text, sizeof(text), "%016llx %.64s %u", (unsigned long long)result,
                 i < count ? types[i].name : "catalog",
                 i < count ? types[i].version : (uint32_t)CT_CATALOG_VERSION);
        result = ct_content_hash(text, strlen(text));
    }
    return result;
}

static bool check_version(const char *what, double theirs, double ours, ct_error *error) {
    return theirs == ours ||
           ct_error_set(error,
                        "the server's data of \"%s\" has version %.0f, and this engine reads "
                        "version %.0f; use the same cuttle on both (--engine fetches the server's)",
                        what, theirs, ours);
}

bool ct_serve_check_opened(const ct_sjson *doc, ct_error *error) {
    const ct_sjson_value root = ct_sjson_root(doc), types = ct_sjson_find(doc, root, "types");
    const char *const platform = ct_sjson_string(doc, ct_sjson_find(doc, root, "platform"), "?");
    if (strcmp(platform, CT_PLATFORM_HOST) != 0)
        return ct_error_set(error,
                            "the server's data is for \"%.64s\", and this engine reads data "
                            "for \"" CT_PLATFORM_HOST "\"",
                            platform);
    const double catalog = ct_sjson_number(doc, ct_sjson_find(doc, root, "catalog"), 0);
    if (!check_version("catalog", catalog, CT_CATALOG_VERSION, error))
        return false;
    uint32_t count = 0;
    const ct_resource_type *const known = ct_resource_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        const double theirs = ct_sjson_number(doc, ct_sjson_find(doc, types, known[i].name), 0);
        if (!ct_resource_type_is_registered(&known[i]) &&
            !check_version(known[i].name, theirs, known[i].version, error))
            return false;
    }
    return true;
}

// --- Reading -------------------------------------------------------------------------------------

ct_sjson *ct_serve_parse(ct_allocator *a, const ct_message *message, const char **type,
                         ct_error *error) {
    ct_sjson *const doc =
        ct_sjson_parse(a, message->json, message->json_bytes, "message", &limits, error);
    if (!doc)
        return NULL;
    *type = ct_sjson_string(doc, ct_sjson_find(doc, ct_sjson_root(doc), "type"), NULL);
    if (*type)
        return doc;
    ct_error_set(error, "a message has no type");
    ct_sjson_free(doc);
    return NULL;
}

bool ct_serve_read_hello(const ct_sjson *doc, const char *other, ct_serve_nonce *nonce,
                         bool *has_token, ct_error *error) {
    const ct_sjson_value root = ct_sjson_root(doc);
    const double protocol = ct_sjson_number(doc, ct_sjson_find(doc, root, "protocol"), 0);
    if (protocol != CT_SERVE_PROTOCOL)
        return ct_error_set(error,
                            "the %s speaks version %.0f of the file server's protocol, and this "
                            "program version %d; use the same cuttle on both",
                            other, protocol, CT_SERVE_PROTOCOL);
    *has_token = ct_sjson_bool(doc, ct_sjson_find(doc, root, "has_token"), false);
    const char *const text = ct_sjson_string(doc, ct_sjson_find(doc, root, "nonce"), "");
    return ct_serve_hexadecimal_read(text, nonce->bytes, sizeof(nonce->bytes)) ||
           ct_error_set(error, "the nonce of a hello is malformed");
}

bool ct_serve_read_proof(const ct_sjson *doc, ct_serve_key *proof, ct_error *error) {
    const ct_sjson_value value = ct_sjson_find(doc, ct_sjson_root(doc), "proof");
    return ct_serve_hexadecimal_read(ct_sjson_string(doc, value, ""), proof->bytes,
                                     sizeof(proof->bytes)) ||
           ct_error_set(error, "a proof is malformed");
}
