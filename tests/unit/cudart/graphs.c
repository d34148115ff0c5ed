/* Graphs of a program on the emulator: built from nodes or captured from streams, and what a capture forbids. */
#include "cudart/calls/api.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GLOBAL, OF_THREAD, RELAXED };

static char log_text[64];

static void say(void *word)
{
    strncat(log_text, word, sizeof log_text - strlen(log_text) - 1);
}

static struct graph_node *add(struct graph *graph, const char *word, struct graph_node *need)
{
    struct graph_node *node = NULL;
    union {
        const char *text;
        void *data;
    } const plain = {word};
    struct work_host const host = {say, plain.data};
    assert_int_equal(cudaGraphAddHostNode(&node, graph, &need, need ? 1 : 0, &host), cudaSuccess);
    return node;
}

static struct graph *new_graph(void)
{
    struct graph *graph = NULL;
    assert_int_equal(cudaGraphCreate(&graph, 0), cudaSuccess);
    return graph;
}

/* Returns what the nodes of a graph say when it is launched. */
static const char *launched(struct graph *graph)
{
    struct graph *instance = NULL;
    log_text[0] = '\0';
    assert_int_equal(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(instance, NULL), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaGraphExecDestroy(instance), cudaSuccess);
    return log_text;
}

static void nodes_run_after_those_that_they_need(void **state)
{
    struct graph *graph = new_graph();
    struct graph_node *nodes[3];
    size_t count = 3;
    (void)state;
    struct graph_node *c = add(graph, "c", NULL), *b = add(graph, "b", NULL), *a = add(graph, "a", NULL);
    struct graph_node *const from[] = {a, b}, *const to[] = {b, c};
    assert_int_equal(cudaGraphAddDependencies(graph, from, to, 2), cudaSuccess);
    assert_string_equal(launched(graph), "abc");
    assert_int_equal(cudaGraphGetRootNodes(graph, nodes, &count), cudaSuccess);
    assert_int_equal(count, 1);
    assert_ptr_equal(nodes[0], a);
    assert_int_equal(cudaGraphNodeGetDependencies(c, NULL, &count), cudaSuccess);
    assert_int_equal(count, 1);
    cudaGraphDestroy(graph);
}

static void a_circle_of_nodes_is_refused(void **state)
{
    struct graph *graph = new_graph(), *instance = NULL;
    (void)state;
    struct graph_node *a = add(graph, "a", NULL), *b = add(graph, "b", a);
    assert_int_equal(cudaGraphAddDependencies(graph, &a, &a, 1), cudaErrorInvalidValue);
    assert_int_equal(cudaGraphAddDependencies(graph, &b, &a, 1), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&instance, graph, 0), cudaErrorInvalidValue);
    assert_null(instance);
    cudaGraphDestroy(graph);
}

static void a_clone_and_an_instance_live_without_their_original(void **state)
{
    struct graph *graph = new_graph(), *clone = NULL, *instance = NULL;
    struct graph_node *found = NULL, *child = NULL;
    (void)state;
    struct graph_node *a = add(graph, "a", NULL);
    struct graph *outer = new_graph();
    assert_int_equal(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, graph), cudaSuccess);
    assert_int_equal(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, outer), cudaErrorInvalidValue);
    assert_int_equal(cudaGraphClone(&clone, graph), cudaSuccess);
    assert_int_equal(cudaGraphNodeFindInClone(&found, a, clone), cudaSuccess);
    assert_ptr_not_equal(found, a);
    assert_int_equal(cudaGraphInstantiate(&instance, clone, 0), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaErrorInvalidValue);
    assert_int_equal(cudaGraphLaunch(graph, NULL), cudaErrorInvalidValue);
    assert_int_equal(cudaGraphDestroy(clone), cudaSuccess);
    log_text[0] = '\0';
    assert_int_equal(cudaGraphLaunch(instance, NULL), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(instance, NULL), cudaSuccess);
    assert_string_equal(log_text, "aa");
    assert_int_equal(cudaGraphDestroy(instance), cudaErrorInvalidValue);
    assert_int_equal(cudaGraphExecDestroy(instance), cudaSuccess);
    assert_string_equal(launched(outer), "a");
    cudaGraphDestroy(outer);
}

static void an_instance_takes_parameters_of_a_graph_with_the_same_nodes_alone(void **state)
{
    struct graph *first = new_graph(), *same = new_graph(), *other = new_graph(), *instance = NULL;
    struct graph_node *empty = NULL;
    int result[2];
    (void)state;
    add(first, "old", NULL);
    add(same, "new", NULL);
    assert_int_equal(cudaGraphAddEmptyNode(&empty, other, NULL, 0), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&instance, first, 0), cudaSuccess);
    assert_int_equal(cudaGraphExecUpdate(instance, other, result), cudaErrorGraphExecUpdateFailure);
    assert_int_equal(cudaGraphExecUpdate(instance, same, result), cudaSuccess);
    log_text[0] = '\0';
    assert_int_equal(cudaGraphLaunch(instance, NULL), cudaSuccess);
    assert_string_equal(log_text, "new");
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(first);
    cudaGraphDestroy(same);
    cudaGraphDestroy(other);
}

static void fills_of_a_graph_repeat_a_value_of_several_bytes(void **state)
{
    struct {
        void *to;
        size_t pitch;
        unsigned value, element;
        size_t width, height;
    } fill = {.pitch = 16, .value = 0x1234, .element = 2, .width = 3, .height = 2};
    struct graph *graph = new_graph();
    struct graph_node *node = NULL;
    uint16_t out[16];
    (void)state;
    assert_int_equal(cudaMalloc(&fill.to, 32), cudaSuccess);
    assert_int_equal(cudaMemset(fill.to, 0, 32), cudaSuccess);
    assert_int_equal(cudaGraphAddMemsetNode(&node, graph, NULL, 0, (const struct fill_node *)&fill), cudaSuccess);
    launched(graph);
    assert_int_equal(cudaMemcpy(out, fill.to, 32, COPY_DEVICE_TO_HOST), cudaSuccess);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out[i], i % 8 < 3 ? 0x1234 : 0);
    fill.element = 3;
    assert_int_equal(cudaGraphAddMemsetNode(&node, graph, NULL, 0, (const struct fill_node *)&fill),
                     cudaErrorInvalidValue);
    cudaFree(fill.to);
    cudaGraphDestroy(graph);
}

/* ---- capture ---- */

static struct stand {
    cudaStream_t stream, other;
    struct graph *graph;
} stand;

static int begin(void **state)
{
    (void)state;
    stand.graph = NULL;
    return cudaStreamCreateWithFlags(&stand.stream, 1) || cudaStreamCreateWithFlags(&stand.other, 1);
}

static int end(void **state)
{
    (void)state;
    if (stand.graph)
        cudaGraphDestroy(stand.graph);
    return cudaStreamDestroy(stand.stream) || cudaStreamDestroy(stand.other);
}

static void begin_capture(int mode)
{
    assert_int_equal(cudaStreamBeginCapture(stand.stream, mode), cudaSuccess);
}

static void say_in(cudaStream_t stream, const char *word)
{
    union {
        const char *text;
        void *data;
    } const plain = {word};
    assert_int_equal(cudaLaunchHostFunc(stream, say, plain.data), cudaSuccess);
}

static int captures(cudaStream_t stream)
{
    int result = -1;
    assert_int_equal(cudaStreamIsCapturing(stream, &result), cudaSuccess);
    return result;
}

static void captured_work_is_done_by_the_launch_of_its_graph(void **state)
{
    (void)state;
    log_text[0] = '\0';
    begin_capture(GLOBAL);
    assert_int_equal(captures(stand.stream), 1);
    say_in(stand.stream, "a");
    say_in(stand.stream, "b");
    assert_int_equal(cudaStreamEndCapture(stand.stream, &stand.graph), cudaSuccess);
    assert_string_equal(log_text, "");
    assert_int_equal(captures(stand.stream), 0);
    assert_string_equal(launched(stand.graph), "ab");
}

static void an_event_brings_another_stream_into_the_capture(void **state)
{
    cudaEvent_t fork = NULL, join = NULL;
    (void)state;
    log_text[0] = '\0';
    assert_int_equal(cudaEventCreate(&fork), cudaSuccess);
    assert_int_equal(cudaEventCreate(&join), cudaSuccess);
    begin_capture(GLOBAL);
    say_in(stand.stream, "a");
    assert_int_equal(cudaEventRecord(fork, stand.stream), cudaSuccess);
    assert_int_equal(cudaEventSynchronize(fork), cudaErrorCapturedEvent);
    assert_int_equal(cudaStreamWaitEvent(stand.other, fork, 0), cudaSuccess);
    say_in(stand.other, "b");
    assert_int_equal(cudaStreamEndCapture(stand.other, &stand.graph), cudaErrorStreamCaptureUnmatched);
    assert_int_equal(cudaEventRecord(join, stand.other), cudaSuccess);
    assert_int_equal(cudaStreamWaitEvent(stand.stream, join, 0), cudaSuccess);
    say_in(stand.stream, "c");
    assert_int_equal(cudaStreamEndCapture(stand.stream, &stand.graph), cudaSuccess);
    assert_int_equal(captures(stand.other), 0);
    assert_string_equal(launched(stand.graph), "abc");
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
}

static void a_stream_that_did_not_join_spoils_the_capture(void **state)
{
    cudaEvent_t fork = NULL;
    (void)state;
    assert_int_equal(cudaEventCreate(&fork), cudaSuccess);
    begin_capture(GLOBAL);
    assert_int_equal(cudaEventRecord(fork, stand.stream), cudaSuccess);
    assert_int_equal(cudaStreamWaitEvent(stand.other, fork, 0), cudaSuccess);
    say_in(stand.other, "b");
    assert_int_equal(cudaStreamEndCapture(stand.stream, &stand.graph), cudaErrorStreamCaptureUnjoined);
    assert_null(stand.graph);
    cudaEventDestroy(fork);
}

static void an_event_of_uncaptured_work_is_refused_in_a_capture(void **state)
{
    cudaEvent_t event = NULL;
    (void)state;
    assert_int_equal(cudaEventCreate(&event), cudaSuccess);
    assert_int_equal(cudaEventRecord(event, stand.other), cudaSuccess);
    begin_capture(GLOBAL);
    assert_int_equal(cudaStreamWaitEvent(stand.stream, event, 0), cudaErrorStreamCaptureIsolation);
    assert_int_equal(cudaStreamEndCapture(stand.stream, &stand.graph), cudaSuccess);
    cudaEventDestroy(event);
}

static void waiting_ends_a_capture_and_all_that_follows_in_it(void **state)
{
    struct graph *inner = new_graph(), *instance = NULL;
    (void)state;
    assert_int_equal(cudaGraphInstantiate(&instance, inner, 0), cudaSuccess);
    begin_capture(RELAXED);
    assert_int_equal(cudaStreamSynchronize(stand.stream), cudaErrorStreamCaptureUnsupported);
    assert_int_equal(captures(stand.stream), 2);
    assert_int_equal(cudaLaunchHostFunc(stand.stream, say, log_text), cudaErrorStreamCaptureInvalidated);
    assert_int_equal(cudaGraphLaunch(instance, stand.stream), cudaErrorStreamCaptureInvalidated);
    assert_int_equal(cudaStreamEndCapture(stand.stream, &stand.graph), cudaErrorStreamCaptureInvalidated);
    assert_null(stand.graph);
    assert_int_equal(captures(stand.stream), 0);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(inner);
}

static void allocation_ends_a_capture_of_the_global_mode_alone(void **state)
{
    void *memory = NULL;
    (void)state;
    begin_capture(RELAXED);
    assert_int_equal(cudaMalloc(&memory, 4), cudaSuccess);
    assert_int_equal(cudaStreamEndCapture(stand.stream, &stand.graph), cudaSuccess);
    cudaGraphDestroy(stand.graph);
    stand.graph = NULL;
    begin_capture(GLOBAL);
    assert_int_equal(cudaFree(memory), cudaErrorStreamCaptureUnsupported);
    assert_int_equal(cudaStreamEndCapture(stand.stream, &stand.graph), cudaErrorStreamCaptureInvalidated);
    assert_int_equal(cudaFree(memory), cudaSuccess);
}

static void a_capture_begins_once_in_a_stream_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(cudaStreamBeginCapture(NULL, GLOBAL), cudaErrorStreamCaptureUnsupported);
    assert_int_equal(cudaStreamBeginCapture(stand.stream, 3), cudaErrorInvalidValue);
    assert_int_equal(cudaStreamEndCapture(stand.stream, &stand.graph), cudaErrorIllegalState);
    begin_capture(GLOBAL);
    assert_int_equal(cudaStreamBeginCapture(stand.stream, GLOBAL), cudaErrorIllegalState);
    assert_int_equal(cudaStreamDestroy(stand.stream), cudaErrorStreamCaptureUnsupported);
    assert_int_equal(cudaStreamEndCapture(stand.stream, &stand.graph), cudaSuccess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_run_after_those_that_they_need),
        cmocka_unit_test(a_circle_of_nodes_is_refused),
        cmocka_unit_test(a_clone_and_an_instance_live_without_their_original),
        cmocka_unit_test(an_instance_takes_parameters_of_a_graph_with_the_same_nodes_alone),
        cmocka_unit_test(fills_of_a_graph_repeat_a_value_of_several_bytes),
        cmocka_unit_test_setup_teardown(captured_work_is_done_by_the_launch_of_its_graph, begin, end),
        cmocka_unit_test_setup_teardown(an_event_brings_another_stream_into_the_capture, begin, end),
        cmocka_unit_test_setup_teardown(a_stream_that_did_not_join_spoils_the_capture, begin, end),
        cmocka_unit_test_setup_teardown(an_event_of_uncaptured_work_is_refused_in_a_capture, begin, end),
        cmocka_unit_test_setup_teardown(waiting_ends_a_capture_and_all_that_follows_in_it, begin, end),
        cmocka_unit_test_setup_teardown(allocation_ends_a_capture_of_the_global_mode_alone, begin, end),
        cmocka_unit_test_setup_teardown(a_capture_begins_once_in_a_stream_of_its_own, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
