/* Exponential steps: the constant part of a drivetrain by the exponential of its matrix, the forces of its laws, less their linear
   reference, as polynomials over the step (variation of constants; Hochbruck and Ostermann, Acta Numerica 19, 2010). Neither strong
   damping nor high frequencies of the constant part limit a step; springs alone are exact in one of any length.

   Over a step of length h from y:   y1 = E y + sum_k H_k c_k + F a + sum_p (P1_p x_p + P2_p x_p'),   with forces sum_k c_k tau^k,
   tau = 0 to 1, the constant acceleration a, inputs x_p and their slopes. The maps are made from phi functions of the matrix,
   phi_k = sum z^j / (j + k)!, when a step size is first met. */

#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* step sizes kept; powers of the polynomials of forces, phi functions that they need; terms of the series; intervals between the nodes of
   a step; halvings of a communication step at most */
enum { SETS = 16, POWERS = 4, PHIS = POWERS + 1, TERMS = 14, NODES = 4, DEEPEST = 14 };

/* where the compiler and the system offer it, loops over columns exist for wide vectors too, and the processor chooses */
#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define GW_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define GW_WIDE
#endif
/* halvings of the last step: where outputs are read, what is overdamped has followed the forces */
#define ENDS 3
/* part of what the second pass moved that a third would */
#define PASSES 0.1
/* part of the error allowed below which the next step is twice as long */
#define GROWS 0.03

typedef struct {
  double h;      /* 0: none */
  double *maps;  /* columns of 2 n: E, H_0 .. H_3, F, P1, P2 */
} one_map;

struct gw_maps {
  one_map sets[SETS];
  int next;
  double *springs; /* stiffness and damping of the springs that they are made for */
  double fit[POWERS][NODES + 1];
};

static int width(void) { return 2 * gw_n + POWERS * gw_law_rows() + gw_n + 2 * gw_port_count; }

static double factorial(int k) {
  double x = 1.0;
  for (int i = 2; i <= k; i++) x *= i;
  return x;
}

/* coefficients of the polynomial by values at the nodes j/NODES: the least squares of those of degree POWERS - 1 that end where the
   last value does, so that what is overdamped follows the force */
static void fit_matrix(double q[POWERS][NODES + 1]) {
  /* with x = tau - 1 and value less the last one, p = sum b_k x^k without a constant */
  enum { K = POWERS - 1 };
  double gram[K][K + NODES] = {{0}}, b[K][NODES];
  for (int k = 0; k < K; k++) {
    for (int j = 0; j < NODES; j++) {
      double x = (double)j / NODES - 1.0, weight = j ? 1.0 : 0.5;
      for (int l = 0; l < K; l++) gram[k][l] += weight * pow(x, k + l + 2);
      gram[k][K + j] = weight * pow(x, k + 1);
    }
  }
  for (int k = 0; k < K; k++) { /* positive definite: no exchange of rows */
    double by = 1.0 / gram[k][k];
    for (int l = 0; l < K + NODES; l++) gram[k][l] *= by;
    for (int i = 0; i < K; i++) {
      if (i == k) continue;
      double x = gram[i][k];
      for (int l = 0; l < K + NODES; l++) gram[i][l] -= x * gram[k][l];
    }
  }
  for (int k = 0; k < K; k++)
    for (int j = 0; j < NODES; j++) b[k][j] = gram[k][K + j];
  /* (tau - 1)^k by powers of tau; what every value gets the last one loses */
  memset(q, 0, POWERS * (NODES + 1) * sizeof(double));
  q[0][NODES] = 1.0;
  for (int k = 0; k < K; k++)
    for (int p = 0; p <= k + 1; p++) {
      double binomial = factorial(k + 1) / (factorial(p) * factorial(k + 1 - p)) * ((k + 1 - p) % 2 ? -1.0 : 1.0);
      for (int j = 0; j < NODES; j++) {
        q[p][j] += binomial * b[k][j];
        q[p][NODES] -= binomial * b[k][j];
      }
    }
}

struct gw_maps *gw_maps_create(void) {
  struct gw_maps *m = (struct gw_maps *)calloc(1, sizeof(struct gw_maps));
  if (!m) return NULL;
  m->springs = (double *)calloc(2 * (size_t)gw_springs + 1, sizeof(double));
  fit_matrix(m->fit);
  if (m->springs) return m;
  free(m);
  return NULL;
}

void gw_maps_destroy(struct gw_maps *m) {
  if (!m) return;
  for (int i = 0; i < SETS; i++) free(m->sets[i].maps);
  free(m->springs);
  free(m);
}

/* c = a b, all n x n by columns */
GW_WIDE static void multiply(int n, const double *a, const double *b, double *restrict c) {
  memset(c, 0, (size_t)n * n * sizeof(double));
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) {
      double x = b[(size_t)j * n + k];
      if (x == 0.0) continue;
      const double *from = a + (size_t)k * n;
      double *to = c + (size_t)j * n;
      for (int i = 0; i < n; i++) to[i] += x * from[i];
    }
}

/* the matrix of dy/dt by columns: springs and the reference of the laws */
static void matrix_of(const gw_engine *e, double *a) {
  int n = gw_n, w = 2 * n, first = gw_m - gw_springs;
  memset(a, 0, (size_t)w * w * sizeof(double));
  for (int i = 0; i < n; i++) a[(size_t)(n + i) * w + i] = 1.0;
  double *k = (double *)calloc((size_t)gw_m * 2 * (size_t)n + 1, sizeof(double)), *c = k ? k + (size_t)gw_m * n : NULL;
  if (!k) return;
  /* force of every row per position and per speed */
  for (int r = 0; r < gw_springs; r++)
    for (int j = gw_rows_of.begin[first + r]; j < gw_rows_of.begin[first + r + 1]; j++) {
      k[(size_t)(first + r) * n + gw_rows_of.column[j]] += e->k[r] * gw_rows_of.value[j];
      c[(size_t)(first + r) * n + gw_rows_of.column[j]] += e->c[r] * gw_rows_of.value[j];
    }
  for (int i = 0; i < gw_laws; i++) {
    const gw_law *law = &gw_law_table[i];
    for (int r = 0; r < law->forces; r++)
      for (int o = 0; o < law->forces; o++)
        for (int j = gw_rows_of.begin[law->row + o]; j < gw_rows_of.begin[law->row + o + 1]; j++) {
          size_t to = (size_t)(law->row + r) * n + gw_rows_of.column[j];
          k[to] += law->stiffness[r * law->forces + o] * gw_rows_of.value[j];
          c[to] += law->damping[r * law->forces + o] * gw_rows_of.value[j];
        }
  }
  for (int i = 0; i < n; i++)
    for (int j = gw_accelerations_of.begin[i]; j < gw_accelerations_of.begin[i + 1]; j++) {
      size_t row = (size_t)gw_accelerations_of.column[j] * n;
      for (int o = 0; o < n; o++) {
        a[(size_t)o * w + n + i] -= gw_accelerations_of.value[j] * k[row + o];
        a[(size_t)(n + o) * w + n + i] -= gw_accelerations_of.value[j] * c[row + o];
      }
    }
  free(k);
}

/* phi_0 .. phi_(PHIS - 1) of h times the matrix, one after the other in out; speeds are scaled to the size of positions meanwhile */
static int phi_functions(double *a, double h, double *out) {
  int n = gw_n, w = 2 * n;
  size_t all = (size_t)w * w;
  double *work = (double *)malloc((PHIS + 1) * all * sizeof(double));
  if (!work) return 1;
  double largest = 1.0, norm = 0.0;
  for (int i = n; i < w; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) sum += fabs(a[(size_t)j * w + i]);
    if (sum > largest) largest = sum;
  }
  double scale = exp2(round(0.5 * log2(largest)));
  for (int i = 0; i < w; i++)
    for (int j = 0; j < w; j++) a[(size_t)j * w + i] *= h * (i >= n ? 1.0 / scale : 1.0) * (j >= n ? scale : 1.0);
  for (int i = 0; i < w; i++) {
    double sum = 0.0;
    for (int j = 0; j < w; j++) sum += fabs(a[(size_t)j * w + i]);
    if (sum > norm) norm = sum;
  }
  int squarings = norm > 0.5 ? (int)ceil(log2(norm / 0.5)) : 0;
  for (size_t i = 0; i < all; i++) a[i] = ldexp(a[i], -squarings);
  /* the last by its series, the others by phi_k = z phi_(k+1) + 1/k! */
  double *last = out + (PHIS - 1) * all;
  memset(last, 0, all * sizeof(double));
  for (int term = TERMS; term >= 0; term--) {
    multiply(w, a, last, work);
    memcpy(last, work, all * sizeof(double));
    for (int i = 0; i < w; i++) last[(size_t)i * w + i] += 1.0 / factorial(PHIS - 1 + term);
  }
  for (int k = PHIS - 2; k >= 0; k--) {
    multiply(w, a, out + (size_t)(k + 1) * all, out + (size_t)k * all);
    for (int i = 0; i < w; i++) out[(size_t)k * all + (size_t)i * w + i] += 1.0 / factorial(k);
  }
  for (int s = 0; s < squarings; s++) {
    for (int k = 0; k < PHIS; k++) {
      double *to = work + (size_t)k * all;
      multiply(w, out, out + (size_t)k * all, to);
      for (int j = 1; j <= k; j++) {
        double part = 1.0 / factorial(k - j);
        for (size_t i = 0; i < all; i++) to[i] += part * out[(size_t)j * all + i];
      }
      for (size_t i = 0; i < all; i++) to[i] = ldexp(to[i], -k);
    }
    memcpy(out, work, PHIS * all * sizeof(double));
  }
  for (int k = 0; k < PHIS; k++)
    for (int i = 0; i < w; i++)
      for (int j = 0; j < w; j++) out[(size_t)k * all + (size_t)j * w + i] *= (i >= n ? scale : 1.0) / (j >= n ? scale : 1.0);
  free(work);
  return 0;
}

/* to (2 n) += column of h sum_k factor_k phi_(k+1) for an acceleration */
static void push(const double *phis, double h, const double *factor, int count, const double *acceleration, double *to) {
  int n = gw_n, w = 2 * n;
  for (int k = 0; k < count; k++) {
    if (factor[k] == 0.0) continue;
    const double *phi = phis + (size_t)(k + 1) * w * w;
    for (int j = 0; j < n; j++) {
      double x = h * factor[k] * acceleration[j];
      if (x == 0.0) continue;
      const double *from = phi + (size_t)(n + j) * w;
      for (int i = 0; i < w; i++) to[i] += x * from[i];
    }
  }
}

static double *make(gw_engine *e, double h, double *maps) {
  int n = gw_n, w = 2 * n;
  size_t all = (size_t)w * w;
  double *a = (double *)malloc((1 + PHIS) * all * sizeof(double)), *column = (double *)malloc((size_t)n * sizeof(double));
  if (!a || !column) {
    free(a), free(column);
    return NULL;
  }
  double *phis = a + all;
  matrix_of(e, a);
  if (phi_functions(a, h, phis)) {
    free(a), free(column);
    return NULL;
  }
  memset(maps, 0, (size_t)width() * w * sizeof(double));
  memcpy(maps, phis, all * sizeof(double));
  double *to = maps + all, factor[POWERS];
  for (int power = 0; power < POWERS; power++) {
    memset(factor, 0, sizeof factor);
    factor[power] = factorial(power);
    for (int i = 0; i < gw_laws; i++)
      for (int r = 0; r < gw_law_table[i].forces; r++, to += w) {
        memset(column, 0, (size_t)n * sizeof(double));
        for (int c = 0; c < n; c++)
          for (int j = gw_accelerations_of.begin[c]; j < gw_accelerations_of.begin[c + 1]; j++)
            if (gw_accelerations_of.column[j] == gw_law_table[i].row + r) column[c] -= gw_accelerations_of.value[j];
        push(phis, h, factor, POWERS, column, to);
      }
  }
  const double first[] = {1.0}, second[] = {0.0, h};
  for (int j = 0; j < n; j++, to += w) {
    memset(column, 0, (size_t)n * sizeof(double));
    column[j] = 1.0;
    push(phis, h, first, 1, column, to);
  }
  for (int p = 0; p < gw_port_count; p++, to += w) push(phis, h, first, 1, gw_gain + (size_t)p * n, to);
  for (int p = 0; p < gw_port_count; p++, to += w) push(phis, h, second, 2, gw_gain + (size_t)p * n, to);
  free(a), free(column);
  return maps;
}

static const double *maps_of(gw_engine *e, double h) {
  struct gw_maps *m = e->maps;
  size_t bytes = (size_t)gw_springs * sizeof(double);
  if (memcmp(m->springs, e->k, bytes) || memcmp(m->springs + gw_springs, e->c, bytes)) {
    for (int i = 0; i < SETS; i++) m->sets[i].h = 0.0;
    memcpy(m->springs, e->k, bytes);
    memcpy(m->springs + gw_springs, e->c, bytes);
  }
  for (int i = 0; i < SETS; i++)
    if (m->sets[i].h == h) return m->sets[i].maps;
  one_map *s = &m->sets[m->next];
  m->next = (m->next + 1) % SETS;
  s->h = 0.0;
  if (!s->maps) s->maps = (double *)malloc((size_t)width() * 2 * (size_t)gw_n * sizeof(double));
  if (!s->maps || !make(e, h, s->maps)) return NULL;
  s->h = h;
  return s->maps;
}

static inline void add(int n, double *restrict to, double x, const double *restrict column) {
  for (int i = 0; i < n; i++) to[i] += x * column[i];
}

/* deflections and rates of the rows of laws, their base included */
static inline void law_motion(const gw_engine *e, const double *y, double *d, double *dv) {
  const double *v = y + gw_n;
  for (int i = 0; i < gw_m - gw_springs; i++) {
    double x = e->base[i], z = 0.0;
    for (int j = gw_rows_of.begin[i]; j < gw_rows_of.begin[i + 1]; j++) {
      x += gw_rows_of.value[j] * y[gw_rows_of.column[j]];
      z += gw_rows_of.value[j] * v[gw_rows_of.column[j]];
    }
    d[i] = x;
    dv[i] = z;
  }
}

/* forces of the laws less their reference at deflections and rates of their rows */
static void deviation(gw_engine *e, double t, double *d, double *dv, double *w) {
  for (int i = 0; i < gw_laws; i++) {
    const gw_law *law = &gw_law_table[i];
    const double *stiffness = law->stiffness, *damping = law->damping;
    law->force(t, d + law->row, dv + law->row, law->parameters, NULL, e->signals, e->modes[i], e->f + law->row, NULL);
    for (int r = 0; r < law->forces; r++) {
      double x = e->f[law->row + r];
      for (int o = 0; o < law->forces; o++, stiffness++, damping++)
        x -= *stiffness * (d[law->row + o] - e->base[law->row + o]) + *damping * dv[law->row + o];
      *w++ = x;
    }
  }
}

/* acceleration by what does not change within a communication step */
static void standing(const gw_engine *e, double *a) {
  int first = gw_m - gw_springs;
  for (int i = 0; i < gw_n; i++) {
    a[i] = gw_a0[i];
    for (int j = gw_accelerations_of.begin[i]; j < gw_accelerations_of.begin[i + 1]; j++) {
      int r = gw_accelerations_of.column[j] - first;
      if (r >= 0) a[i] -= gw_accelerations_of.value[j] * (e->k[r] * e->base[first + r] + gw_f0[r]);
    }
  }
}

/* one step of length h with the maps for it, from e->y to e->trial; the error over what is allowed. The deflections of the laws'
   rows are cubics by their values and rates at both ends: first those of the constant part, then twice with the forces along them. */
GW_WIDE static double advance(gw_engine *e, double t, double h, const double *maps, const double *constant) {
  int n = gw_n, w = 2 * n, rows = gw_law_rows(), m = gw_m - gw_springs;
  double (*q)[NODES + 1] = e->maps->fit;
  double *linear = e->stages, *next = e->trial;
  double *d0 = e->rows, *v0 = d0 + m, *d1 = v0 + m, *v1 = d1 + m, *d = v1 + m, *v = d + m;
  double *force = e->forces, *power = force + (NODES + 1) * rows;
  const double *column = maps;
  memcpy(linear, constant, (size_t)w * sizeof(double));
  for (int j = 0; j < w; j++, column += w) add(w, linear, e->y[j], column);
  const double *pushes = column;
  column += (size_t)(POWERS * rows + n) * w;
  for (int p = 0; p < gw_port_count; p++) {
    const gw_port *one = &gw_ports[p];
    double slope = one->rate < 0 ? one->factor * e->rates[p] : 0.0;
    double value = one->rate < 0 ? one->factor * (e->inputs[p] + e->rates[p] * (t - e->held)) : one->factor * e->rates[p];
    if (value != 0.0) add(w, linear, value, column + (size_t)p * w);
    if (slope != 0.0) add(w, linear, slope, column + (size_t)(gw_port_count + p) * w);
  }
  memcpy(next, linear, (size_t)w * sizeof(double));
  if (!rows) return 0.0;
  double worst = 0.0;
  law_motion(e, e->y, d0, v0);
  gw_signals_at(e, t + 0.5 * h);
  deviation(e, t, d0, v0, force);
  for (int r = 0; r < rows; r++)
    if (force[r] != 0.0) add(w, next, force[r], pushes + (size_t)r * w);
  for (int pass = 0; pass < 2; pass++) {
    law_motion(e, next, d1, v1);
    for (int node = 1; node < NODES; node++) {
      double s = (double)node / NODES, u = 1.0 - s;
      double a = u * u * (1.0 + 2.0 * s), b = h * s * u * u, c = s * s * (3.0 - 2.0 * s), g = -h * s * s * u;
      double da = -6.0 * s * u / h, db = u * (1.0 - 3.0 * s), dg = s * (3.0 * s - 2.0);
      for (int i = 0; i < m; i++) {
        d[i] = a * d0[i] + b * v0[i] + c * d1[i] + g * v1[i];
        v[i] = da * (d0[i] - d1[i]) + db * v0[i] + dg * v1[i];
      }
      deviation(e, t + s * h, d, v, force + node * rows);
    }
    deviation(e, t + h, d1, v1, force + NODES * rows);
    memset(power, 0, (size_t)(POWERS * rows) * sizeof(double));
    for (int p = 0; p < POWERS; p++)
      for (int node = 0; node <= NODES; node++) add(rows, power + p * rows, q[p][node], force + node * rows);
    double *made = pass ? e->stages + w : next;
    memcpy(made, linear, (size_t)w * sizeof(double));
    for (int j = 0; j < POWERS * rows; j++)
      if (power[j] != 0.0) add(w, made, power[j], pushes + (size_t)j * w);
    if (!pass) continue;
    /* what the polynomials miss, as if it were the next power, and what the second pass moved */
    double *missed = e->stages + 2 * w;
    for (int i = 0; i < w; i++) missed[i] = fabs(made[i] - next[i]) * PASSES;
    for (int r = 0; r < rows; r++) {
      double most = 0.0;
      for (int node = 0; node < NODES; node++) {
        double s = (double)node / NODES, x = 0.0;
        for (int p = POWERS - 1; p >= 0; p--) x = x * s + power[p * rows + r];
        x -= force[node * rows + r];
        if (fabs(x) > most) most = fabs(x);
      }
      const double *of = pushes + (size_t)((POWERS - 1) * rows + r) * w;
      if (most > 0.0)
        for (int i = 0; i < w; i++) missed[i] += most * fabs(of[i]);
    }
    for (int i = 0; i < n; i++) {
      double x = (missed[i] + h * missed[n + i]) * gw_weights[i];
      if (!(x <= worst)) worst = x;
    }
    memcpy(next, made, (size_t)w * sizeof(double));
  }
  return worst * gw_shown;
}

/* a communication step in halves of halves: finer where the error asks for it, coarser again where two halves begin together.
   Returns 2, and nothing has moved, where explicit steps would be cheaper: teeth that part under strong damping. */
int gw_exponential(gw_engine *e, double t, double whole) {
  int n = gw_n, rows = gw_law_rows();
  gw_head *head = e->head;
  double *a = e->constant, *constant = a + n;
  if (head->quiet > 0) {
    head->quiet--;
    return 2;
  }
  memcpy(e->from, e->y, 2 * (size_t)n * sizeof(double));
  standing(e, a);
  int level = rows ? (int)head->level : 0, made = -1, ends = 0;
  while (rows && ldexp(whole, -level) > gw_longest && level < DEEPEST) level++;
  const double *maps = NULL;
  double most = 4.0 * gw_fastest * whole + 512.0;
  for (long at = 0, end = 1L << DEEPEST, tries = 0; at < end; tries++) {
    if (rows && ends < ENDS && level < DEEPEST && at + (1L << (DEEPEST - level)) == end) {
      level++;
      ends++;
    }
    double h = ldexp(whole, -level);
    if (made != level) {
      if (!(maps = maps_of(e, h))) return 1;
      memset(constant, 0, 2 * (size_t)n * sizeof(double));
      const double *by = maps + (size_t)(2 * n + POWERS * rows) * 2 * n;
      for (int j = 0; j < n; j++) add(2 * n, constant, a[j], by + (size_t)j * 2 * n);
      made = level;
    }
    double error = advance(e, t + ldexp(whole, -DEEPEST) * at, h, maps, constant);
    if (!(error <= 1.0)) {
      if (++level <= DEEPEST && tries < most) continue;
      memcpy(e->y, e->from, 2 * (size_t)n * sizeof(double));
      head->level = 0;
      head->quiet = 4;
      return 2;
    }
    memcpy(e->y, e->trial, 2 * (size_t)n * sizeof(double));
    at += 1L << (DEEPEST - level);
    if (!ends && level > 0 && error < GROWS && 2.0 * h <= gw_longest && at % (1L << (DEEPEST - level + 1)) == 0) level--;
  }
  head->level = level - ends;
  return 0;
}
