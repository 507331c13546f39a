/* SPDX-License-Identifier: Apache-2.0 */
/* Found before the compiler's own header of this name. gcc's atomic_init is a relaxed store there, and an
 * access of the object at the same time would not race with it. To the standard it is not atomic. No include
 * guard: the compiler's header has one. */
#pragma GCC system_header
#include_next <stdatomic.h>
#if !defined __cplusplus && !defined __clang__
#undef atomic_init
#define atomic_init(PTR, VAL)                                                           \
    __extension__({                                                                     \
        __auto_type __plumb_object = (PTR);                                             \
        __typeof__((void)0, *__plumb_object) __plumb_value = (VAL);                     \
        *(__typeof__(__plumb_value) *)(__UINTPTR_TYPE__)__plumb_object = __plumb_value; \
        (void)0;                                                                        \
    })
#endif
