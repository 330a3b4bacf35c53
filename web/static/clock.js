// The turn clock: counts down from what was left when the page was drawn, and on past zero. Nobody's wall clock matters.
"use strict";
(() => {
  const SECOND = 1000;
  const drawn = new WeakMap();

  function tell() {
    for (const clock of document.querySelectorAll("[data-left]")) {
      if (!drawn.has(clock)) drawn.set(clock, performance.now());
      const left = Math.ceil(Number(clock.dataset.left) - (performance.now() - drawn.get(clock)) / SECOND), size = Math.abs(left);
      const words = `${left < 0 ? "+" : ""}${Math.floor(size / 60)}:${String(size % 60).padStart(2, "0")}`;
      if (clock.textContent !== words) clock.textContent = words;
      clock.classList.toggle("late", left <= 0);
      clock.classList.toggle("soon", left > 0 && left <= 10);
    }
  }

  tell();
  setInterval(tell, SECOND / 4);
})();
