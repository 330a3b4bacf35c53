// A demo is led by keys, too: each button of its strip names its own. Whoever types somewhere else types.
"use strict";
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, button, a, summary, [contenteditable]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const button = [...document.querySelectorAll("#demo [data-key]")].find((each) => each.dataset.key === event.key);
  if (!button) return;
  event.preventDefault();
  button.click();
});
