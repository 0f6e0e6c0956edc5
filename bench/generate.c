/* Writes a random matrix of counts as MatrixMarket, quickly: ROWS COLS ENTRIES-PER-ROW
 * sorted|shuffled. Rows have that many entries on average, columns are popular as words are, counts
 * are mostly 1. SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    uint32_t row, col, value;
} entry;

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double uniform(void)
{
    return ((double)(draw() >> 11) + 0.5) * 0x1p-53;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Column 0 is the most popular: the density falls as 1 / (column + cols / 50). */
static uint32_t popular_column(uint32_t cols)
{
    double shift = cols / 50.0;
    uint32_t col = (uint32_t)(shift * (pow(1 + cols / shift, uniform()) - 1));
    return col < cols ? col : cols - 1;
}

static size_t fill_row(uint32_t row, uint32_t cols, uint32_t per_row, uint32_t *room, entry *to)
{
    size_t count = 0;
    uint32_t wanted = per_row / 2 + (uint32_t)(draw() % (per_row + 1));
    for (uint32_t k = 0; k < wanted; k++)
        room[k] = popular_column(cols);
    qsort(room, wanted, sizeof *room, compare);
    for (uint32_t k = 0; k < wanted; k++) {
        uint32_t value = 1;
        while (k + 1 < wanted && room[k + 1] == room[k])
            value++, k++;
        to[count++] = (entry){row, room[k], value};
    }
    return count;
}

static char *put(char *p, uint32_t value, char after)
{
    char digits[12];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        *p++ = digits[--n];
    *p++ = after;
    return p;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fputs("usage: generate ROWS COLS ENTRIES-PER-ROW sorted|shuffled >FILE\n", stderr);
        return 2;
    }
    uint32_t rows = (uint32_t)atol(argv[1]), cols = (uint32_t)atol(argv[2]);
    uint32_t per_row = (uint32_t)atol(argv[3]);
    size_t most = (size_t)rows * per_row * 2, count = 0;
    entry *entries = malloc(most * sizeof *entries);
    uint32_t *room = malloc((size_t)per_row * 2 * sizeof *room);
    if (!entries || !room)
        return 1;
    for (uint32_t i = 0; i < rows; i++)
        count += fill_row(i, cols, per_row, room, entries + count);
    for (size_t k = count; strcmp(argv[4], "shuffled") == 0 && k > 1; k--) {
        size_t other = draw() % k;
        entry kept = entries[k - 1];
        entries[k - 1] = entries[other];
        entries[other] = kept;
    }
    printf("%%%%MatrixMarket matrix coordinate integer general\n%u %u %zu\n", rows, cols, count);
    for (size_t k = 0; k < count; k++) {
        char line[40];
        char *end = put(line, entries[k].row + 1, ' ');
        end = put(end, entries[k].col + 1, ' ');
        end = put(end, entries[k].value, '\n');
        fwrite(line, 1, (size_t)(end - line), stdout);
    }
    free(entries);
    free(room);
    return ferror(stdout) ? 1 : 0;
}
