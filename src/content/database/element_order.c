#include "content/database/element_order.h"

#include <string.h>

#include "foundation/container/array.h"

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
enum { BASE = 62, SALT_DIGITS = 3, MOST_ATTEMPT_BYTES = CT_ELEMENT_ORDER_BYTES - SALT_DIGITS - 1 };

static int digit_of(char c) {
    const char *const at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

bool ct_element_order_is(const char *text, uint64_t length) {
    if (length == 0 || length >= CT_ELEMENT_ORDER_BYTES || text[length - 1] == '0')
        return false;
    for (uint64_t i = 0; i < length; ++i)
        if (digit_of(text[i]) < 0)
            return false;
    return true;
}

// Appends digits that depend on the element; the last is not 0.
static uint32_t add_salt(char *text, uint32_t length, const ct_guid *salt) {
    uint64_t rest = ct_guid_hash(*salt);
    for (uint32_t i = 0; i < SALT_DIGITS; ++i) {
        const uint64_t digit = i + 1 < SALT_DIGITS ? rest % BASE : 1 + rest % (BASE - 1);
        text[length++] = digits[digit];
        rest /= BASE;
    }
    return length;
}

bool ct_element_order_between(const char *low, const char *high, const ct_guid *salt,
                              char order[CT_ELEMENT_ORDER_BYTES]) {
    const size_t num_low = strlen(low), num_high = strlen(high);
    bool has_high = num_high > 0; // else anything above the digits so far will do
    uint32_t length = 0;
    for (;; ++length) {
        if (length >= MOST_ATTEMPT_BYTES)
            return false;
        const int from = length < num_low ? digit_of(low[length]) : 0;
        const int to = !has_high ? BASE : length < num_high ? digit_of(high[length]) : 0;
        if (to - from > 1) {
            order[length++] = digits[(from + to) / 2];
            break;
        }
        order[length] = digits[from];
        has_high = has_high && to == from;
    }
    if (salt)
        length = add_salt(order, length, salt);
    order[length] = 0;
    return true;
}

// --- Arrays ----------------------------------------------------------------------------------------

static bool has_text(const ct_element_order *item) {
    return ct_element_order_is(item->text, strlen(item->text));
}

// Marks the items that keep their text: a longest sequence of ascending ones.
static void find_staying(const ct_element_order *items, uint32_t count, bool *stays,
                         ct_allocator *scratch) {
    uint32_t *const tails = CT_NEW_ARRAY(scratch, uint32_t, count); // last item of each length
    uint32_t *const before = CT_NEW_ARRAY(scratch, uint32_t, count);
    uint32_t length = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!has_text(&items[i]))
            continue;
        uint32_t low = 0, high = length;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (strcmp(items[tails[middle]].text, items[i].text) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? tails[low - 1] : i;
        tails[low] = i;
        length += low == length;
    }
    if (length > 0) {
        uint32_t at = tails[length - 1];
        for (; before[at] != at; at = before[at])
            stays[at] = true;
        stays[at] = true;
    }
    ct_free(scratch, tails);
    ct_free(scratch, before);
}

// Gives texts between `low` and `high` to items from `begin` to before `end`, the middle one first.
static bool assign_between(ct_element_order *items, uint32_t begin, uint32_t end, const char *low,
                           const char *high, bool is_salted) {
    if (begin == end)
        return true;
    const uint32_t middle = begin + (end - begin) / 2;
    ct_element_order *const item = &items[middle];
    item->is_new = true;
    return ct_element_order_between(low, high, is_salted ? &item->element : NULL, item->text) &&
           assign_between(items, begin, middle, low, item->text, is_salted) &&
           assign_between(items, middle + 1, end, item->text, high, is_salted);
}

void ct_element_order_assign(ct_element_order *items, uint32_t count, bool is_salted,
                             ct_allocator *scratch) {
    bool *const stays = CT_NEW_ARRAY(scratch, bool, count);
    find_staying(items, count, stays, scratch);
    bool is_done = true;
    const char *low = "";
    for (uint32_t begin = 0, end = 0; is_done && end <= count; ++end) {
        if (end < count && !stays[end])
            continue;
        is_done =
            assign_between(items, begin, end, low, end < count ? items[end].text : "", is_salted);
        low = end < count ? items[end].text : "";
        begin = end + 1;
    }
    if (!is_done) // texts have become too long: all new ones are short
        assign_between(items, 0, count, "", "", is_salted);
    ct_free(scratch, stays);
}
