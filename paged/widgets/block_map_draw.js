// The pieces of a block map: cells with what is written in them, chips, and copies on their way.

const MOST_SHADES = 32; // of a block's strip; tokens of larger blocks are sampled
const MOST_LETTERS = 3, MOST_COMPACT = 2; // owners named in a cell
const MOST_CHIPS = 40, TAIL_CHIPS = 8;
const FLIGHT_MS = 900;

/** Colour of a token: the tone of its writer, in a shade of its position. Golden-ratio steps keep neighbours apart. */
function shade(number, position) {
  const share = 45 + 55 * ((position * 0.618034) % 1);
  return `color-mix(in srgb, var(--tone${number % COLOURS}) ${share.toFixed(0)}%, var(--paper))`;
}

/** The strip of a block: one stop per slot, from left to right. */
function stripOf(runs, blockSize, numbers) {
  const slots = runs.flatMap(([writer, first, count]) =>
    Array.from({ length: count }, (_, n) => (writer ? shade(numbers.get(writer) ?? 0, first + n) : "transparent")));
  const width = Math.ceil(blockSize / MOST_SHADES), stops = [];
  for (let slot = 0; slot < blockSize; slot += width) {
    const [from, to] = [slot, slot + width].map((it) => ((100 * Math.min(it, blockSize)) / blockSize).toFixed(2));
    stops.push(`${slots[slot] ?? "transparent"} ${from}% ${to}%`);
  }
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

/** The ground of a cell: a pale stripe for each owner. */
function groundOf(owners) {
  if (!owners.length) return "";
  const tints = owners.map(([, number]) => `color-mix(in srgb, var(--tone${number % COLOURS}) 26%, var(--paper))`);
  if (tints.length === 1) return tints[0];
  const stops = tints.map((tint, n) => `${tint} ${7 * n}px ${7 * (n + 1)}px`);
  return `repeating-linear-gradient(135deg, ${stops.join(", ")})`;
}

/** A block of the map: the replay's cell, and a strip of tokens, taken from the cell before where it says the same. */
function drawMapCell(item, view, before) {
  const { text, blockSize, numbers } = view, { block, runs, owners } = item;
  const most = view.compact ? MOST_COMPACT : MOST_LETTERS;
  const cell = drawCell(item, "map", text), letters = cell.querySelector(".owners");
  if (owners.length > most) {
    letters.replaceChildren(...[...letters.children].slice(0, most - 1));
    letters.append(make("i", "rest", {}, `+${owners.length - most + 1}`));
  }
  cell.style.background = groundOf(owners);
  if (view.bare) return cell;
  const written = JSON.stringify(runs), old = before?.querySelector(".strip");
  const strip = old?.dataset.runs === written ? old : make("i", "strip", { "aria-hidden": "true", "data-runs": written });
  if (strip !== old) strip.style.backgroundImage = stripOf(runs, blockSize, numbers);
  cell.append(strip);
  const words = [cell.title, fill(text.fill, { used: used(runs), size: blockSize })].join(text.then);
  cell.title = words;
  cell.setAttribute("aria-label", words);
  return cell;
}

/** Blocks in a row; of a long row the beginning and the end. */
function drawChips(blocks, kind, text) {
  const chip = (block) => make("span", classes("chip", kind), { "data-block": `map.${block}` }, block);
  if (blocks.length <= MOST_CHIPS) return blocks.map(chip);
  const left = blocks.length - MOST_CHIPS;
  const head = blocks.slice(0, MOST_CHIPS - TAIL_CHIPS), tail = blocks.slice(-TAIL_CHIPS);
  return [...head.map(chip), make("span", "elision", {}, fill(text.more, { count: left })), ...tail.map(chip)];
}

function drawOwner(name, { table, tokens, lost, number }, isNew, text) {
  const count = tokens === null ? "" : fill(text.token_count, { count: tokens });
  const chips = table.length ? drawChips(table, colour(number), text) : [make("span", "none", {}, text.no_blocks)];
  return make("div", classes("holder", isNew && "changed"), { role: "listitem" },
    make("i", colour(number), {}, name), make("span", "count-of", {}, count, lost ? sign() : ""),
    make("span", "chips", {}, ...chips));
}

function drawLegend(view) {
  const { text, bare } = view, blockSize = 4, numbers = new Map([["a", 0], ["b", 1]]);
  const sample = (words, item) => {
    const cell = drawMapCell({ block: 3, text: "1", runs: [], owners: [], ...item }, { ...view, blockSize, numbers });
    cell.setAttribute("aria-hidden", "true");
    for (const name of ["title", "data-block"]) cell.removeAttribute(name);
    return make("span", "", {}, cell, words);
  };
  const [a, b] = [["a", 0, 1], ["b", 1, 1]], runs = [["a", 0, 3]];
  return [
    ...(bare ? [] : [sample(text.legend_written, { owners: [b], runs: [["a", 0, 2], ["b", 2, 1]] })]),
    sample(text.legend_shared, { text: "2", owners: [a, b], runs }),
    sample(bare ? text.legend_free : text.legend_stale, { text: "0", free: true, runs }),
    sample(text.mark_new, { owners: [a], runs, new: true }),
  ];
}

// ---- copies

/** Where the strip of a cell lies in the grid: left, top, width and height in pixels. */
function spotOf(grid, cell) {
  const outer = grid.getBoundingClientRect(), inner = cell.querySelector(".strip").getBoundingClientRect();
  return { x: inner.left - outer.left, y: inner.top - outer.top, width: inner.width, height: inner.height };
}

/** An arrow from the old block to the new one stays as long as the step is shown. */
function drawArrows(svg, grid, cells, pairs) {
  svg.replaceChildren();
  for (const [old, young] of pairs) {
    if (!cells[old] || !cells[young] || old === young) continue;
    const [from, to] = [spotOf(grid, cells[old]), spotOf(grid, cells[young])];
    const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
    const [left, top] = [to.x + to.width / 2, to.y - 1];
    const rise = Math.min(y, top) - 16 - Math.min(40, Math.abs(left - x) / 8);
    add(svg, "path", { class: "arrow", d: `M${x} ${y - from.height / 2}Q${(x + left) / 2} ${rise} ${left} ${top}` });
    const lean = Math.atan2(top - rise, left - (x + left) / 2) * (180 / Math.PI);
    add(svg, "path", { class: "tip", d: "M0 0L-9 -5V5z", transform: `translate(${left} ${top}) rotate(${lean})` });
  }
}

/** What was in the old block moves over to the new one; until it is there, that one is empty. */
function fly(grid, cells, [old, young], runs, view) {
  if (!cells[old] || !cells[young] || old === young) return;
  const [from, to] = [spotOf(grid, cells[old]), spotOf(grid, cells[young])];
  const ghost = make("i", "strip ghost", { "aria-hidden": "true" });
  ghost.style.backgroundImage = stripOf(runs, view.blockSize, view.numbers);
  Object.assign(ghost.style, { left: `${to.x}px`, top: `${to.y}px`, width: `${to.width}px`, height: `${to.height}px` });
  grid.append(ghost);
  const away = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
  const path = [{ transform: away }, { transform: `${away} scale(1.25)`, offset: 0.2 }, { transform: "none" }];
  ghost.animate(path, { duration: FLIGHT_MS, easing: "ease-in-out" }).finished.then(() => ghost.remove(), () => ghost.remove());
  const arrive = [{ opacity: 0 }, { opacity: 0, offset: 0.95 }, { opacity: 1 }];
  cells[young].querySelector(".strip").animate(arrive, FLIGHT_MS);
}
