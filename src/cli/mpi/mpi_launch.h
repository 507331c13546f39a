/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb-mpi --ranks N COMMAND...` starts mpirun by itself: mpirun's exit code is 1 when it is interrupted or loses a machine, which would
 * be taken for *violated*. So rank 0 ends with codes that nothing else has. */
#ifndef CLI_MPI_LAUNCH_H
#define CLI_MPI_LAUNCH_H

#include <stdbool.h>

/* Is it to start mpirun? Its words are $PLUMB_MPIRUN, else "mpirun". */
bool mpi_launch_is_asked(char *const *argv);
int mpi_launch(char **argv);

/* Was the rank started so? The word for it is taken away. */
bool mpi_launch_is_rank(int *argc, char **argv);
/* The exit code of a rank that was. */
int mpi_launch_code(int code);

#endif
