#include "machine_code/ptx_source.h"

#include <charconv>
#include <map>
#include <set>
#include <tuple>

namespace cuda {

namespace {

using Place = std::tuple<uint32_t, uint32_t, uint32_t>; // file, line, column

// The words of a directive, commas left out.
std::vector<std::string_view> words_of(std::string_view line)
{
    std::vector<std::string_view> words;
    constexpr std::string_view between = " \t,";
    for (std::size_t at = line.find_first_not_of(between); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(between, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(between, end);
    }
    return words;
}

uint32_t line_table_number(std::string_view digits)
{
    uint32_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

// Files of that name, whatever folder they are said to be in.
std::set<uint32_t> numbers_of(const std::vector<std::string>& ptx, std::string_view file)
{
    const std::string ending = "/" + std::string(file) + "\"";
    std::set<uint32_t> result;
    for (const std::string& line : ptx)
        if (line.find(".file") != std::string::npos)
            if (const auto words = words_of(line);
                words.size() > 2 && words[0] == ".file" && words[2].ends_with(ending))
                result.insert(line_table_number(words[1]));
    return result;
}

} // namespace

std::vector<std::string> lines_of(std::string_view text)
{
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n'))
        text.remove_suffix(1);
    std::vector<std::string> lines;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::vector<uint32_t> source_lines(const std::vector<std::string>& ptx, std::string_view file)
{
    const std::set<uint32_t> wanted = numbers_of(ptx, file);
    std::map<Place, uint32_t> known; // the line in `file` of each place, through the places where it was inlined
    std::vector<uint32_t> result;
    uint32_t current = 0;
    for (const std::string& line : ptx) {
        if (line.find(".loc") != std::string::npos) {
            const auto words = words_of(line);
            if (words.size() >= 4 && words[0] == ".loc") {
                const Place here{line_table_number(words[1]), line_table_number(words[2]), line_table_number(words[3])};
                // .loc FILE LINE COLUMN, function_name NAME, inlined_at FILE LINE COLUMN
                const bool inlined = words.size() >= 10 && words[6] == "inlined_at";
                const auto caller = inlined ? known.find({line_table_number(words[7]), line_table_number(words[8]),
                                                          line_table_number(words[9])})
                                            : known.end();
                current = wanted.contains(std::get<0>(here))                        ? std::get<1>(here)
                          : inlined && wanted.contains(line_table_number(words[7])) ? line_table_number(words[8])
                          : caller != known.end()                                   ? caller->second
                                                                                    : 0;
                known[here] = current;
            }
        }
        result.push_back(current);
    }
    return result;
}

} // namespace cuda
