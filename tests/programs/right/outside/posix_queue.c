/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sys/stat.h>
static int data;
static mqd_t q;
static void *producer(void *u)
{
    data = 1;
    char m = 'x';
    mq_send(q, &m, 1, 0);
    return 0;
}
int main(void)
{
    pthread_t t;
    char m[8];
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 8};
    q = mq_open("/plumbq", O_CREAT | O_RDWR, 0600, &a);
    assert(q != (mqd_t)-1);
    pthread_create(&t, 0, producer, 0);
    mq_receive(q, m, 8, 0);
    assert(data == 1);
    pthread_join(t, 0);
    mq_close(q);
    mq_unlink("/plumbq");
}
