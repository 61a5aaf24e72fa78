// Colours with a meaning can be distinguished, even by people who cannot see red or green.
#include "viz/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace {

using Numbers = std::array<double, 3>;
using Matrix = std::array<Numbers, 3>;

Numbers times(const Matrix& matrix, const Numbers& with)
{
    Numbers result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            result[i] += matrix[i][j] * with[j];
    return result;
}

Numbers linear(viz::Colour colour)
{
    Numbers result{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = (colour >> (8 * i) & 0xff) / 255.0;
        result[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }
    return result;
}

// CIE L*a*b* with the white of sRGB.
Numbers lab(const Numbers& rgb)
{
    const Matrix to_xyz{{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
    Numbers xyz = times(to_xyz, rgb);
    const Numbers white{0.95047, 1, 1.08883};
    for (std::size_t i = 0; i < 3; ++i) {
        const double share = xyz[i] / white[i];
        xyz[i] = share > 0.008856 ? std::cbrt(share) : 7.787 * share + 16.0 / 116;
    }
    return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

// The smallest distance for people who see all colours, no red, or no green (Machado, Oliveira, Fernandes 2009,
// severity 1).
double apart(viz::Colour one, viz::Colour other)
{
    const std::array<Matrix, 3> eyes{
        {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
         {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
         {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}}};
    double least = 1e9;
    for (const Matrix& eye : eyes) {
        Numbers a = times(eye, linear(one)), b = times(eye, linear(other));
        for (Numbers* seen : {&a, &b})
            for (double& part : *seen)
                part = std::clamp(part, 0.0, 1.0);
        a = lab(a);
        b = lab(b);
        least = std::min(least, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
    return least;
}

TEST(Theme, StagesAreTakenForNoConflictAndForNoOtherStage)
{
    for (const bool dark : {true, false}) {
        const viz::Theme theme = viz::make_theme(dark, 1);
        for (std::size_t i = 0; i < std::size(theme.accents); ++i) {
            const viz::Colour accent = theme.accent(i);
            EXPECT_GT(apart(accent, theme.warning), 40) << dark << i;
            EXPECT_GT(apart(accent, viz::conflict_colour(theme, 1.0f)), 40) << dark << i;
            EXPECT_GT(apart(accent, theme.background), 30) << dark << i;
            EXPECT_GT(apart(accent, theme.good), 12) << dark << i;
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GT(apart(accent, theme.accent(j)), 18) << dark << i << j;
        }
    }
}

} // namespace
