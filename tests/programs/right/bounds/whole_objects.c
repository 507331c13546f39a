/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: arrays of all kinds are used up to their ends, by pointers that go one further */
#include <pthread.h>
#include <string.h>

struct pair {
    int first[2], second;
};

static int table[8];
static const char word[4] = {'w', 'o', 'r', 'd'};

static void fill(int *to, const int *end)
{
    while (to != end)
        *to++ = 1;
}

static int sum(const char *text, int n)
{
    int all = 0;
    while (n--)
        all += *text++;
    return all;
}

static void *run(void *slots)
{
    struct pair pairs[2];
    int n = ((int *)slots)[0] + 3, *block = __builtin_alloca(12), variable[n];
    fill(slots, (int *)slots + 8);
    fill(table, table + 8);
    fill(pairs[0].first, &pairs[1].second + 1);
    fill(variable, variable + n);
    fill(block, block + 3);
    for (int i = 1; i < 4; i++) {
        int each[i];
        fill(each, each + i);
    }
    memset(pairs, 0, sizeof pairs);
    return sum(word, 4) + sum("text", 5) ? slots : NULL;
}

int main(void)
{
    int slots[8] = {0};
    pthread_t t;
    pthread_create(&t, NULL, run, slots);
    pthread_join(t, NULL);
    return slots[0] != 1;
}
