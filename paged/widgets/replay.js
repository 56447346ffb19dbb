// The replay of a run. Python has compared all values once; stepping and drawing happen here, without the kernel.

const KEYS = 'data-lm-suppress-shortcuts="true"'; // on the focused element itself, or JupyterLab eats its keys
const SPEAK_AFTER_MS = 600;
const COLOURS = 7; // of replay.css; from the eighth sequence on they come again, outlined

const ICONS = {
  first: "M4 3v10M13 3 7 8l6 5z",
  previous: "M11 3 5 8l6 5z",
  next: "M5 3l6 5-6 5z",
  last: "M12 3v10M3 3l6 5-6 5z",
};
const button = (step) => `
  <button type="button" data-step="${step}" ${KEYS}>
    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[step]}"/></svg></button>`;

const page = (id) => `
  <div class="run"><ol class="calls"></ol></div>
  <div class="controls">
    <div class="steps">${Object.keys(ICONS).map(button).join("")}</div>
    <label for="${id}"></label>
    <input id="${id}" type="range" min="1" step="1" ${KEYS}>
    <span class="position" aria-hidden="true"></span></div>
  <p class="outcome"></p>
  <div class="state" role="table"></div>
  <div class="legend"></div>
  <p class="spoken" role="status" aria-live="polite"></p>`;

const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, key) => values[key]);

/** An element with a class, attributes and children; children that are strings stay text. */
function make(tag, kind, attributes = {}, ...children) {
  const node = document.createElement(tag);
  if (kind) node.className = kind;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
const classes = (...names) => names.filter(Boolean).join(" ");
const marked = (it) => classes(it.differs && "differs", it.new && "new");
const sign = () => make("b", "sign", { "aria-hidden": "true" }, "≠");
const signs = (text) => [sign(), make("span", "spoken", {}, ` ${text.mark_differs}`)];
const colour = (number) => classes("owner", `owner${number % COLOURS}`, Math.floor(number / COLOURS) % 2 && "outlined");

// ---- the pieces of one side; `at` names the pool of the blocks, so that a chip finds its cell

/** A block: its number, its ref count, the sequences whose tables hold it. */
function drawCell(item, at, text) {
  const { block, owners = [] } = item;
  const names = owners.map(([name, , times]) => (times > 1 ? `${name}×${times}` : name));
  const spoken = [fill(item.absent ? text.no_block : text.block, { block, count: item.text })];
  if (owners.length) spoken.push(fill(text.in_tables, { names: names.join(text.and) }));
  if (item.free) spoken.push(text.legend_free);
  for (const mark of ["differs", "new"]) if (item[mark]) spoken.push(text[`mark_${mark}`]);
  const words = spoken.join(text.then);
  const kind = classes("cell", item.free && "free", item.absent && "absent", marked(item));
  const cell = make("span", kind, { role: "img", "aria-label": words, title: words, "data-block": `${at}.${block}` });
  const letters = names.map((name, n) => make("i", colour(owners[n][1]), {}, name));
  cell.append(make("i", "number", {}, `${block}`), make("b", "count", {}, item.absent ? "—" : item.text));
  cell.append(make("span", "owners", {}, ...letters), item.differs ? sign() : "");
  return cell;
}

/** What stands for items that are left out. */
function drawElision(item, text) {
  const differ = item.differs ? text.then + fill(text.left_out_differ, { count: item.differs }) : "";
  const [first, last] = item.gap ?? [1, item.more];
  const values = { blocks: first === last ? first : `${first}–${last}`, count: last - first + 1, owned: item.owned };
  const key = item.more ? "more" : item.absent ? "gap_absent" : item.owned ? "gap_owned" : "gap_free";
  return make("span", "elision", {}, fill(text[key], values) + differ);
}

function drawItem(item, side, row, at, text) {
  if (item.more || item.gap) return drawElision(item, text);
  if (side.kind === "cells") return drawCell(item, at, text);
  const chip = side.kind === "chips" && !item.absent;
  const kind = classes("item", chip && colour(row.colour), item.absent && "absent", marked(item));
  const link = chip ? { "data-block": `${at}.${item.text}` } : {};
  const node = make("span", kind, link, item.absent ? "—" : item.text);
  if (item.differs) node.append(...signs(text));
  return node;
}

function drawSide(side, row, at, text) {
  const [open, close] = side.brackets ?? "";
  const inside = side.items.flatMap((item, n) => {
    const node = drawItem(item, side, row, at, text);
    return open && n ? [", ", node] : [node];
  });
  const node = make("span", classes("side", side.kind, marked(side)), {}, open ?? "", ...inside, close ?? "");
  if (side.missing) node.append(make("span", "missing", { role: "img", "aria-label": text.missing }, "—"));
  if (side.differs) node.append(...signs(text));
  return node;
}

/** One column of a row: all fields of the object as expected (0) or as they came (1). */
function drawColumn(row, which, text) {
  const at = `${which}.${row.kind === "sequence" ? row.home : row.name}`;
  const parts = row.parts.map((part) => {
    const node = make("div", classes("part", part.sides[0].kind));
    if (row.kind !== "value") node.append(make("code", "field", {}, part.label));
    node.append(drawSide(part.sides[which] ?? part.sides[0], row, at, text));
    return node;
  });
  const caption = alike(row) ? text.both : which ? text.got : text.expected; // shown where the columns are stacked
  return make("div", "column", { role: "cell" }, make("span", "caption", {}, caption), ...parts);
}
const alike = (row) => row.parts.every(({ sides: [one, other] }) => !other && !one.differs);

function drawRow(row, text) {
  const name = row.kind === "value" && row.name === "result" ? text.result : make("code", "", {}, row.name);
  const head = row.kind === "sequence" ? make("i", colour(row.colour), {}, row.name) : name;
  const columns = [0, 1].map((which) => drawColumn(row, which, text));
  const kind = classes("entry", row.kind, alike(row) && "alike");
  return make("div", kind, { role: "row" }, make("div", "name", { role: "rowheader" }, head), ...columns);
}

function drawLegend(text, hasPools) {
  const note = (sample, words) => make("span", "", {}, sample, words);
  const sample = (item) => {
    const cell = drawCell({ block: 3, text: "0", ...item }, "legend", text);
    cell.setAttribute("aria-hidden", "true");
    cell.removeAttribute("title");
    return cell;
  };
  const shared = sample({ text: "2", owners: [["a", 0, 1], ["b", 1, 1]] });
  return [
    ...(hasPools ? [note(shared, text.legend_cell), note(sample({ free: true }), text.legend_free)] : []),
    note(make("span", "swatch new", { "aria-hidden": "true" }), text.mark_new),
    note(make("span", "swatch differs", { "aria-hidden": "true" }, sign()), text.mark_differs),
  ];
}

// ---- one view

const isWrong = (view) => view.differs.length > 0 || !view.answered;

function render({ model, el }) {
  const id = `replay-${Math.random().toString(36).slice(2)}`;
  el.innerHTML = `<div class="paged-replay" role="group">${page(id)}</div>`;
  const root = el.firstElementChild;
  const find = (selector) => root.querySelector(selector);
  const [calls, slider, position, outcome, state] = [".calls", "input", ".position", ".outcome", ".state"].map(find);
  const buttons = Object.fromEntries([...root.querySelectorAll("[data-step]")].map((it) => [it.dataset.step, it]));
  let speaking = 0;

  const views = () => model.get("_views");
  const words = () => model.get("_text")[model.get("lang")];

  function setUp() {
    const text = words();
    root.lang = model.get("lang");
    root.setAttribute("aria-label", text.name);
    find("label").textContent = text.call;
    calls.setAttribute("aria-label", text.calls);
    for (const [step, node] of Object.entries(buttons)) {
      node.setAttribute("aria-label", text[step]);
      node.title = text[step];
    }
    slider.max = views().length;
    calls.replaceChildren(...views().map((view, n) => {
      const own = { type: "button", tabindex: -1, "data-to": n, "data-lm-suppress-shortcuts": true };
      const line = make("button", "", own, make("code", "", {}, view.call));
      if (isWrong(view)) line.append(...signs(text));
      return make("li", "", {}, line);
    }));
    const hasPools = views().some(({ rows }) => rows.some(({ kind }) => kind === "pool"));
    find(".legend").replaceChildren(...drawLegend(text, hasPools));
    draw();
  }

  function draw() {
    const text = words(), all = views(), frame = model.get("frame"), view = all[frame];
    const names = view.differs.map((name) => (name === "result" ? text.result : name));
    const differs = names.length ? fill(text.differs, { names: names.join(text.and) }) : text.same;
    const said = view.answered ? differs : text.unanswered;
    const spoken = fill(text.spoken, { number: frame + 1, total: all.length, call: view.call, outcome: said });
    slider.value = frame + 1;
    slider.setAttribute("aria-valuetext", spoken);
    position.textContent = `${frame + 1} / ${all.length}`;
    outcome.replaceChildren(make("code", "", {}, view.call), make("span", isWrong(view) ? "wrong" : "", {}, said));
    for (const [step, node] of Object.entries(buttons)) {
      const backwards = step === "first" || step === "previous";
      node.setAttribute("aria-disabled", frame === (backwards ? 0 : all.length - 1)); // stays under the focus
    }
    for (const line of calls.children) line.removeAttribute("aria-current");
    calls.children[frame].setAttribute("aria-current", "step");
    reveal();
    const head = make("div", "entry head", { role: "row" },
      ...["object", "expected", "got"].map((key) => make("span", key, { role: "columnheader" }, text[key])));
    state.replaceChildren(head, ...view.rows.map((row) => drawRow(row, text)));
  }

  /** Scroll the list, and nothing else, to the current call. */
  function reveal() {
    const { offsetTop: top, offsetHeight: height } = calls.children[model.get("frame")], list = calls.parentElement;
    list.scrollTop = Math.min(top, Math.max(list.scrollTop, top + height - list.clientHeight));
  }

  function go(frame) {
    const to = Math.max(0, Math.min(views().length - 1, frame));
    if (to === model.get("frame")) return;
    model.set("frame", to);
    model.save_changes();
    clearTimeout(speaking);
    speaking = setTimeout(speak, SPEAK_AFTER_MS);
  }
  const speak = () => (find(":scope > .spoken").textContent = slider.getAttribute("aria-valuetext"));
  const steps = { first: () => 0, previous: (n) => n - 1, next: (n) => n + 1, last: () => views().length - 1 };
  const keys = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" };

  slider.addEventListener("input", () => go(slider.value - 1));
  root.addEventListener("click", (event) => {
    const { step, to } = event.target.closest("button")?.dataset ?? {};
    if (step) go(steps[step](model.get("frame")));
    if (to) go(+to);
  });
  root.addEventListener("keydown", (event) => {
    const step = keys[event.key];
    if (!step || event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(steps[step](model.get("frame")));
  });
  root.addEventListener("pointerover", (event) => {
    const block = event.target.closest("[data-block]")?.dataset.block;
    for (const node of state.querySelectorAll("[data-block]"))
      node.classList.toggle("linked", node.dataset.block === block);
  });

  model.on("change:frame", draw);
  model.on("change:lang", setUp);
  const resized = new ResizeObserver(reveal);
  resized.observe(calls);
  setUp();
  return () => {
    resized.disconnect();
    model.off("change:frame", draw);
    model.off("change:lang", setUp);
    clearTimeout(speaking);
  };
}

export default { render };
