/* For src/lesson only: the list of facts while it grows, and the part of it that is about accesses. */
#ifndef LANESCOPE_LESSON_FACTS_LIST_H
#define LANESCOPE_LESSON_FACTS_LIST_H
#include "lesson/facts.h"

struct facts {
    struct arena *arena;
    struct {
        struct run_fact *items;
        size_t count, capacity;
    } list;
};
/* Adds "prefix_name", or the name alone if the prefix is empty. */
void facts_add(struct facts *facts, const char *prefix, enum fact_id fact, double value);
/* name: must outlive the facts */
void facts_add_named(struct facts *facts, const char *name, double value);
/* Adds the counts of the machine code: a number that was not counted is no number. */
void facts_add_sass(struct facts *facts, const struct sass_counts *sass);
/* Adds the counts of the machine code of the timed launch. */
void facts_add_timed_sass(struct facts *facts, const struct sass_counts *sass);
void facts_add_time(struct facts *facts, const struct measured_time *time);
/* Adds the facts of the accesses that lesson.yaml names. */
void facts_of_accesses(struct facts *facts, const struct run *run, const struct lesson *lesson,
                       const struct lesson_setting *setting);
#endif
