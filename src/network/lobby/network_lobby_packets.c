// network_lobby_packets.c: packets of lobbies as bytes.
#include "foundation/string/utf8.h"
#include "network/lobby/network_lobby_private.h"
#include <string.h>

// Which parts a kind has.
enum { PART_PEER = 1, PART_NUMBER = 2, PART_KEY = 4, PART_VALUE = 8, PART_PORT = 16 };

static const uint8_t PARTS[] = {
    [LOBBY_WELCOME] = PART_PORT | PART_NUMBER,
    [LOBBY_MEMBER] = PART_PEER | PART_VALUE,
    [LOBBY_READY] = 0,
    [LOBBY_MEMBER_LEFT] = PART_PEER | PART_NUMBER,
    [LOBBY_DATA] = PART_PEER | PART_KEY | PART_VALUE,
    [LOBBY_SESSION_HOST] = PART_PEER,
};

void ct_lobby_write_u64(ct_bit_writer *w, uint64_t value) {
    ct_bits_write(w, (uint32_t)value, 32);
    ct_bits_write(w, (uint32_t)(value >> 32), 32);
}

uint64_t ct_lobby_read_u64(ct_bit_reader *r) {
    const uint64_t low = ct_bits_read(r, 32);
    return low | (uint64_t)ct_bits_read(r, 32) << 32;
}

void ct_lobby_write_text(ct_bit_writer *w, const char *text) {
    const uint32_t bytes = (uint32_t)strlen(text);
    ct_bits_write(w, bytes, 8);
    for (uint32_t i = 0; i < bytes; ++i)
        ct_bits_write(w, (uint8_t)text[i], 8);
}

uint32_t ct_lobby_write(const lobby_message *m, uint8_t bytes[LOBBY_MAX_PACKET]) {
    ct_bit_writer w = ct_bits_write_to(bytes, LOBBY_MAX_PACKET);
    const uint32_t parts = PARTS[m->kind];
    ct_bits_write(&w, m->kind, 8);
    if (parts & PART_PEER)
        ct_lobby_write_u64(&w, m->peer);
    if (parts & PART_PORT)
        ct_bits_write(&w, m->port, 16);
    if (parts & PART_NUMBER)
        ct_bits_write(&w, m->number, 8);
    if (parts & PART_KEY)
        ct_lobby_write_text(&w, m->key);
    if (parts & PART_VALUE)
        ct_lobby_write_text(&w, m->value);
    return ct_bits_end(&w);
}

const char *ct_lobby_read_text(ct_bit_reader *r, char *text, uint32_t most) {
    const uint32_t bytes = ct_bits_read(r, 8);
    if (bytes >= most)
        return "a text is too long";
    for (uint32_t i = 0; i < bytes; ++i)
        text[i] = (char)ct_bits_read(r, 8);
    text[bytes] = 0;
    return strlen(text) == bytes ? ct_lobby_text_fault(text, most) : "a text has a zero in it";
}

const char *ct_lobby_read(const void *bytes, uint32_t size, lobby_message *m) {
    ct_bit_reader r = ct_bits_read_from(bytes, size);
    *m = (lobby_message){.kind = (lobby_packet)ct_bits_read(&r, 8)};
    if (m->kind < LOBBY_JOIN || m->kind > LOBBY_SESSION_HOST)
        return "its kind is unknown";
    const uint32_t parts = PARTS[m->kind];
    if (parts & PART_PEER)
        m->peer = ct_lobby_read_u64(&r);
    if (parts & PART_PORT)
        m->port = (uint16_t)ct_bits_read(&r, 16);
    if (parts & PART_NUMBER)
        m->number = ct_bits_read(&r, 8);
    const char *fault = parts & PART_KEY ? ct_lobby_read_text(&r, m->key, sizeof(m->key)) : NULL;
    if (!fault && parts & PART_KEY && !*m->key)
        fault = "a key is empty";
    if (!fault && parts & PART_VALUE)
        fault = ct_lobby_read_text(&r, m->value, sizeof(m->value));
    return fault ? fault : ct_bits_is_done(&r) ? NULL : "its size is wrong";
}

const char *ct_lobby_text_fault(const char *text, uint32_t most) {
    const size_t bytes = strlen(text);
    if (bytes >= most)
        return "is too long";
    for (size_t i = 0; i < bytes; ++i)
        if ((uint8_t)text[i] < 32 || text[i] == 127)
            return "has control characters";
    return ct_utf8_is_valid(text, bytes) ? NULL : "is not UTF-8";
}
