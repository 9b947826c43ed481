// Players' own bindings: any file leaves actions that work, and what is then written is read again
// as the same.
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "input/actions.h"
#include "resource/blob/blob_writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A resource with one action of each kind, without bindings.
static void write_resource(ct_blob_writer *w) {
    static const char *const names[CT_NUM_INPUT_ACTION_KINDS] = {"jump", "zoom", "move"};
    ct_blob_writer_init(w, ct_memory_heap(), CT_BYTE_ORDER_LITTLE, "input", CT_INPUT_VERSION);
    const uint32_t sets = ct_blob_write_array_field(w), actions = ct_blob_write_array_field(w);
    ct_blob_write_array_field(w); // bindings
    const uint32_t mappings = ct_blob_write_array_field(w);
    ct_blob_patch_array(w, sets, ct_blob_writer_offset(w), 1);
    ct_blob_write_u32(w, ct_string_id32_of("default").value);
    ct_blob_write_u32(w, 1);
    const uint32_t set_name = ct_blob_write_array_field(w);
    const uint32_t at = ct_blob_writer_offset(w);
    ct_blob_patch_array(w, actions, at, CT_NUM_INPUT_ACTION_KINDS);
    for (uint32_t kind = 0; kind < CT_NUM_INPUT_ACTION_KINDS; ++kind) {
        ct_blob_write_u32(w, ct_string_id32_of(names[kind]).value);
        ct_blob_write_u32(w, kind);
        for (uint32_t i = 2; i < offsetof(ct_input_action, name) / 4; ++i)
            ct_blob_write_u32(w, 0);
        ct_blob_write_array_field(w);
    }
    for (uint32_t kind = 0; kind < CT_NUM_INPUT_ACTION_KINDS; ++kind)
        ct_blob_patch_string(w,
                             at + kind * (uint32_t)sizeof(ct_input_action) +
                                 (uint32_t)offsetof(ct_input_action, name),
                             names[kind], (uint32_t)strlen(names[kind]));
    ct_blob_patch_string(w, set_name, "default", 7);
    ct_blob_patch_string(w, mappings, "", 0);
    ct_blob_writer_finish(w);
}

static void check(ct_actions *actions, const char *text, size_t size) {
    ct_string_builder written, again;
    ct_string_builder_init(&written, ct_memory_heap());
    ct_string_builder_init(&again, ct_memory_heap());
    ct_actions_read_user(actions, text, size, "fuzz");
    ct_actions_update(actions, 0.1);
    ct_actions_write_user(actions, &written);
    ct_actions_reset_all(actions);
    ct_actions_read_user(actions, written.text, written.length, "written");
    ct_actions_write_user(actions, &again);
    CT_ASSERT(strcmp(written.text, again.text) == 0, "read again\n%s\nis\n%s", written.text,
              again.text);
    ct_string_builder_free(&written);
    ct_string_builder_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_memory_init();
    ct_log_init(ct_memory_heap()); // without sinks
    ct_blob_writer w;
    ct_error error = {0};
    write_resource(&w);
    CT_ASSERT(ct_input_validate(w.bytes.items, &error), "%s", error.message);
    ct_input *const in = ct_input_create(ct_memory_heap());
    const ct_actions_desc desc = {.allocator = ct_memory_heap(), .input = in};
    ct_actions *const actions = ct_actions_create(&desc);
    ct_actions_set_resource(actions, (const ct_input_resource *)(const void *)w.bytes.items);
    check(actions, (const char *)data, size);
    ct_actions_destroy(actions);
    ct_input_destroy(in);
    ct_blob_writer_free(&w);
    ct_log_shutdown();
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
