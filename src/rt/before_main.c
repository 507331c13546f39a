/* SPDX-License-Identifier: Apache-2.0 */
/* What the program does before main, where the engine does not look on. */
#include "rt/hook.h"

#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

static enum { NOTHING, SOMETHING, ASKED } noted;

static _Unwind_Reason_Code look_for_library(struct _Unwind_Context *frame, void *found)
{
    Dl_info info;
    if (dladdr((void *)_Unwind_GetIP(frame), &info) && info.dli_fname && strstr(info.dli_fname, "libstdc++"))
        *(bool *)found = true;
    return *(bool *)found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Streams of C++ are made by functions of templates, which the program may have, too. */
void hook_note_before(const void *pc)
{
    bool by_library = false;
    if (noted != NOTHING || !snapshot_is_program(pc))
        return;
    _Unwind_Backtrace(look_for_library, &by_library);
    if (!by_library)
        noted = SOMETHING;
}

bool hook_ran_before(void)
{
    bool ran = noted == SOMETHING;
    noted = ASKED;
    return ran;
}
