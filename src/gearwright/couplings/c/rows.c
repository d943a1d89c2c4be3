/* A drivetrain by its rows in plain C: state, inputs, outputs. See rows.h; steps are in explicit.c and exponential.c. */

#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t states(void) { return (size_t)(2 * gw_n + gw_states); }

int gw_law_rows(void) {
  int count = 0;
  for (int i = 0; i < gw_laws; i++) count += gw_law_table[i].forces;
  return count;
}

static void rebase_rows(gw_engine *e) {
  memcpy(e->base, gw_offsets, (size_t)gw_m * sizeof(double));
  for (int j = 0; j < gw_rigid; j++)
    for (int i = 0; i < gw_m; i++) e->base[i] += gw_rho[(size_t)j * gw_m + i] * e->phi[j];
}

static void fill(gw_engine *e) {
  memset(e->block, 0, e->size);
  e->head->shift = 1.0;
  memcpy(e->y, gw_start_state, states() * sizeof(double));
  memcpy(e->k, gw_k, (size_t)gw_springs * sizeof(double));
  memcpy(e->c, gw_c, (size_t)gw_springs * sizeof(double));
  for (int i = 0; i < gw_port_count; i++) e->inputs[i] = gw_ports[i].start;
  for (int i = 0; i < gw_parameter_count; i++) e->parameters[i] = gw_parameters[i].value;
  memcpy(e->signals, gw_signal_values, (size_t)gw_signals * sizeof(double));
  e->failure[0] = 0;
  rebase_rows(e);
}

gw_engine *gw_create(void) {
  gw_engine *e = (gw_engine *)calloc(1, sizeof(gw_engine));
  if (!e) return NULL;
  size_t n = (size_t)gw_n, m = (size_t)gw_m, ny = states(), s = (size_t)gw_springs, r = (size_t)gw_law_rows();
  size_t reals = ny + 2 * (size_t)gw_rigid + 2 * s + 2 * (size_t)gw_port_count + (size_t)gw_output_count +
                 (size_t)gw_parameter_count;
  size_t work = 4 * m + (size_t)gw_signals + 9 * ny + ny + (m + 3 * n + (size_t)gw_states + (size_t)gw_signals + (size_t)gw_rigid + 1) +
                GW_FORCES * r + 6 * m + ny + 3 * n;
  e->size = sizeof(gw_head) + reals * sizeof(double) + (size_t)gw_laws * sizeof(int64_t);
  e->block = (char *)malloc(e->size);
  e->base = (double *)calloc(work, sizeof(double));
  e->maps = gw_maps_create();
  if (!e->block || !e->base || !e->maps) {
    gw_destroy(e);
    return NULL;
  }
  e->head = (gw_head *)e->block;
  e->y = (double *)(e->block + sizeof(gw_head));
  e->phi = e->y + ny;
  e->phi_low = e->phi + gw_rigid;
  e->k = e->phi_low + gw_rigid;
  e->c = e->k + s;
  e->inputs = e->c + s;
  e->rates = e->inputs + gw_port_count;
  e->lines = e->rates + gw_port_count;
  e->parameters = e->lines + gw_output_count;
  e->modes = (int64_t *)(e->parameters + gw_parameter_count);
  e->d = e->base + m;
  e->dv = e->d + m;
  e->f = e->dv + m;
  e->signals = e->f + m;
  e->stages = e->signals + gw_signals;
  e->rate = e->stages + 8 * ny;
  e->trial = e->rate + ny;
  e->stack = e->trial + ny;
  e->forces = e->stack + (m + 3 * n + (size_t)gw_states + (size_t)gw_signals + (size_t)gw_rigid + 1);
  e->rows = e->forces + GW_FORCES * r;
  e->from = e->rows + 6 * m;
  e->constant = e->from + ny;
  fill(e);
  return e;
}

void gw_destroy(gw_engine *e) {
  if (!e) return;
  gw_maps_destroy(e->maps);
  free(e->base);
  free(e->block);
  free(e);
}

void gw_reset(gw_engine *e) { fill(e); }

void gw_signals_at(gw_engine *e, double t) {
  for (int i = 0; i < gw_port_count; i++) {
    const gw_port *p = &gw_ports[i];
    e->signals[p->signal] = p->factor * (e->inputs[i] + e->rates[i] * (t - e->held));
    if (p->rate >= 0) e->signals[p->rate] = p->factor * e->rates[i];
  }
}

void gw_motion(gw_engine *e, const double *y) {
  const double *v = y + gw_n;
  for (int i = 0; i < gw_m; i++) {
    double x = e->base[i], w = 0.0;
    for (int j = gw_rows_of.begin[i]; j < gw_rows_of.begin[i + 1]; j++) {
      double part = gw_rows_of.value[j];
      x += part * y[gw_rows_of.column[j]];
      w += part * v[gw_rows_of.column[j]];
    }
    e->d[i] = x;
    e->dv[i] = w;
  }
}

void gw_evaluate(gw_engine *e, double t, double *y, double *k) {
  int n = gw_n, first = gw_m - gw_springs;
  e->evaluations++;
  gw_signals_at(e, t);
  gw_motion(e, y);
  for (int i = 0; i < gw_laws; i++) {
    const gw_law *law = &gw_law_table[i];
    law->force(t, e->d + law->row, e->dv + law->row, law->parameters, y + 2 * n + law->state, e->signals, e->modes[i],
               e->f + law->row, k + 2 * n + law->state);
  }
  for (int i = 0; i < gw_springs; i++) e->f[first + i] = e->k[i] * e->d[first + i] + e->c[i] * e->dv[first + i] + gw_f0[i];
  for (int i = 0; i < n; i++) {
    double a = gw_a0[i];
    for (int j = gw_accelerations_of.begin[i]; j < gw_accelerations_of.begin[i + 1]; j++)
      a -= gw_accelerations_of.value[j] * e->f[gw_accelerations_of.column[j]];
    k[i] = y[n + i];
    k[n + i] = a;
  }
  for (int p = 0; p < gw_port_count; p++) {
    double acts = e->signals[gw_ports[p].rate < 0 ? gw_ports[p].signal : gw_ports[p].rate];
    for (int i = 0; i < n; i++) k[n + i] += gw_gain[(size_t)p * n + i] * acts;
  }
}

/* the rigid rotation goes from the positions into phi */
static void rebase(gw_engine *e) {
  for (int j = 0; j < gw_rigid; j++) {
    const double *project = gw_projection + (size_t)j * gw_n, *u = gw_u + (size_t)j * gw_n;
    double x = 0.0;
    for (int i = 0; i < gw_n; i++) x += project[i] * e->y[i];
    for (int i = 0; i < gw_n; i++) e->y[i] -= u[i] * x;
    double step = x + e->phi_low[j], total = e->phi[j] + step;
    e->phi_low[j] = step - (total - e->phi[j]);
    e->phi[j] = total;
  }
  rebase_rows(e);
}

/* prescribed speeds jump to their inputs, and what hangs on them by its mass along with them */
static void follow(gw_engine *e, double t) {
  gw_signals_at(e, t);
  for (int p = 0; p < gw_driven_count; p++) {
    const gw_driven *one = &gw_driven_table[p];
    double change = e->signals[one->signal] - e->y[gw_n + one->coordinate];
    for (int i = 0; i < gw_n; i++) e->y[gw_n + i] += one->along[i] * change;
  }
}

/* outputs as combinations of forces, positions, speeds, accelerations, states, signals, rigid motion and one */
static void combine(gw_engine *e, const double *y, const double *k, double *out) {
  int n = gw_n;
  double *s = e->stack;
  memcpy(s, e->f, (size_t)gw_m * sizeof(double));
  s += gw_m;
  double *position = s;
  memcpy(s, y, 2 * (size_t)n * sizeof(double));
  s += 2 * n;
  memcpy(s, k + n, (size_t)n * sizeof(double));
  s += n;
  memcpy(s, y + 2 * n, (size_t)gw_states * sizeof(double));
  s += gw_states;
  memcpy(s, e->signals, (size_t)gw_signals * sizeof(double));
  s += gw_signals;
  for (int j = 0; j < gw_rigid; j++) {
    const double *project = gw_projection + (size_t)j * n, *u = gw_u + (size_t)j * n;
    double x = 0.0;
    for (int i = 0; i < n; i++) x += project[i] * y[i];
    s[j] = e->phi[j] + x;
    for (int i = 0; i < n; i++) position[i] -= u[i] * x;
  }
  s[gw_rigid] = 1.0;
  for (int c = 0; c < gw_output_count; c++) {
    double x = 0.0;
    for (int i = gw_lines.begin[c]; i < gw_lines.begin[c + 1]; i++) x += gw_lines.value[i] * e->stack[gw_lines.column[i]];
    out[c] = x;
  }
}

static void settle(gw_engine *e, double t) {
  gw_evaluate(e, t, e->y, e->rate);
  combine(e, e->y, e->rate, e->lines);
}

int gw_start(gw_engine *e, double t) {
  double shift = e->head->shift;
  for (int i = 0; i < gw_parameter_count; i++) {
    const gw_parameter *p = &gw_parameters[i];
    if (p->slot >= 0) {
      (p->slot ? e->c : e->k)[p->entry] = e->parameters[i];
    } else if (gw_start_speed != 0.0) {
      double wanted = e->parameters[i] / gw_start_speed;
      if (shift != 0.0)
        for (int j = 0; j < gw_n; j++) e->y[gw_n + j] *= wanted / shift;
      e->head->shift = shift != 0.0 ? wanted : 0.0;
    }
  }
  e->head->time = e->held = t;
  e->head->step = 0.0;
  e->head->level = e->head->quiet = 0;
  follow(e, t);
  rebase(e);
  gw_decide(e, t, e->y, 1);
  settle(e, t);
  return 0;
}

static int failed(gw_engine *e, int status, double t) {
  static const char *what[] = {"", "no memory", "the step became too small", "modes switch without end", "a value is no number"};
  if (status) snprintf(e->failure, sizeof e->failure, "run stopped at %.6g s: %s", t, what[status < 5 ? status : 4]);
  return status;
}

int gw_step(gw_engine *e, double t, double h) {
  if (!(h > 0.0) || !isfinite(h) || !isfinite(t)) {
    snprintf(e->failure, sizeof e->failure, "a step of %g s at %g s", h, t);
    return 5;
  }
  for (int i = 0; i < gw_port_count; i++)
    if (!isfinite(e->inputs[i]) || !isfinite(e->rates[i])) {
      snprintf(e->failure, sizeof e->failure, "input %s is not a number at %g s", gw_ports[i].name, t);
      return 6;
    }
  e->held = t;
  follow(e, t);
  rebase(e);
  int status = 2;
  if (gw_is_smooth) status = gw_exponential(e, t, h);
  if (status == 2) status = gw_explicit(e, t, h);
  settle(e, t + h);
  for (size_t i = 0; i < states() && !status; i++)
    if (!isfinite(e->y[i])) status = 4;
  e->head->time = t + h;
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
int gw_coordinates(const gw_engine *e) { return (void)e, gw_n; }
void gw_save(const gw_engine *e, void *to) { memcpy(to, e->block, e->size); }
void gw_load(gw_engine *e, const void *from) {
  memcpy(e->block, from, e->size);
  rebase_rows(e);
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

/* positions without the rigid motion, which is kept apart */
void gw_position(const gw_engine *e, double *q, double *v) {
  memcpy(q, e->y, (size_t)gw_n * sizeof(double));
  memcpy(v, e->y + gw_n, (size_t)gw_n * sizeof(double));
}

void gw_place(gw_engine *e, const double *q, const double *v) {
  memcpy(e->y, q, (size_t)gw_n * sizeof(double));
  memcpy(e->y + gw_n, v, (size_t)gw_n * sizeof(double));
}

int gw_accelerations(gw_engine *e, double t, const double *q, const double *v, double *a) {
  memcpy(e->trial, e->y, states() * sizeof(double));
  memcpy(e->trial, q, (size_t)gw_n * sizeof(double));
  memcpy(e->trial + gw_n, v, (size_t)gw_n * sizeof(double));
  e->held = t;
  gw_evaluate(e, t, e->trial, e->rate);
  memcpy(a, e->rate + gw_n, (size_t)gw_n * sizeof(double));
  for (int i = 0; i < gw_n; i++)
    if (!isfinite(a[i])) return 2;
  return 0;
}

int gw_outputs_at(gw_engine *e, double t, const double *q, const double *v, double *outputs) {
  gw_place(e, q, v);
  e->held = t;
  gw_evaluate(e, t, e->y, e->rate);
  combine(e, e->y, e->rate, outputs);
  for (int i = 0; i < gw_output_count; i++)
    if (!isfinite(outputs[i])) return 2;
  return 0;
}

const char *gw_failure(const gw_engine *e) { return e->failure; }

/* --- model exchange ---------------------------------------------------------------------------------------

   States: positions, speeds, states of laws. A train that turns has the angle of one coordinate (that turns most) as it is and the others
   as what they are beyond turning along, so that the deflections of teeth are no differences of large angles. */

static int leading(void) {
  int found = 0;
  if (!gw_rigid) return -1;
  for (int i = 1; i < gw_n; i++)
    if (fabs(gw_u[i]) > fabs(gw_u[found])) found = i;
  return found;
}

int gw_state_count(void) { return gw_driven_count ? 0 : (int)states(); }

int gw_indicator_count(void) {
  int count = 0;
  if (gw_driven_count) return 0;
  for (int i = 0; i < gw_laws; i++) count += gw_law_table[i].guard ? 1 : gw_law_table[i].opens ? gw_law_table[i].forces : 0;
  return count;
}

void gw_get_states(const gw_engine *e, double *x) {
  int lead = leading();
  memcpy(x, e->y, states() * sizeof(double));
  if (lead < 0) return;
  for (int i = 0; i < gw_n; i++) x[i] -= gw_u[i] / gw_u[lead] * e->y[lead];
  x[lead] = e->y[lead] + gw_u[lead] * e->phi[0];
}

void gw_set_states(gw_engine *e, const double *x) {
  int lead = leading();
  memcpy(e->y, x, states() * sizeof(double));
  if (lead < 0) return;
  e->y[lead] = 0.0;
  e->phi[0] = x[lead] / gw_u[lead];
  e->phi_low[0] = 0.0;
  rebase_rows(e);
}

void gw_set_time(gw_engine *e, double t) { e->head->time = e->held = t; }

static int all_finite(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(x[i])) return 0;
  return 1;
}

int gw_derivatives(gw_engine *e, double *rates) {
  int lead = leading();
  gw_evaluate(e, e->head->time, e->y, e->rate);
  memcpy(rates, e->rate, states() * sizeof(double));
  if (lead >= 0)
    for (int i = 0; i < gw_n; i++)
      if (i != lead) rates[i] -= gw_u[i] / gw_u[lead] * e->rate[lead];
  return all_finite(rates, (int)states()) ? 0 : failed(e, 4, e->head->time);
}

int gw_indicators(gw_engine *e, double *distances) {
  gw_signals_at(e, e->head->time);
  gw_motion(e, e->y);
  for (int i = 0; i < gw_laws; i++) {
    const gw_law *law = &gw_law_table[i];
    double *z = e->y + 2 * gw_n + law->state, margin[2];
    if (law->guard) {
      law->guard(e->head->time, e->d + law->row, e->dv + law->row, law->parameters, z, e->signals, e->modes[i], margin);
      *distances++ = margin[0];
    } else if (law->opens) {
      law->opens(e->head->time, e->d + law->row, e->dv + law->row, law->parameters, z, e->signals, e->modes[i], distances);
      distances += law->forces;
    }
  }
  return 0;
}

int gw_event(gw_engine *e) {
  e->held = e->head->time;
  return gw_decide(e, e->head->time, e->y, 0) ? failed(e, 3, e->head->time) : 0;
}

int gw_refresh(gw_engine *e) {
  settle(e, e->head->time);
  return all_finite(e->lines, gw_output_count) ? 0 : failed(e, 4, e->head->time);
}

double gw_nominal(int i) { return gw_weights[i] > 0.0 ? 1.0 / (gw_weights[i] * gw_tolerance) : 1.0; }
