// What pictures of blocks have in common: cells, the colours of sequences, marks, and the steps through a run.

const COLOURS = 7; // of blocks.css; from the eighth sequence on they come again, outlined

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

// ---- blocks; `at` names the pool of the blocks, so that a chip finds its cell

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

/** Whatever stands for the block under the pointer gets an edge: its cell, and its chips in the tables. */
function linkBlocks(root) {
  root.addEventListener("pointerover", (event) => {
    const block = event.target.closest("[data-block]")?.dataset.block;
    for (const node of root.querySelectorAll("[data-block]"))
      node.classList.toggle("linked", node.dataset.block === block);
  });
}

// ---- stepping

const ICONS = {
  first: "M4 3v10M13 3 7 8l6 5z",
  previous: "M11 3 5 8l6 5z",
  next: "M5 3l6 5-6 5z",
  last: "M12 3v10M3 3l6 5-6 5z",
};
const STEP_KEYS = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" };

const stepper = (id) => `
  <div class="stepper">
    <div class="steps">${Object.keys(ICONS).map((step) => `
      <button type="button" data-step="${step}" ${KEYS}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[step]}"/></svg></button>`).join("")}</div>
    <label for="${id}"></label>
    <input id="${id}" type="range" min="1" step="1" ${KEYS}>
    <span class="position" aria-hidden="true"></span></div>`;

/** The four buttons, the slider and the keys of `stepper` ask for a frame by `go`. Returns what shows where we are. */
function wireSteps(root, frame, count, go) {
  const slider = root.querySelector(".stepper input"), position = root.querySelector(".position");
  const buttons = [...root.querySelectorAll("[data-step]")];
  const moves = { first: () => 0, previous: (n) => n - 1, next: (n) => n + 1, last: () => count() - 1 };
  const step = (name) => go(clamp(moves[name](frame()), 0, count() - 1));
  slider.addEventListener("input", () => go(slider.value - 1));
  root.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.dataset.step;
    if (name) step(name);
  });
  root.addEventListener("keydown", (event) => {
    const name = STEP_KEYS[event.key];
    if (!name || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.matches("input, textarea, select")) return; // they have a use for these keys
    event.preventDefault();
    step(name);
  });
  return (text, spoken) => {
    root.querySelector(".stepper label").textContent = text.call;
    slider.max = count();
    slider.value = frame() + 1;
    slider.setAttribute("aria-valuetext", spoken);
    position.textContent = `${frame() + 1} / ${count()}`;
    for (const button of buttons) {
      const { step: name } = button.dataset, backwards = name === "first" || name === "previous";
      button.setAttribute("aria-label", text[name]);
      button.title = text[name];
      button.setAttribute("aria-disabled", frame() === (backwards ? 0 : count() - 1)); // stays under the focus
    }
  };
}
