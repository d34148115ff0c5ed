/* Text in XML and HTML. */
#ifndef LANESCOPE_BASE_MARKUP_H
#define LANESCOPE_BASE_MARKUP_H
#include <stdio.h>

/* Writes a text so that a reader of XML or HTML shows it as it is. Control characters but tab and line end are left
 * out: XML 1.0 has none. */
void markup_put(FILE *out, const char *text);
#endif
