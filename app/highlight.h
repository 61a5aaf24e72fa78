// C++ source cut into words that are coloured. Pure; knows as much of the language as a reader's eye needs.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace app {

enum class SourceKind : uint8_t { plain, keyword, cuda, comment, number, text, preprocessor };

struct SourceSpan {
    uint32_t first = 0, count = 0; // bytes of the line
    SourceKind kind = SourceKind::plain;
};

struct SourceLine {
    std::string_view text; // into the given source
    std::vector<SourceSpan> spans;
};

// One entry per line; the source must outlive the result.
std::vector<SourceLine> highlight(std::string_view source);

} // namespace app
