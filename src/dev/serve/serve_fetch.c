#include "dev/serve/serve_fetch.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/string_builder.h"
#include "resource/blob/content_hash.h"

enum { MAX_ASKED = 256, MAX_FAILURES = 8 };

static const uint64_t again_ns = 200000000; // before a content is asked for again

void ct_serve_fetch_init(ct_serve_fetch *f, const ct_serve_fetch_desc *desc) {
    ct_allocator *const a = desc->allocator;
    *f = (ct_serve_fetch){.desc = *desc, .nonce = ct_serve_nonce_make()};
    ct_serve_channel_init(&f->channel, a, CT_SERVE_MAX_HELLO_BYTES);
    ct_array_init(&f->files, a);
    ct_hash_map_init(&f->needed, a);
    ct_hash_map_init(&f->stored, a);
    ct_hash_map_init(&f->asked, a);
    ct_hash_map_init(&f->failures, a);
    ct_array_init(&f->missing, a);
    ct_array_init(&f->again, a);
    ct_array_init(&f->part, a);
    ct_serve_problems_init(&f->problems, a);
    ct_serve_send_hello(&f->channel, &f->nonce, desc->token != NULL, NULL);
}

void ct_serve_fetch_free(ct_serve_fetch *f) {
    ct_serve_channel_free(&f->channel);
    ct_array_free(&f->files);
    ct_hash_map_free(&f->needed);
    ct_hash_map_free(&f->stored);
    ct_hash_map_free(&f->asked);
    ct_hash_map_free(&f->failures);
    ct_array_free(&f->missing);
    ct_array_free(&f->again);
    ct_array_free(&f->part);
    ct_serve_problems_free(&f->problems);
}

static uint64_t key_of(const ct_serve_content *c) {
    return ct_serve_content_key(c->hash, c->size_bytes);
}

// --- Greeting ------------------------------------------------------------------------------------

static void send_open(ct_serve_fetch *f) {
    if (f->desc.project) {
        ct_serve_send_text(&f->channel, "open", "project", f->desc.project);
    } else {
        ct_serve_channel_send(&f->channel, "{\"type\": \"open\", \"engine\": true}", NULL, 0);
    }
    ct_serve_channel_set_limit(&f->channel, CT_SERVE_MAX_ANSWER_BYTES);
    f->state = CT_SERVE_FETCH_STATE_OPENING;
}

static bool take_hello(ct_serve_fetch *f, const ct_sjson *doc, ct_error *error) {
    ct_serve_nonce theirs;
    bool has_token = false;
    f->is_final = true; // what goes wrong here goes wrong again
    if (!ct_serve_read_hello(doc, "server", &theirs, &has_token, error))
        return false;
    if (has_token && !f->desc.token)
        return ct_error_set(error, "the file server needs a token: add --token with the one of "
                                   "`cuttle serve`, or set CUTTLE_TOKEN");
    if (!has_token && f->desc.token)
        return ct_error_set(error, "the file server has no token, so anything may have answered; "
                                   "start it with --token, or leave --token out here");
    f->is_final = false;
    if (!has_token) {
        send_open(f);
        return true;
    }
    f->keys = ct_serve_keys_make(f->desc.token, &f->nonce, &theirs);
    ct_serve_send_proof(&f->channel, &f->keys.client_proof);
    f->state = CT_SERVE_FETCH_STATE_PROOF;
    return true;
}

static bool take_proof(ct_serve_fetch *f, const ct_sjson *doc, ct_error *error) {
    ct_serve_key proof;
    f->is_final = true;
    if (!ct_serve_read_proof(doc, &proof, error))
        return false;
    if (!ct_serve_key_equal(&proof, &f->keys.server_proof))
        return ct_error_set(error,
                            "what answers does not know the token: it is not the file server");
    f->is_final = false;
    if (!ct_serve_channel_seal_in(&f->channel, &f->keys.from_server, error))
        return false;
    ct_serve_channel_seal_out(&f->channel, &f->keys.from_client);
    send_open(f);
    return true;
}

static bool take_opened(ct_serve_fetch *f, const ct_sjson *doc, ct_error *error) {
    if (f->desc.project && !ct_serve_check_opened(doc, error)) {
        f->is_final = true;
        return false;
    }
    f->state = CT_SERVE_FETCH_STATE_FETCHING;
    return true;
}

static bool take_refusal(ct_serve_fetch *f, const ct_sjson *doc, ct_error *error) {
    const ct_sjson_value value = ct_sjson_find(doc, ct_sjson_root(doc), "message");
    f->is_final = true;
    return ct_error_set(error, "%.900s", ct_sjson_string(doc, value, "the file server refused"));
}

// --- The list ------------------------------------------------------------------------------------

// Finds what is to be fetched. What was asked for already comes by itself.
static void find_missing(ct_serve_fetch *f) {
    f->missing.count = f->again.count = 0;
    f->num_fetched = f->num_to_fetch = 0;
    f->fetched_bytes = f->to_fetch_bytes = 0;
    ct_hash_map_clear(&f->needed);
    for (uint32_t i = 0; i < f->files.count; ++i) {
        const ct_serve_file *const file = &f->files.items[i];
        const ct_serve_content content = {file->hash, file->size_bytes};
        const uint64_t key = key_of(&content);
        if (!ct_hash_map_add(&f->needed, key, 1) || ct_hash_map_find(&f->stored, key))
            continue;
        if (ct_serve_cache_has(f->desc.cache, file->hash, file->size_bytes)) {
            ct_hash_map_set(&f->stored, key, 1);
            continue;
        }
        ++f->num_to_fetch;
        f->to_fetch_bytes += file->size_bytes;
        if (!ct_hash_map_find(&f->asked, key))
            ct_array_push(&f->missing, content);
    }
}

static bool take_problems(ct_serve_fetch *f, const ct_sjson *doc, ct_error *error) {
    ++f->num_problem_lists;
    return ct_serve_problems_read(doc, &f->problems, error);
}

static bool take_list(ct_serve_fetch *f, const ct_message *message, const ct_sjson *doc,
                      ct_error *error) {
    const ct_sjson_value value = ct_sjson_find(doc, ct_sjson_root(doc), "revision");
    const double revision = ct_sjson_number(doc, value, 0);
    if (!(revision >= 1 && revision <= UINT32_MAX))
        return ct_error_set(error, "a list of files has no revision");
    if (!ct_serve_manifest_read(message->binary, message->binary_bytes, &f->files, error))
        return false;
    const bool is_engine = f->files.items[0].kind == CT_SERVE_FILE_KIND_ENGINE;
    if (is_engine != !f->desc.project)
        return ct_error_set(error, "the file server sent another list than was asked for");
    f->revision = (uint32_t)revision;
    f->is_compiling = false;
    ct_hash_map_clear(&f->failures);
    find_missing(f);
    return true;
}

// --- Contents ------------------------------------------------------------------------------------

// Reads which content a message is about.
static bool read_content(const ct_sjson *doc, ct_serve_content *content, ct_error *error) {
    uint8_t bytes[8];
    const ct_sjson_value root = ct_sjson_root(doc);
    const double size = ct_sjson_number(doc, ct_sjson_find(doc, root, "size"), 0);
    const char *const hash = ct_sjson_string(doc, ct_sjson_find(doc, root, "hash"), "");
    if (!(size >= 1 && size <= UINT32_MAX) || !ct_serve_hexadecimal_read(hash, bytes, 8))
        return ct_error_set(error, "a message about a content does not say which");
    *content = (ct_serve_content){ct_serve_read_u64(bytes), (uint32_t)size};
    return true;
}

// A content did not come, or was another: asks for it again unless that has happened too often.
static bool ask_again(ct_serve_fetch *f, const ct_serve_content *content, uint64_t now_ns,
                      const char *how, ct_error *error) {
    const uint64_t key = key_of(content);
    ct_hash_map_erase(&f->asked, key);
    if (!ct_hash_map_find(&f->needed, key))
        return true; // the server has another revision now
    const uint64_t count = ct_hash_map_get(&f->failures, key, 0) + 1;
    ct_hash_map_set(&f->failures, key, count);
    if (count > MAX_FAILURES)
        return ct_error_set(error, "the file with hash %016" PRIx64 " and %u bytes %s, %d times",
                            content->hash, content->size_bytes, how, MAX_FAILURES);
    if (f->again.count == 0)
        f->again_ns = now_ns + again_ns;
    ct_array_push(&f->again, *content);
    return true;
}

static bool take_gone(ct_serve_fetch *f, const ct_sjson *doc, uint64_t now_ns, ct_error *error) {
    ct_serve_content content;
    if (!read_content(doc, &content, error))
        return false;
    f->part.count = 0;
    return !ct_hash_map_find(&f->asked, key_of(&content)) ||
           ask_again(f, &content, now_ns, "is gone on the file server", error);
}

// All of a content has come: checks and stores it.
static bool take_whole(ct_serve_fetch *f, uint64_t now_ns, ct_error *error) {
    const ct_serve_content content = f->arriving;
    const uint64_t key = key_of(&content);
    const bool is_right = ct_content_hash(f->part.items, f->part.count) == content.hash;
    f->part.count = 0;
    if (!is_right)
        return ask_again(f, &content, now_ns, "came with another content", error);
    if (!ct_serve_cache_store(f->desc.cache, content.hash, f->part.items, content.size_bytes,
                              error))
        return false;
    ct_hash_map_erase(&f->asked, key);
    ct_hash_map_set(&f->stored, key, 1);
    if (ct_hash_map_find(&f->needed, key)) {
        ++f->num_fetched;
        f->fetched_bytes += content.size_bytes;
    }
    return true;
}

static bool take_part(ct_serve_fetch *f, const ct_message *message, const ct_sjson *doc,
                      uint64_t now_ns, ct_error *error) {
    ct_serve_content content;
    const ct_sjson_value value = ct_sjson_find(doc, ct_sjson_root(doc), "offset");
    const double offset = ct_sjson_number(doc, value, -1);
    if (!read_content(doc, &content, error))
        return false;
    if (!ct_hash_map_find(&f->asked, key_of(&content)))
        return ct_error_set(error, "the file server sent a file that was not asked for");
    if (offset == 0) {
        f->arriving = content;
        f->part.count = 0;
    }
    if (content.hash != f->arriving.hash || content.size_bytes != f->arriving.size_bytes ||
        offset != f->part.count || message->binary_bytes == 0 ||
        message->binary_bytes > content.size_bytes - f->part.count)
        return ct_error_set(error, "the file server sent parts of a file out of order");
    ct_array_push_many(&f->part, message->binary, (uint32_t)message->binary_bytes);
    return f->part.count < content.size_bytes || take_whole(f, now_ns, error);
}

// --- Messages ------------------------------------------------------------------------------------

static bool take(ct_serve_fetch *f, const ct_message *message, const ct_sjson *doc,
                 const char *type, uint64_t now_ns, ct_error *error) {
    if (strcmp(type, "refused") == 0)
        return take_refusal(f, doc, error);
    switch (f->state) {
    case CT_SERVE_FETCH_STATE_HELLO:
        if (strcmp(type, "hello") == 0)
            return take_hello(f, doc, error);
        break;
    case CT_SERVE_FETCH_STATE_PROOF:
        if (strcmp(type, "proof") == 0)
            return take_proof(f, doc, error);
        break;
    case CT_SERVE_FETCH_STATE_OPENING:
        if (strcmp(type, "opened") == 0)
            return take_opened(f, doc, error);
        break;
    case CT_SERVE_FETCH_STATE_FETCHING:
        if (strcmp(type, "part") == 0)
            return take_part(f, message, doc, now_ns, error);
        if (strcmp(type, "files") == 0)
            return take_list(f, message, doc, error);
        if (strcmp(type, "problems") == 0)
            return take_problems(f, doc, error);
        if (strcmp(type, "gone") == 0)
            return take_gone(f, doc, now_ns, error);
        f->is_compiling |= strcmp(type, "compiling") == 0;
        if (strcmp(type, "pong") == 0 || strcmp(type, "compiling") == 0)
            return true;
        break;
    }
    return ct_error_set(error, "the file server sent an unexpected message, \"%.32s\"", type);
}

bool ct_serve_fetch_handle(ct_serve_fetch *f, uint64_t now_ns, ct_error *error) {
    for (;;) {
        ct_message message;
        const char *type = NULL;
        const ct_message_result result = ct_serve_channel_next(&f->channel, &message, error);
        if (result == CT_MESSAGE_RESULT_NONE)
            return true;
        if (result == CT_MESSAGE_RESULT_ERROR)
            return false;
        ct_sjson *const doc = ct_serve_parse(f->desc.allocator, &message, &type, error);
        const bool is_taken = doc && take(f, &message, doc, type, now_ns, error);
        ct_sjson_free(doc);
        if (!is_taken)
            return false;
    }
}

static void ask(ct_serve_fetch *f, uint32_t count) {
    ct_byte_array wanted;
    ct_string_builder json;
    ct_array_init(&wanted, f->desc.allocator);
    ct_string_builder_init(&json, f->desc.allocator);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_serve_content *const content = &f->missing.items[f->missing.count - 1 - i];
        uint8_t bytes[CT_SERVE_GET_BYTES];
        ct_serve_write_u64(content->hash, bytes);
        ct_serve_write_u32(content->size_bytes, bytes + 8);
        ct_array_push_many(&wanted, bytes, sizeof(bytes));
        ct_hash_map_set(&f->asked, key_of(content), 1);
    }
    f->missing.count -= count;
    ct_string_builder_addf(&json, "{\"type\": \"get\", \"binary_size\": %u}", wanted.count);
    ct_serve_channel_send(&f->channel, ct_string_builder_text(&json), wanted.items, wanted.count);
    ct_string_builder_free(&json);
    ct_array_free(&wanted);
}

void ct_serve_fetch_send(ct_serve_fetch *f, uint64_t now_ns) {
    if (f->again.count > 0 && now_ns >= f->again_ns) {
        ct_array_push_many(&f->missing, f->again.items, f->again.count);
        f->again.count = 0;
    }
    // In batches, so that a request is not one message for each file.
    if (f->missing.count == 0 || f->asked.count > MAX_ASKED / 2)
        return;
    const uint32_t room = MAX_ASKED - f->asked.count;
    ask(f, f->missing.count < room ? f->missing.count : room);
}

bool ct_serve_fetch_is_complete(const ct_serve_fetch *f) {
    return f->revision != 0 && f->num_fetched >= f->num_to_fetch && f->missing.count == 0 &&
           f->again.count == 0;
}
