/* The row engine as a library: a drivetrain that steps without Python. See engine.c. */
#ifndef GEARWRIGHT_ENGINE_H
#define GEARWRIGHT_ENGINE_H

#include <stddef.h>
#include <stdint.h>

/* --- written by the export into model.c -------------------------------------------------------------- */

/* one array of the engine's table: slot, 1 for integers, length, initial values (NULL: zeros) */
typedef struct { int slot; int integer; long length; const void *values; } gw_array;
/* a compiled function: slot of the table, entry of that slot's array (-1: the slot itself), function */
typedef struct { int slot; long entry; void (*function)(void); } gw_function;
/* an input: place of its signal's pieces in the coefficients and of its start, of its rate's (-1: none), factor, start */
typedef struct { const char *name; long signal; long rate; double factor; double start; } gw_port;
/* a number that may be changed before the start: slot, entry; -1: the speed of the first body at the start */
typedef struct { const char *name; int slot; long entry; double value; } gw_parameter;

/* slots that the wrapper itself needs */
typedef struct {
  int n, m, nz, ny, nr, channels, rigid, y, ks, rs, val, sstart, scoef, stack, lbase, cflags,
      evaluate, phi, projection, u;
} gw_slot_numbers;

extern const int gw_slots;
extern const int64_t gw_sizes[];
extern const gw_array gw_arrays[];
extern const int gw_array_count;
extern const gw_function gw_functions[];
extern const int gw_function_count;
extern const gw_port gw_ports[];
extern const int gw_port_count;
extern const gw_parameter gw_parameters[];
extern const int gw_parameter_count;
extern const int gw_output_count;
/* outputs as sparse rows over the stack: begins, columns, factors */
extern const int64_t gw_line_ptr[], gw_line_idx[];
extern const double gw_line_coef[];
extern const gw_slot_numbers gw_slot;
extern const double gw_mass[]; /* (n, n) */
extern const double gw_gain[]; /* (ports, n) */
extern const double gw_start_speed;
extern const char gw_identity[];
extern const char gw_row_names[];

/* --- the engine ----------------------------------------------------------------------------------------- */

typedef struct gw_engine gw_engine;

gw_engine *gw_create(void);                  /* NULL: no memory */
void gw_destroy(gw_engine *);
void gw_reset(gw_engine *);                  /* as created */
int gw_start(gw_engine *, double t);         /* decide modes, fill the outputs; 0: fine */
int gw_step(gw_engine *, double t, double h); /* advance by h; 0: fine */
double gw_time(const gw_engine *);           /* time reached */
double gw_output(gw_engine *, int i);
double gw_input(const gw_engine *, int i);
void gw_set_input(gw_engine *, int i, double value);
void gw_set_input_rate(gw_engine *, int i, double rate);
double gw_parameter_value(const gw_engine *, int i);
void gw_set_parameter(gw_engine *, int i, double value);
size_t gw_state_size(const gw_engine *);
void gw_save(const gw_engine *, void *);
void gw_load(gw_engine *, const void *);
/* inputs in, one step (h 0: the start), outputs out */
int gw_exchange(gw_engine *, double t, double h, const double *values, const double *rates, double *outputs);
int gw_coordinates(const gw_engine *);
/* accelerations of a position and speed (n each) at a time with the present inputs, without moving */
int gw_accelerations(gw_engine *, double t, const double *q, const double *v, double *a);
/* outputs at a position and speed that someone else integrates */
int gw_outputs_at(gw_engine *, double t, const double *q, const double *v, double *outputs);
void gw_position(const gw_engine *, double *q, double *v);
void gw_place(gw_engine *, const double *q, const double *v);
const char *gw_failure(const gw_engine *);

/* model exchange: someone else integrates. Only sources in rows.c offer it; the counts are 0 elsewhere. */
int gw_state_count(void);
int gw_indicator_count(void);
void gw_get_states(const gw_engine *, double *x);
void gw_set_states(gw_engine *, const double *x);
void gw_set_time(gw_engine *, double t);
int gw_derivatives(gw_engine *, double *rates);   /* 0: fine */
int gw_indicators(gw_engine *, double *distances); /* a sign changes where the force of a law bends or jumps */
int gw_event(gw_engine *);                        /* laws decide anew; 0: fine */
int gw_refresh(gw_engine *);                      /* outputs at the present time and state; 0: fine */
double gw_nominal(int state);

#endif
