// What one access does. Shared with device code, so nothing is included here.
#pragma once

namespace recording {

enum class Op : unsigned char { global_load, global_store, shared_load, shared_store, barrier };
inline constexpr int access_op_count = 4; // all but barrier

} // namespace recording
