// curl_api.h: the functions of libcurl that the engine uses, found at run time: no program links it.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "foundation/types.h"

#define CT_CURL_FUNCTIONS(X)                                                                       \
    X(curl_easy_cleanup)                                                                           \
    X(curl_easy_getinfo)                                                                           \
    X(curl_easy_init)                                                                              \
    X(curl_easy_setopt)                                                                            \
    X(curl_easy_strerror)                                                                          \
    X(curl_global_init)                                                                            \
    X(curl_multi_add_handle)                                                                       \
    X(curl_multi_cleanup)                                                                          \
    X(curl_multi_info_read)                                                                        \
    X(curl_multi_init)                                                                             \
    X(curl_multi_perform)                                                                          \
    X(curl_multi_poll)                                                                             \
    X(curl_multi_remove_handle)                                                                    \
    X(curl_multi_strerror)                                                                         \
    X(curl_multi_wakeup)                                                                           \
    X(curl_slist_append)                                                                           \
    X(curl_slist_free_all)                                                                         \
    X(curl_version_info)

// libcurl's functions, loaded when a game makes its first request.
typedef struct ct_curl_api {
#define CT_CURL_POINTER(name) __typeof__(&name) name;
    CT_CURL_FUNCTIONS(CT_CURL_POINTER)
#undef CT_CURL_POINTER
} ct_curl_api;

// Loads and starts libcurl, once for the life of the process. Returns NULL with an `error` that says what
// to install. Update thread.
const ct_curl_api *ct_curl_load(ct_error *error);
