#include "database/database_clock.h"

#include <stdio.h>
#include <string.h>

int ct_database_stamp_compare(ct_database_stamp a, ct_database_stamp b) {
    if (a.time != b.time)
        return a.time < b.time ? -1 : 1;
    return ct_guid_compare(a.replica, b.replica);
}

uint64_t ct_database_time_next(uint64_t last, int64_t wall_ns) {
    const uint64_t wall = wall_ns < 0 ? 0 : (uint64_t)(wall_ns / 1000000) << 16;
    return wall > last && wall <= CT_DATABASE_MAX_TIME ? wall : last + 1;
}

// --- Text ------------------------------------------------------------------------------------------

enum { DAY_MILLISECONDS = 86400000, TEXT_BYTES = 24, COUNTER_BYTES = 5 };

// The days since 1970-01-01 of a day of the Gregorian calendar, and back. From "chrono-Compatible Low-Level Date
// Algorithms" (Howard Hinnant): years begin in March, so that a leap day is the last of its year.
static int64_t days_of(int64_t year, uint32_t month, uint32_t day) {
    year -= month <= 2;
    const int64_t era = year / 400;
    const int64_t year_of_era = year - era * 400;
    const int64_t day_of_year =
        (153 * (int64_t)(month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    const int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static void date_of(int64_t days, int64_t *year, uint32_t *month, uint32_t *day) {
    days += 719468;
    const int64_t era = days / 146097, day_of_era = days - era * 146097;
    const int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const int64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t from_march = (5 * day_of_year + 2) / 153;
    *day = (uint32_t)(day_of_year - (153 * from_march + 2) / 5 + 1);
    *month = (uint32_t)(from_march < 10 ? from_march + 3 : from_march - 9);
    *year = year_of_era + era * 400 + (*month <= 2);
}

void ct_database_time_format(uint64_t time, char *text) {
    const int64_t all = ct_database_time_milliseconds(time), days = all / DAY_MILLISECONDS;
    const uint32_t rest = (uint32_t)(all % DAY_MILLISECONDS);
    int64_t year;
    uint32_t month, day;
    date_of(days, &year, &month, &day);
    snprintf(text, CT_DATABASE_TIME_TEXT_BYTES, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ-%04x",
             (uint32_t)year, month, day, rest / 3600000, rest / 60000 % 60, rest / 1000 % 60,
             rest % 1000, (uint32_t)(time & 0xffff));
}

static bool refuse_time(const char *text, uint64_t length, ct_error *error) {
    return ct_error_set(error,
                        "found the time \"%.*s\"; expected one from 1970 to 3999 such as "
                        "2026-11-30T14:20:11.123Z or 2026-11-30T14:20:11.123Z-0007",
                        (int)(length < 60 ? length : 60), text);
}

// Reads `count` digits; returns false when there is something else.
static bool read_digits(const char *text, uint32_t count, uint32_t base, uint32_t *number) {
    *number = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const char c = text[i];
        const uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                               : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                                                      : 99;
        if (digit >= base)
            return false;
        *number = *number * base + digit;
    }
    return true;
}

// The parts of a time as text: where each begins, its digits and limits.
typedef struct time_part {
    uint8_t at, num_digits;
    uint16_t least, most;
} time_part;

static const time_part parts[] = {{0, 4, 1970, 3999}, {5, 2, 1, 12},  {8, 2, 1, 31},
                                  {11, 2, 0, 23},     {14, 2, 0, 59}, {17, 2, 0, 59},
                                  {20, 3, 0, 999}};

bool ct_database_time_parse(const char *text, uint64_t length, uint64_t *time, ct_error *error) {
    static const char form[] = "0000-00-00T00:00:00.000Z-0000";
    uint32_t numbers[CT_COUNT_OF(parts)], counter = 0;
    if (length != TEXT_BYTES && length != TEXT_BYTES + COUNTER_BYTES)
        return refuse_time(text, length, error);
    for (uint32_t i = 0; i < length; ++i)
        if (form[i] != '0' && text[i] != form[i])
            return refuse_time(text, length, error);
    for (uint32_t i = 0; i < CT_COUNT_OF(parts); ++i) {
        const time_part *const part = &parts[i];
        if (!read_digits(text + part->at, part->num_digits, 10, &numbers[i]) ||
            numbers[i] < part->least || numbers[i] > part->most)
            return refuse_time(text, length, error);
    }
    if (length > TEXT_BYTES && !read_digits(text + TEXT_BYTES + 1, 4, 16, &counter))
        return refuse_time(text, length, error);
    int64_t year;
    uint32_t month, day;
    const int64_t days = days_of(numbers[0], numbers[1], numbers[2]);
    date_of(days, &year, &month, &day);
    if (day != numbers[2]) // as of February 30th
        return refuse_time(text, length, error);
    const uint32_t seconds = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5];
    const uint64_t milliseconds =
        (uint64_t)days * DAY_MILLISECONDS + (uint64_t)seconds * 1000 + numbers[6];
    *time = milliseconds << 16 | counter;
    return true;
}

// --- Vectors ---------------------------------------------------------------------------------------

void ct_database_vector_init(ct_database_vector *vector, ct_allocator *a) {
    ct_array_init(&vector->stamps, a);
}

void ct_database_vector_free(ct_database_vector *vector) {
    ct_array_free(&vector->stamps);
}

void ct_database_vector_copy(ct_database_vector *to, const ct_database_vector *from) {
    if (to == from)
        return;
    to->stamps.count = 0;
    ct_array_push_many(&to->stamps, from->stamps.items, from->stamps.count);
}

// Returns the index of the first entry that does not come before `replica`.
static uint32_t find_entry(const ct_database_vector *vector, ct_guid replica) {
    uint32_t first = 0, end = vector->stamps.count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (ct_guid_compare(vector->stamps.items[middle].replica, replica) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool is_entry_of(const ct_database_vector *vector, uint32_t i, ct_guid replica) {
    return i < vector->stamps.count && ct_guid_is_equal(vector->stamps.items[i].replica, replica);
}

uint64_t ct_database_vector_time(const ct_database_vector *vector, ct_guid replica) {
    const uint32_t i = find_entry(vector, replica);
    return is_entry_of(vector, i, replica) ? vector->stamps.items[i].time : 0;
}

bool ct_database_vector_has(const ct_database_vector *vector, ct_database_stamp stamp) {
    return stamp.time <= ct_database_vector_time(vector, stamp.replica);
}

void ct_database_vector_add(ct_database_vector *vector, ct_database_stamp stamp) {
    const uint32_t i = find_entry(vector, stamp.replica);
    if (stamp.time == 0)
        return;
    if (!is_entry_of(vector, i, stamp.replica))
        ct_array_insert(&vector->stamps, i, stamp);
    else if (vector->stamps.items[i].time < stamp.time)
        vector->stamps.items[i].time = stamp.time;
}

void ct_database_vector_join(ct_database_vector *vector, const ct_database_vector *other) {
    for (uint32_t i = 0; vector != other && i < other->stamps.count; ++i)
        ct_database_vector_add(vector, other->stamps.items[i]);
}

bool ct_database_vector_covers(const ct_database_vector *vector, const ct_database_vector *other) {
    for (uint32_t i = 0; i < other->stamps.count; ++i)
        if (!ct_database_vector_has(vector, other->stamps.items[i]))
            return false;
    return true;
}

uint64_t ct_database_vector_last(const ct_database_vector *vector) {
    uint64_t last = 0;
    for (uint32_t i = 0; i < vector->stamps.count; ++i)
        if (vector->stamps.items[i].time > last)
            last = vector->stamps.items[i].time;
    return last;
}
