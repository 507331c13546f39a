/* SPDX-License-Identifier: Apache-2.0 */
/* The members of a recording, in the order in which they are written; shared by trace_read.c and trace_write.c. */
#ifndef TARGET_TRACE_MEMBERS_H
#define TARGET_TRACE_MEMBERS_H

#include "target/trace_file.h"

enum member_kind {
    MEMBER_STRING, /* const char *; absent: null or empty */
    MEMBER_TEXT,   /* char[limit]; absent: empty */
    MEMBER_FLAG,   /* bits `limit` of a uint32_t, without a value */
    MEMBER_NUMBER, /* uint32_t, at most `limit`; absent: 0 */
    MEMBER_HASH,   /* uint64_t */
    MEMBER_FILE,
    MEMBER_COMPILER_FLAG,
    MEMBER_RACE,
    MEMBER_ORDERS,
    MEMBER_SCHEDULE,
    MEMBER_PROOF,
    MEMBER_END,
};

struct trace_member {
    const char *name;
    enum member_kind kind;
    size_t at; /* in struct trace_file */
    uint32_t limit;
};

enum { TRACE_MEMBERS = 37, TRACE_PROOF_MOST = 1 << 20 };
extern const struct trace_member trace_members[TRACE_MEMBERS];

#endif
