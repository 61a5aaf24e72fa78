// A drawing as a PDF of one page, with its fonts embedded and its words as text.
#pragma once

#include "app/pictures/drawing.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace app {

// A unit of the drawing is 1/96 inch. Throws kernels::Error.
std::vector<std::byte> pdf_of(const Drawing& drawing, const std::string& title, std::optional<ImU32> background);

} // namespace app
