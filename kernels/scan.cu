// The sums of a block's floats up to each place (scan, prefix sum) in four ways, and a wrong one. The first and the
// fourth include the place's own number, the second and the third do not.

// Hillis-Steele: in every step, each thread adds the number `offset` places before its own. One half of `part` is read,
// the other is written.
extern "C" __global__ void scan_hillis(float *out, const float *in)
{
    __shared__ float part[2][1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, now = 0;
    float sum = in[i];
    part[now][t] = sum;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        if (t >= offset)
            sum += part[now][t - offset];
        now = 1 - now;
        part[now][t] = sum;
        __syncthreads();
    }
    out[i] = sum;
}

// Blelloch: sums of ever larger parts on the way up, the sum before each part on the way down. A thread has two numbers.
extern "C" __global__ void scan_blelloch(float *out, const float *in)
{
    __shared__ float part[1024];
    int t = threadIdx.x, n = 2 * blockDim.x, first = blockIdx.x * n, offset = 1;
    part[t] = in[first + t];
    part[t + blockDim.x] = in[first + t + blockDim.x];
    for (int pairs = n / 2; pairs > 0; pairs /= 2) {
        __syncthreads();
        if (t < pairs) {
            int left = offset * (2 * t + 1) - 1, right = left + offset;
            part[right] += part[left];
        }
        offset *= 2;
    }
    if (t == 0)
        part[n - 1] = 0;
    for (int pairs = 1; pairs < n; pairs *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < pairs) {
            int left = offset * (2 * t + 1) - 1, right = left + offset;
            float sum = part[left], before = part[right];
            part[left] = before;
            part[right] = before + sum;
        }
    }
    __syncthreads();
    out[first + t] = part[t];
    out[first + t + blockDim.x] = part[t + blockDim.x];
}

// The word of number i, where a word is left free after every 32.
__device__ int padded(int i)
{
    return i + i / 32;
}

// Blelloch with padded words.
extern "C" __global__ void scan_padded(float *out, const float *in)
{
    __shared__ float part[1024 + 32];
    int t = threadIdx.x, n = 2 * blockDim.x, first = blockIdx.x * n, offset = 1;
    part[padded(t)] = in[first + t];
    part[padded(t + blockDim.x)] = in[first + t + blockDim.x];
    for (int pairs = n / 2; pairs > 0; pairs /= 2) {
        __syncthreads();
        if (t < pairs) {
            int left = padded(offset * (2 * t + 1) - 1), right = padded(offset * (2 * t + 2) - 1);
            part[right] += part[left];
        }
        offset *= 2;
    }
    if (t == 0)
        part[padded(n - 1)] = 0;
    for (int pairs = 1; pairs < n; pairs *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < pairs) {
            int left = padded(offset * (2 * t + 1) - 1), right = padded(offset * (2 * t + 2) - 1);
            float sum = part[left], before = part[right];
            part[left] = before;
            part[right] = before + sum;
        }
    }
    __syncthreads();
    out[first + t] = part[padded(t)];
    out[first + t + blockDim.x] = part[padded(t + blockDim.x)];
}

// Each warp scans its numbers by shuffles. The first warp then scans the sums of the warps.
extern "C" __global__ void scan_shuffle(float *out, const float *in)
{
    __shared__ float sums[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32, i = blockIdx.x * blockDim.x + t;
    float sum = in[i];
    for (int offset = 1; offset < 32; offset *= 2) {
        float before = __shfl_up_sync(0xffffffff, sum, offset);
        if (lane >= offset)
            sum += before;
    }
    if (lane == 31)
        sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        float total = lane < warps ? sums[lane] : 0;
        for (int offset = 1; offset < warps; offset *= 2) {
            float before = __shfl_up_sync(0xffffffff, total, offset);
            if (lane >= offset)
                total += before;
        }
        sums[lane] = total;
    }
    __syncthreads();
    if (warp > 0)
        sum += sums[warp - 1];
    out[i] = sum;
}

// Wrong: Hillis-Steele without the second half. Some threads write the numbers that others read in the same step.
extern "C" __global__ void scan_in_place(float *out, const float *in)
{
    __shared__ float part[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = in[i];
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        if (t >= offset)
            part[t] += part[t - offset];
        __syncthreads();
    }
    out[i] = part[t];
}
