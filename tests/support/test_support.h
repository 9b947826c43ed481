// test_support.h: what every test shares: cmocka, a leak-checked allocator, a scratch folder.
#pragma once
// cmocka wants these before its own header.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "foundation/memory/allocator.h"

// Group set-up and tear-down for cmocka_run_group_tests: starts memory and log, and fails the group
// when an allocation is left at the end.
int test_group_setup(void **state);
int test_group_teardown(void **state);

// The heap that tests allocate from; empty again at the end of the group.
ct_allocator *test_heap(void);

// The absolute path of a new, empty folder under the current (the build) folder; each call makes
// another. The group's tear-down removes them all. The string lives until then.
const char *test_scratch_folder(void);

// The number of rounds of a property test: `slice`, or `full` under `./test --long`
// (CUTTLE_TEST_LONG set).
uint32_t test_rounds(uint32_t slice, uint32_t full);

// Runs `run(user)` in a child process and fails the test unless that ends abnormally with `report`
// in what it wrote to standard error: a failed CT_ASSERT, or a sanitizer's finding.
void test_expect_death(void (*run)(void *user), void *user, const char *report);

// As test_expect_death for a fault: `run(user)` must end by `signal`, or in a build with sanitizers
// by their report of it.
void test_expect_signal(void (*run)(void *user), void *user, int signal);

// A repeatable random number (xorshift); `state` starts anywhere but 0.
uint32_t test_random(uint32_t *state);
