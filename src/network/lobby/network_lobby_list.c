// network_lobby_list.c: lines, both ways.
#include "network/lobby/network_lobby_list.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void ct_network_lobby_list_print(const ct_network_browser *browser, ct_string_builder *text) {
    ct_string_builder_addf(text, "refreshing %d\n", ct_network_browser_is_refreshing(browser));
    for (uint32_t i = 0; i < ct_network_browser_count(browser); ++i) {
        const ct_network_lobby_info *const l = ct_network_browser_lobby(browser, i);
        ct_string_builder_addf(text, "lobby %016" PRIx64 " %s %u %u %d %d\n", l->host, l->address,
                               l->num_members, l->max_members, l->has_same_config, l->is_cut);
        for (uint32_t p = 0; p < l->num_pairs; ++p)
            ct_string_builder_addf(text, ":%s\n:%s\n", l->pairs[p].key, l->pairs[p].value);
        ct_string_builder_add(text, ".\n");
    }
}

// Text that is read line by line.
typedef struct lines {
    const char *at, *end;
} lines;

// Copies the next line to `line` of `most` bytes, with a terminator. Returns false at the end, and for
// a line that is too long, has a zero byte or is not ended.
static bool next_line(lines *l, char *line, uint32_t most) {
    const char *const end = l->at < l->end ? memchr(l->at, '\n', (size_t)(l->end - l->at)) : NULL;
    if (!end || (size_t)(end - l->at) >= most)
        return false;
    const size_t length = (size_t)(end - l->at);
    memcpy(line, l->at, length);
    line[length] = '\0';
    l->at = end + 1;
    return strlen(line) == length;
}

static bool read_lobby(lines *l, ct_network_lobby_info *info) {
    char line[CT_NETWORK_LOBBY_VALUE_BYTES + 1];
    int same, cut, end = 0;
    *info = (ct_network_lobby_info){0};
    if (!next_line(l, line, sizeof(line)) ||
        sscanf(line, "lobby %16" SCNx64 " %63s %3u %3u %1d %1d%n", &info->host, info->address,
               &info->num_members, &info->max_members, &same, &cut, &end) != 6 ||
        line[end] != '\0' || !info->host)
        return false;
    info->has_same_config = same == 1;
    info->is_cut = cut == 1;
    while (next_line(l, line, sizeof(line))) {
        if (strcmp(line, ".") == 0)
            return true;
        if (info->num_pairs == CT_NETWORK_LOBBY_MAX_KEYS || line[0] != ':' ||
            strlen(line) > CT_NETWORK_LOBBY_KEY_BYTES)
            return false;
        ct_network_lobby_pair *const pair = &info->pairs[info->num_pairs++];
        memcpy(pair->key, line + 1, strlen(line));
        if (!next_line(l, line, sizeof(line)) || line[0] != ':')
            return false;
        memcpy(pair->value, line + 1, strlen(line));
    }
    return false;
}

bool ct_network_lobby_list_read(const char *text, uint32_t size, ct_network_lobby_list *list) {
    lines l = {text, text + size};
    char first[32];
    int refreshing, end = 0;
    if (!next_line(&l, first, sizeof(first)) ||
        sscanf(first, "refreshing %1d%n", &refreshing, &end) != 1 || first[end] != '\0')
        return false;
    list->is_refreshing = refreshing == 1;
    list->lobbies.count = 0;
    ct_network_lobby_info info;
    while (list->lobbies.count < CT_NETWORK_DISCOVERY_LOBBIES && read_lobby(&l, &info))
        ct_array_push(&list->lobbies, info);
    return true;
}
