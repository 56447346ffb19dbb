// The steps of a block map, put together again: Python sends what each call has changed (see block_map_frames.py).

/**
 * A whole state for each step: blocks [{count, runs}], owners: name to {table, tokens, …}, queue (null where
 * it is not known); what a call leaves alone is one object in both states. `numbers`: the colour of each name.
 */
function readSteps(frames) {
  let blocks = [], owners = new Map(), queue = null, copies = [];
  const numbers = new Map();
  const steps = frames.map((frame) => {
    blocks = blocks.slice();
    owners = new Map(owners);
    for (const [block, [count, runs]] of Object.entries(frame.blocks)) blocks[block] = { count, runs };
    for (const [name, owner] of Object.entries(frame.owners)) {
      const [table, tokens, lost, number, listed] = owner ?? [];
      if (owner) owners.set(name, { table, tokens, lost, number, listed });
      else owners.delete(name);
      if (owner) numbers.set(name, number);
    }
    queue = "took" in frame ? [...queue.slice(frame.took), ...frame.tail] : frame.queue;
    copies = frame.copies ?? [...copies, ...frame.copied];
    return { ...frame, blocks, owners, queue, copies };
  });
  return { steps, numbers };
}

/** Block to [[name, number, times in the table], ...], for all blocks that somebody owns. */
function ownersByBlock(owners) {
  const found = new Map();
  for (const [name, { table, number }] of owners)
    for (const block of table) {
      const known = found.get(block) ?? found.set(block, []).get(block);
      const last = known.at(-1);
      if (last?.[0] === name) last[2]++;
      else known.push([name, number, 1]);
    }
  return found;
}

const used = (runs) => runs.reduce((sum, [writer, , count]) => sum + (writer ? count : 0), 0);

/** How a call came out, in a sentence or two. */
function said({ outcome: [key, values], trace }, text) {
  return [fill(text[key], values), trace && text[trace]].filter(Boolean).join(" ");
}
/** Why a line was not carried out, or (line 0) a whole script. */
function problemIn({ key, line, values }, text) {
  const listed = Object.entries(values).map(([name, it]) => [name, Array.isArray(it) ? it.join(text.and) : it]);
  const words = fill(text[key], Object.fromEntries(listed));
  return line ? fill(text.problem, { line, words }) : words;
}
