#include "traced/text_parts.h"

#include "traced/words.h"

namespace traced {

namespace {

// Returns whether the text contains R"(...)", also after u8, u, U or L. An R at the end of a quoted name, as in "WNITER",
// does not count.
bool has_raw_string(std::string_view text)
{
    for (std::size_t at = text.find("R\""); at != std::string_view::npos; at = text.find("R\"", at + 1))
        if (at == 0 || !is_word(text[at - 1]) || std::string_view("8uUL").find(text[at - 1]) != std::string_view::npos)
            return true;
    return false;
}

} // namespace

std::vector<Part> parts_of(std::string_view text)
{
    std::vector<Part> parts(text.size(), Part::code);
    enum class In { code, line, block, quoted, letter } in = In::code;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
        const bool quoted = in == In::quoted || in == In::letter;
        if (in == In::code && c == '/' && (next == '/' || next == '*'))
            in = next == '/' ? In::line : In::block;
        else if (in == In::code && (c == '"' || (c == '\'' && (i == 0 || !is_word(text[i - 1])))))
            in = c == '"' ? In::quoted : In::letter;
        else if (in == In::line && c == '\n')
            in = In::code;
        else if (in == In::block && c == '*' && next == '/') {
            parts[i] = parts[i + 1] = Part::comment;
            ++i;
            in = In::code;
            continue;
        } else if ((in == In::quoted && c == '"') || (in == In::letter && c == '\'')) {
            in = In::code;
            continue;
        }
        const Part part = in == In::code                      ? Part::code
                          : in == In::line || in == In::block ? Part::comment
                                                              : Part::quoted;
        parts[i] = part;
        if (quoted && c == '\\' && next != '\0')
            parts[++i] = part;
    }
    return parts;
}

std::string compiled_words(std::string_view text)
{
    if (has_raw_string(text)) // whose quotes would be taken for its end
        return std::string(text);
    std::string result;
    const std::vector<Part> parts = parts_of(text);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool blank = parts[i] != Part::quoted &&
                           (text[i] == ' ' || text[i] == '\t' || parts[i] == Part::comment) && text[i] != '\n';
        const char last = result.empty() ? '\n' : result.back();
        const bool begins_line = last == '\n' && !result.ends_with("\\\n"); // a continuation line separates words
        if (!blank) {
            if (text[i] == '\n' && last == ' ')
                result.pop_back();
            result += text[i];
        } else if (last != ' ' && !begins_line) {
            result += ' ';
        }
    }
    return result;
}

} // namespace traced
