// The wall of a club: for how long everybody has waited, and small drawn tables, fetched when they come into sight.
"use strict";
(() => {
  const SECOND = 1000, AT_ONCE = 4, REST = 2 * SECOND;
  const ahead = Date.now() / SECOND - Number(document.body.dataset.now);  // of the hub's clock

  const write = (el, text) => { if (el.textContent !== text) el.textContent = text; };  // else it would be news to itself

  function tell() {
    const now = Date.now() / SECOND - ahead;
    for (const el of document.querySelectorAll("[data-at]")) {
      const gone = Math.max(0, Math.floor(now - Number(el.dataset.at)));
      const hours = Math.floor(gone / 3600), minutes = Math.floor(gone / 60) % 60, seconds = String(gone % 60).padStart(2, "0");
      write(el, hours ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`);
      el.classList.toggle("long", gone >= 180);
    }
    for (const el of document.querySelectorAll("[data-clock]")) {
      const at = new Date(now * SECOND);
      write(el, `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`);
    }
  }

  // A card that was replaced gets the drawing that it had at once, and the newer one when its turn comes.
  const drawn = new Map(), wanted = new Set(), asked = new Map();
  let busy = 0;

  function put(el) { if (drawn.has(el.id) && !el.firstChild) el.innerHTML = drawn.get(el.id).html; }

  async function fetchOne(id) {
    const el = document.getElementById(id), url = el?.dataset.mini;
    if (!el || drawn.get(id)?.url === url) return;
    asked.set(id, Date.now());
    const response = await fetch(url).catch(() => null);
    if (!response?.ok) return;
    drawn.set(id, { url, html: await response.text() });
    const now = document.getElementById(id);
    if (now) now.innerHTML = drawn.get(id).html;
  }

  async function next() {
    if (busy >= AT_ONCE) return;
    const id = [...wanted].find((each) => Date.now() - (asked.get(each) ?? 0) >= REST);
    if (!id) return;
    wanted.delete(id);
    busy++;
    try { await fetchOne(id); } finally { busy--; }
    next();
  }

  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting && drawn.get(target.id)?.url !== target.dataset.mini) wanted.add(target.id);
    }
    next();
  }, { rootMargin: "200px" });

  function look() {
    for (const el of document.querySelectorAll("[data-mini]")) { put(el); sight.observe(el); }
    tell();
  }

  // Who has read the host's code with a phone goes on at the box of the table, with all that it asks for.
  document.getElementById("at-box")?.addEventListener("submit", (e) => {
    e.preventDefault();
    const { hub, code } = e.target.dataset, box = document.getElementById("box").value.trim().replace(/^https?:\/\//, "").replace(/\/.*$/, "");
    location.assign(`http://${box}/club?${new URLSearchParams({ hub, code })}`);
  });

  look();
  setInterval(() => { tell(); for (let n = 0; n < AT_ONCE; n++) next(); }, SECOND);
  const screen = document.getElementById("screen");
  if (screen) new MutationObserver(look).observe(screen, { childList: true, subtree: true });
})();
