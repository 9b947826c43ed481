// network_lobby_list.h: what is printed reads back; what is wrong is left out.
#include "network/lobby/network_lobby_list.h"
#include "support/test_support.h"
#include <stdio.h>
#include <string.h>

static ct_network_lobby_list list;

static bool read_text(const char *text) {
    return ct_network_lobby_list_read(text, (uint32_t)strlen(text), &list);
}

static int set_up(void **state) {
    (void)state;
    list = (ct_network_lobby_list){0};
    ct_array_init(&list.lobbies, test_heap());
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_array_free(&list.lobbies);
    return 0;
}

static void reads_lobbies(void **state) {
    (void)state;
    assert_true(read_text("refreshing 1\nlobby 00000000000000ab 127.0.0.1:4000 2 8 1 0\n:map\n:the "
                          "yard\n:empty\n:\n.\nlobby ffffffffffffffff 10.0.0.2:1 1 4 0 1\n.\n"));
    assert_true(list.is_refreshing);
    assert_int_equal(list.lobbies.count, 2);
    const ct_network_lobby_info *const first = &list.lobbies.items[0];
    assert_true(first->host == 0xab && first->has_same_config && !first->is_cut);
    assert_string_equal(first->address, "127.0.0.1:4000");
    assert_int_equal(first->num_members, 2);
    assert_int_equal(first->max_members, 8);
    assert_int_equal(first->num_pairs, 2);
    assert_string_equal(first->pairs[0].key, "map");
    assert_string_equal(first->pairs[0].value, "the yard");
    assert_string_equal(first->pairs[1].value, "");
    assert_true(list.lobbies.items[1].host == UINT64_MAX && list.lobbies.items[1].is_cut);
    assert_true(read_text("refreshing 0\n"));
    assert_int_equal(list.lobbies.count, 0);
    assert_false(list.is_refreshing);
}

static void leaves_out_what_is_wrong(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "lobby 00000000000000ab 127.0.0.1:4000 2 8 1 0\n:map\n:yard\n",
        "lobby 00000000000000ab 127.0.0.1:4000 2 8 1 0\n:map\n.\n.\n",
        "lobby 0000000000000000 127.0.0.1:4000 2 8 1 0\n.\n",
        "lobby 00000000000000ab 127.0.0.1:4000 2 8 1 0 7\n.\n",
        "lobby 00000000000000ab 127.0.0.1:4000 2 8 1\n.\n",
        "lobby 00000000000000ab 127.0.0.1:4000 2 8 1 0\n:012345678901234567890123456789012\n:\n.\n",
        "lobby 00000000000000ab 127.0.0.1:4000 2 8 1 0\nmap\n:yard\n.\n",
        "tag",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        char text[256];
        snprintf(text, sizeof(text), "refreshing 0\n%s", wrong[i]);
        assert_true(read_text(text));
        assert_int_equal(list.lobbies.count, 0);
    }
    assert_false(read_text("tag refreshing 1\n"));
    assert_false(read_text("refreshing 1"));
    assert_false(read_text(""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_lobbies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_out_what_is_wrong, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
