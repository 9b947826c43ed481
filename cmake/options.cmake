# Compiler options of every target: cuttle_options, and player_options of what the player holds.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)

# What all builds have in common.
add_library(cuttle_common INTERFACE)
target_include_directories(cuttle_common INTERFACE ${CMAKE_SOURCE_DIR}/src
    ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(cuttle_common INTERFACE _GNU_SOURCE
    CT_VERSION_STRING="${PROJECT_VERSION}")
# -fexceptions: a Lua error that unwinds through C runs scope clean-ups.
# x86-64-v2: one instruction set and one alignment of matrices for the whole project.
# -ffp-contract=off: the same result of the same source in every build.
target_compile_options(cuttle_common INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
        -Wmissing-prototypes -Wvla -Wwrite-strings -Werror>
    -fexceptions -fno-omit-frame-pointer -ffp-contract=off)
# Crash reports name the build.
target_link_options(cuttle_common INTERFACE -Wl,--build-id)
# Plugins that call them find ours (foundation/crash/crash_guard.h).
target_link_options(cuttle_common INTERFACE LINKER:--export-dynamic-symbol=exit
    LINKER:--export-dynamic-symbol=_exit)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(cuttle_common INTERFACE -march=x86-64-v2)
endif()

add_library(cuttle_options INTERFACE)
target_link_libraries(cuttle_options INTERFACE cuttle_common)
target_compile_options(cuttle_options INTERFACE -g)
# libcuttle is made of the objects of `cuttle`. Hidden, they still call each other directly, and may
# be inlined (docs/decisions/0057-embedding.md).
target_compile_options(cuttle_options INTERFACE -fPIC -fvisibility=hidden)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
    # Line numbers in crash reports need the address ranges that gcc writes by default.
    target_compile_options(cuttle_options INTERFACE -gdwarf-aranges)
endif()

if(CUTTLE_BUILD STREQUAL "dev")
    target_compile_definitions(cuttle_options INTERFACE CT_BUILD_DEV=1 CT_BUILD_NAME="dev")
elseif(CUTTLE_BUILD STREQUAL "release")
    target_compile_definitions(cuttle_options INTERFACE CT_BUILD_RELEASE=1 CT_BUILD_NAME="release")
else()
    message(FATAL_ERROR "CUTTLE_BUILD is \"${CUTTLE_BUILD}\"; expected dev or release")
endif()

# The player is the same beside every build: optimised, without assertions, profiler and debug
# information, and no path of ours in what macros bring.
add_library(player_options INTERFACE)
target_link_libraries(player_options INTERFACE cuttle_common)
target_compile_definitions(player_options INTERFACE CT_BUILD_PLAYER=1 CT_BUILD_NAME="player"
    NDEBUG=1)
target_compile_options(player_options INTERFACE -O2 -g0 -ffunction-sections -fdata-sections
    -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
target_link_options(player_options INTERFACE -Wl,--gc-sections)

if(CUTTLE_SANITIZE)
    target_compile_options(cuttle_options INTERFACE -fsanitize=${CUTTLE_SANITIZE}
        -fno-sanitize-recover=all)
    target_link_options(cuttle_options INTERFACE -fsanitize=${CUTTLE_SANITIZE})
    target_compile_definitions(cuttle_options INTERFACE CT_SANITIZE=1)
    if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
        # It also reports NULL + 0, which loops over empty arrays compute, and which does no harm.
        target_compile_options(cuttle_options INTERFACE -fno-sanitize=pointer-overflow)
        # With its own operator new, the stacks of leaks go on behind that of C++ libraries.
        target_link_options(cuttle_options INTERFACE -fsanitize-link-c++-runtime)
        target_link_libraries(cuttle_options INTERFACE stdc++)
    endif()
    if(CUTTLE_FUZZ AND NOT CUTTLE_FUZZ_OPTIMISED)
        # Compiles in half the time, and tests of the same build do not pay for traced compares.
        target_compile_options(cuttle_options INTERFACE
            -fsanitize-coverage=inline-8bit-counters,pc-table,indirect-calls)
    elseif(CUTTLE_FUZZ) # a target then tries several times as many inputs a second
        target_compile_options(cuttle_options INTERFACE -O1 -fsanitize=fuzzer-no-link)
    else() # what tests take less pays for what compiling takes more
        target_compile_options(cuttle_options INTERFACE -O1)
    endif()
endif()

set(CMAKE_C_FLAGS_DEBUG "-O0")
set(CMAKE_C_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
