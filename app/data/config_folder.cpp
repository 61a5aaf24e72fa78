#include "app/data/config_folder.h"

#include "recording/disk.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdlib>

namespace app {

namespace {

std::filesystem::path own_folder(const char* variable, const char* below_home)
{
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0')
        return std::filesystem::path(folder) / "gemmscope";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return std::filesystem::path(home) / below_home / "gemmscope";
    return {};
}

} // namespace

std::filesystem::path config_folder()
{
    return own_folder("XDG_CONFIG_HOME", ".config");
}

std::filesystem::path data_folder()
{
    return own_folder("XDG_DATA_HOME", ".local/share");
}

std::filesystem::path own_stages_folder()
{
    if (const char* folder = std::getenv("GEMMSCOPE_STAGES"); folder != nullptr && *folder != '\0')
        return folder;
    const std::filesystem::path data = data_folder();
    return data.empty() ? data : data / "stages";
}

std::filesystem::path unpacked_folder()
{
    const std::filesystem::path folder = data_folder();
    return folder.empty() ? folder : folder / "opened";
}

bool is_unpacked(const std::filesystem::path& file)
{
    std::error_code unknown;
    const std::filesystem::path inside = std::filesystem::relative(file, unpacked_folder(), unknown);
    return !unknown && !inside.empty() && *inside.begin() != "..";
}

void write_kept(const std::filesystem::path& file, std::string_view text)
{
    std::error_code ignored; // the write below reports the error
    std::filesystem::create_directories(file.parent_path(), ignored);
    recording::write_atomically(file, text);
}

namespace {

constexpr std::array<uint32_t, 256> make_table()
{
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = value >> 1 ^ ((value & 1) != 0 ? 0xedb88320u : 0u);
        table[i] = value;
    }
    return table;
}

} // namespace

uint32_t crc32(std::span<const std::byte> bytes)
{
    static constexpr std::array<uint32_t, 256> table = make_table();
    uint32_t value = ~0u;
    for (const std::byte byte : bytes)
        value = value >> 8 ^ table[(value ^ static_cast<uint32_t>(byte)) & 255];
    return ~value;
}

namespace {

using Wide = unsigned __int128;

// Returns the first 32 fractional bits of a prime's square root or cube root. The standard defines its constants this
// way.
constexpr uint32_t fraction_of_root(uint32_t prime, int degree)
{
    const Wide wanted = Wide{prime} << (32 * degree);
    Wide root = 0;
    for (int bit = 40; bit >= 0; --bit) {
        const Wide larger = root | Wide{1} << bit;
        const Wide square = larger * larger;
        if ((degree == 2 ? square : square * larger) <= wanted)
            root = larger;
    }
    return static_cast<uint32_t>(root);
}

template <std::size_t count>
constexpr std::array<uint32_t, count> fractions_of_roots(int degree)
{
    std::array<uint32_t, count> result{};
    std::size_t found = 0;
    for (uint32_t number = 2; found < count; ++number) {
        bool prime = true;
        for (uint32_t divisor = 2; divisor * divisor <= number; ++divisor)
            prime = prime && number % divisor != 0;
        if (prime)
            result[found++] = fraction_of_root(number, degree);
    }
    return result;
}

using HashState = std::array<uint32_t, 8>;
constexpr HashState first_state = fractions_of_roots<8>(2);
constexpr std::array<uint32_t, 64> round_constants = fractions_of_roots<64>(3);

// Adds one block of 64 bytes.
void add(HashState& state, std::string_view block)
{
    std::array<uint32_t, 64> words{};
    for (std::size_t i = 0; i < block.size(); ++i)
        words[i / 4] = words[i / 4] << 8 | static_cast<unsigned char>(block[i]);
    for (std::size_t i = 16; i < words.size(); ++i) {
        const uint32_t before = words[i - 15], late = words[i - 2];
        words[i] = words[i - 16] + (std::rotr(before, 7) ^ std::rotr(before, 18) ^ before >> 3) + words[i - 7] +
                   (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const uint32_t from_e = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                                round_constants[i] + words[i];
        const uint32_t from_a = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + from_e;
        d = c, c = b, b = a, a = from_e + from_a;
    }
    const HashState added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i] += added[i];
}

} // namespace

std::string sha256(std::string_view bytes)
{
    constexpr std::size_t block = 64;
    HashState state = first_state;
    std::string_view left = bytes;
    for (; left.size() >= block; left.remove_prefix(block))
        add(state, left.substr(0, block));
    // The padding is a one bit, zeros, and the length in bits in the last eight bytes.
    std::string end(left);
    end += '\x80';
    end.resize((end.size() + 8 + block - 1) / block * block);
    for (std::size_t i = 0; i < 8; ++i)
        end[end.size() - 1 - i] = static_cast<char>(uint64_t{bytes.size()} * 8 >> 8 * i);
    for (std::size_t at = 0; at < end.size(); at += block)
        add(state, std::string_view(end).substr(at, block));
    std::string digits;
    for (const uint32_t word : state)
        digits += fmt::format("{:08x}", word);
    return digits;
}

} // namespace app
