/* One piece of work for the GPU, in one stretch of memory that two processes can share: the launch, its buffers, room
 * for the records that come back, and the answer. Offsets count from the job's first byte. */
#ifndef LANESCOPE_CUDA_PROCESS_JOB_H
#define LANESCOPE_CUDA_PROCESS_JOB_H
#include "cuda/cuda.h"
#include "cuda/record/decode.h"

enum job_kind { JOB_DEVICE, JOB_TRACE, JOB_TIME, JOB_PITCH, JOB_COPY };

/* The messages of the process that does the work. */
enum job_word {
    JOB_LOADING, /* the driver compiles and memory is prepared */
    JOB_RUNNING, /* a kernel was started; the watchdog's time begins again */
    JOB_BATCH,   /* the job's room for records holds answer.batch; the work continues when it has been taken */
    JOB_DONE     /* the answer is complete */
};

struct job_buffer {
    uint64_t at, bytes;
    uint64_t address; /* answer: the address on the GPU */
    uint32_t read_only, spare;
};

struct job_variable { /* a variable of the module, in global or constant memory */
    uint64_t name, bytes;
    uint64_t address; /* answer; 0: the driver left it out */
};

struct job_answer {
    bool good;
    struct error error;
    struct cuda_device device;
    struct cuda_time time;
    struct record_batch batch; /* without its pointers */
    struct cuda_cost cost;
    uint64_t lost; /* records without room after all attempts */
    uint64_t pitch;
    double copy_us;
};

struct job {
    uint32_t kind, grid[3], block[3], shared_bytes;
    uint32_t argument_count, buffer_count, variable_count;
    struct cuda_timing timing;
    uint64_t ptx, kernel, control, window; /* offsets of texts */
    uint64_t plain;                        /* of a trace: the PTX without probes */
    uint64_t arguments;                    /* struct launch_argument[] */
    uint64_t buffers, variables;           /* struct job_buffer[], struct job_variable[] */
    uint64_t first, last;                  /* the blocks that are probed */
    uint32_t chunk_bytes;                  /* as the layout of the records requires; 0: any size */
    uint32_t record_bytes;                 /* of the largest record */
    uint32_t repeats;                      /* see struct cuda_cost */
    uint64_t records, room;                /* offset, and bytes for one batch */
    uint64_t row_bytes;                    /* of a pitch: the row that is asked for */
    struct cuda_copy copy;
    struct job_answer answer;
};

static inline void *job_at(struct job *job, uint64_t offset)
{
    return (char *)job + offset;
}

/* Returns where the places of its buffers lie behind a structure's bytes in the job. */
static inline uint64_t job_inner_at(const struct launch_argument *argument)
{
    return ((uint64_t)argument->size + 7) / 8 * 8;
}

/* A job's memory. */
struct job_space {
    struct job *job;
    size_t bytes;
    int file; /* handle of the memory, which can be sent to another process */
};
struct probed;
/* Makes a job with copies of module, launch and probed (or NULL). launch NULL: a job without a kernel. room: bytes for
 * records, most of which are never touched. Returns false when there is no memory. */
bool job_new(struct job_space *space, enum job_kind kind, const struct ptx_module *module, const struct launch *launch,
             const struct probed *probed, uint64_t room, struct error *error);
/* Copies the results back into the launch's own buffers. */
void job_results(const struct job_space *space, const struct launch *launch);
void job_free(struct job_space *space);
/* Maps the same memory in another process. */
bool job_map(struct job_space *space, int file);

/* The receiver of the messages. say returns false when the work should stop. */
struct job_host {
    void *context;
    bool (*say)(void *context, enum job_word word);
};
#endif
