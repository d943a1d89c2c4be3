// Time series: decode, min/max pyramid, and the view of a window at the resolution of the screen.
"use strict";
const Series = (() => {
  const FACTOR = 4;

  function bytes(base64) {
    const raw = atob(base64);
    const out = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
    return out;
  }

  // {f32: ...} or {f64: ...} to a typed array; anything else stays
  function array(value) {
    if (value && value.f32 !== undefined) return new Float32Array(bytes(value.f32).buffer);
    if (value && value.f64 !== undefined) return new Float64Array(bytes(value.f64).buffer);
    return value;
  }

  function dequantise(data) {
    const q = new Uint16Array(bytes(data.q).buffer);
    const low = array(data.low), step = array(data.step);
    const out = new Float64Array(data.n);
    for (let i = 0; i < data.n; i++) {
      const b = Math.floor(i / data.block);
      out[i] = q[i] === 65535 ? NaN : low[b] + step[b] * q[i];
    }
    return out;
  }

  // one level of the pyramid: lows and highs of groups of `size` samples
  function coarser(level, factor) {
    const n = Math.ceil(level.low.length / factor);
    const low = new Float64Array(n), high = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let a = Infinity, b = -Infinity;
      const end = Math.min((i + 1) * factor, level.low.length);
      for (let j = i * factor; j < end; j++) {
        if (level.low[j] < a) a = level.low[j];
        if (level.high[j] > b) b = level.high[j];
      }
      low[i] = a <= b ? a : NaN;
      high[i] = a <= b ? b : NaN;
    }
    return { size: level.size * factor, low, high };
  }

  class Channel {
    constructor(record, axis) {
      this.axis = axis;
      this.count = record.count;
      const values = dequantise(record.data);
      let base;
      if (record.bucket === 1) {
        base = { size: 1, low: values, high: values };
      } else {
        const n = values.length / 2;
        base = { size: record.bucket, low: new Float64Array(n), high: new Float64Array(n) };
        for (let i = 0; i < n; i++) { base.low[i] = values[2 * i]; base.high[i] = values[2 * i + 1]; }
      }
      this.levels = [base];
      while (this.levels[this.levels.length - 1].low.length > 512)
        this.levels.push(coarser(this.levels[this.levels.length - 1], FACTOR));
      this.detail = record.detail
        ? { from: record.detail.from, values: dequantise(record.detail.data) } : null;
    }

    time(i) {
      return this.axis.times ? this.axis.times[Math.min(i, this.axis.times.length - 1)]
        : this.axis.start + i * this.axis.step;
    }

    // first sample at or after t
    index(t) {
      if (!this.axis.times) return this.axis.step > 0 ? Math.ceil((t - this.axis.start) / this.axis.step) : 0;
      let a = 0, b = this.axis.times.length;
      while (a < b) { const m = (a + b) >> 1; if (this.axis.times[m] < t) a = m + 1; else b = m; }
      return a;
    }

    // what to draw between t0 and t1 on `pixels`: every sample as a line, or lows and highs as a band
    view(t0, t1, pixels) {
      const first = Math.max(this.index(t0) - 1, 0);
      const last = Math.min(this.index(t1) + 1, this.count);
      if (last <= first) return { line: true, t: [], low: [], high: [] };
      const full = this.levels[0].size === 1 ? { from: 0, values: this.levels[0].low }
        : this.detail && first >= this.detail.from && last <= this.detail.from + this.detail.values.length
          ? this.detail : null;
      if (full && last - first <= 2 * pixels) {
        const t = [], y = [];
        for (let i = first; i < last; i++) { t.push(this.time(i)); y.push(full.values[i - full.from]); }
        return { line: true, t, low: y, high: [] };
      }
      const wanted = (last - first) / pixels;
      let level = this.levels[0];
      for (const candidate of this.levels) if (candidate.size <= wanted) level = candidate;
      const group = Math.max(Math.floor(wanted / level.size), 1);
      const t = [], low = [], high = [];
      const begin = Math.floor(first / level.size / group) * group;
      const end = Math.ceil(last / level.size);
      for (let i = begin; i < end; i += group) {
        let a = Infinity, b = -Infinity;
        const stop = Math.min(i + group, level.low.length);
        for (let j = i; j < stop; j++) {
          if (level.low[j] < a) a = level.low[j];
          if (level.high[j] > b) b = level.high[j];
        }
        const middle = Math.min(Math.round((i + Math.min(i + group, level.low.length)) / 2 * level.size), this.count - 1);
        t.push(this.time(middle));
        low.push(a <= b ? a : NaN);
        high.push(a <= b ? b : NaN);
      }
      return { line: false, t, low, high };
    }
  }

  return { array, Channel };
})();
