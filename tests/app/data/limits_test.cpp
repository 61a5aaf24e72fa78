// The limits of fields that files, links and other programs set: the last valid value is accepted, and the next one is
// refused.
#include "app/learn/quiz_file.h"
#include "app/session/file_history.h"
#include "app/workspace/state_file.h"

#include "viz/analysis/access_pattern.h"
#include "viz/views/35_layout/facts.h"

#include "base/fields.h"
#include "error.h"
#include "recording/counted.h"
#include "recording/gpu.h"
#include "recording/launched.h"
#include "recording/warp_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

// Checks a number, or the length of a text, against the limits of one field.
class OneField {
public:
    OneField(std::string_view name, double value) : name_(name), value_(value) {}

    template <class T, class... Limits>
    void operator()(const char* name, const T& field, Limits... limits)
    {
        if (name != name_)
            return;
        ++found;
        check(name, field, limits...);
    }

    int found = 0;

private:
    template <class T, class... Limits>
    void check(const char* name, const T&, Limits... limits) const
    {
        if constexpr (is_optional<T>)
            check(name, typename T::value_type(), limits...);
        else if constexpr (std::is_arithmetic_v<T>)
            kernels::check_limits(name, static_cast<T>(value_), limits...);
        else if constexpr (std::same_as<T, std::string>)
            kernels::check_limits(name, std::string(static_cast<std::size_t>(value_), 'x'), limits...);
        else if constexpr (std::same_as<T, recording::Index3>)
            kernels::check_limits(name, static_cast<uint32_t>(value_), limits...);
        else if constexpr (requires { typename T::mapped_type; })
            kernels::check_limits(name, static_cast<typename T::mapped_type>(value_), limits...);
    }

    std::string_view name_;
    double value_;
};

template <class T>
bool takes(std::string_view name, double number)
try {
    OneField visit(name, number);
    T value{};
    fields(visit, value);
    EXPECT_EQ(visit.found, 1) << name;
    return true;
} catch (const kernels::Error&) {
    return false;
}

// `step` is the difference to the next value.
template <class T>
void expect_between(std::string_view name, double least, double most, double step = 1)
{
    EXPECT_TRUE(takes<T>(name, least) && takes<T>(name, most)) << name;
    EXPECT_FALSE(takes<T>(name, most + step)) << name << " above";
    if (least > 0) {
        EXPECT_FALSE(takes<T>(name, std::max(least - step, 0.0))) << name << " below"; // the field may be unsigned
    }
}

template <class T>
void expect_above_zero(std::string_view name)
{
    EXPECT_TRUE(takes<T>(name, 1e-9)) << name;
    EXPECT_FALSE(takes<T>(name, 0)) << name;
}

TEST(Limits, OfWhatAPersonChooses)
{
    expect_between<app::Settings>("scale", 0.5, 3, 0.01);
    expect_between<app::Settings>("ladder_width", 150, 420);
    expect_between<app::Settings>("source_width", 220, 900);
    expect_between<app::NamedWorker>("name", 1, 40);
    expect_between<app::NamedWorker>("command", 1, 400);
    expect_between<app::Panels>("ladder_width", 0, 4000);
    expect_between<app::Panels>("source_width", 0, 4000);
    expect_between<app::Panels>("source_column", 0, 2);
    expect_between<app::QuizRequest>("count", 1, 500);
    expect_between<app::QuizPlace>("count", 1, 500);
    expect_between<app::QuizPlace>("at", 0, 500);
    expect_between<viz::AccessPattern>("stride", 0, 1024);
    expect_between<viz::AccessPattern>("offset", 0, 4095);
    expect_between<viz::AccessPattern>("padding", 0, 33);
    expect_between<viz::AccessPattern>("xor", 0, 31);
    expect_between<viz::AccessPattern>("row", 1, 32);
    expect_between<viz::AccessPattern>("wavefront", 0, 32);
    expect_between<viz::XorBits>("from", 0, 7);
    expect_between<viz::XorBits>("to", 0, 7);
    expect_between<viz::XorBits>("count", 1, 5);
    expect_between<viz::LayoutOptions>("padding", 0, 32);
}

TEST(Limits, OfWhatWasMeasured)
{
    expect_between<recording::LaunchedKernel>("grid", 1, 0x7fffffff);
    expect_between<recording::LaunchedKernel>("block", 1, 0x7fffffff);
    expect_between<recording::LaunchedKernel>("cluster", 1, 0x7fffffff);
    expect_between<recording::TimedStep>("line", 0, 0xffffff);
    expect_between<recording::TimedWarp>("warp", 0, 31);
    expect_between<recording::TimedWarp>("slot", 0, 63);
    expect_between<recording::WarpTimes>("warps_per_block", 1, 32);
    expect_between<recording::DependentChain>("instructions", 1, 4);
    expect_between<app::FileVersion>("number", 1, 9007199254740992, 1024);
    expect_between<recording::Counters>("counters", 0, 9007199254740992, 1024);
    expect_between<recording::Counters>("percents", 0, 1000, 0.1);
    for (const char* const name : {"ns", "cycles"}) {
        expect_above_zero<recording::ConflictLatency>(name);
        expect_above_zero<recording::DependentChain>(name);
    }
    expect_above_zero<recording::Streaming>("gbps");
    expect_above_zero<recording::WarpTimes>("plain_ms");
    expect_above_zero<recording::WarpTimes>("probed_ms");
    expect_above_zero<app::FileVersion>("gflops");
}

} // namespace
