/* A drivetrain of springs alone steps by the exponential of its matrix: exact for inputs linear in time, at a cost that
   does not depend on how stiff or how strongly damped it is. The matrix of a step size is made when it is first met.

   State: position and speed (n each), then per port what acts and its slope, then one. */

#include "linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 4, TERMS = 13 };

struct gw_linear_step {
  int n, ports, width;
  int next;
  double size[KEPT];
  double *matrix[KEPT];
  double *x, *out;
};

static void multiply(int n, const double *a, const double *b, double *c) {
  memset(c, 0, (size_t)n * n * sizeof(double));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      double s = a[(size_t)i * n + k];
      if (s == 0.0) continue;
      const double *row = b + (size_t)k * n;
      double *to = c + (size_t)i * n;
      for (int j = 0; j < n; j++) to[j] += s * row[j];
    }
}

/* exp(z h) by its series on z h / 2^s and s squarings, after scaling speeds to the size of positions */
static int exponential(int n, int half, double *z, double h, double *out) {
  size_t all = (size_t)n * n;
  double *work = (double *)malloc(2 * all * sizeof(double));
  if (!work) return 1;
  double *other = work + all;
  double largest = 1.0;
  for (int i = half; i < 2 * half; i++) {
    double sum = 0.0;
    for (int j = 0; j < half; j++) sum += fabs(z[(size_t)i * n + j]);
    if (sum > largest) largest = sum;
  }
  double scale = exp2(round(0.5 * log2(largest)));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double *e = &z[(size_t)i * n + j];
      if (i >= half && i < 2 * half) *e /= scale;
      if (j >= half && j < 2 * half) *e *= scale;
    }
  double norm = 0.0;
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < 2 * half; j++) sum += fabs(z[(size_t)i * n + j]) * h;
    if (sum > norm) norm = sum;
  }
  int squarings = norm > 0.5 ? (int)ceil(log2(norm / 0.5)) : 0;
  double part = ldexp(h, -squarings);
  /* Horner: I + a (I + a/2 (I + a/3 ...)) */
  memset(out, 0, all * sizeof(double));
  for (int i = 0; i < n; i++) out[(size_t)i * n + i] = 1.0;
  for (int term = TERMS; term >= 1; term--) {
    multiply(n, z, out, work);
    for (size_t i = 0; i < all; i++) out[i] = work[i] * (part / term);
    for (int i = 0; i < n; i++) out[(size_t)i * n + i] += 1.0;
  }
  for (int s = 0; s < squarings; s++) {
    multiply(n, out, out, other);
    memcpy(out, other, all * sizeof(double));
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double *e = &out[(size_t)i * n + j];
      if (i >= half && i < 2 * half) *e *= scale;
      if (j >= half && j < 2 * half) *e /= scale;
    }
  free(work);
  return 0;
}

gw_linear_step *gw_linear_create(int n, int ports) {
  gw_linear_step *s = (gw_linear_step *)calloc(1, sizeof(gw_linear_step));
  if (!s) return NULL;
  s->n = n;
  s->ports = ports;
  s->width = 2 * n + 2 * ports + 1;
  s->x = (double *)calloc((size_t)s->width, sizeof(double));
  s->out = (double *)calloc((size_t)s->width, sizeof(double));
  if (!s->x || !s->out) {
    gw_linear_destroy(s);
    return NULL;
  }
  return s;
}

void gw_linear_destroy(gw_linear_step *s) {
  if (!s) return;
  for (int i = 0; i < KEPT; i++) free(s->matrix[i]);
  free(s->x);
  free(s->out);
  free(s);
}

void gw_linear_forget(gw_linear_step *s) {
  for (int i = 0; i < KEPT; i++) s->size[i] = 0.0;
}

static double *matrix_of(gw_linear_step *s, double h, const double *stiffness, const double *damping, const double *gain,
                         const double *constant) {
  int n = s->n, w = s->width;
  for (int i = 0; i < KEPT; i++)
    if (s->matrix[i] && s->size[i] == h) return s->matrix[i];
  int place = s->next;
  s->next = (place + 1) % KEPT;
  if (!s->matrix[place]) s->matrix[place] = (double *)malloc((size_t)w * w * sizeof(double));
  double *z = (double *)calloc((size_t)w * w, sizeof(double));
  if (!z || !s->matrix[place]) {
    free(z);
    return NULL;
  }
  for (int i = 0; i < n; i++) {
    z[(size_t)i * w + n + i] = 1.0;
    double *row = z + (size_t)(n + i) * w;
    for (int j = 0; j < n; j++) {
      row[j] = stiffness[(size_t)i * n + j];
      row[n + j] = damping[(size_t)i * n + j];
    }
    for (int p = 0; p < s->ports; p++) row[2 * n + p] = gain[(size_t)p * n + i];
    row[w - 1] = constant[i];
  }
  for (int p = 0; p < s->ports; p++) z[(size_t)(2 * n + p) * w + 2 * n + s->ports + p] = 1.0;
  s->size[place] = h;
  int bad = exponential(w, n, z, h, s->matrix[place]);
  free(z);
  return bad ? NULL : s->matrix[place];
}

int gw_linear_advance(gw_linear_step *s, double h, const double *stiffness, const double *damping, const double *gain,
                      const double *constant, const double *value, const double *slope, double *q, double *v) {
  int n = s->n, w = s->width;
  const double *matrix = matrix_of(s, h, stiffness, damping, gain, constant);
  if (!matrix) return 1;
  memcpy(s->x, q, (size_t)n * sizeof(double));
  memcpy(s->x + n, v, (size_t)n * sizeof(double));
  memcpy(s->x + 2 * n, value, (size_t)s->ports * sizeof(double));
  memcpy(s->x + 2 * n + s->ports, slope, (size_t)s->ports * sizeof(double));
  s->x[w - 1] = 1.0;
  for (int i = 0; i < 2 * n; i++) {
    const double *row = matrix + (size_t)i * w;
    double sum = 0.0;
    for (int j = 0; j < w; j++) sum += row[j] * s->x[j];
    s->out[i] = sum;
  }
  memcpy(q, s->out, (size_t)n * sizeof(double));
  memcpy(v, s->out + n, (size_t)n * sizeof(double));
  return 0;
}
