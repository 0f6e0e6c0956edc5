/* Lines of "index:value" pairs.
 * SPDX-License-Identifier: MIT
 */
#include "io/pairs.h"

#include <math.h>
#include <string.h>

size_t cob_pairs_cut(const char *text, size_t size, int final, int64_t *records, int64_t *lines)
{
    int64_t all = 0;
    size_t whole = cob_cut_lines(text, size, final, &all, lines);
    *records += cob_count_filled_lines(text, whole, '#');
    return whole;
}

/* ---- recognition ----------------------------------------------------------------------------- */

int64_t cob_pairs_count(const char **text, bool cut, bool *whole)
{
    int64_t count = 0, index;
    double value;
    const char *p;
    for (p = cob_skip_blanks(*text); !cob_pairs_end(p); p = cob_skip_blanks(p)) {
        if (!cob_scan_pair(&p, &index, &value)) {
            p += strcspn(p, " \t\r\n");
            if (!cut || *p)
                return -1;
            break;
        }
        *whole = *whole && value >= 0 && value == floor(value);
        count++;
    }
    *text = p;
    return count;
}

int cob_pairs_recognise(const cob_head *head, cob_pairs_row_fn count_row)
{
    const char *p = head->text, *end = p + head->size;
    int64_t pairs = 0;
    while (p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        bool cut = !stop && !head->complete;
        if (cut && pairs > 0)
            break; /* the lines before it are enough */
        stop = stop ? stop : end;
        p = cob_skip_blanks(p);
        if (p < stop && *p != '#') {
            int64_t found = count_row(&p, cut);
            if (found < 0 || (*p == '\0' && p < stop))
                return 0;
            pairs += found;
        }
        p = stop + 1;
    }
    return pairs > 0;
}
