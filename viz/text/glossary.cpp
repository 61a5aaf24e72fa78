#include "viz/text/glossary.h"

#include "viz/text/words.h"

#include "texts.h"

#include <algorithm>
#include <cctype>

namespace viz {

namespace {

// Returns the word in lower case without surrounding punctuation and without the s of a plural.
std::string plain_form(std::string_view word)
{
    const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80; };
    while (!word.empty() && !is_part(static_cast<unsigned char>(word.front())))
        word.remove_prefix(1);
    while (!word.empty() && !is_part(static_cast<unsigned char>(word.back())))
        word.remove_suffix(1);
    std::string form;
    for (const char c : word)
        form += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (form.size() > 3 && form.ends_with('s') && !form.ends_with("ss"))
        form.pop_back();
    return form;
}

std::string plain_forms(std::string_view words)
{
    std::string forms;
    for (const std::string_view word : split(words, ' '))
        forms += (forms.empty() ? "" : " ") + plain_form(word);
    return forms;
}

// Returns whether a sentence or clause ends after the word. A term ends there too.
bool ends_piece(std::string_view word)
{
    return !word.empty() && std::string_view(".,:;!?)").find(word.back()) != std::string_view::npos;
}

constexpr std::size_t most_words = 3;

// Parses lines of the form "NAME; OTHER NAME | MEANING". Lines that begin with # are comments.
std::vector<Term> parse_terms(std::string_view text)
{
    std::vector<Term> terms;
    for (const std::string_view line : split(text, '\n')) {
        const std::size_t bar = line.find('|');
        if (line.starts_with('#') || bar == std::string_view::npos)
            continue;
        Term term{.name = {}, .meaning = std::string(trimmed(line.substr(bar + 1))), .names = {}};
        for (const std::string_view name : split(line.substr(0, bar), ';')) {
            if (term.name.empty())
                term.name = trimmed(name);
            term.names.push_back(plain_forms(trimmed(name)));
        }
        terms.push_back(std::move(term));
    }
    return terms;
}

} // namespace

const std::vector<Term>& shipped_terms()
{
    static const std::vector<Term> terms = parse_terms(texts::file("glossary.txt"));
    return terms;
}

FoundTerm term_at(const std::vector<Term>& terms, std::span<const std::string_view> words)
{
    FoundTerm found;
    std::string forms;
    for (std::size_t count = 1; count <= std::min(words.size(), most_words); ++count) {
        forms += (forms.empty() ? "" : " ") + plain_form(words[count - 1]);
        for (const Term& term : terms)
            if (std::ranges::find(term.names, forms) != term.names.end())
                found = {&term, count};
        if (ends_piece(words[count - 1]))
            break;
    }
    return found;
}

} // namespace viz
