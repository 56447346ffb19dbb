// The arithmetic of the capacity planner, as in capacity_planner_plan.py, whose names it keeps.

const GIB = 2 ** 30, MAX_GPUS = 8;
const KV_BYTES = { bf16: 2, fp8: 1 }, WEIGHT_BITS = { bf16: 16, fp8: 8, int4: 4 };
const ENTRY_BYTES = 4, RECORD_BYTES = 24;

/** Whether num_gpus can have the same number of query heads and of KV heads each. */
function splitsOver(model, gpus) {
  if (model.heads % gpus) return false;
  return model.latent_dim > 0 || model.kv_heads % gpus === 0 || gpus % model.kv_heads === 0;
}
/** KV heads on each GPU. */
const kvHeadsOnEach = (model, gpus) => Math.max(1, Math.floor(model.kv_heads / gpus));

/** Numbers that a token leaves in one layer, on each GPU. */
const numbersPerLayer = (model, gpus) =>
  model.latent_dim ? model.latent_dim + model.rope_dim : 2 * kvHeadsOnEach(model, gpus) * model.head_dim;

/** Requests of so many tokens in `budget` bytes, in whole blocks. */
const maxRequests = (budget, tokens, perToken, blockSize) =>
  Math.floor(budget / (Math.ceil(tokens / blockSize) * blockSize * perToken));

/** `setting` as the Python side has it; `model` and `gpu` are rows of the tables. */
function planFor(setting) {
  const { model, gpu, num_gpus, block_size } = setting;
  const reserved_tokens = Math.min(setting.reserved_tokens ?? model.context, model.context);
  const tokens = Math.min(setting.tokens, reserved_tokens);
  const bits = WEIGHT_BITS[setting.weight_dtype] ?? model.weight_bits;
  const byHand = setting.weights !== null;
  const weights = byHand ? Math.floor(setting.weights * GIB) : Math.ceil((model.params * bits) / (8 * num_gpus));
  const memory = gpu.mib * 2 ** 20, kept = Math.floor(setting.kept * GIB), budget = memory - weights - kept;
  const splits = splitsOver(model, num_gpus), fits = splits && budget > 0;
  const perToken = splits ? model.layers * numbersPerLayer(model, num_gpus) * KV_BYTES[setting.kv_dtype] : 0;
  const paged = fits ? maxRequests(budget, tokens, perToken, block_size) : 0;
  const reserved = fits ? maxRequests(budget, reserved_tokens, perToken, 1) : 0;
  const blocks = fits ? maxRequests(budget, block_size, perToken, block_size) : 0;
  const problem = !splits ? "heads" : budget <= 0 ? "memory" : paged ? "" : "request";
  const entries = Math.ceil(tokens / block_size);
  return {
    problem, bytes_per_token: perToken, memory, weights, kept, budget, tokens, reserved_tokens, paged, reserved,
    entries, table_bytes: paged * entries * ENTRY_BYTES, blocks, record_bytes: blocks * RECORD_BYTES,
  };
}
/** The least number of GPUs on which a request fits; weights given by hand are spread over them. */
function enoughGpus(setting) {
  const whole = setting.weights === null ? null : setting.weights * setting.num_gpus;
  for (let num_gpus = 1; num_gpus <= MAX_GPUS; num_gpus++)
    if (!planFor({ ...setting, num_gpus, weights: whole === null ? null : whole / num_gpus }).problem) return num_gpus;
  return null;
}
