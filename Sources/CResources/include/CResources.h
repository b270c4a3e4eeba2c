// Files that are part of the program, so that a static binary needs no bundle beside it.
//
// By the C compiler's #embed, which reads the files as they are.
#ifndef CRESOURCES_H
#define CRESOURCES_H

#include <stddef.h>

typedef struct {
  const unsigned char *bytes;
  size_t count;
} embedded_file;

// The built-in activity model, JSON; its card is Data/activity-model.md.
embedded_file embedded_activity_model(void);

// The World Magnetic Model's coefficients, as NOAA publishes them.
embedded_file embedded_wmm_2015v2(void);
embedded_file embedded_wmm_2020(void);
embedded_file embedded_wmm_2025(void);

// The font of plots: Latin, Greek and signs of Liberation Sans, without hints; its licence is Data/PlotFont-OFL.txt.
embedded_file embedded_plot_font(void);

#endif
