// A move is seen: a pawn or a card that lies elsewhere on the drawn table than before glides there. Where everything
// lies is drawn at once and said at once; only the eye is led.
"use strict";
globalThis.glide = (() => {
  const LASTS = 600, STAY = { transform: "none" };
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // Every piece of a drawing by its name, with the leaf it is drawn on: from one leaf to another nothing glides.
  function lying(part) {
    const found = new Map();
    part.querySelectorAll("svg.picture").forEach((leaf, number) => {
      for (const el of leaf.querySelectorAll("[data-piece]")) {
        const [x, y] = el.dataset.at.split(" ").map(Number);
        found.set(`${number} ${el.dataset.piece}`, { el, x, y });
      }
    });
    return found;
  }

  // Called with a part before it is replaced, and what that gives with the part that has taken its place.
  return (old) => {
    if (still.matches) return () => {};
    const before = lying(old);
    return (fresh) => {
      if (!before.size) return;
      for (const [name, { el, x, y }] of lying(fresh)) {
        const was = before.get(name);
        if (!was || (was.x === x && was.y === y)) continue;
        el.animate([{ transform: `translate(${was.x - x}px, ${was.y - y}px)` }, STAY], { duration: LASTS, easing: "ease-in-out" });
      }
    };
  };
})();
