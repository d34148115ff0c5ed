/* One piece of work for the GPU, all of it in one stretch of memory that two processes can share: what to launch, its
 * buffers, room for the records that come back, and the answer. Offsets count from the job's first byte. */
#ifndef LANESCOPE_CUDA_PROCESS_JOB_H
#define LANESCOPE_CUDA_PROCESS_JOB_H
#include "cuda/cuda.h"
#include "cuda/record/layout.h"

enum job_kind { JOB_DEVICE, JOB_TRACE, JOB_TIME };

/* What the one who works says on the way. */
enum job_word {
    JOB_LOADING, /* the driver compiles, memory is prepared */
    JOB_RUNNING, /* a kernel was started: the watchdog's time starts again */
    JOB_BATCH,   /* answer.batch is in the job's room for records: it works on once they were taken */
    JOB_DONE     /* the answer is complete */
};

struct job_buffer {
    uint64_t at, bytes;
    uint64_t address; /* answer: on the GPU */
    uint32_t read_only, spare;
};

struct job_variable { /* of the module, in global or constant memory */
    uint64_t name, bytes;
    uint64_t address; /* answer; 0: not there */
};

struct job_batch {
    uint64_t chunk_count, own_chunks, first;
    uint32_t chunk_bytes, row_shift, warps;
    struct record_windows windows;
    uint32_t clock_khz, complete;
};

struct job_answer {
    bool good;
    struct error error;
    struct cuda_device device;
    struct cuda_time time;
    struct job_batch batch;
    struct cuda_cost cost;
    uint64_t lost; /* records that found no room, whatever was tried */
};

struct job {
    uint32_t kind, grid[3], block[3], shared_bytes;
    uint32_t argument_count, buffer_count, variable_count;
    struct cuda_timing timing;
    uint64_t ptx, kernel, control, window; /* texts */
    uint64_t plain;                        /* of a trace: the PTX without probes */
    uint64_t arguments;                    /* struct launch_argument */
    uint64_t buffers, variables;           /* struct job_buffer, struct job_variable */
    uint64_t first, last;                  /* blocks probed */
    uint32_t chunk_bytes;                  /* as the probes want them; 0: any */
    uint32_t record_bytes;                 /* of the largest record */
    uint32_t repeats;                      /* see struct cuda_cost */
    uint64_t records, room;                /* bytes for a batch */
    struct job_answer answer;
};

static inline void *job_at(struct job *job, uint64_t offset)
{
    return (char *)job + offset;
}

/* A job's memory. */
struct job_space {
    struct job *job;
    size_t bytes;
    int file; /* of the memory, to be sent to another process */
};
struct probed;
/* program, launch and probed (or NULL) are copied in; launch NULL: a job without a kernel. room: bytes for records,
 * most of which are never touched. False when there is no memory. */
bool job_new(struct job_space *space, enum job_kind kind, const struct ptx_program *program,
             const struct launch *launch, const struct probed *probed, uint64_t room, struct error *error);
/* Results back into the launch's own buffers. */
void job_results(const struct job_space *space, const struct launch *launch);
void job_free(struct job_space *space);
/* The same memory in another process. */
bool job_map(struct job_space *space, int file);

/* Whom the work is done for. say returns false when nobody wants to go on. */
struct job_host {
    void *context;
    bool (*say)(void *context, enum job_word word);
};
#endif
