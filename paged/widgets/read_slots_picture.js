// The picture of what a kernel reads: blocks of slots, a row for each KV head, coloured by the programs that read them.

const COLOURS = 8; // --p0 … --p7; the next eight programs have the same ones, lighter, and then it begins again
const GUTTER = 50, GAP = 14, TOP = 18, UNDER = 18; // beside, between, above and below the blocks
const colourOf = (program) => `var(--p${program % COLOURS}${program % (2 * COLOURS) < COLOURS ? "" : "-light"})`;

const bytesOf = (programs) =>
  programs.reduce((sum, { k, v }) => [...k, ...v].reduce((bytes, read) => bytes + read[2], sum), 0);
const leastBytes = ({ requests, num_kv_heads, row_bytes }) =>
  2 * requests.reduce((sum, { num_tokens }) => sum + num_tokens, 0) * num_kv_heads * row_bytes;
/** slot: [request, position] of the token there, the first request's where several share a block. */
function ownersOf({ requests, block_size }) {
  const owners = new Map();
  requests.forEach(({ block_table, num_tokens }, request) => {
    for (let position = 0; position < num_tokens; position++) {
      const slot = block_table[Math.floor(position / block_size)] * block_size + (position % block_size);
      if (!owners.has(slot)) owners.set(slot, [request, position]);
    }
  });
  return owners;
}
/** slot * heads + head: numbers of the programs that read it. */
function readersOf(programs, cache, heads) {
  const readers = new Map();
  programs.forEach((program, number) => {
    for (const [slot, head] of program[cache]) {
      const row = slot * heads + head;
      if (readers.has(row)) readers.get(row).push(number);
      else readers.set(row, [number]);
    }
  });
  return readers;
}

class ReadPicture {
  constructor(svg) {
    this.svg = svg;
    this.layers = new Layers(svg, ["ground", "reads", "wrong", "here"]);
  }

  /** trace and what follows from it: owners by slot and readers by row; lit and here are a program and a row, or -1. */
  draw(trace, owners, readers, lit, here, text, width) {
    this.lay(trace, width);
    this.layers.redraw("ground", [trace, width, text], (group) => this.drawGround(group, trace, owners, text));
    this.layers.redraw("reads", [trace, width, readers], (group) => this.drawReads(group, readers));
    this.layers.redraw("wrong", [trace, width, readers], (group) => this.drawWrong(group, trace, owners, readers));
    for (const path of this.layers.groups.reads.children)
      path.classList.toggle("dim", lit >= 0 && +path.dataset.program !== lit);
    this.layers.redraw("here", [trace, width, here], (group) => {
      if (here >= 0) add(group, "path", { class: "frame", d: this.part(here, 0, 1) });
    });
  }

  lay({ num_blocks, block_size, num_kv_heads }, width) {
    const tallest = num_kv_heads > 4 ? 16 : 24, cell = Math.min(tallest, (width - GUTTER) / block_size);
    const wide = cell * block_size, each = TOP + num_kv_heads * cell + UNDER;
    const most = clamp(Math.floor((width - GUTTER + GAP) / (wide + GAP)), 1, num_blocks);
    const across = Math.ceil(num_blocks / Math.ceil(num_blocks / most)); // lines of about equal length
    this.place = { cell, wide, each, across, size: block_size, heads: num_kv_heads, blocks: num_blocks };
    this.svg.setAttribute("height", Math.ceil(num_blocks / across) * each);
  }

  corner(block) {
    const { across, wide, each } = this.place;
    return [GUTTER + (block % across) * (wide + GAP), Math.floor(block / across) * each + TOP];
  }

  /** Path of part `n` of `parts` of a row's cell, one above the other. */
  part(row, n, parts) {
    const { cell, size, heads } = this.place, slot = Math.floor(row / heads), [x, y] = this.corner(Math.floor(slot / size));
    const top = y + (row % heads) * cell + (n * cell) / parts;
    return box(x + (slot % size) * cell, top.toFixed(2), cell, (cell / parts).toFixed(2));
  }

  drawGround(group, { requests }, owners, text) {
    const { cell, wide, size, heads, blocks, across } = this.place, parts = new Map();
    requests.forEach(({ block_table, num_tokens }, request) =>
      block_table.forEach((block, entry) => {
        const first = entry * size, last = Math.min(first + size, num_tokens) - 1;
        if (!parts.has(block) && last >= first) parts.set(block, { request, first, last });
      }));
    let owned = "", lines = "";
    for (const slot of owners.keys())
      for (let head = 0; head < heads; head++) owned += this.part(slot * heads + head, 0, 1);
    for (let block = 0; block < blocks; block++) {
      const [x, y] = this.corner(block), part = parts.get(block);
      add(group, "path", { class: "block", d: box(x, y, wide, heads * cell) });
      for (let n = 0; n <= size; n++) lines += `M${(x + n * cell).toFixed(2)} ${y}v${heads * cell}`;
      for (let n = 0; n <= heads; n++) lines += `M${x} ${y + n * cell}h${wide}`;
      write(group, fill(text.block, { block }), x, y - 5, "start", part ? "strong" : "muted");
      if (part) {
        const { request, first, last } = part, positions = first === last ? first : `${first}–${last}`;
        const words = wide < 84 ? `${request}: ${positions}` : fill(text.part, { request, positions });
        if (wide >= 44) write(group, words, x, y + heads * cell + 13, "start", "muted small");
      }
      if (block % across === 0 && cell >= 10)
        for (let head = 0; head < heads; head++)
          write(group, fill(text.head, { head }), 0, y + (head + 0.5) * cell + 4, "start", "muted small");
    }
    add(group, "path", { class: "owned", d: owned });
    add(group, "path", { class: "lines", d: lines });
  }

  drawReads(group, readers) {
    const paths = new Map();
    for (const [row, programs] of readers)
      programs.forEach((program, n) =>
        paths.set(program, (paths.get(program) ?? "") + this.part(row, n, programs.length)));
    for (const [program, d] of paths)
      add(group, "path", { class: "read", d, fill: colourOf(program), "data-program": program });
  }

  /** Rows that nobody should read and somebody does, and the other way round. */
  drawWrong(group, trace, owners, readers) {
    const d = wrongRows(trace, owners, readers).flat().map((row) => this.part(row, 0, 1)).join("");
    if (d) add(group, "path", { class: "wrong-rows", d });
  }

  /** The row at a point, or -1. */
  rowAt(x, y) {
    const { cell, wide, each, across, size, heads, blocks } = this.place;
    const column = Math.floor((x - GUTTER) / (wide + GAP)), line = Math.floor(y / each), block = line * across + column;
    if (x < GUTTER || column >= across || block >= blocks) return -1;
    const [left, top] = this.corner(block), offset = Math.floor((x - left) / cell), head = Math.floor((y - top) / cell);
    if (offset < 0 || offset >= size || head < 0 || head >= heads) return -1;
    return (block * size + offset) * heads + head;
  }
}

/** [rows read without a token, rows of tokens that are not read]. */
function wrongRows({ num_kv_heads }, owners, readers) {
  const strangers = [...readers.keys()].filter((row) => !owners.has(Math.floor(row / num_kv_heads)));
  const rows = [...owners.keys()].flatMap((slot) => Array.from({ length: num_kv_heads }, (_, h) => slot * num_kv_heads + h));
  return [strangers, rows.filter((row) => !readers.has(row))];
}
