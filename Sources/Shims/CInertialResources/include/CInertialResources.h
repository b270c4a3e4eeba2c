// Files that are embedded in the program, so that a static binary needs no resource bundle.
//
// They are embedded unchanged with the C compiler's #embed.
#ifndef CRESOURCES_H
#define CRESOURCES_H

#include <stddef.h>

typedef struct {
  const unsigned char *bytes;
  size_t count;
} embedded_file;

// The built-in activity model, JSON; its model card is Data/activity-model.md.
embedded_file embedded_activity_model(void);

// The World Magnetic Model's coefficients, as NOAA publishes them.
embedded_file embedded_wmm_2015v2(void);
embedded_file embedded_wmm_2020(void);
embedded_file embedded_wmm_2025(void);

// The scripts and styles of report pages, Data/Page: plain files, in the order in which a page runs them.
embedded_file embedded_page_dom(void);
embedded_file embedded_page_format(void);
embedded_file embedded_page_theme(void);
embedded_file embedded_page_codec(void);
embedded_file embedded_page_store(void);
embedded_file embedded_page_save(void);
embedded_file embedded_page_spectrum(void);
embedded_file embedded_page_coverage(void);
embedded_file embedded_page_view(void);
embedded_file embedded_page_pointer(void);
embedded_file embedded_page_walk(void);
embedded_file embedded_page_timeplot(void);
embedded_file embedded_page_lanes(void);
embedded_file embedded_page_curves(void);
embedded_file embedded_page_map(void);
embedded_file embedded_page_scene(void);
embedded_file embedded_page_device(void);
embedded_file embedded_page_player(void);
embedded_file embedded_page_table(void);
embedded_file embedded_page_keys(void);
embedded_file embedded_page_report(void);
embedded_file embedded_page_overview(void);
embedded_file embedded_page_frames(void);
embedded_file embedded_page_livestore(void);
embedded_file embedded_page_livedevice(void);
embedded_file embedded_page_live(void);
embedded_file embedded_page_livestyle(void);
embedded_file embedded_page_style(void);

// The font of plots: Latin, Greek and symbols of Liberation Sans, without hints; its licence is Data/PlotFont-OFL.txt.
embedded_file embedded_plot_font(void);

#endif
