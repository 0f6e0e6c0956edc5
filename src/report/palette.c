/* The colours of blocs.
 *
 * The first six are those of Okabe and Ito, slightly darker where text must be legible in them; the
 * first twelve are chosen by hand, the others so that each is as far as possible from all before it
 * in OKLab, with a contrast of at least 3 to the paper.
 *
 * SPDX-License-Identifier: MIT
 */
#include "report/figure.h"

static const uint32_t on_paper[COB_COLOURS] = {
    0x0072b2, 0xd55e00, 0x009e73, 0xb9558d, 0xb07a00, 0x2e8fcb, 0x6b4fa3, 0x7a5230, 0x6f9a1f,
    0xb3263c, 0x14808a, 0x5a5a5a, 0x7e0360, 0x00580d, 0x9170e4, 0x143ca1, 0x9381a0, 0x7f2022,
    0x54396e, 0x747856, 0xa35f55, 0x034d73, 0x824767, 0x346c42, 0x9c4db4, 0x5c65d6, 0x1a8c26,
    0x8f2e8a, 0xdd5561, 0x66938e, 0x2b5042, 0x512898, 0x6c6ea8, 0xa0826b, 0x603e35, 0x3b51bc,
};

static const uint32_t on_dark[COB_COLOURS] = {
    0x4aa5e0, 0xf08a4b, 0x3cc59b, 0xe08fbb, 0xeab84a, 0x7fd0f5, 0xa78be0, 0xc19a76, 0xa5cf55,
    0xef6f80, 0x4fbdc6, 0xb0b0b0, 0xffcded, 0x789b00, 0x858ba5, 0x6b82ec, 0xc263b7, 0xf3bda6,
    0xf0aeff, 0xdae79a, 0xcc6f46, 0xc2e5f1, 0xbe728a, 0x5fffc1, 0xbea6eb, 0xc4c5f7, 0x499f7c,
    0xe190f3, 0xed9c91, 0x7ee0c8, 0x7ae78d, 0xa17ab8, 0x8fb5f4, 0xb5820c, 0xa08675, 0x8c9dcb,
};

/* A share of the way from one colour to another. */
static uint32_t mixed(uint32_t from, uint32_t to, double share)
{
    uint32_t colour = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double a = from >> shift & 255, b = to >> shift & 255;
        colour |= (uint32_t)(a + (b - a) * share + 0.5) << shift;
    }
    return colour;
}

uint32_t cob_palette(int colour, bool dark)
{
    unsigned number = (unsigned)colour; /* callers may have any number */
    uint32_t own = (dark ? on_dark : on_paper)[number % COB_COLOURS];
    unsigned shade = number / COB_COLOURS % 8; /* each once more away from the paper */
    return mixed(own, dark ? 0xffffff : 0, 0.11 * shade);
}
