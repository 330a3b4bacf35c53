// The box does not know the faces of a phone: it says how wide a line of the drawn table may be. Where the phone's own
// letters stay within that, they keep their shape and stand as they are; only what would reach too far is set closer.
"use strict";
globalThis.letters = () => {
  const lines = [...document.querySelectorAll("text[textLength]:not([data-fits])")];
  const widest = lines.map((line) => line.getAttribute("textLength"));
  for (const line of lines) line.removeAttribute("textLength");
  const wide = lines.map((line) => line.getComputedTextLength());
  lines.forEach((line, n) => {
    if (wide[n] === 0 || wide[n] > Number(widest[n])) line.setAttribute("textLength", widest[n]);
    if (wide[n] > 0) line.dataset.fits = "";  // what is not shown cannot be measured yet
  });
};
