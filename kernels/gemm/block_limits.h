// Limits of a thread block.
#pragma once

inline constexpr int most_static_shared = 48 * 1024;   // bytes per block, declared __shared__
inline constexpr int most_dynamic_shared = 227 * 1024; // bytes per block on an H200
