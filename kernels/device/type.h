// What A and B are made of, as a stage's parameter TYPE. C is always FP32, and so are the sums.
#pragma once

enum Type : int { type_fp32, type_tf32, type_fp16, type_bf16 };
