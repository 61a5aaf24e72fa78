// What PTX's integer instructions compute. Pure functions.
#pragma once

#include "machine_code/ptx_program.h"

namespace cuda {

// The type's bits, and above them its sign where it has one, else zeros.
uint64_t ptx_extended(uint64_t value, PtxType type);

// Of the statement's operands in their order. Registers hold what ptx_extended gives.
uint64_t ptx_result(const PtxStatement& statement, const std::array<uint64_t, 4>& in);

} // namespace cuda
