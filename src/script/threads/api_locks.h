// api_locks.h: reader and writer locks of parts of the engine, for the jobs of LuaThreads. Knows
// nothing of Lua.
//
// A lock is of a domain (what some Lua modules work on: transforms, physics, …) and a scope: a unit,
// a world, or all. Two locks of different owners conflict when they are of the same domain, one of
// them writes, and their scopes overlap: they are the same, or one contains the other. What an owner
// has never conflicts with what it asks for.
//
// Nothing here blocks: a lock that cannot be given waits in line, and `wake` is called when its owner
// gets it. Those that came first are given first, also when a later one would not conflict with what
// is held: writers do not starve. An owner that has part of the scope already passes the line. When
// an owner would begin to wait for what, over others that wait, waits for itself, it gets an error
// that names all of them: at the moment when the deadlock would occur.
//
// Locks of a unit are in one of 256 lists by the unit, those of worlds and of all in one more, so
// that taking one looks at few others. All functions may be called by any thread; a mutex is held
// for as long as one call takes. Destroy it when no thread uses it.
#pragma once
#include "foundation/string/string_builder.h"
#include "foundation/types.h"

enum { CT_API_LOCK_MAX_APIS = 32, CT_API_LOCK_PLACE_BYTES = 72, CT_API_LOCK_NAME_BYTES = 64 };

// What a lock is for.
typedef enum ct_api_lock_mode {
    CT_API_LOCK_MODE_NONE,
    CT_API_LOCK_MODE_READ,
    CT_API_LOCK_MODE_WRITE,
} ct_api_lock_mode;

// What a lock is of. `world` 0: of all worlds; `unit` 0: of a whole world.
typedef struct ct_api_scope {
    uint32_t domain;
    uint32_t unit;
    uint64_t world;
} ct_api_scope;

typedef struct ct_api_locks ct_api_locks;
typedef struct ct_api_lock ct_api_lock;

// What has locks: a job. The memory is the caller's; zero it but for name and user.
typedef struct ct_api_lock_owner {
    char name[CT_API_LOCK_NAME_BYTES]; // for errors
    void *user;
    ct_api_lock *first;   // of those that it has or waits for
    ct_api_lock *waiting; // one of these, or NULL
    uint32_t mark;        // of the last search for a deadlock that came by
} ct_api_lock_owner;

// A lock that an owner has or waits for. The memory is the table's: valid until it is given back.
struct ct_api_lock {
    ct_api_scope scope;
    ct_api_lock_mode mode;
    uint32_t api; // for counts and names
    bool is_waiting;
    ct_api_lock_owner *owner;
    uint64_t ticket, asked_ns;
    ct_api_lock *next_of_owner, *previous_of_owner;
    ct_api_lock *next, *previous; // of the list of its scope
    ct_api_lock *next_waiting;
    char place[CT_API_LOCK_PLACE_BYTES]; // "scripts/x.lua:12", where it was asked for
};

// What became of a request: ct_api_locks_take.
typedef enum ct_api_lock_result {
    CT_API_LOCK_RESULT_NONE,
    CT_API_LOCK_RESULT_TAKEN,
    CT_API_LOCK_RESULT_WAITING,
    CT_API_LOCK_RESULT_DEADLOCK,
    CT_API_LOCK_RESULT_REFUSED,
} ct_api_lock_result;

// What happened with the locks of an API.
typedef struct ct_api_lock_counts {
    uint64_t num_taken, num_waited, waited_ns, num_deadlocks;
} ct_api_lock_counts;

typedef struct ct_api_locks_desc {
    ct_allocator *allocator;
    const char *const *api_names; // by the number of an API; borrowed
    uint32_t num_apis;            // at most CT_API_LOCK_MAX_APIS
    // Called, with the mutex held, when a lock that waited was given. Must not call this module.
    void (*wake)(void *user, ct_api_lock *lock);
    void *user;
} ct_api_locks_desc;

// Makes a table without locks, and frees one (NULL is fine); no owner may have any then.
ct_api_locks *ct_api_locks_create(const ct_api_locks_desc *desc);
void ct_api_locks_destroy(ct_api_locks *t);

// Asks for a lock; `place` is copied. TAKEN: `*lock` is held. WAITING: it is in line, and its owner
// must not ask for another before `wake` was called with it. DEADLOCK: nothing changed, and `error`
// has the chain of owners, locks and places. REFUSED: nothing changed, since it would have to wait and
// `may_wait` is false. The first time that two locks are taken in one order and
// then in the other, a warning is logged (lock_order), once for each pair of APIs.
ct_api_lock_result ct_api_locks_take(ct_api_locks *t, ct_api_lock_owner *owner, uint32_t api,
                                     ct_api_scope scope, ct_api_lock_mode mode, const char *place,
                                     bool may_wait, ct_api_lock **lock, ct_string_builder *error);

// Gives a lock back, held or waiting, which frees it; and gives those in line what they can have.
void ct_api_locks_give(ct_api_locks *t, ct_api_lock *lock);

// Gives all locks of an owner back, and returns how many it had.
uint32_t ct_api_locks_give_all(ct_api_locks *t, ct_api_lock_owner *owner);

// Returns how many locks are held or waited for.
uint32_t ct_api_locks_count(ct_api_locks *t);

// Returns the counts of an API since the table was made, or since they were last reset.
ct_api_lock_counts ct_api_locks_counts(ct_api_locks *t, uint32_t api);

// Makes all counts zero.
void ct_api_locks_reset_counts(ct_api_locks *t);

// Forgets in which order locks were taken; warnings that were given stay given. Any thread.
void ct_api_locks_forget_orders(ct_api_locks *t);
