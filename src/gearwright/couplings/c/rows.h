/* A drivetrain by its rows: tables that the export writes into model.c, and what the files around rows.c share.

   Coordinates q (n), speeds v (n), states z of laws. Rows are deflections d = D q + base with rates D v; a spring answers with
   k d + c dv + f0, a law with its own function. Accelerations are a = a0 + gain signals - W f, W = M^-1 D^T. The rigid rotation is
   kept apart: base = off + rho phi, so that hours of rotation cost no precision. */
#ifndef GEARWRIGHT_ROWS_H
#define GEARWRIGHT_ROWS_H

/* Here the signal and the rate of a port are numbers of signals; the slot of a parameter is -1 (speed at the start), 0 (stiffness) or
   1 (damping), its entry the spring. */
#include "engine.h"

typedef void (*gw_force)(double t, double *d, double *dv, double *p, double *z, double *s, int64_t mode, double *f, double *zd);
typedef int64_t (*gw_guard)(double t, double *d, double *dv, double *p, double *z, double *s, int64_t mode, double *g);
/* force, guard (NULL: none), distance of the flanks to contact (NULL: none); first row, rows with force, with their senses, first
   state; parameters; reference stiffness and damping (forces x forces each) */
typedef struct {
  gw_force force;
  gw_guard guard;
  gw_guard opens;
  int row, forces, senses, state;
  double *parameters;
  const double *stiffness, *damping;
} gw_law;
/* sparse rows: begins, columns, values */
typedef struct { const int *begin, *column; const double *value; } gw_sparse;
/* a coordinate whose speed is prescribed: its number, signal, and how every coordinate jumps with it */
typedef struct { int coordinate, signal; const double *along; } gw_driven;

extern const int gw_n, gw_m, gw_states, gw_springs, gw_signals, gw_rigid, gw_laws, gw_driven_count;
extern const gw_sparse gw_rows_of, gw_accelerations_of, gw_lines;
extern const double gw_offsets[], gw_rho[], gw_u[], gw_projection[], gw_a0[], gw_k[], gw_c[], gw_f0[], gw_signal_values[];
extern const double gw_start_state[]; /* q, v, z */
extern const double gw_weights[];     /* one over the errors of q, v, z that are allowed */
extern const double gw_tolerance;     /* relative, that the weights are made with */
extern const gw_law gw_law_table[];
extern const gw_driven gw_driven_table[];
/* whether laws are smooth enough for the exponential steps (1), or are stepped explicitly (0); error of an
   exponential step over what its last correction moves; longest step [s], largest eigenvalue [1/s] */
extern const int gw_is_smooth;
extern const double gw_shown, gw_longest, gw_fastest;

/* room for forces of every law row within a step: see exponential.c */
enum { GW_FORCES = 16 };

/* what changes: saved and taken back as one block */
typedef struct {
  double time, shift; /* speed of the first body over that of the export */
  double step;        /* of the explicit method */
  int64_t level;      /* exponential steps are the communication step over 2^level */
  int64_t quiet;      /* communication steps that are explicit yet */
} gw_head;

struct gw_engine {
  char *block;
  size_t size;
  gw_head *head;
  double *y, *phi, *phi_low, *k, *c, *inputs, *rates, *lines, *parameters;
  int64_t *modes;
  /* room for work, not saved */
  double *base, *d, *dv, *f, *signals, *rate, *stages, *trial, *stack, *forces, *rows, *from, *constant;
  double held; /* time that the inputs are counted from */
  struct gw_maps *maps;
  int evaluations;
  char failure[256];
};

/* rows.c */
void gw_motion(gw_engine *e, const double *y);                       /* d, dv of all rows */
void gw_evaluate(gw_engine *e, double t, double *y, double *k); /* k = dy/dt; f and signals stay in e */
void gw_signals_at(gw_engine *e, double t);
int gw_law_rows(void); /* rows with force of all laws */
/* explicit.c */
int gw_explicit(gw_engine *e, double t, double h);
int gw_decide(gw_engine *e, double t, double *y, int start); /* 1: modes switch without end */
/* exponential.c */
struct gw_maps *gw_maps_create(void);
void gw_maps_destroy(struct gw_maps *);
int gw_exponential(gw_engine *e, double t, double h); /* 0: done; 1: no memory; 2: not accurate enough, nothing moved */

#endif
