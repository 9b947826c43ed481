#include "dev/web/web_path.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

static const char project_prefix[] = "project/";
static const char index_name[] = "index.html";

// Whether each part between slashes is a name, of a file that is not hidden; only the last may be empty.
static bool has_plain_parts(const char *path, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; ++i) {
        const uint8_t c = (uint8_t)path[i];
        const bool is_first = i == 0 || path[i - 1] == '/';
        if (c < 0x20 || c == 0x7f || c == '\\' || (is_first && (c == '.' || c == '/')))
            return false;
    }
    return true;
}

ct_web_area ct_web_area_of(const char *path, uint64_t bytes, char file[CT_PATH_BYTES]) {
    static const char console[] = "/console", project[] = "/project";
    if (bytes == sizeof(console) - 1 && memcmp(path, console, bytes) == 0)
        return CT_WEB_AREA_CONSOLE;
    if (bytes == sizeof(project) - 1 && memcmp(path, project, bytes) == 0)
        return CT_WEB_AREA_MOVED;
    if (bytes == 0 || path[0] != '/' || !has_plain_parts(path + 1, bytes - 1))
        return CT_WEB_AREA_NONE;
    const size_t prefix = sizeof(project_prefix) - 1;
    ct_web_area area = CT_WEB_AREA_PAGES;
    ++path;
    --bytes;
    if (bytes >= prefix && memcmp(path, project_prefix, prefix) == 0) {
        area = CT_WEB_AREA_PROJECT;
        path += prefix;
        bytes -= prefix;
    }
    const bool is_folder = bytes == 0 || path[bytes - 1] == '/';
    if (bytes + (is_folder ? sizeof(index_name) - 1 : 0) >= CT_PATH_BYTES)
        return CT_WEB_AREA_NONE;
    memcpy(file, path, bytes);
    memcpy(file + bytes, index_name, is_folder ? sizeof(index_name) : 0);
    if (!is_folder)
        file[bytes] = '\0';
    return area;
}

const char *ct_web_content_type(const char *file) {
    static const struct {
        const char *extension, *type;
    } types[] = {
        {"html", "text/html; charset=utf-8"},
        {"js", "text/javascript; charset=utf-8"},
        {"mjs", "text/javascript; charset=utf-8"},
        {"css", "text/css; charset=utf-8"},
        {"json", "application/json"},
        {"map", "application/json"},
        {"txt", "text/plain; charset=utf-8"},
        {"md", "text/markdown; charset=utf-8"},
        {"sjson", "text/plain; charset=utf-8"},
        {"lua", "text/plain; charset=utf-8"},
        {"csv", "text/csv; charset=utf-8"},
        {"svg", "image/svg+xml"},
        {"png", "image/png"},
        {"jpg", "image/jpeg"},
        {"jpeg", "image/jpeg"},
        {"gif", "image/gif"},
        {"webp", "image/webp"},
        {"ico", "image/vnd.microsoft.icon"},
        {"woff2", "font/woff2"},
        {"woff", "font/woff"},
        {"ttf", "font/ttf"},
        {"otf", "font/otf"},
        {"wasm", "application/wasm"},
        {"wav", "audio/wav"},
        {"ogg", "audio/ogg"},
        {"mp3", "audio/mpeg"},
        {"mp4", "video/mp4"},
        {"webm", "video/webm"},
        {"pdf", "application/pdf"},
    };
    const char *const extension = ct_path_extension(file);
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i) {
        if (strcmp(types[i].extension, extension) == 0)
            return types[i].type;
    }
    return "application/octet-stream";
}

bool ct_web_find_file(const char *folder, const char *file, char path[CT_PATH_BYTES]) {
    char root[CT_PATH_BYTES], joined[CT_PATH_BYTES];
    ct_error ignored = {0};
    if (!folder || !ct_os_absolute_path(folder, root, &ignored) ||
        !ct_path_try_join(joined, root, file) || !ct_os_absolute_path(joined, path, &ignored))
        return false;
    const size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && path[length] == '/' &&
           ct_os_file_info(path).kind == CT_FILE_KIND_FILE;
}
