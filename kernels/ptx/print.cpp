// Executes printf, traps, the kernel's notes about its own accesses, and reads of the clock. The output of printf is in
// the order of lanes, and the C library formats it.
#include "ptx/block.h"
#include "ptx/decode.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace ptx {

namespace {

constexpr std::size_t most_printed = 1u << 20, longest_print = 4096; // bytes

// One conversion of a format, such as "%-8.3f".
struct Conversion {
    std::string text;  // with the length modifiers of the host: "%-8.3f", "%lld"
    char kind = '\0';  // 'f', 'd', 's'; '%' prints itself; '\0' if there is none
    int stars = 0;     // number of widths that are arguments
    bool wide = false; // an integer of 8 bytes
};

Conversion conversion_at(std::string_view format)
{
    Conversion result;
    std::size_t at = 1;
    while (at < format.size() &&
           std::string_view("-+ #0123456789.*hlLjzt").find(format[at]) != std::string_view::npos) {
        result.stars += format[at] == '*';
        result.wide = result.wide || format[at] == 'l' || format[at] == 'j' || format[at] == 'z' || format[at] == 't';
        ++at;
    }
    if (at < format.size())
        result.kind = format[at];
    result.text = format.substr(0, at + 1);
    return result;
}

// The arguments of one call. Each number is at a multiple of its size.
class PrintArguments {
public:
    explicit PrintArguments(std::string_view bytes) : bytes_(bytes) {}
    template <class T>
    T take()
    {
        T value{};
        at_ = (at_ + sizeof value - 1) / sizeof value * sizeof value;
        if (at_ + sizeof value <= bytes_.size())
            std::memcpy(&value, bytes_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

template <class T>
std::string written(const std::string& format, const int* stars, int count, T value)
{
    char text[512];
    const char* const words = format.c_str();
    count == 0   ? std::snprintf(text, sizeof text, words, value)
    : count == 1 ? std::snprintf(text, sizeof text, words, stars[0], value)
                 : std::snprintf(text, sizeof text, words, stars[0], stars[1], value);
    return text;
}

// Returns the bytes from an address on. A text ends at its first zero byte, arguments end at the end of local memory.
std::string bytes_at(Warp& warp, const Instruction& instruction, uint64_t from, int lane, bool text)
{
    std::string result;
    while (result.size() < longest_print) {
        const uint64_t address = from + result.size();
        if (!text && address >= local_window + warp.block.program.local_bytes) // arguments are in local memory
            break;
        const char byte = static_cast<char>(*warp.locate(instruction, Space::generic, address, 1, lane, false).bytes);
        if (text && byte == '\0')
            break;
        result += byte;
    }
    return result;
}

// Prints what one lane passes to printf.
void print_lane(Warp& warp, const Instruction& instruction, int lane)
{
    const auto pointer = [&](uint32_t parameter) {
        uint64_t value = 0;
        const uint64_t own = static_cast<uint64_t>(lane) * warp.block.program.local_bytes;
        std::memcpy(&value, warp.local.data() + own + parameter, sizeof value);
        return value;
    };
    const std::string format = bytes_at(warp, instruction, pointer(instruction.in[0]), lane, true);
    const uint64_t from = pointer(instruction.in[1]);
    const std::string bytes = from == 0 ? "" : bytes_at(warp, instruction, from, lane, false);
    PrintArguments arguments(bytes);
    std::string& out = warp.block.printed;
    for (std::size_t at = 0; at < format.size();) {
        if (format[at] != '%') {
            out += format[at++];
            continue;
        }
        const Conversion one = conversion_at(std::string_view(format).substr(at));
        at += one.text.size();
        int stars[2] = {};
        for (int i = 0; i < std::min(one.stars, 2); ++i)
            stars[i] = arguments.take<int>();
        if (one.kind == '%')
            out += '%';
        else if (std::string_view("eEfFgGaA").find(one.kind) != std::string_view::npos)
            out += written(one.text, stars, one.stars, arguments.take<double>());
        else if (one.kind == 's')
            out += bytes_at(warp, instruction, arguments.take<uint64_t>(), lane, true);
        else if (one.kind == 'p')
            out += written(one.text, stars, one.stars, std::bit_cast<void*>(arguments.take<uint64_t>()));
        else if (std::string_view("diouxXc").find(one.kind) != std::string_view::npos)
            out += one.wide ? written(one.text, stars, one.stars, arguments.take<int64_t>())
                            : written(one.text, stars, one.stars, arguments.take<int32_t>());
    }
}

} // namespace

void print(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    for_lanes(mask, [&](int lane) {
        if (warp.block.printed.size() <= most_printed)
            print_lane(warp, instruction, lane);
    });
}

void trap(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if (mask != 0)
        warp.fail(instruction, std::countr_zero(mask),
                  "ends the kernel with a trap: an assertion failed, or __trap() was called", Fault::Kind::trap);
}

// Reads the clock in 32 or 64 bits. With `truth` reads its upper half.
void read_clock(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    uint64_t& clock = warp.block.clock;
    for_lanes(mask,
              [&](int lane) { warp.set(instruction.to.front(), lane, instruction.truth != 0 ? clock >> 32 : clock); });
    ++clock;
}

// Reports an access that the kernel itself describes (see device/watch_probe.h).
void note(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if (!warp.block.watch || mask == 0)
        return;
    const auto first = static_cast<std::size_t>(std::countr_zero(mask));
    const auto word = [&](std::size_t i) { return warp.words(instruction.r[i]); };
    const uint32_t what = word(0)[first];
    traced::Step step{.op = static_cast<recording::Op>(what & 255),
                      .width = static_cast<uint8_t>(what >> 8 & 255),
                      .line = word(4)[first],
                      .noted = word(1)[first] + 1};
    if (step.op == recording::Op::matrix_load)
        step.transposed = what >> 16 != 0 ? recording::Transposed::yes : recording::Transposed::no;
    const uint64_t* const offset = warp.wides(instruction.r[2]);
    for_lanes(mask, [&](int lane) {
        if (word(3)[lane] == 0)
            return;
        step.mask |= 1u << lane;
        step.address[static_cast<std::size_t>(lane)] = offset[lane];
    });
    warp.block.watch(warp.block.linear, warp.number, step);
}

} // namespace ptx
