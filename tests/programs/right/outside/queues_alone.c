/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: what the functions answer, without a second thread */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>

static void posix(void)
{
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 4}, found;
    struct timespec now;
    char text[4];
    unsigned priority;
    mqd_t q = mq_open("/plumb", O_CREAT | O_RDWR | O_NONBLOCK, 0600, &a);
    assert(q >= 0 && mq_open("/plumb", O_CREAT | O_EXCL | O_RDWR, 0600, &a) == -1 && errno == EEXIST);
    assert(mq_send(q, "low", 4, 1) == 0 && mq_send(q, "top", 4, 7) == 0);
    assert(mq_send(q, "too", 4, 7) == -1 && errno == EAGAIN);
    assert(mq_send(q, "longer", 7, 7) == -1 && errno == EMSGSIZE);
    assert(mq_getattr(q, &found) == 0 && found.mq_curmsgs == 2);
    assert(mq_receive(q, text, 4, &priority) == 4 && priority == 7 && strcmp(text, "top") == 0);
    assert(mq_receive(q, text, 4, NULL) == 4 && strcmp(text, "low") == 0);
    a.mq_flags = 0;
    assert(mq_setattr(q, &a, NULL) == 0 && clock_gettime(CLOCK_REALTIME, &now) == 0);
    assert(mq_timedreceive(q, text, 4, NULL, &now) == -1 && errno == ETIMEDOUT);
    assert(mq_close(q) == 0 && mq_close(q) == -1 && mq_unlink("/plumb") == 0 && mq_unlink("/plumb") == -1);
}

static void system_v(void)
{
    struct {
        long type;
        char text[4];
    } m = {2, "two"};
    int q = msgget(77, IPC_CREAT | 0600);
    assert(q >= 0 && msgget(77, 0) == q && msgget(77, IPC_CREAT | IPC_EXCL) == -1);
    assert(msgsnd(q, &m, 4, 0) == 0);
    m.type = 1;
    strcpy(m.text, "one");
    assert(msgsnd(q, &m, 4, 0) == 0);
    assert(msgrcv(q, &m, 4, 3, IPC_NOWAIT) == -1 && errno == ENOMSG);
    assert(msgrcv(q, &m, 2, 0, 0) == -1 && errno == E2BIG);
    assert(msgrcv(q, &m, 4, -2, 0) == 4 && m.type == 1 && strcmp(m.text, "one") == 0);
    assert(msgctl(q, IPC_RMID, NULL) == 0 && msgsnd(q, &m, 4, 0) == -1);
}

static void semaphores(void)
{
    struct sembuf both[] = {{0, -1, IPC_NOWAIT}, {1, -1, IPC_NOWAIT}};
    struct timespec soon = {0, 1000};
    unsigned short values[2] = {1, 0};
    int s = semget(IPC_PRIVATE, 2, 0600);
    assert(s >= 0 && semctl(s, 0, SETALL, values) == 0);
    assert(semop(s, both, 2) == -1 && errno == EAGAIN && semctl(s, 0, GETVAL) == 1);
    assert(semtimedop(s, &(struct sembuf){1, -1, 0}, 1, &soon) == -1 && errno == EAGAIN);
    assert(semctl(s, 1, SETVAL, 1) == 0 && semop(s, both, 2) == 0);
    assert(semop(s, &(struct sembuf){2, 1, 0}, 1) == -1 && errno == EFBIG);
    assert(semop(s, &(struct sembuf){0, 0, 0}, 1) == 0 && semctl(s, 0, IPC_RMID) == 0);
    assert(semctl(s, 0, GETVAL) == -1);
}

int main(void)
{
    posix();
    system_v();
    semaphores();
    return 0;
}
