"use strict";
// The page around the program, which runs in a worker (work.js): events, the address, what is kept, files, the mirror for
// screen readers, and a button that stops the program. The same script serves a report, one HTML file that holds
// everything (bundle.py): what would be fetched stands in elements of the file.
(() => {
  const LEAST_WIDTH = 512, LEAST_HEIGHT = 300; // points: what the layouts need
  const KEPT = "lanescope progress";
  const element = name => document.getElementById(name);
  const mirror = element("mirror"), said = element("said"), chooser = element("chooser");
  const working = element("working"), report = element("lanescope-program");
  const embedded = report !== null || new URLSearchParams(location.search).has("embed");
  const times = { frames: [] };
  let canvas = element("window"), worker = null, spare = null, parts = null; // spare: a worker that has not begun

  const KOREAN = {
    "Lanescope is loading …": "Lanescope를 불러오는 중입니다…",
    "Lanescope is working …": "계산하는 중입니다…",
    "Stop": "멈추기",
    "Save progress": "진도 저장",
    "Load progress": "진도 불러오기",
    "Stopped. What was running is closed.": "멈췄습니다. 실행하던 것을 닫았습니다.",
    "Lanescope needs WebAssembly, which this browser does not have: use one of the last three years.":
      "Lanescope에는 WebAssembly가 필요하지만 이 브라우저에는 없습니다. 최근 3년 안의 브라우저를 사용하십시오.",
    "Lanescope needs OffscreenCanvas, which this browser does not have: use one of the last three years.":
      "Lanescope에는 OffscreenCanvas가 필요하지만 이 브라우저에는 없습니다. 최근 3년 안의 브라우저를 사용하십시오.",
    "Lanescope has stopped (%). Load the page again; what you answered is kept.":
      "Lanescope가 멈췄습니다(%). 페이지를 다시 여십시오. 답한 것은 남아 있습니다.",
    "Lanescope could not start: %": "Lanescope를 시작하지 못했습니다: %",
    "% has more than 16 MiB, the most that this page opens: use Lanescope on a computer.":
      "%의 크기가 이 페이지의 한계인 16 MiB를 넘습니다. 컴퓨터에서 Lanescope로 여십시오.",
  };

  function in_words(text, part) {
    const korean = /lang=ko/.test(place || location.hash) || document.documentElement.lang === "ko";
    return ((korean && KOREAN[text]) || text).replace("%", () => part);
  }

  function say(text) {
    said.classList.toggle("line", begun || said.dataset.stays !== undefined); // below the picture, not over it
    said.textContent = text;
    said.hidden = !text;
  }

  /* ---- the worker ---- */

  // place: where the program is, as an address; number: of the last event, handled: that of the last one in a frame.
  let place = "", number = 0, handled = 0, moves = true, heard = 0, begun = false, waiting = new Map();

  function tell(what, moved = []) {
    if (worker)
      worker.postMessage({ ...what, number: ++number }, moved);
  }

  function start(link, file) {
    if (worker) { // a canvas that was handed over is the worker's for ever
      const fresh = canvas.cloneNode(false);
      worker.terminate();
      canvas.replaceWith(fresh);
      canvas = fresh;
    }
    worker = spare || new Worker(parts.script);
    spare = null;
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = event => end(event.message);
    begun = false;
    moves = true;
    number = handled = 0;
    heard = performance.now();
    const screen = canvas.transferControlToOffscreen();
    worker.postMessage({ begin: {
      canvas: screen, program: parts.program, pack: parts.pack, from: parts.from, size: size(), kept: read_kept(), link, file,
      dark: prefers("(prefers-color-scheme: dark)"), reduced: prefers("(prefers-reduced-motion: reduce)"), bare: embedded,
      clipboard: Boolean(navigator.clipboard) } }, [screen]);
    listen_to_canvas();
  }

  function end(reason) {
    if (worker)
      worker.terminate();
    worker = null;
    working.hidden = true;
    say(in_words("Lanescope has stopped (%). Load the page again; what you answered is kept.", reason));
  }

  function hear(data) {
    heard = performance.now();
    working.hidden = true;
    if (data.took !== undefined) {
      times.frames.push(data.took);
      if (times.frames.length > 4096)
        times.frames.shift();
      times.memory = data.memory;
      ({ handled, moves } = data);
    }
    if (data.begun) {
      begun = true;
      times.first = times.first || performance.now();
      if (!said.dataset.stays)
        say("");
      delete said.dataset.stays;
      if (!embedded)
        canvas.focus();
      window.lanescope_page = page;
      if (navigator.serviceWorker && location.protocol !== "file:" && !report)
        navigator.serviceWorker.register("worker.js").catch(() => {}); // the page works without it, with a network
    }
    if (data.title !== undefined && !report)
      document.title = data.title;
    if (data.fullscreen !== undefined)
      fullscreen(data.fullscreen);
    if (data.pointer !== undefined)
      canvas.style.cursor = data.pointer ? "" : "none";
    if (data.choose)
      choose();
    if (data.copy !== undefined) {
      write_address(data.copy);
      navigator.clipboard.writeText(location.href).catch(() => {});
    }
    if (data.save)
      download(data.save, data.name);
    if (data.link !== undefined)
      write_address(data.link);
    if (data.kept)
      keep(data.kept);
    if (data.shown)
      reflect(data.shown);
    if (data.stopped)
      end(data.stopped);
    if (data.answer) {
      waiting.get(data.answer)(data.shows);
      waiting.delete(data.answer);
    }
  }

  // While the program does not come back, a button ends it. A page that nobody sees gets no frames: that is no reason.
  const busy = () => worker !== null && (number !== handled || moves);
  setInterval(() => {
    const long = performance.now() - heard > (begun ? 1000 : 8000);
    if (busy() && long && document.visibilityState === "visible" && working.hidden) {
      working.firstElementChild.textContent = in_words("Lanescope is working …");
      working.lastElementChild.textContent = in_words("Stop");
      working.hidden = false;
    }
  }, 250);

  // The lesson that was open opens again where it was; a file, which may be what does not end, does not.
  function stop() {
    working.hidden = true;
    said.dataset.stays = "yes";
    say(in_words("Stopped. What was running is closed."));
    setTimeout(say, 6000, "");
    start(begun && !place.startsWith("file/") ? place : "");
  }

  function fullscreen(on) {
    const change = on ? document.documentElement.requestFullscreen : document.exitFullscreen;
    if (change && on !== Boolean(document.fullscreenElement))
      change.call(on ? document.documentElement : document).catch(() => {});
  }

  function download(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
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
  const OURS_WITH_CONTROL = [...(report ? [] : ["KeyS"]), "KeyC", "KeyO", "Minus", "Equal", "Digit0", "NumpadAdd", "NumpadSubtract", "ArrowRight",
    "ArrowLeft", "ArrowUp", "ArrowDown"];
  const modifiers = event => (event.shiftKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.altKey ? 4 : 0);

  function key(event) {
    const code = KEYS[event.code];
    if (!code || event.metaKey || event.isComposing || (event.ctrlKey && !OURS_WITH_CONTROL.includes(event.code)))
      return; // the browser's own
    if (!working.hidden || (embedded && event.code === "Tab"))
      return; // for the button, or leads on through the page around
    if (event.target.tagName === "BUTTON" && (event.code === "Enter" || event.code === "Space"))
      return; // presses it
    event.preventDefault();
    if (event.code === "KeyS" && event.ctrlKey) {
      give_progress();
      return;
    }
    tell({ key: [code, modifiers(event), event.repeat ? 1 : 0] });
  }

  const MOVE = 0, DOWN = 1, UP = 2, SECOND = 3, LEAVE = 4;
  function mouse(kind, event) {
    const box = canvas.getBoundingClientRect(), [width, height] = size();
    tell({ mouse: [kind, (event.clientX - box.left) * width / box.width, (event.clientY - box.top) * height / box.height,
      modifiers(event)] });
  }

  const observer = typeof ResizeObserver === "function" ? new ResizeObserver(() => tell({ resize: size() })) : null;

  function listen_to_canvas() {
    if (embedded)
      canvas.addEventListener("keydown", key);
    canvas.addEventListener("pointermove", event => {
      if (event.isPrimary)
        mouse(MOVE, event);
    });
    canvas.addEventListener("pointerdown", event => {
      if (!event.isPrimary)
        return;
      canvas.focus();
      if (event.button === 0)
        canvas.setPointerCapture(event.pointerId);
      if (event.pointerType !== "mouse")
        mouse(MOVE, event); // a finger was nowhere before
      if (event.button === 0 || event.button === 2)
        mouse(event.button === 2 ? SECOND : DOWN, event);
    });
    canvas.addEventListener("pointerup", event => {
      if (!event.isPrimary || event.button !== 0)
        return;
      mouse(UP, event);
      if (event.pointerType !== "mouse")
        mouse(LEAVE, event);
    });
    canvas.addEventListener("pointercancel", event => {
      mouse(UP, event);
      mouse(LEAVE, event);
    });
    canvas.addEventListener("pointerleave", event => mouse(LEAVE, event));
    canvas.addEventListener("contextmenu", event => event.preventDefault());
    canvas.addEventListener("wheel", event => {
      if (event.ctrlKey || (embedded && document.activeElement !== canvas))
        return; // zooms the page; scrolls the page around
      event.preventDefault();
      const turn = event.deltaMode === 0 ? 100 : event.deltaMode === 1 ? 3 : 1;
      tell({ wheel: [-event.deltaY / turn, modifiers(event)] });
    }, { passive: false });
    observer.disconnect();
    observer.observe(canvas);
  }

  function listen() {
    if (!embedded)
      window.addEventListener("keydown", key);
    document.addEventListener("fullscreenchange", () => tell({ wake: true }));
    document.addEventListener("visibilitychange", leave);
    window.addEventListener("pagehide", leave);
    window.addEventListener("storage", () => worker && worker.postMessage({ kept: read_kept() }));
    window.addEventListener("popstate", () => tell({ link: read_address() }));
    working.lastElementChild.addEventListener("click", stop);
  }

  /* ---- files ---- */

  const MOST_BYTES = 16 << 20; // reading and showing a trace takes up to 64 times its size
  async function open_files(files) {
    // What a compiler made of mine.cu, mine.ptx, is put beside it, and is not opened itself.
    const beside = file => file.name.endsWith(".ptx") &&
      Array.from(files).some(other => other.name === file.name.slice(0, -3) + "cu");
    const order = Array.from(files).sort((one, other) => beside(other) - beside(one));
    let before = 0;
    for (const file of order) {
      if (file.size > MOST_BYTES) {
        say(in_words("% has more than 16 MiB, the most that this page opens: use Lanescope on a computer.", file.name));
        setTimeout(say, 6000, "");
        continue;
      }
      const bytes = new Uint8Array(await file.arrayBuffer());
      tell({ file: { name: file.name, bytes, before: beside(file) ? -1 : before++ } }, [bytes.buffer]);
    }
  }

  function choose() {
    chooser.value = ""; // the same file may be chosen again
    chooser.click();
  }

  function listen_for_files() {
    window.addEventListener("dragover", event => event.preventDefault());
    window.addEventListener("drop", event => {
      event.preventDefault();
      open_files(event.dataTransfer.files);
    });
    if (buttons) {
      buttons.firstElementChild.addEventListener("click", give_progress);
      buttons.lastElementChild.addEventListener("click", choose);
    }
    chooser.addEventListener("change", () => open_files(chooser.files));
  }

  /* ---- what is kept: nothing of a report ---- */

  let kept = null;
  function read_kept() {
    try {
      return report ? null : (kept = localStorage.getItem(KEPT));
    } catch { // a browser that keeps nothing
      return null;
    }
  }

  function keep(now) {
    try {
      if (now !== kept && !report)
        localStorage.setItem(KEPT, kept = now);
    } catch { } // nothing may be kept
  }

  // The same file as the desktop's: dropped on another page, or on the window, it is taken over.
  function give_progress() {
    download(new Blob([read_kept() || kept || '{"version": 1, "lessons": {}}'], { type: "application/json" }), "progress.json");
  }

  // Where nobody may have keys, the list of lessons has buttons for it.
  const buttons = element("progress");
  function show_buttons(link) {
    if (!buttons)
      return;
    buttons.hidden = embedded || !navigator.maxTouchPoints || !/^([?]|$)/.test(link);
    ["Save progress", "Load progress"].forEach((words, i) => { buttons.children[i].textContent = in_words(words); });
  }

  function leave() {
    if (worker)
      worker.postMessage({ leave: true });
  }

  /* ---- the address ---- */

  // A report's own file needs no name there: #access=41 is enough.
  const about = canvas.dataset;
  const own = about.name ? "file/" + about.name.replace(/[%?&=# "<>]/g, // as link.c writes it
    letter => "%" + letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")) : "";
  const outside = link => own && link.startsWith(own + "?") ? link.slice(own.length + 1) : link;

  // Another lesson or step is another place in the browser's history; a knob changes the place where one is.
  function write_address(link) {
    const now = "#" + outside(link);
    place = link;
    show_buttons(link);
    if (location.hash === now)
      return;
    const step = text => text.replace(/[?].*/, "");
    const moved = !report && step(decodeURI(location.hash)) !== step(now) && location.hash !== "";
    history[moved ? "pushState" : "replaceState"](null, "", now);
  }

  // A report is in the language that it was written in, unless its address names another one.
  function read_address() {
    const text = location.hash.slice(1);
    if (!own || (text && !/^(access|lang)=/.test(text)))
      return text;
    const language = /lang=/.test(text) ? "" : `lang=${document.documentElement.lang}`;
    return `${own}?${[text, language].filter(Boolean).join("&")}`;
  }

  /* ---- the mirror ---- */

  // The texts on screen in the order of reading, for those who hear them; behind them the tips of what has no text. What
  // takes the mouse is a button, described by its tip. Lines that stay are not touched, so that only what is new is read out.
  function lines_of({ texts, controls, tips }) {
    const inside = ([x, y, width, height], [left, top, wide, high]) =>
      x + width / 2 >= left && x + width / 2 <= left + wide && y + height / 2 >= top && y + height / 2 <= top + high;
    const smallest = box => controls.filter(control => inside(box, control))
      .sort((a, b) => a[2] * a[3] - b[2] * b[3])[0];
    const labelled = new Set(), lines = [];
    let open = null; // the button of the line before
    for (const { text, box } of texts) {
      const control = smallest(box);
      if (control && control === open) {
        lines[lines.length - 1].text += " " + text;
      } else {
        open = control && !labelled.has(control) ? control : null;
        lines.push({ text, at: open });
        labelled.add(control);
      }
    }
    const tip_of = control => tips.find(({ box }) => inside(control, box) && inside(box, control))?.text;
    for (const line of lines)
      line.tip = line.at && tip_of(line.at);
    for (const control of controls) {
      const tip = !labelled.has(control) && tip_of(control);
      if (tip)
        lines.push({ text: tip, at: control });
    }
    return lines;
  }

  function press([x, y, width, height]) {
    for (const kind of [MOVE, DOWN, UP, LEAVE])
      tell({ mouse: [kind, x + width / 2, y + height / 2, 0] });
  }

  function reflect(shown) {
    let old = mirror.firstElementChild;
    for (const { text, at, tip } of lines_of(shown)) {
      const name = at ? "BUTTON" : "P";
      let line = old;
      while (line && (line.tagName !== name || line.textContent !== text))
        line = line.nextElementSibling;
      if (line) {
        remove_lines(old, line); // what stood between them is gone
        old = line.nextElementSibling;
      } else {
        line = document.createElement(name);
        line.textContent = text;
        mirror.insertBefore(line, old);
      }
      if (at) {
        line.tabIndex = -1; // found by those who read the mirror, not by the key Tab
        line.onclick = () => press(at);
        if (line.title !== (tip || ""))
          line.title = tip || "";
      }
    }
    remove_lines(old, null);
  }

  function remove_lines(first, end) {
    for (let line = first; line !== end;) {
      const gone = line;
      line = line.nextElementSibling;
      gone.remove();
    }
  }

  /* ---- the beginning ---- */

  const prefers = query => window.matchMedia(query).matches;
  const SCRIPTS = ["draw.js", "lanescope.js", "work.js"];

  const bytes_of = text => Uint8Array.from(atob(text.replace(/\s/g, "")), letter => letter.charCodeAt(0));

  // The bytes that an element of the report holds, in base64, packed by gzip.
  async function unpacked(name) {
    const packed = new Blob([bytes_of(element(name).textContent)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(packed).arrayBuffer());
  }

  async function fetched(name) {
    const answer = await fetch(name);
    if (!answer.ok)
      throw new Error(`${name}: ${answer.status}`);
    return answer;
  }

  async function compiled() {
    const answer = await fetched("lanescope.wasm");
    return (answer.headers.get("content-type") || "").startsWith("application/wasm") ?
      WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
  }

  async function all_parts() {
    const script = texts => URL.createObjectURL(new Blob(texts, { type: "text/javascript" }));
    if (report)
      return { script: script([await unpacked("lanescope-work")]), pack: await unpacked("lanescope-pack"), from: "",
        program: await WebAssembly.compile(await unpacked("lanescope-program")) };
    const rest = Promise.all([compiled(), fetched("lanescope.tar").then(answer => answer.arrayBuffer())]);
    rest.catch(() => {}); // awaited below
    const texts = await Promise.all(SCRIPTS.map(name => fetched(name).then(answer => answer.text())));
    const address = script(texts.map(text => text + "\n"));
    spare = new Worker(address); // it starts, and fonts are found, while the program is compiled
    const [program, pack] = await rest;
    return { script: address, program, pack: new Uint8Array(pack), from: location.href.replace(/[?#].*/, "").replace(/[^/]*$/, "") };
  }

  let asks = 0;
  const ask = what => new Promise(done => {
    waiting.set(++asks, done);
    worker.postMessage({ [what]: asks });
  });
  const page = {
    times,
    busy,
    shows: () => ask("shows"), // what is on screen, as the desktop's window says it
    drawn: () => ask("drawn"), // the shapes of the last frame
    size,
  };

  async function begin() {
    for (const [name, there] of [["WebAssembly", typeof WebAssembly === "object"],
                                 ["OffscreenCanvas", canvas.transferControlToOffscreen !== undefined]])
      if (!there) {
        say(in_words(`Lanescope needs ${name}, which this browser does not have: use one of the last three years.`));
        return;
      }
    say(in_words("Lanescope is loading …"));
    parts = await all_parts();
    const trace = report && element("lanescope-trace");
    const link = read_address() || about.link || "";
    start(link, trace && about.name ? { name: about.name, bytes: bytes_of(trace.textContent) } : null);
    listen();
    listen_for_files();
  }

  begin().catch(error => say(in_words("Lanescope could not start: %", String(error))));
})();
