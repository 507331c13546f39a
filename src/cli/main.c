/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/command.h"

int main(int argc, char **argv)
{
    return cli_main(argc > 0 ? argc - 1 : 0, argv + 1);
}
