// The page's data and scripts lie in it compressed (gzip, base64): each is put back in its place, in order.
"use strict";
(async () => {
  async function text(node) {
    const raw = Uint8Array.from(atob(node.textContent), (c) => c.charCodeAt(0));
    return new Response(new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  }
  const nodes = [...document.querySelectorAll('script[type="application/gzip"]')];
  try {
    const texts = await Promise.all(nodes.map(text));
    nodes.forEach((node, i) => {
      const whole = document.createElement("script");
      if (node.id) whole.id = node.id;
      whole.type = node.dataset.kind;
      whole.textContent = texts[i];
      node.replaceWith(whole);
    });
  } catch (error) {
    const said = document.createElement("p");
    said.className = "missing";
    said.textContent = "The figures of this page could not be unpacked: they need a browser of 2023 or newer (" + error + ").";
    document.body.append(said);
    throw error;
  }
})();
