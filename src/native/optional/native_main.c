/* SPDX-License-Identifier: Apache-2.0 */
/* An object of its own in the library: a program with a main function of its own is linked without it. */
#include "native/native_process.h"

__attribute__((visibility("default"))) int main(void);
int main(void)
{
    return plumb_stress_main();
}
