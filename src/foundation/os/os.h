// os.h: all that we ask of the operating system; implemented in os_<system>*.c files only.
//
// Failures that input can cause return false, NULL or a closed value with `error` filled; anything
// else is a bug and asserts. Handles are structs: {0} is none.
#pragma once
#include "foundation/types.h"

// --- Time ----------------------------------------------------------------------------------------

// Nanoseconds of a clock that only goes forward; its start means nothing. Any thread.
uint64_t ct_os_time_ns(void);

// Nanoseconds since 1970 by the wall clock, as files' times are counted.
int64_t ct_os_wall_time_ns(void);

// Lets this thread sleep.
void ct_os_sleep_ns(uint64_t ns);

// --- Memory --------------------------------------------------------------------------------------

// Returns the size of a page of memory, a power of two.
uint64_t ct_os_page_bytes(void);

// Reserves and commits `size_bytes` (rounded up to pages) of zeroed memory; NULL when there is
// none.
void *ct_os_pages_allocate(uint64_t size_bytes);

// Gives back what ct_os_pages_allocate gave, with the same size.
void ct_os_pages_free(void *p, uint64_t size_bytes);

// Reserves `size_bytes` (rounded up to pages) of address space that takes no memory and must not be
// touched; NULL when there is none. Given back by ct_os_pages_free.
void *ct_os_pages_reserve(uint64_t size_bytes);

// Makes reserved pages usable, zeroed, and says whether that worked; and takes them back, contents
// and all. `p` is the start of a page, and sizes are rounded up to pages. What is not touched takes
// no memory.
bool ct_os_pages_commit(void *p, uint64_t size_bytes);
void ct_os_pages_decommit(void *p, uint64_t size_bytes);

// Tells the system that large pages suit `size_bytes` from `p` on: for memory that is used soon and
// all over. It may do so or not.
void ct_os_pages_prefer_large(void *p, uint64_t size_bytes);

// Limits the address space of this process; allocations past it fail. Not in sanitizer builds,
// whose shadow memory takes more than any limit: there it does nothing.
void ct_os_limit_memory(uint64_t size_bytes);

// --- Threads -------------------------------------------------------------------------------------

// A started thread, until it is joined.
typedef struct ct_thread {
    uint64_t handle;
} ct_thread;

// A mutex and a condition variable, in place; neither may be copied or moved once used.
typedef struct ct_mutex {
    _Alignas(8) char storage[48];
} ct_mutex;

// See ct_condition_init.
typedef struct ct_condition {
    _Alignas(8) char storage[56];
} ct_condition;

// Starts a thread that runs `run(data)`. `name` shows in debuggers (15 characters).
ct_thread ct_thread_start(const char *name, void (*run)(void *data), void *data);

// Waits until the thread has ended. Each started thread is joined once.
void ct_thread_join(ct_thread thread);

// Names the calling thread as debuggers show it.
void ct_thread_set_name(const char *name);

// Lets other threads that are ready run on this core first.
void ct_thread_yield(void);

// A number that differs for each living thread, never 0.
uint64_t ct_thread_current_id(void);

// Has `function` called once when the calling thread ends, whoever started it. One function for the
// whole process; a thread may ask again while it ends.
void ct_os_at_thread_end(void (*function)(void));

// Has `before` called in this process before it forks, and `after` in both processes after it: for
// locks that a child would otherwise find taken for ever. Cannot be undone.
void ct_os_at_fork(void (*before)(void), void (*after)(void));

// The number of cores this process may use, at least 1.
uint32_t ct_os_core_count(void);

// The core that the calling thread runs on; it may be another one right after.
uint32_t ct_os_current_core(void);

// Cores by their numbers.
typedef struct ct_core_set {
    uint64_t bits[16];
} ct_core_set;

// The number by which ct_thread_set_cores knows the calling thread.
int64_t ct_thread_system_id(void);

// The cores that the calling thread may run on.
ct_core_set ct_thread_cores(void);

// Lets a thread of this process (0: the calling one) run on these cores only. Does nothing when
// none of them is there.
void ct_thread_set_cores(int64_t system_id, const ct_core_set *cores);

// A call that another thread is asked to make.
typedef struct ct_thread_call {
    void (*function)(void *data);
    void *data;
} ct_thread_call;

// Has the thread with this number (ct_thread_system_id) make a call as soon as it runs, between any
// two of its instructions: the function may do only what a signal handler may. Borrows `call` until
// the thread has ended or made it; a thread that has ended makes none. Any thread.
void ct_thread_interrupt(int64_t system_id, const ct_thread_call *call);

// Raises the signal of profiling timers in the calling thread: to those who handle it a request to
// look where the thread is. Nothing happens when nobody does. In a signal handler too.
void ct_thread_raise_profiling_signal(void);

// Mutexes are not recursive. Init and shutdown are for one thread; the rest for any.
void ct_mutex_init(ct_mutex *m);
void ct_mutex_shutdown(ct_mutex *m);
void ct_mutex_lock(ct_mutex *m);
void ct_mutex_unlock(ct_mutex *m);

// Condition variables, as POSIX has them: waits may end early, so wait in a loop.
void ct_condition_init(ct_condition *c);
void ct_condition_shutdown(ct_condition *c);
void ct_condition_wait(ct_condition *c, ct_mutex *m);
// Returns false when `timeout_ns` passed without a signal.
bool ct_condition_wait_for(ct_condition *c, ct_mutex *m, uint64_t timeout_ns);
void ct_condition_signal(ct_condition *c);
void ct_condition_broadcast(ct_condition *c);

// Sleeps while `*word` is `expected`; may return early, so call it in a loop.
void ct_os_futex_wait(_Atomic uint32_t *word, uint32_t expected);

// Wakes up to `count` threads that sleep on `word`. The word may be gone already: nothing is read.
void ct_os_futex_wake(_Atomic uint32_t *word, uint32_t count);

// --- Files ---------------------------------------------------------------------------------------

typedef enum ct_file_kind {
    CT_FILE_KIND_NONE, // does not exist
    CT_FILE_KIND_FILE,
    CT_FILE_KIND_FOLDER,
    CT_FILE_KIND_OTHER,
} ct_file_kind;

typedef struct ct_file_info {
    ct_file_kind kind;
    bool is_link; // a symbolic link; the rest is of what it points to
    uint64_t size_bytes;
    int64_t modified_ns; // since 1970; programs may set it
    int64_t changed_ns;  // since 1970, of content, name or anything else; nobody can set it
    uint64_t inode;
    uint64_t num_links;       // names that it has
    uint64_t allocated_bytes; // of the disk that are its own
} ct_file_info;

// What is at `path`; kind NONE when there is nothing.
ct_file_info ct_os_file_info(const char *path);

// When the file at `path` was made, since 1970, whatever it was called then; nobody can set it. 0
// when the file system does not keep it. It tells a file from a later one of the same inode.
int64_t ct_os_file_birth_ns(const char *path);

// Opens a regular file for reading; returns -1 with `error`, also for what is none, without waiting:
// for files that hold data.
int ct_os_file_open_data(const char *path, ct_error *error);

// Opens for reading / for writing (made or emptied); returns -1 with `error`.
int ct_os_file_open_read(const char *path, ct_error *error);
int ct_os_file_open_write(const char *path, ct_error *error);

// Opens for writing what is there and stays as it is; -1 with `error` also when it is a link.
int ct_os_file_open_over(const char *path, ct_error *error);
void ct_os_file_close(int file);

// Reads up to `size_bytes`; returns how many came (0 at the end), or -1.
int64_t ct_os_file_read(int file, void *data, uint64_t size_bytes);

// As ct_os_file_read, from byte `offset` on and without moving the file's place: several threads
// may read one file so.
int64_t ct_os_file_read_at(int file, uint64_t offset, void *data, uint64_t size_bytes);

// Writes all bytes; false with `error` (disk full, …).
bool ct_os_file_write(int file, const void *data, uint64_t size_bytes, ct_error *error);

// As ct_os_file_write, from byte `offset` on and without moving the file's place.
bool ct_os_file_write_at(int file, uint64_t offset, const void *data, uint64_t size_bytes,
                         ct_error *error);

// Ends the file after `size_bytes`, which it has.
bool ct_os_file_cut(int file, uint64_t size_bytes, ct_error *error);

// Has writes past the most that a file of this process may have (ulimit -f) fail from now on, as on
// a full disk, where they would end the program.
void ct_os_refuse_large_writes(void);

// Waits until the file's bytes are on the disk.
bool ct_os_file_sync(int file, ct_error *error);

// Renames a file or folder; a file (or empty folder) at `to` is replaced in one step. False with
// `error`, and nothing has changed.
bool ct_os_file_rename(const char *from, const char *to, ct_error *error);
// Removes a file or link, not a folder. False with `error` (NULL is fine), also when it is not
// there.
bool ct_os_file_remove(const char *path, ct_error *error);

// Lets two files or folders change places, at once: nobody meets a state in between.
bool ct_os_file_exchange(const char *first, const char *second, ct_error *error);

// Lets everybody who may read a file run it.
bool ct_os_file_make_executable(const char *path, ct_error *error);

// Gives a file the permissions of another one.
bool ct_os_file_copy_permissions(const char *path, const char *model, ct_error *error);

// False when a file or folder may not be written: by its permissions nobody may, or not we.
bool ct_os_file_is_writable(const char *path);

// Waits until all that was written to the file system of a folder is on the disk.
bool ct_os_file_system_sync(const char *folder, ct_error *error);

bool ct_os_folder_make(const char *path, ct_error *error);   // one level; existing is fine
bool ct_os_folder_remove(const char *path, ct_error *error); // empty ones only

// Calls `visit` with each entry's name (without `.` and `..`), in no order.
bool ct_os_folder_list(const char *path, void (*visit)(void *user, const char *name), void *user,
                       ct_error *error);

// As ct_os_folder_list, with what is at each entry, as ct_os_file_info tells it; about a third of
// the time of asking for each by its path.
bool ct_os_folder_list_infos(const char *path,
                             void (*visit)(void *user, const char *name, const ct_file_info *info),
                             void *user, ct_error *error);

// The absolute path without links and `..`; false with `error` when it does not exist. `path` holds
// CT_PATH_BYTES.
bool ct_os_absolute_path(const char *relative, char *path, ct_error *error);

// The path of the running executable, of CT_PATH_BYTES.
void ct_os_executable_path(char *path);

// True when the standard stream (0, 1, 2) is a terminal.
bool ct_os_is_terminal(int stream);

// The width of the terminal behind a standard stream; 80 when it is none.
uint32_t ct_os_terminal_columns(int stream);

// From now on Ctrl-C does not end the program; and whether it was pressed since this was last
// asked.
void ct_os_catch_interrupts(void);
bool ct_os_take_interrupt(void);

// An environment variable, or NULL. Borrowed.
const char *ct_os_environment(const char *name);

// A lock between processes, kept by an open file: {0} is none. It ends with its holder, however
// that ends.
typedef struct ct_file_lock {
    int file_plus_one;
} ct_file_lock;

// Takes the lock of the file `path`, which is made when it is not there and says which process
// holds it until that releases it. When somebody else has it `lock` is {0}, and `*holder` the
// number of that process (0: not known yet). False with `error` when the file cannot be opened.
// Does not wait.
bool ct_file_lock_try(const char *path, ct_file_lock *lock, int64_t *holder, ct_error *error);

typedef enum ct_lock_kind {
    CT_LOCK_KIND_ALONE,
    CT_LOCK_KIND_SHARED, // with others that share it
} ct_lock_kind;

// Takes a lock of a folder that is there, in which nothing is made. When somebody else has it so
// that it cannot be had `lock` is {0}. False with `error` when the folder cannot be read or its file
// system has no such locks. Does not wait.
bool ct_folder_lock_try(const char *path, ct_lock_kind kind, ct_file_lock *lock, ct_error *error);

// Gives a lock back; {0} is fine. A file stays, and is empty.
void ct_file_lock_release(ct_file_lock *lock);

// --- File changes --------------------------------------------------------------------------------

typedef struct ct_file_watch ct_file_watch;

// Watches `folder` and all below it, new folders included; folders whose name starts with `.` are
// passed over. NULL with `error` when the system refuses.
ct_file_watch *ct_file_watch_create(ct_allocator *a, const char *folder, ct_error *error);
void ct_file_watch_destroy(ct_file_watch *w);

// Waits up to `timeout_ns` for a change; returns how many there were since the last call: files
// below the folder that were written and closed, made, moved or removed (which ones is for the
// caller to find out: events may be lost or doubled). One thread at a time.
uint32_t ct_file_watch_wait(ct_file_watch *w, uint64_t timeout_ns);

// Returns whether a file below the folder was written to before the last wait ended, and not closed:
// it may be half there. One that has been written for more than two seconds does not count.
bool ct_file_watch_is_writing(const ct_file_watch *w);

// --- Processes -----------------------------------------------------------------------------------

// A child process, until it is waited for; {0} is no process.
typedef struct ct_process {
    int64_t pid;
} ct_process;

typedef struct ct_process_desc {
    const char *const *arguments; // the program's path first, NULL last
    // When set, the child gets one end of a socket pair as file descriptor 3 and `*socket` is set
    // to the other end.
    int *socket;
    bool is_socket_standard; // that end is its standard input and output instead
    bool silent;             // its output (with is_socket_standard: its errors) goes nowhere
    bool may_outlive;        // it is not killed when this process ends
} ct_process_desc;

// Starts a program; {0} with `error` when it cannot be started. Descriptors other than the standard
// streams and the socket are closed in it. It is killed when this process ends, unless it may outlive
// it.
ct_process ct_process_start(const ct_process_desc *desc, ct_error *error);

// Waits for the end and returns the exit code; -N when signal N ended it.
int ct_process_wait(ct_process process);

// As ct_process_wait, for at most `timeout_ns`; returns false when it still runs.
bool ct_process_wait_for(ct_process process, uint64_t timeout_ns, int *exit_code);

// Ends it at once; wait afterwards.
void ct_process_kill(ct_process process);

// Returns the number of this process.
int64_t ct_os_process_id(void);

// True while a process of this number lives, whoever's it is.
bool ct_os_process_exists(int64_t pid);

// Fills `bytes` with unpredictable ones from the system, fit for ids and secrets. Any thread.
void ct_os_random_bytes(void *bytes, uint64_t size_bytes);

// --- Sockets -------------------------------------------------------------------------------------

// A socket is a non-negative number; -1 is none.

// Listens on 127.0.0.1 at `port`, or at the next free one up to `port + attempts - 1`;
// `*bound_port` is set. `port` 0 lets the system choose. -1 with `error` when none is free.
int ct_socket_listen(uint16_t port, uint16_t attempts, uint16_t *bound_port, ct_error *error);

// Takes a waiting connection, non-blocking; -1 when there is none.
int ct_socket_accept(int listener);

// Sets `*user` to the number of the user who holds the other end of a connection on this machine.
// False with `error` when that cannot be known: the other end is closed already, or elsewhere.
// Reads the system's table of connections.
bool ct_socket_peer_user(int socket, uint32_t *user, ct_error *error);

// The number of the user that this process acts for; 0 is root.
uint32_t ct_os_user(void);

// Connects (blocking); -1 with `error`.
int ct_socket_connect(const char *host, uint16_t port, uint64_t timeout_ns, ct_error *error);

// Closes a socket; closing one twice is a bug.
void ct_socket_close(int socket);

// Ends sending: the other end reads what was sent, then the end; it may still send.
void ct_socket_end_sending(int socket);

// Sets whether sending and receiving wait; sockets from ct_socket_connect do.
void ct_socket_set_blocking(int socket, bool blocking);

// Sends or receives up to `size_bytes`; returns how many went (0 when it would block), or -1 when
// the connection has ended. Never raises a signal.
int64_t ct_socket_send(int socket, const void *data, uint64_t size_bytes);
int64_t ct_socket_receive(int socket, void *data, uint64_t size_bytes);

enum { CT_SOCKET_WAIT_MAX = 256 };

// Waits up to `timeout_ns` until one of `count` sockets (at most CT_SOCKET_WAIT_MAX; -1 among them
// is passed over) can be read or has ended; sets readable[i] and returns how many.
uint32_t ct_socket_wait(const int *sockets, uint32_t count, bool *readable, uint64_t timeout_ns);

// Waits until a socket can be read, takes more to send, or has ended; sets which (both of one that
// has ended). For an exchange in which the other side may answer before it has read all.
void ct_socket_wait_either(int socket, bool *readable, bool *writable);

// --- Libraries and stacks ------------------------------------------------------------------------

// Opens a shared library for the life of the process; NULL when it is not there.
void *ct_library_open(const char *name);

// The address of a symbol, or NULL.
void *ct_library_symbol(void *library, const char *name);

// Fills `frames` with up to `max` return addresses of the calls on this thread's stack, innermost
// first, leaving out this function and the `skip` innermost others; returns how many. No heap;
// about a microsecond.
uint32_t ct_os_call_stack(uint64_t *frames, uint32_t max, uint32_t skip);

// Whether `address` lies in the program or one of its libraries. Code that is made at run time does
// not.
bool ct_os_is_library_code(uint64_t address);

// How many bytes the calling thread's stack can still grow. Slow.
uint64_t ct_os_stack_left(void);

// Whether `p` lies in the calling thread's stack. Slow.
bool ct_os_is_on_stack(const void *p);
