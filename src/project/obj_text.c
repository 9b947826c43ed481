#include "project/obj_text.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "foundation/error.h"
#include "foundation/string/utf8.h"

enum { MAX_EXPONENT = 400, MAX_DIGITS = 19 };

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Behind the line end at `at`; `at` itself when there is none.
static const char *behind_line_end(const char *at, const char *end) {
    if (at < end && *at == '\r')
        return at + 1 + (at + 1 < end && at[1] == '\n');
    return at + (at < end && *at == '\n');
}

// Returns the place after the line end that the `\` at `at` continues; NULL when it continues none.
// Blanks may be between them.
static const char *behind_continuation(const char *at, const char *end) {
    const char *stop = at + 1;
    while (stop < end && is_blank(*stop))
        ++stop;
    return stop == end || is_line_end(*stop) ? behind_line_end(stop, end) : NULL;
}

static void skip_blanks(ct_obj_text *t) {
    while (t->at < t->end) {
        if (is_blank(*t->at)) {
            ++t->at;
            continue;
        }
        const char *const next = *t->at == '\\' ? behind_continuation(t->at, t->end) : NULL;
        if (!next)
            return;
        t->line += next < t->end;
        t->line_begin = t->at = next;
    }
}

static bool is_at_line_end(const ct_obj_text *t) {
    return t->at == t->end || is_line_end(*t->at);
}

// --- Statements ----------------------------------------------------------------------------------

ct_obj_text ct_obj_text_open(const char *bytes, uint64_t size_bytes) {
    const char *const begin = bytes + ct_utf8_mark_bytes(bytes, size_bytes);
    const char *end = bytes + size_bytes;
    while (end > begin && end[-1] == 0)
        --end;
    return (ct_obj_text){.at = begin, .end = end, .line_begin = begin, .line = 1};
}

static bool is_utf16(const char *bytes, uint64_t size_bytes) {
    if (size_bytes < 2)
        return false;
    const uint8_t first = (uint8_t)bytes[0], second = (uint8_t)bytes[1];
    return (first == 0xfe && second == 0xff) || (first == 0xff && second == 0xfe) ||
           ((first == 0) != (second == 0));
}

bool ct_obj_text_check(const char *bytes, uint64_t size_bytes, ct_error *error) {
    const ct_obj_text t = ct_obj_text_open(bytes, size_bytes);
    if (is_utf16(bytes, (uint64_t)(t.end - bytes)))
        return ct_error_set_at(error, NULL, 1, 1, "the text is UTF-16; save it as UTF-8");
    const char *const zero = t.at < t.end ? memchr(t.at, 0, (size_t)(t.end - t.at)) : NULL;
    if (!zero)
        return true;
    uint32_t line = 1;
    const char *line_begin = t.at;
    for (const char *p = t.at; p < zero; ++p) {
        if (*p == '\n' || (*p == '\r' && p[1] != '\n')) {
            ++line;
            line_begin = p + 1;
        }
    }
    return ct_error_set_at(error, NULL, line, (uint32_t)(zero - line_begin) + 1,
                           "found a zero byte; expected text");
}

static void skip_comment(ct_obj_text *t) {
    while (!is_at_line_end(t))
        ++t->at;
}

bool ct_obj_text_next(ct_obj_text *t, ct_obj_span *name) {
    // The first call starts with a name; the others are behind one.
    if (t->at > t->line_begin || t->line > 1) {
        for (ct_obj_span rest; ct_obj_text_word(t, &rest);)
            ;
    }
    while (!ct_obj_text_word(t, name)) {
        skip_comment(t);
        if (t->at == t->end)
            return false;
        t->line_begin = t->at = behind_line_end(t->at, t->end);
        ++t->line;
    }
    return true;
}

bool ct_obj_text_is_at_end(ct_obj_text *t) {
    skip_blanks(t);
    return is_at_line_end(t) || *t->at == '#';
}

bool ct_obj_text_word(ct_obj_text *t, ct_obj_span *word) {
    skip_blanks(t);
    word->begin = t->at;
    while (!is_at_line_end(t) && !is_blank(*t->at) && *t->at != '#' &&
           !(*t->at == '\\' && behind_continuation(t->at, t->end)))
        ++t->at;
    word->end = t->at;
    return word->end > word->begin;
}

uint32_t ct_obj_text_column(const ct_obj_text *t, const char *at) {
    return (uint32_t)(at - t->line_begin) + 1;
}

// --- Numbers -------------------------------------------------------------------------------------

static float to_float(double value) {
    if (value > (double)FLT_MAX)
        return INFINITY;
    return value < -(double)FLT_MAX ? -INFINITY : (float)value;
}

static double scaled(uint64_t mantissa, int64_t exponent) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (mantissa < 1ull << 53 && exponent >= -22 && exponent <= 22) // exact
        return exponent < 0 ? (double)mantissa / powers[-exponent]
                            : (double)mantissa * powers[exponent];
    long double value = (long double)mantissa;
    for (; exponent >= 22; exponent -= 22)
        value *= 1e22L;
    for (; exponent <= -22; exponent += 22)
        value /= 1e22L;
    value = exponent < 0 ? value / (long double)powers[-exponent]
                         : value * (long double)powers[exponent];
    return (double)value;
}

// Digits of a number: at most 19 go to the mantissa, the others to the exponent.
typedef struct digits {
    uint64_t mantissa;
    uint32_t num_used; // without leading zeros
    int64_t exponent;
} digits;

// `step` is 1 behind the point.
static const char *read_digits(const char *p, const char *end, int64_t step, digits *d) {
    for (; p < end && is_digit(*p); ++p) {
        if (d->num_used < MAX_DIGITS) {
            d->mantissa = d->mantissa * 10 + (uint64_t)(*p - '0');
            d->num_used += d->mantissa > 0;
            d->exponent -= step;
        } else {
            d->exponent += 1 - step;
        }
    }
    return p;
}

// Behind the exponent at `p`; `p` when there is none.
static const char *read_exponent(const char *p, const char *end, int64_t *exponent) {
    const char *at = p + 1;
    const bool is_negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end || !is_digit(*at))
        return p;
    int64_t value = 0;
    for (; at < end && is_digit(*at); ++at)
        value = value < INT64_MAX / 100 ? value * 10 + (*at - '0') : value;
    *exponent = is_negative ? -value : value;
    return at;
}

static const char *read_letters(const char *p, const char *end) {
    while (p < end && (is_letter(*p) || is_digit(*p) || *p == '(' || *p == ')' || *p == '_'))
        ++p;
    return p;
}

// `nan`, `inf`, `infinity`, `nan(ind)`, and what follows "1." in `1.#QNAN`, `1.#INF00`.
static const char *read_special(const char *p, const char *end, float *value) {
    const char *const stop = read_letters(p, end);
    const uint64_t length = (uint64_t)(stop - p);
    const bool is_infinite = length >= 3 && strncasecmp(p, "inf", 3) == 0;
    const bool is_none =
        (length >= 3 && (strncasecmp(p, "nan", 3) == 0 || strncasecmp(p, "ind", 3) == 0)) ||
        (length >= 4 && strncasecmp(p + 1, "nan", 3) == 0);
    *value = is_infinite ? INFINITY : NAN;
    return is_infinite || is_none ? stop : NULL;
}

static const char *read_decimal(const char *p, const char *end, float *value) {
    digits d = {0};
    const char *const whole = p;
    p = read_digits(p, end, 0, &d);
    uint32_t num_digits = p > whole;
    if (p < end && *p == '.') {
        const char *const fraction = ++p;
        if (num_digits > 0 && p < end && *p == '#')
            return read_special(p + 1, end, value);
        p = read_digits(p, end, 1, &d);
        num_digits += p > fraction;
    }
    if (num_digits == 0)
        return NULL;
    int64_t exponent = 0;
    if (p < end && (*p == 'e' || *p == 'E'))
        p = read_exponent(p, end, &exponent);
    exponent += d.exponent;
    exponent = exponent > MAX_EXPONENT ? MAX_EXPONENT : exponent;
    *value = to_float(scaled(d.mantissa, exponent < -MAX_EXPONENT ? -MAX_EXPONENT : exponent));
    return p;
}

// Behind the number at `p`; NULL when there is none.
static const char *read_number(const char *p, const char *end, float *value) {
    const bool is_negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    if (p == end)
        return NULL;
    p = is_letter(*p) ? read_special(p, end, value) : read_decimal(p, end, value);
    if (p && is_negative)
        *value = -*value;
    return p;
}

ct_obj_number ct_obj_text_number(ct_obj_text *t, float *value) {
    skip_blanks(t);
    if (is_at_line_end(t) || *t->at == '#')
        return CT_OBJ_NUMBER_NONE;
    const char *const stop = read_number(t->at, t->end, value);
    const bool is_whole = stop && (stop == t->end || is_blank(*stop) || is_line_end(*stop) ||
                                   *stop == '#' || *stop == '\\');
    if (!is_whole)
        return CT_OBJ_NUMBER_BAD;
    t->at = stop;
    return CT_OBJ_NUMBER_FOUND;
}

// --- Names ---------------------------------------------------------------------------------------

bool ct_obj_is_word(ct_obj_span span, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(span.end - span.begin) == length && strncasecmp(span.begin, word, length) == 0;
}

uint32_t ct_obj_span_copy(ct_obj_span span, char *out, uint64_t out_bytes) {
    uint64_t length = 0;
    for (const char *p = span.begin; p < span.end && length + 1 < out_bytes;) {
        const char *const next = *p == '\\' ? behind_continuation(p, span.end) : NULL;
        if (!next || next == span.end) {
            out[length++] = *p++;
            continue;
        }
        while (length > 0 && is_blank(out[length - 1]))
            --length;
        out[length++] = ' ';
        for (p = next; p < span.end && is_blank(*p);)
            ++p;
    }
    out[length] = 0;
    return (uint32_t)length;
}

static const struct {
    const char *name;
    uint32_t num_numbers; // 0: a word follows
    const char *words;    // all it can be, in blanks; NULL: any
} options[CT_OBJ_OPTION_COUNT] = {
    [CT_OBJ_OPTION_BLENDU] = {"-blendu", 0, " on off "},
    [CT_OBJ_OPTION_BLENDV] = {"-blendv", 0, " on off "},
    [CT_OBJ_OPTION_BOOST] = {"-boost", 1, NULL},
    [CT_OBJ_OPTION_BM] = {"-bm", 1, NULL},
    [CT_OBJ_OPTION_CC] = {"-cc", 0, " on off "},
    [CT_OBJ_OPTION_CLAMP] = {"-clamp", 0, " on off "},
    [CT_OBJ_OPTION_MM] = {"-mm", 2, NULL},
    [CT_OBJ_OPTION_IMFCHAN] = {"-imfchan", 0, " r g b m l z "},
    [CT_OBJ_OPTION_TEXRES] = {"-texres", 1, NULL},
    [CT_OBJ_OPTION_TYPE] = {"-type", 0, NULL},
    [CT_OBJ_OPTION_O] = {"-o", 3, NULL},
    [CT_OBJ_OPTION_S] = {"-s", 3, NULL},
    [CT_OBJ_OPTION_T] = {"-t", 3, NULL},
};

// The option that `word` is, or CT_OBJ_OPTION_COUNT.
static ct_obj_option_kind option_of(ct_obj_span word) {
    uint32_t kind = 0;
    while (kind < CT_OBJ_OPTION_COUNT && !ct_obj_is_word(word, options[kind].name))
        ++kind;
    return (ct_obj_option_kind)kind;
}

static bool can_follow(ct_obj_span word, const char *words) {
    char text[16] = " ";
    if (!words)
        return true;
    if (word.end - word.begin > 8)
        return false;
    const uint32_t length = ct_obj_span_copy(word, text + 1, sizeof(text) - 2);
    memcpy(text + 1 + length, " ", 2);
    return strcasestr(words, text) != NULL;
}

bool ct_obj_text_option(ct_obj_text *t, ct_obj_option *option) {
    ct_obj_text next = *t;
    ct_obj_span word;
    if (!ct_obj_text_word(&next, &word) || *word.begin != '-')
        return false;
    *option = (ct_obj_option){.kind = option_of(word), .word = {word.end, word.end}};
    if (option->kind == CT_OBJ_OPTION_COUNT)
        return false;
    option->name = options[option->kind].name;
    *t = next;
    while (option->num_numbers < options[option->kind].num_numbers &&
           ct_obj_text_number(t, &option->numbers[option->num_numbers]) == CT_OBJ_NUMBER_FOUND)
        ++option->num_numbers;
    next = *t;
    if (options[option->kind].num_numbers == 0 && ct_obj_text_word(&next, &word) &&
        can_follow(word, options[option->kind].words)) {
        option->word = word;
        *t = next;
    }
    return true;
}

// True when the text ends with a point and some letters or digits.
static bool has_extension(const char *begin, const char *end) {
    const char *p = end;
    while (p > begin && (is_letter(p[-1]) || is_digit(p[-1])))
        --p;
    return p < end && p - begin > 1 && p[-1] == '.';
}

// Whether the word at `at`, which a blank precedes, is a comment behind `name`.
static bool is_comment(const ct_obj_text *t, const char *at, ct_obj_span name, bool is_file) {
    const char *const next = at + 1;
    return *at == '#' && (next == t->end || is_blank(*next) || is_line_end(*next) || *next == '#' ||
                          (is_file && has_extension(name.begin, name.end)));
}

static bool ends_name(const ct_obj_text *t, const char *at, ct_obj_span name, bool is_file) {
    if (is_comment(t, at, name, is_file))
        return true;
    ct_obj_text next = *t;
    ct_obj_span word;
    return is_file && *at == '-' && has_extension(name.begin, name.end) &&
           ct_obj_text_word(&next, &word) && option_of(word) != CT_OBJ_OPTION_COUNT;
}

static ct_obj_span read_name(ct_obj_text *t, bool is_file) {
    skip_blanks(t);
    ct_obj_span name = {t->at, t->at};
    while (!is_at_line_end(t) && !ends_name(t, t->at, name, is_file)) {
        while (!is_at_line_end(t) && !is_blank(*t->at) &&
               !(*t->at == '\\' && behind_continuation(t->at, t->end)))
            ++t->at;
        name.end = t->at;
        skip_blanks(t);
    }
    if (t->at < t->end && *t->at == '#')
        skip_comment(t);
    return name;
}

ct_obj_span ct_obj_text_rest(ct_obj_text *t) {
    return read_name(t, false);
}

ct_obj_span ct_obj_text_file(ct_obj_text *t) {
    return read_name(t, true);
}

bool ct_obj_text_library(ct_obj_span *names, ct_obj_span *name) {
    ct_obj_text t = {.at = names->begin, .end = names->end};
    skip_blanks(&t);
    *name = (ct_obj_span){t.at, t.at};
    while (t.at < t.end) {
        while (t.at < t.end && !is_blank(*t.at) &&
               !(*t.at == '\\' && behind_continuation(t.at, t.end)))
            ++t.at;
        name->end = t.at;
        skip_blanks(&t);
        if (name->end - name->begin >= 4 && strncasecmp(name->end - 4, ".mtl", 4) == 0)
            break;
    }
    names->begin = t.at;
    return name->end > name->begin;
}

bool ct_obj_is_map(ct_obj_span statement) {
    static const char *const others[] = {"bump", "norm", "disp", "decal", "refl"};
    bool is_map = statement.end - statement.begin > 4 &&
                  strncasecmp(statement.begin, "map_", 4) == 0 &&
                  !ct_obj_is_word(statement, "map_aat"); // on or off
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i)
        is_map |= ct_obj_is_word(statement, others[i]);
    return is_map;
}
