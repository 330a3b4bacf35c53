// Hands on the drawn table: what is picked up, what lights up for it, where it falls. The box knows the rules.
"use strict";
(() => {
  const HEADERS = { "X-Companion": "1", "Content-Type": "application/json" };
  const FAR = 6, NEAR = 24, EDGE = 20, BEYOND = 60, STEP = 8;
  const byId = (id) => document.getElementById(id);
  const { carry, drop, lay } = document.body.dataset;
  const texts = byId("pretend-texts").dataset;
  const all = (what) => [...document.querySelectorAll(what)];
  const tell = (text) => { if (byId("told").textContent !== text) byId("told").textContent = text; };

  // What is held, and what the box would say of it: one answer for each time something is picked up.
  let held = null, answer = null, asking = null;

  const isLit = (el) => !!answer && (answer.lit.has(el.dataset.token) || answer.lit.has(el.dataset.at));
  const reason = (el) => answer.why[el.dataset.token] ?? answer.why[el.dataset.at] ?? answer.otherwise;

  function pick(el, withKeys) { return asking = picked(el, withKeys); }

  async function picked(el, withKeys) {
    held = { token: el.dataset.token, uid: el.dataset.uid, id: el.id, name: el.getAttribute("aria-label") ?? el.innerText };
    answer = null;
    show();
    const mine = held;
    const found = held.token ? await ask(held.token) : { lit: [], why: {}, otherwise: "", alone: true, said: held.name };
    if (held !== mine || !found) return;
    answer = { ...found, lit: new Set(found.lit) };
    tell(found.said);
    show();
    makeWay();
    reveal();
    if (withKeys) goals()[0]?.focus();
  }

  async function ask(token) {
    const response = await fetch(`${carry}?held=${encodeURIComponent(token)}`, { headers: HEADERS }).catch(() => null);
    return response?.ok ? response.json() : null;
  }

  function putBack(withKeys) {
    const id = held?.id;
    held = answer = null;
    show();
    if (withKeys && id) byId(id)?.focus();
  }

  // An open heap lies over the table: it makes way, unless something in it takes what is held, or keys hold it there.
  function makeWay() {
    for (const heap of all("#tray details[open]")) {
      if (!heap.querySelector(".lit") && (ghost || !heap.querySelector(".held"))) heap.open = false;
    }
  }

  // A tall picture scrolls by itself: the middle of what may be done comes into sight, once for each act.
  let revealed = null;
  function reveal() {
    const room = document.querySelector(".leaves.tall")?.getBoundingClientRect();
    if (!room || ghost) return;
    const tops = (el) => el.getBoundingClientRect().top, them = [...all(held ? ".tall .th.lit" : ".tall .th.may")];
    const seen = (el) => tops(el) >= room.top && el.getBoundingClientRect().bottom <= room.bottom;
    const at = document.querySelector("#surface .code")?.textContent, isNews = !held && at !== revealed;
    revealed = at;
    if (!them.length || !isNews && them.some(seen)) return;
    them.sort((one, other) => tops(one) - tops(other))[them.length >> 1].scrollIntoView({ block: "center", inline: "nearest" });
  }

  const goals = () => [...all(".th.lit"), ...all(".rd .lay-here")];

  // The page may be drawn anew at any moment: what is held and lit is marked again.
  function show() {
    document.body.classList.toggle("holding", !!held);
    for (const el of all("[data-token]")) {
      const lit = isLit(el), mine = !!held && el.dataset.uid === held.uid && el.dataset.token === held.token;
      el.classList.toggle("held", mine);
      el.classList.toggle("lit", lit && !mine);
      if (el.classList.contains("th")) {
        const reached = held ? lit || mine : "uid" in el.dataset || el.classList.contains("may");
        el.setAttribute("tabindex", reached ? "0" : "-1");
      }
    }
    for (const el of all(".rd")) el.classList.toggle("lit", !!answer?.alone);
  }

  async function send(url, content) {
    const command = [...crypto.getRandomValues(new Uint8Array(12))].map((n) => n.toString(16).padStart(2, "0")).join("");
    const body = JSON.stringify({ command, ...content });
    const response = await fetch(url, { method: "POST", headers: HEADERS, body }).catch(() => null);
    const done = response?.ok ? await response.json() : null;
    tell(done ? done.said ?? "" : byId("texts").dataset.lost);
  }

  function layOn(reader) {
    if (!held) return tell(texts.empty);
    const { uid } = held;
    putBack();
    return send(lay, { uid, reader });
  }

  function dropOn(el) {
    const on = answer?.lit.has(el.dataset.token) || !answer?.lit.has(el.dataset.at) ? el.dataset.token : el.dataset.at;
    const token = held?.token ?? "";
    putBack();
    return send(drop, { held: token, on });
  }

  // A click, or Enter: pick up what can be, touch what cannot; with something in hand, lay it there.
  function act(el, withKeys) {
    const reader = el.closest("[data-reader]")?.dataset.reader;
    if (reader !== undefined) return layOn(reader);
    const canBe = "uid" in el.dataset;
    if (!held) return canBe ? pick(el, withKeys) : dropOn(el);
    if (el.classList.contains("held")) return putBack(withKeys);
    if (canBe && !isLit(el)) return pick(el, withKeys);
    return dropOn(el);
  }

  // Carrying: the thing follows the pointer, and falls on what is lit nearby or else on what is under it.
  let start = null, ghost = null, at = [0, 0], dragged = false;

  document.addEventListener("pointerdown", (event) => {
    dragged = false;
    const el = event.target.closest?.("[data-uid][data-token]");
    if (el && event.button === 0) start = { el, x: event.clientX, y: event.clientY };
  });
  // What the browser itself would carry, words or a picture, must not take the piece out of the hand.
  document.addEventListener("dragstart", (event) => { if (start) event.preventDefault(); });
  document.addEventListener("pointermove", (event) => {
    if (!start) return;
    if (!ghost && Math.hypot(event.clientX - start.x, event.clientY - start.y) < FAR) return;
    if (!ghost) take(start.el);
    hover(event.clientX, event.clientY);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, (event) => {
      if (ghost) fall(end === "pointerup" ? [event.clientX, event.clientY] : null);
      start = null;
    });
  }

  function take(el) {
    dragged = true;
    pick(el);
    ghost = document.createElement("div");
    ghost.className = "ghost";
    ghost.textContent = held.name;
    document.body.append(ghost);
    requestAnimationFrame(drift);
  }

  function hover(x, y) {
    at = [x, y];
    ghost.style.transform = `translate(${x}px, ${y}px)`;
    const under = nearest(x, y);
    all(".over").forEach((el) => { if (el !== under) el.classList.remove("over"); });
    under?.classList.add("over");
    if (under && answer) tell(under.matches(".th") && !isLit(under) ? reason(under) : answer.said);
  }

  // Both hands are busy: a thing held at the edge of a tall picture, or of the window, scrolls it.
  function drift() {
    if (!ghost) return;
    const leaves = document.querySelector(".leaves.tall");
    const moved = (leaves && scrolled(leaves, leaves.getBoundingClientRect()))
      || scrolled(document.scrollingElement, { left: 0, right: innerWidth, top: 0, bottom: innerHeight });
    if (moved) hover(...at);
    requestAnimationFrame(drift);
  }

  function scrolled(el, { left, right, top, bottom }) {
    const [x, y] = at, before = el.scrollTop;
    if (x < left || x > right) return false;
    if (y < top + EDGE && y > top - BEYOND) el.scrollTop -= STEP;
    if (y > bottom - EDGE && y < bottom + BEYOND) el.scrollTop += STEP;
    return el.scrollTop !== before;
  }

  // Whoever is quicker than the box waits for what it says of the thing.
  async function fall(where) {
    ghost.remove();
    ghost = null;
    await asking;
    const target = where && nearest(...where);
    all(".over").forEach((el) => el.classList.remove("over"));
    if (!target || target.classList.contains("held")) { putBack(); return tell(texts.back); }
    return target.dataset.reader !== undefined ? layOn(target.dataset.reader) : dropOn(target);
  }

  function nearest(x, y) {
    const under = document.elementFromPoint(x, y)?.closest("[data-reader], .th");
    if (under && ("reader" in under.dataset || isLit(under))) return under;
    const near = all(".th.lit").map((el) => [away(el.getBoundingClientRect(), x, y), el]).filter(([far]) => far <= NEAR);
    return near.sort((a, b) => a[0] - b[0])[0]?.[1] ?? under ?? null;
  }

  function away({ left, right, top, bottom }, x, y) {
    return Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0));
  }

  document.addEventListener("click", (event) => {
    if (dragged) { dragged = false; return; }
    const el = event.target.closest("[data-token], .lay-here");
    if (el) act(el, event.detail === 0);
    else if (held && event.target.closest("main")) { putBack(); tell(texts.back); }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && held) { putBack(true); return tell(texts.back); }
    const el = event.target.closest?.(".th");
    if (!el || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    act(el, true);
  });

  // Who asks about a place that stays dark hears why.
  for (const look of ["pointerover", "focusin"]) {
    document.addEventListener(look, (event) => {
      const el = event.target.closest?.(".th");
      if (el && held && answer && !ghost && !el.classList.contains("held")) tell(isLit(el) ? answer.said : reason(el));
    });
  }

  new MutationObserver(() => { show(); reveal(); }).observe(byId("main"), { childList: true, subtree: true });
  reveal();
})();
