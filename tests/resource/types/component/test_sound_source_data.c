#include "resource/types/component/sound_source_data.h"

#include <math.h>
#include <string.h>

#include "support/test_support.h"

// Room for three parameters.
typedef struct data_bytes {
    _Alignas(8) ct_sound_source_data head;
    ct_sound_source_parameter parameters[3];
} data_bytes;

static uint32_t bits_of(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return bits;
}

static data_bytes make(void) {
    data_bytes data = {.parameters = {{{5}, 0, bits_of(2.5f)}, {{3}, 1, UINT32_MAX}}};
    ct_schema_defaults(&ct_sound_source_data_head_schema, &data.head);
    data.head.event.value = 17;
    data.head.num_parameters = 2;
    return data;
}

static void refuse(const data_bytes *data, uint32_t size_bytes, const char *message) {
    ct_error error = {0};
    assert_false(ct_sound_source_check(data, size_bytes, &error));
    if (!strstr(error.message, message))
        fail_msg("%s", error.message);
    assert_false(ct_sound_source_check(data, size_bytes, NULL));
}

static void accepts_a_head_and_its_parameters(void **state) {
    (void)state;
    data_bytes data = make();
    assert_true(ct_sound_source_check(&data, sizeof(data), NULL));
    assert_true(ct_sound_source_check(&data, 40 + 2 * 12, NULL));
    data.head.num_parameters = 0;
    assert_true(ct_sound_source_check(&data, 40, NULL));
    assert_int_equal(data.head.orphaned, CT_SOUND_ORPHANED_STOP);
    assert_true(data.head.plays_at_spawn);
    assert_float_equal(data.head.volume, 0, 0);
}

static void refuses_what_is_not_inside(void **state) {
    (void)state;
    data_bytes data = make();
    refuse(&data, 36, "a sound_source component does not fit into 36 bytes");
    refuse(&data, 40 + 12, "2 parameters do not fit into 52 bytes");
    data.head.num_parameters = UINT32_MAX;
    refuse(&data, sizeof(data), "4294967295 parameters do not fit");
}

static void refuses_broken_heads(void **state) {
    (void)state;
    data_bytes data = make();
    data.head.orphaned = CT_SOUND_ORPHANED_COUNT;
    refuse(&data, sizeof(data), "sound_source.orphaned");
    data = make();
    data.head.position[1] = NAN;
    refuse(&data, sizeof(data), "sound_source.position");
    data = make();
    data.head.volume = 25;
    refuse(&data, sizeof(data), "sound_source.volume");
}

static void refuses_broken_parameters(void **state) {
    (void)state;
    data_bytes data = make();
    data.parameters[0].bits = bits_of(INFINITY);
    refuse(&data, sizeof(data), "parameter 0 is not finite");
    data = make();
    data.parameters[1].is_text = 2;
    refuse(&data, sizeof(data), "parameter 1: found is_text 2; expected 0 or 1");
    data = make();
    data.parameters[1].name = data.parameters[0].name;
    refuse(&data, sizeof(data), "parameter 1 has the name of another one");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_a_head_and_its_parameters),
        cmocka_unit_test(refuses_what_is_not_inside),
        cmocka_unit_test(refuses_broken_heads),
        cmocka_unit_test(refuses_broken_parameters),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
