// The controls of a view, drawn over its figure: buttons, numbers and fields. Each one is beside the previous control,
// or in a new row if there is no room.
#pragma once

#include "viz/draw/draw.h"
#include "viz/view.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace viz::draw {

class Controls {
public:
    // The rows begin at the box's upper left corner. `down` is the space above and below a button's words, in pixels at
    // scale 1.
    Controls(ViewFrame& frame, const Box& box, float down = 1);
    ~Controls();
    Controls(const Controls&) = delete;
    Controls& operator=(const Controls&) = delete;

    void align_right(std::initializer_list<const char*> buttons); // call before the first of exactly these buttons
    void begin_group() { apart_ = true; }                         // separates the next control from the previous ones
    void place(float width);                                      // call before the next ImGui item

    // Draws a button and returns whether it was pressed. `mark` is its name for tests; empty means the words. A button
    // with a `refusal` is grey. `partner` is a button that stays in the same row.
    struct Button {
        std::string_view mark = {}, refusal = {};
        const char* partner = nullptr;
    };
    bool choice(const char* words, bool chosen, const Button& more);
    bool choice(const char* words, bool chosen) { return choice(words, chosen, {}); }

    // Draws words with "-" and "+", and returns the change of the value: -1, 0 or 1. Mark "more WORDS".
    int stepper(const char* words, int value);
    // Draws a number that can be dragged, or clicked and typed. Returns the new value after a change. The number is
    // grey unless `in_use`. Mark "number WORDS".
    std::optional<int> number(const char* words, int value, int least, int most, const std::string& hint,
                              bool in_use = true);
    // Draws a number that can be typed, and returns whether it changed. `name` is its id and its mark.
    bool field(const char* name, const char* words, uint32_t& value, bool focus);
    // Draws a field for a formula, which fills the rest of the row. Returns what was typed. Mark "formula".
    std::optional<std::string> formula(const std::string& now, bool focus, std::string hint);

    float height() const; // of all rows so far

private:
    ViewFrame& frame_;
    const Theme& theme_;
    Box box_;
    bool begun_ = false, apart_ = false;
};

} // namespace viz::draw
