/* The second half of tree_new: which column the nodes of a tree stand in, and what each level costs. */
#ifndef LANESCOPE_MODEL_TREE_LEVELS_H
#define LANESCOPE_MODEL_TREE_LEVELS_H
#include "model/tree.h"

/* Fills the places and shares of the nodes, which are the tree's, and its levels. */
void tree_levels(struct tree *tree, struct tree_node *nodes, const struct timeline *timeline, struct arena *scratch);
#endif
