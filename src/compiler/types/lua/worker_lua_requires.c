#include "compiler/types/lua/worker_lua_requires.h"
#include "resource/resource_id.h"
#include "resource/types/lua_resource.h"

#include <ctype.h>
#include <string.h>

// Walks a script by tokens.
typedef struct lua_scanner {
    const char *at;
    const char *line_start;
    uint32_t line;
    uint32_t depth;     // of blocks that end with `end` or `until`
    uint32_t num_loops; // `for` and `while` whose `do` is to come
    uint64_t certain;   // bit i: the block at depth i is a bare `do`, which always runs
} lua_scanner;

// Goes on by `count` characters, counting lines.
static void skip(lua_scanner *s, size_t count) {
    for (; count > 0 && *s->at; --count)
        if (*s->at++ == '\n') {
            s->line_start = s->at;
            ++s->line;
        }
}

// The level of a long bracket `[==[` at `text` plus 1, or 0 when there is none.
static uint32_t long_bracket(const char *text) {
    if (*text != '[')
        return 0;
    const size_t level = strspn(text + 1, "=");
    return text[1 + level] == '[' ? (uint32_t)level + 1 : 0;
}

static void skip_long_bracket(lua_scanner *s, uint32_t level_plus_one) {
    skip(s, level_plus_one + 1);
    for (; *s->at; skip(s, 1)) {
        if (*s->at != ']' || strspn(s->at + 1, "=") != level_plus_one - 1 ||
            s->at[level_plus_one] != ']')
            continue;
        skip(s, level_plus_one + 1);
        return;
    }
}

static void skip_string(lua_scanner *s) {
    const char quote = *s->at;
    for (skip(s, 1); *s->at && *s->at != quote; skip(s, 1))
        if (*s->at == '\\')
            skip(s, 1);
    skip(s, 1);
}

// Blanks and comments.
static void skip_blanks(lua_scanner *s) {
    for (;;) {
        if (isspace((unsigned char)*s->at)) {
            skip(s, 1);
        } else if (strncmp(s->at, "--", 2) == 0) {
            const uint32_t level = long_bracket(s->at + 2);
            skip(s, 2);
            if (level > 0)
                skip_long_bracket(s, level);
            else
                skip(s, strcspn(s->at, "\n"));
        } else {
            return;
        }
    }
}

static bool is_word(const char *text, size_t length, const char *word) {
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

// A bare `do` is one of no loop.
static void open_block(lua_scanner *s, bool is_do) {
    const bool is_certain = is_do && s->num_loops == 0;
    if (is_do && s->num_loops > 0)
        --s->num_loops;
    if (s->depth < 64)
        s->certain = (s->certain & ~(1ull << s->depth)) | (uint64_t)is_certain << s->depth;
    ++s->depth;
}

// Follows what opens and closes blocks. `elseif … then` and `for … do` open one only once.
static void follow_block(lua_scanner *s, const char *word, size_t length) {
    static const char *const openers[] = {"function", "if", "repeat"};
    for (uint32_t i = 0; i < CT_COUNT_OF(openers); ++i)
        if (is_word(word, length, openers[i]))
            open_block(s, false);
    if (is_word(word, length, "do"))
        open_block(s, true);
    if (is_word(word, length, "for") || is_word(word, length, "while"))
        ++s->num_loops;
    if ((is_word(word, length, "end") || is_word(word, length, "until")) && s->depth > 0)
        --s->depth;
}

// True where what is read runs whenever the script is loaded.
static bool runs_always(const lua_scanner *s) {
    if (s->depth > 64)
        return false;
    const uint64_t blocks = s->depth == 64 ? UINT64_MAX : (1ull << s->depth) - 1;
    return (s->certain & blocks) == blocks;
}

// A string that stands at `s`, skipped; NULL when there is none, or one with escapes.
static const char *take_string(ct_compile *c, lua_scanner *s) {
    const uint32_t level = long_bracket(s->at);
    const char *const start = s->at + (level > 0 ? level + 1 : 1);
    if (level > 0) {
        skip_long_bracket(s, level);
        const ptrdiff_t length = s->at - start - (ptrdiff_t)level - 1;
        return length > 0 ? ct_compile_text(c, "%.*s", (int)length, start) : NULL;
    }
    if (*s->at != '"' && *s->at != '\'')
        return NULL;
    const size_t length = strcspn(start, "\"'\\\n");
    const bool is_whole = start[length] == *s->at;
    skip_string(s);
    return is_whole ? ct_compile_text(c, "%.*s", (int)length, start) : NULL;
}

// After the word `require`: adds the reference when a name follows that is written out.
static void take_require(ct_compile *c, lua_scanner *s, uint32_t line, uint32_t column) {
    skip_blanks(s);
    if (*s->at == '(') {
        skip(s, 1);
        skip_blanks(s);
    }
    const char *const name = take_string(c, s);
    if (name && ct_resource_name_is_canonical(name) && !ct_lua_is_module(name))
        ct_compile_reference_at(c, "lua", name, line, column);
}

static void take_word(ct_compile *c, lua_scanner *s, bool is_member) {
    const char *const word = s->at;
    const uint32_t line = s->line, column = (uint32_t)(word - s->line_start) + 1;
    size_t length = 0;
    while (isalnum((unsigned char)word[length]) || word[length] == '_')
        ++length;
    skip(s, length);
    if (is_member)
        return;
    follow_block(s, word, length);
    if (runs_always(s) && is_word(word, length, "require"))
        take_require(c, s, line, column);
}

void ct_worker_lua_requires(ct_compile *c, const char *text) {
    lua_scanner s = {.at = text, .line_start = text, .line = 1};
    bool is_member = false; // after `.` or `:`
    for (skip_blanks(&s); *s.at; skip_blanks(&s)) {
        const uint32_t level = long_bracket(s.at);
        if (isalpha((unsigned char)*s.at) || *s.at == '_') {
            take_word(c, &s, is_member);
            is_member = false;
        } else if (level > 0) {
            skip_long_bracket(&s, level);
        } else if (*s.at == '"' || *s.at == '\'') {
            skip_string(&s);
        } else {
            is_member = (*s.at == '.' && s.at[1] != '.') || *s.at == ':';
            skip(&s, strncmp(s.at, "..", 2) == 0 ? 2 : 1);
        }
    }
}
