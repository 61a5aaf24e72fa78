// What a block of threads gets at most.
#pragma once

inline constexpr int most_static_shared = 48 * 1024;   // per block, declared __shared__
inline constexpr int most_dynamic_shared = 227 * 1024; // on an H200
