/* The picture of a run: the array that a lesson names under `picture`, and the one that the kernel computes from it. */
#ifndef LANESCOPE_LESSON_PICTURE_H
#define LANESCOPE_LESSON_PICTURE_H
#include "lesson/lesson.h"
#include "run/run.h"

/* Keeps the input before the kernel runs, in the run's arena, and sets run->picture. Returns NULL where the lesson
 * names no picture, and where it has more than 65,536 pixels or rows with padding. */
struct launch_picture *picture_before(struct run *run, const struct lesson *lesson,
                                      const struct lesson_setting *setting, const struct launch *launch);
/* Adds the kernel's result and what it should be. expected NULL: not known. */
void picture_after(struct launch_picture *picture, struct run *run, const struct lesson *lesson,
                   const struct launch *launch, const void *expected);
#endif
