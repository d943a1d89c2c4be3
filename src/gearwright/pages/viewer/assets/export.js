// Pictures without a window: with #render={...} in its address the page draws the frames asked for and leaves them
// as text in an element of id "rendered" (a data address of a PNG, or a GIF of several frames).
var GearwrightExport = (function () {
  "use strict";

  // 256 colours by cutting the cube of all pixels' colours at medians (5 bits a channel)
  function palette(frames) {
    var count = new Uint32Array(32768), i, k;
    frames.forEach(function (px) {
      for (i = 0; i < px.length; i += 4) count[(px[i] >> 3) << 10 | (px[i + 1] >> 3) << 5 | px[i + 2] >> 3]++;
    });
    var cells = [];
    for (i = 0; i < 32768; i++) if (count[i]) cells.push([i >> 10, i >> 5 & 31, i & 31, count[i]]);
    var boxes = [cells];
    function spread(box) {
      var best = [0, 0];
      for (k = 0; k < 3; k++) {
        var low = 31, high = 0;
        box.forEach(function (c) { low = Math.min(low, c[k]); high = Math.max(high, c[k]); });
        if (high - low > best[0]) best = [high - low, k];
      }
      return best;
    }
    while (boxes.length < 256) {
      var at = -1, widest = 0;
      boxes.forEach(function (b, n) {
        if (b.length < 2) return;
        var sum = b.reduce(function (t, c) { return t + c[3]; }, 0), w = spread(b)[0] * Math.sqrt(sum);
        if (w > widest) { widest = w; at = n; }
      });
      if (at < 0) break;
      var box = boxes[at], along = spread(box)[1], half = 0, sum = 0;
      box.sort(function (a, b) { return a[along] - b[along]; });
      box.forEach(function (c) { sum += c[3]; });
      for (k = 0; k < box.length - 2 && half + box[k][3] < sum / 2; k++) half += box[k][3];
      boxes.splice(at, 1, box.slice(0, k + 1), box.slice(k + 1));
    }
    var colours = [], index = new Uint8Array(32768);
    boxes.forEach(function (b, n) {
      var t = [0, 0, 0, 0];
      b.forEach(function (c) {
        for (k = 0; k < 3; k++) t[k] += c[k] * c[3];
        t[3] += c[3];
        index[c[0] << 10 | c[1] << 5 | c[2]] = n;
      });
      colours.push([0, 1, 2].map(function (c) { return Math.min(255, Math.round(t[c] / t[3] * 255 / 31)); }));
    });
    while (colours.length < 256) colours.push([0, 0, 0]);
    return { colours: colours, index: index };
  }

  // variable-length codes of GIF, table cleared when it is full
  function packed(pixels) {
    var out = [], buffer = 0, bits = 0, size = 9, next = 258, table = new Map();
    function put(code) {
      buffer |= code << bits;
      bits += size;
      while (bits >= 8) { out.push(buffer & 255); buffer >>>= 8; bits -= 8; }
    }
    put(256);
    var prefix = pixels[0];
    for (var i = 1; i < pixels.length; i++) {
      var key = prefix << 8 | pixels[i], found = table.get(key);
      if (found !== undefined) { prefix = found; continue; }
      put(prefix);
      if (next < 4096) {
        if (next === 1 << size && size < 12) size++;
        table.set(key, next++);
      } else {
        put(256);
        table.clear();
        size = 9;
        next = 258;
      }
      prefix = pixels[i];
    }
    put(prefix);
    // the decoder's table has grown by one more code
    if (next === 1 << size && size < 12) size++;
    put(257);
    if (bits > 0) out.push(buffer & 255);
    return out;
  }

  function gif(frames, width, height, delay) {
    var shades = palette(frames), out = [];
    function word(n) { out.push(n & 255, n >> 8 & 255); }
    function letters(s) { for (var i = 0; i < s.length; i++) out.push(s.charCodeAt(i)); }
    letters("GIF89a");
    word(width); word(height);
    out.push(0xf7, 0, 0);
    shades.colours.forEach(function (c) { out.push(c[0], c[1], c[2]); });
    out.push(0x21, 0xff, 11);
    letters("NETSCAPE2.0");
    out.push(3, 1, 0, 0, 0);
    frames.forEach(function (px) {
      out.push(0x21, 0xf9, 4, 0);
      word(delay);
      out.push(0, 0, 0x2c);
      word(0); word(0); word(width); word(height);
      out.push(0, 8);
      var pixels = new Uint8Array(width * height);
      for (var i = 0; i < pixels.length; i++) pixels[i] = shades.index[(px[4 * i] >> 3) << 10 | (px[4 * i + 1] >> 3) << 5 | px[4 * i + 2] >> 3];
      var data = packed(pixels);
      for (i = 0; i < data.length; i += 255) {
        var block = data.slice(i, i + 255);
        out.push(block.length);
        Array.prototype.push.apply(out, block);
      }
      out.push(0);
    });
    out.push(0x3b);
    var text = "";
    for (var i = 0; i < out.length; i += 8192) text += String.fromCharCode.apply(null, out.slice(i, i + 8192));
    return "data:image/gif;base64," + btoa(text);
  }

  // the picture with what the page shows around it: factor of the deviations, colours, scale of the arrows
  function composed(viewer, width, height, flat) {
    var canvas = document.createElement("canvas"), g = canvas.getContext("2d", { willReadFrequently: true }), parts = viewer.parts;
    canvas.width = width; canvas.height = height;
    var sky = g.createLinearGradient(0, 0, 0, height);
    sky.addColorStop(0, "#fbfcfd");
    sky.addColorStop(1, "#e6eaee");
    g.fillStyle = flat ? "#f4f6f8" : sky; // a ramp would take many of a GIF's 256 colours
    g.fillRect(0, 0, width, height);
    g.drawImage(viewer.renderer.domElement, 0, 0, width, height);
    g.fillStyle = "#1c2530";
    g.font = "14px system-ui,sans-serif";
    g.fillText(viewer.scene.name + (viewer.mode < 0 && !viewer.scene.play.steady ? ", " + viewer.time.toFixed(3) + " s" : ""), 14, 24);
    g.fillText(parts.label.textContent, 14, 44);
    if (!parts.legend.hidden && viewer.mode < 0) {
      var ramp = g.createLinearGradient(width - 190, 0, width - 14, 0);
      GearwrightData.MAP.forEach(function (c, i) { ramp.addColorStop(i / 8, "rgb(" + c.join() + ")"); });
      g.fillText(parts.legend.children[0].textContent, width - 190, 24);
      g.fillStyle = ramp;
      g.fillRect(width - 190, 30, 176, 10);
      g.fillStyle = "#1c2530";
      g.fillText("0", width - 190, 56);
      g.textAlign = "right";
      g.fillText(parts.legend.children[2].children[1].textContent, width - 14, 56);
      g.textAlign = "left";
    }
    if (!parts.scale.hidden) {
      var long = parseFloat(parts.scale.children[0].style.width), y = height - 22;
      g.fillRect(14, y - 1, long, 2);
      g.beginPath();
      g.moveTo(14 + long + 3, y); g.lineTo(14 + long - 7, y - 5); g.lineTo(14 + long - 7, y + 5);
      g.fill();
      g.fillText(parts.scale.children[1].textContent, 14 + long + 12, y + 5);
    }
    return canvas;
  }

  function render(viewer, wanted) {
    var width = wanted.width, height = wanted.height, frames = [], last = null;
    viewer.parts.stage.style.height = height + "px";
    viewer.parts.stage.style.width = width + "px";
    viewer.renderer.setPixelRatio(1);
    viewer.resize(width, height);
    viewer.colours = wanted.colours;
    GearwrightControls.legend(viewer);
    viewer.show.forces = wanted.forces;
    viewer.magnify = wanted.magnify;
    viewer.speed = wanted.speed;
    if (wanted.time !== null) viewer.time = wanted.time;
    if (wanted.mode >= 0) viewer.setMode(wanted.mode);
    viewer.pick(wanted.view);
    for (var k = 0; k < wanted.frames; k++) {
      if (k) viewer.advance(1 / wanted.rate);
      else if (wanted.mode >= 0) viewer.clock = wanted.frames > 1 ? 0 : 0.5;
      viewer.scaled = null;
      viewer.draw();
      last = composed(viewer, width, height, wanted.frames > 1);
      if (wanted.frames > 1) frames.push(last.getContext("2d").getImageData(0, 0, width, height).data);
    }
    return wanted.frames > 1 ? gif(frames, width, height, Math.round(100 / wanted.rate)) : last.toDataURL("image/png");
  }

  function start() {
    GearwrightViewer.start();
    if (location.hash.indexOf("#render=") !== 0) return;
    var place = document.createElement("pre");
    place.id = "rendered";
    try {
      if (!GearwrightViewer.webgl()) throw new Error("no WebGL in this browser");
      place.textContent = render(GearwrightViewer.viewers[0], JSON.parse(decodeURIComponent(location.hash.slice(8))));
    } catch (error) {
      place.textContent = "error: " + (error.stack || error);
    }
    document.body.appendChild(place);
  }

  return { start: start, gif: gif };
})();
