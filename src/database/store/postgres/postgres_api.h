// postgres_api.h: the functions of libpq that the engine uses, found at run time: no program links it.
#pragma once
#include <libpq-fe.h>

#include "foundation/types.h"

#define CT_POSTGRES_FUNCTIONS(X)                                                                   \
    X(PQbackendPID)                                                                                \
    X(PQclear)                                                                                     \
    X(PQconnectPoll)                                                                               \
    X(PQconnectStartParams)                                                                        \
    X(PQconninfoFree)                                                                              \
    X(PQconninfoParse)                                                                             \
    X(PQconsumeInput)                                                                              \
    X(PQenterPipelineMode)                                                                         \
    X(PQerrorMessage)                                                                              \
    X(PQexitPipelineMode)                                                                          \
    X(PQfinish)                                                                                    \
    X(PQflush)                                                                                     \
    X(PQfname)                                                                                     \
    X(PQfreemem)                                                                                   \
    X(PQgetResult)                                                                                 \
    X(PQgetisnull)                                                                                 \
    X(PQgetlength)                                                                                 \
    X(PQgetvalue)                                                                                  \
    X(PQisBusy)                                                                                    \
    X(PQlibVersion)                                                                                \
    X(PQnfields)                                                                                   \
    X(PQnotifies)                                                                                  \
    X(PQntuples)                                                                                   \
    X(PQpipelineSync)                                                                              \
    X(PQputCopyData)                                                                               \
    X(PQputCopyEnd)                                                                                \
    X(PQresultErrorField)                                                                          \
    X(PQresultErrorMessage)                                                                        \
    X(PQresultStatus)                                                                              \
    X(PQsendPrepare)                                                                               \
    X(PQsendQuery)                                                                                 \
    X(PQsendQueryParams)                                                                           \
    X(PQsendQueryPrepared)                                                                         \
    X(PQsetNoticeReceiver)                                                                         \
    X(PQsetnonblocking)                                                                            \
    X(PQsocket)                                                                                    \
    X(PQstatus)

// libpq's functions, loaded when a program connects to its first server.
typedef struct ct_postgres_api {
#define CT_POSTGRES_POINTER(name) __typeof__(&name) name;
    CT_POSTGRES_FUNCTIONS(CT_POSTGRES_POINTER)
#undef CT_POSTGRES_POINTER
} ct_postgres_api;

// Loads libpq, once for the life of the process. Returns NULL with an `error` that says what to install. The first
// call must have returned before another thread makes one.
const ct_postgres_api *ct_postgres_load(ct_error *error);
