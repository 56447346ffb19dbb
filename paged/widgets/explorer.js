// The utilisation explorer. The kernel sends the lengths of every workload once; all numbers and pixels are made here.

const MAX_BLOCK_SIZE = 256, MAX_REQUESTS = 10_000;

// ---- numbers
const [tenths, hundredths] = [1, 2].map((digits) => formatter(digits));
const [percent, percentTenths, percentHundredths] = [0, 1, 2].map((digits) => formatter(digits, "percent"));

/** Tokens and blocks of the first n requests. Moving n adds or removes single requests: 256 divisions for each. */
class Totals {
  n = 0;
  used = 0;
  blocks = new Int32Array(MAX_BLOCK_SIZE + 1); // by block size
  constructor(lengths, maxLen) {
    Object.assign(this, { lengths, maxLen });
  }
  moveTo(n) {
    while (this.n < n) this.count(this.lengths[this.n++], 1);
    while (this.n > n) this.count(this.lengths[--this.n], -1);
  }
  count(length, sign) {
    this.used += sign * length;
    for (let size = 1; size <= MAX_BLOCK_SIZE; size++) this.blocks[size] += sign * Math.ceil(length / size);
  }
  /** Tokens held under each strategy, in parts. */
  held(size) {
    const { used } = this;
    return {
      reserved: { used, last_block_waste: 0, reserved_waste: this.n * this.maxLen - used },
      paged: { used, last_block_waste: this.blocks[size] * size - used, reserved_waste: 0 },
    };
  }
}
const PARTS = ["used", "last_block_waste", "reserved_waste"];
const sum = (parts) => PARTS.reduce((total, part) => total + parts[part], 0);
const scaleOf = (held) => Math.max(sum(held.reserved), sum(held.paged)); // tokens across both bars

/** Name to Totals, from little-endian uint16 lengths, MAX_REQUESTS for each workload in turn. */
function readWorkloads(model) {
  const view = model.get("_lengths");
  const lengthsOf = (k) =>
    Uint16Array.from({ length: MAX_REQUESTS }, (_, i) => view.getUint16(2 * (k * MAX_REQUESTS + i), true));
  const named = Object.entries(model.get("_max_lens"));
  return Object.fromEntries(named.map(([name, maxLen], k) => [name, new Totals(lengthsOf(k), maxLen)]));
}
// ---- the page
const part = (key, name) => `
  <div><dt><i class="${name}"></i><span data-text="${name}"></span></dt>
    <dd><b data-show="${key}"></b><span data-show="${key}.share"></span></dd></div>`;

const strategy = (name) => `
  <div class="head"><h4 data-show="${name}.title"></h4>
    <b data-show="${name}.ratio"></b> <span data-text="utilisation"></span></div>
  <div class="body"><dl>${PARTS.map((it) => part(`${name}.${it}`, it)).join("")}</dl>
    <div class="bar" aria-hidden="true">${PARTS.map((it) => `<i class="${it}" data-bar="${name}.${it}"></i>`).join("")}
      <i class="free"><span data-show="${name}.free"></span></i></div></div>`;

const page = (id) => `
  <div class="controls">
    <div class="control"><label for="${id}-workload" data-text="workload"></label>
      <select id="${id}-workload" ${KEYS}></select></div>
    ${control(id, "block_size", 1, MAX_BLOCK_SIZE, MAX_BLOCK_SIZE)}
    ${control(id, "num_requests", 0, POSITIONS, MAX_REQUESTS)}</div>
  <section>${strategy("reserved")}</section>
  <section>${strategy("paged")}<svg class="lens" role="img"></svg>
    <div class="note"><h4 data-show="lens.title"></h4><p data-show="lens.note"></p></div></section>
  <section><div class="note"><h4 data-text="curve"></h4><p data-text="curve_note"></p></div>
    <svg class="curve" role="img"></svg></section>
  <p class="spoken" role="status" aria-live="polite"></p>`;

// ---- drawing
const LEFT = 46, RIGHT = 58; // pixels beside both pictures
const BAR = 26; // height of .bar in explorer.css; the lens picture begins at its top edge
const LENS = { rows: 5, before: 64, after: 256, top: BAR + 30, first: BAR + 48, pitch: 19, thick: 13 };

/** The ends of the first requests, aligned at their last token, then the mean of all. Returns the magnification. */
function drawLens(svg, width, id, totals, blockSize, held, text) {
  const { rows, before, after, top, first, pitch, thick } = LENS;
  const meanTop = first + rows * pitch + 7, bottom = meanTop + thick + 9;
  const right = width - RIGHT, scale = (right - LEFT) / (before + after), end = LEFT + before * scale;
  svg.replaceChildren();
  svg.setAttribute("height", bottom + 1);
  const paths = { used: "", last_block_waste: "", edges: "", block: "" };
  const row = (y, name, length, waste, label) => {
    const shown = Math.min(before, length) * scale;
    paths.used += box(end - shown, y, shown, thick);
    paths.last_block_waste += box(end, y, waste * scale, thick);
    write(svg, name, LEFT - 8, y + thick - 2, "end", "muted");
    write(svg, label, width, y + thick - 2, "end", "plain");
  };
  const blocks = (y, length, waste) => {
    const shown = Math.min(before, length);
    for (let edge = blockSize - waste; edge < shown; edge += blockSize)
      paths.edges += `M${(end - edge * scale).toFixed(2)} ${y}v${thick}`;
    const inBlock = Math.min(shown, blockSize - waste), open = inBlock < blockSize - waste; // it begins further left
    const outline = box(end - inBlock * scale, y, (inBlock + waste) * scale, thick);
    paths.block += open ? outline.slice(0, -1) : outline;
  };
  add(svg, "path", { class: "frame", d: `M${LEFT} ${top}V${bottom}H${right}V${top}` });
  write(svg, text.unused, width, first - 8, "end", "muted");
  for (let i = 0; i < Math.min(rows, totals.n); i++) {
    const length = totals.lengths[i], y = first + i * pitch;
    const waste = Math.ceil(length / blockSize) * blockSize - length;
    row(y, `#${i + 1}`, length, waste, whole(waste));
    if (blockSize * scale >= 4) blocks(y, length, waste); // narrower blocks would be nothing but edges
  }
  const mean = held.paged.last_block_waste / totals.n;
  row(meanTop, text.mean, before, mean, tenths(mean));
  const fade = add(svg, "linearGradient", { id, gradientUnits: "userSpaceOnUse", x1: LEFT, x2: LEFT + 26 });
  ["faded", "solid"].forEach((kind, offset) => add(fade, "stop", { class: kind, offset }));
  add(svg, "path", { d: paths.used, fill: `url(#${id})` });
  for (const name of ["last_block_waste", "edges", "block"]) add(svg, "path", { d: paths[name], class: name });
  add(svg, "path", { d: `M${end.toFixed(2)} ${first - 6}V${bottom}`, class: "mark" });

  const perToken = width / scaleOf(held); // in the bar, where all requests lie end to end
  const from = Math.max(0, totals.used - before * totals.n) * perToken;
  const to = (totals.used + after * totals.n) * perToken;
  add(svg, "path", { class: "beam", d: `M${from} ${BAR + 2}L${LEFT} ${top}H${right}L${to} ${BAR + 2}z` });
  add(svg, "rect", { class: "frame", x: from, y: -2, width: to - from, height: BAR + 4, rx: 2 });
  svg.setAttribute("aria-label", fill(text.lens_spoken, { mean: tenths(mean), block_size: blockSize }));
  return scale / (perToken * totals.n);
}

const CURVE = { top: 12, bottom: 178, height: 218 };
const AXES = [[0.9, 0.02], [0.8, 0.05], [0.5, 0.1], [0, 0.2]]; // lowest utilisation shown, distance of the ticks

/** Utilisation against block size. Returns what marks one block size on it: that moves often, the curve does not. */
function drawCurve(svg, width, totals, text) {
  const { top, bottom, height } = CURVE, right = width - RIGHT, middle = (LEFT + right) / 2;
  svg.replaceChildren();
  svg.setAttribute("height", height);
  const ratios = Array.from(totals.blocks, (blocks, size) => totals.used / (blocks * size)).slice(1);
  const least = Math.min(...ratios);
  const [low, tick] = AXES.find(([level]) => level <= least);
  const x = (size) => LEFT + ((right - LEFT) * Math.log2(size)) / Math.log2(MAX_BLOCK_SIZE);
  const y = (ratio) => bottom - ((bottom - top) * (ratio - low)) / (1 - low);
  const line = ratios.map((ratio, i) => `${x(i + 1).toFixed(2)} ${y(ratio).toFixed(2)}`).join("L");
  add(svg, "path", { class: "kept", d: `M${LEFT} ${bottom}L${line}V${bottom}z` });
  add(svg, "path", { class: "lost", d: `M${LEFT} ${top}L${line}V${top}z` });
  for (let level = low; level < 1 + tick / 2; level += tick) {
    add(svg, "path", { class: "grid", d: `M${LEFT} ${y(level)}H${right}` });
    write(svg, percent(level), LEFT - 8, y(level) + 4, "end", "muted");
  }
  for (let size = 1; size <= MAX_BLOCK_SIZE; size *= right - LEFT < 280 ? 4 : 2)
    write(svg, size, x(size), bottom + 17, "middle", "muted");
  write(svg, text.block_axis, middle, bottom + 36, "middle", "muted");
  const reserved = totals.used / (totals.n * totals.maxLen);
  const below = reserved < low, level = below ? bottom : y(reserved);
  if (!below) add(svg, "path", { class: "level", d: `M${LEFT} ${level}H${right}` });
  const note = fill(below ? text.level_below : text.level, { ratio: percentTenths(reserved) });
  write(svg, note, LEFT + 8, level - 8, "start", "over");
  add(svg, "path", { class: "line", d: `M${line}` });
  svg.setAttribute("aria-label", fill(text.curve_spoken, { least: percentTenths(least) }));
  const here = add(svg, "g", {});
  return (size) => {
    const ratio = ratios[size - 1], [cx, cy] = [x(size), y(ratio)], side = cx < middle ? 1 : -1;
    here.replaceChildren();
    add(here, "path", { class: "mark", d: `M${cx} ${cy}V${bottom}` });
    add(here, "circle", { class: "point", cx, cy, r: 6 });
    write(here, `${size}: ${percentTenths(ratio)}`, cx + 10 * side, cy + 24, side > 0 ? "start" : "end", "over here");
  };
}

// ---- one view
function render({ model, el }) {
  const id = `explorer-${Math.random().toString(36).slice(2)}`, workloads = readWorkloads(model);
  el.innerHTML = `<div class="paged-widget paged-explorer" role="group">${page(id)}</div>`;
  const root = el.firstElementChild;
  const [show, bars, slides, exacts] = ["show", "bar", "slide", "exact"].map((kind) => find(root, kind));
  const [choose, lens, curve, spoken] = ["select", ".lens", ".curve", ".spoken"].map((it) => root.querySelector(it));
  let summary = "", width = 0, mark;
  const names = ["block_size", "num_requests", "workload", "lang"];
  const { get, change, schedule, close } = share(model, names, draw, spoken, () => summary);

  function translate(text) {
    label(root, get("lang"), text);
    const option = ([name, { maxLen }]) => new Option(fill(text[name], { max: whole(maxLen) }), name);
    choose.replaceChildren(...Object.entries(workloads).map(option));
  }
  function showControls() {
    if (choose.value !== get("workload")) choose.value = get("workload");
    for (const name in slides) {
      const value = get(name), slide = slides[name], max = +exacts[name].max;
      showValue(slide, exacts[name], value, name === "block_size" ? value : placeOf(slide, value, max));
    }
  }
  function showStrategy(name, tokens, scale, text) {
    const total = sum(tokens);
    say(show[`${name}.title`], fill(text[name], { block_size: get("block_size") }));
    say(show[`${name}.free`], fill(text.free, { times: hundredths(scale / total) }));
    for (const part of PARTS) {
      const key = `${name}.${part}`;
      say(show[key], whole(tokens[part]));
      say(show[`${key}.share`], percentHundredths(tokens[part] / total));
      bars[key].style.width = `${(100 * tokens[part]) / scale}%`;
    }
    return say(show[`${name}.ratio`], percentTenths(tokens.used / total));
  }
  function draw() {
    const text = model.get("_text")[get("lang")];
    const totals = workloads[get("workload")], blockSize = get("block_size");
    totals.moveTo(get("num_requests"));
    const held = totals.held(blockSize), scale = scaleOf(held);
    if (root.lang !== get("lang")) translate(text);
    showControls();
    const [reserved, paged] = Object.keys(held).map((name) => showStrategy(name, held[name], scale, text));
    summary = fill(text.summary, { num_requests: whole(totals.n), block_size: blockSize, paged, reserved });
    if (width === 0) return; // not laid out yet
    const factor = drawLens(lens, width, id, totals, blockSize, held, text);
    say(show["lens.title"], fill(text.lens, { factor: tenths(factor) }));
    say(show["lens.note"], fill(text.lens_note, { num_requests: whole(totals.n) }));
    const key = [get("workload"), totals.n, get("lang"), width].join();
    if (curve.dataset.key !== key) mark = drawCurve(curve, width, totals, text);
    curve.dataset.key = key;
    mark(blockSize);
  }

  choose.addEventListener("change", () => change({ workload: choose.value }));
  for (const [name, slide] of Object.entries(slides)) {
    const max = +exacts[name].max, value = () => get(name), set = (to) => change({ [name]: to });
    slide.addEventListener("input", () => set(name === "block_size" ? +slide.value : toCount(+slide.value, max)));
    steer(slide, value, set, () => [1, max]);
    typed(exacts[name], value, set);
  }
  return live(root, () => (width = lens.getBoundingClientRect().width), draw, schedule, close);
}

export default { render };
