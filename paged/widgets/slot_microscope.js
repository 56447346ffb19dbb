// The slot microscope: from a token's position through the block table to its slot. All arithmetic is done here.

const MAX_TOKENS = 4096;

/** Where a position lies. */
function locate(order, position, blockSize) {
  const logical = Math.floor(position / blockSize), offset = position % blockSize, block = order[logical];
  return { position, logical, offset, block, block_size: blockSize, slot: block * blockSize + offset };
}
/** Blocks of the cache: as many as at first, doubled until the table takes no more than half of them. */
function cacheBlocks(atFirst, entries) {
  let blocks = atFirst;
  while (blocks < 2 * entries) blocks *= 2;
  return blocks;
}
/** The table with the blocks renamed at random: those of the cache at first, then those that each doubling adds. */
function shuffled(order, atFirst) {
  const names = Array.from({ length: cacheBlocks(atFirst, order.length) }, (_, block) => block);
  for (let from = 0, to = atFirst; from < names.length; from = to, to *= 2)
    for (let last = to - 1; last > from; last--) {
      const other = from + Math.floor(Math.random() * (last - from + 1));
      [names[last], names[other]] = [names[other], names[last]];
    }
  return order.map((block) => names[block]);
}

// ---- the page
const TERMS = ["position", "logical", "offset", "block", "block_size", "slot"];
const SUM = [
  "slot = block_table[{position} // {block_size}] * {block_size} + {position} % {block_size}",
  "= block_table[{logical}] * {block_size} + {offset}",
  "= {block} * {block_size} + {offset}",
  "= {slot}",
];
const terms = Object.fromEntries(TERMS.map((name) => [name, `<b class="${name}" data-term="${name}"></b>`]));

const page = (id) => `
  <div class="controls">
    ${control(id, "position", 0, 0, 0, 0)}
    ${control(id, "block_size", 1, 256, 256)}
    ${control(id, "num_tokens", 0, POSITIONS, MAX_TOKENS)}</div>
  <div class="sum"><code>${SUM.map((part) => `<span>${fill(part, terms)}</span>`).join(" ")}</code>
    <button type="button" data-text="shuffle" ${KEYS}></button></div>
  <svg class="picture" role="img"></svg>
  <p class="spoken" role="status" aria-live="polite"></p>`;

// ---- one view
function render({ model, el }) {
  const id = `microscope-${Math.random().toString(36).slice(2)}`;
  el.innerHTML = `<div class="paged-widget paged-slot-microscope" role="group">${page(id)}</div>`;
  const root = el.firstElementChild;
  const [slides, exacts] = ["slide", "exact"].map((kind) => find(root, kind));
  const [svg, spoken, button] = ["svg", ".spoken", "button"].map((it) => root.querySelector(it));
  const picture = new Picture(svg), keepSum = keepTall(root.querySelector(".sum"));
  let width = 0, summary = "", at;
  const names = ["position", "block_size", "num_tokens", "lang", "_order"];
  const { get, change, schedule, close } = share(model, names, draw, spoken, () => summary);

  function state() {
    const blockSize = get("block_size"), numTokens = get("num_tokens"), entries = Math.ceil(numTokens / blockSize);
    const numBlocks = cacheBlocks(model.get("_num_blocks"), entries);
    return { order: get("_order"), blockSize, numTokens, entries, numBlocks };
  }
  function showControls() {
    slides.position.max = exacts.position.max = get("num_tokens") - 1;
    for (const [name, slide] of Object.entries(slides)) {
      const value = get(name);
      showValue(slide, exacts[name], value, name === "num_tokens" ? placeOf(slide, value, MAX_TOKENS) : value);
    }
  }
  function draw() {
    const text = model.get("_text")[get("lang")], now = state();
    at = locate(now.order, get("position"), now.blockSize);
    if (root.lang !== get("lang")) label(root, get("lang"), text);
    showControls();
    for (const node of root.querySelectorAll("[data-term]")) say(node, `${at[node.dataset.term]}`);
    keepSum();
    summary = fill(text.summary, at);
    svg.setAttribute("aria-label", summary);
    if (width) picture.draw(now, at, text, width);
  }
  /** A change of one control; a sequence that gets shorter takes the position with it. */
  function set(name, value) {
    change({ [name]: value, ...(name === "num_tokens" && { position: Math.min(get("position"), value - 1) }) });
  }

  const blocks = (step) => (tokens) => (Math.floor(tokens / get("block_size")) + step) * get("block_size");
  const pages = {
    position: { PageUp: (n) => n + get("block_size"), PageDown: (n) => n - get("block_size") },
    num_tokens: { PageUp: blocks(1), PageDown: (n) => blocks(0)(n - 1) },
  };
  for (const [name, slide] of Object.entries(slides)) {
    const value = () => get(name), to = (n) => set(name, n), exact = exacts[name];
    slide.addEventListener("input", () => to(name === "num_tokens" ? toCount(+slide.value, MAX_TOKENS) : +slide.value));
    steer(slide, value, to, () => [+exact.min, +exact.max], pages[name]);
    typed(exact, value, to);
  }
  button.addEventListener("click", () => change({ _order: shuffled(get("_order"), model.get("_num_blocks")) }));
  const point = (event) => {
    const { left, top } = svg.getBoundingClientRect();
    const position = picture.positionAt(event.clientX - left, event.clientY - top, at.offset);
    if (position !== undefined) set("position", position);
  };
  svg.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // no selection of text
    svg.setPointerCapture(event.pointerId);
    slides.position.focus({ preventScroll: true }); // arrow keys go on from here
    point(event);
  });
  svg.addEventListener("pointermove", (event) => svg.hasPointerCapture(event.pointerId) && point(event));

  return live(root, () => (width = svg.getBoundingClientRect().width), draw, schedule, close);
}

export default { render };
