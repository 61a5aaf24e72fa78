#include "ptx/module.h"
#include "ptx/text.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace ptx {

namespace {

constexpr uint64_t largest_variable = uint64_t{1} << 31; // in bytes
constexpr std::size_t most_registers = 1u << 20;
constexpr int most_nested = 64;

class Parser : TokenReader {
public:
    Parser(std::string_view text, const std::vector<uint32_t>& source_lines)
        : TokenReader(text), source_lines_(source_lines)
    {
    }

    Module run()
    {
        while (!at_end())
            top_level();
        return std::move(module_);
    }

private:
    void top_level()
    {
        if (is(".version") || is(".target") || is(".address_size") || is(".file") || is(".loc"))
            return skip_line();
        if (accept(".section")) {
            word("a section's name");
            return is("{") ? skip_braces() : skip_line();
        }
        bool is_extern = false;
        while (is(".visible") || is(".extern") || is(".weak") || is(".common"))
            is_extern = take().text == ".extern" || is_extern;
        if (is(".entry") || is(".func"))
            return function();
        if (is(".alias") || is(".pragma"))
            return skip_to_semicolon();
        if (accept(";") || accept("}"))
            return;
        if (!space_of(here().text))
            fail(fmt::format("'{}' begins nothing that is known here", here().text));
        for (Variable& variable : variables(std::string()))
            module_.variables.push_back(std::move(variable));
    }

    // Parses declarations such as .space [.align N] [.v4] .type name[size][size] [= initial], ...;
    std::vector<Variable> variables(const std::string& suffix, bool one = false)
    {
        Variable common;
        common.line = here().line;
        common.space = *space_of(take().text);
        uint64_t vector = 1;
        while (here().kind == Kind::word && here().text.starts_with('.')) {
            const std::string_view text = here().text;
            if (text == ".align") {
                take();
                common.alignment = std::max<uint64_t>(1, integer());
                if (!std::has_single_bit(common.alignment) || common.alignment > 4096)
                    fail("an alignment is no power of two");
            } else if (text == ".v2" || text == ".v4") {
                vector = text == ".v2" ? 2 : 4;
                take();
            } else if (text == ".ptr" || space_of(text) || text.starts_with(".attribute")) {
                take();
                if (is("("))
                    while (!at_end() && take().text != ")")
                        ;
            } else if (bytes_of_type(text) > 0) {
                common.type = take().text;
            } else {
                fail(fmt::format("'{}' is no type of a variable", text));
            }
        }
        const uint64_t element = bytes_of_type(common.type) * vector;
        if (element == 0)
            fail("a variable has no type");
        std::vector<Variable> result;
        do {
            Variable variable = common;
            variable.alignment = std::max(variable.alignment, element);
            variable.name = word("a variable's name") + suffix;
            if (accept("<")) { // a range of names, as in declarations of registers
                integer();
                expect(">");
            }
            variable.bytes = element;
            while (accept("["))
                extent(variable);
            if (accept("=")) {
                initial(variable, bytes_of_type(common.type));
                if (!variable.sized)
                    variable.bytes = variable.initial.size(), variable.sized = true;
                if (variable.initial.size() > variable.bytes)
                    fail("an initial value is larger than its variable");
            }
            if (!variable.sized)
                variable.bytes = 0;
            result.push_back(std::move(variable));
        } while (!one && accept(","));
        if (!one)
            expect(";");
        return result;
    }

    void extent(Variable& variable)
    {
        if (accept("]")) {
            variable.sized = false;
            return;
        }
        const uint64_t count = integer();
        variable.sized = variable.sized && count > 0;
        if (count > largest_variable || variable.bytes * std::max<uint64_t>(count, 1) > largest_variable)
            fail("a variable is too large");
        variable.bytes *= std::max<uint64_t>(count, 1);
        expect("]");
    }

    void initial(Variable& variable, uint64_t element, int depth = 0)
    {
        if (depth > most_nested)
            fail("braces are nested too deeply");
        if (accept("{")) {
            do {
                if (is("}"))
                    break;
                initial(variable, element, depth + 1);
            } while (accept(","));
            return expect("}");
        }
        Operand value = is("generic") ? generic_address() : operand();
        if (value.kind == Operand::Kind::name) {
            variable.addresses.push_back({variable.initial.size(), value.value, value.name});
            value.value = 0;
        } else if (value.kind != Operand::Kind::immediate) {
            fail("an initial value is neither a number nor an address");
        }
        uint64_t bits = value.value;
        if (value.is_float && element == 4)
            bits = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
        if (variable.initial.size() + element > largest_variable)
            fail("an initial value is too large");
        const std::size_t at = variable.initial.size();
        variable.initial.resize(at + element);
        std::memcpy(variable.initial.data() + at, &bits, std::min<uint64_t>(element, sizeof bits));
    }

    Operand generic_address()
    {
        take();
        expect("(");
        Operand value = operand();
        expect(")");
        if (accept("+"))
            value.value += integer();
        return value;
    }

    uint64_t integer()
    {
        const bool negative = accept("-");
        if (here().kind != Kind::number)
            fail(fmt::format("'{}' stands where a number should", here().text));
        const Operand value = number(take().text);
        return negative ? 0 - value.value : value.value;
    }

    Operand number(std::string_view text) const
    {
        const std::optional<Operand> known = number_of(text);
        if (!known)
            fail(fmt::format("'{}' is no number", text));
        return *known;
    }

    Operand list_until(std::string_view end, Operand::Kind kind)
    {
        if (++nested_ > most_nested)
            fail("brackets are nested too deeply");
        take();
        Operand result{.kind = kind};
        separated(end, [&] { result.parts.push_back(operand()); });
        --nested_;
        return result;
    }

    Operand operand()
    {
        bool negated = false;
        while (accept("!"))
            negated = !negated;
        Operand result = plain_operand();
        result.negated = negated;
        return result;
    }

    Operand plain_operand()
    {
        if (is("{"))
            return list_until("}", Operand::Kind::list);
        if (is("["))
            return list_until("]", Operand::Kind::memory);
        if (is("("))
            return list_until(")", Operand::Kind::group);
        if (accept("-")) {
            if (here().kind != Kind::number)
                fail("a minus sign stands before no number");
            Operand result = number(take().text);
            result.value = result.is_float ? result.value ^ (uint64_t{1} << 63) : 0 - result.value;
            return result;
        }
        if (here().kind == Kind::number)
            return number(take().text);
        Operand result{.kind = Operand::Kind::name, .name = scoped(word("an operand"))};
        if (accept("|"))
            result.second = scoped(word("a second result"));
        while (is("+") || (is("-") && here(1).kind == Kind::number)) {
            accept("+");
            result.value += integer();
        }
        if (is("<") && here(1).kind == Kind::number) // valid only in declarations of registers
            fail("'<' means nothing after an operand");
        return result;
    }

    // Returns a unique name of a variable or register. A name declared in inner braces hides the same name outside.
    std::string scoped(const std::string& name) const
    {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end())
                return found->second;
        return name;
    }

    void function()
    {
        Function function;
        function.line = here().line;
        function.is_kernel = take().text == ".entry";
        if (is("("))
            function.results = parameters();
        function.name = word("a function's name");
        if (is("("))
            function.parameters = parameters();
        while (!at_end() && !is("{") && !is(";")) // skips other directives, such as .noreturn
            if (const std::string_view directive = take().text; directive == ".reqnctapercluster")
                function.cluster = extents();
            else if (directive == ".maxntid")
                function.most = extents();
            else if (directive == ".reqntid")
                function.required = extents();
        if (accept(";")) {
            module_.functions.push_back(std::move(function));
            return;
        }
        expect("{");
        function.has_body = true;
        scopes_.assign(1, {});
        counted_scopes_ = 0;
        function_ = &function;
        while (!scopes_.empty()) {
            if (at_end())
                fail("the text ends inside a function");
            body();
        }
        function_ = nullptr;
        module_.functions.push_back(std::move(function));
    }

    std::array<uint32_t, 3> extents()
    {
        std::array<uint32_t, 3> result{1, 1, 1};
        for (std::size_t i = 0; i < result.size() && (i == 0 || accept(",")); ++i)
            result[i] = static_cast<uint32_t>(integer());
        return result;
    }

    std::vector<Variable> parameters()
    {
        std::vector<Variable> result;
        expect("(");
        separated(")", [&] {
            if (is(".reg"))
                fail("a parameter in a register is not supported");
            if (here().kind != Kind::word || !space_of(here().text))
                fail(fmt::format("'{}' is no parameter", here().text));
            result.push_back(variables(std::string(), true).front());
        });
        return result;
    }

    void body()
    {
        if (accept("{")) {
            if (scopes_.size() > most_nested)
                fail("braces are nested too deeply");
            scopes_.emplace_back();
            ++counted_scopes_;
            return;
        }
        if (accept("}"))
            return scopes_.pop_back();
        if (is(".loc") || is(".file"))
            return skip_line();
        if (is(".reg"))
            return registers();
        if (is(".pragma") || is(".branchtargets") || is(".calltargets") || is(".callprototype"))
            return skip_to_semicolon();
        if (accept(";"))
            return;
        if (here().kind == Kind::word && here().text.starts_with('.') && space_of(here().text)) {
            const std::string suffix = scopes_.size() > 1 ? fmt::format("@{}", counted_scopes_) : "";
            for (Variable& variable : variables(suffix)) {
                if (!suffix.empty())
                    scopes_.back()[variable.name.substr(0, variable.name.rfind('@'))] = variable.name;
                function_->variables.push_back(std::move(variable));
            }
            return;
        }
        if (here().kind == Kind::word && here(1).kind == Kind::mark && here(1).text == ":")
            return label();
        statement();
    }

    void label()
    {
        const std::string name(take().text);
        take();
        if (is(".branchtargets")) {
            take();
            std::vector<std::string>& targets = function_->branch_targets[name];
            do
                targets.push_back(word("a label"));
            while (accept(","));
            return expect(";");
        }
        if (is(".calltargets") || is(".callprototype"))
            return skip_to_semicolon();
        function_->labels[name] = function_->statements.size();
    }

    // Parses declarations such as .reg .f32 %f<59>, %g;
    void registers()
    {
        take();
        std::string type = word("a register's type");
        if (type == ".v2" || type == ".v4")
            fail("registers of several elements are not supported");
        if (type != ".pred" && bytes_of_type(type) == 0)
            fail(fmt::format("'{}' is no type of a register", type));
        do {
            const std::string base = word("a register's name");
            uint64_t count = 0;
            const bool ranged = accept("<");
            if (ranged) {
                count = integer();
                expect(">");
            }
            if (count > most_registers || function_->registers.size() + count > most_registers)
                fail("a function has too many registers");
            for (uint64_t i = 0; i < (ranged ? count : 1); ++i)
                declare(ranged ? fmt::format("{}{}", base, i) : base, type);
        } while (accept(","));
        expect(";");
    }

    void declare(const std::string& name, const std::string& type)
    {
        std::string unique = name;
        if (scopes_.size() > 1) {
            unique = fmt::format("{}@{}", name, counted_scopes_);
            scopes_.back()[name] = unique;
        }
        function_->registers[unique] = type;
    }

    void statement()
    {
        Statement statement;
        statement.line = here().line;
        if (statement.line <= source_lines_.size() && statement.line > 0)
            statement.source_line = source_lines_[statement.line - 1];
        const std::size_t begin = place();
        if (accept("@")) {
            statement.negated = accept("!");
            statement.guard = scoped(word("a predicate"));
        }
        statement.name = word("an instruction");
        separated(";", [&] {
            if (at_end())
                fail("the text ends inside a statement");
            statement.operands.push_back(operand());
        });
        statement.text = spelled(begin, place() - 1);
        function_->statements.push_back(std::move(statement));
    }

    const std::vector<uint32_t>& source_lines_;
    Module module_;
    Function* function_ = nullptr;
    std::vector<std::map<std::string, std::string>> scopes_;
    int counted_scopes_ = 0, nested_ = 0;
};

} // namespace

const Function* Module::find(std::string_view name) const
{
    const Function* found = nullptr;
    for (const Function& function : functions)
        if (function.name == name && (found == nullptr || function.has_body))
            found = &function;
    return found;
}

Module parse(std::string_view text, const std::vector<uint32_t>& source_lines)
{
    return Parser(text, source_lines).run();
}

} // namespace ptx
