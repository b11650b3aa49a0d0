/** Which package an override is for, read from its name. Offsets count from the start of the name. */
export interface Selector {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The whole selector, where it does not hold for each and every `name`. */
  readonly condition?: string;
}

/** npm: `lodash`, `lodash@^4`. */
export function npmSelector(text: string, from = 0): Selector {
  const at = text.indexOf('@', from + 1);
  const to = at < 0 ? text.length : at;
  return { name: text.slice(from, to), from, to, ...(to - from < text.length && { condition: text }) };
}

/** pnpm: `lodash`, `lodash@^4`, `webpack@1>lodash@>=3`. An arrow behind `@` or a space belongs to a range. */
export function pnpmSelector(text: string): Selector {
  let from = 0;
  for (const arrow of text.matchAll(/(?<![\s|@])>/g)) from = arrow.index + 1;
  return npmSelector(text, from);
}

/** yarn: `lodash`, `webpack/lodash`, `@babel/core@npm:7.0.0/lodash@npm:^4`. Undefined where it ends in a slash. */
export function yarnSelector(text: string): Selector | undefined {
  const segment = /(?:@[^/@]+\/)?[^/@]+(?:@(?:npm:)?(?:@[^/@]+\/)?[^/]*)?(?:\/|$)/y;
  let last = 0;
  while (segment.lastIndex < text.length) {
    last = segment.lastIndex;
    if (!segment.test(text)) return undefined;
  }
  if (text.endsWith('/')) return undefined;
  const { condition, ...plain } = npmSelector(text, last);
  // Behind two stars it holds for every package, as it does alone.
  return condition === undefined || condition === `**/${plain.name}` ? plain : { ...plain, condition };
}
