#include "project/project_git.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"

enum { MAX_ARGUMENTS = 16, READ_BYTES = 65536, TRIES = 20 };
static const uint64_t PERIOD_NS = 50000000;

// Sets `path` to the `.git` of the work tree that the folder lies in. False when it lies in none.
static bool find_git(const char *project, char path[CT_PATH_BYTES]) {
    char folder[CT_PATH_BYTES];
    ct_path_join(folder, "", project);
    for (;;) {
        if (ct_path_try_join(path, folder, ".git") &&
            ct_os_file_info(path).kind != CT_FILE_KIND_NONE)
            return true;
        if (folder[0] == 0 || strcmp(folder, "/") == 0)
            return false;
        char above[CT_PATH_BYTES];
        ct_path_folder(above, folder);
        ct_path_join(folder, "", above);
    }
}

bool ct_git_has_work_tree(const char *project) {
    char path[CT_PATH_BYTES];
    return find_git(project, path);
}

// Replaces the path of a `.git` file by the folder that it names: "gitdir: <path>".
static bool follow_git_file(char path[CT_PATH_BYTES]) {
    static const char key[] = "gitdir: ";
    ct_allocator *const heap = ct_memory_heap();
    uint64_t size_bytes = 0;
    char folder[CT_PATH_BYTES];
    char *const text = ct_file_read(heap, path, &size_bytes, NULL);
    bool is_found = text && strncmp(text, key, sizeof(key) - 1) == 0;
    if (is_found) {
        char *const named = text + sizeof(key) - 1;
        named[strcspn(named, "\n")] = 0;
        ct_path_folder(folder, path);
        is_found = ct_path_try_join(path, named[0] == '/' ? "" : folder, named);
    }
    ct_free(heap, text);
    return is_found;
}

bool ct_git_is_index_locked(const char *project) {
    char path[CT_PATH_BYTES];
    if (!find_git(project, path))
        return false;
    if (ct_os_file_info(path).kind == CT_FILE_KIND_FILE && !follow_git_file(path))
        return false;
    return ct_path_try_join(path, path, "index.lock") &&
           ct_os_file_info(path).kind != CT_FILE_KIND_NONE;
}

// --- Running git ---------------------------------------------------------------------------------

// Starts `git -C <project> <arguments>`, with a socket as its standard input and output.
static ct_process start_git(const char *project, const char *const *arguments, int *socket,
                            ct_error *error) {
    const char *all[MAX_ARGUMENTS] = {"/usr/bin/env", "git", "-C", project};
    uint32_t count = 4;
    for (uint32_t i = 0; arguments[i]; ++i)
        all[count++] = arguments[i];
    // A git that is killed while it runs would leave its index locked for ever.
    const ct_process_desc desc = {.arguments = all,
                                  .socket = socket,
                                  .is_socket_standard = true,
                                  .silent = true,
                                  .may_outlive = true};
    return ct_process_start(&desc, error);
}

// Receives available output, or waits for it when the socket is blocking. False when git has closed
// its output.
static bool take_answer(int socket, char *bytes, ct_string_builder *output) {
    const int64_t got = ct_socket_receive(socket, bytes, READ_BYTES);
    if (got > 0)
        ct_string_builder_add_bytes(output, bytes, (uint32_t)got);
    return got >= 0;
}

// Sends the input and reads the output at the same time: git writes while it reads, and stops
// reading when its output is not read.
static void exchange(int socket, const ct_string_builder *input, ct_string_builder *output) {
    char *const bytes = ct_alloc(output->allocator, READ_BYTES);
    bool is_open = true, readable, writable;
    ct_socket_set_blocking(socket, false);
    for (uint32_t sent = 0; is_open && sent < input->length;) {
        ct_socket_wait_either(socket, &readable, &writable);
        const int64_t count =
            writable ? ct_socket_send(socket, input->text + sent, input->length - sent) : 0;
        if (count < 0)
            break; // it reads no more
        sent += (uint32_t)count;
        if (readable)
            is_open = take_answer(socket, bytes, output);
    }
    ct_socket_set_blocking(socket, true);
    ct_socket_end_sending(socket);
    while (is_open && take_answer(socket, bytes, output))
        continue;
    ct_free(output->allocator, bytes);
}

bool ct_git_run(const char *project, const char *const *arguments, const ct_string_builder *input,
                ct_string_builder *output, ct_error *error) {
    int socket = -1;
    const ct_process git = start_git(project, arguments, &socket, error);
    if (git.pid == 0)
        return false;
    exchange(socket, input, output);
    ct_socket_close(socket);
    const int exit_code = ct_process_wait(git);
    return exit_code == 0 ||
           ct_error_set(error, "`git %s` failed with exit status %d", arguments[0], exit_code);
}

// --- Reading -------------------------------------------------------------------------------------

// Reads one `<mode> <object> <stage>\t<path>`; false when it is something else.
static bool read_entry(char *line, ct_git_entry *entry) {
    char *end = NULL;
    const unsigned long mode = strtoul(line, &end, 8);
    if (*end != ' ')
        return false;
    char *const object = end + 1;
    char *const object_end = strchr(object, ' ');
    char *const tab = object_end ? strchr(object_end, '\t') : NULL;
    if (!tab)
        return false;
    *object_end = 0;
    *entry = (ct_git_entry){.path = tab + 1,
                            .object = object,
                            .mode = (uint32_t)mode,
                            .is_unmerged = object_end[1] != '0'};
    return true;
}

bool ct_git_read_index(ct_allocator *a, const char *project, ct_git_entries *entries,
                       ct_error *error) {
    static const char *const arguments[] = {"ls-files", "-s", "-z", NULL};
    ct_string_builder output, nothing;
    ct_string_builder_init(&output, a);
    ct_string_builder_init(&nothing, a);
    if (!ct_git_run(project, arguments, &nothing, &output, error))
        return false;
    char *const end = output.length > 0 ? output.text + output.length : NULL;
    for (char *line = output.text; line < end;) {
        char *const next = line + strlen(line) + 1;
        ct_git_entry entry;
        if (!read_entry(line, &entry))
            return ct_error_set(error, "`git ls-files` printed an unexpected line: \"%.200s\"",
                                line);
        ct_array_push(entries, entry);
        line = next;
    }
    return true;
}

// --- The lock ------------------------------------------------------------------------------------

bool ct_git_check_unlocked(ct_allocator *a, const char *project, ct_error *error) {
    static const char *const arguments[] = {"rev-parse", "--git-path", "index.lock", NULL};
    ct_string_builder output, nothing;
    char path[CT_PATH_BYTES];
    ct_string_builder_init(&output, a);
    ct_string_builder_init(&nothing, a);
    if (!ct_git_run(project, arguments, &nothing, &output, error))
        return false;
    if (output.length > 0 && output.text[output.length - 1] == '\n')
        output.text[--output.length] = 0;
    const char *const lock = ct_string_builder_text(&output);
    if (lock[0] == '/' ? !ct_path_try_join(path, "", lock) : !ct_path_try_join(path, project, lock))
        return true;
    for (uint32_t i = 0; i < TRIES && ct_os_file_info(path).kind != CT_FILE_KIND_NONE; ++i)
        ct_os_sleep_ns(PERIOD_NS);
    return ct_os_file_info(path).kind == CT_FILE_KIND_NONE ||
           ct_error_set(error,
                        "another program has locked git's index; try again when it has ended, or "
                        "remove %s if no such program is running",
                        path);
}

// --- Moving --------------------------------------------------------------------------------------

bool ct_git_read_prefix(const char *project, ct_string_builder *prefix, ct_error *error) {
    static const char *const arguments[] = {"rev-parse", "--show-prefix", NULL};
    ct_string_builder nothing;
    ct_string_builder_init(&nothing, prefix->allocator);
    if (!ct_git_run(project, arguments, &nothing, prefix, error))
        return false;
    if (prefix->length > 0 && prefix->text[prefix->length - 1] == '\n')
        prefix->text[--prefix->length] = 0;
    return true;
}

// Writes the input of `update-index --index-info`: first the removed entries, then the added ones.
static void write_index_info(ct_string_builder *out, const char *prefix, const ct_git_move *moves,
                             uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        ct_string_builder_addf(out, "0 %.*s\t%s%s", (int)strlen(moves[i].object),
                               "0000000000000000000000000000000000000000000000000000000000000000",
                               prefix, moves[i].from);
        ct_string_builder_add_char(out, 0);
    }
    for (uint32_t i = 0; i < count; ++i) {
        ct_string_builder_addf(out, "%o %s\t%s%s", moves[i].mode, moves[i].object, prefix,
                               moves[i].to);
        ct_string_builder_add_char(out, 0);
    }
}

bool ct_git_move_entries(ct_allocator *a, const char *project, const ct_git_move *moves,
                         uint32_t count, ct_error *error) {
    static const char *const arguments[] = {"update-index", "-z", "--index-info", NULL};
    ct_string_builder prefix, input, output;
    ct_string_builder_init(&prefix, a);
    ct_string_builder_init(&input, a);
    ct_string_builder_init(&output, a);
    if (count == 0)
        return true;
    if (!ct_git_read_prefix(project, &prefix, error))
        return false;
    write_index_info(&input, ct_string_builder_text(&prefix), moves, count);
    for (uint32_t i = 0; i < TRIES; ++i) {
        if (i > 0)
            ct_os_sleep_ns(PERIOD_NS);
        if (ct_git_run(project, arguments, &input, &output, error))
            return true;
    }
    return false;
}
