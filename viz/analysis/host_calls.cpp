#include "viz/analysis/host_calls.h"

#include <algorithm>
#include <array>
#include <utility>

namespace viz {

namespace {

struct Spelling {
    std::string_view words;
    HostStep step;
};
// If the spelling of one call begins with that of another, the longer one must be first.
constexpr Spelling spellings[] = {{"cudaMallocHost(", HostStep::allocate_host},
                                  {"cudaMalloc(", HostStep::allocate_device},
                                  {"malloc(", HostStep::allocate_host},
                                  {"cudaMemcpy(", HostStep::copy_in}, // or copy_out, depending on its last argument
                                  {"<<<", HostStep::launch},
                                  {"cudaDeviceSynchronize(", HostStep::synchronize},
                                  {"cudaFreeHost(", HostStep::release},
                                  {"cudaFree(", HostStep::release},
                                  {"free(", HostStep::release}};

// Returns the text with blanks instead of comments. Lines and positions stay the same.
std::string without_comments(std::string_view source)
{
    std::string text(source);
    for (std::size_t at = 0; (at = text.find('/', at)) != std::string::npos; ++at) {
        const bool to_line = text.compare(at, 2, "//") == 0;
        if (!to_line && text.compare(at, 2, "/*") != 0)
            continue;
        const std::size_t close = to_line ? text.find('\n', at) : text.find("*/", at + 2);
        const std::size_t end = close == std::string::npos ? text.size() : close + (to_line ? 0 : 2);
        for (std::size_t i = at; i < end; ++i)
            if (text[i] != '\n')
                text[i] = ' ';
    }
    return text;
}

bool is_name(char one)
{
    return one == '_' || (one >= '0' && one <= '9') || (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
}

// Returns the whole statement around a position. Each run of blanks becomes one blank.
std::string statement_at(const std::string& text, std::size_t at)
{
    const std::size_t before = text.find_last_of(";{}", at), end = std::min(text.find(';', at), text.size());
    std::string words;
    for (std::size_t i = before == std::string::npos ? 0 : before + 1; i < end; ++i) {
        const bool blank = text[i] == ' ' || text[i] == '\n' || text[i] == '\t';
        if (!blank)
            words += text[i];
        else if (!words.empty() && words.back() != ' ')
            words += ' ';
    }
    return words;
}

// Returns where main() begins; npos if there is none.
std::size_t main_of(const std::string& text)
{
    for (std::size_t at = 0; (at = text.find("main(", at)) != std::string::npos; ++at)
        if (at == 0 || !is_name(text[at - 1]))
            return at;
    return std::string::npos;
}

} // namespace

std::string_view name(HostStep step)
{
    constexpr std::array<std::string_view, 7> names{"allocate on host", "allocate on device", "copy in", "launch",
                                                    "synchronize",      "copy out",           "free"};
    return names[static_cast<std::size_t>(step)];
}

std::vector<HostCall> host_calls(std::string_view source)
{
    const std::string text = without_comments(source);
    std::vector<HostCall> calls;
    for (std::size_t at = main_of(text); at < text.size(); ++at) {
        const auto found = std::ranges::find_if(spellings, [&](const Spelling& one) {
            return text.compare(at, one.words.size(), one.words) == 0 &&
                   (at == 0 || !is_name(one.words.front()) || !is_name(text[at - 1]));
        });
        if (found == std::end(spellings))
            continue;
        HostCall call{.step = found->step,
                      .line = static_cast<uint32_t>(
                          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')),
                      .code = statement_at(text, at)};
        if (call.step == HostStep::copy_in && call.code.find("DeviceToHost") != std::string::npos)
            call.step = HostStep::copy_out;
        if (!calls.empty() && calls.back().step == call.step)
            ++calls.back().calls;
        else
            calls.push_back(std::move(call));
        at += found->words.size() - 1;
    }
    const bool launches = std::ranges::find(calls, HostStep::launch, &HostCall::step) != calls.end();
    return launches ? calls : std::vector<HostCall>();
}

std::vector<HostCall> host_calls_of(const recording::Recording& recording)
{
    return host_calls(recording.source().text);
}

HostTimes host_times(const std::vector<HostCall>& calls)
{
    using Doing = HostInterval::Doing;
    constexpr double call_time = 2, launch_time = 1.5, copy_time = 2.5, kernel_time = 4.5;
    HostTimes times;
    double now = 0, idle = 0; // the host's time, and the time from which the device is idle
    const auto host = [&](Doing doing, double until, std::size_t call) {
        if (until > now)
            times.host.push_back({doing, now, until, call});
        now = std::max(now, until);
    };
    for (std::size_t i = 0; i < calls.size(); ++i)
        switch (calls[i].step) {
        case HostStep::launch:
            host(Doing::works, now + launch_time, i);
            idle = std::max(idle, now);
            times.device.push_back({Doing::computes, idle, idle + kernel_time, i});
            idle += kernel_time;
            break;
        case HostStep::synchronize: host(Doing::waits, std::max(idle, now + 1), i); break;
        case HostStep::copy_in:
        case HostStep::copy_out:
            host(Doing::waits, idle, i);
            times.device.push_back({Doing::copies, now, now + copy_time, i});
            host(Doing::copies, now + copy_time, i);
            idle = now;
            break;
        case HostStep::allocate_host:
        case HostStep::allocate_device:
        case HostStep::release: host(Doing::works, now + call_time, i); break;
        }
    times.end = std::max(now, idle);
    return times;
}

} // namespace viz
