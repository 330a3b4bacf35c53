// The dashboard's one script. It fetches, replaces and sends; it knows no rule and no word.
"use strict";
(() => {
  const HEADERS = { "X-Companion": "1", "Content-Type": "application/json" };
  const STALE = 2000, HOLD = 700, TWICE = 300, MOST_TRIES = 5;
  const body = document.body;
  const byId = (id) => document.getElementById(id);
  const texts = byId("texts").dataset;
  const sheet = byId("sheet");

  const speak = (region, text) => { if (text && byId(region).textContent !== text) byId(region).textContent = text; };

  // Live parts ------------------------------------------------------------------------------------------------------

  const shown = new Map();
  const isMine = () => byId("icon").href.includes("icon-turn");
  let spoken = spokenNow(), mine = isMine();

  function spokenNow() { return [...document.querySelectorAll("[data-spoken]")].map((el) => el.dataset.spoken).join(" "); }

  // What a person has typed, chosen or opened outlives the part it was in.
  function keep(old, fresh) {
    const focused = document.activeElement && old.contains(document.activeElement) ? document.activeElement.id : "";
    const touched = (el) => el.tagName === "DETAILS" || el.value !== el.defaultValue || el.checked !== el.defaultChecked;
    const kept = [...old.querySelectorAll("input[id], details[id]")].filter(touched)
      .map((el) => [el.id, el.value, el.checked, el.open, el]);
    const panned = [...old.querySelectorAll("[data-pans]")].map((el) => [el.id, el.scrollLeft, el.scrollTop]);
    return () => {
      for (const [id, left, top] of panned) byId(id)?.scrollTo(left, top);
      for (const [id, value, checked, open, was] of kept) {
        const el = fresh.querySelector(`#${CSS.escape(id)}`);
        if (!el) continue;
        if (el.tagName === "DETAILS") el.open = open;
        else if (el.type === "file") el.replaceWith(was);  // which file was chosen, no page may say
        else if (el.type === "radio" || el.type === "checkbox") el.checked = checked;
        else { el.value = value; if ("number" in el.dataset) follow(el.form); }
      }
      if (focused) byId(focused)?.focus({ preventScroll: true });
    };
  }

  function replace(html) {
    const parts = document.createElement("template");
    parts.innerHTML = html;
    for (const fresh of [...parts.content.children]) {
      const old = byId(fresh.id), now = fresh.outerHTML;
      if (!old || shown.get(fresh.id) === now) continue;
      shown.set(fresh.id, now);
      if (old.outerHTML === now) continue;  // as the page brought it: whoever reads there keeps the place
      const restore = keep(old, fresh), glides = glide(old);
      old.replaceWith(fresh);
      glides(fresh);
      restore();
      look();
    }
    const now = spokenNow();
    if (now !== spoken) speak("polite", spoken = now);
    if (!mine && isMine()) navigator.vibrate?.(120);
    mine = isMine();
    autoPost();
    globalThis.letters?.();
    fit();
    showLit();
    const go = byId("screen")?.querySelector("[data-go]");
    if (go) location.assign(go.href);
  }

  // Nothing moves under a finger, on glass or on a key: what comes waits for the hand.
  const waiting = new Map();
  let pressing = false;
  function whenFree(what, draw) {
    if (pressing || waiting.size) waiting.set(what, draw);  // the newest takes the place of what waits
    else draw();
  }
  addEventListener("pointerdown", () => { pressing = true; });
  addEventListener("keydown", () => { pressing = true; });
  function lifted() {
    pressing = false;
    setTimeout(() => {
      if (pressing) return;
      const draws = [...waiting.values()];
      waiting.clear();
      for (const draw of draws) draw();
    }, 60);
  }
  for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) addEventListener(end, lifted);

  let source = null, heard = Date.now(), asked = 0, pause = 250, retry = 0;

  function listen() {
    clearTimeout(retry);
    source?.close();
    source = new EventSource(body.dataset.stream + (broad.matches ? body.dataset.wide ?? "" : ""));
    asked = Date.now();
    const alive = () => {
      heard = Date.now();
      pause = 250;
      if (!byId("stale").hidden) { byId("stale").hidden = true; speak("assertive", texts.back); }
    };
    source.addEventListener("hello", (e) => { alive(); if (e.data !== body.dataset.version) location.reload(); });
    source.addEventListener("beat", alive);
    source.addEventListener("fragment", (e) => { alive(); whenFree("news", () => replace(e.data)); });
    // Of a page with many parts only those that changed come, each by its name: one does not take another's place.
    source.addEventListener("part", (e) => { alive(); whenFree(e.lastEventId, () => replace(e.data)); });
    source.addEventListener("picture", (e) => {
      alive();
      const [id, url] = e.data.split(" ");
      byId(id).src = url;
    });
    source.onerror = () => {
      source.close();
      clearTimeout(retry);
      retry = setTimeout(listen, pause * (0.5 + Math.random()));
      pause = Math.min(pause * 2, document.hidden ? 8000 : 700);  // somebody is looking: be back within a second
    };
  }

  // A broad screen has room for the table beside the seat, and asks for both.
  const broad = matchMedia("(min-width: 900px)");
  if (body.dataset.wide) broad.addEventListener("change", () => listen());

  if (body.dataset.stream) {
    listen();
    setInterval(() => {
      if (Date.now() - heard > STALE - 250 && byId("stale").hidden) {
        byId("stale").hidden = false;
        speak("assertive", texts.stale);
      }
      // A link that died without a word says nothing more, nor does one that is never made: open a new one.
      if (Date.now() - Math.max(heard, asked) > 3 * STALE) listen();
    }, 250);
    // Whoever takes the phone up again, after a second or an hour, sees how things stand now.
    const wake = () => {
      if (document.hidden) return;
      lifted();
      if (Date.now() - heard > STALE) { pause = 250; listen(); }
    };
    for (const name of ["visibilitychange", "resume"]) document.addEventListener(name, wake);
    for (const name of ["online", "focus", "pageshow"]) addEventListener(name, wake);
  }

  // Turning the phone: what stood at the top of the screen still does.
  let top = null, wide = innerWidth;
  const look = () => {
    const at = [72, 96, 120, 144].map((y) => document.elementFromPoint(innerWidth / 2, y));
    const el = at.find((each) => each && byId("screen")?.contains(each) && each.clientHeight < innerHeight / 2);
    top = el ? [el, el.getBoundingClientRect().top] : null;
  };
  addEventListener("scroll", () => { if (innerWidth === wide) look(); }, { passive: true });
  addEventListener("resize", () => {
    if (innerWidth === wide) return;
    wide = innerWidth;
    if (scrollY > 0 && top?.[0].isConnected) scrollBy(0, top[0].getBoundingClientRect().top - top[1]);
  });

  // Sending ---------------------------------------------------------------------------------------------------------

  function commandId() {
    return [...crypto.getRandomValues(new Uint8Array(12))].map((n) => n.toString(16).padStart(2, "0")).join("");
  }

  function fields(form) {
    const found = {};
    for (const el of form?.elements ?? []) {
      if (!el.name || ((el.type === "radio" || el.type === "checkbox") && !el.checked)) continue;
      const value = "int" in el.dataset ? Number(el.value) : "now" in el.dataset ? Date.now() / 1000
        : "zone" in el.dataset ? Intl.DateTimeFormat().resolvedOptions().timeZone ?? "" : el.value;
      const [name, ...rest] = el.name.split("."), key = rest.join(".");
      if (el.name.endsWith("[]")) (found[el.name.slice(0, -2)] ??= []).push(value);
      else if (key) (found[name] ??= {})[key] = value;
      else found[name] = value;
    }
    return found;
  }

  function message(el, extra) {
    if (el.dataset.wish) {
      const wish = JSON.parse(el.dataset.wish);
      const choice = el.querySelector("[data-intent]"), number = el.querySelector("[data-number]");
      if (choice) wish.intent = JSON.parse(choice.value);
      if (number) wish.intent[number.dataset.number] = Number(number.value);
      return { asked: Number(el.dataset.asked), table: el.dataset.table ?? "", wish };
    }
    const form = el.tagName === "FORM" ? el : null;
    return { ...fields(form), ...JSON.parse(extra ?? el.dataset.body ?? "{}") };
  }

  // The number or choice of a form has changed: its button says what just that would do, in words of the box.
  async function follow(form) {
    const number = form.querySelector("[data-number]"), button = form.querySelector("button:not([type])");
    if (number) number.value = Math.min(Math.max(number.value, number.min), number.max);
    const intent = JSON.stringify(message(form).wish.intent);
    form.telling = intent;
    button.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(`${form.dataset.words}?intent=${encodeURIComponent(intent)}`, { headers: HEADERS });
      const html = await response.text();
      await new Promise((go) => whenFree(form, go));  // words that change under a finger swallow its click
      if (form.telling !== intent || !response.ok) return;  // a newer number is on its way, or the game has moved on
      const words = button.firstElementChild;
      words.outerHTML = html;
      const { low, high, idle } = button.firstElementChild.dataset;
      if (number && low) Object.assign(number, { min: low, max: high });
      button.disabled = idle !== undefined;
    } catch {
      speak("assertive", texts.lost);
    } finally {
      if (form.telling === intent) button.removeAttribute("aria-busy");
    }
  }

  // The same id goes out with every try, so a wish whose answer got lost is answered again and never done twice.
  async function send(el, content) {
    if (el.busy) return;
    el.busy = true;
    const button = el.tagName === "FORM" ? el.querySelector("button:not([type])") : el;
    button?.setAttribute("aria-busy", "true");
    const text = JSON.stringify({ command: commandId(), ...content });
    try {
      const response = await reach(el.dataset.post, text, el.dataset.body ? 1 : MOST_TRIES);
      if (response) await answered(response, el);
    } finally {
      el.busy = false;
      button?.removeAttribute("aria-busy");
    }
  }

  // Hands on the pretend table get one try: a press that was lost is pressed again by the one who pressed.
  async function reach(url, text, tries, headers = HEADERS) {
    for (let tried = 0; tried < tries; tried++) {
      const response = await fetch(url, { method: "POST", headers, body: text }).catch(() => null);
      // An answer without words (408, 429) is that of the door: what was sent did not get any further.
      if (response?.headers.has("Content-Type")) return response;
      speak("assertive", texts.lost);
      await new Promise((go) => setTimeout(go, 300 * 2 ** tried * (0.5 + Math.random())));
    }
    return null;
  }

  async function answered(response, el) {
    if ((response.headers.get("Content-Type") ?? "").startsWith("text/html")) return showPart(await response.text());
    const answer = await response.json();
    const to = answer.go || el.dataset.then;
    if (to) return location.assign(to);
    if (sheet.open && sheet.contains(el)) sheet.close();
    if (el.dataset.wish || "board" in el.dataset) speak("polite", texts.done);
  }

  // What was answered stands where it stood before, as a form with words beside its fields; else it is a sheet.
  function showPart(html) {
    const id = /^<\w+ id="([\w-]+)"/.exec(html)?.[1], old = id && byId(id);
    if (!old) return openSheet(html);
    const focused = document.activeElement?.id;
    old.outerHTML = html;
    const fresh = byId(id), alarm = fresh.querySelector("[data-alarm]");
    (fresh.querySelector("[aria-invalid]") ?? (focused ? byId(focused) : null))?.focus();
    if (alarm) { speak("assertive", alarm.textContent); alarm.scrollIntoView({ block: "nearest" }); }
  }

  async function showSheet(url) {
    try {
      openSheet(await (await fetch(url, { headers: HEADERS })).text());
    } catch {
      speak("assertive", texts.lost);
    }
  }

  function openSheet(html) {
    sheet.innerHTML = html;
    if (!sheet.open) sheet.showModal();
    globalThis.letters?.();
    sheet.scrollTop = 0;
  }

  function autoPost() {
    const form = document.querySelector("form[data-auto]");
    if (form && !form.sent) { form.sent = true; send(form, message(form)); }
  }

  // Asked once more: what is sent is what was shown when the finger came down, whatever has changed since.
  function confirmFirst(form) {
    const content = message(form), words = form.querySelector("button:not([type])").innerText;
    openSheet(byId("confirm").innerHTML);
    if (form.dataset.confirm) sheet.querySelector("[data-ask]").textContent = form.dataset.confirm;
    sheet.querySelector("[data-what]").textContent = words;
    sheet.querySelector("[data-yes]").addEventListener("click", () => { sheet.close(); send(form, content); });
    sheet.querySelector("[data-yes]").focus();
  }

  // Who taps twice meant the first: a button that has come under the finger since was never read.
  let tapped = { timeStamp: -TWICE };
  document.addEventListener("click", (event) => {
    const { detail, timeStamp, clientX, clientY } = event, last = tapped;
    const button = event.target.closest("button:not([type]), a.thing");
    tapped = { timeStamp, clientX, clientY, button };
    const isNear = Math.hypot(clientX - last.clientX, clientY - last.clientY) < 24;
    const isTwice = detail > 1 || (detail && timeStamp - last.timeStamp < TWICE && isNear);
    if (isTwice && button && button !== last.button) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);

  // Of a table that is taller than its frame the middle of what is lit is seen first.
  function showLit() {
    const frame = document.querySelector("[data-board]");
    if (!frame || frame.shown || frame.scrollTop || frame.scrollHeight <= frame.clientHeight) return;
    const tops = [...frame.querySelectorAll("a.lit")].map((el) => el.getBoundingClientRect().top).sort((a, b) => a - b);
    if (tops.length) frame.scrollTo(0, tops[tops.length >> 1] - frame.getBoundingClientRect().top - frame.clientHeight / 2);
    frame.shown = true;
  }

  // What else may be done stands below the table: as much smaller is that drawn as its words are longer than usual.
  const SMALLEST = 150;
  function fit() {
    const frame = document.querySelector("[data-board]"), ways = document.querySelector(".near");
    if (!frame || !ways || broad.matches || ways.querySelector("[open]")) return;
    const floor = (document.querySelector(".undo") ?? document.querySelector(".tabs")).getBoundingClientRect().top;
    const over = ways.getBoundingClientRect().bottom + scrollY - floor;
    if (over > 0) frame.parentElement.style.setProperty("--room", `${Math.max(SMALLEST, frame.clientHeight - over)}px`);
  }

  // The drawn table: a touch beside a lit thing means the nearest one. It is shown while the finger is down, and counts
  // when that is lifted.
  const NEAR = 24;
  const away = (el, { clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = el.querySelector("rect, circle, path").getBoundingClientRect();
    const far = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
    return { el, far, size: (right - left) * (bottom - top) };
  };

  function meant(event) {
    const table = event.target.closest?.("[data-board]"), under = event.target.closest?.("a.thing") ?? null;
    if (!table || under?.classList.contains("lit") && !under.querySelector(".zone")) return under;
    const lit = [...table.querySelectorAll("a.lit")].map((el) => away(el, event));
    const near = lit.sort((one, other) => one.far - other.far || one.size - other.size)[0];
    const own = under && !under.querySelector(".zone") ? away(under, event).far : Infinity;
    return near && near.far <= NEAR && (near.far === 0 || near.far < own) ? near.el : under;
  }

  let aimed = null;
  function aim(el) {
    if (el === aimed) return;
    aimed?.classList.remove("aimed");
    aimed = el;
    aimed?.classList.add("aimed");
  }
  for (const name of ["pointerdown", "pointermove"]) {
    document.addEventListener(name, (event) => aim(event.target.closest?.("[data-board]") ? meant(event) : null));
  }
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => aim(null));
  document.addEventListener("click", (event) => {
    if (!event.detail || !event.target.closest("[data-board]")) return;
    const el = meant(event);
    if (!el || el === event.target.closest("a.thing")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    el.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }, true);

  async function act(el) {
    const table = el.closest("[data-board]"), { asked, table: name } = table.dataset;
    el.setAttribute("aria-busy", "true");
    await send(table, { asked: Number(asked), table: name, wish: { type: "act", intent: JSON.parse(el.dataset.act) } });
    el.removeAttribute("aria-busy");
  }

  async function showStrip(el) {
    try {
      const response = await fetch(el.dataset.strip, { headers: HEADERS });
      const html = await response.text();
      document.querySelector(".thing.refused")?.classList.remove("refused");
      if (!response.ok || !byId("strip")) return;
      el.classList.add("refused");
      byId("strip").innerHTML = html;
      byId("strip").scrollIntoView({ block: "nearest" });
    } catch {
      speak("assertive", texts.lost);
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.dataset.post) { if (form.getAttribute("role") !== "search") event.preventDefault(); return; }
    event.preventDefault();
    if ("confirm" in form.dataset) confirmFirst(form);
    else send(form, message(form));
  });

  document.addEventListener("click", async (event) => {
    const step = event.target.closest("[data-step]");
    if (step) {
      const number = step.form.querySelector("[data-number]");
      step.dataset.step > 0 ? number.stepUp() : number.stepDown();
      return follow(step.form);
    }
    const pan = event.target.closest("[data-pan]");
    if (pan) {
      const [x, y] = pan.dataset.pan.split(" ").map(Number), board = byId("pans");
      return board.scrollBy(x * board.clientWidth / 2, y * board.clientHeight / 2);
    }
    const el = event.target.closest("[data-post]:not(form, [data-board]), a[data-sheet], a[data-strip], a[data-act], [data-close]");
    if (!el) { if (event.target === sheet) sheet.close(); return; }
    if ("close" in el.dataset) { if (sheet.open) { event.preventDefault(); sheet.close(); } return; }
    event.preventDefault();
    if ("act" in el.dataset) return act(el);
    if ("strip" in el.dataset) return showStrip(el);
    if ("sheet" in el.dataset) return showSheet(el.getAttribute("href"));
    if (el.held) { el.held = false; return; }
    send(el, message(el));
  });

  // Keeping a button down is another press than clicking it.
  let holding = 0;
  document.addEventListener("pointerdown", (event) => {
    const el = event.target.closest("[data-held]");
    if (!el) return;
    el.held = false;
    clearTimeout(holding);
    holding = setTimeout(() => { el.held = true; el.classList.add("holding"); send(el, message(el, el.dataset.held)); }, HOLD);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => {
      clearTimeout(holding);
      document.querySelectorAll(".holding").forEach((el) => el.classList.remove("holding"));
    });
  }

  document.addEventListener("input", (event) => {
    if ("number" in event.target.dataset && event.target.checkValidity()) follow(event.target.form);
  });
  document.addEventListener("change", async (event) => {
    const el = event.target, into = el.dataset.into && byId(el.dataset.into);
    if ("intent" in el.dataset) {
      const number = el.form.querySelector("[data-number]");
      if (number) number.value = JSON.parse(el.value)[number.dataset.number];
      follow(el.form);
    }
    if (into && el.files[0]) into.value = await el.files[0].text();
    if ("shows" in el.dataset) send(el.form, { ...message(el.form), show: true });
  });

  // A photo is made smaller here, sent, and read by the box. The camera's own field is in no part that is replaced: while
  // a person aims, the page goes on.
  const camera = byId("camera"), WIDEST = 1600, FINE = 0.85;
  let aims = null;
  document.addEventListener("click", (event) => {
    aims = event.target.closest("[data-camera]") ?? aims;
    if (event.target.closest("[data-camera]")) camera.click();
  });

  async function smaller(file) {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, WIDEST / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return [canvas, await new Promise((go) => canvas.toBlob(go, "image/jpeg", FINE))];
  }

  async function show(file, button) {
    const [canvas, photo] = await smaller(file).catch(() => [null, file]);  // what cannot be opened here, the box refuses
    const url = new URL(button.dataset.camera, location);
    url.searchParams.set("command", commandId());
    const headers = { ...HEADERS, "Content-Type": photo.type || "image/jpeg" };
    const response = await reach(url, photo, 2, headers);
    if (response) await answered(response, button);
    const marked = sheet.querySelector("[data-marked]");
    if (marked && canvas) marked.prepend(canvas);
  }

  camera?.addEventListener("change", async () => {
    const file = camera.files[0], id = aims?.id, button = (id && byId(id)) ?? aims;
    camera.value = "";
    if (!file || !button) return;
    button.setAttribute("aria-busy", "true");
    try {
      await show(file, button);
    } finally {
      button.removeAttribute("aria-busy");
    }
  });

  // A file that is larger than what may be sent at once goes in parts, one after the other.
  const PART = 1 << 20, RAW = { ...HEADERS, "Content-Type": "application/octet-stream" };
  async function give(form) {
    const file = form.querySelector("[type=file]").files[0], bar = form.querySelector("progress");
    for (let at = 0; file; at += PART) {
      bar.hidden = false;
      bar.value = at / file.size;
      const url = `${form.dataset.parts}?at=${at}&of=${file.size}`, part = file.slice(at, at + PART);
      const response = await reach(url, part, MOST_TRIES, RAW);
      if (!response?.ok || at + PART >= file.size) return response && answered(response, form);
    }
  }

  document.addEventListener("submit", async ({ target: form }) => {
    if (!form.dataset.parts || form.busy) return;
    form.busy = true;
    const button = form.querySelector("button");
    button.setAttribute("aria-busy", "true");
    try {
      await give(form);
    } finally {
      form.busy = false;
      button.removeAttribute("aria-busy");
    }
  });

  // What the page brought is remembered before its letters are set, for that is what the box sends again.
  for (const el of document.querySelectorAll("[id]:has(text[textLength])")) shown.set(el.id, el.outerHTML);

  autoPost();
  globalThis.letters?.();
  fit();
  showLit();
})();
