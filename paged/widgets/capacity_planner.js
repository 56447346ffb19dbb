// The capacity planner: model, GPU and lengths in, requests out. All sums and pixels are made here.

const CHOICES = ["model", "gpu", "weight_dtype", "kv_dtype"], KINDS = ["MHA", "GQA", "MQA", "MLA"];
const MAX_KEPT = 40; // GiB, where the slider ends; the number box takes more
const PARTS = { paged: ["used", "last_block", "rest"], reserved: ["used", "never_used", "rest"] };
const FACTS = ["per_token", "budget", "tables", "records"];

// ---- the page
const choice = (id, name, more = "", text = name) => `
  <div class="control"><label for="${id}-${name}" data-text="${text}"></label>
    <select id="${id}-${name}" data-choose="${name}" ${KEYS}></select>${more}</div>`;
const noteLine = (name) => `<p class="under" data-show="${name}"></p>`;
const weightBox = `<input type="number" data-exact="weights" min="0" max="1000" step="any" ${KEYS}>`;

const strategy = (name) => `
  <section><div class="head"><h4 data-show="${name}.title"></h4>
      <b data-show="${name}"></b> <span data-text="requests"></span></div>
    <div class="body"><dl>${PARTS[name].map((part) => `
      <div><dt><i class="${part}"></i><span data-text="${part}"></span></dt>
        <dd data-show="${name}.${part}"></dd></div>`).join("")}</dl>
      <svg class="bar" data-bar="${name}" aria-hidden="true"></svg></div></section>`;

const page = (id) => `
  <div class="controls">
    ${choice(id, "model", noteLine("model_note"))}
    ${choice(id, "gpu", noteLine("gpu_note"))}
    ${control(id, "num_gpus", 1, MAX_GPUS, MAX_GPUS)}
    ${choice(id, "weight_dtype", weightBox, "weights")}
    ${control(id, "kept", 0, MAX_KEPT, 1000, 0)}
    ${choice(id, "kv_dtype")}
    ${control(id, "tokens", 0, POSITIONS, 1)}
    ${control(id, "reserved_tokens", 0, POSITIONS, 1)}
    ${control(id, "block_size", 1, 256, 256)}</div>
  <div class="said"><p data-show="verdict"></p><p class="quiet" data-show="note"></p></div>
  ${strategy("paged")}${strategy("reserved")}
  <dl class="facts">${FACTS.map((name) => `
    <div><dt data-text="${name}"></dt><dd><b data-show="${name}"></b><span data-show="${name}.sum"></span></dd></div>`).join("")}</dl>
  <section><div class="note"><h4 data-text="curve"></h4><p data-text="curve_note"></p></div>
    <svg class="curve" role="img"></svg></section>
  <p class="spoken" role="status" aria-live="polite"></p>`;

// ---- one view
function render({ model, el }) {
  const id = `planner-${Math.random().toString(36).slice(2)}`;
  el.innerHTML = `<div class="paged-widget paged-capacity-planner" role="group">${page(id)}</div>`;
  const root = el.firstElementChild, models = model.get("_models"), gpus = model.get("_gpus");
  const [show, bars, chooses, slides, exacts] = ["show", "bar", "choose", "slide", "exact"].map((it) => find(root, it));
  const [svg, spoken, said] = [".curve", ".spoken", ".said"].map((it) => root.querySelector(it));
  const curve = new Curve(svg), keepSaid = keepTall(said);
  let width = 0, room = 0, summary = "", setting, plan;
  const names = ["num_gpus", "weights", "kept", "tokens", "reserved_tokens", "block_size", "lang", ...CHOICES];
  const { get, change, schedule, close } = share(model, names, draw, spoken, () => summary);
  exacts.kept.step = "any";

  function translate(text) {
    label(root, get("lang"), text);
    const group = (kind) => {
      const made = Object.assign(document.createElement("optgroup"), { label: text[kind] });
      made.append(...Object.values(models).filter((row) => row.kind === kind).map((row) => new Option(row.name)));
      return made;
    };
    chooses.model.replaceChildren(...KINDS.map(group));
    chooses.gpu.replaceChildren(...Object.keys(gpus).map((name) => new Option(name)));
    const named = (keys) => keys.map((key) => new Option(text[key], key));
    chooses.kv_dtype.replaceChildren(...named(Object.keys(KV_BYTES)));
    chooses.weight_dtype.replaceChildren(...named(["published", ...Object.keys(WEIGHT_BITS), "hand"]));
  }
  /** What the controls stand at: what holds, which the model may limit. */
  const values = {
    num_gpus: () => get("num_gpus"),
    kept: () => get("kept"),
    tokens: () => plan.tokens,
    reserved_tokens: () => plan.reserved_tokens,
    block_size: () => get("block_size"),
    weights: () => get("weights") ?? Number((plan.weights / GIB).toFixed(2)),
  };
  const most = { tokens: () => plan.reserved_tokens, reserved_tokens: () => setting.model.context };

  function showControls(text) {
    const published = chooses.weight_dtype.options[0];
    say(published, fill(text.published, { dtype: setting.model.weight_bits === 8 ? text.fp8 : text.bf16 }));
    for (const [name, choose] of Object.entries(chooses)) {
      const value = name === "weight_dtype" && get("weights") !== null ? "hand" : get(name);
      if (choose.value !== value) choose.value = value;
    }
    for (const [name, slide] of Object.entries(slides)) {
      const value = values[name](), max = most[name]?.();
      if (max) exacts[name].max = max;
      showValue(slide, exacts[name], value, max ? (max === 1 ? 0 : placeOf(slide, value, max)) : value);
    }
    slides.kept.setAttribute("aria-valuetext", `${short(get("kept"))} GiB`);
    const exact = exacts.weights, weights = values.weights();
    if (exact.value === "" ? !exact.matches(":focus") : +exact.value !== weights) exact.value = weights;
    const { heads, kv_heads, latent_dim, rope_dim, params } = setting.model;
    const shape = { heads, kv_heads, latent_dim, rope_dim, params: short(params / 1e9) };
    say(show.model_note, fill(latent_dim ? text.latent_note : text.model_note, shape));
    say(show.gpu_note, fill(text.gpu_note, { stated_gb: setting.gpu.stated_gb, memory: gib(plan.memory) }));
  }
  function showStrategy(name, text) {
    say(show[`${name}.title`], fill(name === "paged" ? text.paging : text.reserving, spelled({ ...setting, ...plan })));
    say(show[name], whole(plan[name]));
    const { used, waste, rest } = partsOf(name, setting, plan);
    PARTS[name].forEach((part, n) => say(show[`${name}.${part}`], size([used, waste, rest][n])));
    if (room) drawBar(bars[name], room, name, setting, plan, text);
  }
  function draw() {
    const text = model.get("_text")[get("lang")];
    setting = Object.fromEntries(names.map((name) => [name, get(name)]));
    Object.assign(setting, { model: models[setting.model], gpu: gpus[setting.gpu] });
    plan = planFor(setting);
    if (root.lang !== get("lang")) translate(text);
    showControls(text);
    say(show.verdict, verdict(setting, plan, text));
    say(show.note, noteOf(setting, text));
    said.classList.toggle("problem", plan.problem !== "");
    keepSaid();
    for (const name of Object.keys(PARTS)) showStrategy(name, text);
    for (const [name, [much, sum]] of Object.entries(factsOf(setting, plan, text))) {
      say(show[name], much);
      say(show[`${name}.sum`], sum);
    }
    summary = summaryOf(setting, plan, text);
    svg.setAttribute("aria-label", fill(text.curve_spoken, spelled(plan)));
    if (width) curve.draw(setting, plan, text, width);
  }

  const afresh = { model: { weights: null }, weight_dtype: { weights: null }, num_gpus: { weights: null } };
  const set = (name, value) => change({ [name]: value, ...afresh[name] });
  for (const [name, choose] of Object.entries(chooses))
    choose.addEventListener("change", () =>
      choose.value === "hand" ? set("weights", values.weights()) : set(name, choose.value));
  for (const [name, slide] of Object.entries(slides)) {
    const at = () => (most[name] ? toCount(+slide.value, most[name]()) : +slide.value);
    slide.addEventListener("input", () => set(name, at()));
    steer(slide, values[name], (to) => set(name, to), () => [+exacts[name].min, most[name]?.() ?? +slide.max]);
  }
  for (const [name, exact] of Object.entries(exacts)) typed(exact, values[name], (to) => set(name, to));
  const point = (event) => {
    const length = curve.lengthAt(event.clientX - svg.getBoundingClientRect().left);
    set("tokens", clamp(length, 1, plan.reserved_tokens));
  };
  svg.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // no selection of text
    svg.setPointerCapture(event.pointerId);
    slides.tokens.focus({ preventScroll: true }); // arrow keys go on from here
    point(event);
  });
  svg.addEventListener("pointermove", (event) => svg.hasPointerCapture(event.pointerId) && point(event));

  return live(root, () => ([width, room] = [svg, bars.paged].map((it) => it.getBoundingClientRect().width)), draw, schedule, close);
}

export default { render };
