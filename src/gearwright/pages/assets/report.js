// The page: figures with plotly, linked zoom, theme, downloads, menu.
"use strict";
const Report = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const NARROW = 640, PAPER = 640; // pixels
  const axis = data.axis;
  if (axis.times) axis.times = Series.array(axis.times);
  const charts = new Map(); // key -> {node, spec, drawn}
  const channels = new Map();
  const windows = {}; // group -> [t0, t1] or null for the whole run
  let printing = false;

  // --- colours and text ---------------------------------------------------------------------------------
  function colour(token) {
    const [name, alpha] = token.split("/");
    const hex = (data.colours[name] || data.colours.ink)[dark.matches && !printing ? 1 : 0];
    if (alpha === undefined) return hex;
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
    return `rgba(${r},${g},${b},${alpha})`;
  }

  // plotly reads a little HTML in its texts: names from files are not HTML
  function plain(words) {
    return String(words).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  }

  const TEXT_KEYS = new Set(["name", "text", "ticktext", "y"]); // y: names of bars
  function resolve(value, key) {
    if (typeof value === "string") {
      if (TEXT_KEYS.has(key)) return plain(value).replace(/&lt;br&gt;/g, "<br>");
      return value.startsWith("@") ? colour(value.slice(1)) : value;
    }
    if (Array.isArray(value)) return value.map((item) => resolve(item, key));
    if (value && typeof value === "object") {
      if (value.f32 !== undefined || value.f64 !== undefined) return Series.array(value);
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolve(v, k)]));
    }
    return value;
  }

  function layoutOf(own, node, names) {
    const narrow = node.clientWidth < NARROW;
    // the legend stands below the axis title, in columns as wide as its longest name: so many rows of it
    const columns = Math.max(Math.floor((node.clientWidth - 64) / (52 + 6.4 * Math.max(...names.map((n) => n.length), 1))), 1);
    const rows = Math.ceil(names.length / columns);
    node.style.height = `${(own.height || 340) + 20 * Math.max(rows - 1, 0)}px`;
    const line = { gridcolor: colour("grid"), linecolor: colour("muted"), zerolinecolor: colour("muted/0.5"),
      tickcolor: colour("muted"), automargin: true, ticks: "outside", showline: true,
      exponentformat: "none", separatethousands: true };
    const out = {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: getComputedStyle(document.body).fontFamily, size: narrow ? 11 : 12, color: colour("ink") },
      separators: ".\u202f",
      margin: { l: narrow ? 48 : 64, r: own.rightLabels ? (narrow ? 88 : 200) : own.topTicks ? 40 : 16, t: own.topTicks ? 64 : own.eventLabels ? 26 : 12, b: 48 + 20 * rows },
      hoverlabel: { bgcolor: colour("paper"), bordercolor: colour("muted"), font: { color: colour("ink"), size: 12 } },
      hovermode: own.polar ? "closest" : "x unified",
      legend: { orientation: "h", x: 0, xanchor: "left", yref: "container", y: 0, yanchor: "bottom", maxheight: 600, font: { size: 11 } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: colour("muted/0.5"), activecolor: colour("ink") },
      dragmode: "zoom", showlegend: true, ...own,
    };
    if (printing) out.width = PAPER;
    if (own.polar) {
      out.polar = { bgcolor: "rgba(0,0,0,0)", ...own.polar };
      for (const name of ["radialaxis", "angularaxis"])
        out.polar[name] = { gridcolor: colour("grid"), linecolor: colour("muted"), ...(own.polar[name] || {}) };
      out.margin = { l: 40, r: 40, t: 24, b: 28 + 20 * rows };
    } else {
      for (const name of ["xaxis", "yaxis"]) out[name] = { ...line, ...(own[name] || {}) };
      if (own.xaxis2) out.xaxis2 = { ...line, ...own.xaxis2 };
      if (out.yaxis.plainCategories) out.hovermode = "closest";
      if (out.xaxis.type === "log") { out.xaxis.dtick = "D2"; if (narrow) out.xaxis.dtick = 1; }
    }
    if (own.rightLabels) { out.hovermode = "closest"; }
    for (const name of ["rightLabels", "topTicks", "eventLabels"]) delete out[name];
    delete out.yaxis?.plainCategories;
    delete out.height;
    return out;
  }

  const config = { responsive: true, displaylogo: false, scrollZoom: false,
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"], toImageButtonOptions: { format: "png", scale: 2 } };

  // --- figures of fixed traces --------------------------------------------------------------------------
  function drawPlot(chart) {
    const traces = chart.spec.data.map((trace) => ({ type: "scatter", mode: "lines", ...resolve(trace, "") }));
    if (chart.node.clientWidth < NARROW)
      for (const trace of traces) if (trace.marker?.colorbar) delete trace.marker.colorbar, trace.marker.showscale = false;
    for (const trace of traces) if (trace.type === "bar") delete trace.mode;
    const names = traces.filter((trace) => trace.showlegend !== false).map((trace) => String(trace.name || ""));
    return Plotly.react(chart.node, traces, layoutOf(resolve(chart.spec.layout, ""), chart.node, names), config);
  }

  // --- time series --------------------------------------------------------------------------------------
  function channel(key) {
    if (!channels.has(key)) channels.set(key, new Series.Channel(data.channels[key], axis));
    return channels.get(key);
  }

  function wholeRun() {
    const any = Object.values(data.channels).find((c) => c.count);
    const n = any ? any.count : 1;
    return axis.times ? [axis.times[0], axis.times[n - 1]] : [axis.start, axis.start + axis.step * (n - 1)];
  }

  function seriesTraces(chart) {
    const [t0, t1] = windows[chart.spec.group] || wholeRun();
    const pixels = Math.max(Math.floor(chart.node.clientWidth || 600), 200);
    const traces = [];
    const format = `%{y:.5~g} ${chart.spec.unit}`;
    for (const own of chart.spec.traces) {
      const on = chart.on.has(own.channel);
      const visible = on ? true : "legendonly";
      // a point without a value keeps a hidden channel in the legend
      const view = on ? channel(own.channel).view(t0, t1, pixels) : { line: true, t: [t0], low: [null], high: [] };
      const envelope = on && own.envelope ? data.channels[own.envelope] : null;
      const e = envelope ? envelopeOf(own.envelope, t0, t1) : { t: [], low: [], high: [] };
      const base = { type: "scatter", mode: "lines", legendgroup: own.channel, visible, hoverinfo: "skip", showlegend: false };
      const faint = { ...base, line: { width: 0.6, shape: "hv", color: colour(`${own.colour}/0.5`) } };
      traces.push({ ...faint, x: e.t, y: e.low });
      traces.push({ ...faint, x: e.t, y: e.high, fill: "tonexty", fillcolor: colour(`${own.colour}/0.13`) });
      const stroke = { color: colour(own.colour), width: view.line ? 1.3 : 0.8, dash: view.line ? own.dash : "solid" };
      traces.push({ ...base, name: plain(own.name), x: view.t, y: view.low, line: stroke, showlegend: view.line,
        ...(view.line ? { hoverinfo: "all", hovertemplate: format } : {}), meta: { channel: own.channel } });
      traces.push({ ...base, name: plain(own.name), x: view.line ? [] : view.t, y: view.high, line: stroke,
        showlegend: !view.line, fill: "tonexty", fillcolor: colour(`${own.colour}/0.35`), customdata: view.low,
        hoverinfo: "all", hovertemplate: `%{customdata:.5~g} to ${format}`, meta: { channel: own.channel } });
    }
    const marks = chart.spec.marks.filter((m) => m.t !== null && m.y !== null
      && chart.spec.traces.some((o) => o.name === m.name && chart.on.has(o.channel)));
    traces.push({ type: "scatter", mode: "markers", x: marks.map((m) => m.t), y: marks.map((m) => m.y),
      text: marks.map((m) => plain(m.name)), hovertemplate: `largest of %{text}: ${format}<extra></extra>`,
      marker: { symbol: marks.map((m) => (m.y < 0 ? "triangle-up" : "triangle-down")), size: 9,
        color: marks.map((m) => colour(m.colour)), line: { color: colour("ink"), width: 1 } },
      showlegend: false, name: "largest" });
    return traces;
  }

  const envelopes = new Map();
  function envelopeOf(key, t0, t1) {
    if (!envelopes.has(key)) {
      const raw = data.channels[key];
      envelopes.set(key, { t: Series.array(raw.times), low: Series.array(raw.low), high: Series.array(raw.high) });
    }
    const e = envelopes.get(key);
    let a = 0, b = e.t.length;
    while (a + 1 < b && e.t[a + 1] < t0) a++;
    while (b - 1 > a && e.t[b - 1] > t1) b--;
    b = Math.min(b + 1, e.t.length);
    return { t: e.t.subarray(a, b), low: e.low.subarray(a, b), high: e.high.subarray(a, b) };
  }

  function drawSeries(chart) {
    const window_ = windows[chart.spec.group] || wholeRun();
    const events = chart.spec.events;
    const own = {
      height: chart.spec.layout?.height,
      xaxis: { title: { text: "Time [s]" }, range: window_.slice() },
      yaxis: { title: { text: plain(chart.spec.title) }, autorange: true },
      shapes: events.map((e) => ({ type: "line", x0: e.t, x1: e.t, yref: "paper", y0: 0, y1: 1,
        line: { color: colour("machine"), width: 1, dash: "dash" } })),
      annotations: events.map((e) => ({ x: e.t, y: 1, yref: "paper", yanchor: "bottom", showarrow: false,
        text: plain(e.text), font: { size: 10, color: colour("machine") } })),
    };
    own.eventLabels = events.length > 0;
    return Plotly.react(chart.node, seriesTraces(chart), layoutOf(own, chart.node, chart.spec.traces.map((trace) => trace.name)), config);
  }

  function zoom(group, range) {
    const [a, b] = wholeRun();
    let window_ = null;
    if (range) {
      const least = Math.max(4 * (axis.step || (b - a) * 1e-6), 1e-9);
      const middle = (range[0] + range[1]) / 2, half = Math.max(range[1] - range[0], least) / 2;
      window_ = [Math.max(middle - half, a), Math.min(middle + half, b)];
      if (window_[1] - window_[0] < least) window_ = null;
      else if (window_[0] <= a && window_[1] >= b) window_ = null;
    }
    windows[group] = window_;
    for (const chart of charts.values())
      if (chart.spec.group === group && chart.drawn) drawSeries(chart);
    const shown = window_ || [a, b];
    for (const bar of document.querySelectorAll(`.tools[data-group="${group}"] output`))
      bar.textContent = `${shown[0].toFixed(2)} to ${shown[1].toFixed(2)} s`;
  }

  function tool(group, action) {
    const [a, b] = windows[group] || wholeRun();
    const width = b - a, middle = (a + b) / 2;
    if (action === "whole") return zoom(group, null);
    if (action === "in") return zoom(group, [middle - width / 4, middle + width / 4]);
    if (action === "out") return zoom(group, [middle - width, middle + width]);
    const [first, last] = wholeRun();
    if (action === "left") { const d = Math.min(width / 2, a - first); return zoom(group, [a - d, b - d]); }
    if (action === "right") { const d = Math.min(width / 2, last - b); return zoom(group, [a + d, b + d]); }
    const focus = [...charts.values()].find((c) => c.spec.group === group && c.spec.focus !== null);
    if (focus) {
      const half = Math.min((last - first) / 20, 2.5);
      zoom(group, [focus.spec.focus - half, focus.spec.focus + half]);
    }
  }

  function listen(chart) {
    const group = chart.spec.group;
    chart.node.on("plotly_relayout", (change) => {
      if (change["xaxis.range[0]"] !== undefined) zoom(group, [+change["xaxis.range[0]"], +change["xaxis.range[1]"]]);
      else if (change["xaxis.range"]) zoom(group, change["xaxis.range"].map(Number));
      else if (change["xaxis.autorange"]) zoom(group, null);
    });
    chart.node.on("plotly_legendclick", (event) => {
      const key = event.data[event.curveNumber].meta?.channel;
      if (!key) return false;
      if (chart.on.has(key)) chart.on.delete(key); else chart.on.add(key);
      drawSeries(chart);
      return false;
    });
    chart.node.on("plotly_legenddoubleclick", (event) => {
      const key = event.data[event.curveNumber].meta?.channel;
      if (!key) return false;
      const all = chart.spec.traces.map((own) => own.channel);
      chart.on = chart.on.size === 1 && chart.on.has(key) ? new Set(all) : new Set([key]);
      drawSeries(chart);
      return false;
    });
  }

  // --- drawing when it is needed ------------------------------------------------------------------------
  function draw(chart) {
    const first = !chart.drawn;
    chart.drawn = true;
    const done = chart.spec.kind === "series" ? drawSeries(chart) : drawPlot(chart);
    if (first && chart.spec.kind === "series") listen(chart);
    chart.node.dataset.drawn = "yes";
    return done;
  }

  function redrawAll() { for (const chart of charts.values()) if (chart.drawn) draw(chart); }

  function start() {
    for (const node of document.querySelectorAll(".chart")) {
      const spec = data.figures[node.dataset.figure];
      const on = new Set((spec.traces || []).filter((own) => own.visible).map((own) => own.channel));
      charts.set(node.dataset.figure, { node, spec, on, drawn: false });
    }
    const near = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) {
        const chart = charts.get(entry.target.dataset.figure);
        if (!chart.drawn) draw(chart);
        near.unobserve(entry.target);
      }
    }, { rootMargin: "600px" });
    for (const chart of charts.values()) near.observe(chart.node);
    // the rest one by one when there is time, so that printing and searching find all of them
    const later = window.requestIdleCallback || ((work) => setTimeout(work, 30));
    const queue = [...charts.values()];
    const next = () => {
      let chart = queue.shift();
      while (chart && chart.drawn) chart = queue.shift();
      if (!chart) { document.documentElement.dataset.ready = "yes"; return; }
      draw(chart);
      later(next);
    };
    later(next);
  }

  // --- printing -----------------------------------------------------------------------------------------
  function beforePrint() {
    printing = true;
    for (const chart of charts.values()) {
      chart.node.style.width = `${PAPER}px`;
      draw(chart);
    }
    for (const fold of document.querySelectorAll("details")) { fold.dataset.was = fold.open ? "open" : ""; fold.open = true; }
  }
  function afterPrint() {
    printing = false;
    for (const chart of charts.values()) { chart.node.style.width = ""; draw(chart); }
    for (const fold of document.querySelectorAll("details")) fold.open = fold.dataset.was === "open";
  }

  // --- downloads ----------------------------------------------------------------------------------------
  function cell(value) {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    let words = String(value);
    if (/^[=+\-@\t\r]/.test(words)) words = `'${words}`; // a name is not a formula
    return /[",\n\r]/.test(words) ? `"${words.replace(/"/g, '""')}"` : words;
  }
  function csv(table) {
    return [table.head, ...table.rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
  }
  function download(key) {
    const table = data.tables[key];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv(table)], { type: "text/csv;charset=utf-8" }));
    link.download = `${data.file}-${table.file}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // --- page ---------------------------------------------------------------------------------------------
  function connect() {
    for (const button of document.querySelectorAll("button.csv"))
      button.addEventListener("click", () => download(button.dataset.table));
    for (const bar of document.querySelectorAll(".tools"))
      bar.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (button) tool(bar.dataset.group, button.dataset.do);
      });
    const menu = document.querySelector("button.menu"), nav = menu.parentElement;
    const open = (yes) => { nav.classList.toggle("open", yes); menu.setAttribute("aria-expanded", String(yes)); };
    menu.addEventListener("click", () => open(!nav.classList.contains("open")));
    nav.addEventListener("click", (event) => { if (event.target.closest("a")) open(false); });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") open(false); });
    const links = new Map([...nav.querySelectorAll("a")].map((a) => [a.getAttribute("href").slice(1), a]));
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) {
        for (const a of links.values()) a.removeAttribute("aria-current");
        links.get(entry.target.id)?.setAttribute("aria-current", "true");
      }
    }, { rootMargin: "-20% 0px -70% 0px" });
    for (const part of document.querySelectorAll("section, header")) seen.observe(part);
    dark.addEventListener("change", redrawAll);
    window.addEventListener("beforeprint", beforePrint);
    window.addEventListener("afterprint", afterPrint);
    let timer = 0;
    window.addEventListener("resize", () => { if (!printing) { clearTimeout(timer); timer = setTimeout(redrawAll, 200); } });
  }

  connect();
  start();
  return { zoom, tool, csv, charts };
})();
