#include "app/workspace/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>
#include <iterator>
#include <utility>

namespace app {

bool KeyChord::matches(const KeyChord& other) const
{
    if (key != other.key || control != other.control || alt != other.alt)
        return false;
    return key == Key::character ? character == other.character : shift == other.shift;
}

KeyChord typed(char32_t character)
{
    return {.character = character};
}

KeyChord control(char32_t character)
{
    return {.character = character, .control = true};
}

KeyChord named(Key key, bool shift)
{
    return {.key = key, .shift = shift};
}

KeyChord with_alt(Key key)
{
    return {.key = key, .alt = true};
}

namespace {

constexpr std::array<std::pair<Key, std::string_view>, 13> names{{{Key::left, "←"},
                                                                  {Key::right, "→"},
                                                                  {Key::up, "↑"},
                                                                  {Key::down, "↓"},
                                                                  {Key::home, "Home"},
                                                                  {Key::end, "End"},
                                                                  {Key::page_up, "PageUp"},
                                                                  {Key::page_down, "PageDown"},
                                                                  {Key::tab, "Tab"},
                                                                  {Key::escape, "Esc"},
                                                                  {Key::enter, "Enter"},
                                                                  {Key::backspace, "Backspace"},
                                                                  {Key::remove, "Delete"}}};

bool is_small(char32_t character)
{
    return character >= U'a' && character <= U'z';
}

bool is_capital(char32_t character)
{
    return character >= U'A' && character <= U'Z';
}

std::string name_of(const KeyChord& chord)
{
    if (chord.key >= Key::f1)
        return fmt::format("F{}", static_cast<int>(chord.key) - static_cast<int>(Key::f1) + 1);
    for (const auto& [key, name] : names)
        if (key == chord.key)
            return std::string(name);
    if (chord.character == U' ')
        return "Space";
    const bool held = chord.control || chord.alt;
    const char32_t shown = held && is_small(chord.character) ? chord.character - U'a' + U'A' : chord.character;
    return std::string(1, static_cast<char>(shown)); // only ASCII characters are bound
}

// Parses a key name without modifiers.
std::optional<KeyChord> key_named(std::string_view name)
{
    for (const auto& [key, known] : names)
        if (name == known)
            return named(key);
    for (int number = 1; number <= 12; ++number)
        if (name == fmt::format("F{}", number))
            return named(static_cast<Key>(static_cast<int>(Key::f1) + number - 1));
    if (name == "Space")
        return typed(U' ');
    if (name.size() == 1 && name[0] > ' ' && name[0] <= '~')
        return typed(static_cast<unsigned char>(name[0]));
    return std::nullopt;
}

bool has(const Command& command, const KeyChord& chord)
{
    return std::ranges::any_of(command.chords, [&](const KeyChord& own) { return own.matches(chord); });
}

} // namespace

std::string describe(const KeyChord& chord)
{
    std::string text = chord.control ? "Ctrl+" : "";
    if (chord.alt)
        text += "Alt+";
    const bool capital = (chord.control || chord.alt) && is_capital(chord.character);
    if (capital || (chord.shift && chord.key != Key::character))
        text += "Shift+";
    return text + name_of(chord);
}

std::optional<KeyChord> chord_named(std::string_view text)
{
    bool control = false, alt = false, shift = false;
    const auto take = [&](std::string_view held, bool& is_held) {
        if (text.size() > held.size() && text.starts_with(held)) {
            text.remove_prefix(held.size());
            is_held = true;
        }
    };
    take("Ctrl+", control);
    take("Alt+", alt);
    take("Shift+", shift);
    std::optional<KeyChord> chord = key_named(text);
    if (!chord)
        return std::nullopt;
    chord->control = control;
    chord->alt = alt;
    if (chord->key != Key::character)
        chord->shift = shift;
    else if ((control || alt) && is_capital(chord->character) && !shift)
        chord->character += U'a' - U'A';
    return chord;
}

const Command* user_of(const Commands& commands, const KeyChord& chord, std::string_view view)
{
    const auto user_in = [&](std::string_view where) {
        return std::ranges::find_if(
            commands, [&](const Command& command) { return command.view == where && has(command, chord); });
    };
    auto found = user_in(view);
    if (found == commands.end())
        found = user_in({});
    return found == commands.end() ? nullptr : &*found;
}

const Command* find(const Commands& commands, const KeyChord& chord, std::string_view view)
{
    const Command* command = user_of(commands, chord, view);
    return command != nullptr && chord.repeated && !command->repeats ? nullptr : command;
}

std::string keys_text(const Command& command)
{
    std::string text;
    for (const KeyChord& chord : command.chords)
        text += (text.empty() ? "" : " or ") + describe(chord);
    return text;
}

namespace {

char lower(char c)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0;
}

bool begins_word(std::string_view text, std::size_t at)
{
    return at == 0 || !is_word(text[at - 1]);
}

// Scores the typed characters found in order anywhere in the text.
std::optional<int> scattered(std::string_view typed, std::string_view text)
{
    int score = 0;
    std::size_t at = 0;
    bool next = false; // whether the previous character was found immediately before
    for (const char c : typed) {
        if (c == ' ') {
            next = false;
            continue;
        }
        std::size_t found = std::string_view::npos;
        for (std::size_t i = at; i < text.size(); ++i)
            if (lower(text[i]) == lower(c)) {
                if (found == std::string_view::npos)
                    found = i;
                if ((i == at && next) || begins_word(text, i)) {
                    found = i;
                    break;
                }
            }
        if (found == std::string_view::npos)
            return {};
        score += found == at && next ? 5 : begins_word(text, found) ? 4 : -1;
        next = true;
        at = found + 1;
    }
    return score;
}

std::size_t find_whole(std::string_view typed, std::string_view text)
{
    const auto found = std::ranges::search(text, typed, [](char a, char b) { return lower(a) == lower(b); });
    return found.empty() ? std::string_view::npos : static_cast<std::size_t>(found.begin() - text.begin());
}

std::pair<std::string_view, std::string_view> name_and_value(std::string_view typed)
{
    const std::size_t end = std::min(typed.find_first_of(" ="), typed.size());
    const std::size_t value = std::min(typed.find_first_not_of(" =", end), typed.size());
    return {typed.substr(0, end), typed.substr(value)};
}

std::string_view first_word(std::string_view text)
{
    return text.substr(0, text.find(' '));
}

bool same(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

// Returns the value that was typed after the entry's first word. Returns nothing if the entry takes no value, or if no
// value was typed, which includes typing the title itself.
std::optional<std::string_view> value_for(const PaletteEntry& entry, std::string_view typed)
{
    if (!entry.set)
        return {};
    if (entry.reads)
        return entry.reads(typed) ? std::optional(typed) : std::nullopt;
    const auto [name, value] = name_and_value(typed);
    if (entry.takes_path && name.find('/') != std::string_view::npos)
        return typed;
    if (value.empty() || !same(name, first_word(entry.title)) || find_whole(typed, entry.title) == 0)
        return {};
    return value;
}

std::optional<int> fit_of(std::string_view typed, const PaletteEntry& entry)
{
    if (value_for(entry, typed))
        return 10000;
    const auto title = app::fit(typed, entry.title);
    const auto also = app::fit(typed, entry.also);
    if (!title && !also)
        return {};
    return std::max(title.value_or(-1000), also.value_or(-1000) - 20) + entry.preference;
}

} // namespace

std::optional<int> fit(std::string_view typed, std::string_view text)
{
    if (typed.empty())
        return 0;
    const std::size_t whole = find_whole(typed, text);
    const int length = static_cast<int>(std::min<std::size_t>(text.size(), 100));
    if (whole != std::string_view::npos)
        return (begins_word(text, whole) ? 300 : 150) + (whole == 0 ? 100 : 0) +
               (typed.size() == text.size() ? 500 : 0) - length;
    // A minimum score is needed, because in a long sentence almost any text can be found scattered.
    const auto score = scattered(typed, text);
    if (!score || *score < static_cast<int>(typed.size()))
        return {};
    return *score - length;
}

namespace {

// Returns the numbers of a text such as "C(5,37)", which begins with `name`: `least` to `most` of them. Ignores case
// and blanks; brackets may be absent where `bare` is set. Returns none for every other text.
std::vector<uint32_t> numbers_typed(std::string_view typed, std::string_view name, std::size_t least, std::size_t most,
                                    bool bare)
{
    std::string text;
    for (const char c : typed)
        if (c != ' ')
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::string_view left = text;
    if (!left.starts_with(name))
        return {};
    left.remove_prefix(name.size());
    const bool bracket = left.starts_with('(');
    if (!bracket && !bare)
        return {};
    left.remove_prefix(bracket ? 1 : 0);
    std::vector<uint32_t> numbers;
    while (numbers.size() < most) {
        uint32_t value = 0;
        const auto read = std::from_chars(left.data(), left.data() + left.size(), value);
        if (read.ec != std::errc())
            return {};
        numbers.push_back(value);
        left.remove_prefix(static_cast<std::size_t>(read.ptr - left.data()));
        if (!left.starts_with(','))
            break;
        left.remove_prefix(1);
    }
    const bool ended = left.empty() || (bracket && left == ")");
    return ended && numbers.size() >= least ? numbers : std::vector<uint32_t>();
}

} // namespace

std::optional<std::pair<uint32_t, uint32_t>> element_typed(std::string_view typed)
{
    const std::vector<uint32_t> numbers = numbers_typed(typed, "c", 2, 2, false);
    return numbers.empty() ? std::nullopt : std::optional(std::pair(numbers[0], numbers[1]));
}

std::vector<uint32_t> block_typed(std::string_view typed)
{
    return numbers_typed(typed, "block", 1, 3, true);
}

void Palette::open(std::vector<PaletteEntry> entries)
{
    entries_ = std::move(entries);
    typed_.clear();
    wrong_.clear();
    chosen_ = 0;
    open_ = true;
    all_selected_ = false;
}

std::vector<const PaletteEntry*> Palette::found() const
{
    std::vector<std::pair<int, const PaletteEntry*>> fitting;
    for (const PaletteEntry& entry : entries_)
        if (const auto score = fit_of(typed_, entry))
            fitting.emplace_back(*score, &entry);
    std::ranges::stable_sort(fitting, std::greater<>(), &std::pair<int, const PaletteEntry*>::first);
    std::vector<const PaletteEntry*> result;
    for (std::size_t i = 0; i < std::min(fitting.size(), most_shown); ++i)
        result.push_back(fitting[i].second);
    return result;
}

const PaletteEntry* Palette::chosen_entry() const
{
    const auto rows = found();
    return chosen_ < rows.size() ? rows[chosen_] : nullptr;
}

void Palette::type(std::string_view text)
{
    if (all_selected_)
        typed_.clear();
    all_selected_ = false;
    typed_ += text;
    wrong_.clear();
    chosen_ = 0;
}

void Palette::erase_last()
{
    if (all_selected_)
        return type({});
    while (!typed_.empty() && (typed_.back() & 0xc0) == 0x80) // rest of a UTF-8 character
        typed_.pop_back();
    if (!typed_.empty())
        typed_.pop_back();
    type({});
}

void Palette::run()
{
    const PaletteEntry* entry = chosen_entry();
    if (entry == nullptr)
        return;
    const PaletteEntry chosen = *entry;
    if (const auto value = value_for(chosen, typed_)) {
        wrong_ = chosen.set(*value);
        if (wrong_.empty())
            close();
    } else if (chosen.set) { // prompts for its value
        typed_ = chosen.begins.empty() ? std::string(first_word(chosen.title)) + " " : chosen.begins;
        chosen_ = 0;
        all_selected_ = false;
    } else {
        close();
        chosen.run();
    }
}

void Palette::press(const KeyChord& chord)
{
    const std::size_t rows = found().size();
    switch (chord.key) {
    case Key::escape: return close();
    case Key::enter: return run();
    case Key::backspace: return chord.control ? (typed_.clear(), type({})) : erase_last();
    case Key::down:
    case Key::tab: chosen_ = rows == 0 ? 0 : (chosen_ + 1) % rows; return;
    case Key::up: chosen_ = rows == 0 ? 0 : (chosen_ + rows - 1) % rows; return;
    case Key::page_down:
    case Key::end: chosen_ = rows == 0 ? 0 : rows - 1; return;
    case Key::page_up:
    case Key::home: chosen_ = 0; return;
    case Key::character: break;
    default: return;
    }
    if (chord.control || chord.alt) {
        if (chord.control && chord.character == U'p')
            close();
        if (chord.control && chord.character == U'a')
            all_selected_ = !typed_.empty();
        return;
    }
    if (chord.character >= U' ' && chord.character < 0x7f)
        type(std::string(1, static_cast<char>(chord.character)));
}

} // namespace app
