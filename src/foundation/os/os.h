// os.h: everything the engine asks of the operating system; implemented in os_<system>*.c files
// only.
//
// Failures that input can cause return false, NULL or a closed value, with `error` filled; any
// other failure is a bug and asserts. Handles are structs: {0} means none.
#pragma once
#include "foundation/types.h"

// --- Time ----------------------------------------------------------------------------------------

// Returns nanoseconds of a clock that only moves forward; its start is arbitrary. Any thread.
uint64_t ct_os_time_ns(void);

// Returns nanoseconds since 1970 by the wall clock, like file times.
int64_t ct_os_wall_time_ns(void);

// Puts this thread to sleep.
void ct_os_sleep_ns(uint64_t ns);

// --- Memory --------------------------------------------------------------------------------------

// Returns the size of a memory page, a power of two.
uint64_t ct_os_page_bytes(void);

// Reserves and commits `size_bytes` (rounded up to pages) of zeroed memory. Returns NULL when there
// is not enough memory.
void *ct_os_pages_allocate(uint64_t size_bytes);

// Frees memory from ct_os_pages_allocate, given the same size.
void ct_os_pages_free(void *p, uint64_t size_bytes);

// Reserves `size_bytes` (rounded up to pages) of address space, which uses no memory and must not
// be touched. Returns NULL when there is not enough. Free it with ct_os_pages_free.
void *ct_os_pages_reserve(uint64_t size_bytes);

// Commit makes reserved pages usable, zeroed, and returns whether that worked. Decommit makes them
// unusable again and discards their contents. `p` is the start of a page, and sizes are rounded up
// to pages. Pages that are never touched use no memory.
bool ct_os_pages_commit(void *p, uint64_t size_bytes);
void ct_os_pages_decommit(void *p, uint64_t size_bytes);

// Hints to the system that large pages suit the `size_bytes` from `p` on: for memory that is used
// soon and all over. The system may ignore it.
void ct_os_pages_prefer_large(void *p, uint64_t size_bytes);

// Limits the address space of this process; allocations beyond it fail. Does nothing in sanitizer
// builds, whose shadow memory exceeds any limit.
void ct_os_limit_memory(uint64_t size_bytes);

// --- Threads -------------------------------------------------------------------------------------

// A started thread, until it is joined.
typedef struct ct_thread {
    uint64_t handle;
} ct_thread;

// A mutex or condition variable, stored in place; neither may be copied or moved once used.
typedef struct ct_mutex {
    _Alignas(8) char storage[48];
} ct_mutex;

// See ct_condition_init.
typedef struct ct_condition {
    _Alignas(8) char storage[56];
} ct_condition;

// Starts a thread that runs `run(data)`. Debuggers show the first 15 characters of `name`.
ct_thread ct_thread_start(const char *name, void (*run)(void *data), void *data);

// Has the calling thread read and write numbers as C does ("1.5"), whatever locale the program has set.
// Returns its locale before, for ct_thread_restore_locale. Threads of ct_thread_start begin so.
void *ct_thread_use_c_locale(void);

// Gives the calling thread the locale that ct_thread_use_c_locale returned there.
void ct_thread_restore_locale(void *locale);

// Waits until the thread has ended. Join each started thread once.
void ct_thread_join(ct_thread thread);

// Names the calling thread for debuggers.
void ct_thread_set_name(const char *name);

// Lets other threads that are ready run on this core first.
void ct_thread_yield(void);

// Returns a number that is different for each living thread, never 0.
uint64_t ct_thread_current_id(void);

// Makes `function` run once when the calling thread ends, whether or not this engine started the
// thread. The whole process has one such function; a thread may request it again while it ends.
void ct_os_at_thread_end(void (*function)(void));

// Makes `before` run in this process before it forks, and `after` in both processes after the fork:
// for locks that would otherwise stay locked in the child for ever. Cannot be undone.
void ct_os_at_fork(void (*before)(void), void (*after)(void));

// Returns the number of cores this process may use, at least 1.
uint32_t ct_os_core_count(void);

// Returns the core that the calling thread runs on; it may change right after the call.
uint32_t ct_os_current_core(void);

// A set of cores; bit n stands for core n.
typedef struct ct_core_set {
    uint64_t bits[16];
} ct_core_set;

// Returns the system's id of the calling thread, for ct_thread_set_cores and ct_thread_interrupt.
int64_t ct_thread_system_id(void);

// Returns the cores that the calling thread may run on.
ct_core_set ct_thread_cores(void);

// Restricts a thread of this process (0: the calling thread) to these cores. Does nothing when none
// of them exists.
void ct_thread_set_cores(int64_t system_id, const ct_core_set *cores);

// A call that another thread is asked to make.
typedef struct ct_thread_call {
    void (*function)(void *data);
    void *data;
} ct_thread_call;

// Asks the thread with this id (ct_thread_system_id) to make a call as soon as it runs, between any
// two of its instructions: the function may do only what a signal handler may. Borrows `call` until
// the thread has made it or has ended; a thread that has ended does not make it. Any thread.
void ct_thread_interrupt(int64_t system_id, const ct_thread_call *call);

// Raises the signal of profiling timers in the calling thread, which asks its handler to look at
// where the thread is. Does nothing without a handler. Allowed in a signal handler.
void ct_thread_raise_profiling_signal(void);

// Mutexes are not recursive. Call init and shutdown from one thread; the others from any.
void ct_mutex_init(ct_mutex *m);
void ct_mutex_shutdown(ct_mutex *m);
void ct_mutex_lock(ct_mutex *m);
void ct_mutex_unlock(ct_mutex *m);

// Condition variables as in POSIX: waits may end early, so wait in a loop.
void ct_condition_init(ct_condition *c);
void ct_condition_shutdown(ct_condition *c);
void ct_condition_wait(ct_condition *c, ct_mutex *m);
// Returns false when `timeout_ns` passed without a signal.
bool ct_condition_wait_for(ct_condition *c, ct_mutex *m, uint64_t timeout_ns);
void ct_condition_signal(ct_condition *c);
void ct_condition_broadcast(ct_condition *c);

// Sleeps while `*word` equals `expected`; may return early, so call it in a loop.
void ct_os_futex_wait(_Atomic uint32_t *word, uint32_t expected);

// Wakes up to `count` threads that sleep on `word`. The word may already be freed: it is not read.
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
    bool is_link; // a symbolic link; the other members describe its target
    uint64_t size_bytes;
    int64_t modified_ns; // since 1970; programs may set it
    int64_t changed_ns;  // since 1970, of content, name or anything else; programs cannot set it
    uint64_t inode;
    uint64_t num_links;       // the number of its names
    uint64_t allocated_bytes; // of the disk, for this file
} ct_file_info;

// Describes what is at `path`; its kind is NONE when nothing is there.
ct_file_info ct_os_file_info(const char *path);

// Returns when the file at `path` was created, in nanoseconds since 1970, whatever its name was
// then. Programs cannot set this time. Returns 0 when the file system does not keep it. It
// distinguishes a file from a later one with the same inode.
int64_t ct_os_file_birth_ns(const char *path);

// Opens a regular file for reading, for files that hold data. Returns -1 with `error` for anything
// else, without waiting.
int ct_os_file_open_data(const char *path, ct_error *error);

// Open a file for reading, or for writing (created or emptied). Return -1 with `error`.
int ct_os_file_open_read(const char *path, ct_error *error);
int ct_os_file_open_write(const char *path, ct_error *error);

// Opens an existing file for writing and keeps its contents. Returns -1 with `error`, also for a
// link.
int ct_os_file_open_over(const char *path, ct_error *error);
void ct_os_file_close(int file);

// Reads up to `size_bytes`; returns how many were read (0 at the end), or -1.
int64_t ct_os_file_read(int file, void *data, uint64_t size_bytes);

// Reads as ct_os_file_read does, from byte `offset` on, without moving the file's position, so that
// several threads can read one file.
int64_t ct_os_file_read_at(int file, uint64_t offset, void *data, uint64_t size_bytes);

// Writes all bytes. Returns false with `error` (disk full, …).
bool ct_os_file_write(int file, const void *data, uint64_t size_bytes, ct_error *error);

// Writes as ct_os_file_write does, from byte `offset` on, without moving the file's position.
bool ct_os_file_write_at(int file, uint64_t offset, const void *data, uint64_t size_bytes,
                         ct_error *error);

// Truncates the file to `size_bytes`; the file must be at least that long.
bool ct_os_file_cut(int file, uint64_t size_bytes, ct_error *error);

// Makes writes beyond the largest file size of this process (ulimit -f) fail from now on, as on a
// full disk, instead of ending the program.
void ct_os_refuse_large_writes(void);

// Waits until the file's bytes are on the disk.
bool ct_os_file_sync(int file, ct_error *error);

// Renames a file or folder. Replaces a file (or empty folder) at `to` in one step. Returns false
// with `error` and changes nothing on failure.
bool ct_os_file_rename(const char *from, const char *to, ct_error *error);

// Gives a file a second name on the same file system (a hard link). Returns false with `error` when
// `path` exists, or the file system has no such links.
bool ct_os_file_link(const char *existing, const char *path, ct_error *error);

// Removes a file or link, not a folder. Returns false with `error` (NULL is fine), also when it
// does not exist.
bool ct_os_file_remove(const char *path, ct_error *error);

// Swaps two files or folders atomically: no other process sees a state in between.
bool ct_os_file_exchange(const char *first, const char *second, ct_error *error);

// Lets everyone who may read a file run it.
bool ct_os_file_make_executable(const char *path, ct_error *error);

// Copies the permissions of the file `model` to the file `path`.
bool ct_os_file_copy_permissions(const char *path, const char *model, ct_error *error);

// Returns false when a file or folder cannot be written: its permissions allow no one, or not this
// process, to write it.
bool ct_os_file_is_writable(const char *path);

// Waits until everything written to the file system of a folder is on the disk.
bool ct_os_file_system_sync(const char *folder, ct_error *error);

bool ct_os_folder_make(const char *path, ct_error *error);   // one level; existing is fine
bool ct_os_folder_remove(const char *path, ct_error *error); // empty ones only

// Calls `visit` with the name of each entry (without `.` and `..`), in no particular order.
bool ct_os_folder_list(const char *path, void (*visit)(void *user, const char *name), void *user,
                       ct_error *error);

// Lists as ct_os_folder_list does, with a description of each entry as from ct_os_file_info. Takes
// about a third of the time of asking for each entry by path.
bool ct_os_folder_list_infos(const char *path,
                             void (*visit)(void *user, const char *name, const ct_file_info *info),
                             void *user, ct_error *error);

// Writes the absolute path without links and `..` to `path` of CT_PATH_BYTES. Returns false with
// `error` when it does not exist.
bool ct_os_absolute_path(const char *relative, char *path, ct_error *error);

// Writes the path of the running executable to `path` of CT_PATH_BYTES.
void ct_os_executable_path(char *path);

// Returns whether the standard stream (0, 1, 2) is a terminal.
bool ct_os_is_terminal(int stream);

// Returns the width of the terminal behind a standard stream; 80 when it is not a terminal.
uint32_t ct_os_terminal_columns(int stream);

// Stop Ctrl-C from ending the program; return whether it was pressed since the last call.
void ct_os_catch_interrupts(void);
bool ct_os_take_interrupt(void);

// Returns an environment variable, or NULL. Borrowed.
const char *ct_os_environment(const char *name);

// Writes the name of this machine to `name` of CT_OS_MACHINE_NAME_BYTES; "" when it has none.
enum { CT_OS_MACHINE_NAME_BYTES = 65 };
void ct_os_machine_name(char *name);

// Returns all environment variables as "NAME=value", NULL last. Borrowed.
const char *const *ct_os_environment_list(void);

// A lock between processes, kept by an open file; {0} means none. The system releases it when its
// holder ends in any way.
typedef struct ct_file_lock {
    int file_plus_one;
} ct_file_lock;

// Takes the lock of the file `path`, which is created if missing and names the process that holds
// the lock until it is released. When another process holds the lock, `lock` is {0} and `*holder`
// is that process's id (0: not known yet). Returns false with `error` when the file cannot be
// opened. Does not wait.
bool ct_file_lock_try(const char *path, ct_file_lock *lock, int64_t *holder, ct_error *error);

typedef enum ct_lock_kind {
    CT_LOCK_KIND_ALONE,
    CT_LOCK_KIND_SHARED, // with others that share it
} ct_lock_kind;

// Takes a lock of an existing folder without creating anything in it. When another process holds a
// conflicting lock, `lock` is {0}. Returns false with `error` when the folder cannot be read or its
// file system does not support such locks. Does not wait.
bool ct_folder_lock_try(const char *path, ct_lock_kind kind, ct_file_lock *lock, ct_error *error);

// Releases a lock; {0} is fine. A lock file stays, emptied.
void ct_file_lock_release(ct_file_lock *lock);

// --- File changes --------------------------------------------------------------------------------

typedef struct ct_file_watch ct_file_watch;

// Watches `folder` and everything below it, including new folders; skips folders whose names start
// with `.`. Returns NULL with `error` when the system refuses.
ct_file_watch *ct_file_watch_create(ct_allocator *a, const char *folder, ct_error *error);
void ct_file_watch_destroy(ct_file_watch *w);

// Waits up to `timeout_ns` for a change. Returns the number of changes since the last call: files
// below the folder that were written and closed, created, moved or removed. The caller must find
// out which ones: events may be lost or doubled. One thread at a time.
uint32_t ct_file_watch_wait(ct_file_watch *w, uint64_t timeout_ns);

// Returns whether a file below the folder was written to before the last wait ended and is not yet
// closed: it may be half written. A file that has been written to for more than two seconds does
// not count.
bool ct_file_watch_is_writing(const ct_file_watch *w);

// --- Processes -----------------------------------------------------------------------------------

// A child process, until it is waited for; {0} means no process.
typedef struct ct_process {
    int64_t pid;
} ct_process;

typedef struct ct_process_desc {
    const char *const *arguments; // the program's path first, NULL last
    // If not NULL, the child gets one end of a socket pair as file descriptor 3, and `*socket`
    // is set to the other end.
    int *socket;
    bool is_socket_standard; // use that end as its standard input and output instead
    bool silent;             // discard its output (with is_socket_standard: its errors)
    bool may_outlive;        // do not kill it when this process ends
    // If not NULL, a file, created or emptied, that gets its output and its errors; its input is
    // then empty. Not together with is_socket_standard or silent.
    const char *output_path;
    // If not NULL, its output and its errors each go to one end of a socket pair, and outputs[0] and
    // outputs[1] are set to the other ends, which do not block; its input is then empty. Not together
    // with the members above that place its output.
    int *outputs;
    const char *const
        *environment; // all of it ("NAME=value", NULL last); NULL: that of this process
    // The child leads a process group: Ctrl-C in the terminal does not reach it, and
    // ct_process_kill_group ends it with all that it has started.
    bool is_group;
    bool searches_path; // a program without `/` is looked for in the folders of PATH
} ct_process_desc;

// Starts a program. Returns {0} with `error` when it cannot be started. The child keeps only the
// standard streams and the socket; all other descriptors are closed in it. It is killed when this
// process ends, unless `may_outlive` is set.
ct_process ct_process_start(const ct_process_desc *desc, ct_error *error);

// Replaces this process by a program, with the same id, environment and standard streams; its other
// files close. `arguments` as in ct_process_desc. Returns only on failure: false with `error`.
bool ct_os_process_replace(const char *const *arguments, ct_error *error);

// Waits for the process to end and returns its exit code, or -N when signal N ended it.
int ct_process_wait(ct_process process);

// Waits as ct_process_wait does, for at most `timeout_ns`; returns false when the process still
// runs.
bool ct_process_wait_for(ct_process process, uint64_t timeout_ns, int *exit_code);

// Kills the process at once; wait for it afterwards.
void ct_process_kill(ct_process process);

// Kills a process that was started with `is_group`, and every process of its group. Wait for it
// afterwards. Call it also right after a wait, for processes of the group that outlive the first.
void ct_process_kill_group(ct_process process);

// Does to every process of such a group what Ctrl-C in a terminal does: asks them to end.
void ct_process_interrupt_group(ct_process process);

// Returns the id of this process.
int64_t ct_os_process_id(void);

// Returns whether a process with this id exists, whichever user owns it.
bool ct_os_process_exists(int64_t pid);

// Fills `bytes` with unpredictable bytes from the system, suitable for ids and secrets. Any thread.
void ct_os_random_bytes(void *bytes, uint64_t size_bytes);

// --- Sockets -------------------------------------------------------------------------------------

// A socket is a non-negative number; -1 means no socket.

// Listens on 127.0.0.1 at `port`, or at the next free port up to `port + attempts - 1`, and sets
// `*bound_port`. Port 0 lets the system choose. Returns -1 with `error` when none is free.
int ct_socket_listen(uint16_t port, uint16_t attempts, uint16_t *bound_port, ct_error *error);

// Accepts a waiting connection as a non-blocking socket; returns -1 when none is waiting.
int ct_socket_accept(int listener);

// Sets `*user` to the id of the user at the other end of a connection on this machine. Returns
// false with `error` when it cannot be found: the other end is already closed, or is on another
// machine. The system finds the connection in one step; where it cannot, its table of all connections is read.
bool ct_socket_peer_user(int socket, uint32_t *user, ct_error *error);

// Returns the id of the user that this process acts for; 0 is root.
uint32_t ct_os_user(void);

// Connects (blocking). Returns -1 with `error` on failure.
int ct_socket_connect(const char *host, uint16_t port, uint64_t timeout_ns, ct_error *error);

// Closes a socket; closing one twice is a bug.
void ct_socket_close(int socket);

// Ends sending: the other end reads the sent data, then the end; it may still send.
void ct_socket_end_sending(int socket);

// Sets whether sending and receiving block; sockets from ct_socket_connect do.
void ct_socket_set_blocking(int socket, bool blocking);

// Send or receive up to `size_bytes`. Return how many bytes were transferred (0 when the call would
// block), or -1 when the connection has ended. Never raise a signal.
int64_t ct_socket_send(int socket, const void *data, uint64_t size_bytes);
int64_t ct_socket_receive(int socket, void *data, uint64_t size_bytes);

enum { CT_SOCKET_WAIT_MAX = 256 };

// Waits up to `timeout_ns` until one of `count` sockets (at most CT_SOCKET_WAIT_MAX; -1 is skipped)
// can be read or has ended. Sets readable[i] and returns how many.
uint32_t ct_socket_wait(const int *sockets, uint32_t count, bool *readable, uint64_t timeout_ns);

// Waits until a socket can be read, can accept more to send, or has ended; sets which (both when it
// has ended). For an exchange in which the other side may answer before it has read everything.
void ct_socket_wait_either(int socket, bool *readable, bool *writable);

// Returns whether `address` is one that only this machine reaches: in 127.0.0.0/8, `::1`, or
// `localhost`.
bool ct_socket_is_loopback(const char *address);

// Listens at an address of this machine, IPv4 or IPv6 ("0.0.0.0" and "::" are all of them), and
// sets `*bound_port`. Port 0 lets the system choose. Anyone who reaches the address may connect,
// so callers must check the other end. Returns -1 with `error`.
int ct_socket_listen_at(const char *address, uint16_t port, uint16_t *bound_port, ct_error *error);

// A socket of ct_socket_poll_many, and what it can do.
typedef struct ct_socket_poll {
    int socket;         // -1 is skipped
    bool wants_to_read; // wait until it can be read
    bool wants_to_send; // wait until it accepts more
    bool is_readable;   // output: it can be read, or has ended
    bool can_send;      // output
} ct_socket_poll;

// Waits up to `timeout_ns`, or until a signal arrives, for one of `count` sockets (at most
// CT_SOCKET_WAIT_MAX). Sets the outputs of each and returns how many sockets have one set.
uint32_t ct_socket_poll_many(ct_socket_poll *sockets, uint32_t count, uint64_t timeout_ns);

// --- Libraries and stacks ------------------------------------------------------------------------

// Opens a shared library until the process ends; returns NULL when it cannot be opened.
void *ct_library_open(const char *name);

// Returns the address of a symbol, or NULL.
void *ct_library_symbol(void *library, const char *name);

// Opens the shared library in the file `path` (with a `/`), with all its symbols bound and visible to
// itself alone. Returns NULL with `error`, which has the reason of the system's linker.
void *ct_library_open_file(const char *path, ct_error *error);

// Closes a library of ct_library_open_file. Returns whether it is gone from memory: the system keeps
// one that asked to stay, or that something else has opened.
bool ct_library_close(void *library);

// Returns whether `address` lies in a segment of the open library.
bool ct_library_holds(void *library, const void *address);

// Returns the path of the library, or the program, that holds a function; "" when it is unknown.
// Borrowed for as long as that is loaded.
const char *ct_library_of(void (*function)(void));

// Fills `frames` with up to `max` return addresses of the calls on this thread's stack, innermost
// first, without this function and the `skip` innermost others; returns how many. Does not use the
// heap; takes about a microsecond.
uint32_t ct_os_call_stack(uint64_t *frames, uint32_t max, uint32_t skip);

// Returns whether `address` is in the program or one of its libraries. Code generated at run time
// is not.
bool ct_os_is_library_code(uint64_t address);

// Returns how many bytes the calling thread's stack can still grow. Slow.
uint64_t ct_os_stack_left(void);

// Returns whether `p` is on the calling thread's stack. Slow.
bool ct_os_is_on_stack(const void *p);
