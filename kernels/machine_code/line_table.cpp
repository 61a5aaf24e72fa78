#include "machine_code/line_table.h"

#include "machine_code/elf.h"

#include <algorithm>

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
    bytes.take<uint8_t>();     // whether lines are statements at first
    header.line_base = bytes.take<int8_t>();
    header.line_range = bytes.take<uint8_t>();
    header.first_special = bytes.take<uint8_t>();
    if (version < 2 || version > 4 || header.line_range == 0 || header.first_special == 0)
        throw kernels::Error("The compiled kernel's line table is of a form that gemmscope does not know.");
    for (int i = 1; i < header.first_special; ++i)
        header.operands.push_back(bytes.take<uint8_t>());
    return header;
}

class LineProgram {
public:
    LineProgram(Bytes& bytes, const Header& header) : bytes_(bytes), header_(header) {}

    std::vector<LineRow> run()
    {
        while (!ended_ && bytes_.at() < header_.end)
            step(bytes_.take<uint8_t>());
        return std::move(rows_);
    }

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
        constexpr uint8_t end_sequence = 1, set_address = 2; // NVIDIA's own, about inlining, are passed over
        const uint64_t size = bytes_.unsigned_number(), next = bytes_.at() + size;
        const auto opcode = bytes_.take<uint8_t>();
        if (opcode == end_sequence)
            ended_ = true;
        else if (opcode == set_address)
            now_.address = bytes_.take<uint64_t>();
        bytes_.go_to(next);
    }

    void standard(uint8_t opcode)
    {
        constexpr uint8_t copy = 1, advance_address = 2, advance_line = 3, constant_advance = 8, fixed_advance = 9;
        if (opcode == copy)
            rows_.push_back(now_);
        else if (opcode == advance_address)
            now_.address += bytes_.unsigned_number() * header_.instruction_bytes;
        else if (opcode == advance_line)
            now_.line += static_cast<uint32_t>(bytes_.signed_number());
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
    LineRow now_{.address = 0, .line = 1};
    std::vector<LineRow> rows_;
    bool ended_ = false;
};

} // namespace

std::vector<LineRow> line_rows(std::string_view section)
{
    Bytes bytes(section);
    const Header header = take_header(bytes);
    bytes.go_to(header.program);
    std::vector<LineRow> rows = LineProgram(bytes, header).run();
    std::stable_sort(rows.begin(), rows.end(),
                     [](const LineRow& a, const LineRow& b) { return a.address < b.address; });
    return rows;
}

uint32_t line_at(const std::vector<LineRow>& rows, uint64_t address)
{
    const auto after = std::upper_bound(rows.begin(), rows.end(), address,
                                        [](uint64_t wanted, const LineRow& row) { return wanted < row.address; });
    return after == rows.begin() ? 0 : (after - 1)->line;
}

} // namespace cuda
