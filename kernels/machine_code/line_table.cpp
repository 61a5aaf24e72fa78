#include "machine_code/line_table.h"

#include "machine_code/elf.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <elf.h>

namespace cuda {

namespace {

class Bytes {
public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

    template <class T>
    T take()
    {
        const T value = read_at<T>(bytes_, at_);
        at_ += sizeof(T);
        return value;
    }
    uint64_t unsigned_number() // LEB128
    {
        uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            const auto byte = take<uint8_t>();
            if (shift < 64)
                value |= uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80)
                return value;
        }
    }
    int64_t signed_number()
    {
        uint64_t value = 0;
        for (int shift = 0;;) {
            const auto byte = take<uint8_t>();
            if (shift < 64)
                value |= uint64_t{byte & 0x7fu} << shift;
            shift += 7;
            if (byte < 0x80)
                return static_cast<int64_t>(shift < 64 && byte & 0x40 ? value | ~uint64_t{0} << shift : value);
        }
    }
    std::string text() // up to a zero byte
    {
        std::string value;
        for (char c = take<char>(); c != '\0'; c = take<char>())
            value += c;
        return value;
    }
    void go_to(uint64_t offset) { at_ = offset; }
    uint64_t at() const { return at_; }

private:
    std::string_view bytes_;
    uint64_t at_ = 0;
};

struct Header {
    uint64_t end = 0, program = 0;
    uint8_t instruction_bytes = 1, line_range = 1, first_special = 1;
    int8_t line_base = 0;
    std::vector<uint8_t> operands; // of the standard opcodes, from 1 on
    std::vector<std::string> files;
};

Header take_header(Bytes& bytes)
{
    Header header;
    const auto length = bytes.take<uint32_t>();
    header.end = bytes.at() + length;
    const auto version = bytes.take<uint16_t>();
    const auto header_length = bytes.take<uint32_t>();
    header.program = bytes.at() + header_length;
    header.instruction_bytes = bytes.take<uint8_t>();
    if (version >= 4)
        bytes.take<uint8_t>(); // operations per instruction
    bytes.take<uint8_t>();     // whether rows are statements by default
    header.line_base = bytes.take<int8_t>();
    header.line_range = bytes.take<uint8_t>();
    header.first_special = bytes.take<uint8_t>();
    if (version < 2 || version > 4 || header.line_range == 0 || header.first_special == 0)
        throw kernels::Error("The compiled kernel's line table is of a form that gemmscope does not know.");
    for (int i = 1; i < header.first_special; ++i)
        header.operands.push_back(bytes.take<uint8_t>());
    std::vector<std::string> folders = {""};
    // Returns the next name, or an empty text after the last one.
    const auto next = [&] { return bytes.at() < header.program ? bytes.text() : std::string(); };
    for (std::string folder = next(); !folder.empty(); folder = next())
        folders.push_back(folder + "/");
    for (std::string file = next(); !file.empty(); file = next()) {
        const uint64_t folder = bytes.unsigned_number();
        bytes.unsigned_number(); // time of change
        bytes.unsigned_number(); // size
        const bool whole = file.front() == '/' || folder >= folders.size();
        header.files.push_back((whole ? "" : folders[folder]) + file);
    }
    return header;
}

// Interprets the line program up to the end of one function's rows.
class LineProgram {
public:
    LineProgram(Bytes& bytes, const Header& header) : bytes_(bytes), header_(header) {}

    // Returns the rows. Files are counted from 0 here, and from 1 in the table.
    std::vector<SourceRow> run()
    {
        while (!ended_ && bytes_.at() < header_.end)
            step(bytes_.take<uint8_t>());
        return std::move(rows_);
    }

    // Returns where the linker writes the function's address in the section.
    uint64_t place_of_address() const { return place_of_address_; }

private:
    void step(uint8_t opcode)
    {
        if (opcode >= header_.first_special) {
            const int advance = opcode - header_.first_special;
            now_.address += static_cast<uint64_t>(advance / header_.line_range) * header_.instruction_bytes;
            now_.line += header_.line_base + advance % header_.line_range;
            rows_.push_back(now_);
        } else if (opcode == 0) {
            extended();
        } else {
            standard(opcode);
        }
    }

    void extended()
    {
        constexpr uint8_t end_sequence = 1, set_address = 2;
        constexpr uint8_t inlined_call = 0x90; // NVIDIA's extension: the row of the call or 0, and the function's name
        const uint64_t size = bytes_.unsigned_number(), next = bytes_.at() + size;
        const auto opcode = bytes_.take<uint8_t>();
        if (opcode == end_sequence)
            ended_ = true;
        else if (opcode == set_address) {
            place_of_address_ = bytes_.at();
            now_.address = bytes_.take<uint64_t>();
        } else if (opcode == inlined_call)
            now_.called_from = std::min<uint64_t>(bytes_.unsigned_number(), rows_.size());
        bytes_.go_to(next);
    }

    void standard(uint8_t opcode)
    {
        constexpr uint8_t copy = 1, advance_address = 2, advance_line = 3, set_file = 4, constant_advance = 8,
                          fixed_advance = 9;
        if (opcode == copy)
            rows_.push_back(now_);
        else if (opcode == advance_address)
            now_.address += bytes_.unsigned_number() * header_.instruction_bytes;
        else if (opcode == advance_line)
            now_.line += static_cast<uint32_t>(bytes_.signed_number());
        else if (opcode == set_file)
            now_.file = std::max<uint64_t>(bytes_.unsigned_number(), 1) - 1;
        else if (opcode == constant_advance)
            now_.address +=
                static_cast<uint64_t>((255 - header_.first_special) / header_.line_range) * header_.instruction_bytes;
        else if (opcode == fixed_advance)
            now_.address += bytes_.take<uint16_t>();
        else
            for (int i = 0; i < header_.operands.at(opcode - 1u); ++i)
                bytes_.unsigned_number();
    }

    Bytes& bytes_;
    const Header& header_;
    SourceRow now_{.address = 0, .file = 0, .line = 1};
    std::vector<SourceRow> rows_;
    uint64_t place_of_address_ = 0;
    bool ended_ = false;
};

template <class Entry>
std::optional<uint32_t> symbol_in(std::string_view table, uint64_t place)
{
    for (uint64_t at = 0; at + sizeof(Entry) <= table.size(); at += sizeof(Entry))
        if (const auto entry = read_at<Entry>(table, at); entry.r_offset == place)
            return static_cast<uint32_t>(ELF64_R_SYM(entry.r_info));
    return std::nullopt;
}

// Returns the symbol whose address the linker writes at that place of the line table. Returns nothing if there is none.
std::optional<uint32_t> symbol_at(std::string_view cubin, std::string_view table, uint64_t place)
{
    const std::string name(table);
    const auto found = symbol_in<Elf64_Rela>(find_section(cubin, ".rela" + name).value_or(""), place);
    return found ? found : symbol_in<Elf64_Rel>(find_section(cubin, ".rel" + name).value_or(""), place);
}

// Returns the row that covers the address, or null.
const SourceRow* row_at(const std::vector<SourceRow>& rows, uint64_t address)
{
    const auto after = std::ranges::upper_bound(rows, address, {}, &SourceRow::address);
    return after == rows.begin() ? nullptr : &*(after - 1);
}

} // namespace

std::vector<LinePart> line_parts(std::string_view section)
{
    std::vector<LinePart> parts;
    Bytes bytes(section);
    while (bytes.at() < section.size()) { // one compilation unit after another
        const Header header = take_header(bytes);
        bytes.go_to(header.program);
        while (bytes.at() < header.end) {
            LineProgram program(bytes, header);
            std::vector<SourceRow> rows = program.run();
            parts.push_back({{header.files, std::move(rows)}, program.place_of_address()});
        }
        bytes.go_to(header.end);
    }
    return parts;
}

SourceRows source_rows(std::string_view cubin, std::string_view kernel, std::string_view table)
{
    const std::optional<uint32_t> symbol = find_symbol(cubin, kernel);
    for (LinePart& part : line_parts(find_section(cubin, table).value_or("")))
        if (symbol && symbol_at(cubin, table, part.place_of_address) == symbol)
            return std::move(part.rows);
    return {};
}

uint32_t line_at(const SourceRows& rows, uint64_t address, std::size_t file)
{
    const SourceRow* row = row_at(rows.rows, address);
    if (row == nullptr)
        return 0;
    for (std::size_t calls = 0; row->file != file; ++calls) {
        if (row->called_from == 0 || calls > rows.rows.size())
            return 0;
        row = &rows.rows[row->called_from - 1];
    }
    return row->line;
}

uint32_t line_at(const std::vector<SourceRow>& rows, uint64_t address)
{
    const SourceRow* const row = row_at(rows, address);
    return row == nullptr ? 0 : row->line;
}

namespace {

using Place = std::tuple<uint32_t, uint32_t, uint32_t>; // file, line, column

// Returns the words of a directive, without commas.
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

// Returns the numbers of all files with that name, whatever their folder.
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
    std::map<Place, uint32_t> known; // the line in `file` of each place, also for functions inlined there
    std::vector<uint32_t> result;
    uint32_t current = 0;
    for (const std::string& line : ptx) {
        if (line.find(".loc") != std::string::npos) {
            const auto words = words_of(line);
            if (words.size() >= 4 && words[0] == ".loc") {
                const Place here{line_table_number(words[1]), line_table_number(words[2]), line_table_number(words[3])};
                // The directive is .loc FILE LINE COLUMN, function_name NAME, inlined_at FILE LINE COLUMN.
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
