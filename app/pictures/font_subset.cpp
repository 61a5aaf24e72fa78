#include "app/pictures/font_subset.h"

#include "error.h"
#include "fonts.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace app {

namespace {

using Glyphs = std::set<uint16_t>;
using Tables = std::map<std::string, std::string>;

[[noreturn]] void refuse()
{
    throw kernels::Error("A font of this build of gemmscope is damaged; build it again.");
}

// Big-endian, as all of OpenType is.
uint32_t number(std::string_view bytes, std::size_t at, std::size_t count)
{
    if (at > bytes.size() || count > bytes.size() - at)
        refuse();
    uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

void put(std::string& bytes, uint32_t value, std::size_t count)
{
    for (std::size_t i = count; i-- > 0;)
        bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

void put_at(std::string& bytes, std::size_t at, uint32_t value, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        bytes.at(at + i) = static_cast<char>(value >> (8 * (count - 1 - i)) & 0xff);
}

std::string_view part(std::string_view bytes, std::size_t at, std::size_t length)
{
    if (at > bytes.size() || length > bytes.size() - at)
        refuse();
    return bytes.substr(at, length);
}

Tables tables_of(std::string_view font)
{
    Tables tables;
    const uint32_t count = number(font, 4, 2);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t entry = 12 + 16 * i;
        tables.emplace(part(font, entry, 4), part(font, number(font, entry + 8, 4), number(font, entry + 12, 4)));
    }
    return tables;
}

// Which glyph a character has by the font's own table, of format 4: the plane that all of ours lie in. 0: it has none.
uint16_t glyph_of(std::string_view cmap, char32_t character)
{
    const uint32_t count = number(cmap, 2, 2);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = number(cmap, 4 + 8 * i + 4, 4);
        if (number(cmap, at, 2) != 4)
            continue;
        const std::size_t segments = number(cmap, at + 6, 2) / 2, ends = at + 14, begins = ends + 2 * segments + 2,
                          deltas = begins + 2 * segments, ranges = deltas + 2 * segments;
        for (std::size_t s = 0; s < segments; ++s) {
            const uint32_t begin = number(cmap, begins + 2 * s, 2), range = number(cmap, ranges + 2 * s, 2);
            if (character > number(cmap, ends + 2 * s, 2))
                continue;
            if (character < begin)
                return 0;
            const uint32_t delta = number(cmap, deltas + 2 * s, 2);
            if (range == 0)
                return static_cast<uint16_t>(character + delta);
            const uint32_t glyph = number(cmap, ranges + 2 * s + range + 2 * (character - begin), 2);
            return static_cast<uint16_t>(glyph == 0 ? 0 : glyph + delta);
        }
    }
    return 0;
}

// A segment for each character, and the one that ends the table.
std::string cmap_of(const std::map<char32_t, uint16_t>& glyphs)
{
    const auto segments = static_cast<uint32_t>(glyphs.size() + 1);
    uint32_t power = 1, log = 0;
    while (power * 2 <= segments)
        power *= 2, ++log;
    std::string ends, begins, deltas;
    for (const auto& [character, glyph] : glyphs) {
        put(ends, character, 2);
        put(begins, character, 2);
        put(deltas, glyph - static_cast<uint32_t>(character), 2);
    }
    std::string table;
    for (const uint32_t word : {0u, 1u, 3u, 1u})
        put(table, word, 2); // one table, for Windows' Unicode
    put(table, 12, 4);
    for (const uint32_t word : {4u, 16 + 8 * segments, 0u, 2 * segments, 2 * power, log, 2 * (segments - power)})
        put(table, word, 2);
    table += ends + std::string("\xff\xff\0\0", 4) + begins + "\xff\xff" + deltas + std::string("\0\1", 2);
    return table + std::string(2 * std::size_t{segments}, '\0');
}

// Of an INDEX of CFF: where its last byte ends.
std::size_t end_of_index(std::string_view cff, std::size_t at)
{
    const uint32_t count = number(cff, at, 2);
    if (count == 0)
        return at + 2;
    const uint32_t size = number(cff, at + 2, 1);
    return at + 2 + (count + 1) * std::size_t{size} + number(cff, at + 3 + count * std::size_t{size}, size);
}

// The offset of the glyphs' programs: operator 17 of the top dictionary.
std::size_t charstrings_at(std::string_view cff)
{
    const std::size_t top = end_of_index(cff, number(cff, 2, 1));
    const uint32_t size = number(cff, top + 2, 1);
    std::size_t at = top + 3 + 2 * std::size_t{size};
    const std::size_t end = end_of_index(cff, top);
    uint32_t operand = 0;
    while (at < end) {
        const uint32_t first = number(cff, at, 1);
        if (first == 17)
            return operand;
        if (first == 28)
            operand = number(cff, at + 1, 2), at += 3;
        else if (first == 29)
            operand = number(cff, at + 1, 4), at += 5;
        else if (first == 30) { // a real number, until a half byte of ones
            while ((number(cff, ++at, 1) & 0xf) != 0xf) {
            }
            ++at;
        } else if (first >= 247 && first <= 250)
            operand = (first - 247) * 256 + number(cff, at + 1, 1) + 108, at += 2;
        else if (first >= 251)
            at += 2;
        else if (first >= 32)
            operand = first - 139, ++at;
        else
            at += first == 12 ? 2 : 1;
    }
    refuse();
}

// The programs of other glyphs draw nothing. What lies behind stays where it was: the room that is left over is zeros.
std::string cff_of(std::string_view cff, const Glyphs& wanted)
{
    constexpr char endchar = 14;
    const std::size_t at = charstrings_at(cff), end = end_of_index(cff, at);
    const uint32_t count = number(cff, at, 2), size = number(cff, at + 2, 1);
    const std::size_t data = at + 2 + (count + 1) * std::size_t{size};
    const auto offset = [&](std::size_t glyph) { return number(cff, at + 3 + glyph * size, size); };
    std::string offsets, programs;
    for (uint32_t glyph = 0; glyph < count; ++glyph) {
        put(offsets, static_cast<uint32_t>(programs.size() + 1), size);
        if (wanted.contains(static_cast<uint16_t>(glyph)))
            programs += part(cff, data + offset(glyph), offset(glyph + 1) - offset(glyph));
        else
            programs += endchar;
    }
    put(offsets, static_cast<uint32_t>(programs.size() + 1), size);
    std::string table(cff.substr(0, at + 3));
    table += offsets + programs;
    if (table.size() > end)
        refuse();
    table.resize(end, '\0');
    return table + std::string(cff.substr(end));
}

// Outlines that are made of other glyphs' bring those along.
void add_components(std::string_view glyf, const std::vector<uint32_t>& offsets, Glyphs& wanted)
{
    std::vector<uint16_t> open(wanted.begin(), wanted.end());
    while (!open.empty()) {
        const uint16_t glyph = open.back();
        open.pop_back();
        if (glyph + std::size_t{1} >= offsets.size())
            refuse();
        std::size_t at = offsets[glyph];
        if (offsets[glyph + 1] <= at || (number(glyf, at, 2) & 0x8000) == 0)
            continue;
        at += 10;
        for (uint32_t flags = 0x20; (flags & 0x20) != 0;) { // more follow
            flags = number(glyf, at, 2);
            const auto component = static_cast<uint16_t>(number(glyf, at + 2, 2));
            if (wanted.insert(component).second)
                open.push_back(component);
            at += 4 + ((flags & 1) != 0 ? 4 : 2); // arguments, as words or bytes
            at += (flags & 8) != 0 ? 2 : (flags & 0x40) != 0 ? 4 : (flags & 0x80) != 0 ? 8 : 0; // its scale
        }
    }
}

void reduce_outlines(Tables& tables, Glyphs& wanted)
{
    const std::string& loca = tables.at("loca");
    const bool is_long = number(tables.at("head"), 50, 2) != 0;
    std::vector<uint32_t> offsets;
    for (std::size_t at = 0; at < loca.size(); at += is_long ? 4 : 2)
        offsets.push_back(is_long ? number(loca, at, 4) : 2 * number(loca, at, 2));
    add_components(tables.at("glyf"), offsets, wanted);
    std::string glyf, places;
    for (std::size_t glyph = 0; glyph + 1 < offsets.size(); ++glyph) {
        put(places, static_cast<uint32_t>(glyf.size()), 4);
        if (wanted.contains(static_cast<uint16_t>(glyph)))
            glyf += part(tables.at("glyf"), offsets[glyph], offsets[glyph + 1] - offsets[glyph]);
        glyf.resize((glyf.size() + 3) / 4 * 4, '\0');
    }
    put(places, static_cast<uint32_t>(glyf.size()), 4);
    tables["glyf"] = std::move(glyf);
    tables["loca"] = std::move(places);
    put_at(tables.at("head"), 50, 1, 2); // long places
}

// Widths of other glyphs are zero, which is soon said; the last one stands for all that follow.
void reduce_widths(Tables& tables, const Glyphs& wanted)
{
    std::string& metrics = tables.at("hmtx");
    const uint32_t widths = number(tables.at("hhea"), 34, 2);
    for (uint32_t glyph = 0; glyph + 1 < widths; ++glyph)
        if (!wanted.contains(static_cast<uint16_t>(glyph)))
            put_at(metrics, 4 * std::size_t{glyph}, 0, 4);
}

uint32_t checksum(std::string_view table)
{
    std::string whole(table);
    whole.resize((whole.size() + 3) / 4 * 4, '\0');
    uint32_t sum = 0;
    for (std::size_t at = 0; at < whole.size(); at += 4)
        sum += number(whole, at, 4);
    return sum;
}

std::string compressed(const std::string& table)
{
    uLongf length = compressBound(table.size());
    std::string packed(length, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(table.data()),
                  table.size(), Z_BEST_COMPRESSION) != Z_OK)
        throw std::bad_alloc();
    packed.resize(length);
    return packed.size() < table.size() ? packed : table;
}

std::string woff(std::string_view flavour, const Tables& tables)
{
    constexpr std::size_t header = 44, entry = 20;
    std::string directory, data;
    std::size_t unpacked = 12 + 16 * tables.size();
    for (const auto& [name, table] : tables) {
        const std::string packed = compressed(table);
        directory += name;
        put(directory, static_cast<uint32_t>(header + entry * tables.size() + data.size()), 4);
        for (const std::size_t one : {packed.size(), table.size()})
            put(directory, static_cast<uint32_t>(one), 4);
        put(directory, checksum(table), 4);
        data += packed;
        data.resize((data.size() + 3) / 4 * 4, '\0');
        unpacked += (table.size() + 3) / 4 * 4;
    }
    std::string bytes = "wOFF" + std::string(flavour);
    put(bytes, static_cast<uint32_t>(header + directory.size() + data.size()), 4);
    put(bytes, static_cast<uint32_t>(tables.size()), 2);
    put(bytes, 0, 2);
    put(bytes, static_cast<uint32_t>(unpacked), 4);
    put(bytes, 1, 2); // version 1.0
    bytes.resize(header, '\0');
    return bytes + directory + data;
}

} // namespace

std::string woff_of(std::string_view file, const std::set<char32_t>& characters)
{
    const std::string_view font = fonts::file(file);
    Tables all = tables_of(font), tables;
    for (const char* name : {"CFF ", "OS/2", "cvt ", "fpgm", "gasp", "glyf", "head", "hhea", "hmtx", "loca", "maxp",
                             "name", "post", "prep"})
        if (const auto found = all.find(name); found != all.end())
            tables.insert(*found);
    Glyphs wanted{0};
    std::map<char32_t, uint16_t> glyphs;
    for (const char32_t character : characters)
        if (const uint16_t glyph = character < 0xffff ? glyph_of(all["cmap"], character) : uint16_t{0}; glyph != 0) {
            wanted.insert(glyph);
            glyphs.emplace(character, glyph);
        }
    if (tables.contains("glyf"))
        reduce_outlines(tables, wanted);
    else
        tables["CFF "] = cff_of(tables.at("CFF "), wanted);
    reduce_widths(tables, wanted); // of parts of other glyphs too, by now
    tables["cmap"] = cmap_of(glyphs);
    put_at(tables.at("post"), 0, 0x00030000, 4); // without the glyphs' names
    tables.at("post").resize(32);
    put_at(tables.at("head"), 8, 0, 4); // a sum over a file that this is not
    return woff(font.substr(0, 4), tables);
}

} // namespace app
