/* SPDX-License-Identifier: Apache-2.0 */
#include <atomic>
#include <thread>

struct picture {
    std::atomic<int> owners{2};
    int size = 640;
};

static void release(picture *p)
{
    p->owners.fetch_sub(1);
    if (p->owners.load() == 0)
        delete p;
}

int main()
{
    picture *p = new picture;
    std::thread other(release, p);
    release(p);
    other.join();
    return 0;
}
