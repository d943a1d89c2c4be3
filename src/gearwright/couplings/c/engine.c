/* Wrapper around the explicit engine of the package.

   The loop, the right-hand side and the laws are the package's own compiled functions, brought along as object
   code; this file owns their memory. Everything that changes lies in one block, so that saving a state is one copy.
   The engine works on a table of 64-bit words that holds sizes and addresses (explicit_table.py). */

#include "engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* (table, start, count, interval, lines, reached) -> status */
extern int64_t gw_loop(int64_t *, double, int64_t, double, double *, double *);
typedef void (*gw_evaluator)(int64_t *, double, double, double *, double *, double *);

/* first in the block: what is saved with the arrays */
typedef struct {
  double time;
  double shift; /* speed of the first body over that of the export */
} gw_head;

struct gw_engine {
  int64_t *table;
  char *block;
  size_t size;
  double *inputs, *rates, *lines, *parameters;
  gw_head *head;
  char failure[256];
};

static void *array_at(const gw_engine *e, int slot) { return (void *)(intptr_t)e->table[slot]; }
static double *reals(const gw_engine *e, int slot) { return (double *)array_at(e, slot); }
static int64_t *words(const gw_engine *e, int slot) { return (int64_t *)array_at(e, slot); }

static void fill(gw_engine *e) {
  char *at = e->block + sizeof(gw_head);
  memset(e->head, 0, sizeof(gw_head));
  e->head->shift = 1.0;
  memcpy(e->table, gw_sizes, (size_t)gw_slots * sizeof(int64_t));
  for (int i = 0; i < gw_array_count; i++) {
    const gw_array *a = &gw_arrays[i];
    size_t bytes = (size_t)a->length * 8;
    e->table[a->slot] = (int64_t)(intptr_t)at;
    if (a->values) memcpy(at, a->values, bytes); else memset(at, 0, bytes);
    at += bytes;
  }
  for (int i = 0; i < gw_function_count; i++) {
    const gw_function *f = &gw_functions[i];
    int64_t address = (int64_t)(intptr_t)f->function;
    if (f->entry < 0) e->table[f->slot] = address; else words(e, f->slot)[f->entry] = address;
  }
  e->inputs = (double *)at;
  e->rates = e->inputs + gw_port_count;
  e->lines = e->rates + gw_port_count;
  e->parameters = e->lines + gw_output_count;
  for (int i = 0; i < gw_port_count; i++) {
    e->inputs[i] = gw_ports[i].start;
    e->rates[i] = 0.0;
  }
  memset(e->lines, 0, (size_t)gw_output_count * sizeof(double));
  for (int i = 0; i < gw_parameter_count; i++) e->parameters[i] = gw_parameters[i].value;
  e->failure[0] = 0;
}

gw_engine *gw_create(void) {
  gw_engine *e = (gw_engine *)calloc(1, sizeof(gw_engine));
  if (!e) return NULL;
  e->size = sizeof(gw_head);
  for (int i = 0; i < gw_array_count; i++) e->size += (size_t)gw_arrays[i].length * 8;
  e->size += (size_t)(2 * gw_port_count + gw_output_count + gw_parameter_count) * sizeof(double);
  e->table = (int64_t *)malloc((size_t)gw_slots * sizeof(int64_t));
  e->block = (char *)malloc(e->size);
  if (!e->table || !e->block) {
    gw_destroy(e);
    return NULL;
  }
  e->head = (gw_head *)e->block;
  fill(e);
  return e;
}

void gw_destroy(gw_engine *e) {
  if (!e) return;
  free(e->table);
  free(e->block);
  free(e);
}

void gw_reset(gw_engine *e) { fill(e); }

/* an input is one cubic piece that holds for all times: value and slope, counted from the time of the step */
static void write_inputs(gw_engine *e, double t) {
  double *coefficients = reals(e, gw_slot.scoef), *start = reals(e, gw_slot.sstart);
  for (int i = 0; i < gw_port_count; i++) {
    const gw_port *p = &gw_ports[i];
    double value = p->factor * e->inputs[i], rate = p->factor * e->rates[i];
    coefficients[4 * p->signal] = value;
    coefficients[4 * p->signal + 1] = rate;
    start[p->signal] = t;
    if (p->rate >= 0) {
      coefficients[4 * p->rate] = rate;
      coefficients[4 * p->rate + 1] = 0.0;
      start[p->rate] = t;
    }
  }
}

static int failed(gw_engine *e, int64_t status, double t) {
  static const char *what[] = {"", "the step became too small", "too many steps", "modes switch without end"};
  if (status == 0) return 0;
  snprintf(e->failure, sizeof e->failure, "run stopped at %.6g s: %s", t,
           status > 0 && status < 4 ? what[status] : "unknown failure");
  return (int)status;
}

/* outputs as combinations of forces, positions, speeds, accelerations, states, signals, rigid motion and one */
static void combine(gw_engine *e, double *out) {
  const gw_slot_numbers *s = &gw_slot;
  int64_t n = e->table[s->n], m = e->table[s->m], nz = e->table[s->nz], nr = e->table[s->nr];
  int64_t rigid = e->table[s->rigid];
  double *y = reals(e, s->y), *k = reals(e, s->ks), *r = reals(e, s->rs), *stack = reals(e, s->stack);
  int64_t *base = words(e, s->lbase);
  memcpy(stack + base[0], r + m, (size_t)m * sizeof(double));
  memcpy(stack + base[1], y, (size_t)n * sizeof(double));
  memcpy(stack + base[2], y + n, (size_t)n * sizeof(double));
  memcpy(stack + base[3], k + n, (size_t)n * sizeof(double));
  memcpy(stack + base[4], y + 2 * n, (size_t)nz * sizeof(double));
  memcpy(stack + base[5], r + 2 * m, (size_t)(nr - 2 * m) * sizeof(double));
  for (int64_t j = 0; j < rigid; j++) {
    const double *project = reals(e, s->projection) + j * n, *u = reals(e, s->u) + j * n;
    double x = 0.0;
    for (int64_t i = 0; i < n; i++) x += project[i] * y[i];
    stack[base[6] + j] = reals(e, s->phi)[j] + x;
    for (int64_t i = 0; i < n; i++) stack[base[1] + i] -= u[i] * x;
  }
  stack[base[7]] = 1.0;
  for (int c = 0; c < gw_output_count; c++) {
    double x = 0.0;
    for (int64_t i = gw_line_ptr[c]; i < gw_line_ptr[c + 1]; i++) x += gw_line_coef[i] * stack[gw_line_idx[i]];
    out[c] = x;
  }
}

static void evaluate(gw_engine *e, double t) {
  ((gw_evaluator)(intptr_t)e->table[gw_slot.evaluate])(e->table, t, t, reals(e, gw_slot.y), reals(e, gw_slot.ks),
                                                        reals(e, gw_slot.rs));
}

int gw_start(gw_engine *e, double t) {
  double reached = 0.0;
  double *y = reals(e, gw_slot.y);
  int64_t n = e->table[gw_slot.n];
  double shift = e->head->shift;
  for (int i = 0; i < gw_parameter_count; i++) {
    const gw_parameter *p = &gw_parameters[i];
    if (p->slot >= 0) {
      reals(e, p->slot)[p->entry] = e->parameters[i];
    } else if (gw_start_speed != 0.0) {
      double wanted = e->parameters[i] / gw_start_speed;
      if (shift != 0.0)
        for (int64_t j = 0; j < n; j++) y[n + j] *= wanted / shift;
      e->head->shift = shift != 0.0 ? wanted : 0.0;
    }
  }
  e->head->time = t;
  write_inputs(e, t);
  if (gw_slot.cflags >= 0 && e->table[gw_slot.cflags]) words(e, gw_slot.cflags)[2] = 1;
  int64_t status = gw_loop(e->table, t, 0, 1e-3, e->lines, &reached);
  if (status == 0) combine(e, e->lines);
  return failed(e, status, t);
}

int gw_step(gw_engine *e, double t, double h) {
  double reached = 0.0;
  if (!(h > 0.0) || !isfinite(h) || !isfinite(t)) {
    snprintf(e->failure, sizeof e->failure, "a step of %g s at %g s", h, t);
    return 4;
  }
  for (int i = 0; i < gw_port_count; i++)
    if (!isfinite(e->inputs[i]) || !isfinite(e->rates[i])) {
      snprintf(e->failure, sizeof e->failure, "input %s is not a number at %g s", gw_ports[i].name, t);
      return 5;
    }
  write_inputs(e, t);
  if (gw_slot.cflags >= 0 && e->table[gw_slot.cflags]) words(e, gw_slot.cflags)[2] = 1;
  int64_t status = gw_loop(e->table, t, 1, h, e->lines, &reached);
  e->head->time = status == 0 ? t + h : t + reached;
  for (int i = 0; i < gw_port_count; i++) {
    /* what an input with a slope has become is where it goes on from */
    e->inputs[i] += e->rates[i] * h;
    e->rates[i] = 0.0;
  }
  return failed(e, status, e->head->time);
}

double gw_time(const gw_engine *e) { return e->head->time; }
double gw_output(gw_engine *e, int i) { return e->lines[i]; }
double gw_input(const gw_engine *e, int i) { return e->inputs[i]; }
void gw_set_input(gw_engine *e, int i, double value) { e->inputs[i] = value; }
void gw_set_input_rate(gw_engine *e, int i, double rate) { e->rates[i] = rate; }
double gw_parameter_value(const gw_engine *e, int i) { return e->parameters[i]; }
void gw_set_parameter(gw_engine *e, int i, double value) { e->parameters[i] = value; }
size_t gw_state_size(const gw_engine *e) { return e->size; }
int gw_coordinates(const gw_engine *e) { return (int)e->table[gw_slot.n]; }
const char *gw_failure(const gw_engine *e) { return e->failure; }

/* addresses of functions inside the block are the same for every instance of a process; a state that comes from
   another process gets its own again */
void gw_save(const gw_engine *e, void *to) { memcpy(to, e->block, e->size); }

void gw_load(gw_engine *e, const void *from) {
  memcpy(e->block, from, e->size);
  for (int i = 0; i < gw_function_count; i++) {
    const gw_function *f = &gw_functions[i];
    if (f->entry >= 0) words(e, f->slot)[f->entry] = (int64_t)(intptr_t)f->function;
  }
  e->failure[0] = 0;
}

/* positions without the rigid motion, which is kept apart */
void gw_position(const gw_engine *e, double *q, double *v) {
  int64_t n = e->table[gw_slot.n];
  memcpy(q, reals(e, gw_slot.y), (size_t)n * sizeof(double));
  memcpy(v, reals(e, gw_slot.y) + n, (size_t)n * sizeof(double));
}

void gw_place(gw_engine *e, const double *q, const double *v) {
  int64_t n = e->table[gw_slot.n];
  memcpy(reals(e, gw_slot.y), q, (size_t)n * sizeof(double));
  memcpy(reals(e, gw_slot.y) + n, v, (size_t)n * sizeof(double));
}

int gw_accelerations(gw_engine *e, double t, const double *q, const double *v, double *a) {
  const gw_slot_numbers *s = &gw_slot;
  int64_t n = e->table[s->n], m = e->table[s->m], ny = e->table[s->ny];
  double *k = reals(e, s->ks), *r = reals(e, s->rs);
  double *y = (double *)malloc((size_t)ny * sizeof(double));
  if (!y) return 1;
  memcpy(y, reals(e, s->y), (size_t)ny * sizeof(double));
  memcpy(y, q, (size_t)n * sizeof(double));
  memcpy(y + n, v, (size_t)n * sizeof(double));
  write_inputs(e, t);
  ((gw_evaluator)(intptr_t)e->table[s->evaluate])(e->table, t, t, y, k, r);
  memcpy(a, k + n, (size_t)n * sizeof(double));
  (void)m;
  free(y);
  for (int64_t i = 0; i < n; i++)
    if (!isfinite(a[i])) return 2;
  return 0;
}

int gw_exchange(gw_engine *e, double t, double h, const double *values, const double *rates, double *outputs) {
  for (int i = 0; i < gw_port_count; i++) {
    e->inputs[i] = values[i];
    e->rates[i] = rates[i];
  }
  int status = h > 0.0 ? gw_step(e, t, h) : gw_start(e, t);
  memcpy(outputs, e->lines, (size_t)gw_output_count * sizeof(double));
  return status;
}

int gw_outputs_at(gw_engine *e, double t, const double *q, const double *v, double *outputs) {
  gw_place(e, q, v);
  write_inputs(e, t);
  evaluate(e, t);
  combine(e, outputs);
  for (int i = 0; i < gw_output_count; i++)
    if (!isfinite(outputs[i])) return 2;
  return 0;
}

int gw_state_count(void) { return 0; }
int gw_indicator_count(void) { return 0; }
void gw_get_states(const gw_engine *e, double *x) { (void)e, (void)x; }
void gw_set_states(gw_engine *e, const double *x) { (void)e, (void)x; }
void gw_set_time(gw_engine *e, double t) { (void)e, (void)t; }
int gw_derivatives(gw_engine *e, double *x) { return (void)e, (void)x, 1; }
int gw_indicators(gw_engine *e, double *x) { return (void)e, (void)x, 1; }
int gw_event(gw_engine *e) { return (void)e, 1; }
int gw_refresh(gw_engine *e) { return (void)e, 1; }
double gw_nominal(int i) { return (void)i, 1.0; }
