// The heap against a model, and what it refuses.
#include "foundation/heap_allocator.h"

#include "foundation/memory.h"
#include "foundation/os.h"
#include "foundation/poison.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

#ifdef CT_SANITIZE
enum { ROUNDS = 100000 };
#else
enum { ROUNDS = 1000000 };
#endif

static void agrees_with_a_model(void **state) {
    (void)state;
    test_allocator_model(&(test_allocator_model_desc){.allocator = ct_memory_heap(),
                                                      .num_operations = test_rounds(ROUNDS, 1000000),
                                                      .seed = 1,
                                                      .max_live = 128,
                                                      .min_bytes = 1,
                                                      .max_bytes = 3000,
                                                      .max_align = 4096});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_model),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
