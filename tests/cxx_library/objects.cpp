/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <any>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <memory_resource>
#include <optional>
#include <random>
#include <shared_mutex>
#include <stop_token>
#include <system_error>
#include <tuple>
#include <variant>
#include <vector>

using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;
using tuple = std::tuple<int, long>;
using variant = std::variant<int, long>;
using pool = std::pmr::unsynchronized_pool_resource;

struct auto_shared {
    std::shared_ptr<int> p = std::make_shared<int>(0);
};
using pair_of_int = std::pair<int, int>;
struct joined_late {
    std::thread t{[] {}};
    void join()
    {
        if (t.joinable())
            t.join();
    }
    ~joined_late() { join(); }
};

CASE(shared_ptr_reset, auto_shared p, p.p.reset(), auto q = p.p)
CASE(shared_ptr_object, auto_shared p, *p.p = 1, use(*p.p))
CASE(shared_ptr_assigned, auto_shared p, p.p = std::make_shared<int>(1), use(p.p.get()))
CASE(weak_ptr_reset, auto_shared p; std::weak_ptr<int> w{p.p}, w.reset(), use(w.lock()))
CASE(unique_ptr_moved, std::unique_ptr<int> p{new int(1)}, auto q = std::move(p), use(p.get()))
CASE(function_assigned, std::function<int()> f{[] { return 1; }}, f = [] { return 2; }, use(f()))
CASE(optional_emplaced, std::optional<int> o, o.emplace(1), use(o.has_value()))
CASE(optional_value, std::optional<int> o{1}, o = 2, use(*o))
CASE(variant_emplaced, variant v, v.emplace<long>(1), use(v.index()))
CASE(variant_visited, variant v{1}, v = 2, std::visit([](auto x) { use(x); }, v))
CASE(any_assigned, std::any a{1}, a = 2L, use(a.has_value()))
CASE(any_cast_against_reset, std::any a{1}, a.reset(), use(std::any_cast<int>(&a)))
CASE(tuple_element, tuple t, std::get<1>(t) = 1, use(std::get<1>(t)))
CASE(pair_swap, pair_of_int p; pair_of_int q, p.swap(q), use(p.first))
CASE(time_point_shared, clock_type::time_point t, auto n = clock_type::now(); t = n, use(t.time_since_epoch().count()))
CASE(duration_shared, std::chrono::milliseconds d{1}, d += 2ms, use(d.count()))
CASE(exception_ptr_assigned, std::exception_ptr p, p = std::make_exception_ptr(1), use(p != nullptr))
CASE(error_code_assigned, std::error_code e, e = std::make_error_code(std::errc::io_error), use(e.value()))
CASE(promise_moved, std::promise<int> p, auto q = std::move(p), use((p = std::promise<int>(), 1)))
CASE(future_moved, std::future<int> f{std::promise<int>().get_future()}, auto g = std::move(f), use(f.valid()))
CASE(packaged_task_reset, std::packaged_task<int()> t{[] { return 1; }}, t.reset(), use(t.valid()))
CASE(thread_joined, joined_late t, t.join(), use(t.t.joinable()))
CASE(stop_source_assigned, std::stop_source s, s = std::stop_source(), use(s.stop_possible()))
CASE(unique_lock_shared, std::unique_lock<std::mutex> l; std::unique_lock<std::mutex> k, l.swap(k), use(l.owns_lock()))
CASE(engine_of_random_numbers, std::mt19937 e{1}, use(e()), use(e()))
CASE(pool_resource, pool r, use(r.allocate(8)), use(r.allocate(8)))
CASE(pool_resource_freed, pool r; void *p{r.allocate(8)}, r.deallocate(p, 8), use(r.allocate(8)))
CASE(pool_resource_released, pool r; void *p{r.allocate(8)}, r.release(), use(r.allocate(8)))
CASE(monotonic_resource, std::pmr::monotonic_buffer_resource r, use(r.allocate(8)), use(r.allocate(8)))
CASE(monotonic_released, std::pmr::monotonic_buffer_resource r, r.release(), use(r.allocate(8)))
CASE(pmr_vector, pool r; std::pmr::vector<int> v{&r}, v.push_back(1), use(v.size()))

CASES(ENTRY(shared_ptr_reset), ENTRY(shared_ptr_object), ENTRY(shared_ptr_assigned), ENTRY(weak_ptr_reset),
      ENTRY(unique_ptr_moved), ENTRY(function_assigned), ENTRY(optional_emplaced), ENTRY(optional_value),
      ENTRY(variant_emplaced), ENTRY(variant_visited), ENTRY(any_assigned), ENTRY(any_cast_against_reset),
      ENTRY(tuple_element), ENTRY(pair_swap), ENTRY(time_point_shared), ENTRY(duration_shared),
      ENTRY(exception_ptr_assigned), ENTRY(error_code_assigned), ENTRY(promise_moved), ENTRY(future_moved),
      ENTRY(packaged_task_reset), ENTRY(thread_joined), ENTRY(stop_source_assigned),
      ENTRY(unique_lock_shared), ENTRY(engine_of_random_numbers), ENTRY(pool_resource),
      ENTRY(pool_resource_freed), ENTRY(pool_resource_released), ENTRY(monotonic_resource),
      ENTRY(monotonic_released), ENTRY(pmr_vector))
