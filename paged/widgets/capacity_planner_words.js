// What the capacity planner says of a plan, in one edition's words, as in capacity_planner_words.py.

const tenths = formatter(1);
/** One decimal, none where it would be 0; halves go up. */
const short = (number) => tenths(Math.floor(10 * number + 0.5) / 10).replace(/\.0$/, "");
const gib = (bytes) => `${short(bytes / GIB)} GiB`;
const UNITS = [[GIB, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
function size(bytes) {
  const unit = UNITS.find(([least]) => bytes >= least);
  return unit ? `${short(bytes / unit[0])} ${unit[1]}` : `${bytes} B`;
}
/** The numbers of a dictionary as one reads them. */
const spelled = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, whole(value)]));

/** What paging gains, or why nothing fits and what would help. */
function verdict(setting, plan, text) {
  const { model, num_gpus } = setting, name = model.name;
  if (plan.problem === "heads") {
    const counts = Array.from({ length: MAX_GPUS }, (_, n) => n + 1);
    const possible = counts.filter((n) => splitsOver(model, n)).join(", ");
    return fill(text.heads_problem, { num_gpus, heads: model.heads, model: name, possible });
  }
  const held = plan.entries * setting.block_size, { tokens, reserved_tokens } = spelled(plan);
  if (!plan.problem)
    return plan.reserved
      ? fill(text.gain, { times: short(plan.paged / plan.reserved), held: whole(held), reserved_tokens })
      : fill(text.only_paging, { reserved_tokens });
  const enough = enoughGpus(setting);
  const help = enough === null ? text.too_few : fill(text.fits, { enough }), gap = help.endsWith("。") ? "" : " ";
  const [memory, weights, kept] = ["memory", "weights", "kept"].map((part) => gib(plan[part]));
  const said =
    plan.problem === "memory"
      ? fill(text.memory_problem, { model: name, weights, kept, memory, short: gib(-plan.budget) })
      : fill(text.request_problem, { tokens, need: size(held * plan.bytes_per_token), budget: size(plan.budget) });
  return said + gap + help;
}
function summaryOf(setting, plan, text) {
  if (plan.problem) return verdict(setting, plan, text);
  const { tokens, paged, reserved, reserved_tokens } = spelled(plan);
  const { model, gpu, num_gpus } = setting;
  return fill(text.summary, { model: model.name, gpu: gpu.name, num_gpus, tokens, paged, reserved, reserved_tokens });
}
/** What is kept more than once because of tensor parallelism. */
function noteOf({ model, num_gpus }, text) {
  if (num_gpus === 1 || !splitsOver(model, num_gpus)) return "";
  if (model.latent_dim) return fill(text.latent_copies, { num_gpus });
  if (num_gpus <= model.kv_heads) return "";
  return fill(text.copies, { num_gpus, kv_heads: model.kv_heads, copies: num_gpus / model.kv_heads });
}
/** Name to [how much, from what]: the four sums of the page. */
function factsOf({ model, num_gpus, kv_dtype }, plan, text) {
  const shape = { ...model, kv_heads: kvHeadsOnEach(model, num_gpus), dtype_bytes: KV_BYTES[kv_dtype] };
  const sum = fill(model.latent_dim ? text.latent_sum : text.per_token_sum, shape), known = plan.problem !== "heads";
  const [memory, weights, kept] = ["memory", "weights", "kept"].map((part) => short(plan[part] / GIB));
  const { paged, entries, blocks } = spelled(plan);
  return {
    per_token: known ? [size(plan.bytes_per_token), sum] : ["–", ""],
    budget: [gib(Math.max(0, plan.budget)), fill(text.budget_sum, { memory, weights, kept })],
    tables: [size(plan.table_bytes), fill(text.tables_sum, { paged, entries, entry_bytes: ENTRY_BYTES })],
    records: [size(plan.record_bytes), fill(text.records_sum, { blocks, record_bytes: RECORD_BYTES })],
  };
}
