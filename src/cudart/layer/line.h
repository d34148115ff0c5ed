/* The record of a program: one JSON object a line, written as it happens (docs/program-record.md). */
#ifndef LANESCOPE_CUDART_LINE_H
#define LANESCOPE_CUDART_LINE_H
#include "cudart/layer/state.h"
#include "trace/executor.h"

/* device: the GPU that the program runs on; NULL: the emulator. */
void line_open(const char *folder, const char *device);
bool line_is_open(void);
void line_leave(void); /* in a forked process: the record is its parent's */
/* The members of the line that the next line_write writes. key NULL: an element of an array. */
void line_text(const char *key, const char *text);
void line_number(const char *key, uint64_t value);
void line_signed(const char *key, int64_t value);
void line_real(const char *key, double value);
void line_truth(const char *key, bool value);
void line_open_list(const char *key);
void line_open_object(const char *key);
void line_close(void);
/* A pointer: its allocation and the offset in it, or "host". */
void line_pointer(const char *key, const void *pointer);
void line_shape(const char *key, const uint32_t shape[3]);
/* Writes the line of a call with its members, and begins the next. status_name: of an error. */
void line_write(const struct call *call, enum status status, const char *status_name);
void line_drop(void);
/* The number of the line that the next line_write writes. */
uint64_t line_next(void);
/* Writes a line with the time of the work of another line's call. Members of the current line stay. */
void line_measured(uint64_t line, double begin_us, double microseconds);
/* Returns whether the record has grown so far that details of launches are left out. */
bool line_is_long(void);
/* Writes the place of the kernel that runs beside the record; NULL: none runs. */
void line_progress(const char *kernel, const struct executor_progress *at);
/* The path of a file in the record's folder. */
void line_path(char *path, size_t size, const char *name);
#endif
