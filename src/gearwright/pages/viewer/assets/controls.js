// Canvas, bar of controls, traces and legend around a view.
var GearwrightControls = (function () {
  "use strict";
  var T = THREE, D = GearwrightData;

  function make(tag, name, text, parent) {
    var e = document.createElement(tag);
    if (name) e.className = name;
    if (text) e.textContent = text;
    if (parent) parent.appendChild(e);
    return e;
  }

  function choice(parent, label, options, change) {
    var box = make("label", "gw-field", label, parent), select = make("select", "", "", box);
    options.forEach(function (o) { var e = make("option", "", o[1], select); e.value = o[0]; });
    select.addEventListener("change", function () { change(select.value); });
    return select;
  }

  function slider(parent, label, low, high, value, change) {
    var box = make("label", "gw-field", label, parent), input = make("input", "", "", box), shown = make("output", "", "", box);
    input.type = "range"; input.min = low; input.max = high; input.step = (high - low) / 200; input.value = value;
    input.addEventListener("input", function () { shown.textContent = change(Number(input.value)); });
    shown.textContent = change(Number(value));
    return { input: input, shown: shown, box: box };
  }

  function tick(parent, label, on, change) {
    var box = make("label", "gw-tick", "", parent), input = make("input", "", "", box);
    input.type = "checkbox"; input.checked = on;
    make("span", "", label, box);
    input.addEventListener("change", function () { change(input.checked); });
    return input;
  }

  function attach(viewer) {
    var element = viewer.element, scene = viewer.scene, play = scene.play;
    element.textContent = "";
    var stage = make("div", "gw-stage", "", element), canvas = viewer.renderer.domElement;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "Moving three-dimensional view of the drivetrain " + scene.name);
    canvas.tabIndex = 0;
    stage.appendChild(canvas);
    var legend = make("div", "gw-legend", "", stage), scale = make("div", "gw-scale", "", stage), label = make("div", "gw-label", "", stage);
    viewer.parts = { legend: legend, scale: scale, label: label, stage: stage };
    var bar = make("div", "gw-bar", "", element), traces = make("canvas", "gw-traces", "", element);
    make("p", "gw-notes", scene.notes.join(" "), element);
    traces.setAttribute("role", "img");
    traces.setAttribute("aria-label", "Loads over time around the shown instant");
    viewer.traces = traces;

    var buttons = make("div", "gw-buttons", "", bar);
    function button(text, name, action) {
      var b = make("button", "", text, buttons);
      b.type = "button"; b.title = name; b.setAttribute("aria-label", name);
      b.addEventListener("click", action);
      return b;
    }
    function toggle() {
      viewer.playing = !viewer.playing;
      start.textContent = viewer.playing ? "\u275a\u275a" : "\u25b6";
      start.setAttribute("aria-label", viewer.playing ? "Pause" : "Play");
      viewer.dirty = true;
    }
    function step(sign) {
      if (viewer.playing) toggle();
      viewer.advance(sign / 30);
      if (viewer.time < play.start) viewer.time = play.start;
    }
    button("\u25c2", "One frame back", function () { step(-1); });
    var start = button("\u25b6", "Play", toggle);
    button("\u25b8", "One frame forward", function () { step(1); });
    viewer.toggle = toggle;
    var scrub = null;
    if (!play.steady) {
      scrub = slider(bar, "Time", 0, play.count - 1, 0, function (v) { viewer.time = play.start + v * play.step; viewer.dirty = true; return viewer.time.toFixed(2) + " s"; });
      scrub.input.step = "any";
      scrub.box.classList.add("gw-wide");
    }
    slider(bar, "Speed", -4, 1, Math.log10(viewer.speed), function (v) {
      viewer.speed = Math.pow(10, v);
      return viewer.speed >= 1 ? "\u00d7" + viewer.speed.toPrecision(2) : "1/" + Number((1 / viewer.speed).toPrecision(2)) + " of real time";
    });
    var most = viewer.largest > 0 ? Math.max(2, Math.log10(0.2 * scene.size / viewer.largest)) : 3;
    viewer.size = slider(bar, "Deviations", 0, most, 0, function (v) {
      viewer.magnify = v < 0.01 ? 1 : Number(Math.pow(10, v).toPrecision(2));
      viewer.strength = Math.pow(10, 0.5 * v / most);
      if (viewer.mode >= 0) viewer.setMode(viewer.mode);
      viewer.dirty = true;
      return "\u00d7" + viewer.magnify;
    });
    if (!(viewer.largest > 0) && !scene.modes.length) viewer.size.box.hidden = true;

    var views = [["overview", "Overview"], ["side", "Side"], ["front", "From the rotor"], ["cut", "Cut open"]];
    scene.views.forEach(function (v) { views.push([v.name, "Cut through " + v.name]); });
    scene.bodies.forEach(function (b) { if (b.role === "planet" && b.pin[0]) views.push(["follow " + b.name, "Follow " + b.name]); });
    var view = choice(bar, "View", views, function (v) { viewer.look(v); });
    if (!scene.free) choice(bar, "Colour", [["load", "Tooth load"], ["pressure", "Contact pressure"], ["energy", "Strain energy"], ["parts", "Parts"]], function (v) {
      viewer.colours = v; viewer.dirty = true; paintLegend(viewer);
    });
    if (scene.modes.length) {
      var shapes = [["-1", play.steady ? "Steady rotation" : "Result"]].concat(scene.modes.map(function (m, i) {
        return [String(i), "Mode " + m.number + ", " + Number(m.frequency.toPrecision(4)) + " Hz" + (m.kind ? ", " + m.kind : "")];
      }));
      choice(bar, "Motion", shapes, function (v) { viewer.setMode(Number(v)); if (!viewer.playing && viewer.mode >= 0) toggle(); });
    }
    var loops = [["", "Whole series"]], rate = viewer.rate();
    if (play.steady) loops[0][1] = "No end";
    scene.meshes.forEach(function (m) {
      var f = viewer.meshRate(m, rate), stage = m.stage || m.name;
      if (f > 0 && !loops.some(function (l) { return l[2] === stage; })) loops.push([String(1 / f), "Mesh cycle of " + stage, stage]);
    });
    scene.bodies.forEach(function (b, i) {
      var w = Math.abs(viewer.bodyRate(i, rate));
      if (b.role === "carrier" && w > 1e-6) loops.push([String(2 * Math.PI / w), "Turn of " + b.name]);
    });
    choice(bar, "Loop", loops, function (v) { viewer.loop = v ? [viewer.time, viewer.time + Number(v)] : null; });
    var kinds = [["mesh", "Tooth forces"], ["bearing", "Bearing loads"], ["shaft", "Shaft torques"]].filter(function (k) { return viewer.data.force[k[0]]; });
    viewer.traced = kinds.length ? kinds[0][0] : null;
    if (kinds.length > 1 && !play.steady) choice(bar, "Traces", kinds, function (v) { viewer.traced = v; viewer.lines = null; viewer.dirty = true; });
    traces.hidden = !kinds.length || !!play.steady;
    var ticks = make("div", "gw-ticks", "", bar);
    tick(ticks, "Forces", true, function (on) { viewer.show.forces = on; viewer.dirty = true; });
    if (!scene.free) tick(ticks, "Housing", true, function (on) { viewer.show.housing = on; viewer.housing.visible = on && !viewer.plane; viewer.dirty = true; });
    if (viewer.largest > 0) tick(ticks, "Deviations about their mean", false, function (on) { viewer.show.mean = on; viewer.dirty = true; });
    var save = make("button", "", "PNG", ticks);
    save.type = "button";
    save.addEventListener("click", function () {
      viewer.draw();
      var a = document.createElement("a");
      a.href = viewer.renderer.domElement.toDataURL("image/png");
      a.download = (scene.name + "-" + viewer.view).replace(/[^A-Za-z0-9.-]+/g, "-") + ".png";
      a.click();
    });

    viewer.controls = new T.OrbitControls(viewer.camera, canvas);
    viewer.controls.enableDamping = false;
    viewer.controls.zoomToCursor = true;
    viewer.controls.addEventListener("change", function () { viewer.dirty = true; });
    canvas.addEventListener("keydown", function (e) {
      if (e.key === " ") { toggle(); e.preventDefault(); }
      if (e.key === "ArrowRight" || e.key === "ArrowLeft") { step(e.key === "ArrowRight" ? 1 : -1); e.preventDefault(); }
    });
    viewer.pick = function (name) { view.value = name; viewer.look(name); };

    function fit() {
      var w = stage.clientWidth, h = stage.clientHeight;
      if (w && h) viewer.resize(w, h);
      traces.width = Math.max(1, Math.round(traces.clientWidth * Math.min(window.devicePixelRatio || 1, 2)));
      traces.height = Math.max(1, Math.round(traces.clientHeight * Math.min(window.devicePixelRatio || 1, 2)));
    }
    fit();
    viewer.look(element.getAttribute("data-view") || "overview");
    if (window.ResizeObserver) new ResizeObserver(function () { var v = viewer.aspect; fit(); if (Math.abs(v - viewer.aspect) > 0.05) viewer.look(viewer.view); }).observe(stage);
    var visible = true;
    if (window.IntersectionObserver) new IntersectionObserver(function (s) { visible = s[s.length - 1].isIntersecting; }).observe(element);
    paintLegend(viewer);

    viewer.onDraw = function () {
      if (scrub && document.activeElement !== scrub.input) scrub.input.value = (viewer.time - play.start) / play.step;
      if (scrub) scrub.shown.textContent = viewer.time.toFixed(play.step * viewer.speed < 0.01 ? 3 : 2) + " s";
      paintScale(viewer);
      if (!traces.hidden) paintTraces(viewer);
    };
    var last = null;
    function loop(now) {
      if (visible && (viewer.playing || viewer.dirty)) {
        if (viewer.playing && last !== null) viewer.advance(Math.min((now - last) / 1000, 0.1));
        viewer.draw();
      }
      last = now;
      window.requestAnimationFrame(loop);
    }
    viewer.draw();
    window.requestAnimationFrame(loop);
  }

  GearwrightViewer.Viewer.prototype.rate = function () {
    var play = this.scene.play;
    return this.data.turned.map(function (t) { return (t[t.length - 1] - t[0]) / (play.step * (play.count - 1)); });
  };
  GearwrightViewer.Viewer.prototype.bodyRate = function (b, rate) {
    return this.scene.bodies[b].share.reduce(function (sum, s, i) { return sum + s * rate[i]; }, 0);
  };
  GearwrightViewer.Viewer.prototype.meshRate = function (m, rate) {
    var disc = this.scene.discs[m.discs[0]], w = this.bodyRate(disc.body, rate) - (m.on >= 0 ? this.bodyRate(m.on, rate) : 0);
    return disc.teeth ? Math.abs(w) * disc.teeth / (2 * Math.PI) : 0;
  };

  function paintLegend(viewer) {
    var box = viewer.parts.legend, unit = viewer.unit[viewer.colours];
    box.textContent = "";
    box.hidden = !unit || !(viewer.top[viewer.colours] > 0);
    if (box.hidden) return;
    make("div", "", unit[1], box);
    var ramp = make("div", "gw-ramp", "", box);
    ramp.style.background = "linear-gradient(to right," + D.MAP.map(function (c) { return "rgb(" + c.join() + ")"; }).join() + ")";
    var ends = make("div", "gw-ends", "", box);
    make("span", "", "0", ends);
    make("span", "", D.say(viewer.top[viewer.colours], unit[0]), ends);
  }

  function paintScale(viewer) {
    var box = viewer.parts.scale, top = viewer.top.force, drawn = viewer.mode < 0 && viewer.show.forces && top > 0;
    var pixels = viewer.parts.stage.clientHeight / (2 * viewer.span) * viewer.camera.zoom, force = D.nice(0.5 * top);
    var wide = Math.round(0.55 * viewer.scene.size * force / top * pixels);
    var key = [drawn, wide, force, viewer.mode, viewer.magnify, viewer.mode >= 0 ? viewer.strength : 0, viewer.show.mean].join();
    if (key === viewer.scaled) return;
    viewer.scaled = key;
    box.hidden = !drawn;
    box.textContent = "";
    var arrow = make("span", "gw-arrow", "", box);
    arrow.style.width = wide + "px";
    make("span", "", "force " + D.say(force, "N"), box);
    var mode = viewer.scene.modes[viewer.mode];
    viewer.parts.label.textContent = mode
      ? "Mode " + mode.number + ", " + Number(mode.frequency.toPrecision(4)) + " Hz; amplitude for the eye, not to scale"
      : viewer.largest > 0 ? "Elastic deviations \u00d7" + viewer.magnify + (viewer.show.mean ? " about their mean" : "") : "";
  }

  // loads around the instant: two hundred samples before, a hundred after
  function paintTraces(viewer) {
    var canvas = viewer.traces, g = canvas.getContext("2d"), w = canvas.width, h = canvas.height, play = viewer.scene.play;
    var ratio = Math.min(window.devicePixelRatio || 1, 2), style = getComputedStyle(viewer.element);
    if (!viewer.lines) {
      var all = viewer.data.force[viewer.traced], low = 0, high = 0, found = [];
      Object.keys(all).forEach(function (name) {
        Object.keys(all[name]).forEach(function (q) {
          if (viewer.scene.free && q !== "force") return;
          if (found.length >= 12) return;
          var t = all[name][q];
          low = Math.min(low, t.low); high = Math.max(high, t.high);
          found.push({ name: name + (q === "force" || q === "torque" ? "" : " " + q.replace(/_/g, " ")), track: t });
        });
      });
      viewer.lines = { list: found, low: low, high: high, unit: viewer.traced === "shaft" ? "N\u202fm" : "N" };
      var shades = ["#2f6db5", "#d1603d", "#0f8b8d", "#7b5ea7", "#c27c00", "#b23a48", "#5a8f3c", "#757b85"];
      viewer.lines.list.forEach(function (l, i) { l.colour = shades[i % 8]; l.dash = i >= 8 ? [4, 3] : []; });
    }
    var lines = viewer.lines, span = 300, u = (viewer.time - play.start) / play.step, from = Math.max(0, Math.min(u - 200, play.count - 1 - span));
    var left = 62 * ratio, right = w - (w > 700 * ratio ? 190 * ratio : 8 * ratio), top = 8 * ratio, bottom = h - 20 * ratio;
    g.clearRect(0, 0, w, h);
    g.font = 11 * ratio + "px system-ui,sans-serif";
    g.lineWidth = 1;
    g.strokeStyle = g.fillStyle = viewer.muted || (viewer.muted = style.color);
    var height = lines.high - lines.low || 1;
    function y(v) { return bottom - (v - lines.low) / height * (bottom - top); }
    g.globalAlpha = 0.75;
    g.textAlign = "right";
    g.fillText(D.say(lines.high, lines.unit), left - 6, top + 9 * ratio);
    g.fillText(D.say(lines.low, lines.unit), left - 6, bottom);
    g.globalAlpha = 0.3;
    g.strokeRect(left + 0.5, top + 0.5, right - left, bottom - top);
    g.globalAlpha = 1;
    var first = Math.max(0, Math.ceil(from)), last = Math.min(play.count - 1, Math.floor(from + span));
    lines.list.forEach(function (l, n) {
      g.strokeStyle = l.colour;
      g.lineWidth = 1.4 * ratio;
      g.setLineDash(l.dash);
      g.beginPath();
      for (var i = first; i <= last; i++) g.lineTo(left + (i - from) / span * (right - left), y(l.track.sample(i)));
      g.stroke();
      if (right < w - 100 * ratio && n * 13 * ratio < h - 20 * ratio) {
        g.fillStyle = l.colour;
        g.textAlign = "left";
        g.fillText(l.name.slice(0, 30), right + 10 * ratio, top + (9 + 13 * n) * ratio);
      }
    });
    g.setLineDash([]);
    var now = left + (u - from) / span * (right - left);
    g.fillStyle = viewer.muted;
    g.fillRect(now, top, 1.5 * ratio, bottom - top);
    g.textAlign = "center";
    g.fillText(viewer.time.toFixed(2) + " s", now, h - 5 * ratio);
    g.globalAlpha = 0.75;
    g.fillText((play.start + from * play.step).toFixed(2), left + 16 * ratio, h - 5 * ratio);
    g.fillText((play.start + (from + span) * play.step).toFixed(2), right - 16 * ratio, h - 5 * ratio);
    g.globalAlpha = 1;
  }

  return { attach: attach, legend: paintLegend };
})();
