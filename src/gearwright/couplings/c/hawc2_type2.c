/* HAWC2 type-2 DLL with a moment interface: shaft speed in, moment on the shaft out, the drivetrain inside.

   dll_init(in, out)    in: [1] time step s, [2] shaft speed rad/s, [3] generator torque N m (at its own shaft)
                        out: [1] 0 fine, else failed
   dll_update(in, out)  in: [1] time s, [2] shaft speed rad/s, [3] generator torque N m
                        out: [1] moment on the shaft N m, against its turning when positive; [2] generator speed rad/s;
                        [3] 0 fine, else failed; [4] and on: the outputs chosen when the library was made

   The drivetrain goes first, over the step that begins now, with the speed held; what goes back is the moment at the end
   of the step. A second call for the same time gets the same answer. */

#include "engine.h"

#include <math.h>
#include <stdio.h>

static gw_engine *engine = NULL;
static double step = 0.0, last = -1.0;

/* the shaft's moment and the generator's speed are the first two outputs */
static void answer(double *out, int failed) {
  out[0] = gw_output(engine, 0);
  out[1] = gw_output(engine, 1);
  out[2] = failed;
  for (int i = 2; i < gw_output_count; i++) out[i + 1] = gw_output(engine, i);
}

void dll_init(const double *in, double *out) {
  out[0] = 1.0;
  gw_destroy(engine);
  engine = gw_create();
  step = in[0];
  last = -1.0;
  if (!engine || !(step > 0.0)) {
    fprintf(stderr, "Gearwright: %s\n", engine ? "the time step is not positive" : "no memory");
    return;
  }
  gw_set_input(engine, 0, in[1]);
  gw_set_input(engine, 1, in[2]);
  if (gw_start(engine, 0.0)) {
    fprintf(stderr, "Gearwright: %s\n", gw_failure(engine));
    return;
  }
  out[0] = 0.0;
}

void dll_update(const double *in, double *out) {
  if (!engine) {
    fprintf(stderr, "Gearwright: dll_update before dll_init\n");
    out[0] = out[1] = 0.0;
    out[2] = 1.0;
    return;
  }
  if (fabs(in[0] - last) < 1e-3 * step) {
    answer(out, 0);
    return;
  }
  last = in[0];
  gw_set_input(engine, 0, in[1]);
  gw_set_input(engine, 1, in[2]);
  int failed = gw_step(engine, in[0], step);
  if (failed) fprintf(stderr, "Gearwright: %s\n", gw_failure(engine));
  answer(out, failed);
}
