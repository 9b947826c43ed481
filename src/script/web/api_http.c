// Http: requests to web servers.
#include <string.h>
#include <strings.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson.h"
#include "lua/lua_check.h"
#include "lua/lua_json.h"
#include "script/web/api_web.h"

extern const ct_lua_module ct_api_http;

#define MOST_ID ((INT64_C(1) << 48) - 1)

// --- Starting ------------------------------------------------------------------------------------

// Pushes the id of the request, or raises an error about `argument`, which is malformed.
static int start(lua_State *L, int argument, const ct_http_request *request) {
    ct_error error = {0};
    const ct_http_id id = ct_http_start(ct_script_http(ct_script_of(L)), request, &error);
    if (id.value == 0)
        ct_argument_error(L, argument, "%s", error.message);
    lua_pushnumber(L, (double)id.value);
    return 1;
}

static double check_timeout(lua_State *L, int argument) {
    return lua_isnoneornil(L, argument)
               ? 0
               : ct_check_number_in(L, argument, 0.001, CT_HTTP_MAX_TIMEOUT_SECONDS);
}

static int get(lua_State *L) {
    const ct_http_request request = {.url = ct_check_string(L, 1),
                                     .timeout_seconds = check_timeout(L, 2)};
    return start(L, 1, &request);
}

static int post(lua_State *L) {
    size_t bytes = 0;
    const char *const url = ct_check_string(L, 1);
    const ct_http_header type = {"Content-Type", ct_check_string(L, 2)};
    const char *const body = ct_check_text(L, 3, &bytes);
    ct_error why = {0};
    if (!ct_http_check_headers(&type, 1, &why))
        ct_argument_error(L, 2, "%s", why.message);
    const ct_http_request request = {.url = url,
                                     .method = "POST",
                                     .headers = &type,
                                     .num_headers = 1,
                                     .body = body,
                                     .body_bytes = bytes,
                                     .timeout_seconds = check_timeout(L, 4)};
    return start(L, 1, &request);
}

// The options of Http.request.
typedef struct request_options {
    ct_http_request request;
    ct_http_header headers[CT_HTTP_MAX_HEADERS + 1]; // the last is for the type of `json`
    ct_string_builder *json;
    bool has_json;
} request_options;

static void take_url(const ct_option *o) {
    ((request_options *)o->out)->request.url = ct_option_string(o);
}

static void take_method(const ct_option *o) {
    ((request_options *)o->out)->request.method = ct_option_string(o);
}

static void take_headers(const ct_option *o) {
    request_options *const out = o->out;
    out->request.num_headers = ct_web_option_headers(o, out->headers, CT_HTTP_MAX_HEADERS);
}

static void take_body(const ct_option *o) {
    request_options *const out = o->out;
    size_t bytes = 0;
    if (lua_type(o->L, -1) != LUA_TSTRING)
        ct_option_error(o, "string");
    out->request.body = lua_tolstring(o->L, -1, &bytes);
    out->request.body_bytes = bytes;
}

static void take_json(const ct_option *o) {
    request_options *const out = o->out;
    if (!lua_istable(o->L, -1))
        ct_option_error(o, "table");
    ct_lua_append_json(o->L, lua_gettop(o->L), out->json);
    out->has_json = true;
}

static void take_timeout(const ct_option *o) {
    ((request_options *)o->out)->request.timeout_seconds =
        ct_option_number(o, 0.001, CT_HTTP_MAX_TIMEOUT_SECONDS);
}

static void take_max_bytes(const ct_option *o) {
    ((request_options *)o->out)->request.max_response_bytes =
        (uint64_t)ct_option_number(o, 1, 1e15);
}

static bool has_type(const request_options *options) {
    for (uint32_t i = 0; i < options->request.num_headers; ++i)
        if (strcasecmp(options->headers[i].name, "content-type") == 0)
            return true;
    return false;
}

// Puts the JSON into the body.
static void set_json(lua_State *L, request_options *options) {
    ct_http_request *const request = &options->request;
    if (!options->has_json)
        return;
    if (request->body)
        ct_argument_error(L, 1, "a request has either body or json");
    request->body = ct_string_builder_text(options->json);
    request->body_bytes = options->json->length;
    if (!has_type(options))
        options->headers[request->num_headers++] =
            (ct_http_header){"Content-Type", "application/json"};
}

static int request(lua_State *L) {
    static const ct_option_row rows[] = {
        {"url", take_url},
        {"method", take_method},
        {"headers", take_headers},
        {"body", take_body},
        {"json", take_json},
        {"timeout", take_timeout},
        {"max_bytes", take_max_bytes},
    };
    CT_CLEANUP(ct_string_builder_free) ct_string_builder json;
    ct_string_builder_init(&json, ct_lua_of(L)->allocator);
    request_options options = {.json = &json};
    options.request.headers = options.headers;
    ct_read_options(L, 1, rows, CT_COUNT_OF(rows), NULL, &options);
    if (!options.request.url)
        ct_argument_error(L, 1, "url is missing; expected a text such as \"https://example.com/\"");
    set_json(L, &options);
    if (!options.request.method && options.request.body)
        options.request.method = "POST";
    return start(L, 1, &options.request);
}

// --- Looking -------------------------------------------------------------------------------------

// Returns the client; raises an error unless the request at argument 1 is known to it.
static ct_http *check_request(lua_State *L, ct_http_id *id) {
    id->value = (uint64_t)ct_check_integer(L, 1, 1, MOST_ID);
    ct_http *const h = ct_script_http(ct_script_of(L));
    if (ct_http_state_of(h, *id) == CT_HTTP_STATE_NONE)
        ct_argument_error(L, 1, "there is no such request; it was closed, or never made");
    return h;
}

static int status(lua_State *L) {
    ct_http_id id;
    const ct_http *const h = check_request(L, &id);
    lua_pushinteger(L, ct_http_state_of(h, id));
    return 1;
}

static int error(lua_State *L) {
    ct_http_id id;
    const ct_http *const h = check_request(L, &id);
    lua_pushstring(L, ct_http_error_of(h, id));
    return 1;
}

static int response(lua_State *L) {
    ct_http_id id;
    const ct_http *const h = check_request(L, &id);
    const ct_http_response *const r = ct_http_response_of(h, id);
    if (!r)
        return 0;
    lua_createtable(L, 0, 5);
    lua_pushinteger(L, (lua_Integer)r->status);
    lua_setfield(L, -2, "status");
    lua_pushstring(L, r->url);
    lua_setfield(L, -2, "url");
    lua_pushnumber(L, r->seconds);
    lua_setfield(L, -2, "seconds");
    lua_pushlstring(L, r->body ? r->body : "", r->body_bytes);
    lua_setfield(L, -2, "body");
    lua_createtable(L, 0, (int)r->num_headers);
    for (uint32_t i = 0; i < r->num_headers; ++i) {
        lua_pushstring(L, r->headers[i].value);
        lua_setfield(L, -2, r->headers[i].name);
    }
    lua_setfield(L, -2, "headers");
    return 1;
}

static void free_document(ct_sjson **doc) {
    ct_sjson_free(*doc);
}

static int json(lua_State *L) {
    ct_http_id id;
    const ct_http *const h = check_request(L, &id);
    const ct_http_response *const r = ct_http_response_of(h, id);
    if (!r)
        return 0;
    ct_error why = {0};
    CT_CLEANUP(free_document)
    ct_sjson *doc = ct_sjson_parse_value(ct_lua_of(L)->allocator, r->body ? r->body : "",
                                         r->body_bytes, "answer", NULL, &why);
    if (!doc) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s:%d:%d: %s", why.file, (int)why.line, (int)why.column, why.message);
        return 2;
    }
    ct_lua_push_json(L, doc, ct_sjson_root(doc));
    return 1;
}

static int progress(lua_State *L) {
    ct_http_id id;
    const ct_http *const h = check_request(L, &id);
    const ct_http_progress p = ct_http_progress_of(h, id);
    lua_pushnumber(L, (double)p.received_bytes);
    if (p.expected_bytes)
        lua_pushnumber(L, (double)p.expected_bytes);
    else
        lua_pushnil(L);
    lua_pushnumber(L, (double)p.sent_bytes);
    return 3;
}

static int close(lua_State *L) {
    ct_http_id id;
    ct_http *const h = check_request(L, &id);
    ct_http_close(h, id);
    return 0;
}

static const ct_lua_function functions[] = {
    {"close", close, "(id: integer) -> nil",
     "Ends a request: cancels it when it runs, and forgets its answer."},
    {"error", error, "(id: integer) -> string?",
     "Returns why a request has failed; nil when it has not."},
    {"get", get, "(url: string, timeout: number?) -> integer",
     "Asks for a URL of http or https, and returns the request. It has at most 30 seconds, or "
     "`timeout`."},
    {"json", json, "(id: integer) -> any, string?",
     "Returns the body of an answer, read as JSON; nil and an error "
     "when it is not JSON, and nil while there is no answer."},
    {"post", post, "(url: string, content_type: string, body: string, timeout: number?) -> integer",
     "Sends a body of a type such as \"application/json\" to a URL, and returns the request."},
    {"progress", progress, "(id: integer) -> number, number?, number",
     "Returns the bytes of the body that were received, that the server has announced (nil: it has "
     "not), and that were sent."},
    {"request", request, "(options: table) -> integer",
     "Makes a request from a table: url, method (\"GET\", \"HEAD\", \"POST\", \"PUT\", \"PATCH\", "
     "\"DELETE\" or \"OPTIONS\"), headers (texts by name), body (a text) or json (a table), "
     "timeout "
     "(seconds) and max_bytes (of the answer). With a body the method is POST unless it is given."},
    {"response", response, "(id: integer) -> table?",
     "Returns the answer: a table with status (200, 404, ...), headers (by name in lower case), "
     "body, url (after redirects) and seconds; nil while there is no answer."},
    {"status", status, "(id: integer) -> integer",
     "Returns Http.RUNNING, DONE or FAILED. It changes between frames only."},
};

static const ct_lua_constant constants[] = {
    {"RUNNING", CT_HTTP_STATE_RUNNING, "The request waits for its turn, or for the server."},
    {"DONE", CT_HTTP_STATE_DONE, "The server has answered, if only that there is no such page."},
    {"FAILED", CT_HTTP_STATE_FAILED, "There is no answer; Http.error says why."},
};

const ct_lua_module ct_api_http = {
    .name = "Http",
    .doc = "Requests to web servers, which run beside the game. The player asks only the hosts in "
           "web.hosts of settings.config. Close requests that were read.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .constants = constants,
    .num_constants = CT_COUNT_OF(constants),
};
