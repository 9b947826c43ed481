// Particle effects: a small valid one is edited, and played when validation accepts it.
//
// The first byte is the number of edits (below 16), of 4 bytes each; then every byte is a step of
// time, a move, an end of births, a variable or a seek.
#include <stdlib.h>
#include <string.h>

#include "particles/particle_play.h"
#include "resource/blob/particles_fixture.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const float evil[] = {0, 1, -1, 1e-30f, 1e30f, 0.5f, 1e6f, INFINITY};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return test_group_setup(NULL);
}

// Reads an edit: a position, and a number, a small number, or a float for there.
static void edit(uint8_t *bytes, uint32_t num_bytes, const uint8_t data[4]) {
    const uint32_t at = (uint32_t)(data[0] | (data[1] & 63) << 8) % (num_bytes / 4) * 4;
    uint32_t value = data[3];
    if (data[1] >> 6 == 1)
        memcpy(&value, &evil[data[3] % CT_COUNT_OF(evil)], 4);
    else if (data[1] >> 6 == 2)
        value = ~value;
    memcpy(bytes + at, &value, 4);
}

static void operate(const particle_play *p, ct_particle_effect_id e, uint8_t byte) {
    const float x = evil[byte / 8 % CT_COUNT_OF(evil)];
    const ct_particle_place place = particle_play_place(x, 0, 1);
    switch (byte % 8) {
    case 0:
        ct_particles_move(p->world, e, &place, byte & 64);
        break;
    case 1:
        ct_particles_set_variable(p->world, e, 0, (ct_vec4){{x, 1, x, 1}});
        break;
    case 2:
        ct_particles_stop_spawning(p->world, e);
        break;
    case 3:
        ct_particles_seek(p->world, e, byte / 64);
        break;
    case 4:
        ct_particles_update(p->world, 100);
        break;
    default:
        ct_particles_update(p->world, byte / 512.0);
        ct_particles_send(p->world);
    }
}

static void play(ct_particles_resource *effect, const uint8_t *data, size_t size) {
    static particle_play p; // without an effect; made once
    if (!p.world) {
        p = particle_play_start(effect, UINT32_MAX, 0);
        p.effect = NULL;
    }
    ct_particle_system_set_effect(p.system, p.name, effect);
    const ct_particle_effect_id e = particle_play_create(&p, 1);
    for (size_t i = 0; i < size && i < 16; ++i)
        operate(&p, e, data[i]);
    ct_particles_destroy(p.world, e);
    ct_particles_update(p.world, 0.1);
    ct_particles_send(p.world);
    ct_particle_system_set_effect(p.system, p.name, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t num_edits = size > 0 ? data[0] % 16 : 0;
    if (size < 1 + 4 * num_edits)
        return 0;
    ct_blob_writer w;
    write_particles(&w);
    void *blob = NULL;
    if (posix_memalign(&blob, 64, w.bytes.count) != 0)
        abort();
    memcpy(blob, w.bytes.items, w.bytes.count);
    const uint32_t header = sizeof(ct_blob_header), num_bytes = w.bytes.count - header;
    ct_blob_writer_free(&w);
    for (size_t i = 0; i < num_edits; ++i)
        edit((uint8_t *)blob + header, num_bytes, data + 1 + 4 * i);
    ct_error error = {0};
    if (ct_particles_validate(blob, &error))
        play(blob, data + 1 + 4 * num_edits, size - 1 - 4 * num_edits);
    else if (!error.message[0])
        abort();
    free(blob);
    return 0;
}
