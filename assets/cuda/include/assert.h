#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#ifdef __CUDACC_RTC__
extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
#endif
#define assert(condition) ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __func__, 1))
#endif
