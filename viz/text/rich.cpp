#include "viz/text/rich.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace viz {

namespace {

// Reads a format from beginning to end. Each mark turns a style on or off.
class RichReader {
public:
    RichReader(std::string_view format, const std::vector<Value>& arguments) : format_(format), arguments_(arguments) {}

    Rich read()
    {
        for (std::size_t at = 0; at < format_.size();)
            at += step(format_.substr(at));
        say();
        if (next_ != arguments_.size())
            throw TextError(fmt::format("\"{}\" has {} places for {} arguments", format_, next_, arguments_.size()));
        return std::move(runs_);
    }

private:
    // Reads the next piece and returns its length in characters.
    std::size_t step(std::string_view rest)
    {
        const bool line_begins = words_.empty() && (runs_.empty() || runs_.back().kind == Run::Kind::new_line);
        if (rest.starts_with("{}"))
            return put(), 2;
        if (rest.starts_with("**"))
            return switch_to(Style::figure), 2;
        if (rest.starts_with('*'))
            return switch_to(Style::strong), 1;
        if (rest.starts_with('`'))
            return switch_to(Style::code), 1;
        for (const auto& [mark, style] : {std::pair("> ", Style::faint), std::pair("### ", Style::heading)})
            if (line_begins && rest.starts_with(mark)) {
                style_ = line_style_ = style;
                return std::string_view(mark).size();
            }
        if (rest.starts_with('\n')) {
            say();
            style_ = line_style_ = Style::words;
            runs_.push_back({.kind = Run::Kind::new_line});
            return 1;
        }
        words_ += rest.front();
        return 1;
    }

    void switch_to(Style style)
    {
        say();
        style_ = style_ == style ? line_style_ : style;
    }

    void say()
    {
        if (!words_.empty())
            runs_.push_back({.words = std::exchange(words_, {}), .style = style_});
    }

    void put()
    {
        say();
        if (next_ == arguments_.size())
            throw TextError(fmt::format("\"{}\" has more places than arguments", format_));
        append(runs_, arguments_[next_++], style_);
    }

    std::string_view format_;
    const std::vector<Value>& arguments_;
    std::size_t next_ = 0;
    Rich runs_;
    std::string words_;                                      // not appended to runs_ yet
    Style style_ = Style::words, line_style_ = Style::words; // now; outside of marks
};

Rich with_between(std::vector<Rich> parts, const Run& between)
{
    Rich all;
    for (Rich& part : parts) {
        if (part.empty())
            continue;
        if (!all.empty())
            all.push_back(between);
        std::ranges::move(part, std::back_inserter(all));
    }
    return all;
}

} // namespace

Rich rich_of(std::string_view format, const std::vector<Value>& arguments)
{
    return RichReader(format, arguments).read();
}

Rich rich(const Messages& messages)
{
    std::vector<Rich> parts;
    for (const Message& message : messages)
        parts.push_back(compose(message));
    return joined(std::move(parts));
}

Rich joined(std::vector<Rich> parts)
{
    return with_between(std::move(parts), {.words = " "});
}

Rich in_lines(std::vector<Rich> parts)
{
    return with_between(std::move(parts), {.kind = Run::Kind::new_line});
}

Rich listed(std::vector<Rich> parts)
{
    Rich all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0)
            all.push_back({.words = i + 1 == parts.size() ? " and " : ", "});
        std::ranges::move(parts[i], std::back_inserter(all));
    }
    return all;
}

std::string plain(const Rich& words)
{
    std::string text;
    for (const Run& run : words)
        text += run.kind == Run::Kind::new_line ? "\n" : run.kind == Run::Kind::gap ? "  " : run.words;
    return text;
}

std::string counted(uint64_t count, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", thousands(count), count == 1 ? one : many);
}

} // namespace viz
