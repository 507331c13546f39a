/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a full queue makes its sender wait; what is received is what was sent, in order */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static mqd_t q;

static void *send_all(void *unused)
{
    for (char k = 0; k < 3; k++)
        assert(mq_send(q, &k, 1, 0) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    char got;
    struct mq_attr a = {.mq_maxmsg = 1, .mq_msgsize = 1};
    q = mq_open("/plumb", O_CREAT | O_RDWR, 0600, &a);
    pthread_create(&t, NULL, send_all, NULL);
    for (char k = 0; k < 3; k++)
        assert(mq_receive(q, &got, 1, NULL) == 1 && got == k);
    pthread_join(t, NULL);
    return 0;
}
