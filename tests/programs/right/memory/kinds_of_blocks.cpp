/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: every way to get memory, with its counterpart */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

struct alignas(64) wide {
    int number;
};
struct with_end {
    ~with_end()
    {
    }
    int number;
};
struct own {
    void *operator new(std::size_t size)
    {
        return std::malloc(size);
    }
    void operator delete(void *block)
    {
        std::free(block);
    }
};

static int *early = new int(3);
static std::string text = "longer than what fits into the object";

static void operators()
{
    delete new int;
    delete[] new int[3];
    delete[] new int[0];
    delete new (std::nothrow) int;
    delete[] new (std::nothrow) int[2];
    delete new wide;
    delete[] new wide[2];
    delete[] new with_end[3];
    delete static_cast<int *>(nullptr);
    delete new own;
    ::operator delete(::operator new(0));
    ::operator delete(::operator new(5, std::align_val_t(32)), std::align_val_t(32));
    int *placed = new (std::malloc(sizeof(int))) int(3);
    std::free(placed);
    std::free(nullptr);
}

static void library()
{
    std::vector<wide> wides(3);
    wides.push_back(wide{1});
    std::map<int, std::string> names;
    names[1] = text + text;
    auto shared = std::make_shared<wide>();
    std::shared_ptr<int[]> array(new int[3]);
    std::unique_ptr<void, void (*)(void *)> block(std::malloc(3), std::free);
    std::function<std::size_t()> size = [wides] { return wides.size(); };
    std::vector<int> numbers{5, 3, 1};
    std::stable_sort(numbers.begin(), numbers.end());
    std::pmr::monotonic_buffer_resource buffer;
    std::pmr::unsynchronized_pool_resource pool(&buffer);
    std::pmr::vector<long> pooled(10, &pool);
    std::free(strdup(text.c_str()));
    if (size() != 4)
        throw names;
}

int main()
{
    operators();
    library();
    delete early;
    early = nullptr;
    try {
        char *volatile large = new char[static_cast<std::size_t>(1) << 60];
        delete[] large;
        return 1;
    } catch (const std::bad_alloc &) {
        return 0;
    }
}
