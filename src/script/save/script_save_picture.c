#include "script/save/script_save_picture.h"

#include <stdatomic.h>

#include "foundation/memory/allocator.h"

struct ct_save_picture {
    ct_allocator *allocator;
    _Atomic uint32_t num_holders;
    atomic_bool is_done;
    ct_save_bytes *png; // before is_done: the host's
};

ct_save_picture *ct_save_picture_create(ct_allocator *a) {
    ct_save_picture *const p = ct_alloc(a, sizeof(*p));
    p->allocator = a;
    p->png = NULL;
    atomic_init(&p->num_holders, 2);
    atomic_init(&p->is_done, false);
    return p;
}

void ct_save_picture_release(ct_save_picture *p) {
    if (!p || atomic_fetch_sub_explicit(&p->num_holders, 1, memory_order_acq_rel) > 1)
        return;
    ct_save_bytes_release(p->png);
    ct_free_sized(p->allocator, p, sizeof(*p));
}

void ct_save_picture_done(void *picture, const void *png, uint32_t num_bytes) {
    ct_save_picture *const p = picture;
    if (png && num_bytes > 0) {
        ct_byte_array bytes;
        ct_array_init(&bytes, p->allocator);
        ct_array_push_many(&bytes, (const uint8_t *)png, num_bytes);
        p->png = ct_save_bytes_create(&bytes);
    }
    atomic_store_explicit(&p->is_done, true, memory_order_release);
    ct_save_picture_release(p);
}

bool ct_save_picture_take(ct_save_picture *p, ct_save_bytes **bytes) {
    *bytes = NULL;
    if (!atomic_load_explicit(&p->is_done, memory_order_acquire))
        return false;
    *bytes = p->png ? ct_save_bytes_hold(p->png) : NULL;
    return true;
}
