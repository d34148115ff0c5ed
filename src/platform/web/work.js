"use strict";
// The worker, in which the program runs: it takes events from page.js, draws frames on the canvas that it was given, and
// says after each what page.js needs to know. page.js ends it when it does not come back.
(() => {
  let module, canvas, context, clipboard = false, stopped = false;
  let drawn = [0, 0]; // where the numbers of the last frame lie, and how many
  let pending = false, scheduled = 0, timer = 0, handled = 0, resting = 0;

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
      drawn = [numbers.byteOffset, numbers.length];
      draw(context, numbers, text_at);
    },
    save(numbers, width, height, name) {
      const picture = new OffscreenCanvas(width, height);
      draw(picture.getContext("2d", { alpha: false }), numbers, text_at);
      picture.convertToBlob().then(blob => postMessage({ save: blob, name }));
    },
    title(text) { postMessage({ title: text }); },
    fullscreen(on) { postMessage({ fullscreen: Boolean(on) }); },
    pointer(shown) { postMessage({ pointer: Boolean(shown) }); },
    choose() {
      postMessage({ choose: true });
      return true;
    },
    copy() { // the address, which opens the same place anywhere
      if (clipboard)
        postMessage({ copy: link() });
      return clipboard;
    },
  };

  /* ---- frames ---- */

  const next_turn = self.requestAnimationFrame ? run => requestAnimationFrame(run) : run => setTimeout(run, 16);
  const forget_turn = self.cancelAnimationFrame ? id => cancelAnimationFrame(id) : id => clearTimeout(id);

  function frame() {
    const began = performance.now(), came = pending;
    forget_turn(scheduled);
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
    if (wait === 0)
      scheduled = next_turn(frame);
    else if (wait > 0)
      timer = setTimeout(frame, Math.ceil(wait * 1000));
    postMessage({ handled, moves: wait === 0, took: performance.now() - began, memory: module.HEAPF32.byteLength });
    if (wait !== 0)
      rest();
  }

  // The program has ended: no memory is left, or there is a mistake in it.
  function stop(error) {
    stopped = true;
    postMessage({ stopped: String(error.message || error) });
    throw error;
  }

  // A frame is due in the next turn of the screen.
  function wake() {
    pending = true;
    if (!scheduled)
      scheduled = next_turn(frame);
  }

  // A frame must see each press, release and key: one that another event waits for is drawn first.
  function alone(pass) {
    if (pending)
      frame();
    pass();
    wake();
  }

  const link = () => module.ccall("web_link", "string", [], []);

  function rest() { // nothing moves: the address, what is kept and the mirror follow
    clearTimeout(resting);
    resting = setTimeout(() => postMessage({ link: link(), kept: kept(), shown: JSON.parse(shows()) }), 120);
  }

  function shows() {
    const address = module._web_shows(), text = module.UTF8ToString(address);
    module._free(address);
    return text;
  }

  /* ---- files ---- */

  const STATE = "/state/lanescope/progress.json";

  function keep(text) {
    if (text)
      module.FS.writeFile(STATE, text);
  }

  function kept() {
    try {
      return module.FS.readFile(STATE, { encoding: "utf8" });
    } catch { // there is nothing yet
      return "";
    }
  }

  const made = new Set(); // folders
  function make_folder(path) {
    if (!made.has(path))
      module.FS.mkdirTree(path);
    made.add(path);
  }

  const folder_of = path => path.replace(/[/][^/]*$/, "");

  // Puts the files of a tar archive in their places.
  function unpack(bytes) {
    const text = (at, most) => String.fromCharCode(...bytes.subarray(at, at + most)).replace(/\0.*/s, "");
    for (let at = 0; at + 512 <= bytes.length && bytes[at];) {
      const path = "/" + text(at, 100), size = parseInt(text(at + 124, 12), 8);
      if (bytes[at + 156] === 48) { // a file
        make_folder(folder_of(path));
        module.FS.writeFile(path, bytes.subarray(at + 512, at + 512 + size));
      }
      at += 512 + Math.ceil(size / 512) * 512;
    }
  }

  // A file that is fetched when it is first opened.
  function put_later(path, size, address) {
    make_folder(folder_of(path));
    module.FS.writeFile(path, new Uint8Array(0));
    const node = module.FS.lookupPath(path).node;
    let here = false;
    node.usedBytes = size;
    node.stream_ops = { ...node.stream_ops, open() {
      if (here)
        return;
      const request = new XMLHttpRequest();
      request.open("GET", address, false); // the program waits for its file
      request.responseType = "arraybuffer";
      try {
        request.send();
      } catch { } // no network: the status says so
      if (request.status !== 200)
        throw new module.FS.ErrnoError(29); // EIO
      node.contents = new Uint8Array(request.response);
      node.usedBytes = node.contents.length;
      here = true;
    } };
  }

  // What was measured is large, and a lesson needs only its own. from: the address of the page; "": there is nothing more.
  function put_recordings(from) {
    if (!from)
      return;
    for (const line of module.FS.readFile("/data/recordings.txt", { encoding: "utf8" }).trim().split("\n")) {
      const [name, size] = line.split(" ");
      put_later("/data/assets/recordings/" + name, Number(size), from + "recordings/" + name);
    }
  }

  function put_file(name, bytes) {
    const path = "/files/" + name.replace(/[/\\\0]/g, "_").slice(0, 200);
    module.FS.writeFile(path, bytes);
    return path;
  }

  /* ---- what page.js asks for ---- */

  const go = place => module.ccall("web_open_link", null, ["string"], [place]);
  const MOVE = 0;

  async function begin(how) {
    canvas = how.canvas;
    clipboard = how.clipboard;
    context = canvas.getContext("2d", { alpha: false });
    module = await lanescope({
      page: wishes,
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(how.program, imports).then(instance => done(instance), stop);
        return {};
      },
      preRun: [module => {
        module.ENV.LANESCOPE_DATA = "/data";
        module.ENV.XDG_STATE_HOME = "/state";
      }],
      onAbort: stop,
    });
    module.FS.mkdirTree("/state/lanescope");
    module.FS.mkdirTree("/files");
    unpack(how.pack);
    put_recordings(how.from);
    keep(how.kept);
    const wrong = module.ccall("web_begin", "string", ["number", "number", "number", "number", "number", "number"],
      [...how.size, how.dark, how.reduced, how.bare].map(Number));
    if (wrong) {
      postMessage({ stopped: wrong });
      return;
    }
    if (how.file)
      module.ccall("web_drop", null, ["string", "number"], [put_file(how.file.name, how.file.bytes), 0]);
    if (how.link)
      go(how.link);
    frame();
    postMessage({ begun: true });
  }

  const asked = {
    key: values => {
      const pass = () => module._web_key(...values);
      if (values[2]) { // repeated
        pass();
        wake();
      } else {
        alone(pass);
      }
    },
    mouse: values => {
      if (values[0] === MOVE) {
        module._web_mouse(...values);
        wake();
      } else {
        alone(() => module._web_mouse(...values));
      }
    },
    wheel: values => {
      module._web_wheel(...values);
      wake();
    },
    resize: values => {
      module._web_resize(...values);
      pending = true;
      frame(); // at once: a canvas of another size would show a stretched picture
    },
    file: ({ name, bytes, before }) => alone(() => {
      const path = put_file(name, bytes);
      if (before >= 0)
        module.ccall("web_drop", null, ["string", "number"], [path, before]);
    }),
    link: place => alone(() => go(place)),
    kept: keep,
    wake,
    leave: () => {
      module._web_leave();
      postMessage({ kept: kept() });
    },
    drawn: number => postMessage({ answer: number,
      shows: shapes_of(new Float32Array(module.HEAPF32.buffer, ...drawn), text_at) }),
    shows: number => postMessage({ answer: number, shows: JSON.parse(shows()) }),
  };

  warm_fonts(); // while the page waits for the program
  let ready = null;
  onmessage = async ({ data }) => {
    if (data.begin) {
      ready = begin(data.begin);
      ready.catch(stop);
      return;
    }
    await ready;
    if (stopped)
      return;
    if (data.number)
      handled = data.number;
    for (const [name, value] of Object.entries(data))
      if (asked[name])
        asked[name](value);
  };
})();
