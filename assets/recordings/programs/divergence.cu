// Both sides of a branch in one warp: every fourth lane takes one side, the others take the other side.
// gemmscope: kernel=divergence grid=1 block=32 args=in,out
// gemmscope: buffer=in=4*32:iota buffer=out=4*64

__global__ void divergence(const float* in, float* out)
{
    const int lane = threadIdx.x;
    const float value = in[lane];
    if (lane % 4 == 0) {
        out[lane] = 2 * value;
        out[lane + 32] = value;
    } else {
        out[lane] = -value;
    }
    out[lane + 32] += 1;
}
