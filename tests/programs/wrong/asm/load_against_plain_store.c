/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* machine: x86-64 */
/* races: holds */
/* note: a load in assembly and a plain store in C are not ordered by anything */
#include "../../x86.h"

static uint32_t data;

static void *write_plainly(void *arg)
{
    data = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_plainly, NULL);
    uint32_t found = load_32(&data);
    pthread_join(t, NULL);
    return found == 7;
}
