/* Few values are on their way at a time, so they are a list. */
#include "emulator/run/scoreboard.h"

static void note(struct scoreboard *board, const struct ptx_operand *operand, struct pending value)
{
    if (operand->kind == PTX_OPERAND_REGISTER) {
        value.number = operand->index;
        array_push(board, value);
    }
    for (uint32_t k = 0; k < operand->count; k++)
        note(board, &operand->elements[k], value);
}

void scoreboard_note(struct scoreboard *board, const struct ptx_instruction *instruction, struct pending value)
{
    if (ptx_writes_first(instruction))
        note(board, &instruction->operands[0], value);
}

static bool names(const struct ptx_operand *operand, uint32_t number)
{
    bool const base = operand->kind == PTX_OPERAND_ADDRESS && operand->base == PTX_OPERAND_REGISTER;
    if ((operand->kind == PTX_OPERAND_REGISTER || base) && operand->index == number)
        return true;
    for (uint32_t k = 0; k < operand->count; k++)
        if (names(&operand->elements[k], number))
            return true;
    return operand->second == number + 1;
}

static bool is_named(const struct ptx_instruction *instruction, uint32_t number)
{
    if (instruction->predicate == number)
        return true;
    for (uint32_t k = 0; k < instruction->operand_count; k++)
        if (names(&instruction->operands[k], number))
            return true;
    for (uint32_t k = 0; k < instruction->call_argument_count; k++)
        if (names(&instruction->call_arguments[k], number))
            return true;
    for (uint32_t k = 0; k < instruction->call_result_count; k++)
        if (names(&instruction->call_results[k], number))
            return true;
    return false;
}

const struct pending *scoreboard_wait(struct scoreboard *board, const struct frame *frame,
                                      const struct ptx_instruction *instruction, uint64_t now)
{
    const struct pending *last = NULL;
    size_t left = 0;
    for (size_t i = 0; i < board->count; i++)
        if (board->items[i].there > now)
            board->items[left++] = board->items[i];
    board->count = left;
    for (size_t i = 0; i < left; i++) {
        const struct pending *value = &board->items[i];
        if ((!last || value->there > last->there) && value->frame == frame && is_named(instruction, value->number))
            last = value;
    }
    return last;
}
