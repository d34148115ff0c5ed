"use strict";
// Draws frames, which paint.c writes as lists of numbers, on a canvas, and measures text. Text is drawn with neither
// kerning nor ligatures, so that a line is as wide as its characters.
const fonts = (() => {
  const korean = "NanumGothic, 'Nanum Gothic', 'Noto Sans KR', 'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'Malgun Gothic'";
  const plain = `'Noto Sans', 'Segoe UI', Roboto, 'Helvetica Neue', 'JetBrains Mono', ${korean}, system-ui, sans-serif`;
  const code = `'JetBrains Mono', ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', ${korean}, monospace`;
  return [size => `${size}px ${plain}`, size => `bold ${size}px ${plain}`, size => `${size}px ${code}`];
})();

function use_font(context, role, size) {
  context.font = fonts[role](size);
  context.fontKerning = "none";
  context.textRendering = "geometricPrecision";
  context.letterSpacing = role === 2 ? "0.001px" : "0px"; // any spacing switches ligatures off
}

const measure = (() => {
  const SIZE = 200, context = new OffscreenCanvas(1, 1).getContext("2d");
  let role_before = -1;
  function prepare(role) {
    if (role !== role_before)
      use_font(context, role, SIZE);
    role_before = role;
  }
  return {
    advance(role, code) {
      prepare(role);
      return context.measureText(String.fromCodePoint(code)).width / SIZE;
    },
    // The letters that reach highest and lowest, as on the desktop.
    ink(role, below) {
      prepare(role);
      const size = context.measureText("HdlgpyQ8한글");
      return (below ? size.actualBoundingBoxDescent : size.actualBoundingBoxAscent) / SIZE;
    },
  };
})();

// A browser looks for a font when text is first measured or drawn with it.
function warm_fonts() {
  const context = new OffscreenCanvas(8, 8).getContext("2d", { alpha: false });
  for (const role of [0, 1, 2]) {
    measure.ink(role, 0);
    use_font(context, role, 13);
    context.fillText("a한", 0, 8);
  }
}

const RECT = 1, PATH = 2, CURVE = 3, TEXT = 4, CLIP = 5, CLIP_END = 6;

// A frame's shapes as values, for those who compare pictures: ["rect", colour, pen's width, x, y, w, h], ["path", colour,
// pen's width, dash, x, y, ...], ["text", colour, role, size, x, y, text]. Curves are paths of four points; clips are left out.
function shapes_of(numbers, text_at) {
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length), shapes = [];
  for (let at = 0; at < numbers.length;) {
    const kind = numbers[at++], list = (from, count) => Array.from(numbers.subarray(at + from, at + from + count));
    if (kind === RECT) {
      shapes.push(["rect", bits[at], numbers[at + 1], ...list(3, 4)]);
      at += 8;
    } else if (kind === PATH || kind === CURVE) {
      const count = kind === CURVE ? 4 : numbers[at + 3], begin = kind === CURVE ? 3 : 4;
      shapes.push(["path", bits[at], ...list(1, 2), ...list(begin, 2 * count)]);
      at += begin + 2 * count;
    } else if (kind === TEXT) {
      shapes.push(["text", bits[at], ...list(1, 4), text_at(bits[at + 5])]);
      at += 6;
    } else {
      at += kind === CLIP ? 4 : 0;
    }
  }
  return shapes;
}

// text_at: returns the text at an address of the program's memory.
function draw(context, numbers, text_at) {
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  let at = 0, fill = -1, stroke = -1, font = "", width = -1, dash = 0;
  const name = color => {
    const alpha = color >>> 24, rgb = `${color & 255},${color >>> 8 & 255},${color >>> 16 & 255}`;
    return alpha === 255 ? `rgb(${rgb})` : `rgba(${rgb},${alpha / 255})`;
  };
  const fill_with = color => {
    if (color !== fill)
      context.fillStyle = name(fill = color);
  };
  const stroke_with = (color, wide, dashes) => {
    if (color !== stroke)
      context.strokeStyle = name(stroke = color);
    if (wide !== width)
      context.lineWidth = width = wide;
    if (dashes !== dash)
      context.setLineDash((dash = dashes) > 0 ? [dashes] : []);
  };
  const paint = (color, wide, dashes) => {
    if (wide > 0) {
      stroke_with(color, wide, dashes);
      context.stroke();
    } else {
      fill_with(color);
      context.fill();
    }
  };
  context.setLineDash([]);
  context.textBaseline = "alphabetic";
  while (at < numbers.length) {
    const kind = numbers[at++];
    if (kind === RECT) {
      const color = bits[at], wide = numbers[at + 1], dashes = numbers[at + 2], x = numbers[at + 3], y = numbers[at + 4],
        w = numbers[at + 5], h = numbers[at + 6], radius = numbers[at + 7];
      at += 8;
      if (radius > 0) {
        context.beginPath();
        context.roundRect(x, y, w, h, radius);
        paint(color, wide, dashes);
      } else if (wide > 0) {
        stroke_with(color, wide, dashes);
        context.strokeRect(x, y, w, h);
      } else {
        fill_with(color);
        context.fillRect(x, y, w, h);
      }
    } else if (kind === PATH) {
      const color = bits[at], wide = numbers[at + 1], dashes = numbers[at + 2], end = at + 4 + 2 * numbers[at + 3];
      context.beginPath();
      for (at += 4; at < end; at += 2)
        context.lineTo(numbers[at], numbers[at + 1]);
      paint(color, wide, dashes);
    } else if (kind === CURVE) {
      const color = bits[at], wide = numbers[at + 1], dashes = numbers[at + 2], p = numbers.subarray(at + 3, at + 11);
      at += 11;
      context.beginPath();
      context.moveTo(p[0], p[1]);
      context.bezierCurveTo(p[2], p[3], p[4], p[5], p[6], p[7]);
      paint(color, wide, dashes);
    } else if (kind === TEXT) {
      const role = numbers[at + 1], size = numbers[at + 2], wanted = role + " " + size;
      fill_with(bits[at]);
      if (wanted !== font) {
        use_font(context, role, size);
        font = wanted;
      }
      context.fillText(text_at(bits[at + 5]), numbers[at + 3], Math.floor(numbers[at + 4] + 0.5));
      at += 6;
    } else if (kind === CLIP) {
      context.save();
      context.beginPath();
      context.rect(numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]);
      context.clip();
      at += 4;
    } else { // CLIP_END: the state from before comes back
      context.restore();
      fill = stroke = width = dash = -1;
      font = "";
    }
  }
}
