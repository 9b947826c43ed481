// Connections whose name takes long to look up. The function of the system is replaced for this program.
#include "web/web_server.h"

#include <netdb.h>

#include "web/websocket/websocket_client.h"

static _Atomic uint32_t num_asked, num_answered;
static _Atomic bool is_released;

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
    (void)name, (void)service, (void)hints;
    *found = NULL;
    ++num_asked;
    while (!is_released)
        ct_os_sleep_ns(1000000);
    ++num_answered;
    return EAI_NONAME;
}

static ct_websockets *start(const ct_web_rules *rules) {
    num_asked = num_answered = 0;
    is_released = false;
    return ct_websockets_create(&(ct_websockets_desc){.allocator = test_heap(), .rules = rules});
}

static ct_websocket_id connect_to(ct_websockets *w, double timeout_seconds) {
    const ct_websocket_request request = {.url = "ws://slow.example/",
                                          .timeout_seconds = timeout_seconds};
    ct_websocket_id forgotten;
    ct_error error;
    const ct_websocket_id id = ct_websocket_open(w, &request, &forgotten, &error);
    assert_true(id.value != 0);
    for (uint32_t i = 0; i < 2000 && num_asked == 0; ++i)
        ct_os_sleep_ns(1000000);
    assert_int_equal(num_asked, 1);
    return id;
}

static ct_websocket_info wait_until_closed(ct_websockets *w, ct_websocket_id id) {
    for (uint32_t i = 0; i < 1000; ++i) {
        ct_websockets_update(w);
        if (ct_websocket_info_of(w, id).state == CT_WEBSOCKET_STATE_CLOSED)
            break;
        ct_os_sleep_ns(5000000);
    }
    return ct_websocket_info_of(w, id);
}

// Lets the system answer: what is called then for a link that is gone, a sanitizer sees.
static void release(void) {
    is_released = true;
    for (uint32_t i = 0; i < 2000 && num_answered < num_asked; ++i)
        ct_os_sleep_ns(1000000);
    ct_os_sleep_ns(50000000);
}

static void the_answer_comes_after_the_time_is_over(void **state) {
    (void)state;
    ct_web_rules rules;
    ct_web_rules_init(&rules, &(const char *){"slow.example"}, 1, true);
    ct_websockets *const w = start(&rules);
    const ct_websocket_info info = wait_until_closed(w, connect_to(w, 0.1));
    assert_int_equal(info.state, CT_WEBSOCKET_STATE_CLOSED);
    assert_non_null(strstr(info.error, "no connection within 0.1 s"));
    ct_websockets_destroy(w);
    release();
}

static void the_answer_comes_after_the_game_has_closed(void **state) {
    (void)state;
    ct_web_rules rules;
    ct_web_rules_init(&rules, &(const char *){"slow.example"}, 1, true);
    ct_websockets *const w = start(&rules);
    const ct_websocket_id id = connect_to(w, 20);
    ct_websocket_close(w, id, 1000, "");
    const ct_websocket_info info = wait_until_closed(w, id);
    assert_int_equal(info.state, CT_WEBSOCKET_STATE_CLOSED);
    assert_null(info.error);
    ct_websockets_destroy(w);
    release();
}

static void ends_at_once_while_a_name_is_looked_up(void **state) {
    (void)state;
    ct_web_rules rules;
    ct_web_rules_init(&rules, &(const char *){"slow.example"}, 1, true);
    ct_websockets *const w = start(&rules);
    connect_to(w, 20);
    const uint64_t begin = ct_os_time_ns();
    ct_websockets_destroy(w);
    assert_true(ct_os_time_ns() - begin < UINT64_C(2000000000));
    release();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_comes_after_the_time_is_over),
        cmocka_unit_test(the_answer_comes_after_the_game_has_closed),
        cmocka_unit_test(ends_at_once_while_a_name_is_looked_up),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
