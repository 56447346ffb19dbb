// What can be done on a block map: every button says the line of Python that it runs.

const mapPage = (id) => `
  <div class="act">
    <div class="who" role="radiogroup"></div>
    <div class="amount"><label for="${id}-n"></label>
      <input id="${id}-n" type="number" min="0" max="9999" step="1" value="3" ${KEYS}></div>
    <div class="calls"></div></div>
  <div class="script"><label for="${id}-script" data-text="script"></label>
    <textarea id="${id}-script" rows="2" spellcheck="false" autocapitalize="off" ${KEYS}></textarea>
    <button type="button" data-script data-text="run" ${KEYS}></button></div>
  <p class="problem" role="alert"></p>
  ${stepper(`${id}-step`)}
  <p class="outcome"></p>
  <p class="hint"></p>
  <div class="board">
    <div class="pool"><div class="free-count"></div><div class="queue"></div>
      <div class="grid"><svg class="arrows" aria-hidden="true"></svg></div></div>
    <div class="tables"><h4 data-text="tables"></h4><div class="rows" role="list"></div><div class="copies"></div></div></div>
  <div class="legend"></div>
  <p class="spoken" role="status" aria-live="polite"></p>`;

/** Who can be chosen: sequences, or on a bare pool the allocations that still hold blocks. */
const namesOf = ({ owners }, bare) =>
  [...owners].filter(([, { tokens, table }]) => (bare ? table.length : tokens !== null)).map(([name]) => name);

/** A line that a button runs, and whether it is complete. */
function poolLines(live, n, selected, canShare) {
  const held = [...live.owners].find(([, { listed }]) => listed.length && `${listed}` === `${selected}`);
  const some = held ? held[0] : selected.length ? `[${selected.join(", ")}]` : "…";
  const verbs = canShare ? ["share", "free"] : ["free"];
  return [[`pool.allocate(${n ?? "…"})`, n !== null], ...verbs.map((verb) => [`pool.${verb}(${some})`, some !== "…"])];
}
function sequenceLines(name, n, maker, blockSize) {
  const own = [[`${name}.append(${n ?? "…"})`, n !== null], [`${name}.fork()`, true], [`${name}.free()`, true]];
  return [...(name ? own : []), ...(maker ? [[`${maker}(pool, ${blockSize})`, true]] : [])];
}
function drawCalls(calls, lines) {
  lines.forEach(([line, ready], n) => {
    const own = { type: "button", "data-lm-suppress-shortcuts": "true" };
    const button = calls.children[n] ?? calls.appendChild(make("button", "", own));
    say(button, line);
    button.setAttribute("aria-disabled", !ready);
  });
  while (calls.children.length > lines.length) calls.lastElementChild.remove();
}
/** One chip for each name: radio buttons for sequences, check boxes for allocations. */
function drawNames(who, id, names, live, bare, text) {
  who.setAttribute("aria-label", bare ? text.allocation : text.sequence);
  if (who.dataset.names === `${names}`) return; // else the focus would be lost
  who.dataset.names = names;
  who.setAttribute("role", bare ? "group" : "radiogroup");
  who.replaceChildren(...names.map((name) => {
    const own = { type: bare ? "checkbox" : "radio", name: id, value: name, "data-lm-suppress-shortcuts": "true" };
    return make("label", colour(live.owners.get(name).number), {}, make("input", "", own), name);
  }));
}

/** Blocks that are selected by a click, or by Space on the one that has the focus; arrow keys move it. */
function selectable(grid, cells, toggle) {
  grid.addEventListener("click", ({ target }) => toggle(cells().indexOf(target.closest(".cell"))));
  grid.addEventListener("keydown", (event) => {
    const all = cells(), here = all.indexOf(event.target);
    const across = all.findIndex((cell) => cell.offsetTop > all[0].offsetTop); // cells in a row; -1 if there is but one
    const moves = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: Math.max(0, across), ArrowUp: -Math.max(0, across) };
    if (here < 0 || !(event.key in { ...moves, " ": 0, Enter: 0 })) return;
    event.preventDefault();
    if (!(event.key in moves)) return toggle(here);
    const next = all[here + moves[event.key]] ?? all[here];
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
