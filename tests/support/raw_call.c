/* SPDX-License-Identifier: Apache-2.0 */
/* A system call that the runtime does not see: for misbehave.c, compiled without plumb-cc. */
long raw_call(long number, long a, long b, long c);

long raw_call(long number, long a, long b, long c)
{
    long result;
#if defined(__x86_64__)
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
#else
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    result = x0;
#endif
    return result;
}
