#include "traced/expression.h"

#include "error.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

namespace traced {

namespace {

constexpr int64_t largest = int64_t{1} << 40;
constexpr int deepest = 64;
__extension__ using Wide = __int128;

class Expression {
public:
    Expression(std::string_view text, const Names& names, std::string_view what)
        : text_(text), names_(names), what_(what)
    {
    }

    int64_t value()
    {
        const int64_t result = sum();
        skip();
        if (at_ != text_.size())
            fail(fmt::format("'{}' means nothing there", text_.substr(at_)));
        return result;
    }

private:
    [[noreturn]] void fail(const std::string& why) const
    {
        throw kernels::Error(fmt::format("'{}' of {} is no whole number: {}.", text_, what_, why));
    }
    void skip()
    {
        while (at_ < text_.size() && text_[at_] == ' ')
            ++at_;
    }
    char next()
    {
        skip();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    int64_t checked(Wide value) const
    {
        if (value > largest || value < -largest)
            fail("it is too large");
        return static_cast<int64_t>(value);
    }

    int64_t sum()
    {
        int64_t result = product();
        for (char c = next(); c == '+' || c == '-'; c = next()) {
            ++at_;
            const int64_t other = product();
            result = checked(c == '+' ? Wide{result} + other : Wide{result} - other);
        }
        return result;
    }

    int64_t product()
    {
        const bool sum_is_divided = next() == '(';
        int64_t result = factor();
        for (char c = next(); c == '*' || c == '/' || c == '%'; c = next()) {
            ++at_;
            const int64_t other = factor();
            if (c == '*') {
                result = checked(static_cast<Wide>(result) * other);
                continue;
            }
            if (other == 0)
                fail("it divides by zero");
            if (c == '/' && result % other != 0) {
                if (rounds_up_ == 0 && sum_is_divided) {
                    result /= other;
                    continue;
                }
                if (rounds_up_ == 0)
                    fail(fmt::format(
                        "{}/{} leaves a rest of {}; choose a --size that it divides, or write ceil({}) to round up",
                        result, other, result % other, text_));
                result = result / other + ((result < 0) == (other < 0) ? 1 : 0);
                continue;
            }
            result = c == '/' ? result / other : result % other;
        }
        return result;
    }

    int64_t factor()
    {
        if (++depth_ > deepest)
            fail("its brackets are nested too deeply");
        const int64_t result = primary();
        --depth_;
        return result;
    }

    int64_t primary()
    {
        const char c = next();
        if (c == '-') {
            ++at_;
            return -factor();
        }
        if (c == '(') {
            ++at_;
            return bracketed();
        }
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            return number();
        }
        std::string name;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
            name += text_[at_++];
        if (name == "ceil" && next() == '(') {
            ++at_, ++rounds_up_;
            const int64_t result = bracketed();
            --rounds_up_;
            return result;
        }
        if (name == "true" || name == "false")
            return name == "true" ? 1 : 0;
        const auto found = names_.find(name);
        if (name.empty())
            fail(at_ < text_.size() ? fmt::format("'{}' means nothing there", text_.substr(at_))
                                    : "something is missing at its end");
        if (found == names_.end())
            fail(fmt::format("nothing is called {}; known are {}, as in ceil(N/256)", name, known()));
        return found->second;
    }

    // Parses C's hexadecimal prefix and suffixes: "0x400", "256u".
    int64_t number()
    {
        const std::string_view rest = text_.substr(at_);
        const bool hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
        int64_t number = 0;
        const char* const end = text_.data() + text_.size();
        const auto [after, error] =
            std::from_chars(text_.data() + at_ + (hexadecimal ? 2 : 0), end, number, hexadecimal ? 16 : 10);
        if (error == std::errc::result_out_of_range)
            fail("a number in it is too large");
        if (error != std::errc())
            fail("the digits of a hexadecimal number are missing");
        at_ = static_cast<std::size_t>(after - text_.data());
        while (at_ < text_.size() && std::string_view("uUlL").find(text_[at_]) != std::string_view::npos)
            ++at_;
        return checked(number);
    }

    int64_t bracketed()
    {
        const int64_t result = sum();
        if (next() != ')')
            fail("a bracket is not closed");
        ++at_;
        return result;
    }

    std::string known() const
    {
        std::string all;
        for (const auto& [name, value] : names_)
            all += (all.empty() ? "" : ", ") + name;
        return all.empty() ? "numbers only" : all;
    }

    std::string_view text_;
    const Names& names_;
    std::string_view what_;
    std::size_t at_ = 0;
    int rounds_up_ = 0, depth_ = 0;
};

} // namespace

int64_t evaluate(std::string_view text, const Names& names, std::string_view what)
{
    return Expression(text, names, what).value();
}

std::vector<std::string> split_at_commas(std::string_view text)
{
    std::vector<std::string> parts;
    const auto add = [&](std::string_view part) {
        const std::size_t first = part.find_first_not_of(" \t\n\r");
        parts.emplace_back(
            first == std::string_view::npos ? "" : part.substr(first, part.find_last_not_of(" \t\n\r") - first + 1));
    };
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        depth += c == '(' || c == '[' || c == '{' || c == '<';
        depth -= c == ')' || c == ']' || c == '}' || (c == '>' && depth > 0);
        if (c == ',' && depth <= 0) {
            add(text.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    if (begin < text.size() || !parts.empty())
        add(text.substr(begin));
    return parts;
}

std::vector<std::string> types_in(std::string_view signature)
{
    if (!signature.ends_with(')'))
        return {};
    int depth = 0;
    for (std::size_t i = signature.size(); i-- > 0;) {
        depth += signature[i] == ')';
        depth -= signature[i] == '(';
        if (depth == 0)
            return split_at_commas(signature.substr(i + 1, signature.size() - i - 2));
    }
    return {};
}

} // namespace traced
