// The big screen: how long everybody has waited, and a ticker that turns its pages. Nothing glides, so nothing need stop.
"use strict";
(() => {
  const SECOND = 1000, PAGE = 6 * SECOND;

  // When this screen first saw what everybody waits after: kept for a page that is loaded again, and nobody's clock matters.
  function first(since) {
    const kept = JSON.parse(sessionStorage.getItem("waits") ?? "{}");
    if (kept.since !== since) sessionStorage.setItem("waits", JSON.stringify({ since, at: Date.now() }));
    return kept.since === since ? kept.at : Date.now();
  }

  function tell() {
    for (const clock of document.querySelectorAll("[data-since]")) {
      const gone = Math.max(0, Math.floor((Date.now() - first(clock.dataset.since)) / SECOND));
      const hours = Math.floor(gone / 3600), minutes = Math.floor(gone / 60) % 60, seconds = String(gone % 60).padStart(2, "0");
      clock.textContent = hours ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
    }
  }

  let page = 0;
  function turn(by) {
    for (const ticker of document.querySelectorAll("[data-pages]")) {
      const starts = [0];
      for (const item of ticker.children) {
        if (item.offsetLeft + item.offsetWidth - ticker.offsetLeft > starts.at(-1) + ticker.clientWidth) starts.push(item.offsetLeft - ticker.offsetLeft);
      }
      page = (page + by) % starts.length;
      ticker.scrollLeft = starts[page];
    }
  }

  tell();
  setInterval(tell, SECOND);
  setInterval(() => turn(1), PAGE);
  new MutationObserver(() => { tell(); turn(0); }).observe(document.getElementById("main"), { childList: true });
})();
