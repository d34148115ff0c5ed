// A function of the library copies.
void copy(float *out, const float *in, int rows, int columns, int pitch)
{
    cudaMemcpy2D(out, columns * sizeof(float), in, pitch * sizeof(float), columns * sizeof(float), rows,
                 cudaMemcpyDeviceToDevice);
}
