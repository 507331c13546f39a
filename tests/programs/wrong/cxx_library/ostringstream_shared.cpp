/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <sstream>
#include <thread>

static std::ostringstream log_text;

int main()
{
    std::thread other([] { log_text << "other " << 1 << '\n'; });
    log_text << "main " << 2.5 << '\n';
    other.join();
    return log_text.str().empty();
}
