// The mask viewer: causal masks of requests at any stage, and where their queries lie in one flat batch.

const MOST_REQUESTS = 8, MAX_CONTEXT = 64;
const ADDED = [12, 4]; // context and new tokens of a request that is added

const page = (id) => `
  <div class="top">
    <fieldset class="requests"><legend data-text="requests"></legend><div class="chips"></div></fieldset>
    <div><button type="button" data-act="add" data-text="add" ${KEYS}></button>
      <button type="button" data-act="remove" data-text="remove" ${KEYS}></button></div></div>
  <div class="controls">
    ${control(id, "context", 1, MAX_CONTEXT, MAX_CONTEXT)}
    ${control(id, "new", 0, MAX_CONTEXT, MAX_CONTEXT, 0)}
    ${control(id, "row", 0, 0, 0, 0)}
    <div class="control"><label for="${id}-mistake" data-text="mistake"></label>
      <select id="${id}-mistake" ${KEYS}>
        ${Object.keys(SEEN).map((name) => `<option value="${name}" data-text="${name}"></option>`).join("")}
      </select></div></div>
  <div class="arrays"><code>query_start_loc = [<span data-list="starts"></span>]</code>
    <code>seq_lens = [<span data-list="contexts"></span>]</code></div>
  <div class="words"><p class="told"></p><p class="told wrong"></p></div>
  <svg class="picture" role="img"></svg>
  <p class="legend" aria-hidden="true">${["visible", "hidden", "lost", "leaked"]
    .map((name) => `<span class="${name}"><i></i><span data-text="${name}"></span></span>`).join("")}</p>
  <p class="spoken" role="status" aria-live="polite"></p>`;

/** A row of numbers, some of them marked; written again only when it changes. */
function list(node, numbers, marked) {
  const html = numbers.map((it, n) => (marked.includes(n) ? `<b>${it}</b>` : it)).join(", ");
  if (node.dataset.shown !== html) node.innerHTML = node.dataset.shown = html;
}

// ---- one view
function render({ model, el }) {
  const id = `masks-${Math.random().toString(36).slice(2)}`;
  el.innerHTML = `<div class="paged-widget paged-mask-viewer" role="group">${page(id)}</div>`;
  const root = el.firstElementChild;
  const [slides, exacts, lists, acts] = ["slide", "exact", "list", "act"].map((kind) => find(root, kind));
  const [svg, spoken, chips, choose] = ["svg", ".spoken", ".chips", "select"].map((it) => root.querySelector(it));
  const [told, wrong] = root.querySelectorAll(".told");
  const picture = new MaskPicture(svg), keepWords = keepTall(root.querySelector(".words"));
  let width = 0, summary = "";
  const names = ["requests", "request", "query", "mistake", "lang"];
  const { get, change, schedule, close } = share(model, names, draw, spoken, () => summary);

  /** The selected request and query; where the kernel has just taken them away, the last ones, until it says which. */
  const selected = () => clamp(get("request"), 0, get("requests").length - 1);
  const here = () => get("requests")[selected()];
  const query = () => clamp(get("query"), 0, Math.max(0, here()[1] - 1));
  /** Requests as they are to be, and the selection where it then can be. */
  function put(requests, request = selected()) {
    const chosen = clamp(request, 0, requests.length - 1), last = Math.max(0, requests[chosen][1] - 1);
    change({ requests, request: chosen, query: Math.min(get("query"), last) });
  }
  const resize = (...size) => put(get("requests").map((it, n) => (n === selected() ? size : it)));
  const values = {
    context: { get: () => here()[0], set: (context) => resize(context, Math.min(here()[1], context)) },
    new: { get: () => here()[1], set: (fresh) => resize(Math.max(here()[0], fresh), fresh) },
    row: { get: row, set: toRow },
  };
  /** The selected row; for a request without any, the next one there is. */
  function row() {
    const starts = startsOf(get("requests"));
    return clamp(starts[selected()] + query(), 0, Math.max(0, starts.at(-1) - 1));
  }
  function toRow(row) {
    const starts = startsOf(get("requests"));
    if (row < starts.at(-1)) change(placeOfRow(starts, row));
  }

  function showRequests(requests, text) {
    if (chips.children.length !== requests.length)
      chips.innerHTML = requests.map((_, n) =>
        `<label><input type="radio" name="${id}" value="${n}" ${KEYS}><b>${n}</b> <span></span></label>`).join("");
    requests.forEach(([context, fresh], n) => {
      const [radio, , size] = chips.children[n].children, values = { request: n, context, new: fresh };
      radio.checked = n === selected();
      radio.setAttribute("aria-label", fill(`${text.request}, ${text.size}`, values));
      say(size, `${context} / ${fresh}`);
    });
    acts.add.disabled = requests.length === MOST_REQUESTS;
    acts.remove.disabled = requests.length === 1;
  }
  function showControls(starts) {
    slides.row.max = exacts.row.max = Math.max(0, starts.at(-1) - 1);
    slides.row.disabled = exacts.row.disabled = starts.at(-1) === 0;
    for (const [name, slide] of Object.entries(slides)) {
      const value = values[name].get();
      showValue(slide, exacts[name], value);
    }
    if (choose.value !== get("mistake")) choose.value = get("mistake");
  }
  /** What the picture says about the selected query, in words. */
  function tell(requests, starts, text) {
    const request = selected(), asked = query(), mistake = get("mistake"), [context, fresh] = here();
    const start = starts[request], seen = SEEN.none(context, fresh, asked);
    const stage = text[stageOf(context, fresh)], row = start + asked, position = seen - 1;
    const place = { request, stage, query: asked, new: fresh, position, seen, context, last: position, start, row };
    const first = fill(fresh ? text.place : text.no_place, place);
    say(told, first);
    const cells = differing(requests, mistake), count = fresh ? SEEN[mistake](context, fresh, asked) : 0;
    const template = cells ? (fresh ? text.wrong : text.wrong_cells) : text.same;
    const words = fill(template, { mistake: text[mistake], count, cells });
    const second = mistake === "none" ? "" : fresh && count === 0 ? `${words} ${text.nan}` : words;
    say(wrong, second);
    keepWords();
    return `${first} ${second}`.trim();
  }
  function draw() {
    const text = model.get("_text")[get("lang")], requests = get("requests"), request = selected();
    const starts = startsOf(requests);
    if (root.lang !== get("lang")) label(root, get("lang"), text);
    showRequests(requests, text);
    showControls(starts);
    list(lists.starts, starts, [request, request + 1]);
    list(lists.contexts, requests.map(([context]) => context), [request]);
    summary = tell(requests, starts, text);
    svg.setAttribute("aria-label", summary);
    root.dataset.mistake = get("mistake");
    if (width) picture.draw(requests, { request, query: query(), mistake: get("mistake") }, text, width);
  }

  for (const [name, slide] of Object.entries(slides)) {
    const { get: value, set } = values[name], exact = exacts[name];
    slide.addEventListener("input", () => set(+slide.value));
    steer(slide, value, set, () => [+exact.min, +exact.max], { PageUp: (n) => n + 8, PageDown: (n) => n - 8 });
    typed(exact, value, set);
  }
  choose.addEventListener("change", () => change({ mistake: choose.value }));
  chips.addEventListener("change", (event) => put(get("requests"), +event.target.value));
  acts.add.addEventListener("click", () => put([...get("requests"), ADDED], get("requests").length));
  acts.remove.addEventListener("click", () => put(get("requests").filter((_, n) => n !== selected())));
  const point = (event) => {
    const { left, top } = svg.getBoundingClientRect(), row = picture.rowAt(event.clientX - left, event.clientY - top);
    if (row) change(row);
  };
  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // no selection of text
    slides.row.focus({ preventScroll: true }); // arrow keys go on from here
    point(event);
  });
  return live(root, () => (width = svg.getBoundingClientRect().width), draw, schedule, close);
}

export default { render };
