// libstdc++ writes __attribute__((__noinline__)) here, where CUDA's macro of that name stands for a whole attribute.
#pragma once
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
