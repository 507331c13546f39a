/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int argument, answer;

void *compute(void *unused)
{
    answer = argument + 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    argument = 3;
    pthread_create(&t, 0, compute, 0);
    pthread_join(t, 0);
    argument = answer;
    return 0;
}
