/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: dfs */
/* note: what the library copies with a known length is read, too */
#include <algorithm>
#include <thread>

static int source[8] = {1, 2, 3}, target[8];

int main()
{
    std::thread reader([] { std::copy_n(source, 3, target); });
    std::thread writer([] { source[2] = 5; });
    reader.join();
    writer.join();
    return target[0] - 1;
}
