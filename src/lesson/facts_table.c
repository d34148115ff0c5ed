/* The table of facts: see facts.def. */
#include "lesson/facts.h"
#include "lesson/plan.h"
#include <string.h>

const struct fact fact_table[FACTS] = {
#define FACT(fact, of, ...) [FACT_##fact] = {.name = #fact, .scope = SCOPE_##of, __VA_ARGS__},
#include "lesson/facts.def"
#undef FACT
};

const struct fact *fact_named(const char *name, size_t length)
{
    for (enum fact_id i = 0; i < FACTS; i++)
        if (length && fact_table[i].name[0] == name[0] && strlen(fact_table[i].name) == length &&
            memcmp(fact_table[i].name, name, length) == 0)
            return &fact_table[i];
    return NULL;
}

const struct fact *fact_of_access(const struct lesson *lesson, const char *name, size_t length)
{
    size_t skip = 0;
    for (size_t i = 0; i < lesson->plan->access_count; i++) {
        const char *access = lesson->plan->accesses[i].name;
        size_t const prefix = strlen(access);
        if (prefix < length && prefix + 1 > skip && memcmp(access, name, prefix) == 0 && name[prefix] == '_')
            skip = prefix + 1;
    }
    return fact_named(name + skip, length - skip);
}

bool fact_has_scope(const char *name, size_t length, enum fact_scope scope)
{
    const struct fact *fact = fact_named(name, length);
    return fact && fact->scope == scope;
}

enum fact_counts facts_count(const struct lesson *lesson, const char *expression)
{
    const struct fact *fact = expression ? fact_of_access(lesson, expression, strlen(expression)) : NULL;
    return fact ? fact->counts : COUNTS_OTHER;
}

unsigned fact_gives(const char *name, size_t length)
{
    unsigned secrets = 0;
    for (enum fact_id i = 0; i < FACTS; i++) {
        size_t const size = strlen(fact_table[i].name);
        bool const ends = length >= size && memcmp(name + length - size, fact_table[i].name, size) == 0;
        if (ends && (length == size || name[length - size - 1] == '_'))
            secrets |= fact_table[i].gives;
    }
    return secrets;
}
