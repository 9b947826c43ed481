#include "compiler/types/state_machine/worker_expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

enum { MAX_NESTING = 64, MAX_NUMBER_BYTES = 64 };

typedef enum token_kind {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_NAME,   // a variable or function
    TOKEN_SYMBOL, // operators, parentheses, commas, and the words and, or, not
} token_kind;

typedef struct token {
    token_kind kind;
    uint32_t at, bytes; // in the text
    float number;
} token;

typedef struct parser {
    ct_worker_expressions *e;
    const char *text;
    uint32_t bytes, at;
    token token; // the next one
    uint32_t depth, nesting, first_word;
    bool failed;
    ct_error *error;
} parser;

typedef struct function {
    const char *name;
    uint32_t op, least, most; // arguments
} function;

static const function functions[] = {
    {"min", CT_STATE_MACHINE_OP_MIN, 2, 32},    {"max", CT_STATE_MACHINE_OP_MAX, 2, 32},
    {"clamp", CT_STATE_MACHINE_OP_CLAMP, 3, 3}, {"abs", CT_STATE_MACHINE_OP_ABS, 1, 1},
    {"sin", CT_STATE_MACHINE_OP_SIN, 1, 1},     {"cos", CT_STATE_MACHINE_OP_COS, 1, 1},
    {"lerp", CT_STATE_MACHINE_OP_LERP, 3, 3},   {"select", CT_STATE_MACHINE_OP_SELECT, 3, 3},
};

static const char *const words[] = {"and", "or", "not", "true", "false"};

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool ct_worker_expression_is_name(const char *name) {
    if (!is_letter(name[0]))
        return false;
    for (const char *c = name; *c; ++c) {
        if (!is_letter(*c) && !is_digit(*c))
            return false;
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(words); ++i) {
        if (strcmp(words[i], name) == 0)
            return false;
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(functions); ++i) {
        if (strcmp(functions[i].name, name) == 0)
            return false;
    }
    return true;
}

// --- Tokens --------------------------------------------------------------------------------------

// Only the first error is kept.
static void fail(parser *p, uint32_t at, const char *format, const char *text, uint32_t bytes) {
    if (!p->failed)
        ct_error_set_at(p->error, NULL, 1, at + 1, format, (int)(bytes < 64 ? bytes : 64), text);
    p->failed = true;
}

static const char *text_at(const parser *p, const token *t) {
    return p->text + t->at;
}

static void fail_at(parser *p, const token *t, const char *format) {
    if (t->kind == TOKEN_END)
        fail(p, t->at, format, "the end of the text", 19);
    else
        fail(p, t->at, format, text_at(p, t), t->bytes);
}

static char char_at(const parser *p, uint32_t at) {
    return at < p->bytes ? p->text[at] : 0;
}

static void read_number(parser *p) {
    char text[MAX_NUMBER_BYTES];
    uint32_t end = p->at;
    while (is_digit(char_at(p, end)) || char_at(p, end) == '.' || is_letter(char_at(p, end)) ||
           ((char_at(p, end) == '-' || char_at(p, end) == '+') &&
            (p->text[end - 1] == 'e' || p->text[end - 1] == 'E')))
        ++end;
    p->token = (token){TOKEN_NUMBER, p->at, end - p->at, 0};
    p->at = end;
    char *rest = text;
    if (p->token.bytes < sizeof(text)) {
        memcpy(text, text_at(p, &p->token), p->token.bytes);
        text[p->token.bytes] = 0;
        p->token.number = text[1] == 'x' || text[1] == 'X' ? NAN : strtof(text, &rest);
    }
    if (rest == text || *rest != 0 || !isfinite(p->token.number))
        fail_at(p, &p->token, "\"%.*s\" is not a number");
}

static bool is_word(const parser *p, const token *t, const char *word) {
    return t->bytes == strlen(word) && memcmp(text_at(p, t), word, t->bytes) == 0;
}

static void read_name(parser *p) {
    uint32_t end = p->at;
    while (is_letter(char_at(p, end)) || is_digit(char_at(p, end)))
        ++end;
    p->token = (token){TOKEN_NAME, p->at, end - p->at, 0};
    p->at = end;
    for (uint32_t i = 0; i < 3; ++i) {
        if (is_word(p, &p->token, words[i]))
            p->token.kind = TOKEN_SYMBOL;
    }
}

static void read_symbol(parser *p) {
    const char c = char_at(p, p->at), next = char_at(p, p->at + 1);
    const bool is_pair = next == '=' && c != 0 && strchr("=!<>", c);
    p->token = (token){TOKEN_SYMBOL, p->at, is_pair ? 2 : 1, 0};
    if (!is_pair && (c == 0 || !strchr("<>+-*/%(),", c)))
        fail_at(p, &p->token,
                c == '='   ? "found \"%.*s\"; write == to compare"
                : c == '!' ? "found \"%.*s\"; write not"
                : c == '&' ? "found \"%.*s\"; write and"
                : c == '|' ? "found \"%.*s\"; write or"
                           : "found \"%.*s\", expected a number, variable or operator");
    p->at += p->token.bytes;
}

static void advance(parser *p) {
    while (p->at < p->bytes && strchr(" \t\r\n", p->text[p->at]) && p->text[p->at] != 0)
        ++p->at;
    const char c = char_at(p, p->at);
    if (p->at >= p->bytes || p->failed)
        p->token = (token){TOKEN_END, p->at, 0, 0};
    else if (is_digit(c) || (c == '.' && is_digit(char_at(p, p->at + 1))))
        read_number(p);
    else if (is_letter(c))
        read_name(p);
    else
        read_symbol(p);
}

static bool is_symbol(const parser *p, const char *symbol) {
    return p->token.kind == TOKEN_SYMBOL && is_word(p, &p->token, symbol);
}

static bool take(parser *p, const char *symbol) {
    const bool is_there = is_symbol(p, symbol);
    if (is_there)
        advance(p);
    return is_there;
}

// --- The program ---------------------------------------------------------------------------------

static void add(parser *p, uint32_t op, uint32_t number) {
    if (p->failed)
        return;
    p->depth += 1 - ct_state_machine_op_takes(op);
    ct_array_push(&p->e->words, CT_STATE_MACHINE_WORD(op, number));
    if (p->depth > CT_STATE_MACHINE_MAX_STACK)
        fail_at(p, &p->token, "the expression is too deep before \"%.*s\"; use a simpler one");
    if (p->e->words.count - p->first_word > CT_STATE_MACHINE_MAX_OPS)
        fail_at(p, &p->token, "the expression is too long before \"%.*s\"; use a shorter one");
}

static void add_constant(parser *p, float value) {
    uint32_t i = 0;
    while (i < p->e->constants.count && memcmp(&p->e->constants.items[i], &value, sizeof(value)))
        ++i;
    if (i == p->e->constants.count)
        ct_array_push(&p->e->constants, value);
    add(p, CT_STATE_MACHINE_OP_CONSTANT, i);
}

static void parse_or(parser *p);

static void add_variable(parser *p, const token *name) {
    for (uint32_t i = 0; i < p->e->num_variables; ++i) {
        if (is_word(p, name, p->e->variables[i])) {
            add(p, CT_STATE_MACHINE_OP_VARIABLE, i);
            return;
        }
    }
    char text[128];
    const uint32_t bytes = name->bytes < sizeof(text) - 1 ? name->bytes : sizeof(text) - 1;
    memcpy(text, text_at(p, name), bytes);
    text[bytes] = 0;
    const char *const nearest = ct_nearest_name(text, p->e->variables, p->e->num_variables);
    if (p->failed)
        return;
    p->failed = true;
    if (nearest)
        ct_error_set_at(p->error, NULL, 1, name->at + 1,
                        "there is no variable \"%.64s\"; did you mean \"%.64s\"?", text, nearest);
    else if (p->e->num_variables == 0)
        ct_error_set_at(p->error, NULL, 1, name->at + 1,
                        "there is no variable \"%.64s\"; add it to `variables`", text);
    else
        ct_error_set_at(p->error, NULL, 1, name->at + 1,
                        "there is no variable \"%.64s\"; the first is \"%.64s\"", text,
                        p->e->variables[0]);
}

static void parse_call(parser *p, const token *name) {
    const function *f = NULL;
    for (uint32_t i = 0; i < CT_COUNT_OF(functions) && !f; ++i)
        f = is_word(p, name, functions[i].name) ? &functions[i] : NULL;
    if (!f) {
        fail_at(p, name,
                "there is no function \"%.*s\"; there are min, max, clamp, abs, sin, cos, lerp and "
                "select");
        return;
    }
    advance(p); // the parenthesis
    uint32_t count = 0;
    do {
        parse_or(p);
        ++count;
        if (count > 1 && f->most > f->least) // min(a, b, c) is min(min(a, b), c)
            add(p, f->op, 0);
    } while (!p->failed && take(p, ","));
    if (p->failed)
        return;
    if (!is_symbol(p, ")")) {
        fail_at(p, &p->token, "found \"%.*s\", expected a comma or )");
        return;
    }
    if (count < f->least || count > f->most) {
        p->failed = true;
        ct_error_set_at(p->error, NULL, 1, name->at + 1, "%s has %u argument%s, expected %u%s",
                        f->name, count, count == 1 ? "" : "s", f->least,
                        f->most > f->least ? " or more" : "");
        return;
    }
    advance(p);
    if (f->most == f->least)
        add(p, f->op, 0);
}

static void parse_name(parser *p) {
    const token name = p->token;
    advance(p);
    if (is_symbol(p, "("))
        parse_call(p, &name);
    else if (is_word(p, &name, "true") || is_word(p, &name, "false"))
        add_constant(p, name.bytes == 4 ? 1 : 0);
    else
        add_variable(p, &name);
}

static void parse_value(parser *p) {
    if (p->token.kind == TOKEN_NUMBER) {
        add_constant(p, p->token.number);
        advance(p);
    } else if (p->token.kind == TOKEN_NAME) {
        parse_name(p);
    } else if (take(p, "(")) {
        parse_or(p);
        if (!take(p, ")"))
            fail_at(p, &p->token, "found \"%.*s\", expected )");
    } else {
        fail_at(p, &p->token, "found \"%.*s\", expected a number, a variable, a function or (");
    }
}

// Limits recursion, which every level of parentheses and signs goes through.
static bool enter(parser *p) {
    if (++p->nesting > MAX_NESTING)
        fail_at(p, &p->token, "the expression is too deep at \"%.*s\"; use a simpler one");
    return !p->failed;
}

static void parse_sign(parser *p) {
    if (enter(p)) {
        if (take(p, "-")) {
            parse_sign(p);
            add(p, CT_STATE_MACHINE_OP_NEGATE, 0);
        } else {
            parse_value(p);
        }
    }
    --p->nesting;
}

// Operators of one level, which are taken from the left.
typedef struct operators {
    const char *symbols[6];
    uint32_t ops[6];
} operators;

static void parse_operators(parser *p, const operators *o, void (*parse)(parser *p)) {
    parse(p);
    while (!p->failed) {
        uint32_t i = 0;
        while (i < CT_COUNT_OF(o->symbols) && o->symbols[i] && !is_symbol(p, o->symbols[i]))
            ++i;
        if (i == CT_COUNT_OF(o->symbols) || !o->symbols[i])
            return;
        advance(p);
        parse(p);
        add(p, o->ops[i], 0);
    }
}

static void parse_product(parser *p) {
    static const operators o = {
        {"*", "/", "%"},
        {CT_STATE_MACHINE_OP_MULTIPLY, CT_STATE_MACHINE_OP_DIVIDE, CT_STATE_MACHINE_OP_REMAINDER}};
    parse_operators(p, &o, parse_sign);
}

static void parse_sum(parser *p) {
    static const operators o = {{"+", "-"},
                                {CT_STATE_MACHINE_OP_ADD, CT_STATE_MACHINE_OP_SUBTRACT}};
    parse_operators(p, &o, parse_product);
}

static void parse_comparison(parser *p) {
    static const operators o = {{"==", "!=", "<", "<=", ">", ">="},
                                {CT_STATE_MACHINE_OP_EQUAL, CT_STATE_MACHINE_OP_UNEQUAL,
                                 CT_STATE_MACHINE_OP_LESS, CT_STATE_MACHINE_OP_LESS_EQUAL,
                                 CT_STATE_MACHINE_OP_GREATER, CT_STATE_MACHINE_OP_GREATER_EQUAL}};
    parse_operators(p, &o, parse_sum);
}

static void parse_not(parser *p) {
    if (enter(p)) {
        if (take(p, "not")) {
            parse_not(p);
            add(p, CT_STATE_MACHINE_OP_NOT, 0);
        } else {
            parse_comparison(p);
        }
    }
    --p->nesting;
}

static void parse_and(parser *p) {
    static const operators o = {{"and"}, {CT_STATE_MACHINE_OP_AND}};
    parse_operators(p, &o, parse_not);
}

static void parse_or(parser *p) {
    static const operators o = {{"or"}, {CT_STATE_MACHINE_OP_OR}};
    parse_operators(p, &o, parse_and);
}

bool ct_worker_expression(ct_worker_expressions *e, const char *text, uint32_t bytes,
                          ct_error *error) {
    const uint32_t num_constants = e->constants.count;
    parser p = {.e = e, .text = text, .bytes = bytes, .first_word = e->words.count, .error = error};
    advance(&p);
    parse_or(&p);
    if (p.token.kind != TOKEN_END)
        fail_at(&p, &p.token, "found \"%.*s\", expected an operator or the end");
    if (p.failed) {
        e->words.count = p.first_word;
        e->constants.count = num_constants;
    }
    return !p.failed;
}
