/* SPDX-License-Identifier: Apache-2.0 */
/* An error found in what the user gave us: where, what, and a stable code.
 * The library fills one in; only the command line prints it, in the form
 * `file:line:col: error: message [PL0123]`. */
#ifndef BASE_DIAGNOSTIC_H
#define BASE_DIAGNOSTIC_H

#include <stdint.h>

struct diagnostic {
    char file[256];
    uint64_t line, column; /* 0: unknown */
    int code;              /* PL number; 0: no error */
    char message[512];
};

/* Fills in everything but the place's file. Returns false, so that a failing
 * function can end with `return diagnostic_set(...)`. */
_Bool diagnostic_set(struct diagnostic *d, int code, uint64_t line, uint64_t column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Stable codes; docs/errors.md lists them for users. */
enum {
    PL_NO_MEMORY = 1,
    PL_USAGE = 2,
    PL_CANNOT_OPEN = 3,
    PL_TIME = 4, /* --time was over before there was anything to judge */
    PL_INTERNAL = 70,
    PL_SYNTAX = 101,       /* not the JSON we read */
    PL_BAD_FIELD = 102,    /* a member is missing, unknown, repeated or of the wrong kind */
    PL_NUMBER_RANGE = 103, /* a number beyond 64 bits or with a fraction */
    PL_RETURN_BEFORE_CALL = 104,
    PL_TWO_OPEN = 105, /* a thread has two operations open at once */
    PL_EMPTY_FILE = 106,
    PL_UNKNOWN_OPERATION = 107,
    PL_BAD_ARGUMENT = 108,   /* an argument or result the specification does not have */
    PL_NO_SPEC = 109,        /* no specification named and none can be inferred */
    PL_TOO_LARGE = 110,      /* more operations than this version can number */
    PL_UNKNOWN_FORMAT = 111, /* not a history in any format that is read */
    PL_BAD_EDN = 112,
    PL_BAD_BINARY = 113, /* a binary history with wrong content */
    PL_CANNOT_SAY = 114, /* a history with something that the format to write has no words for */
    PL_BAD_SPEC = 120,   /* the user's specification lacks something or breaks a law */
    PL_NO_CALL = 121,    /* a stream: a return without a call that it belongs to */
    PL_TIME_BACK = 122,  /* a stream: an event is earlier than the one before it */
    PL_NOT_LINEARIZABLE = 201,
    PL_EXECUTION = 202,      /* an execution of the program went wrong */
    PL_UNINITIALISED = 203,  /* so that it reads memory that was never written */
    PL_POINTS = 204,         /* ordering points of a specification in comments contradict each other */
    PL_CONDITION = 205,      /* a condition of one does not hold */
    PL_SYNC = 206,           /* a call does not happen before another one, as it should */
    PL_BUILD = 401,          /* the program under test does not build */
    PL_CANNOT_RUN = 402,     /* or cannot be run */
    PL_BAD_TRACE = 403,      /* not a recorded execution */
    PL_BAD_CHECKPOINT = 404, /* not the state of this exploration */
    PL_BAD_SHARD = 410,      /* not a result of a shard, or not one of these shards */
    PL_HARNESS = 405,        /* a harness or a test of its operations is wrong */
    PL_SUPPRESSION = 407,    /* a rule of --suppress is not one */
    PL_ANNOTATION = 408,     /* a specification in comments is wrong */
    PL_TASK = 409,           /* a task of SV-COMP is not one */
    PL_COMPDB = 411,         /* a compilation database is wrong, or has no flags for the files */
    PL_SPEC_FAILED = 406,    /* the user's specification crashed or did not return */
    PL_LITMUS_SYNTAX = 501,
    PL_LITMUS_UNSUPPORTED = 502, /* a litmus test with something this version does not judge */
    PL_LITMUS_RACE = 503,        /* a litmus test with a data race */
    PL_MODEL_SYNTAX = 601,
    PL_MODEL_UNSUPPORTED = 602, /* Promela, but outside the subset that is read */
    PL_MODEL_MEANING = 603,     /* an undeclared name, a wrong number of arguments, ... */
    PL_MODEL_ITEMS = 604,       /* a model that looks into items */
    PL_AUT_SYNTAX = 611,        /* not a transition system in Aldebaran form */
};

#endif
