// The capacity planner's pictures: the memory of one GPU under both strategies, and requests against their length.

const BAR = { height: 46, axis: 26, least: 4 }; // least: side of a request that is drawn by itself
const LETTER = 6.5; // width of a letter of a label, pixels

/** Bytes that one request holds, and bytes of KV in them. */
function requestOf(strategy, setting, plan) {
  const held = strategy === "paged" ? plan.entries * setting.block_size : plan.reserved_tokens;
  return { held: held * plan.bytes_per_token, used: plan.tokens * plan.bytes_per_token };
}
/** Bytes of each part of the room for KV. */
function partsOf(strategy, setting, plan) {
  const { held, used } = requestOf(strategy, setting, plan), count = plan[strategy];
  return { used: count * used, waste: count * (held - used), rest: Math.max(0, plan.budget) - count * held };
}

/** Weights, what is kept, every request, and what is left over: areas are bytes, on one scale. */
function drawBar(svg, width, strategy, setting, plan, text) {
  const { height, axis } = BAR, { memory, weights, kept } = plan, count = plan[strategy];
  const scale = width / Math.max(memory, weights + kept), left = (weights + kept) * scale, end = memory * scale;
  const { held, used } = requestOf(strategy, setting, plan);
  svg.replaceChildren();
  svg.setAttribute("height", height + axis);
  add(svg, "path", { class: "ground", d: box(0, 0, end, height) });
  add(svg, "path", { class: "weights", d: box(0, 0, weights * scale, height) });
  add(svg, "path", { class: "kept", d: box(weights * scale, 0, kept * scale, height) });
  for (const [kind, d] of Object.entries(cells(left, held * scale, count, count && used / held)))
    add(svg, "path", { class: `${kind} ${strategy}`, d });
  inside(svg, 0, weights * scale, text.part_weights, gib(weights), "on");
  inside(svg, weights * scale, kept * scale, text.part_kept, gib(kept), "plain");
  if (left > end) {
    add(svg, "path", { class: "over-end", d: box(end, 0, left - end, height) });
    add(svg, "path", { class: "end", d: `M${end.toFixed(2)} -5v${height + 10}` });
  }
  drawAxis(svg, width, scale, left > end ? [memory, text.end] : []);
}
/** Requests as cells, in columns from the left and each column from the top; one patch where they would be too small. */
function cells(left, pitch, count, share) {
  const { height, least } = BAR, paths = { used: "", waste: "", edges: "" };
  const piece = (x, y, wide, high) => {
    paths.used += box(x, y, wide * share, high);
    paths.waste += box(x + wide * share, y, wide * (1 - share), high);
  };
  const side = Math.sqrt(pitch * height), rows = Math.max(1, Math.round(height / side));
  if (side < least) piece(left, 0, count * pitch, height);
  else
    for (let n = 0; n < count; n++) {
      const column = Math.floor(n / rows), here = Math.min(rows, count - column * rows); // fewer in the last one
      const x = left + column * rows * pitch, y = ((n % rows) * height) / here;
      piece(x, y, here * pitch, height / here);
      paths.edges += box(x, y, here * pitch, height / here);
    }
  return paths;
}
/** A label inside a part of the bar, as long as there is room for it. */
function inside(svg, x, wide, name, much, kind) {
  const words = [`${name} ${much}`, name, ""].find((label) => LETTER * label.length + 8 <= wide);
  if (words) write(svg, words, x + wide / 2, BAR.height / 2 + 4, "middle", kind);
}
/** GiB under the bar; where the GPU is too small, only its end is written. */
function drawAxis(svg, width, scale, [memory, words]) {
  const { height } = BAR;
  if (words) {
    const x = memory * scale, anchor = x > width - 110 ? "end" : x < 110 ? "start" : "middle";
    return write(svg, `${words}: ${gib(memory)}`, x, height + 20, anchor, "warning");
  }
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((gibs) => gibs * GIB * scale >= 56);
  for (let at = 0; at * GIB * scale <= width; at += step) {
    const x = at * GIB * scale, anchor = at === 0 ? "start" : x > width - 24 ? "end" : "middle";
    add(svg, "path", { class: "tick", d: `M${x.toFixed(2)} ${height}v4` });
    write(svg, at ? at : "0 GiB", x, height + 18, anchor, "muted");
  }
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact" }).format; // 10000 -> 10K
const CURVE = { left: 46, right: 28, top: 14, bottom: 190, height: 230, shortest: 16, samples: 240 };

/** Requests against their length, both axes logarithmic. */
class Curve {
  constructor(svg) {
    this.svg = svg;
    this.layers = new Layers(svg, ["lines", "here"]);
  }
  draw(setting, plan, text, width) {
    const { left, right, top, bottom, height, shortest } = CURVE, longest = setting.model.context;
    const count = (tokens) => maxRequests(plan.budget, tokens, plan.bytes_per_token, setting.block_size);
    const decades = Math.max(1, Math.ceil(Math.log10(Math.max(1, plan.paged && count(shortest)))));
    const span = Math.log(longest / shortest), room = width - left - right;
    this.lengthAt = (x) => Math.round(shortest * Math.exp((clamp((x - left) / room, 0, 1) * span)));
    const x = (tokens) => left + (room * Math.log(Math.max(tokens, shortest) / shortest)) / span;
    const y = (requests) => bottom - ((bottom - top) * Math.log10(Math.max(1, requests))) / decades;
    const place = { x, y, count, decades, width, longest, block: setting.block_size };
    const { budget, bytes_per_token, reserved, reserved_tokens, problem } = plan;
    const keys = [width, longest, setting.block_size, budget, bytes_per_token, reserved, reserved_tokens, problem, text];
    this.svg.setAttribute("height", height);
    this.layers.redraw("lines", keys, (group) => this.lines(group, plan, text, place));
    this.layers.redraw("here", [...keys, plan.tokens], (group) => plan.paged && this.here(group, plan, place));
  }
  lines(group, plan, text, { x, y, count, decades, width, longest, block }) {
    const { left, right, top, bottom, shortest } = CURVE, end = width - right;
    for (let power = 0; power <= decades; power++) {
      add(group, "path", { class: "grid", d: `M${left} ${y(10 ** power)}H${end}` });
      write(group, compact(10 ** power), left - 8, y(10 ** power) + 4, "end", "muted");
    }
    for (let tokens = shortest; tokens <= longest; tokens *= stride(end - left, longest / shortest))
      write(group, whole(tokens), x(tokens), bottom + 17, "middle", "muted");
    write(group, text.tokens_axis, (left + end) / 2, bottom + 36, "middle", "muted");
    if (plan.problem === "heads" || plan.problem === "memory") return;
    const served = lengths(longest, block).filter((tokens) => count(tokens) > 0);
    if (!served.length) return;
    const points = (all) => all.map((tokens) => `${x(tokens).toFixed(2)} ${y(count(tokens)).toFixed(2)}`).join("L");
    const { reserved, reserved_tokens } = plan, level = y(reserved), limit = x(reserved_tokens);
    if (reserved) {
      const gained = points([...served.filter((tokens) => tokens < reserved_tokens), reserved_tokens]);
      add(group, "path", { class: "gained", d: `M${left} ${level}L${gained}V${level}z` });
      add(group, "path", { class: "level", d: `M${left} ${level}H${limit}m0 -5v10` });
      write(group, `${fill(text.reserving, spelled(plan))}: ${whole(reserved)}`, left + 8, level - 8, "start", "halo");
    }
    add(group, "path", { class: "line", d: `M${points(served)}` });
  }
  here(group, plan, { x, y }) {
    const at = x(plan.tokens), { left, right, bottom } = CURVE;
    const side = at - left > this.svg.clientWidth - right - at ? -1 : 1, top = y(plan.paged);
    add(group, "path", { class: "mark", d: `M${at} ${top}V${bottom}` });
    if (plan.reserved) add(group, "circle", { class: "hollow", cx: at, cy: y(plan.reserved), r: 4.5 });
    add(group, "circle", { class: "point", cx: at, cy: top, r: 6.5 });
    const words = `${whole(plan.tokens)}: ${whole(plan.paged)}`;
    write(group, words, at + 12 * side, top + (side > 0 ? -6 : 22), side > 0 ? "start" : "end", "halo strong");
  }
}
/** Lengths where the curve is known: evenly on its scale and, where one sees them, at both sides of a block's end. */
function lengths(longest, block) {
  const { shortest, samples } = CURVE, found = new Set();
  for (let n = 0; n <= samples; n++) found.add(Math.round(shortest * (longest / shortest) ** (n / samples)));
  for (let n = 1; n <= 32; n++) found.add(n * block).add(n * block + 1);
  return [...found].filter((tokens) => tokens >= shortest && tokens <= longest).sort((a, b) => a - b);
}
/** Factor from one label of the length axis to the next: a label needs 60 pixels. */
const stride = (room, ratio) => [2, 4, 16].find((factor) => (room * Math.log(factor)) / Math.log(ratio) >= 60) ?? 64;
