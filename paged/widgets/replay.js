// The replay of a run. Python has compared all values once; stepping and drawing happen here, without the kernel.

const page = (id) => `
  <div class="run"><ol class="calls"></ol></div>
  ${stepper(id)}
  <p class="outcome"></p>
  <div class="state" role="table"></div>
  <div class="legend"></div>
  <p class="spoken" role="status" aria-live="polite"></p>`;

// ---- the pieces of one side

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
  el.innerHTML = `<div class="paged-widget paged-blocks paged-replay" role="group">${page(id)}</div>`;
  const root = el.firstElementChild;
  const find = (selector) => root.querySelector(selector);
  const [calls, outcome, state] = [".calls", ".outcome", ".state"].map(find);
  let speaking = 0, summary = "";

  const views = () => model.get("_views");
  const words = () => model.get("_text")[model.get("lang")];
  const showSteps = wireSteps(root, () => model.get("frame"), () => views().length, go);

  function setUp() {
    const text = words();
    root.lang = model.get("lang");
    root.setAttribute("aria-label", text.name);
    calls.setAttribute("aria-label", text.calls);
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
    summary = fill(text.spoken, { number: frame + 1, total: all.length, call: view.call, outcome: said });
    showSteps(text, summary);
    outcome.replaceChildren(make("code", "", {}, view.call), make("span", isWrong(view) ? "wrong" : "", {}, said));
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

  function go(to) {
    if (to === model.get("frame")) return;
    model.set("frame", to);
    model.save_changes();
    clearTimeout(speaking);
    speaking = setTimeout(() => (find(":scope > .spoken").textContent = summary), SPEAK_AFTER_MS);
  }

  calls.addEventListener("click", (event) => {
    const to = event.target.closest("button")?.dataset.to;
    if (to) go(+to);
  });
  linkBlocks(state);

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
