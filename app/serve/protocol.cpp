#include "app/serve/protocol.h"

#include "app/data/fields_json.h"
#include "app/data/shipped_file.h"

#include "error.h"

#include <algorithm>

namespace app {

namespace {

constexpr auto coordinate = kernels::between(-100'000.0f, 100'000.0f);

} // namespace

using kernels::between;
using kernels::may_be_missing;

void fields(auto& visit, kernels::Like<Modifiers> auto& modifiers)
{
    visit("control", modifiers.control, may_be_missing);
    visit("shift", modifiers.shift, may_be_missing);
    visit("alt", modifiers.alt, may_be_missing);
}
void fields(auto& visit, kernels::Like<CanvasSize> auto& size)
{
    visit("width", size.width, between(160, 8192));
    visit("height", size.height, between(160, 8192));
    visit("density", size.density, between(0.25f, 8.0f));
}
void fields(auto& visit, kernels::Like<Hello> auto& hello)
{
    visit("width", hello.width, between(160, 8192));
    visit("height", hello.height, between(160, 8192));
    visit("density", hello.density, between(0.25f, 8.0f));
    visit("place", hello.place, may_be_missing, between(0u, 4000u));
    visit("light", hello.light, may_be_missing);
}
void fields(auto& visit, kernels::Like<PointerMove> auto& move)
{
    visit("x", move.x, kernels::any_number, coordinate);
    visit("y", move.y, kernels::any_number, coordinate);
    visit("outside", move.outside, may_be_missing);
}
void fields(auto& visit, kernels::Like<PointerButton> auto& pointer)
{
    visit("x", pointer.x, kernels::any_number, coordinate);
    visit("y", pointer.y, kernels::any_number, coordinate);
    visit("button", pointer.button, between(0, 2));
    visit("down", pointer.down);
    fields(visit, pointer.modifiers);
}
void fields(auto& visit, kernels::Like<Wheel> auto& wheel)
{
    visit("x", wheel.x, kernels::any_number, between(-100.0f, 100.0f));
    visit("y", wheel.y, kernels::any_number, between(-100.0f, 100.0f));
    fields(visit, wheel.modifiers);
}
void fields(auto& visit, kernels::Like<KeyStroke> auto& stroke)
{
    visit("key", stroke.key, between(1u, 32u));
    visit("down", stroke.down);
    visit("repeated", stroke.repeated, may_be_missing);
    fields(visit, stroke.modifiers);
}
void fields(auto& visit, kernels::Like<PastedText> auto& pasted)
{
    visit("text", pasted.text, between(0u, 60'000u));
}
void fields(auto& visit, kernels::Like<GoTo> auto& where)
{
    visit("place", where.place, between(0u, 4000u));
}
void fields(auto& visit, kernels::Like<ShownFrame> auto& shown)
{
    visit("number", shown.number);
}

Input parse_message(std::string_view text)
{
    if (text.size() > largest_message)
        throw kernels::Error("The message is too long.");
    const nlohmann::json json = parse_json(text);
    const auto kind = field_of<std::string>(json, "kind");
    if (kind == "hello")
        return from_named_json<Hello>(json);
    if (kind == "size")
        return from_named_json<CanvasSize>(json);
    if (kind == "move")
        return from_named_json<PointerMove>(json);
    if (kind == "button")
        return from_named_json<PointerButton>(json);
    if (kind == "wheel")
        return from_named_json<Wheel>(json);
    if (kind == "key")
        return from_named_json<KeyStroke>(json);
    if (kind == "paste")
        return from_named_json<PastedText>(json);
    if (kind == "go")
        return from_named_json<GoTo>(json);
    if (kind == "shown")
        return from_named_json<ShownFrame>(json);
    throw kernels::Error("There is no message of that kind.");
}

Upload parse_upload(std::string_view bytes)
{
    const std::size_t length = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front());
    if (length == 0 || length > 200 || bytes.size() < 1 + length || bytes.size() > largest_upload)
        throw kernels::Error("The upload is damaged or too large.");
    Upload upload{std::string(bytes.substr(1, length)), std::string(bytes.substr(1 + length))};
    const auto harmless = [](char one) {
        return one == '.' || one == '_' || one == '-' || (one >= '0' && one <= '9') || (one >= 'A' && one <= 'Z') ||
               (one >= 'a' && one <= 'z');
    };
    std::ranges::replace_if(
        upload.name, [&](char one) { return !harmless(one); }, '_');
    if (upload.name.front() == '.')
        upload.name.front() = '_';
    return upload;
}

} // namespace app
