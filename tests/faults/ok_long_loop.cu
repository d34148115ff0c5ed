// A loop of very many rounds that does end: Collatz.
extern "C" __global__ void ok_long_loop(int *out)
{
    int most = 0;
    for (long long start = 1 + threadIdx.x; start < 500; start += 32) {
        int steps = 0;
        for (long long n = start; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
            steps++;
        most = steps > most ? steps : most;
    }
    out[threadIdx.x] = most;
}
