/* Facts: the numbers of a run by name, for a lesson's expressions. */
#ifndef LANESCOPE_LESSON_FACTS_H
#define LANESCOPE_LESSON_FACTS_H
#include "lesson/lesson_run.h"

enum fact_id {
#define FACT(name, ...) FACT_##name,
#include "lesson/facts.def"
#undef FACT
    FACTS
};
enum fact_scope { SCOPE_ACCESS, SCOPE_GRID, SCOPE_RUN, SCOPE_MACHINE, SCOPE_TIMED, SCOPE_TIME };
/* A row of facts.def. */
struct fact {
    const char *name;
    enum fact_scope scope;
    const char *counter, *opcode; /* of the profiler, whose count it is; NULL: not one */
    unsigned gives;               /* SECRET_ flags: what it gives away */
    enum fact_counts counts;
    unsigned panels; /* STAGE_ flags: those that show it; 0: not checked */
};
extern const struct fact fact_table[FACTS];
/* Return the fact of a name, of a name with the prefix of an access or without; NULL: the name is another number's. */
const struct fact *fact_named(const char *name, size_t length);
const struct fact *fact_of_access(const struct lesson *lesson, const char *name, size_t length);
bool fact_has_scope(const char *name, size_t length, enum fact_scope scope);
/* Returns what an expression counts if it is a fact, of any access; expression: NULL: none. */
enum fact_counts facts_count(const struct lesson *lesson, const char *expression);
/* Returns what a name gives away: that of each fact with which it ends. */
unsigned fact_gives(const char *name, size_t length);

/* Sets the run's facts and its measured time. elsewhere: includes the numbers of other settings that the lesson names.
 * A run of the recorded blocks alone has no facts of all blocks. */
bool facts_build(struct run *run, const struct lesson *lesson, const struct lesson_setting *setting, bool elsewhere,
                 struct error *error);
/* Returns whether an expression contains a measured time, of this setting or of another one; NULL: it does not. */
bool expression_tells_time(const struct lesson *lesson, const char *expression);
/* Returns the expression whose number `{...}` shows, in the arena; NULL: it shows words, or nothing. */
const char *words_expression(struct arena *arena, const char *braces);
/* Returns what stands in the braces at this place, in the arena, without its format and its words; a condition begins
 * with '?'. */
char *words_inside(struct arena *arena, const char *braces);
/* Returns whether a text shows a measured time. */
bool words_tell_time(const struct lesson *lesson, const struct lesson_text *text);
/* Runs a setting on the emulator without checks of memory and races, time or facts of other settings: for ladders and
 * facts. LIGHT_RECORDED: only the recorded blocks run, where none can depend on another; the result is then unchecked.
 */
enum light { LIGHT_GRID, LIGHT_RECORDED };
bool run_lesson_lightly(const struct lesson *lesson, const struct lesson_setting *setting, enum light light,
                        struct run **run, struct error *error);
#endif
