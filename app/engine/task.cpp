#include "app/engine/task.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace app {

namespace {

template <class T>
inline constexpr bool has_recording = requires(typename T::Result result)
{
    result.recorded;
};

} // namespace

Result run(const Task& task, const TaskContext& context)
{
    return std::visit([&](const auto& one) -> Result { return one.run(context); }, task);
}

std::string name_of(const Task& task)
{
    return std::visit([](const auto& one) { return one.name(); }, task);
}

bool is_of_user(const Task& task)
{
    return std::visit(
        [](const auto& one) {
            if constexpr (requires { one.of_user(); })
                return one.of_user();
            else
                return false;
        },
        task);
}

std::chrono::seconds expected(const Task& task, const MachineFacts& machine)
{
    const double seconds = std::visit([&](const auto& one) { return one.seconds_allowed(machine); }, task);
    return std::chrono::seconds(static_cast<int64_t>(std::min(seconds, any_program)));
}

bool makes_recording(std::size_t place)
{
    return [place]<class... Each>(std::type_identity<std::variant<Each...>>) {
        constexpr std::array<bool, sizeof...(Each)> all{has_recording<Each>...};
        return all.at(place);
    }(std::type_identity<Task>());
}

Failure failure_of(const std::exception& thrown)
{
    if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr)
        return {Failure::Kind::error, "Not enough memory for this; choose a smaller size."};
    if (dynamic_cast<const kernels::Cancelled*>(&thrown) != nullptr)
        return {Failure::Kind::cancelled, thrown.what()};
    const bool unavailable = dynamic_cast<const kernels::Unavailable*>(&thrown) != nullptr;
    return {unavailable ? Failure::Kind::unavailable : Failure::Kind::error, thrown.what()};
}

} // namespace app
