// The block map. Calls go to the kernel, which carries them out on the learner's objects; looking back happens here.

const PLAY_MS = 600; // for each step of a script
const WAIT_MS = 800; // before it says that the kernel is busy
const COMPACT = 96; // from this many blocks on, cells are small

function render({ model, el }) {
  const id = `block-map-${Math.random().toString(36).slice(2)}`;
  el.innerHTML = `<div class="paged-widget paged-blocks paged-block-map" role="group">${mapPage(id)}</div>`;
  const root = el.firstElementChild;
  const part = (name) => root.querySelector(name);
  const [who, calls, amount, script] = [".who", ".calls", ".amount input", "textarea"].map(part);
  const [grid, svg, rows, outcome, hint] = [".grid", ".arrows", ".rows", ".outcome", ".hint"].map(part);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const { bare, maker } = model.get("_can");
  let { steps, numbers } = readSteps(model.get("_frames"));
  const compact = steps[0].blocks.length >= COMPACT;
  const holders = new Map();
  let cells = [], keys = [], chosen = "", selected = [], summary = "";
  let playing = null, drawn = null, timers = {};

  const words = () => model.get("_text")[model.get("lang")];
  const at = () => Math.min(playing ?? model.get("frame"), steps.length - 1);
  const live = () => steps.at(-1);
  const later = (name, run, after) => (clearTimeout(timers[name]), (timers[name] = setTimeout(run, after)));
  const view = () => ({ text: words(), blockSize: model.get("block_size"), numbers, bare, compact });

  function showActions() {
    const text = words(), names = namesOf(live(), bare);
    if (!bare && !names.includes(chosen)) chosen = names[0] ?? "";
    if (bare) selected = selected.filter((block) => live().blocks[block].count > 0);
    drawNames(who, id, names, live(), bare, text);
    for (const input of who.querySelectorAll("input")) {
      const { table } = live().owners.get(input.value);
      input.checked = bare ? table.every((block) => selected.includes(block)) : input.value === chosen;
    }
    part(".amount").hidden = !bare && !chosen;
    say(part(".amount label"), bare ? text.blocks : text.tokens);
    const n = amount.validity.valid && amount.value ? +amount.value : null;
    const lines = bare
      ? poolLines(live(), n, selected, model.get("_can").share)
      : sequenceLines(chosen, n, maker, model.get("block_size"));
    drawCalls(calls, lines);
    for (const [block, cell] of cells.entries()) if (bare) cell.setAttribute("aria-checked", selected.includes(block));
  }
  function run(line) {
    if (!line.trim()) return;
    clearTimeout(timers.save);
    model.save_changes(); // a step that was just taken goes first, or it would undo the jump to the new one
    root.setAttribute("aria-busy", "true");
    later("wait", () => say(hint, words().waiting), WAIT_MS);
    model.send({ run: line });
  }

  // ---- one step
  function showCells(step, before) {
    const owners = ownersByBlock(step.owners), old = before && ownersByBlock(before.owners), view_ = view();
    step.blocks.forEach(({ count, runs }, block) => {
      const mine = owners.get(block) ?? [];
      const isNew = before && (before.blocks[block] !== step.blocks[block] || `${old.get(block) ?? []}` !== `${mine}`);
      const key = `${model.get("lang")} ${count} ${JSON.stringify(runs)} ${mine} ${isNew}`;
      if (keys[block] === key) return;
      keys[block] = key;
      const item = { block, text: count < 0 ? "—" : `${count}`, runs, owners: mine, free: count === 0, new: isNew };
      const cell = drawMapCell(item, view_, cells[block]), focused = cells[block] === document.activeElement;
      if (bare) {
        cell.setAttribute("role", "checkbox");
        cell.setAttribute("data-lm-suppress-shortcuts", "true");
        cell.tabIndex = cells[block]?.tabIndex ?? (block ? -1 : 0);
      }
      if (cells[block]) cells[block].replaceWith(cell);
      else grid.insertBefore(cell, svg);
      cells[block] = cell;
      if (focused) cell.focus();
    });
  }
  function showOutcome(step, text) {
    const copied = step.copied.map(([old, young]) => `${old} → ${young}`).join(text.and);
    const lost = [...step.owners].filter(([, it]) => it.lost).map(([name, it]) => fill(text.lost, { name, count: it.lost }));
    const refused = step.outcome[0] === "raised" || step.trace === "touched";
    const sentences = [["", said(step, text)], ["copied", copied && fill(text.copied, { pairs: copied })]];
    if (refused) sentences[0][0] = "wrong";
    const shown = [...sentences, ...lost.map((line) => ["wrong", line])].filter(([, line]) => line);
    const call = step.call ? [make("code", "", {}, step.call)] : [];
    outcome.replaceChildren(...call, ...shown.map(([kind, line]) => make("span", kind, {}, line)));
    return shown.map(([, line]) => line).join(" ");
  }
  function showPool(step, text) {
    part(".free-count").replaceChildren(
      make("b", "", {}, step.free ?? "?"), ` ${fill(text.of_blocks, { count: step.blocks.length })}`);
    const known = step.queue && (step.queue.length ? drawChips(step.queue, "", text) : [text.queue_empty]);
    part(".queue").replaceChildren(make("span", "label", {}, text.queue), ...(known ?? [text.queue_unknown]));
  }
  function showTables(step, before, text) {
    const shown = [...step.owners].filter(([, { tokens, table }]) => tokens !== null || table.length);
    const lines = shown.map(([name, owner]) => {
      const isNew = before && before.owners.get(name) !== owner, last = holders.get(name);
      if (last?.owner === owner && last.isNew === isNew && last.text === text) return last.node; // most stay as they are
      const node = drawOwner(name, owner, isNew, text);
      holders.set(name, { owner, isNew, text, node });
      return node;
    });
    rows.replaceChildren(...lines);
    const fresh = step.copies.length - step.copied.length;
    const pairs = step.copies.map(([old, young], n) => make("span", classes("pair", n >= fresh && "new"), {}, `${old} → ${young}`));
    const head = pairs.length ? [make("code", "label", {}, "pool.copies")] : [];
    part(".copies").replaceChildren(...head, ...pairs.slice(-MOST_CHIPS));
  }
  function showCopies(step, before, forward) {
    drawArrows(svg, grid, cells, step.copied);
    if (!forward || !before || calm.matches) return;
    for (const pair of step.copied) fly(grid, cells, pair, before.blocks[pair[0]]?.runs ?? [], view());
  }
  function draw() {
    const text = words(), frame = at(), step = steps[frame], before = steps[frame - 1], past = frame < steps.length - 1;
    const values = { number: frame + 1, total: steps.length, call: step.call, free: step.free ?? "?", count: step.blocks.length };
    summary = fill(text.spoken, { ...values, said: showOutcome(step, text) });
    showSteps(text, summary);
    showCells(step, before);
    showPool(step, text);
    showTables(step, before, text);
    if (!bare) showCopies(step, before, drawn !== null && frame > drawn);
    if (!root.hasAttribute("aria-busy")) say(hint, past ? text.past : bare ? text.select : "");
    root.classList.toggle("past", past);
    drawn = frame;
    showActions();
  }
  function setUp() {
    const text = words();
    label(root, model.get("lang"), text);
    script.placeholder = bare ? "x = pool.allocate(3)\npool.free(x)" : "a.append(5)\nb = a.fork()";
    script.title = text.run_hint;
    part(".legend").replaceChildren(...drawLegend(view()));
    draw();
    showProblem();
  }
  function showProblem() {
    const problem = model.get("_problem");
    say(part(".problem"), problem.key ? problemIn(problem, words()) : "");
  }
  const speak = () => later("speak", () => (part(":scope > .spoken").textContent = summary), SPEAK_AFTER_MS);

  function go(frame) {
    playing = clearTimeout(timers.play) ?? null;
    if (frame === model.get("frame")) return draw();
    model.set("frame", frame);
    later("save", () => model.save_changes(), SAVE_AFTER_MS);
    speak();
  }
  /** New steps have come: the first of several, then one after the other. */
  function follow() {
    const from = steps.length;
    ({ steps, numbers } = readSteps(model.get("_frames")));
    const made = /^(\w+) = (?!.*\.fork\()/.exec(live().call)?.[1];
    if (made && live().owners.get(made)?.tokens === 0) chosen = made;
    playing = steps.length > from + 1 && !calm.matches ? from : null;
    if (playing !== null) later("play", play, PLAY_MS);
    speak();
    draw();
  }
  function play() {
    playing = playing + 1 < steps.length - 1 ? playing + 1 : null;
    if (playing !== null) later("play", play, PLAY_MS);
    draw();
  }
  function answered(message) {
    if (!message.done) return;
    clearTimeout(timers.wait);
    root.removeAttribute("aria-busy");
    draw();
  }

  const showSteps = wireSteps(root, at, () => steps.length, go);
  linkBlocks(root);
  calls.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.getAttribute("aria-disabled") === "false") run(button.textContent);
  });
  part("[data-script]").addEventListener("click", () => run(script.value));
  script.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run(script.value);
  });
  amount.addEventListener("input", showActions);
  amount.addEventListener("keydown", (event) => event.key === "Enter" && calls.firstElementChild?.click());
  who.addEventListener("change", ({ target }) => {
    const table = live().owners.get(target.value).table;
    if (!bare) chosen = target.value;
    else selected = [...selected.filter((block) => !table.includes(block)), ...(target.checked ? new Set(table) : [])];
    showActions();
  });
  function toggle(block) {
    if (block < 0 || live().blocks[block].count < 1) return;
    selected = selected.includes(block) ? selected.filter((it) => it !== block) : [...selected, block];
    showActions();
  }
  if (bare) selectable(grid, () => cells, toggle);
  const events = { "change:frame": draw, "change:_frames": follow, "change:lang": setUp, "change:_problem": showProblem, "msg:custom": answered };
  for (const [event, handler] of Object.entries(events)) model.on(event, handler);
  const resized = new ResizeObserver(() => bare || drawArrows(svg, grid, cells, steps[at()].copied));
  root.classList.toggle("compact", compact);
  setUp();
  resized.observe(grid);
  return () => {
    for (const [event, handler] of Object.entries(events)) model.off(event, handler);
    resized.disconnect();
    if (timers.save) model.save_changes();
    for (const timer of Object.values(timers)) clearTimeout(timer);
  };
}

export default { render };
