// A client of the console by itself, over a pair of sockets.
#include "support/test_support.h"

#include <string.h>

#include "dev/console_client.h"
#include "foundation/error.h"
#include "foundation/os/local_socket.h"
#include "foundation/os/message.h"
#include "foundation/os/os.h"

enum { HALF_BYTES = 1 << 20 };

static const uint64_t second_ns = 1000000000;

// Whether a message of which `bytes` have come may still be incomplete after so many seconds.
static bool may_be_half(uint32_t bytes, uint64_t seconds) {
    static uint8_t buffer[CT_CONSOLE_RECEIVE_BYTES], sent[CT_CONSOLE_RECEIVE_BYTES];
    static const uint8_t head[] = {0, 0, 0, 0, 0, 0xf0, 0, 0}; // a JSON of 15 MiB
    ct_console_client c;
    ct_error reason = {0};
    ct_message message;
    int ends[2];
    assert_true(ct_socket_pair(ends, &reason));
    ct_socket_set_blocking(ends[0], false);
    ct_console_client_init(&c, test_heap(), (ct_console_client_id){0}, ends[0]);
    memset(sent, ' ', sizeof(sent));
    memcpy(sent, head, sizeof(head));
    for (uint32_t at = 0, count; at < bytes; at += count) {
        uint32_t budget = UINT32_MAX;
        count = bytes - at < sizeof(sent) ? bytes - at : (uint32_t)sizeof(sent);
        assert_int_equal(ct_socket_send(ends[1], sent, count), count);
        memset(sent, ' ', sizeof(head));
        assert_int_equal(ct_console_client_receive(&c, buffer, &budget, &message, &reason),
                         CT_MESSAGE_RESULT_NONE);
    }
    assert_true(c.half_message_since > seconds * second_ns);
    c.half_message_since -= seconds * second_ns;
    uint32_t budget = UINT32_MAX;
    const bool may =
        ct_console_client_receive(&c, buffer, &budget, &message, &reason) == CT_MESSAGE_RESULT_NONE;
    assert_true(may || strstr(reason.message, "a message was still incomplete after"));
    ct_console_client_shutdown(&c);
    ct_socket_close(ends[1]);
    return may;
}

// A game with long frames takes a large message in small parts.
static void a_large_message_may_take_its_time(void **state) {
    (void)state;
    assert_true(may_be_half(20, 4));
    assert_false(may_be_half(20, 6));
    assert_true(may_be_half(HALF_BYTES, 14));
    assert_false(may_be_half(HALF_BYTES, 16));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_message_may_take_its_time),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
