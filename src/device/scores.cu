/* The scores of lines, and which cluster they are for: with the same operations in the same order as
 * in matrix/lines.c wherever numbers are rounded, so that labels are the same to the bit.
 *
 * SPDX-License-Identifier: MIT
 */

/* The sums of a line: those that the thread added up, in its cells, or those of a line that was
 * cut, `stride` apart, or of shares. Compilers know which, wherever these are made. */
typedef struct line_sums {
    int is_near;
    CELL *near;
    const KEPT *far;
    long long stride;
    const double *shares;
} line_sums;

HERE long long sum_of(const line_sums *sums, int l)
{
    return sums->is_near ? cell_sum(sums->near, (unsigned)l) : (long long)sums->far[l * sums->stride];
}

HERE double number_of(const line_sums *sums, int l)
{
    return sums->shares ? sums->shares[l] : (double)sum_of(sums, l);
}

/* The rule of the line's run: numbers are `stride` apart, and those of the next run `apart`. */
typedef struct line_rule {
    const double *A, *b, *e;
    long long stride, apart;
} line_rule;

typedef struct line_best {
    double score, of_own;
    int at; /* of equal ones the first */
} line_best;

/* Clusters that are scored at once: each addition waits for the one before; and of a line by itself,
 * each sum for memory, where it is there. Compilers know how many. */
enum { SCORED_AT_ONCE = 4, SCORED_ALONE = 8, MOST_SCORES = COB_PLACED * SCORED_AT_ONCE };

HERE void consider(line_best *best, const double *scores, int wide, int first, int to, int own)
{
    for (int i = 0; i < wide; i++) {
        if (first + i < to && scores[i] > best->score) {
            best->score = scores[i];
            best->at = first + i;
        }
        if (first + i == own)
            best->of_own = scores[i];
    }
}

/* Cluster number i of those that are scored at once; the last one fills the rest. */
HERE int some_cluster(int first, int i, int to)
{
    return first + i < to ? first + i : to - 1;
}

HERE void read_four(const double *from, long long stride, double *four)
{
    if (stride == 1) {
        PAIR first = AT(const PAIR, from)[0], second = AT(const PAIR, from)[1];
        four[0] = first.x;
        four[1] = first.y;
        four[2] = second.x;
        four[3] = second.y;
    } else {
        for (int i = 0; i < 4; i++)
            four[i] = from[i * stride];
    }
}

/* A line that is to be placed. */
typedef struct line_seen {
    line_sums sums;
    double effect;
    int own; /* its cluster */
} line_seen;

/* The scores of some lines for `wide` clusters from `first` on, line after line. */
HERE void score_diagonal(const cob_lines_args *a, const line_rule *rule, const line_seen *seen,
                         int lines, int wide, int first, double *scores)
{
    double A[SCORED_ALONE], b[SCORED_ALONE], e[SCORED_ALONE];
    UNROLLED
    for (int i = 0; i < wide; i += 4) { /* parts of a rule go on to a multiple of four */
        long long k = (first + i < a->to ? first + i : first) * rule->stride;
        read_four(rule->A + k, rule->stride, A + i);
        read_four(rule->b + k, rule->stride, b + i);
        read_four(rule->e + k, rule->stride, e + i);
    }
    UNROLLED
    for (int n = 0; n < lines; n++)
        for (int i = 0; i < wide; i++) { /* near sums go on to a multiple of four */
            int k = seen[n].sums.is_near ? first + i : some_cluster(first, i, a->to);
            scores[n * wide + i] =
                number_of(&seen[n].sums, k) * A[i] + b[i] * seen[n].effect + e[i];
        }
    for (int layer = a->to; layer < a->from; layer += a->to) /* further ones */
        for (int i = 0; i < wide; i++) {
            int l = layer + some_cluster(first, i, a->to);
            double A_l = rule->A[l * rule->stride];
            UNROLLED
            for (int n = 0; n < lines; n++)
                scores[n * wide + i] += number_of(&seen[n].sums, l) * A_l;
        }
}

HERE void score_full(const cob_lines_args *a, const line_rule *rule, const line_seen *seen,
                     int lines, int wide, int first, double *scores)
{
    for (int i = 0; i < wide; i++) {
        long long k = some_cluster(first, i, a->to) * rule->stride;
        double b = rule->b[k], e = rule->e[k];
        UNROLLED
        for (int n = 0; n < lines; n++)
            scores[n * wide + i] = b * seen[n].effect + e;
    }
    for (int l = 0; l < a->from; l++) {
        const double *A = rule->A + (long long)l * a->to * rule->stride;
        double sum[COB_PLACED];
        UNROLLED
        for (int n = 0; n < lines; n++)
            sum[n] = number_of(&seen[n].sums, l);
        for (int i = 0; i < wide; i++) {
            double A_k = A[some_cluster(first, i, a->to) * rule->stride];
            UNROLLED
            for (int n = 0; n < lines; n++)
                scores[n * wide + i] += A_k * sum[n];
        }
    }
}

HERE void score_some(const cob_lines_args *a, const line_rule *rule, const line_seen *seen,
                     int lines, int wide, int first, double *scores)
{
    if (a->diagonal)
        score_diagonal(a, rule, seen, lines, wide, first, scores);
    else
        score_full(a, rule, seen, lines, wide, first, scores);
}

#if WITH_DRAWS
/* Draws the label of a line as the processor does. Nothing keeps its scores: they are made to find
 * the largest, again to be added up, and to be looked at until the drawn number is reached. */
HERE int draw_label(const cob_lines_args *a, const line_rule *rule, const line_seen *seen,
                    long long line)
{
    enum { FIND_LARGEST, ADD_UP, REACH, ROUNDS };
    double u = uniform_of(&a->drawing, (unsigned long long)line), sum = 0, reached = 0, most = 0;
    double by = a->drawing.by_effect && seen->effect > 0 ? seen->effect : 1;
    double temperature = a->drawing.temperature * by, largest = NEGATIVE_INFINITY;
    int likeliest = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int first = 0; first < a->to; first += SCORED_AT_ONCE) {
            double scores[SCORED_AT_ONCE];
            score_some(a, rule, seen, 1, SCORED_AT_ONCE, first, scores);
            for (int i = 0; i < SCORED_AT_ONCE && first + i < a->to; i++) {
                if (round == FIND_LARGEST) {
                    largest = scores[i] > largest ? scores[i] : largest;
                    continue;
                }
                double below = (largest - scores[i]) / temperature;
                double share = below < COB_NEGLIGIBLE ? cob_exp_minus(below) : 0;
                if (round == ADD_UP) {
                    sum += share;
                    continue;
                }
                share /= sum;
                reached += share;
                if (u < reached)
                    return first + i;
                likeliest = share > most ? first + i : likeliest;
                most = share > most ? share : most;
            }
        }
    return likeliest; /* rounding: the sum stayed below u */
}
#endif

/* The best clusters of some lines. */
HERE void choose_best(const cob_lines_args *a, const line_rule *rule, const line_seen *seen,
                      int lines, int wide, int *chosen)
{
    line_best best[COB_PLACED];
    UNROLLED
    for (int n = 0; n < lines; n++) {
        best[n].score = best[n].of_own = NEGATIVE_INFINITY;
        best[n].at = 0;
    }
    for (int first = 0; first < a->to; first += wide) {
        double scores[MOST_SCORES];
        score_some(a, rule, seen, lines, wide, first, scores);
        UNROLLED
        for (int n = 0; n < lines; n++)
            consider(&best[n], scores + n * wide, wide, first, a->to, seen[n].own);
    }
    UNROLLED
    for (int n = 0; n < lines; n++)
        chosen[n] = best[n].of_own == best[n].score ? seen[n].own : best[n].at;
}

/* The cluster of a line that needs no scores; -1: it does. */
HERE int known_cluster(const cob_lines_args *a, long long line, int own)
{
    return a->keep ? own : a->fixed ? AT(const int, a->fixed)[line] : -1;
}

HERE int choose(const cob_lines_args *a, const line_rule *rule, const line_seen *seen,
                long long line)
{
    int chosen = known_cluster(a, line, seen->own);
    if (chosen >= 0)
        return chosen;
#if WITH_DRAWS
    if (!WITH_HARD || a->drawing.draws)
        return draw_label(a, rule, seen, line);
#endif
    choose_best(a, rule, seen, 1, seen->sums.is_near ? SCORED_AT_ONCE : SCORED_ALONE, &chosen);
    return chosen;
}
