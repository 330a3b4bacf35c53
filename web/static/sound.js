// A sound for each moment that matters to whoever holds this phone, where they asked for it: made here, of no files.
"use strict";
(() => {
  // Pitch in hertz and length in seconds, one after the other; 0 hertz is a rest.
  const TUNES = {
    turn: [[659, 0.09], [880, 0.16]],
    refused: [[196, 0.16], [0, 0.05], [165, 0.26]],
    duel: [[330, 0.08], [392, 0.08], [330, 0.08], [494, 0.2]],
    end: [[523, 0.14], [659, 0.14], [784, 0.14], [1047, 0.4]],
  };
  const LOUD = 0.18, FADE = 0.03;
  let speaker = null;

  function play(name) {
    speaker ??= new AudioContext();
    if (speaker.state !== "running") { speaker.resume(); return; }  // nobody has touched this page yet
    let at = speaker.currentTime + 0.02;
    for (const [hertz, seconds] of TUNES[name]) {
      if (hertz) tone(hertz, at, seconds);
      at += seconds;
    }
  }

  function tone(hertz, at, seconds) {
    const wave = new OscillatorNode(speaker, { type: "triangle", frequency: hertz });
    const gain = new GainNode(speaker, { gain: 0 });
    gain.gain.setValueAtTime(LOUD, at);
    gain.gain.linearRampToValueAtTime(0, at + seconds + FADE);
    wave.connect(gain).connect(speaker.destination);
    wave.start(at);
    wave.stop(at + seconds + FADE);
  }

  // Who chooses sounds hears at once what they are like.
  document.addEventListener("change", (event) => {
    if (event.target.name !== "sound" || event.target.value !== "yes") return;
    speaker ??= new AudioContext();
    speaker.resume().then(() => play("turn"));
  });
  if (!("sound" in document.body.dataset)) return;

  const wake = () => { speaker ??= new AudioContext(); speaker.resume(); };
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, wake, { once: true });

  const now = () => ({
    isMine: document.getElementById("icon").href.includes("icon-turn"),
    moments: new Set([...document.querySelectorAll("[data-moment]")].map((el) => el.dataset.moment)),
    isRefused: document.querySelector("#sheet[open] .stamp:not(.go)") !== null,
  });
  let before = now();

  // One sound at a time, the weightiest: the end is no time to hear whose turn it was.
  function listen() {
    const after = now(), fresh = [...after.moments].filter((each) => !before.moments.has(each)).map((each) => each.split(" ")[0]);
    const name = ["end", "duel"].find((each) => fresh.includes(each))
      ?? (after.isRefused && !before.isRefused ? "refused" : after.isMine && !before.isMine ? "turn" : null);
    before = after;
    if (name) play(name);
  }
  for (const [el, what] of [[document.head, { childList: true }], [document.getElementById("main"), { childList: true }], [document.getElementById("sheet"), { childList: true, attributes: true }]]) {
    new MutationObserver(listen).observe(el, what);
  }
})();
