// The slot microscope's picture: sequence, block table, cache, one block magnified, and the way of one token lit up.

const DIGIT = 7.2; // width of a digit of a label, pixels
const SIDE = 152; // width of the captions where they stand beside the rows, pixels
const roomFor = (number) => DIGIT * `${number}`.length + 4;
const number = (value) => value.toFixed(2);
const link = (x1, y1, x2, y2) => {
  const middle = (y1 + y2) / 2;
  return `M${number(x1)} ${y1}C${number(x1)} ${middle} ${number(x2)} ${middle} ${number(x2)} ${y2}`;
};

/** Top and bottom of each row, pixels. Captions above the rows take room there. */
function rowsOf(side) {
  const heights = { tokens: 30, table: 34, cache: 28, lens: 38 }, gap = side ? 60 : 72, rows = {};
  let top = side ? 28 : 44;
  for (const [name, height] of Object.entries(heights)) {
    rows[name] = { top, height, bottom: top + height, middle: top + height / 2 + 5 };
    top += height + gap;
  }
  return { ...rows, total: rows.lens.bottom + 26 };
}

/** `count` slots in a row on one scale, in blocks of `blockSize`, beginning at slot `first`. */
class Strip {
  constructor(row, left, room, count, blockSize, widest, first = 0) {
    Object.assign(this, { row, left, count, blockSize, first, pitch: Math.min(widest, room / count) });
  }
  x = (slot) => this.left + (slot - this.first) * this.pitch;
  slotAt = (x) => this.first + clamp(Math.floor((x - this.left) / this.pitch), 0, this.count - 1);
  path(first, count) {
    const wide = Math.max(2.5, count * this.pitch); // never too narrow to be seen
    return box(this.x(first + count / 2) - wide / 2, this.row.top, wide, this.row.height);
  }
  edges(every) {
    if (every * this.pitch < 3) return ""; // nothing but edges
    const length = Math.floor(this.count / every) - 1, { top, height } = this.row;
    const line = (_, n) => `M${number(this.x(this.first + (n + 1) * every))} ${top}v${height}`;
    return Array.from({ length }, line).join("");
  }
  draw(group, owned) {
    const { row, count, pitch, blockSize } = this, whole = box(this.left, row.top, count * pitch, row.height);
    const fill = owned.map(([first, tokens]) => box(this.x(first), row.top, tokens * pitch, row.height)).join("");
    add(group, "path", { class: "ground", d: whole });
    add(group, "path", { class: "owned", d: fill });
    add(group, "path", { class: "slots", d: this.edges(1) });
    add(group, "path", { class: "blocks", d: whole + this.edges(blockSize) });
  }
  numbers(group, end) {
    if (this.pitch < roomFor(end - 1)) return;
    for (let n = this.first; n < end; n++) write(group, n, this.x(n + 0.5), this.row.middle, "middle", "plain");
  }
}

/** The entries of the table that there is room for, around `logical`. */
class Table {
  constructor(row, left, room, entries, logical, blockWidth, largest) {
    const least = Math.max(26, 8 + roomFor(largest));
    const all = entries * least <= room;
    this.pitch = all ? Math.max(least, blockWidth) : least; // under the blocks of the sequence, if they are wide enough
    this.shown = all ? entries : Math.floor((room - 40) / least);
    this.first = clamp(logical - Math.floor(this.shown / 2), 0, entries - this.shown);
    Object.assign(this, { row, entries, left: left + (all ? 0 : 20), wide: Math.min(64, this.pitch) });
  }
  x = (entry) => this.left + (entry - this.first + 0.5) * this.pitch;
  entryAt = (x) => this.first + clamp(Math.floor((x - this.left) / this.pitch), 0, this.shown - 1);
  path = (entry) => box(this.x(entry) - this.wide / 2, this.row.top, this.wide, this.row.height);
  get all() {
    return Array.from({ length: this.shown }, (_, n) => this.first + n);
  }
  draw(group, order) {
    const { row, first, shown, entries } = this;
    add(group, "path", { class: "entries", d: this.all.map(this.path).join("") });
    for (const entry of this.all) {
      write(group, entry, this.x(entry), row.top - 6, "middle", "muted small");
      write(group, order[entry], this.x(entry), row.middle, "middle", "value");
    }
    const more = (edge) => write(group, "…", edge, row.middle, "middle", "muted");
    if (first > 0) more(this.left - 11);
    if (first + shown < entries) more(this.left + shown * this.pitch + 11);
  }
}

class Picture {
  constructor(svg) {
    this.svg = svg;
    this.layers = new Layers(svg, ["strips", "entries", "lens", "captions", "way"]);
  }

  /** state: {order, blockSize, numTokens, numBlocks, entries}; at: what locate() found; text: one edition. */
  draw(state, at, text, width) {
    const { order, blockSize, entries, numTokens, numBlocks } = state, side = width < 600 ? 0 : SIDE, left = side + 1;
    const rows = rowsOf(side), room = width - side - 2, scene = [order, blockSize, numTokens, numBlocks, width];
    Object.assign(this, { state, rows, side, room, text });
    this.tokens = new Strip(rows.tokens, left, room, entries * blockSize, blockSize, 40);
    this.cache = new Strip(rows.cache, left, room, numBlocks * blockSize, blockSize, 32);
    this.lens = new Strip(rows.lens, left, room, blockSize, blockSize, 64, at.block * blockSize);
    const { layers } = this;
    layers.redraw("strips", scene, (group) => this.drawStrips(group));
    this.table = new Table(rows.table, left, room, entries, at.logical, blockSize * this.tokens.pitch, this.largest);
    layers.redraw("entries", [...scene, this.table.first], (group) => this.drawEntries(group));
    layers.redraw("lens", [...scene, at.logical], (group) => this.drawLens(group, at));
    layers.redraw("captions", [...scene, at.logical, text], (group) => this.drawCaptions(group, at));
    layers.redraw("way", [...scene, at.position], (group) => this.drawWay(group, at));
  }

  drawStrips(group) {
    const { order, blockSize, entries, numTokens, numBlocks } = this.state, { tokens, cache, rows } = this;
    this.svg.setAttribute("height", rows.total);
    this.largest = Math.max(entries, ...order.slice(0, entries));
    tokens.draw(group, [[0, numTokens]]);
    tokens.numbers(group, numTokens);
    cache.draw(group, order.slice(0, entries).map((block, logical) => [block * blockSize, this.used(logical)]));
    if (cache.pitch * blockSize < roomFor(numBlocks - 1)) return;
    for (let block = 0; block < numBlocks; block++)
      write(group, block, cache.x((block + 0.5) * blockSize), rows.cache.bottom + 14, "middle", "muted small");
  }
  used(logical) {
    return Math.min(this.state.blockSize, this.state.numTokens - logical * this.state.blockSize);
  }

  drawEntries(group) {
    const { order, blockSize } = this.state, { table, cache } = this;
    const home = (entry) => cache.x((order[entry] + 0.5) * blockSize);
    const links = table.all.map((entry) => link(table.x(entry), table.row.bottom, home(entry), cache.row.top));
    add(group, "path", { class: "links", d: links.join("") });
    table.draw(group, order);
  }

  drawLens(group, { block, logical, block_size }) {
    const { lens, cache } = this, first = block * block_size, end = first + block_size;
    const [from, to] = [first, end].map((slot) => `${number(cache.x(slot))} ${cache.row.bottom}`);
    add(group, "path", { class: "beam", d: `M${from}L${lens.x(first)} ${lens.row.top}H${lens.x(end)}L${to}z` });
    lens.draw(group, [[first, this.used(logical)]]);
    lens.numbers(group, end);
  }

  drawCaptions(group, { block, block_size }) {
    const { numTokens, entries, numBlocks } = this.state, { rows, side, text } = this;
    const counts = { tokens: whole(numTokens), entries: whole(entries), blocks: whole(numBlocks), block_size, block };
    const values = { ...counts, first: whole(block * block_size), last: whole((block + 1) * block_size - 1) };
    for (const row of ["tokens", "table", "cache", "lens"]) {
      const { top, middle } = rows[row], above = { tokens: 26, table: 24 }[row] ?? 9;
      const [title, note] = ["row", "note"].map((kind) => fill(text[`${row}_${kind}`], values));
      if (side) {
        write(group, title, 0, middle - 8, "start", "title");
        write(group, note, 0, middle + 8, "start", "muted");
      } else {
        write(group, `${title} · ${note}`, 0, top - above, "start", "muted over");
      }
    }
  }

  drawWay(group, { position, logical, offset, block, block_size, slot }) {
    const { tokens, table, cache, lens, side, room } = this;
    const token = tokens.x(position + 0.5), entry = table.x(logical), home = cache.x((block + 0.5) * block_size);
    const here = cache.x(slot + 0.5), found = lens.x(slot + 0.5);
    const way = [
      link(token, tokens.row.bottom, entry, table.row.top),
      link(entry, table.row.bottom, home, cache.row.top),
      link(here, cache.row.bottom, found, lens.row.top),
    ].join("");
    for (const kind of ["halo", "line"]) add(group, "path", { class: kind, d: way });
    const blocks = tokens.path(logical * block_size, block_size) + cache.path(block * block_size, block_size);
    add(group, "path", { class: "frame", d: blocks });
    const lit = tokens.path(position, 1) + table.path(logical) + cache.path(slot, 1) + lens.path(slot, 1);
    add(group, "path", { class: "lit", d: lit });
    for (const [strip, words] of [[tokens, position], [lens, slot]])
      if (strip.pitch >= roomFor(words)) write(group, words, strip.x(words + 0.5), strip.row.middle, "middle", "on");
    write(group, block, entry, table.row.middle, "middle", "on value");
    write(group, logical, entry, table.row.top - 6, "middle", "small over");

    const beside = (words, x, y) => {
      const right = x < side + room / 2;
      write(group, words, x + (right ? 12 : -12), y, right ? "start" : "end", "step");
    };
    const over = (words, x, y) => {
      const half = (DIGIT * words.length) / 2 + 3;
      write(group, words, clamp(x, side + half, side + room - half), y, "middle", "step");
    };
    over(`${position} % ${block_size} = ${offset}`, token, tokens.row.top - 9);
    beside(`${position} // ${block_size} = ${logical}`, (token + entry) / 2, tokens.row.bottom + 24);
    beside(`block_table[${logical}] = ${block}`, (entry + home) / 2, table.row.bottom + (side ? 34 : 26));
    beside(`${block} * ${block_size} + ${offset} = ${slot}`, (here + found) / 2, cache.row.bottom + 38);
    if (lens.pitch < roomFor(slot)) over(`${slot}`, found, lens.row.bottom + 18);
  }

  /** The position that a point of the picture stands for, if there is one. */
  positionAt(x, y, offset) {
    const { order, blockSize, numTokens, entries } = this.state, { tokens, table, cache, lens } = this;
    const ofSlot = (slot) => {
      const logical = order.slice(0, entries).indexOf(Math.floor(slot / blockSize));
      return logical < 0 ? undefined : logical * blockSize + (slot % blockSize);
    };
    const rows = [
      [tokens, () => tokens.slotAt(x)],
      [table, () => table.entryAt(x) * blockSize + offset],
      [cache, () => ofSlot(cache.slotAt(x))],
      [lens, () => ofSlot(lens.slotAt(x))],
    ];
    const found = rows.find(([{ row }]) => y >= row.top - 4 && y <= row.bottom + 4)?.[1]();
    return found === undefined ? undefined : Math.min(found, numTokens - 1);
  }
}
