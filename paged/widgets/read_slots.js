// What a kernel reads: its runs as bars of bytes, its programs one after the other, and the slots they read.

const page = (id) => `
  <fieldset class="runs"><legend data-text="runs"></legend><div class="bars"></div><p class="least"></p></fieldset>
  <div class="controls">
    ${control(id, "program", 0, 1, 1, 0)}
    <div class="control"><label for="${id}-cache" data-text="caches"></label>
      <select id="${id}-cache" ${KEYS}><option value="k" data-text="k"></option><option value="v" data-text="v"></option></select></div></div>
  <div class="words"><p class="told"></p><p class="told cell"></p><p class="told wrong"></p></div>
  <svg class="picture" role="img"></svg>
  <p class="legend" aria-hidden="true">${["by_one", "by_several", "empty"]
    .map((name) => `<span class="${name}"><i></i><span data-text="${name}"></span></span>`).join("")}</p>
  <p class="spoken" role="status" aria-live="polite"></p>`;

const times = formatter(2);

// ---- one view
function render({ model, el }) {
  const id = `reads-${Math.random().toString(36).slice(2)}`;
  el.innerHTML = `<div class="paged-widget paged-read-slots" role="group">${page(id)}</div>`;
  const root = el.firstElementChild;
  const [{ program: slide }, { program: exact }] = ["slide", "exact"].map((kind) => find(root, kind));
  const [svg, spoken, bars, choose, least] =
    ["svg", ".spoken", ".bars", "select", ".least"].map((it) => root.querySelector(it));
  const [told, cell, wrong] = root.querySelectorAll(".told");
  const picture = new ReadPicture(svg), keepWords = keepTall(root.querySelector(".words"));
  let width = 0, summary = "", here = -1, known = {};
  const names = ["trace", "run", "program", "cache", "lang"];
  const { get, change, schedule, close } = share(model, names, draw, spoken, () => summary);

  /** The run shown; where the kernel has just taken it away, the last one, until it says which. */
  const shown = () => clamp(get("run"), 0, get("trace").runs.length - 1);
  const programs = () => get("trace").runs[shown()].programs;
  const lit = () => clamp(get("program"), 0, programs().length);

  /** What follows from the trace, the run and the cache; made once for each. */
  function facts() {
    const trace = get("trace"), run = shown(), cache = get("cache");
    if (known.trace !== trace) {
      const totals = trace.runs.map((it) => bytesOf(it.programs));
      known = { trace, owners: ownersOf(trace), totals, least: leastBytes(trace) };
    }
    if (known.run !== run || known.cache !== cache)
      Object.assign(known, { run, cache, readers: readersOf(programs(), cache, trace.num_kv_heads) });
    return known;
  }
  const nameOf = ({ name }) => name[get("lang")] ?? name;
  const idOf = ({ id: [launch, x, y, z] }, text) =>
    fill(programs().some((it) => it.id[0]) ? text.launch_id : text.id, { launch: launch + 1, x, y, z });

  function showRuns({ trace, totals, least: fewest, run: chosen }, text) {
    const most = Math.max(fewest, ...totals), percent = (bytes) => `${(100 * bytes) / most}%`;
    if (bars.shown !== trace) {
      bars.shown = trace;
      bars.innerHTML = trace.runs.map((run, n) => `<label><input type="radio" name="${id}" value="${n}" ${KEYS}>
        <span class="run"></span><span class="bar" aria-hidden="true">${run.programs.map((program, number) =>
          `<i style="width: ${percent(bytesOf([program]))}; background: ${colourOf(number)}"></i>`).join("")}<em
          style="left: ${percent(fewest)}"></em></span><b></b><span class="bytes"></span></label>`).join("");
    }
    trace.runs.forEach((run, n) => {
      const [radio, name, , factor, size] = bars.children[n].children, bytes = whole(totals[n]);
      const ratio = fewest ? times(totals[n] / fewest) : "–";
      radio.checked = n === chosen;
      const values = { name: nameOf(run), programs: run.programs.length, bytes, times: ratio };
      radio.setAttribute("aria-label", fill(text.run, values));
      say(name, nameOf(run));
      say(factor, fill(text.times, { times: ratio }));
      say(size, fill(text.bytes, { bytes }));
    });
    say(least, fill(text.least, { least: whole(fewest) }));
  }
  function tellRun({ trace, totals, least: fewest, run, cache }, text) {
    if (lit() === 0) {
      const ratio = fewest ? times(totals[run] / fewest) : "–", name = nameOf(trace.runs[run]);
      const values = { name, programs: programs().length, bytes: whole(totals[run]), least: whole(fewest), times: ratio };
      return fill(text.together, values);
    }
    const program = programs()[lit() - 1], heads = [...new Set(program[cache].map(([, head]) => head))].sort((a, b) => a - b);
    const slots = new Set(program[cache].map(([slot]) => slot)).size, bytes = bytesOf([program]);
    const values = { number: lit(), id: idOf(program, text), slots, cache: text[cache], heads: heads.join(text.and) };
    return fill(bytes ? text.one : text.nothing, { ...values, bytes: whole(bytes) });
  }
  function tellCell({ trace, owners, readers }, text) {
    if (here < 0) return text.cell_hint;
    const { block_size, num_kv_heads } = trace, slot = Math.floor(here / num_kv_heads), owner = owners.get(slot);
    const who = readers.get(here), token = owner && fill(text.token, { request: owner[0], position: owner[1] });
    const readBy = who && fill(text.read_by, {
      count: who.length,
      programs: who.map((number) => idOf(programs()[number], text)).join(text.and),
    });
    const place = { slot, block: Math.floor(slot / block_size), offset: slot % block_size, head: here % num_kv_heads };
    return fill(text.cell, { ...place, token: token ?? text.nobody_s, who: readBy ?? text.unread });
  }
  function tellWrong({ trace, owners, readers }, text) {
    const [strangers, missed] = wrongRows(trace, owners, readers).map((rows) => rows.length);
    const words = [strangers && fill(text.strangers, { count: strangers }), missed && fill(text.missed, { count: missed })];
    return words.filter(Boolean).join(" ");
  }
  function draw() {
    const text = model.get("_text")[get("lang")], found = facts(), { trace, owners, readers } = found;
    if (root.lang !== get("lang")) label(root, get("lang"), text);
    showRuns(found, text);
    slide.max = exact.max = programs().length;
    showValue(slide, exact, lit());
    if (choose.value !== get("cache")) choose.value = get("cache");
    summary = say(told, tellRun(found, text));
    say(cell, tellCell(found, text));
    say(wrong, tellWrong(found, text));
    keepWords();
    svg.setAttribute("aria-label", `${summary} ${wrong.textContent}`.trim());
    if (width) picture.draw(trace, owners, readers, lit() - 1, here, text, width);
  }
  function point(row) {
    if (row !== here) (here = row), draw();
  }

  const toProgram = (program) => change({ program });
  slide.addEventListener("input", () => toProgram(+slide.value));
  steer(slide, lit, toProgram, () => [0, programs().length], { PageUp: (n) => n + 4, PageDown: (n) => n - 4 });
  typed(exact, lit, toProgram);
  choose.addEventListener("change", () => change({ cache: choose.value }));
  bars.addEventListener("change", (event) => {
    const run = +event.target.value, last = get("trace").runs[run].programs.length;
    change({ run, program: Math.min(get("program"), last) });
  });
  const rowAt = (event) => {
    const { left, top } = svg.getBoundingClientRect();
    return picture.rowAt(event.clientX - left, event.clientY - top);
  };
  svg.addEventListener("pointermove", (event) => point(rowAt(event)));
  svg.addEventListener("pointerleave", () => point(-1));
  svg.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // no selection of text
    slide.focus({ preventScroll: true }); // arrow keys go on from here
    point(rowAt(event));
    const who = facts().readers.get(here) ?? [], next = who[(who.indexOf(lit() - 1) + 1) % who.length];
    toProgram(next === undefined ? 0 : next + 1);
  });
  return live(root, () => (width = svg.getBoundingClientRect().width), draw, schedule, close);
}

export default { render };
