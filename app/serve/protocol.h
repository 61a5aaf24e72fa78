// Messages from the page: JSON objects, and dropped files as bytes. Every value is checked, because any program may
// send such messages.
#pragma once

#include "base/fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace app {

inline constexpr std::size_t largest_message = 64 * 1024, largest_upload = std::size_t{32} << 20; // bytes

// Positions are in pixels of the canvas, from its upper left corner.
struct Modifiers {
    bool control = false, shift = false, alt = false;
};

struct CanvasSize { // width and height in canvas pixels; density: canvas pixels per pixel of the page
    int width = 1600, height = 1000;
    float density = 1;
};
struct Hello : CanvasSize { // the first message
    std::string place;      // what to show, in the form of --show; empty: the initial state of a window
    bool light = false;
};
struct PointerMove {
    float x = 0, y = 0;
    bool outside = false; // the pointer has left the canvas
};
struct PointerButton {
    float x = 0, y = 0;
    int button = 0; // number as in ImGui: left, right, middle
    bool down = false;
    Modifiers modifiers;
};
struct Wheel {
    float x = 0, y = 0; // in lines
    Modifiers modifiers;
};
struct KeyStroke {
    std::string key; // value of KeyboardEvent.key: "ArrowLeft", "a"
    bool down = false, repeated = false;
    Modifiers modifiers;
};
struct PastedText { // arrives before the key that pastes it
    std::string text;
};
struct GoTo { // the user went back or forward, or typed a link
    std::string place;
};
struct ShownFrame { // the page has drawn this frame and can take another one
    uint64_t number = 0;
};
struct Upload {
    std::string name, bytes; // name: file name without a folder
};
using Input =
    std::variant<Hello, CanvasSize, PointerMove, PointerButton, Wheel, KeyStroke, PastedText, GoTo, ShownFrame, Upload>;

// Both functions throw kernels::Error.
Input parse_message(std::string_view text);
Upload parse_upload(std::string_view bytes); // one byte with the length of the name (1 to 200), the name, the file

} // namespace app
