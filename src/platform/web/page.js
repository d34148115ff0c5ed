"use strict";
// The page around the program: events, frames, the address, what is kept, files, and the mirror for screen readers.
(() => {
  const LEAST_WIDTH = 512, LEAST_HEIGHT = 300; // points: what the layouts need
  const KEPT = "lanescope progress", STATE = "/state/lanescope/progress.json";
  const canvas = document.getElementById("window"), mirror = document.getElementById("mirror");
  const said = document.getElementById("said"), chooser = document.getElementById("chooser");
  const embedded = new URLSearchParams(location.search).has("embed");
  const context = canvas.getContext("2d", { alpha: false });
  const times = { frames: [], worst: 0 };
  let module, pending = false, scheduled = 0, timer = 0, stopped = false;

  function say(text) {
    said.textContent = text;
    said.hidden = !text;
  }

  /* ---- the program's wishes ---- */

  const text_at = address => module.UTF8ToString(address);
  const wishes = {
    advance: measure.advance,
    ink: measure.ink,
    paint(numbers, width, height) {
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      draw(context, numbers, text_at);
    },
    save(numbers, width, height, name) {
      const picture = document.createElement("canvas");
      picture.width = width;
      picture.height = height;
      draw(picture.getContext("2d", { alpha: false }), numbers, text_at);
      picture.toBlob(blob => download(blob, name));
    },
    title(text) {
      document.title = text;
    },
    fullscreen(on) {
      const change = on ? document.documentElement.requestFullscreen : document.exitFullscreen;
      if (change && on !== Boolean(document.fullscreenElement))
        change.call(on ? document.documentElement : document).catch(() => {});
    },
    pointer(shown) {
      canvas.style.cursor = shown ? "" : "none";
    },
    choose() {
      chooser.value = "";
      chooser.click();
      return true;
    },
    copy() { // the address, which opens the same place anywhere
      if (!navigator.clipboard)
        return false;
      write_address();
      navigator.clipboard.writeText(location.href).catch(() => {});
      return true;
    },
  };

  function download(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /* ---- frames ---- */

  function frame() {
    const began = performance.now(), came = pending;
    cancelAnimationFrame(scheduled);
    clearTimeout(timer);
    scheduled = timer = 0;
    pending = false;
    let wait;
    try {
      wait = module._web_frame(came ? 1 : 0);
    } catch (error) {
      stop(error);
      return;
    }
    const took = performance.now() - began;
    times.frames.push(took);
    if (times.frames.length > 4096)
      times.frames.shift();
    if (wait === 0)
      scheduled = requestAnimationFrame(frame);
    else if (wait > 0)
      timer = setTimeout(frame, Math.ceil(wait * 1000));
    if (wait !== 0)
      rest();
  }

  // The program has ended: no memory is left, or there is a mistake in it.
  function stop(error) {
    stopped = true;
    say(`Lanescope has stopped (${error.message || error}). Load the page again; what you answered is kept.`);
    throw error;
  }

  // A frame is due in the next turn of the screen.
  function wake() {
    if (stopped)
      return;
    pending = true;
    if (!scheduled)
      scheduled = requestAnimationFrame(frame);
  }

  // A frame must see each press, release and key: one that another event waits for is drawn first.
  function alone(pass) {
    if (stopped)
      return;
    if (pending)
      frame();
    pass();
    wake();
  }

  let resting = 0;
  function rest() { // nothing moves: the address, what is kept and the mirror follow
    clearTimeout(resting);
    resting = setTimeout(() => {
      write_address();
      keep();
      reflect();
    }, 120);
  }

  /* ---- the size ---- */

  function size() {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    return [width, height, Math.min(ratio, width / LEAST_WIDTH, height / LEAST_HEIGHT)];
  }

  /* ---- keys, mouse, touch ---- */

  const KEYS = (() => {
    const keys = {
      Digit0: 39, Enter: 40, Escape: 41, Backspace: 42, Tab: 43, Space: 44, Minus: 45, Equal: 46, BracketLeft: 47,
      BracketRight: 48, Backslash: 49, Semicolon: 51, Quote: 52, Backquote: 53, Comma: 54, Period: 55, Slash: 56, Home: 74,
      PageUp: 75, Delete: 76, End: 77, PageDown: 78, ArrowRight: 79, ArrowLeft: 80, ArrowDown: 81, ArrowUp: 82,
      NumpadSubtract: 86, NumpadAdd: 87, NumpadEnter: 88, Numpad0: 98, F1: 58, F6: 63, F11: 68,
    };
    for (let i = 0; i < 26; i++)
      keys["Key" + String.fromCharCode(65 + i)] = 4 + i;
    for (let i = 1; i < 10; i++) {
      keys["Digit" + i] = 29 + i;
      keys["Numpad" + i] = 88 + i;
    }
    return keys;
  })();
  const OURS_WITH_CONTROL = ["KeyC", "KeyO", "Minus", "Equal", "Digit0", "NumpadAdd", "NumpadSubtract", "ArrowRight",
    "ArrowLeft", "ArrowUp", "ArrowDown"];
  const modifiers = event => (event.shiftKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.altKey ? 4 : 0);

  function key(event) {
    const code = KEYS[event.code];
    if (!code || event.metaKey || event.isComposing || (event.ctrlKey && !OURS_WITH_CONTROL.includes(event.code)))
      return; // the browser's own
    if (embedded && event.code === "Tab")
      return; // leads on through the page around
    event.preventDefault();
    const pass = () => module._web_key(code, modifiers(event), event.repeat ? 1 : 0);
    if (event.repeat) {
      pass();
      wake();
    } else {
      alone(pass);
    }
  }

  const MOVE = 0, DOWN = 1, UP = 2, SECOND = 3, LEAVE = 4;
  function mouse(kind, event) {
    const box = canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) * canvas.width / box.width, y = (event.clientY - box.top) * canvas.height / box.height;
    module._web_mouse(kind, x, y, modifiers(event));
  }

  function listen() {
    (embedded ? canvas : window).addEventListener("keydown", key);
    canvas.addEventListener("pointermove", event => {
      if (event.isPrimary) {
        mouse(MOVE, event);
        wake();
      }
    });
    canvas.addEventListener("pointerdown", event => {
      if (!event.isPrimary)
        return;
      canvas.focus();
      if (event.button === 0)
        canvas.setPointerCapture(event.pointerId);
      if (event.pointerType !== "mouse")
        alone(() => mouse(MOVE, event)); // a finger was nowhere before
      if (event.button === 0 || event.button === 2)
        alone(() => mouse(event.button === 2 ? SECOND : DOWN, event));
    });
    canvas.addEventListener("pointerup", event => {
      if (!event.isPrimary || event.button !== 0)
        return;
      alone(() => mouse(UP, event));
      if (event.pointerType !== "mouse")
        alone(() => mouse(LEAVE, event));
    });
    canvas.addEventListener("pointercancel", event => alone(() => { mouse(UP, event); mouse(LEAVE, event); }));
    canvas.addEventListener("pointerleave", event => {
      mouse(LEAVE, event);
      wake();
    });
    canvas.addEventListener("contextmenu", event => event.preventDefault());
    canvas.addEventListener("wheel", event => {
      if (event.ctrlKey)
        return; // zooms the page
      event.preventDefault();
      const turn = event.deltaMode === 0 ? 100 : event.deltaMode === 1 ? 3 : 1;
      module._web_wheel(-event.deltaY / turn, modifiers(event));
      wake();
    }, { passive: false });
    new ResizeObserver(() => {
      module._web_resize(...size());
      pending = true;
      frame(); // at once: a canvas of another size would show a stretched picture
    }).observe(canvas);
    document.addEventListener("fullscreenchange", wake);
    document.addEventListener("visibilitychange", leave);
    window.addEventListener("pagehide", leave);
    window.addEventListener("storage", take_kept);
  }

  /* ---- files ---- */

  const MOST_BYTES = 16 << 20; // reading and showing a trace takes up to 64 times its size
  async function open_files(files) {
    let before = 0;
    for (const file of files) {
      if (file.size > MOST_BYTES) {
        say(`${file.name} has more than ${MOST_BYTES >> 20} MiB, the most that this page opens: use Lanescope on a computer.`);
      setTimeout(say, 6000, "");
        continue;
      }
      const path = "/files/" + file.name.replace(/[/\\\0]/g, "_"), bytes = new Uint8Array(await file.arrayBuffer());
      module.FS.writeFile(path, bytes);
      alone(() => module.ccall("web_drop", null, ["string", "number"], [path, before++]));
    }
  }

  function listen_for_files() {
    window.addEventListener("dragover", event => event.preventDefault());
    window.addEventListener("drop", event => {
      event.preventDefault();
      open_files(event.dataTransfer.files);
    });
    chooser.addEventListener("change", () => open_files(chooser.files));
  }

  /* ---- what is kept ---- */

  let kept = null;
  function take_kept() {
    try {
      kept = localStorage.getItem(KEPT);
      if (kept)
        module.FS.writeFile(STATE, kept);
    } catch { } // a browser that keeps nothing
  }

  function keep() {
    try {
      const now = module.FS.readFile(STATE, { encoding: "utf8" });
      if (now !== kept)
        localStorage.setItem(KEPT, kept = now);
    } catch { } // there is nothing yet, or nothing may be kept
  }

  function leave() {
    module._web_leave();
    keep();
  }

  /* ---- the address ---- */

  // Another lesson or step is another place in the browser's history; a knob changes the place where one is.
  function write_address() {
    const link = module.ccall("web_link", "string", [], []), now = "#" + link;
    if (location.hash === now)
      return;
    const place = text => text.replace(/[?].*/, "");
    const moved = place(decodeURI(location.hash)) !== place(now) && location.hash !== "";
    history[moved ? "pushState" : "replaceState"](null, "", now);
  }

  function read_address() {
    alone(() => module.ccall("web_open_link", null, ["string"], [location.hash.slice(1)]));
  }

  /* ---- the mirror ---- */

  function shows() {
    const address = module._web_shows(), text = module.UTF8ToString(address);
    module._free(address);
    return text;
  }

  // The texts on screen in the order of reading, for those who hear them.
  function reflect() {
    const lines = JSON.parse(shows()).texts.map(text => text.text).join("\n");
    if (mirror.textContent !== lines)
      mirror.textContent = lines;
  }

  /* ---- the beginning ---- */

  const prefers = query => window.matchMedia(query).matches;

  async function begin() {
    if (typeof WebAssembly !== "object") {
      say("Lanescope needs WebAssembly, which this browser does not have: use one of the last three years.");
      return;
    }
    const began = performance.now();
    module = await lanescope({
      page: wishes,
      preRun: [module => {
        module.ENV.LANESCOPE_DATA = "/data";
        module.ENV.XDG_STATE_HOME = "/state";
        module.FS.mkdirTree("/state/lanescope");
        module.FS.mkdirTree("/files");
      }],
    });
    times.loaded = performance.now() - began;
    take_kept();
    const wrong = module.ccall("web_begin", "string", ["number", "number", "number", "number", "number", "number"],
      [...size(), prefers("(prefers-color-scheme: dark)"), prefers("(prefers-reduced-motion: reduce)"), embedded].map(Number));
    if (wrong) {
      say(wrong);
      return;
    }
    if (location.hash.length > 1)
      module.ccall("web_open_link", null, ["string"], [location.hash.slice(1)]);
    listen();
    listen_for_files();
    window.addEventListener("popstate", read_address);
    say("");
    if (!embedded)
      canvas.focus();
    frame();
    times.first = performance.now();
    if (navigator.serviceWorker && location.protocol !== "file:")
      navigator.serviceWorker.register("worker.js").catch(() => {}); // the page works without it, with a network
    window.lanescope_page = { module, shows: () => JSON.parse(shows()), times, busy: () => pending || scheduled !== 0 };
  }

  begin().catch(error => say("Lanescope could not start: " + error));
})();
