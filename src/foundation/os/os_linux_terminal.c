// os_linux_terminal.c: terminal functions for interactive programs.
#include "foundation/os/os.h"

#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static volatile sig_atomic_t has_interrupt;

static void note_interrupt(int signal_number) {
    (void)signal_number;
    has_interrupt = 1;
}

void ct_os_catch_interrupts(void) {
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = note_interrupt;
    sigaction(SIGINT, &action, NULL);
}

bool ct_os_take_interrupt(void) {
    const bool had_interrupt = has_interrupt != 0;
    has_interrupt = 0;
    return had_interrupt;
}

uint32_t ct_os_terminal_columns(int stream) {
    struct winsize size;
    const bool is_known = ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_known ? size.ws_col : 80;
}
