// The mask viewer's picture: one mask per request on one scale, and the batch that their queries are laid out in.

/** How many keys query j sees, from position 0 on, as it should be ("none") and with a mistake made. */
const SEEN = {
  none: (context, fresh, j) => context - fresh + j + 1,
  top_left: (context, fresh, j) => j + 1,
  strict: (context, fresh, j) => context - fresh + j,
  full: (context) => context,
};
/** Where each request's rows begin in the batch, and where the last one's end. */
const startsOf = (requests) => requests.reduce((starts, [, fresh]) => [...starts, starts.at(-1) + fresh], [0]);
/** The request whose rows hold this one, and which of its queries it is. */
function placeOfRow(starts, row) {
  const request = starts.findIndex((start, n) => row >= start && row < starts[n + 1]);
  return { request, query: row - starts[request] };
}
const stageOf = (context, fresh) =>
  fresh === 0 ? "idle" : fresh === context ? "prompt" : fresh === 1 ? "decode" : "chunk";
function differing(requests, mistake) {
  let cells = 0;
  for (const [context, fresh] of requests)
    for (let j = 0; j < fresh; j++) cells += Math.abs(SEEN[mistake](context, fresh, j) - SEEN.none(context, fresh, j));
  return cells;
}

const LARGEST = 18, SMALLEST = 4, TALL = 460; // of a cell, pixels; height that the masks keep to while cells allow
const FLAT = { column: 44, labels: 40, ribbons: 56 };
const SIDE = 150; // width of the captions where they stand beside the masks
const HEAD = 26;

/** Where everything lies. Each mask has {x, y, context, fresh, start, bottom}; `pitch` is a key, `rise` a query. */
function layOut(requests, width) {
  const side = width >= 700 ? SIDE : 0, starts = startsOf(requests), rows = starts.at(-1);
  const ribbons = width < 460 ? 28 : FLAT.ribbons, room = width - side - ribbons - FLAT.column - FLAT.labels;
  const pitch = Math.min(LARGEST, room / Math.max(...requests.map(([context]) => context)));
  const rise = Math.min(LARGEST, Math.max(SMALLEST, Math.min(TALL / Math.max(1, rows), 1.4 * pitch)));
  let y = HEAD;
  const masks = requests.map(([context, fresh], n) => {
    const top = side ? y : y + 18, height = fresh * rise;
    y = top + Math.max(height + 18, side ? 40 : 0) + 12;
    return { x: side, y: top, context, fresh, start: starts[n], bottom: top + height };
  });
  const column = width - FLAT.column - FLAT.labels;
  const flat = (row) => HEAD + row * rise, bottom = Math.max(y, flat(rows) + 14);
  return { side, starts, rows, pitch, rise, masks, column, flat, bottom };
}

class MaskPicture {
  constructor(svg) {
    this.svg = svg;
    this.layers = new Layers(svg, ["masks", "lit", "mistake", "grid", "batch", "captions", "here"]);
  }

  draw(requests, { request, query, mistake }, text, width) {
    const place = (this.place = layOut(requests, width)), { layers } = this, scene = [requests, width];
    this.svg.setAttribute("height", place.bottom);
    layers.redraw("masks", scene, (group) => place.masks.forEach((mask) => this.drawMask(group, mask)));
    layers.redraw("batch", [...scene, text], (group) => this.drawBatch(group, text));
    layers.redraw("lit", [...scene, request, query], (group) => this.drawLit(group, place.masks[request], query));
    layers.redraw("grid", scene, (group) => place.masks.forEach((mask) => this.drawGrid(group, mask)));
    layers.redraw("mistake", [...scene, mistake], (group) => this.drawMistake(group, mistake));
    layers.redraw("captions", [...scene, text, request], (group) => this.drawCaptions(group, request, text));
    layers.redraw("here", [...scene, request, query], (group) => this.drawHere(group, place.masks[request], query));
  }

  /** Keys `from` to `to` of query j. */
  cells({ x, y }, j, from, to) {
    const { pitch, rise } = this.place;
    return box(x + from * pitch, (y + j * rise).toFixed(2), (to - from) * pitch, rise.toFixed(2));
  }
  rowsOf = (mask, draw) => Array.from({ length: mask.fresh }, (_, j) => draw(j)).join("");
  seen = (mask, j, mistake = "none") => SEEN[mistake](mask.context, mask.fresh, j);

  drawMask(group, mask) {
    add(group, "path", { class: "hidden", d: this.rowsOf(mask, (j) => this.cells(mask, j, 0, mask.context)) });
    add(group, "path", { class: "visible", d: this.rowsOf(mask, (j) => this.cells(mask, j, 0, this.seen(mask, j))) });
  }

  drawLines(group, lines) {
    const { pitch, rise } = this.place;
    add(group, "path", { class: "grid", "stroke-width": Math.min(1, pitch / 9, rise / 9), d: lines.join("") });
  }

  drawGrid(group, { x, y, context, fresh, bottom }) {
    const { pitch, rise } = this.place, right = x + context * pitch;
    const across = Array.from({ length: fresh + 1 }, (_, j) => `M${x} ${y + j * rise}H${right}`);
    const down = Array.from({ length: context + 1 }, (_, key) => `M${x + key * pitch} ${y}V${bottom}`);
    this.drawLines(group, [...across, ...down]);
    if (fresh === 0) add(group, "path", { class: "empty", d: `M${x} ${y}H${right}` });
    const every = [1, 2, 4, 8, 16].find((keys) => keys * pitch >= 22) ?? 32;
    for (let key = 0; key < context; key += every)
      write(group, key, x + (key + 0.5) * pitch, bottom + 13, "middle", "muted small");
  }

  /** From the right edge of a mask to the batch: on the same height up to the knee, then over to the other one. */
  bend(from, y, to) {
    const { column } = this.place, middle = column - 20;
    return `M${from} ${y}H${this.knee(from)}C${middle} ${y} ${middle} ${to} ${column} ${to}`;
  }
  knee = (from) => Math.max(from, this.place.column - FLAT.ribbons);

  drawBatch(group, text) {
    const { masks, starts, rows, rise, pitch, column, flat } = this.place, end = column + FLAT.column;
    write(group, fill(text.batch, { rows }), end, 12, "end", "title");
    const ribbons = masks.filter((mask) => mask.fresh).map((mask) => {
      const from = mask.x + mask.context * pitch + 4, knee = this.knee(from), middle = column - 20;
      const bottom = flat(mask.start + mask.fresh), back = `${middle} ${bottom} ${middle} ${mask.bottom}`;
      return `${this.bend(from, mask.y, flat(mask.start))}V${bottom}C${back} ${knee} ${mask.bottom}H${from}z`;
    });
    add(group, "path", { class: "ribbon", d: ribbons.join("") });
    add(group, "path", { class: "rows", d: box(column, flat(0), FLAT.column, rows * rise) });
    this.drawLines(group, Array.from({ length: rows }, (_, row) => `M${column} ${flat(row)}H${end}`));
    add(group, "path", { class: "starts", d: starts.map((row) => `M${column - 4} ${flat(row)}H${end + 5}`).join("") });
    let free = 0; // labels of starts that lie close together are moved apart
    for (const row of starts) {
      const y = Math.max(free, flat(row) + 4);
      write(group, row, end + 10, y, "start", "muted small");
      free = y + 12;
    }
    if (rise < 11) return;
    const middle = column + FLAT.column / 2;
    for (let row = 0; row < rows; row++) write(group, row, middle, flat(row + 0.5) + 4, "middle", "small");
  }

  drawMistake(group, mistake) {
    const spans = { lost: "", leaked: "" };
    for (const mask of this.place.masks)
      for (let j = 0; j < mask.fresh; j++) {
        const right = this.seen(mask, j), wrong = this.seen(mask, j, mistake);
        if (wrong < right) spans.lost += this.cells(mask, j, wrong, right);
        if (wrong > right) spans.leaked += this.cells(mask, j, right, wrong);
      }
    for (const [kind, d] of Object.entries(spans)) if (d) add(group, "path", { class: kind, d });
  }

  drawCaptions(group, chosen, text) {
    this.place.masks.forEach(({ y, context, fresh }, n) => {
      const [title, stage] = [fill(text.request, { request: n }), text[stageOf(context, fresh)]];
      const kind = n === chosen ? "title chosen" : "title", size = fill(text.size, { context, new: fresh });
      if (this.place.side) {
        write(group, title, 0, y + 11, "start", kind);
        write(group, stage, 0, y + 26, "start", "muted small");
        write(group, size, 0, y + 40, "start", "muted small");
      } else {
        write(group, `${title} · ${stage} · ${size}`, 0, y - 6, "start", n === chosen ? "chosen" : "muted");
      }
    });
  }

  drawLit(group, mask, query) {
    if (mask.fresh) add(group, "path", { class: "lit", d: this.cells(mask, query, 0, this.seen(mask, query)) });
  }

  /** The row of one query, in its mask and in the batch. */
  drawHere(group, mask, query) {
    if (!mask.fresh) return;
    const { pitch, rise, column, flat } = this.place, row = flat(mask.start + query), y = mask.y + query * rise;
    const seen = this.seen(mask, query), right = mask.x + mask.context * pitch;
    add(group, "path", { class: "lit", d: box(column, row.toFixed(2), FLAT.column, rise.toFixed(2)) });
    add(group, "path", { class: "frame", d: this.cells(mask, query, 0, mask.context) });
    add(group, "path", { class: "line", d: this.bend(right, y + rise / 2, row + rise / 2) });
    add(group, "path", { class: "tick", d: `M${mask.x + (seen - 0.5) * pitch} ${y - 2}l-4 -6h8z` }); // its own position
    if (rise < 11) return;
    write(group, mask.start + query, column + FLAT.column / 2, row + rise / 2 + 4, "middle", "on small");
  }

  /** {request, query} at a point of the picture, in a mask or in the batch. */
  rowAt(x, y) {
    const { masks, rise, column, starts, rows } = this.place;
    if (x >= column) {
      const row = Math.floor((y - HEAD) / rise);
      return row < 0 || row >= rows ? undefined : placeOfRow(starts, row);
    }
    const request = masks.findIndex((mask) => y >= mask.y && y < mask.bottom);
    return request < 0 ? undefined : { request, query: Math.floor((y - masks[request].y) / rise) };
  }
}
