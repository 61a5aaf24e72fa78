// A claim and what became of it, as marks on a line: to the left slower, to the right faster.
#pragma once

#include "app/session/claim_table.h"

#include "viz/draw/draw.h"

namespace app {

struct ClaimScale {
    int low = -1, high = 1; // powers of two at both ends
};

// So that every figure of the table has its place.
ClaimScale scale_of(const ClaimTable& table);

// A ring: claimed; a bar: their own program here; a dot: ours. Nothing for what is compared with no other stage.
void draw_claim(const viz::Theme& theme, const ClaimScale& scale, const ClaimRow& row, const viz::draw::Box& box);

viz::Colour colour_of(const viz::Theme& theme, Agreement agreement);

} // namespace app
