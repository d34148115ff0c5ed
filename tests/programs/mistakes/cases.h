// The cases of one program: faulty ones, and correct ones that look like them.
#pragma once
#include <cstdio>
#include <cstring>

struct a_case {
    const char *name;
    void (*run)();
};
#define CASE(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }

// Prints the names of the cases, or runs those that have the name.
template <size_t n> static void choose(const char *kind, const a_case (&cases)[n], const char *name)
{
    for (auto &one : cases)
        if (!name)
            printf("%s %s\n", kind, one.name);
        else if (!strcmp(name, one.name))
            one.run();
}

#define MAIN(faulty, correct)                                                                                          \
    int main(int count, char **words)                                                                                  \
    {                                                                                                                  \
        choose("faulty", faulty, count < 2 ? nullptr : words[1]);                                                      \
        choose("correct", correct, count < 2 ? nullptr : words[1]);                                                    \
    }
