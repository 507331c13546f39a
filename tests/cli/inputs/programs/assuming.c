/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= LEAST);
    assert(n < MOST);
    return 0;
}
