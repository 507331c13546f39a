/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory of System V. Attached twice, it has two addresses, and an access at one is not known to be one at the other. */
#include "rt/hook.h"
#include "rt/start.h"

#include <sys/shm.h>

enum { ATTACHMENTS = 64 };

static struct attachment {
    int segment;
    const void *at;
} attachments[ATTACHMENTS]; /* of this execution */
static unsigned count;

BEFORE_EACH_EXECUTION(attachments_reset)
{
    count = 0;
}

static void check_attachment(int segment, const void *pc)
{
    for (unsigned k = 0; k < count; k++)
        if (attachments[k].segment == segment)
            engine_give_up(pc, "shmat of a segment that is attached already");
    if (count == ATTACHMENTS)
        engine_give_up(pc, "shmat of more than %d segments", ATTACHMENTS);
}

EXPORT void *shmat(int segment, const void *at, int flags)
{
    bool watched = hook_is_watched(CALLER);
    if (watched)
        check_attachment(segment, CALLER);
    void *result = NEXT(shmat)(segment, at, flags);
    if (watched && result != (void *)-1)
        attachments[count++] = (struct attachment){segment, result};
    return result;
}

EXPORT int shmdt(const void *at)
{
    int result = NEXT(shmdt)(at);
    if (!engine_active || result)
        return result;
    for (unsigned k = count; k-- > 0;)
        if (attachments[k].at == at)
            attachments[k] = attachments[--count];
    return result;
}
