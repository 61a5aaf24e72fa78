// What the page sends: one JSON object a message, or a dropped file as bytes. Nothing of it is believed.
#pragma once

#include "base/fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace app {

inline constexpr std::size_t largest_message = 64 * 1024, largest_upload = std::size_t{32} << 20; // bytes

// Positions are pixels of the page's canvas, from its upper left corner.
struct Modifiers {
    bool control = false, shift = false, alt = false;
};

struct CanvasSize { // of the canvas in its own pixels; density: how many of them are one of the page's
    int width = 1600, height = 1000;
    float density = 1;
};
struct Hello : CanvasSize { // the first message
    std::string place;      // what is to be shown, as --show takes it; empty: as a window begins
    bool light = false;
};
struct PointerMove {
    float x = 0, y = 0;
    bool outside = false; // it has left the canvas
};
struct PointerButton {
    float x = 0, y = 0;
    int button = 0; // as ImGui numbers them: left, right, middle
    bool down = false;
    Modifiers modifiers;
};
struct Wheel {
    float x = 0, y = 0; // in lines
    Modifiers modifiers;
};
struct KeyStroke {
    std::string key; // as KeyboardEvent.key has it: "ArrowLeft", "a"
    bool down = false, repeated = false;
    Modifiers modifiers;
};
struct PastedText { // comes before the key that pastes it
    std::string text;
};
struct GoTo { // back, forward, or a link that was typed
    std::string place;
};
struct ShownFrame { // drawn by the page, which takes another one now
    uint64_t number = 0;
};
struct Upload {
    std::string name, bytes; // name: without a folder
};
using Input =
    std::variant<Hello, CanvasSize, PointerMove, PointerButton, Wheel, KeyStroke, PastedText, GoTo, ShownFrame, Upload>;

// Both throw kernels::Error.
Input parse_message(std::string_view text);
Upload parse_upload(std::string_view bytes); // bytes of the name, from 1 to 200, the name, the file

} // namespace app
