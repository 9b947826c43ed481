#include "compiler/types/model/worker_obj.h"

#include <string.h>

#include "compiler/types/model/worker_scene.h"
#include "foundation/error.h"

static bool starts_node(const char *line, const char *end) {
    return end - line >= 2 && (line[0] == 'o' || line[0] == 'g') &&
           (line[1] == ' ' || line[1] == '\t');
}

bool ct_worker_obj_check(const char *bytes, uint64_t size_bytes, ct_error *error) {
    const char *const end = bytes + size_bytes;
    uint32_t num_line = 0, num_nodes = 0;
    for (const char *line = bytes; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        ++num_line;
        if (memchr(line, 0, (size_t)(next - line)))
            return ct_error_set_at(error, NULL, num_line, 0,
                                   "found a zero byte; expected text (UTF-16 is not read)");
        num_nodes += starts_node(line, next);
        if (num_nodes > CT_WORKER_SCENE_MAX_NODES)
            return ct_error_set_at(error, NULL, num_line, 0,
                                   "found more than %u objects and groups, expected at most that",
                                   CT_WORKER_SCENE_MAX_NODES);
        line = next;
    }
    return true;
}

bool ct_worker_obj_check_library(const char *bytes, uint64_t size_bytes, ct_error *error) {
    static const char first[] = "newmtl ";
    const char *const end = bytes + size_bytes;
    uint32_t num_line = 0;
    for (const char *line = bytes; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        ++num_line;
        while (line < next && (*line == ' ' || *line == '\t' || *line == '\r' || *line == '\n'))
            ++line;
        if ((size_t)(next - line) > strlen(first) && memcmp(line, first, strlen(first)) == 0)
            return true;
        if (line < next && *line != '#')
            return ct_error_set_at(error, NULL, num_line, 0,
                                   "found something before the first material; expected newmtl "
                                   "and a name");
        line = next;
    }
    return true;
}
