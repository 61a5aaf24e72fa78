#include "viz/text/templates.h"

#include "viz/origin.h"
#include "viz/text/figures.h"
#include "viz/text/rich.h"
#include "viz/text/words.h"

#include "texts.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

// Each argument becomes one private-use character before the Markdown is parsed, because the parser needs a letter
// beside ** and `.
constexpr uint32_t first_private = 0xE000;
constexpr std::size_t private_bytes = 3; // of one character in UTF-8
constexpr std::size_t most_places = 64;  // numbers that one continuation byte can have

std::string private_character(std::size_t place)
{
    const auto code = static_cast<uint32_t>(first_private + place);
    return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
            static_cast<char>(0x80 | (code & 0x3F))};
}

std::optional<std::size_t> place_of(std::string_view text)
{
    static const std::string first = private_character(0);
    if (text.size() < private_bytes || text[0] != first[0] || text[1] != first[1])
        return {};
    return static_cast<unsigned char>(text[2]) & 0x3F;
}

bool is_name(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

} // namespace

class Templates::Parser {
public:
    Parser(std::string_view template_id, std::string_view markdown) : id(template_id)
    {
        std::string text = take_places(markdown);
        for (std::size_t i = text.find("&nbsp;"); i != std::string::npos; i = text.find("&nbsp;", i)) // also in code
            text.replace(i, 6, "\u00a0");
        MD_PARSER parser{};
        parser.flags = MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_NOHTMLBLOCKS | MD_FLAG_NOHTMLSPANS;
        parser.enter_block = [](MD_BLOCKTYPE type, void*, void* self) { return of(self).enter(type); };
        parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) { return of(self).leave(type); };
        parser.enter_span = [](MD_SPANTYPE type, void*, void* self) { return of(self).enter(type); };
        parser.leave_span = [](MD_SPANTYPE, void*, void* self) { return of(self).leave(); };
        parser.text = [](MD_TEXTTYPE type, const MD_CHAR* words, MD_SIZE size, void* self) {
            return of(self).add(type, {words, size});
        };
        // md4c 0.4.8 continues after a callback has refused a link, so `problem` is examined as well.
        if (md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, this) != 0 || !problem.empty())
            fail(problem.empty() ? "is no Markdown" : problem);
        if (result.pieces.empty())
            fail("is empty");
    }

    Template result;

private:
    static Parser& of(void* self) { return *static_cast<Parser*>(self); }

    [[noreturn]] void fail(std::string_view what) const
    {
        throw TextError(fmt::format("assets/text: {} {}", id, what));
    }

    std::string take_places(std::string_view text)
    {
        std::string rest;
        while (true) {
            const std::size_t open = text.find('{');
            rest += text.substr(0, open);
            if (open == std::string_view::npos)
                return rest;
            const std::size_t close = text.find('}', open);
            if (close == std::string_view::npos)
                fail("has a { without }");
            rest += private_character(add_place(text.substr(open + 1, close - open - 1)));
            text.remove_prefix(close + 1);
        }
    }

    std::size_t add_place(std::string_view text)
    {
        const std::size_t end = text.find_first_of("|?");
        Place place{.name = std::string(text.substr(0, end))};
        if (end != std::string_view::npos) {
            place.forms_only = text[end] == '?';
            for (const std::string_view form : split(text.substr(end + 1), '|'))
                place.forms.emplace_back(form);
        }
        if (!is_name(place.name) || place.forms.size() == 1 || place.forms.size() > 3)
            fail(fmt::format("has {{{}}}: write {{name}}, {{name|one|many}} or {{name?one|many}}", text));
        if (result.places.size() == most_places)
            fail("has too many arguments");
        result.places.push_back(std::move(place));
        return result.places.size() - 1;
    }

    // Saves the problem and stops md4c. A callback must not throw through md4c's C code.
    int stop(const char* what)
    {
        problem = what;
        return 1;
    }

    int enter(MD_BLOCKTYPE type)
    {
        switch (type) {
        case MD_BLOCK_DOC:
        case MD_BLOCK_P:
        case MD_BLOCK_LI: return 0;
        case MD_BLOCK_UL: wanted = Run::Kind::new_line; return 0;
        case MD_BLOCK_QUOTE: styles.push_back(Style::faint); return 0;
        case MD_BLOCK_H: styles.push_back(Style::heading); return 0;
        default: return stop("uses Markdown that is not shown: paragraphs, lists, > asides and ### headings are");
        }
    }

    int leave(MD_BLOCKTYPE type)
    {
        if (type == MD_BLOCK_QUOTE || type == MD_BLOCK_H)
            styles.pop_back();
        if (type == MD_BLOCK_LI)
            wanted = Run::Kind::gap;
        else if (type != MD_BLOCK_DOC)
            wanted = Run::Kind::new_line;
        return 0;
    }

    int enter(MD_SPANTYPE type)
    {
        switch (type) {
        case MD_SPAN_EM: styles.push_back(Style::strong); return 0;
        case MD_SPAN_STRONG: styles.push_back(Style::figure); return 0;
        case MD_SPAN_CODE: styles.push_back(Style::code); return 0;
        default: return stop("uses Markdown that is not shown: **figures**, *emphasis* and `code` are");
        }
    }

    int leave()
    {
        styles.pop_back();
        return 0;
    }

    int add(MD_TEXTTYPE type, std::string_view text)
    {
        if (type == MD_TEXT_BR) {
            wanted = Run::Kind::new_line;
            return 0;
        }
        if (type == MD_TEXT_SOFTBR)
            text = " ";
        while (!text.empty()) {
            if (const auto place = place_of(text)) {
                piece(*place);
                text.remove_prefix(private_bytes);
                continue;
            }
            const std::size_t end = std::min(text.find(private_character(0).substr(0, 2)), text.size());
            piece({}).words += text.substr(0, end);
            text.remove_prefix(end);
        }
        return 0;
    }

    Run& piece(std::optional<std::size_t> place)
    {
        if (wanted && !result.pieces.empty())
            result.pieces.push_back({{.kind = *wanted}, {}});
        wanted.reset();
        const bool goes_on = !place && !result.pieces.empty() && !result.pieces.back().place &&
                             result.pieces.back().run.kind == Run::Kind::words &&
                             result.pieces.back().run.style == styles.back();
        if (!goes_on)
            result.pieces.push_back({{.style = styles.back()}, place});
        return result.pieces.back().run;
    }

    std::string_view id;
    std::string problem;
    std::vector<Style> styles{Style::words};
    std::optional<Run::Kind> wanted; // inserted before the next words
};

void Templates::add(std::string_view name, std::string_view markdown)
{
    std::string id, body;
    const auto end_section = [&] {
        if (!id.empty() && !templates.emplace(id, Parser(id, body).result).second)
            throw TextError(fmt::format("assets/text: {} stands there twice", id));
        body.clear();
    };
    for (const std::string_view line : split(markdown, '\n')) {
        if (line.starts_with("## ")) {
            end_section();
            id = line.substr(3);
            if (!id.starts_with(std::string(name) + '.'))
                throw TextError(fmt::format("assets/text/{}.md: \"{}\" must begin with \"{}.\"", name, id, name));
        } else if (!id.empty()) {
            body.append(line).append("\n");
        }
    }
    end_section();
}

std::vector<std::string_view> Templates::ids() const
{
    std::vector<std::string_view> all;
    for (const auto& [id, text] : templates)
        all.emplace_back(id);
    return all;
}

std::set<std::string> Templates::arguments(std::string_view id) const
{
    std::set<std::string> names;
    if (const auto found = templates.find(id); found != templates.end())
        for (const Place& place : found->second.places)
            names.insert(place.name);
    return names;
}

namespace {

std::string text_of(const Quantity& quantity)
{
    switch (quantity.unit) {
    case Unit::number: return thousands(quantity.value);
    case Unit::share: return percent(quantity.value);
    case Unit::change: return change_words(quantity.value);
    case Unit::nanoseconds: return time_words(quantity.value);
    case Unit::bytes: return bytes_words(quantity.value);
    case Unit::rounded:
        return std::abs(quantity.value) < 999.5 ? fmt::format("{:.3g}", quantity.value) : thousands(quantity.value);
    case Unit::decimals: break;
    }
    return fmt::format("{:.{}f}", quantity.value, quantity.decimals);
}

// Returns the text of a value that fits into one run, or nothing for other values.
std::optional<std::string> text_of(const Value& value)
{
    if (const auto* count = std::get_if<int64_t>(&value.content))
        return *count < 0 ? "-" + thousands(static_cast<uint64_t>(-*count)) : thousands(static_cast<uint64_t>(*count));
    if (const auto* number = std::get_if<Index>(&value.content))
        return std::to_string(number->value);
    if (const auto* quantity = std::get_if<Quantity>(&value.content))
        return text_of(*quantity);
    if (const auto* text = std::get_if<std::string>(&value.content))
        return *text;
    return {};
}

// Returns the amount that selects a word form, or nothing if the value has no amount.
std::optional<double> amount(const Value& value)
{
    if (const auto* count = std::get_if<int64_t>(&value.content))
        return static_cast<double>(*count);
    if (const auto* quantity = std::get_if<Quantity>(&value.content))
        return quantity->value == 0 ? 0 : text_of(*quantity) == "1" ? 1 : 2;
    if (const auto* list = std::get_if<Value::List>(&value.content))
        return static_cast<double>(list->size());
    return {};
}

} // namespace

void Templates::fill(const Templates& all, const Place& place, const Value& value, const Run& like,
                     std::vector<Run>& runs)
{
    const auto say = [&](std::string words) {
        Run run = like;
        run.words = std::move(words);
        run.meaning = value.meaning;
        runs.push_back(std::move(run));
    };
    std::string word;
    if (!place.forms.empty()) {
        const auto many = amount(value);
        if (!many)
            throw TextError(fmt::format("{{{}}} chooses a word, so it must be a count, a list or a bool", place.name));
        const bool for_none = place.forms.size() == 3;
        word = *many == 0 && for_none ? place.forms[0] : place.forms[(*many == 1 ? 0 : 1) + (for_none ? 1 : 0)];
        if (place.forms_only || (*many == 0 && for_none))
            return say(word);
        word.insert(0, " ");
    }
    if (const auto text = text_of(value))
        return say(*text + word);
    if (const auto* swatch = std::get_if<Swatch>(&value.content))
        runs.push_back({.kind = Run::Kind::swatch, .colour = swatch->colour});
    if (const auto* origin = std::get_if<NumberOrigin>(&value.content))
        runs.push_back({.kind = Run::Kind::origin, .origin = *origin});
    if (const auto* list = std::get_if<Value::List>(&value.content))
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (i > 0)
                runs.push_back({.words = i + 1 == list->size() ? " and " : ", ",
                                .style = like.style == Style::figure ? Style::words : like.style});
            fill(all, {place.name}, (*list)[i], like, runs);
        }
    if (const auto* messages = std::get_if<Value::Nested>(&value.content))
        for (std::size_t i = 0; i < messages->size(); ++i) {
            if (i > 0)
                runs.push_back({.words = " "});
            std::ranges::move(all.compose((*messages)[i]), std::back_inserter(runs));
        }
    if (const auto* sentence = std::get_if<Rich>(&value.content))
        for (Run run : *sentence) {
            run.meaning = value.meaning == Meaning::none ? run.meaning : value.meaning;
            runs.push_back(std::move(run));
        }
    if (!word.empty())
        say(word);
}

std::vector<Run> Templates::compose(const Message& message) const
{
    const auto found = templates.find(message.id);
    if (found == templates.end())
        throw TextError(fmt::format("no template \"{}\" in assets/text", message.id));
    const Template& text = found->second;
    for (const Argument& argument : message.arguments)
        if (std::ranges::find(text.places, argument.name, &Place::name) == text.places.end())
            throw TextError(fmt::format("{} does not use \"{}\"", message.id, argument.name));
    std::vector<Run> runs;
    for (const Piece& piece : text.pieces) {
        if (!piece.place) {
            runs.push_back(piece.run);
            continue;
        }
        const Place& place = text.places[*piece.place];
        const auto argument = std::ranges::find(message.arguments, place.name, &Argument::name);
        if (argument == message.arguments.end())
            throw TextError(fmt::format("{} needs \"{}\"", message.id, place.name));
        fill(*this, place, argument->value, piece.run, runs);
    }
    return runs;
}

const Templates& shipped_templates()
{
    static const Templates all = [] {
        Templates read;
        for (const std::string_view path : texts::files())
            if (path.ends_with(".md"))
                read.add(path.substr(0, path.rfind('.')), texts::file(path));
        return read;
    }();
    return all;
}

void append(std::vector<Run>& runs, const Value& value, Style style)
{
    Templates::fill(shipped_templates(), {}, value, {.style = style}, runs);
}

std::vector<Run> compose(const Message& message)
try {
    return shipped_templates().compose(message);
} catch (const TextError& error) {
    return {{.words = fmt::format("[{}]", error.what()), .meaning = Meaning::conflict}};
}

std::string plain(const Message& message)
{
    return plain(compose(message));
}

std::string plain(const Messages& messages)
{
    std::string text;
    for (const Message& message : messages)
        text += (text.empty() ? "" : " ") + plain(message);
    return text;
}

} // namespace viz
