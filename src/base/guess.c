/* The nearest name: as few letters as possible are missing, too many, wrong or exchanged.
 * SPDX-License-Identifier: MIT
 */
#include "base/guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int letter(char c)
{
    return tolower((unsigned char)c);
}

/* Letters to insert, remove, change or exchange with their neighbour (optimal string alignment). */
static int letters_apart(const char *a, size_t m, const char *b, size_t n)
{
    int rows[3][LONGEST + 1];
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least(above[j - 1] + (letter(a[i - 1]) != letter(b[j - 1])),
                           least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) &&
                letter(a[i - 2]) == letter(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

/* The beginning of a name is near it, however much is missing. */
static int apart(const char *word, size_t length, const char *name)
{
    size_t whole = strlen(name);
    if (length > LONGEST || whole > LONGEST || length == 0)
        return -1;
    int letters = letters_apart(word, length, name, whole);
    if (letters > 1 && length >= 2 && length < whole && strncmp(word, name, length) == 0)
        letters = 1;
    return letters <= 1 + (int)length / 4 && letters < (int)whole ? letters : -1;
}

int cobloc_letters_apart(const char *word, const char *name)
{
    return apart(word, strlen(word), name);
}

cob_guess cob_guess_begin(const char *word, size_t length)
{
    return (cob_guess){.word = word, .length = length, .apart = LONGEST};
}

void cob_guess_try(cob_guess *g, const char *name)
{
    int letters = apart(g->word, g->length, name);
    if (letters >= 0 && letters < g->apart) {
        g->apart = letters;
        g->best = name;
    }
}

const char *cob_guess_text(const cob_guess *g, char text[COB_GUESS_ROOM])
{
    snprintf(text, COB_GUESS_ROOM, g->best ? "; did you mean '%s'?" : "%s", g->best ? g->best : "");
    return text;
}
