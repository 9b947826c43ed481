#include "dump_text.h"

#include <stdio.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 16, PLACE_BYTES = 512 };

static char buffer[BUFFER_BYTES];
static uint32_t num_bytes;
static char place[PLACE_BYTES]; // "meshes[3].parts[2]"
static uint32_t place_length;
static uint64_t num_values;

void dump_text_flush(void) {
    fwrite(buffer, 1, num_bytes, stdout);
    fflush(stdout);
    num_bytes = 0;
}

static void put(const char *text, uint64_t bytes) {
    if (bytes > BUFFER_BYTES - num_bytes)
        dump_text_flush();
    if (bytes > BUFFER_BYTES) {
        fwrite(text, 1, bytes, stdout);
        return;
    }
    memcpy(buffer + num_bytes, text, bytes);
    num_bytes += (uint32_t)bytes;
}

// --- Places --------------------------------------------------------------------------------------

static void append_to_place(const char *text) {
    const uint32_t bytes = (uint32_t)strnlen(text, PLACE_BYTES - 1 - place_length);
    memcpy(place + place_length, text, bytes);
    place_length += bytes;
    place[place_length] = 0;
}

uint32_t dump_text_enter(const char *name) {
    const uint32_t before = place_length;
    if (place_length > 0 && name[0])
        append_to_place(".");
    append_to_place(name);
    return before;
}

uint32_t dump_text_enter_at(const char *name, uint32_t position) {
    char text[16];
    snprintf(text, sizeof(text), "[%u]", position);
    const uint32_t before = dump_text_enter(name);
    append_to_place(text);
    return before;
}

void dump_text_leave(uint32_t before) {
    place_length = before;
    place[before] = 0;
}

static void put_place_and_leave(uint32_t before) {
    put(place, place_length);
    put(":", 1);
    dump_text_leave(before);
}

void dump_text_place(const char *name) {
    put_place_and_leave(dump_text_enter(name));
}

void dump_text_place_at(const char *name, uint32_t position) {
    put_place_and_leave(dump_text_enter_at(name, position));
}

// --- Values --------------------------------------------------------------------------------------

static const char digits[] = "0123456789abcdef";

void dump_text_number(uint64_t value, uint32_t bytes) {
    char text[1 + 16] = " ";
    for (uint32_t i = 0; i < 2 * bytes; ++i)
        text[1 + i] = digits[value >> (4 * (2 * bytes - 1 - i)) & 15];
    put(text, 1 + 2 * bytes);
    ++num_values;
}

void dump_text_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    dump_text_number(bits, sizeof(bits));
}

void dump_text_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    dump_text_number(bits, sizeof(bits));
}

void dump_text_string(const char *text, uint64_t bytes) {
    put(" \"", 2);
    for (uint64_t i = 0; i < bytes; ++i) {
        const uint8_t c = (uint8_t)text[i];
        const char hexadecimal[] = {'\\', digits[c >> 4], digits[c & 15]};
        const bool is_plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
        put(is_plain ? &text[i] : hexadecimal, is_plain ? 1 : sizeof(hexadecimal));
    }
    put("\"", 1);
    ++num_values;
}

void dump_text_line_end(void) {
    put("\n", 1);
}

uint64_t dump_text_num_values(void) {
    return num_values;
}
