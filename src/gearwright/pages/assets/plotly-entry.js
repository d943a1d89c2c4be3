// What pages use of plotly.js 4.1.1 (scatter is in its core). Bundled from the package of npm with
//   esbuild plotly-entry.js --bundle --minify --format=iife --global-name=Plotly --target=es2016 --charset=ascii
//     --define:global=window --define:define.amd=false --define:process.env.NODE_DEBUG=false
//     --alias:stream=stream-browserify --alias:regl=@plotly/regl --loader:.css=empty --outfile=plotly.js
// and a comment with version and licence put before it. A kind of trace that is not listed here draws nothing:
// tests/report/test_page.py compares the list with what figures and pages ask for.
const Plotly = require("plotly.js/lib/core");
Plotly.register([
  require("plotly.js/lib/bar"), require("plotly.js/lib/heatmap"), require("plotly.js/lib/scatterpolar"),
  require("plotly.js/lib/barpolar"), require("plotly.js/lib/surface"),
]);
module.exports = Plotly;
