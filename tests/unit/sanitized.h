/* Under the sanitizers, which are ten times slower, a test whose length comes from many like cases takes a sample of
 * them: the same code runs, and whether the cases are right is seen without the sanitizers. */
#ifndef LANESCOPE_TESTS_SANITIZED_H
#define LANESCOPE_TESTS_SANITIZED_H
#ifdef LANESCOPE_SANITIZED
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#endif
