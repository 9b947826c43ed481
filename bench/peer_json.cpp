#include "peer_json.h"

#include <jansson.h>
#include <new>
#include <simdjson.h>

namespace {

struct simdjson_peer {
    simdjson::padded_string text;
    simdjson::dom::parser parser;
};

void visit(const simdjson::dom::element &value, peer_json_digest *digest) {
    ++digest->num_values;
    switch (value.type()) {
    case simdjson::dom::element_type::ARRAY:
        for (const simdjson::dom::element child : simdjson::dom::array(value))
            visit(child, digest);
        break;
    case simdjson::dom::element_type::OBJECT:
        for (const simdjson::dom::key_value_pair member : simdjson::dom::object(value)) {
            visit(member.value, digest);
        }
        break;
    case simdjson::dom::element_type::STRING:
        digest->string_bytes += value.get_string_length().value_unsafe();
        break;
    case simdjson::dom::element_type::INT64:
    case simdjson::dom::element_type::UINT64:
    case simdjson::dom::element_type::DOUBLE:
        digest->number_sum += value.get_double().value_unsafe();
        break;
    default:
        break;
    }
}

void visit(const json_t *value, peer_json_digest *digest) {
    ++digest->num_values;
    switch (json_typeof(value)) {
    case JSON_ARRAY:
        for (size_t i = 0; i < json_array_size(value); ++i)
            visit(json_array_get(value, i), digest);
        break;
    case JSON_OBJECT: {
        json_t *const object = const_cast<json_t *>(value);
        for (void *i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
            visit(json_object_iter_value(i), digest);
        }
        break;
    }
    case JSON_STRING:
        digest->string_bytes += json_string_length(value);
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        digest->number_sum += json_number_value(value);
        break;
    default:
        break;
    }
}

} // namespace

void *peer_simdjson_create(const char *json, uint64_t bytes) {
    return new (std::nothrow)
        simdjson_peer{simdjson::padded_string(json, bytes), simdjson::dom::parser()};
}

void peer_simdjson_destroy(void *peer) {
    delete static_cast<simdjson_peer *>(peer);
}

bool peer_simdjson_run(void *peer, peer_json_digest *digest) {
    simdjson_peer *const p = static_cast<simdjson_peer *>(peer);
    simdjson::dom::element root;
    *digest = {};
    if (p->parser.parse(p->text).get(root))
        return false;
    visit(root, digest);
    return true;
}

bool peer_jansson_run(const char *json, uint64_t bytes, peer_json_digest *digest) {
    json_t *const root = json_loadb(json, bytes, 0, nullptr);
    *digest = {};
    if (!root)
        return false;
    visit(root, digest);
    json_decref(root);
    return true;
}
