// os_linux_memory.c: pages, and what the memory system needs of threads and stacks.
#include "foundation/error.h"
#include "foundation/os/os.h"

// Only this process's own stack is walked, which is the fast kind of libunwind.
#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <errno.h>
#include <libunwind.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// --- Pages ---------------------------------------------------------------------------------------

uint64_t ct_os_page_bytes(void) {
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t round_up_to_pages(uint64_t size_bytes) {
    const uint64_t page_bytes = ct_os_page_bytes();
    return (size_bytes + page_bytes - 1) & ~(page_bytes - 1);
}

void *ct_os_pages_allocate(uint64_t size_bytes) {
    const uint64_t rounded = round_up_to_pages(size_bytes);
    if (rounded < size_bytes || rounded == 0)
        return NULL;
    void *const p = mmap(NULL, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void ct_os_pages_free(void *p, uint64_t size_bytes) {
    const int result = munmap(p, round_up_to_pages(size_bytes));
    CT_REQUIRE(result == 0, "munmap(%p, %llu): %s", p, (unsigned long long)size_bytes,
               strerrordesc_np(errno));
}

void *ct_os_pages_reserve(uint64_t size_bytes) {
    const uint64_t rounded = round_up_to_pages(size_bytes);
    if (rounded < size_bytes || rounded == 0)
        return NULL;
    void *const p =
        mmap(NULL, rounded, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

bool ct_os_pages_commit(void *p, uint64_t size_bytes) {
    return mprotect(p, round_up_to_pages(size_bytes), PROT_READ | PROT_WRITE) == 0;
}

// Maps again instead of madvise: that releases the pages and their contents in one call.
void ct_os_pages_decommit(void *p, uint64_t size_bytes) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    const void *const again = mmap(p, round_up_to_pages(size_bytes), PROT_NONE, flags, -1, 0);
    CT_REQUIRE(again == p, "mmap(%p, %llu): %s", p, (unsigned long long)size_bytes,
               strerrordesc_np(errno));
}

void ct_os_pages_prefer_large(void *p, uint64_t size_bytes) {
    const uint64_t page_bytes = ct_os_page_bytes(), start = (uint64_t)(uintptr_t)p;
    const uint64_t first = (start + page_bytes - 1) & ~(page_bytes - 1);
    const uint64_t end = (start + size_bytes) & ~(page_bytes - 1);
    if (first < end)
        madvise((void *)(uintptr_t)first, end - first, MADV_HUGEPAGE);
}

void ct_os_limit_memory(uint64_t size_bytes) {
#ifdef CT_SANITIZE
    (void)size_bytes;
#else
    const struct rlimit limit = {.rlim_cur = size_bytes, .rlim_max = size_bytes};
    const int result = setrlimit(RLIMIT_AS, &limit);
    CT_REQUIRE(result == 0, "cannot limit memory to %llu bytes: %s", (unsigned long long)size_bytes,
               strerrordesc_np(errno));
#endif
}

// --- Stacks --------------------------------------------------------------------------------------

#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZER 1
#endif
#endif

// Fills `addresses` and returns how many. The first is in the caller, into which this is inlined.
#ifdef THREAD_SANITIZER
// unw_backtrace keeps data for each thread and frees it only after the thread sanitizer has
// forgotten the thread. This way is about ten times slower.
__attribute__((always_inline)) static inline uint32_t walk_stack(void **addresses, uint32_t max) {
    unw_context_t context;
    unw_cursor_t cursor;
    unw_getcontext(&context);
    if (unw_init_local(&cursor, &context) != 0)
        return 0;
    uint32_t count = 0;
    unw_word_t address = 0;
    do {
        if (unw_get_reg(&cursor, UNW_REG_IP, &address) != 0 || address == 0)
            break;
        addresses[count++] = (void *)(uintptr_t)address;
    } while (count < max && unw_step(&cursor) > 0);
    return count;
}
#else
__attribute__((always_inline)) static inline uint32_t walk_stack(void **addresses, uint32_t max) {
    const int count = unw_backtrace(addresses, (int)max);
    return count > 0 ? (uint32_t)count : 0;
}
#endif

uint32_t ct_os_call_stack(uint64_t *frames, uint32_t max, uint32_t skip) {
    enum { MOST = 128 };
    void *addresses[MOST];
    const uint32_t wanted = max + skip + 1 < MOST ? max + skip + 1 : MOST;
    const uint32_t found = walk_stack(addresses, wanted);
    uint32_t count = 0;
    // The first is in this function.
    for (uint32_t i = skip + 1; i < found && addresses[i] && count < max; ++i)
        frames[count++] = (uint64_t)(uintptr_t)addresses[i];
    return count;
}

bool ct_os_is_library_code(uint64_t address) {
    Dl_info info;
    return dladdr((void *)(uintptr_t)address, &info) != 0;
}

const char *ct_library_of(void (*function)(void)) {
    Dl_info info;
    void *address;
    memcpy(&address, &function, sizeof(address));
    return dladdr(address, &info) != 0 && info.dli_fname ? info.dli_fname : "";
}

// The calling thread's stack; NULL when it is not known.
static const char *stack_of_thread(size_t *size_bytes) {
    pthread_attr_t attributes;
    *size_bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return NULL;
    void *lowest = NULL;
    pthread_attr_getstack(&attributes, &lowest, size_bytes);
    pthread_attr_destroy(&attributes);
    return lowest;
}

uint64_t ct_os_stack_left(void) {
    size_t size_bytes;
    const char *const lowest = stack_of_thread(&size_bytes), here = 0;
    return lowest && &here > lowest ? (uint64_t)(&here - lowest) : 0;
}

bool ct_os_is_on_stack(const void *p) {
    size_t size_bytes;
    const char *const lowest = stack_of_thread(&size_bytes);
    return (const char *)p >= lowest && (const char *)p < lowest + size_bytes;
}

// --- The ends of threads, and forks --------------------------------------------------------------

static pthread_key_t thread_end_key;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;

static void run_thread_end(void *value) {
    // A function pointer is passed as a data pointer, which POSIX allows and ISO C does not.
    union {
        void *value;
        void (*function)(void);
    } end = {.value = value};
    end.function();
}

static void make_thread_end_key(void) {
    const int result = pthread_key_create(&thread_end_key, run_thread_end);
    CT_REQUIRE(result == 0, "pthread_key_create: %s", strerrordesc_np(result));
}

void ct_os_at_thread_end(void (*function)(void)) {
    pthread_once(&thread_end_once, make_thread_end_key);
    union {
        void (*function)(void);
        void *value;
    } end = {.function = function};
    const int result = pthread_setspecific(thread_end_key, end.value);
    CT_REQUIRE(result == 0, "pthread_setspecific: %s", strerrordesc_np(result));
}

void ct_os_at_fork(void (*before)(void), void (*after)(void)) {
    const int result = pthread_atfork(before, after, after);
    CT_REQUIRE(result == 0, "pthread_atfork: %s", strerrordesc_np(result));
}
