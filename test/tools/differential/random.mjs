/** Random texts in the shape of Semantic Versioning, the same for the same seed. */
export function randomSemver(seed) {
  let state = seed;
  const below = (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const any = (...choices) => choices[below(choices.length)];
  const maybe = (oneIn, make) => (below(oneIn) === 0 ? make() : '');

  const number = () => any('0', '0', '1', '1', '2', '3', '9', '10', '11', '100', maybe(8, () => '01') || '1');
  const label = () =>
    any('alpha', 'beta', 'rc', 'a', 'A', '0', '1', '2', '10', '-', 'x-y', '1a', '0a', 'pre', '20240131120000') +
    maybe(30, () => any('01', '_', ''));
  const labels = () => Array.from({ length: 1 + below(3) }, label).join('.');
  const suffix = () =>
    maybe(3, () => `-${labels()}`) +
    maybe(5, () => `+${any('build', 'incompatible', '1', '01', '10', 'a.b', '', '7a')}`);
  /** Mostly a version; sometimes an invalid text. */
  const version = () =>
    [number(), number(), number()].slice(0, maybe(25, () => 2) || 3).join('.') +
    suffix() +
    maybe(60, () => any('.', '.1', '-', '+', ' ', 'x', '*', '\u00e9'));
  /** Another version, close by. */
  const near = (text) => {
    const at = below(text.length + 1);
    switch (below(5)) {
      case 0:
        return text.slice(0, at) + any('0', '1', '.', '-', 'a', '+', '-0', '.0', '-alpha.1') + text.slice(at);
      case 1:
        return text.slice(0, at) + text.slice(at + 1);
      case 2:
        return text.replace(/[-+].*$/, '') + suffix();
      case 3:
        return text.replace(/\d+/, number);
      default:
        return version();
    }
  };
  return { below, any, maybe, number, labels, suffix, version, near };
}

/** What a range becomes for a version, to be held against what the system's own tool makes of the result. */
export function rewritten(rules, range, version, bounded) {
  const result = rules.rewrite(range, version, bounded);
  return result.ok ? ['rewritten', version, result.text] : ['satisfies', version, range];
}

/** Says what differs, and how much of how many; the answer is the program's exit code. */
export function tell(asked, ours, theirs, heading) {
  const counts = {};
  const shown = {};
  for (const [index, it] of asked.entries()) {
    const kind = it[0];
    counts[kind] ??= { asked: 0, different: 0 };
    counts[kind].asked++;
    if (ours[index] === theirs[index]) continue;
    counts[kind].different++;
    shown[kind] = (shown[kind] ?? 0) + 1;
    if (shown[kind] <= 12) console.log(`${JSON.stringify(it)}: ours ${ours[index]}, theirs ${theirs[index]}`);
  }
  console.log(heading);
  console.table(counts);
  return Object.values(counts).some((it) => it.different > 0) ? 1 : 0;
}
