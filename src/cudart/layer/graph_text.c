/* A graph as text, in the language DOT, for a program that looks at what it captured. */
#include "cudart/layer/graph_objects.h"
#include "cudart/layer/module.h"

static void write_node(FILE *file, const struct graph_node *node)
{
    static const char *const kinds[] = {[WORK_COPY] = "copy",     [WORK_FILL] = "fill",
                                        [WORK_HOST] = "host",     [WORK_GRAPH] = "graph",
                                        [WORK_EMPTY] = "empty",   [WORK_WAIT] = "wait",
                                        [WORK_RECORD] = "record", [WORK_ALLOCATION] = "allocation",
                                        [WORK_FREE] = "free",     [WORK_CONDITION] = "condition"};
    const struct work *work = &node->work;
    const struct kernel *kernel = work->kind == WORK_KERNEL ? module_kernel(work->kernel.function) : NULL;
    const struct dim3 *g = &work->kernel.shape.grid, *b = &work->kernel.shape.block;
    if (work->kind == WORK_KERNEL)
        fprintf(file, "    \"%p\" [label=\"%s\\n(%u, %u, %u) x (%u, %u, %u)\"];\n", (const void *)node,
                kernel ? kernel->name : "", g->x, g->y, g->z, b->x, b->y, b->z);
    else
        fprintf(file, "    \"%p\" [label=\"%s\"];\n", (const void *)node, kinds[work->kind]);
    for (size_t i = 0; i < node->needs.count; i++)
        fprintf(file, "    \"%p\" -> \"%p\";\n", (const void *)node->needs.items[i], (const void *)node);
}

static void write_nodes(FILE *file, const struct graph *graph)
{
    fprintf(file, "  subgraph \"cluster_%p\" {\n", (const void *)graph);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        write_node(file, graph->nodes.items[i]);
        if (graph->nodes.items[i]->child)
            write_nodes(file, graph->nodes.items[i]->child);
        for (unsigned k = 0; graph->nodes.items[i]->bodies && k < graph->nodes.items[i]->work.condition.bodies; k++)
            write_nodes(file, graph->nodes.items[i]->bodies[k]);
    }
    fprintf(file, "  }\n");
}

enum status graph_write(const struct graph *handle, const char *path)
{
    const struct graph *graph = graph_of(handle, false);
    if (!graph || !path)
        return STATUS_INVALID_VALUE;
    FILE *file = fopen(path, "w");
    if (!file)
        return STATUS_OPERATING_SYSTEM;
    fprintf(file, "digraph {\n");
    write_nodes(file, graph);
    fprintf(file, "}\n");
    bool const whole = !ferror(file);
    return fclose(file) == 0 && whole ? STATUS_SUCCESS : STATUS_OPERATING_SYSTEM;
}
