#include "content/references/lua_references.h"

#include <string.h>

#include "content/references/known_modules.h"
#include "content/references/lua_tokens.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/string/string_id.h"
#include "lua/lua_signature.h"
#include "resource/resource_id.h"
#include "resource/types/lua_resource.h"

enum { MAX_LITERALS = 4, MAX_LOCALS = 16 };

typedef enum callee_kind {
    CALLEE_NONE, // not known
    CALLEE_NAMESPACE,
    CALLEE_MODULE,
    CALLEE_FUNCTION,
    CALLEE_METHOD,
    CALLEE_REQUIRE,
} callee_kind;

// What a name means, or what is called.
typedef struct callee {
    callee_kind kind;
    const ct_lua_module *module;     // MODULE
    const ct_lua_function *function; // FUNCTION
    uint32_t token;                  // METHOD, REQUIRE: the word
} callee;

// A bracket that is open.
typedef struct frame {
    callee callee;
    uint32_t argument;               // number of the one in hand, from 0
    uint32_t literals[MAX_LITERALS]; // tokens of its first arguments + 1; 0: no literal
} frame;

typedef struct finder {
    const ct_lua_tokens *tokens;
    const ct_lua_token *items;
    uint32_t count;
    CT_ARRAY(callee) locals; // what local names mean
    ct_hash_map by_name;     // from a name's hash to its place in them
    CT_ARRAY(frame) frames;
    ct_mentions *out;
} finder;

static bool is_kind(const finder *f, uint32_t i, ct_lua_token_kind kind) {
    return i < f->count && f->items[i].kind == (uint32_t)kind;
}

static bool is_sign(const finder *f, uint32_t i, char sign) {
    return is_kind(f, i, CT_LUA_TOKEN_KIND_SIGN) && *f->items[i].start == sign;
}

static bool is_word(const finder *f, uint32_t i, const char *word) {
    return is_kind(f, i, CT_LUA_TOKEN_KIND_NAME) && ct_lua_token_is(f->tokens, i, word);
}

// --- What names mean -----------------------------------------------------------------------------

static const ct_lua_module *module_named(const finder *f, uint32_t token) {
    uint32_t count = 0;
    const ct_lua_module *const *const modules = ct_known_modules(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (is_word(f, token, modules[i]->name))
            return modules[i];
    }
    return NULL;
}

static const ct_lua_function *function_named(const finder *f, const ct_lua_module *module,
                                             uint32_t token) {
    for (uint32_t i = 0; i < module->num_functions; ++i) {
        if (is_word(f, token, module->functions[i].name))
            return &module->functions[i];
    }
    return NULL;
}

static callee meaning_of_name(const finder *f, uint32_t token) {
    const ct_lua_token *const t = &f->items[token];
    const uint64_t *const local =
        ct_hash_map_find(&f->by_name, ct_string_id64_of_bytes(t->start, t->bytes).value);
    if (local)
        return f->locals.items[*local];
    if (is_word(f, token, "stingray") || is_word(f, token, "_G"))
        return (callee){.kind = CALLEE_NAMESPACE};
    if (is_word(f, token, "require"))
        return (callee){.kind = CALLEE_REQUIRE, .token = token};
    const ct_lua_module *const module = module_named(f, token);
    return module ? (callee){.kind = CALLEE_MODULE, .module = module} : (callee){0};
}

// What `name.name…` from token `first` to `last` means.
static callee meaning_of(const finder *f, uint32_t first, uint32_t last) {
    callee c = meaning_of_name(f, first);
    for (uint32_t i = first + 2; i <= last; i += 2) {
        callee next = {0};
        if (c.kind == CALLEE_NAMESPACE)
            next.module = module_named(f, i);
        else if (c.kind == CALLEE_MODULE)
            next.function = function_named(f, c.module, i);
        next.kind = next.module ? CALLEE_MODULE : next.function ? CALLEE_FUNCTION : CALLEE_NONE;
        c = next;
    }
    if (c.kind == CALLEE_REQUIRE)
        c.token = last;
    return c;
}

// The last token of `name.name…` that starts at `first`.
static uint32_t chain_end(const finder *f, uint32_t first) {
    uint32_t last = first;
    while (is_sign(f, last + 1, '.') && is_kind(f, last + 2, CT_LUA_TOKEN_KIND_NAME))
        last += 2;
    return last;
}

static void set_local(finder *f, uint32_t token, callee meaning) {
    const ct_lua_token *const t = &f->items[token];
    ct_hash_map_set(&f->by_name, ct_string_id64_of_bytes(t->start, t->bytes).value,
                    f->locals.count);
    ct_array_push(&f->locals, meaning);
}

// `local a, b = x, y.z` at token `i`. Values that are more than names give their local no meaning,
// and so they do those behind them.
static void read_local(finder *f, uint32_t i) {
    uint32_t names[MAX_LOCALS], num_names = 0;
    callee values[MAX_LOCALS] = {{0}};
    uint32_t at = i + 1;
    while (is_kind(f, at, CT_LUA_TOKEN_KIND_NAME) && num_names < MAX_LOCALS) {
        names[num_names++] = at++;
        if (!is_sign(f, at, ','))
            break;
        ++at;
    }
    bool has_value = is_sign(f, at, '=') && !is_sign(f, at + 1, '=');
    for (uint32_t n = 0; n < num_names && has_value; ++n) {
        const uint32_t first = at + 1;
        has_value = is_kind(f, first, CT_LUA_TOKEN_KIND_NAME);
        const uint32_t last = has_value ? chain_end(f, first) : first;
        at = last + 1;
        const bool is_whole = at >= f->count || is_kind(f, at, CT_LUA_TOKEN_KIND_NAME) ||
                              is_sign(f, at, ',') || is_sign(f, at, ';');
        if (has_value && is_whole)
            values[n] = meaning_of(f, first, last);
        has_value = has_value && is_whole && is_sign(f, at, ',');
    }
    for (uint32_t n = 0; n < num_names; ++n)
        set_local(f, names[n], values[n]);
}

// What is called by brackets or a string behind token `last`.
static callee called_by(const finder *f, uint32_t last) {
    if (!is_kind(f, last, CT_LUA_TOKEN_KIND_NAME))
        return (callee){0};
    uint32_t first = last;
    while (first >= 2 && is_sign(f, first - 1, '.') &&
           is_kind(f, first - 2, CT_LUA_TOKEN_KIND_NAME))
        first -= 2;
    if (first == last && first >= 1 && is_sign(f, first - 1, ':'))
        return (callee){.kind = CALLEE_METHOD, .token = last};
    const bool is_part = first >= 1 && (is_sign(f, first - 1, '.') || is_sign(f, first - 1, ':') ||
                                        is_word(f, first - 1, "function"));
    return is_part ? (callee){0} : meaning_of(f, first, last);
}

// --- Arguments -----------------------------------------------------------------------------------

static const ct_signature_part *part_at(const ct_signature *s, uint32_t argument) {
    if (argument < s->num_arguments)
        return &s->arguments[argument];
    const ct_signature_part *const last =
        s->num_arguments ? &s->arguments[s->num_arguments - 1] : NULL;
    return last && (last->mark == '*' || last->mark == '+') ? last : NULL;
}

// The type of the resource that argument `argument` (of the signature) names; NULL: it names none.
// `skipped`: how many arguments stand before the brackets (the one of a method).
static const ct_resource_type *type_by_signature(const finder *f, const frame *call,
                                                 const char *text, uint32_t argument,
                                                 uint32_t skipped) {
    ct_signature s;
    ct_error error;
    if (!text || !strstr(text, "string(") || !ct_signature_parse(text, &s, &error))
        return NULL;
    const ct_signature_part *const part = part_at(&s, argument);
    if (!part || !part->resource[0])
        return NULL;
    const ct_resource_type *const type = ct_resource_type_named(part->resource);
    for (uint32_t i = skipped; !type && i < s.num_arguments && i - skipped < MAX_LITERALS; ++i) {
        const uint32_t literal = call->literals[i - skipped];
        if (literal && strcmp(s.arguments[i].name, part->resource) == 0)
            return ct_resource_type_named(ct_lua_token_text(f->tokens, &f->items[literal - 1]));
    }
    return type;
}

// The first function of this name that takes the name of a resource there is taken for the one. Not
// those of Gui: objects of games have methods called text, line and rect, too.
static const ct_resource_type *type_by_method(const finder *f, const frame *call) {
    uint32_t count = 0;
    const ct_lua_module *const *const modules = ct_known_modules(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(modules[i]->name, "Gui") == 0)
            continue;
        const ct_lua_function *const function = function_named(f, modules[i], call->callee.token);
        const ct_resource_type *const type =
            function ? type_by_signature(f, call, function->signature, call->argument + 1, 1)
                     : NULL;
        if (type)
            return type;
    }
    return NULL;
}

static const ct_resource_type *type_of_argument(const finder *f, const frame *call) {
    switch (call->callee.kind) {
    case CALLEE_MODULE:
        return type_by_signature(f, call, call->callee.module->call_signature, call->argument, 0);
    case CALLEE_FUNCTION:
        return type_by_signature(f, call, call->callee.function->signature, call->argument, 0);
    case CALLEE_METHOD:
        return type_by_method(f, call);
    case CALLEE_REQUIRE:
        return call->argument == 0 ? ct_resource_type_named("lua") : NULL;
    default:
        return NULL;
    }
}

// Adds the mention of string `i`. `call`: whose whole argument it is; NULL: of none.
static void add_literal(finder *f, const frame *call, uint32_t i) {
    const ct_lua_token *const t = &f->items[i];
    const char *const text = ct_lua_token_text(f->tokens, t);
    const ct_lua_token *const next = t + 1 < f->items + f->count ? t + 1 : t;
    const ct_resource_type *const type = call ? type_of_argument(f, call) : NULL;
    const bool is_require = type && call->callee.kind == CALLEE_REQUIRE;
    const bool is_joined = (i > 0 && f->items[i - 1].kind == CT_LUA_TOKEN_KIND_JOIN) ||
                           (next > t && next->kind == CT_LUA_TOKEN_KIND_JOIN);
    const bool could_be = ct_resource_name_is_canonical(text) && !is_joined;
    const bool is_name = text[0] && (type || could_be); // "" is a way to leave a material out
    if (is_require ? !could_be || ct_lua_is_module(text) : !is_name)
        return;
    const ct_lua_token *const at = is_require ? &f->items[call->callee.token] : t;
    const ct_mention m = {.kind = type ? CT_MENTION_KIND_RESOURCE : CT_MENTION_KIND_LIKELY,
                          .type = type,
                          .line = at->line,
                          .column = at->column,
                          .begin = t->content,
                          .end = t->content_end};
    ct_mentions_add(f->out, &m, text, strlen(text));
}

static void read_string(finder *f, uint32_t i) {
    frame *const top = f->frames.count ? &f->frames.items[f->frames.count - 1] : NULL;
    const bool starts = i > 0 && (is_sign(f, i - 1, '(') || is_sign(f, i - 1, ','));
    const bool ends = is_sign(f, i + 1, ')') || is_sign(f, i + 1, ',');
    if (top && starts && ends && top->callee.kind != CALLEE_NONE) {
        if (top->argument < MAX_LITERALS)
            top->literals[top->argument] = i + 1;
        add_literal(f, top, i);
        return;
    }
    const frame bare = {.callee = i > 0 ? called_by(f, i - 1) : (callee){0}};
    add_literal(f, bare.callee.kind == CALLEE_NONE ? NULL : &bare, i);
}

static void read_sign(finder *f, uint32_t i) {
    const char sign = *f->items[i].start;
    if (sign == '(')
        ct_array_push(&f->frames, (frame){.callee = i > 0 ? called_by(f, i - 1) : (callee){0}});
    else if (sign == '{' || sign == '[')
        ct_array_push(&f->frames, (frame){0});
    else if ((sign == ')' || sign == '}' || sign == ']') && f->frames.count > 0)
        --f->frames.count;
    else if (sign == ',' && f->frames.count > 0)
        ++f->frames.items[f->frames.count - 1].argument;
}

void ct_lua_references_find(ct_allocator *a, const char *lua, uint64_t bytes,
                            ct_mentions *mentions) {
    ct_lua_tokens tokens;
    ct_lua_tokens_read(&tokens, a, lua, bytes);
    finder f = {.tokens = &tokens,
                .items = tokens.tokens.items,
                .count = tokens.tokens.count,
                .out = mentions};
    ct_array_init(&f.locals, a);
    ct_array_init(&f.frames, a);
    ct_hash_map_init(&f.by_name, a);
    for (uint32_t i = 0; i < f.count; ++i) {
        if (f.items[i].kind == CT_LUA_TOKEN_KIND_STRING)
            read_string(&f, i);
        else if (f.items[i].kind == CT_LUA_TOKEN_KIND_SIGN)
            read_sign(&f, i);
        else if (is_word(&f, i, "local"))
            read_local(&f, i);
    }
    ct_hash_map_free(&f.by_name);
    ct_array_free(&f.frames);
    ct_array_free(&f.locals);
    ct_lua_tokens_free(&tokens);
}
