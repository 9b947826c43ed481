#include "compiler/worker/worker_output.h"
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/blob/content_hash.h"

// Writes the file without a temporary one of its own: the driver gives it its name when all is
// well.
static bool write_file(const char *path, const ct_byte_array *bytes, ct_error *error) {
    const int file = ct_os_file_open_write(path, error);
    if (file < 0)
        return false;
    ct_error cause = {0};
    const bool result = ct_os_file_write(file, bytes->items, bytes->count, &cause);
    ct_os_file_close(file);
    if (result)
        return true;
    ct_os_file_remove(path, NULL);
    return ct_error_set(error, "cannot write %s: %s", path, cause.message);
}

static bool write_bytes(const char *folder, const char *name, uint64_t known_hash,
                        const ct_byte_array *bytes, ct_compile_written *written, ct_error *error) {
    if (bytes->count == 0)
        return true;
    char path[CT_PATH_BYTES];
    written->hash = ct_content_hash(bytes->items, bytes->count);
    written->stamp.size_bytes = bytes->count;
    if (written->hash == known_hash)
        return true;
    if (!ct_path_try_join(path, folder, name))
        return ct_error_set(error, "the path %s/%s is too long", folder, name);
    if (!write_file(path, bytes, error))
        return false;
    const ct_file_info info = ct_os_file_info(path);
    written->stamp = ct_file_stamp_of(&info);
    written->stamp.size_bytes = bytes->count;
    return true;
}

void ct_worker_write_output(const ct_compile_output *output, ct_compile_answer *answer) {
    ct_error error = {0};
    if (!output->folder || answer->errors.count > 0)
        return;
    if (!write_bytes(output->folder, output->data, output->data_hash, &answer->blob,
                     &answer->written_data, &error) ||
        !write_bytes(output->folder, output->stream, output->stream_hash, &answer->stream,
                     &answer->written_stream, &error)) {
        answer->write_problem = ct_copy_string(answer->allocator, error.message);
        answer->written_data = answer->written_stream = (ct_compile_written){0};
    }
    ct_array_free(&answer->blob);
    ct_array_free(&answer->stream);
}
