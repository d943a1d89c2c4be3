/* Explicit steps of Dormand and Prince, order 5 with error control (J. Comput. Appl. Math. 6, 1980), which end where a guard of a law
   runs out. The length of the last step is kept from one communication step to the next. */

#include "rows.h"

#include <math.h>
#include <string.h>

enum { STAGES = 7, TRIES = 64 };
/* margins that run out within this time [s] have run out */
#define NEAR 1e-10
#define START (-(INT64_C(1) << 62))

static const double A[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double C[STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double E[STAGES] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/* margin and rate of a guard at what was evaluated last; the mode that follows */
static int64_t margin(gw_engine *e, double t, double *y, int i, int64_t mode, double *g) {
  const gw_law *law = &gw_law_table[i];
  return law->guard(t, e->d + law->row, e->dv + law->row, law->parameters, y + 2 * gw_n + law->state, e->signals, mode, g);
}

/* modes of laws at the present state: all anew, or those whose margin has run out, until none has; 1: they go on for ever */
int gw_decide(gw_engine *e, double t, double *y, int start) {
  double g[2];
  for (int round = 0; round < TRIES; round++) {
    int changed = 0;
    gw_signals_at(e, t);
    gw_motion(e, y);
    for (int i = 0; i < gw_laws; i++) {
      if (!gw_law_table[i].guard) continue;
      if (start) {
        e->modes[i] = margin(e, t, y, i, START, g);
        continue;
      }
      int64_t next = margin(e, t, y, i, e->modes[i], g);
      if (g[1] < 0.0 && g[0] <= -g[1] * NEAR && next != e->modes[i]) {
        e->modes[i] = next;
        changed = 1;
      }
    }
    if (!changed) return 0;
  }
  return 1;
}

static double trial(gw_engine *e, double t, double h, double *k) {
  size_t ny = (size_t)(2 * gw_n + gw_states);
  for (int s = 1; s < STAGES; s++) {
    for (size_t i = 0; i < ny; i++) {
      double x = 0.0;
      for (int j = 0; j < s; j++) x += A[s][j] * k[(size_t)j * ny + i];
      e->trial[i] = e->y[i] + h * x;
    }
    gw_evaluate(e, t + C[s] * h, e->trial, k + (size_t)s * ny);
  }
  double worst = 0.0;
  for (size_t i = 0; i < ny; i++) {
    double x = 0.0;
    for (int s = 0; s < STAGES; s++) x += E[s] * k[(size_t)s * ny + i];
    x = fabs(h * x) * gw_weights[i];
    if (!(x <= worst)) worst = x;
  }
  return worst;
}

/* part of the step at which a margin with values and rates at both ends first runs out */
static double runs_out(double g0, double r0, double g1, double r1, double h) {
  double a = 2.0 * (g0 - g1) + h * (r0 + r1), b = 3.0 * (g1 - g0) - h * (2.0 * r0 + r1), c = h * r0;
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; i++) {
    double x = 0.5 * (low + high);
    if (g0 + x * (c + x * (b + x * a)) > 0.0) low = x; else high = x;
  }
  return high;
}

int gw_explicit(gw_engine *e, double t, double whole) {
  size_t ny = (size_t)(2 * gw_n + gw_states);
  double *k = e->stages, at = 0.0, g0[2], g1[2];
  double step = e->head->step > 0.0 ? e->head->step : 0.1 / (gw_fastest > 1e-3 ? gw_fastest : 1e-3);
  int aimed = 0;
  gw_decide(e, t, e->y, 0);
  gw_evaluate(e, t, e->y, k);
  while (at < whole) {
    double left = whole - at, h = step < left ? step : left;
    if (h < left && h > 0.5 * left) h = 0.5 * left;
    if (!(h > 1e-14)) return 2;
    double error = trial(e, t + at, h, k);
    if (!(error <= 1.0)) {
      step = h * (error < 1e10 ? fmax(0.2, 0.9 * pow(error, -0.2)) : 0.1);
      aimed = 0;
      continue;
    }
    /* margins at the end; those at the begin are asked for once more where one runs out */
    double part = 1.0;
    for (int i = 0; i < gw_laws; i++) {
      if (!gw_law_table[i].guard) continue;
      margin(e, t + at + h, e->trial, i, e->modes[i], g1);
      if (g1[0] >= 0.0) continue;
      gw_motion(e, e->y);
      margin(e, t + at, e->y, i, e->modes[i], g0);
      gw_motion(e, e->trial);
      if (g0[0] > 0.0) part = fmin(part, runs_out(g0[0], g0[1], g1[0], g1[1], h));
    }
    if (part < 1.0 && part * h > NEAR && (1.0 - part) * h > NEAR && aimed < 6) {
      if (!aimed) e->head->step = step;
      step = part * h;
      aimed++;
      continue;
    }
    memcpy(e->y, e->trial, ny * sizeof(double));
    at = h >= left ? whole : at + h;
    double wanted = h * fmin(5.0, 0.9 * pow(fmax(error, 1e-6), -0.2));
    step = aimed ? e->head->step : h < 0.9 * step ? fmax(step, wanted) : wanted;
    aimed = 0;
    if (gw_decide(e, t + at, e->y, 0)) return 3;
    memcpy(k, k + (STAGES - 1) * ny, ny * sizeof(double));
    if (gw_laws) gw_evaluate(e, t + at, e->y, k);
  }
  e->head->step = step;
  return 0;
}
