/* Chooses the forms of words that depend on the value inserted before them. A text marks such a word with its forms:
 *
 *     "%u {access|accesses}"    the first form after the number 1, else the second
 *     "%s{이/가} 없습니다"       the first form after a final consonant, else the second
 *     "%s{으로/로} 엽니다"       as above, but the second form also after ㄹ, as Korean has it for 으로
 *
 * What is heard last decides: digits are read as Korean reads them (6 육, 10 십, 10,000 만), single and capital Latin
 * letters by their names (L 엘), other Latin words and units by their spelling (tile 타일, KB 킬로바이트). Quotes,
 * marks of emphasis and a remark in parentheses are passed over. */
#ifndef LANESCOPE_BASE_AGREE_H
#define LANESCOPE_BASE_AGREE_H
#include <stdbool.h>

/* Returns whether the braces at the start of a text hold the forms of a word. */
bool agree_marked(const char *braces);
/* Replaces each marker in a text by the form that fits, in place: a form is shorter than its marker. `before` is the
 * text that stands before this one, or "". Returns the text. */
char *agree(char *text, const char *before);
/* Does the same for a text that a format has produced, if the format has a marker: inserted text alone changes
 * nothing. Every function that formats text for people calls it. */
char *agree_format(char *text, const char *format);
#endif
