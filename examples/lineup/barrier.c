/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier: participants work in phases, and nobody starts the next phase before all have finished this one.
 *
 *     signal_and_wait          this participant is done; waits for the others and answers the phase that has
 *                              ended; "cancelled"; "error" if there are no participants
 *     participants_remaining   how many have not signalled in this phase
 *     participant_count        how many participants there are
 *     add_participant          one more; answers the current phase
 *     remove_participant       one less, which has not signalled; "error" if there is no such
 *     current_phase_number     counts the phases from 0
 *     cancel_token             from now on nobody waits; those who do take their signal back
 *
 * There are two participants at the start.
 *
 * Root cause L, intended: signal_and_wait is not linearizable and cannot be. Each of the two calls below
 * waits for the other, so neither can be finished before the other begins, which is what a serial order asks
 * for.
 *
 *     plumb check barrier.c --test 'signal_and_wait | signal_and_wait'
 *
 * Both return; in every serial order the first one waits forever. Tests without signal_and_wait pass.
 */
#include <plumb.h>

#include <pthread.h>

enum { NO_PHASE = -1, NOBODY = -2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int participants = 2, signalled, phase;
static bool cancelled;

static void end_phase_if_complete(void)
{
    if (signalled == 0 || signalled < participants)
        return;
    signalled = 0;
    phase++;
    pthread_cond_broadcast(&changed);
}

/* The phase that has ended, or NO_PHASE: cancelled. */
static int wait_for_others(void)
{
    int mine = phase;
    signalled += !cancelled;
    end_phase_if_complete();
    while (phase == mine && !cancelled)
        pthread_cond_wait(&changed, &lock);
    return phase == mine ? NO_PHASE : mine;
}

static int barrier_signal_and_wait(void)
{
    pthread_mutex_lock(&lock);
    int ended = participants > 0 ? wait_for_others() : NOBODY;
    pthread_mutex_unlock(&lock);
    return ended;
}

static int barrier_add_participant(void)
{
    pthread_mutex_lock(&lock);
    participants++;
    int current = phase;
    pthread_mutex_unlock(&lock);
    return current;
}

static bool barrier_remove_participant(void)
{
    pthread_mutex_lock(&lock);
    bool possible = participants > signalled;
    if (possible) {
        participants--;
        end_phase_if_complete();
    }
    pthread_mutex_unlock(&lock);
    return possible;
}

/* Nobody is left waiting, so no signal counts any more. */
static void barrier_cancel(void)
{
    pthread_mutex_lock(&lock);
    cancelled = true;
    signalled = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* ---- harness ---- */

PLUMB_OBJECT()

static plumb_value locked_int(const int *number, const int *minus)
{
    pthread_mutex_lock(&lock);
    int n = *number - (minus ? *minus : 0);
    pthread_mutex_unlock(&lock);
    return PLUMB_INT(n);
}

PLUMB_OP(participants_remaining)
{
    return locked_int(&participants, &signalled);
}

PLUMB_OP(signal_and_wait)
{
    int ended = barrier_signal_and_wait();
    if (ended < 0)
        return PLUMB_STRING(ended == NOBODY ? "error" : "cancelled");
    return PLUMB_INT(ended);
}

PLUMB_OP(remove_participant)
{
    return barrier_remove_participant() ? PLUMB_OK : PLUMB_STRING("error");
}

PLUMB_OP(cancel_token)
{
    barrier_cancel();
    return PLUMB_OK;
}

PLUMB_OP(current_phase_number)
{
    return locked_int(&phase, NULL);
}

PLUMB_OP(participant_count)
{
    return locked_int(&participants, NULL);
}

PLUMB_OP(add_participant)
{
    return PLUMB_INT(barrier_add_participant());
}
