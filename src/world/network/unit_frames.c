#include "world/network/unit_frames.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "resource/blob/data_buffer.h"
#include "resource/types/network/network_value.h"

// Groups of bits in which numbers are written (ct_bits_write_groups).
enum { COUNT_GROUP = 4, NUMBER_GROUP = 8, GAP_GROUP = 3, POSITION_GROUP = 6, ROTATION_GROUP = 6 };

enum { CHANGE_POSITION = 1, CHANGE_ROTATION = 2, CHANGE_SCALE = 4, CHANGE_DATA = 8 };

static const ct_network_type rotation_type = {
    .kind = CT_NETWORK_ROTATION, .bits = 14, .num_words = CT_UNIT_ROTATION_WORDS};
enum { FIRST_ROTATION = CT_UNIT_POSITION_WORDS };
enum { FIRST_SCALE = FIRST_ROTATION + CT_UNIT_ROTATION_WORDS };

// --- Words ---------------------------------------------------------------------------------------

static uint32_t position_word(float metres) {
    const double steps = round((double)metres * 1024);
    const double clamped = steps > INT32_MAX ? INT32_MAX : steps < INT32_MIN ? INT32_MIN : steps;
    return (uint32_t)(int32_t)clamped;
}

void ct_unit_words_of(ct_vec3 position, ct_quat rotation, ct_vec3 scale,
                      uint32_t words[CT_UNIT_WORDS]) {
    const ct_network_value value = {.kind = CT_NETWORK_ROTATION,
                                    .parts = {rotation.x, rotation.y, rotation.z, rotation.w}};
    for (uint32_t i = 0; i < 3; ++i)
        words[i] = position_word(position.raw[i]);
    if (!ct_network_value_write(&rotation_type, &rotation_type, &value, words + FIRST_ROTATION,
                                NULL))
        ct_network_value_default(&rotation_type, &rotation_type, words + FIRST_ROTATION);
    memcpy(words + FIRST_SCALE, scale.raw, sizeof(float) * 3);
}

void ct_unit_words_pose(const uint32_t words[CT_UNIT_WORDS], ct_vec3 *position, ct_quat *rotation,
                        ct_vec3 *scale) {
    const ct_network_value value = ct_network_value_read(&rotation_type, words + FIRST_ROTATION);
    for (uint32_t i = 0; i < 3; ++i)
        position->raw[i] = (float)((double)(int32_t)words[i] / 1024);
    *rotation = ct_quat_normalize(
        (ct_quat){{value.parts[0], value.parts[1], value.parts[2], value.parts[3]}});
    memcpy(scale->raw, words + FIRST_SCALE, sizeof(float) * 3);
}

static bool are_words_valid(const uint32_t words[CT_UNIT_WORDS]) {
    float scale[3];
    memcpy(scale, words + FIRST_SCALE, sizeof(scale));
    return isfinite(scale[0]) && isfinite(scale[1]) && isfinite(scale[2]) &&
           ct_network_value_check(&rotation_type, &rotation_type, words + FIRST_ROTATION);
}

static uint32_t zigzag(uint32_t difference) {
    return difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0);
}

static uint32_t unzigzag(uint32_t number) {
    return number >> 1 ^ (number & 1 ? UINT32_MAX : 0);
}

// --- Life cycle ----------------------------------------------------------------------------------

void ct_unit_frames_init(ct_unit_frames *f, ct_allocator *a) {
    ct_array_init(&f->bytes, a);
    ct_array_init(&f->list, a);
    f->num_units = 0;
}

void ct_unit_frames_free(ct_unit_frames *f) {
    ct_array_free(&f->bytes);
    ct_array_free(&f->list);
}

void ct_unit_cursor_init(ct_unit_cursor *c, ct_allocator *a) {
    c->frame = UINT32_MAX;
    ct_array_init(&c->units, a);
    ct_array_init(&c->lines, a);
    ct_array_init(&c->texts, a);
}

void ct_unit_cursor_free(ct_unit_cursor *c) {
    ct_array_free(&c->units);
    ct_array_free(&c->lines);
    ct_array_free(&c->texts);
}

// --- Reading -------------------------------------------------------------------------------------

// A frame that is read.
typedef struct frame_reading {
    const ct_unit_frames *frames;
    ct_unit_cursor *cursor;
    ct_bit_reader bits;
    uint32_t words_at, end; // the words that are left, in the bytes of the frames
} frame_reading;

static float read_float(ct_bit_reader *bits) {
    const uint32_t word = ct_bits_read(bits, 32);
    float number;
    memcpy(&number, &word, sizeof(number));
    return number;
}

static bool read_floats(ct_bit_reader *bits, float *numbers, uint32_t count) {
    bool are_finite = true;
    for (uint32_t i = 0; i < count; ++i) {
        numbers[i] = read_float(bits);
        are_finite = are_finite && isfinite(numbers[i]);
    }
    return are_finite;
}

static uint64_t read_id(ct_bit_reader *bits) {
    const uint64_t low = ct_bits_read(bits, 32);
    return (uint64_t)ct_bits_read(bits, 32) << 32 | low;
}

// Takes some of the words behind the bits. False: there are not so many.
static bool take_words(frame_reading *r, uint32_t bytes, uint32_t *at) {
    const uint32_t whole = (bytes + 3) / 4 * 4;
    if (bytes > UINT32_MAX - 3 || whole > r->end - r->words_at)
        return false;
    *at = r->words_at;
    r->words_at += whole;
    return true;
}

static ct_unit_state *living(frame_reading *r, uint32_t number) {
    if (number >= r->cursor->units.count || !r->cursor->units.items[number].is_alive)
        return NULL;
    return &r->cursor->units.items[number];
}

static bool read_gone(frame_reading *r) {
    for (uint32_t left = ct_bits_read_groups(&r->bits, COUNT_GROUP); left > 0; --left) {
        ct_unit_state *const unit = living(r, ct_bits_read_groups(&r->bits, NUMBER_GROUP));
        if (!unit || r->bits.is_over)
            return false;
        unit->is_alive = false;
    }
    return true;
}

static bool read_come(frame_reading *r) {
    for (uint32_t left = ct_bits_read_groups(&r->bits, COUNT_GROUP); left > 0; --left) {
        const uint32_t number = ct_bits_read_groups(&r->bits, NUMBER_GROUP);
        if (r->bits.is_over || number >= r->frames->num_units || living(r, number))
            return false;
        if (number >= r->cursor->units.count)
            ct_array_resize(&r->cursor->units, number + 1);
        ct_unit_state *const unit = &r->cursor->units.items[number];
        *unit = (ct_unit_state){.is_alive = true};
        unit->resource.value = read_id(&r->bits);
        if (ct_bits_read(&r->bits, 1)) {
            unit->level.value = read_id(&r->bits);
            unit->level_unit = ct_bits_read(&r->bits, 32);
        }
    }
    return true;
}

static bool read_data(frame_reading *r, ct_unit_state *unit) {
    const uint32_t words = ct_bits_read_groups(&r->bits, NUMBER_GROUP);
    uint32_t at;
    if (words > CT_DATA_MAX_BYTES / 4 || !take_words(r, words * 4, &at) ||
        (words && !ct_data_buffer_check(r->frames->bytes.items + at, words * 4, NULL)))
        return false;
    unit->data_at = at;
    unit->data_bytes = words * 4;
    return true;
}

static bool read_change(frame_reading *r, ct_unit_state *unit) {
    const uint32_t changes = ct_bits_read(&r->bits, 4);
    uint32_t *const words = unit->words;
    for (uint32_t i = 0; (changes & CHANGE_POSITION) && i < CT_UNIT_POSITION_WORDS; ++i)
        words[i] += unzigzag(ct_bits_read_groups(&r->bits, POSITION_GROUP));
    if (changes & CHANGE_ROTATION) {
        words[FIRST_ROTATION] = ct_bits_read(&r->bits, 2);
        for (uint32_t i = 1; i < CT_UNIT_ROTATION_WORDS; ++i)
            words[FIRST_ROTATION + i] += unzigzag(ct_bits_read_groups(&r->bits, ROTATION_GROUP));
    }
    for (uint32_t i = 0; (changes & CHANGE_SCALE) && i < CT_UNIT_SCALE_WORDS; ++i)
        words[FIRST_SCALE + i] = ct_bits_read(&r->bits, 32);
    return are_words_valid(words) && (!(changes & CHANGE_DATA) || read_data(r, unit));
}

static bool read_changes(frame_reading *r) {
    uint32_t number = UINT32_MAX;
    for (;;) {
        const uint32_t gap = ct_bits_read_groups(&r->bits, GAP_GROUP);
        if (gap == 0 || r->bits.is_over)
            return !r->bits.is_over;
        number += gap;
        ct_unit_state *const unit = living(r, number);
        if (!unit || !read_change(r, unit))
            return false;
    }
}

static bool read_marks(frame_reading *r) {
    const uint32_t num_lines = ct_bits_read_groups(&r->bits, COUNT_GROUP);
    for (uint32_t i = 0; i < num_lines; ++i) {
        ct_replay_line line;
        if (!read_floats(&r->bits, line.color.raw, 4) || !read_floats(&r->bits, line.from.raw, 3) ||
            !read_floats(&r->bits, line.to.raw, 3) || r->bits.is_over)
            return false;
        ct_array_push(&r->cursor->lines, line);
    }
    const uint32_t num_texts = ct_bits_read_groups(&r->bits, COUNT_GROUP);
    for (uint32_t i = 0; i < num_texts; ++i) {
        ct_replay_text text = {.is_on_screen = ct_bits_read(&r->bits, 1) != 0};
        uint32_t at;
        if (!read_floats(&r->bits, text.color.raw, 4) ||
            !read_floats(&r->bits, text.position.raw, 3))
            return false;
        text.bytes = ct_bits_read_groups(&r->bits, NUMBER_GROUP);
        if (r->bits.is_over || text.bytes > CT_UNIT_REPLAY_TEXT_BYTES ||
            !take_words(r, text.bytes, &at))
            return false;
        text.text = (const char *)r->frames->bytes.items + at;
        ct_array_push(&r->cursor->texts, text);
    }
    return true;
}

static ct_unit_frame_head head_at(const ct_unit_frames *f, uint32_t at) {
    ct_unit_frame_head head;
    memcpy(&head, f->bytes.items + at, sizeof(head));
    return head;
}

static bool read_frame(ct_unit_cursor *c, const ct_unit_frames *f, uint32_t frame) {
    const uint32_t at = f->list.items[frame].at;
    const ct_unit_frame_head head = head_at(f, at);
    const uint32_t first = at + (uint32_t)sizeof(head);
    frame_reading r = {.frames = f,
                       .cursor = c,
                       .bits = ct_bits_read_from(f->bytes.items + first, head.bits_bytes),
                       .words_at = first + (head.bits_bytes + 3) / 4 * 4,
                       .end = at + head.bytes};
    c->lines.count = c->texts.count = 0;
    for (uint32_t i = 0; head.is_key && i < c->units.count; ++i)
        c->units.items[i].is_alive = false;
    const bool is_good = read_gone(&r) && read_come(&r) && read_changes(&r) && read_marks(&r);
    if (!is_good || !ct_bits_is_done(&r.bits) || r.words_at != r.end)
        return false;
    for (uint32_t i = 0; i < c->units.count; ++i) {
        if (c->units.items[i].is_alive && !are_words_valid(c->units.items[i].words))
            return false;
    }
    return true;
}

bool ct_unit_cursor_seek(ct_unit_cursor *c, const ct_unit_frames *f, uint32_t frame,
                         ct_error *error) {
    if (c->frame == frame)
        return true;
    uint32_t next = frame;
    while (next > 0 && !f->list.items[next].is_key)
        --next;
    if (c->frame != UINT32_MAX && c->frame >= next && c->frame < frame)
        next = c->frame + 1;
    for (; next <= frame; ++next) {
        c->frame = UINT32_MAX;
        if (!read_frame(c, f, next))
            return ct_error_set(error, "frame %u is damaged", next);
        c->frame = next;
    }
    return true;
}

bool ct_unit_frames_list(ct_unit_frames *f, ct_error *error) {
    double time = 0;
    f->list.count = 0;
    for (uint32_t at = 0; at < f->bytes.count;) {
        const uint32_t left = f->bytes.count - at;
        const ct_unit_frame_head head =
            left >= sizeof(ct_unit_frame_head) ? head_at(f, at) : (ct_unit_frame_head){0};
        const bool fits = head.bytes >= sizeof(head) && head.bytes <= left && head.bytes % 4 == 0 &&
                          head.bits_bytes <= head.bytes - sizeof(head);
        if (!fits || head.is_key > 1 || !(head.dt >= 0 && head.dt <= 1e6f) ||
            (!head.is_key && at == 0))
            return ct_error_set(error, "frame %u is damaged", f->list.count);
        time += f->list.count ? (double)head.dt : 0;
        ct_array_push(&f->list,
                      (ct_unit_frame){.at = at, .is_key = head.is_key != 0, .time = time});
        at += head.bytes;
    }
    return true;
}

bool ct_unit_frames_drop_oldest(ct_unit_frames *f) {
    uint32_t keep = 1;
    while (keep < f->list.count && !f->list.items[keep].is_key)
        ++keep;
    if (keep >= f->list.count)
        return false;
    const uint32_t bytes = f->list.items[keep].at;
    const double time = f->list.items[keep].time;
    ct_array_erase(&f->bytes, 0, bytes);
    ct_array_erase(&f->list, 0, keep);
    for (uint32_t i = 0; i < f->list.count; ++i) {
        f->list.items[i].at -= bytes;
        f->list.items[i].time -= time;
    }
    return true;
}

// --- Writing -------------------------------------------------------------------------------------

static void write_floats(ct_bit_writer *w, const float *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t word;
        memcpy(&word, &numbers[i], sizeof(word));
        ct_bits_write(w, word, 32);
    }
}

static void write_id(ct_bit_writer *w, uint64_t id) {
    ct_bits_write(w, (uint32_t)id, 32);
    ct_bits_write(w, (uint32_t)(id >> 32), 32);
}

static void write_come(ct_bit_writer *w, const ct_unit_frame_desc *desc) {
    ct_bits_write_groups(w, desc->num_come, COUNT_GROUP);
    for (uint32_t i = 0; i < desc->num_come; ++i) {
        const ct_unit_state *const unit = &desc->now[desc->come[i]];
        ct_bits_write_groups(w, desc->come[i], NUMBER_GROUP);
        write_id(w, unit->resource.value);
        ct_bits_write(w, unit->level.value != 0, 1);
        if (unit->level.value) {
            write_id(w, unit->level.value);
            ct_bits_write(w, unit->level_unit, 32);
        }
        // Differences are from nothing.
        desc->before[desc->come[i]] = (ct_unit_state){.data_at = UINT32_MAX};
    }
}

static bool has_same_data(const ct_unit_frames *f, const ct_unit_frame_desc *desc,
                          const ct_unit_state *now, const ct_unit_state *before) {
    if (now->data_bytes != before->data_bytes)
        return false;
    return now->data_bytes == 0 || memcmp(desc->data + now->data_at,
                                          f->bytes.items + before->data_at, now->data_bytes) == 0;
}

static uint32_t changes_of(const ct_unit_frames *f, const ct_unit_frame_desc *desc,
                           const ct_unit_state *now, const ct_unit_state *before) {
    uint32_t changes = has_same_data(f, desc, now, before) ? 0 : CHANGE_DATA;
    if (memcmp(now->words, before->words, 4 * CT_UNIT_POSITION_WORDS) != 0)
        changes |= CHANGE_POSITION;
    if (memcmp(now->words + FIRST_ROTATION, before->words + FIRST_ROTATION,
               4 * CT_UNIT_ROTATION_WORDS) != 0)
        changes |= CHANGE_ROTATION;
    if (memcmp(now->words + FIRST_SCALE, before->words + FIRST_SCALE, 4 * CT_UNIT_SCALE_WORDS) != 0)
        changes |= CHANGE_SCALE;
    return changes;
}

static void write_change(ct_bit_writer *w, uint32_t changes, const ct_unit_state *now,
                         const ct_unit_state *before) {
    ct_bits_write(w, changes, 4);
    for (uint32_t i = 0; (changes & CHANGE_POSITION) && i < CT_UNIT_POSITION_WORDS; ++i)
        ct_bits_write_groups(w, zigzag(now->words[i] - before->words[i]), POSITION_GROUP);
    if (changes & CHANGE_ROTATION) {
        const uint32_t *const a = now->words + FIRST_ROTATION, *const b =
                                                                   before->words + FIRST_ROTATION;
        ct_bits_write(w, a[0], 2);
        for (uint32_t i = 1; i < CT_UNIT_ROTATION_WORDS; ++i)
            ct_bits_write_groups(w, zigzag(a[i] - b[i]), ROTATION_GROUP);
    }
    for (uint32_t i = 0; (changes & CHANGE_SCALE) && i < CT_UNIT_SCALE_WORDS; ++i)
        ct_bits_write(w, now->words[FIRST_SCALE + i], 32);
    if (changes & CHANGE_DATA)
        ct_bits_write_groups(w, now->data_bytes / 4, NUMBER_GROUP);
}

// Copies words behind the frame's bits.
static uint32_t put_words(uint8_t *bytes, uint32_t *at, const void *source, uint32_t size) {
    const uint32_t here = *at;
    if (size)
        memcpy(bytes + here, source, size);
    *at += (size + 3) / 4 * 4;
    return here;
}

static void write_changes(ct_bit_writer *w, const ct_unit_frames *f, const ct_unit_frame_desc *desc,
                          uint32_t *words_bytes) {
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < desc->num_live; ++i) {
        const uint32_t number = desc->live[i];
        const ct_unit_state *const now = &desc->now[number], *const before = &desc->before[number];
        const uint32_t changes = changes_of(f, desc, now, before);
        if (!changes)
            continue;
        ct_bits_write_groups(w, number - last, GAP_GROUP);
        last = number;
        write_change(w, changes, now, before);
        if (changes & CHANGE_DATA)
            *words_bytes += now->data_bytes;
    }
    ct_bits_write_groups(w, 0, GAP_GROUP);
}

static void write_marks(ct_bit_writer *w, const ct_unit_frame_desc *desc, uint32_t *words_bytes) {
    ct_bits_write_groups(w, desc->num_lines, COUNT_GROUP);
    for (uint32_t i = 0; i < desc->num_lines; ++i) {
        write_floats(w, desc->lines[i].color.raw, 4);
        write_floats(w, desc->lines[i].from.raw, 3);
        write_floats(w, desc->lines[i].to.raw, 3);
    }
    ct_bits_write_groups(w, desc->num_texts, COUNT_GROUP);
    for (uint32_t i = 0; i < desc->num_texts; ++i) {
        const ct_replay_text *const text = &desc->texts[i];
        ct_bits_write(w, text->is_on_screen, 1);
        write_floats(w, text->color.raw, 4);
        write_floats(w, text->position.raw, 3);
        ct_bits_write_groups(w, text->bytes, NUMBER_GROUP);
        *words_bytes += (text->bytes + 3) / 4 * 4;
    }
}

// What a frame may take at most, in bits: counts, units that come and go, changes, marks.
static uint64_t most_bits(const ct_unit_frame_desc *desc) {
    return 512 + 64ull * desc->num_gone + 256ull * desc->num_come + 576ull * desc->num_live +
           352ull * desc->num_lines + 320ull * desc->num_texts;
}

// Copies data and texts in the order of the bits, and makes `before` what was written.
static void put_all_words(ct_unit_frames *f, const ct_unit_frame_desc *desc, uint32_t at) {
    for (uint32_t i = 0; i < desc->num_live; ++i) {
        const ct_unit_state *const now = &desc->now[desc->live[i]];
        ct_unit_state *const before = &desc->before[desc->live[i]];
        const bool is_same = has_same_data(f, desc, now, before);
        const uint32_t data_at = before->data_at;
        *before = *now;
        before->data_at =
            is_same ? data_at
                    : put_words(f->bytes.items, &at, desc->data + now->data_at, now->data_bytes);
    }
    for (uint32_t i = 0; i < desc->num_texts; ++i)
        put_words(f->bytes.items, &at, desc->texts[i].text, desc->texts[i].bytes);
}

void ct_unit_frames_write(ct_unit_frames *f, const ct_unit_frame_desc *desc) {
    const uint32_t at = f->bytes.count;
    const uint32_t most = (uint32_t)(most_bits(desc) / 8 + 8);
    ct_array_resize(&f->bytes, at + sizeof(ct_unit_frame_head) + most);
    ct_bit_writer w = ct_bits_write_to(f->bytes.items + at + sizeof(ct_unit_frame_head), most);
    ct_bits_write_groups(&w, desc->num_gone, COUNT_GROUP);
    for (uint32_t i = 0; i < desc->num_gone; ++i)
        ct_bits_write_groups(&w, desc->gone[i], NUMBER_GROUP);
    uint32_t words_bytes = 0;
    write_come(&w, desc);
    write_changes(&w, f, desc, &words_bytes);
    write_marks(&w, desc, &words_bytes);
    ct_unit_frame_head head = {
        .bits_bytes = ct_bits_end(&w), .is_key = desc->is_key, .dt = desc->dt};
    CT_ASSERT(!w.is_full, "a frame of %u units takes more than %u bytes", desc->num_live, most);
    const uint32_t words_at = at + (uint32_t)sizeof(head) + (head.bits_bytes + 3) / 4 * 4;
    head.bytes = words_at + words_bytes - at;
    f->bytes.count = at + (uint32_t)sizeof(head) + head.bits_bytes;
    ct_array_resize(&f->bytes, at + head.bytes); // what is new is 0
    memcpy(f->bytes.items + at, &head, sizeof(head));
    put_all_words(f, desc, words_at);
    const double time =
        f->list.count ? f->list.items[f->list.count - 1].time + (double)desc->dt : 0;
    ct_array_push(&f->list, (ct_unit_frame){.at = at, .is_key = desc->is_key, .time = time});
}
