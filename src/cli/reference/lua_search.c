#include "cli/reference/lua_search.h"

#include <stdio.h>
#include <string.h>

enum { NO_MATCH = -1 };

// The number of words that are only in `doc`, or NO_MATCH when a word is in neither text.
static int words_in_doc_only(const char *name, const char *doc, const char *const *words,
                             uint32_t num_words) {
    int count = 0;
    for (uint32_t i = 0; i < num_words; ++i) {
        if (strcasestr(name, words[i]))
            continue;
        if (!strcasestr(doc, words[i]))
            return NO_MATCH;
        ++count;
    }
    return count;
}

static int rank_of(const ct_lua_match *match, const char *const *words, uint32_t num_words) {
    if (!match->function)
        return words_in_doc_only(match->module->name, match->module->doc, words, num_words);
    char name[256];
    snprintf(name, sizeof(name), "%s.%s", match->module->name, match->function->name);
    return words_in_doc_only(name, match->function->doc, words, num_words);
}

uint32_t ct_lua_search(const ct_lua_module *const *modules, uint32_t num_modules,
                       const char *const *words, uint32_t num_words, ct_lua_match *matches,
                       uint32_t max) {
    uint32_t count = 0;
    for (int rank = 0; rank <= (int)num_words; ++rank) {
        for (uint32_t i = 0; i < num_modules; ++i) {
            const ct_lua_module *const module = modules[i];
            for (uint32_t k = 0; k <= module->num_functions; ++k) {
                const ct_lua_match match = {module, k > 0 ? &module->functions[k - 1] : NULL};
                if (rank_of(&match, words, num_words) != rank)
                    continue;
                if (count < max)
                    matches[count] = match;
                ++count;
            }
        }
    }
    return count;
}
