/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: dfs */
#include <dirent.h>
#include <stddef.h>

int main(void)
{
    DIR *root = opendir("/");
#ifdef RIGHT
    closedir(root);
    root = opendir("/");
    readdir(root);
    closedir(root);
#else
    closedir(root);
    readdir(root);
#endif
    return 0;
}
