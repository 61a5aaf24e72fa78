#include "machine_code/ptx_program.h"

#include "error.h"
#include "machine_code/ptx_words.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace cuda {

namespace {

using Kind = PtxOperand::Kind;

uint64_t number(std::string_view text)
{
    const bool negative = text.starts_with('-');
    if (negative)
        text.remove_prefix(1);
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0f") ||
        text.starts_with("0d")) { // floats are written as their bits
        base = 16;
        text.remove_prefix(2);
    }
    uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, base);
    return negative ? 0 - value : value;
}

// Collects what the statements refer to.
class Parser {
public:
    PtxProgram parse(const std::vector<std::string>& lines)
    {
        declare(lines);
        for (const PtxText& text : split_ptx(lines))
            statement(text);
        for (PtxStatement& statement : program_.statements)
            if (statement.code == PtxCode::branch)
                statement.target = target_of(statement.name);
        program_.registers = static_cast<uint32_t>(registers_.size());
        return std::move(program_);
    }

private:
    // Arrays in shared memory; those without a size are the dynamic one, and follow.
    void declare(const std::vector<std::string>& lines)
    {
        std::vector<std::string> dynamic;
        uint32_t end = 0, alignment = 1;
        const auto aligned = [&end](uint32_t to) { return (end + to - 1) / to * to; };
        for (const std::string& line : lines) {
            const auto shared = shared_array(line);
            if (!shared)
                continue;
            if (shared->bytes == 0) {
                dynamic.push_back(shared->name);
                alignment = std::max(alignment, shared->alignment);
                continue;
            }
            symbols_[shared->name] = aligned(shared->alignment);
            program_.tiles.push_back(aligned(shared->alignment));
            end = program_.tiles.back() + shared->bytes;
        }
        program_.dynamic_start = aligned(alignment);
        for (const std::string& name : dynamic)
            symbols_[name] = program_.dynamic_start;
    }

    uint32_t register_of(std::string_view name)
    {
        return registers_.emplace(name, static_cast<uint32_t>(registers_.size())).first->second;
    }

    PtxOperand operand(std::string_view text)
    {
        const auto special = std::find(ptx_specials.begin(), ptx_specials.end(), text);
        if (special != ptx_specials.end())
            return {Kind::special, static_cast<uint32_t>(special - ptx_specials.begin()), 0};
        if (text.starts_with('-') || (!text.empty() && text[0] >= '0' && text[0] <= '9'))
            return {Kind::immediate, 0, number(text)};
        if (const auto symbol = symbols_.find(text); symbol != symbols_.end())
            return {Kind::immediate, 0, symbol->second};
        const uint32_t number_of = register_of(text);
        const bool other_special =
            text.starts_with('%') && (text.starts_with("%clock") || text.back() < '0' || text.back() > '9');
        if (other_special)
            program_.unknown_values.push_back(number_of);
        return {Kind::variable, number_of, 0};
    }

    // What stands between the brackets: a register, a symbol or a parameter, and what is added to it.
    PtxOperand address(std::string_view text)
    {
        const std::size_t plus = text.find('+');
        PtxOperand result;
        const std::string_view base = text.substr(0, plus);
        if (const std::size_t parameter = base.rfind("_param_"); parameter != std::string_view::npos)
            result = {Kind::immediate, static_cast<uint32_t>(number(base.substr(parameter + 7))), 0};
        else
            result = operand(base);
        if (plus != std::string_view::npos)
            result.value += number(text.substr(plus + 1));
        return result;
    }

    void statement(const PtxText& text)
    {
        if (text.is_label) {
            labels_[text.name] = static_cast<uint32_t>(program_.statements.size());
            return;
        }
        PtxStatement statement = classify_ptx(text.name);
        statement.line = text.line;
        if (!text.predicate.empty()) {
            statement.negated = text.predicate.starts_with('!');
            statement.predicate = static_cast<int>(register_of(text.predicate.substr(statement.negated)));
        }
        if (statement.code == PtxCode::branch)
            statement.name = text.operands.empty() ? "" : text.operands.front();
        else
            operands(text, statement);
        program_.statements.push_back(std::move(statement));
    }

    void operands(const PtxText& text, PtxStatement& statement)
    {
        const bool writes = statement.code != PtxCode::store && statement.code != PtxCode::async_copy &&
                            statement.code != PtxCode::barrier && statement.code != PtxCode::nothing;
        for (std::size_t i = 0; i < text.operands.size(); ++i) {
            const std::string& one = text.operands[i];
            if (one.starts_with('[')) {
                const std::string_view inside(one.data() + 1, one.size() - 2);
                (statement.address.kind == Kind::none ? statement.address : statement.second_address) = address(inside);
            } else if (one.starts_with('{')) {
                for (const std::string& part : split_operands(std::string_view(one).substr(1, one.size() - 2)))
                    if (i == 0 && writes)
                        statement.to.push_back(register_of(part));
                    else
                        statement.in.push_back(operand(part));
            } else if (i == 0 && writes) {
                const std::size_t bar = one.find('|'); // a second result, such as shfl's predicate
                statement.to.push_back(register_of(std::string_view(one).substr(0, bar)));
                if (bar != std::string::npos)
                    statement.to.push_back(register_of(std::string_view(one).substr(bar + 1)));
            } else {
                statement.in.push_back(operand(one));
            }
        }
        if (statement.code == PtxCode::async_copy && !statement.in.empty())
            statement.width = static_cast<int>(statement.in.front().value);
    }

    uint32_t target_of(const std::string& label) const
    {
        const auto found = labels_.find(label);
        if (found == labels_.end())
            throw kernels::Error("The compiler's PTX branches to a label that it does not have: " + label + ".");
        return found->second;
    }

    PtxProgram program_;
    std::map<std::string, uint32_t, std::less<>> registers_, symbols_, labels_;
};

} // namespace

PtxProgram parse_ptx(const std::vector<std::string>& lines)
{
    return Parser().parse(lines);
}

} // namespace cuda
