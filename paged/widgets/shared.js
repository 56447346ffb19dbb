// What every widget's script begins with: numbers and words, SVG, controls, and the state that views share.

const KEYS = 'data-lm-suppress-shortcuts="true"'; // on the focused element itself, or JupyterLab eats its keys
const SAVE_AFTER_MS = 250, SPEAK_AFTER_MS = 800; // of rest: JupyterLab is busy for long after every message

// ---- numbers and words
function formatter(digits, style = "decimal") {
  const shape = { style, minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat("en-US", { ...shape, roundingMode: "halfEven" }).format; // rounds as Python does
}
const whole = formatter(0);
const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, key) => values[key]);
const clamp = (value, min, max) => Math.min(max, Math.max(min, value));

// ---- SVG
function add(parent, tag, attributes) {
  const node = parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", tag));
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}
const write = (svg, words, x, y, anchor, kind) =>
  (add(svg, "text", { x, y, "text-anchor": anchor, class: kind }).textContent = words);
const box = (x, y, width, height) => `M${x.toFixed(2)} ${y}h${width.toFixed(2)}v${height}h${(-width).toFixed(2)}z`;

/** The groups of a picture, from the ground up. A group is drawn again only when what it shows changes. */
class Layers {
  constructor(svg, names) {
    this.groups = Object.fromEntries(names.map((name) => [name, add(svg, "g", {})]));
    this.shown = {};
  }
  /** Empties a group and calls `draw` with it, unless it already shows what `keys` stand for. */
  redraw(name, keys, draw) {
    if (keys.every((key, n) => key === this.shown[name]?.[n])) return;
    this.shown[name] = keys;
    this.groups[name].replaceChildren();
    draw(this.groups[name]);
  }
}

// ---- controls
/** A slider and the exact value beside it; `first` and `last` are the slider's ends, `min` and `max` the value's. */
const control = (id, name, first, last, max, min = 1) => `
  <div class="control"><label for="${id}-${name}" data-text="${name}"></label>
    <input type="range" id="${id}-${name}" data-slide="${name}" min="${first}" max="${last}" step="1" ${KEYS}>
    <input type="number" data-exact="${name}" min="${min}" max="${max}" step="1" ${KEYS}></div>`;

const POSITIONS = 1000; // of a slider that is logarithmic, from 1 to max
const toCount = (position, max) => Math.round(max ** (position / POSITIONS));
/** Where a logarithmic slider is to stand: where it is, if that is right, so that it stays under the pointer. */
const placeOf = (slide, count, max) =>
  toCount(+slide.value, max) === count ? slide.value : (POSITIONS * Math.log(count)) / Math.log(max);

const doubling = { PageUp: (value) => 2 * value, PageDown: (value) => Math.floor(value / 2) };

/** Keys on a slider: arrows by one, Home and End to the ends of `range()`, PageUp and PageDown as `page` says. */
function steer(slide, get, set, range, page = doubling) {
  slide.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const value = get(), [min, max] = range(), more = value + 1, less = value - 1;
    const steps = { ArrowRight: more, ArrowUp: more, ArrowLeft: less, ArrowDown: less, Home: min, End: max };
    const to = steps[event.key] ?? page[event.key]?.(value);
    if (to === undefined) return;
    event.preventDefault();
    set(clamp(to, min, max));
  });
}
/** A value typed into a number box counts as soon as it is a legal one; leaving the box restores it otherwise. */
function typed(exact, get, set) {
  exact.addEventListener("input", () => exact.value && exact.validity.valid && set(+exact.value));
  exact.addEventListener("change", () => (exact.value = get()));
}
/** A slider and its number box show a value, but a box that is being emptied is left alone. */
function showValue(slide, exact, value, position = value) {
  slide.value = position;
  slide.setAttribute("aria-valuetext", whole(value));
  if (exact.value === "" ? !exact.matches(":focus") : +exact.value !== value) exact.value = value;
}
/** Labels and names of all controls in one edition. */
function label(root, lang, text) {
  root.lang = lang;
  root.setAttribute("aria-label", text.name);
  for (const node of root.querySelectorAll("[data-text]")) node.textContent = text[node.dataset.text];
  for (const node of root.querySelectorAll("[data-exact]"))
    node.setAttribute("aria-label", fill(text.exact, { label: text[node.dataset.exact] }));
}
/** Elements of `root` by the value of their data attribute. */
const find = (root, kind) =>
  Object.fromEntries([...root.querySelectorAll(`[data-${kind}]`)].map((node) => [node.dataset[kind], node]));

/** Text in an element: written only where it differs, else it would be laid out again. Returns it. */
function say(node, words) {
  if (node.textContent !== words) node.textContent = words;
  return words;
}

/** Call it after each change of the element: it stays as tall as it was, so that what is below stays where it is. */
function keepTall(node) {
  let width = 0, least = 0;
  return () => {
    if (node.clientWidth !== width) node.style.minHeight = least = 0;
    width = node.clientWidth;
    if (node.offsetHeight > least) node.style.minHeight = `${(least = node.offsetHeight)}px`;
  };
}

// ---- state
/**
 * The synced traits `names` as one view sees them. A change is drawn at once, saved to the kernel after a rest, and
 * then spoken: `summary()` goes into the live region `spoken`. `draw` also follows changes from elsewhere.
 */
function share(model, names, draw, spoken, summary) {
  const unsaved = {}; // what this view's controls say and the kernel doesn't know yet: an echo must not undo it
  const events = names.map((name) => `change:${name}`);
  let frame = 0, saving = 0, speaking = 0;
  const get = (name) => (name in unsaved ? unsaved[name] : model.get(name)); // null is a value, too
  const schedule = () => (frame ||= requestAnimationFrame(() => ((frame = 0), draw())));
  function save() {
    saving = clearTimeout(saving);
    for (const [name, value] of Object.entries(unsaved)) model.set(name, value), delete unsaved[name];
    model.save_changes();
  }
  function change(values) {
    const moved = Object.entries(values).filter(([name, value]) => value !== get(name));
    if (!moved.length) return;
    Object.assign(unsaved, Object.fromEntries(moved));
    draw(); // now rather than at the next frame, which then only has to paint
    clearTimeout(speaking);
    speaking = setTimeout(() => (spoken.textContent = summary()), SPEAK_AFTER_MS);
    clearTimeout(saving);
    saving = setTimeout(save, SAVE_AFTER_MS);
  }
  function close() {
    for (const event of events) model.off(event, schedule);
    cancelAnimationFrame(frame);
    clearTimeout(speaking);
    if (saving) save();
  }
  for (const event of events) model.on(event, schedule);
  return { get, change, schedule, close };
}

/** Draw now, and again whenever the page gives the widget another width; gives what ends all of it. */
function live(root, measure, draw, schedule, close) {
  const resized = new ResizeObserver(() => {
    measure();
    schedule();
  });
  resized.observe(root);
  draw();
  return () => {
    resized.disconnect();
    close();
  };
}
