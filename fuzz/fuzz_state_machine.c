// State machines: whatever validation accepts of a damaged blob plays on without harm. It gets
// events, values and steps of any size; the weights that come out add up, and its state can be
// taken out and put back.
//
// The first byte is the number of edits of four bytes that follow; then come operations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "animation/machine/state_machine.h"
#include "resource/blob/blob_fixtures.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_STATE = 4096, MAX_CLIPS = 64 };

static ct_animation_resource *clip;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    test_group_setup(NULL);
    ct_blob_writer w;
    write_animation(&w);
    if (posix_memalign((void **)&clip, CT_BLOB_ALIGN, w.bytes.count) != 0)
        abort();
    memcpy(clip, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
    return 0;
}

// Changes a word: one byte, to a large number, to another word of the blob, or by one bit.
static void edit(uint8_t *bytes, uint32_t num_bytes, const uint8_t how[4]) {
    const uint32_t num_words = num_bytes / 4;
    const uint32_t word = (uint32_t)(how[0] | (how[1] & 63) << 8) % num_words;
    uint32_t value;
    memcpy(&value, bytes + word * 4, 4);
    if (how[1] >> 6 == 0)
        value = (value & 0xffffff00u) | how[3];
    else if (how[1] >> 6 == 1)
        value = ~(uint32_t)how[3];
    else if (how[1] >> 6 == 2)
        memcpy(&value, bytes + (how[2] | (uint32_t)how[3] << 8) % num_words * 4, 4);
    else
        value ^= 1u << how[3] % 32;
    memcpy(bytes + word * 4, &value, 4);
}

static void check(const ct_state_machine_output *o) {
    for (uint32_t i = 0; i < o->num_samples; ++i) {
        const ct_state_machine_sample *const s = &o->samples[i];
        if (!isfinite(s->time) || !(s->weight > 0 && s->weight <= 1) ||
            s->player >= CT_STATE_MACHINE_MAX_SAMPLES)
            abort();
    }
    for (uint32_t i = 1; i < o->num_events; ++i) {
        if (o->events[i].time < o->events[i - 1].time)
            abort();
    }
    if (!isfinite(o->root_delta.position[0]) || !isfinite(o->root_delta.heading))
        abort();
}

static void restore(ct_state_machine *m) {
    static uint32_t state[MAX_STATE];
    const uint32_t count = ct_state_machine_get_state(m, state, MAX_STATE);
    ct_error error = {0};
    if (count <= MAX_STATE && !ct_state_machine_set_state(m, state, count, &error))
        abort();
}

// One operation of five bytes.
static void operate(ct_state_machine *m, const ct_state_machine_resource *r, const uint8_t *data) {
    float value;
    memcpy(&value, data + 1, sizeof(value));
    const uint32_t *const events = ct_blob_at(r, r->events.offset);
    switch (data[0] % 5) {
    case 0:
        if (r->events.count > 0)
            ct_state_machine_send(m, (ct_string_id32){events[data[1] % r->events.count]});
        break;
    case 1:
        if (r->variables.count > 0)
            ct_state_machine_set_variable(m, data[0] / 5 % r->variables.count, value);
        break;
    case 2:
        restore(m);
        break;
    default:
        // Long steps only up to a minute: a day may take long, and means nothing new.
        value = data[0] % 5 == 3 ? (float)data[1] / 1000 : fminf(fabsf(value), 60);
        const ct_state_machine_output o = ct_state_machine_update(m, value);
        check(&o);
    }
}

static void play(const ct_state_machine_resource *r, const uint8_t *data, size_t size) {
    const ct_animation_resource *clips[MAX_CLIPS];
    if (r->clips.count > MAX_CLIPS)
        return;
    for (uint32_t i = 0; i < r->clips.count; ++i)
        clips[i] = i % 2 == 0 ? clip : NULL;
    ct_state_machine *const m = ct_state_machine_create(test_heap(), r, clips);
    for (; size >= 5; data += 5, size -= 5)
        operate(m, r, data);
    ct_state_machine *const newer = ct_state_machine_create(test_heap(), r, clips);
    ct_error error = {0};
    ct_state_machine_carry(newer, m, &error);
    const ct_state_machine_output o = ct_state_machine_update(newer, 0.1f);
    check(&o);
    ct_state_machine_destroy(newer);
    ct_state_machine_destroy(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 || size < 1 + 4 * (size_t)(data[0] % 16))
        return 0;
    ct_blob_writer w;
    write_state_machine(&w);
    void *blob = NULL;
    if (posix_memalign(&blob, CT_BLOB_ALIGN, w.bytes.count) != 0)
        abort();
    memcpy(blob, w.bytes.items, w.bytes.count);
    const uint32_t header = sizeof(ct_blob_header), num_bytes = w.bytes.count - header;
    ct_blob_writer_free(&w);
    for (uint32_t i = 0; i < data[0] % 16; ++i)
        edit((uint8_t *)blob + header, num_bytes, data + 1 + 4 * i);
    ct_error error = {0};
    const size_t edits = 1 + 4 * (size_t)(data[0] % 16);
    if (ct_state_machine_validate(blob, &error))
        play(blob, data + edits, size - edits);
    else if (!error.message[0])
        abort();
    free(blob);
    return 0;
}
