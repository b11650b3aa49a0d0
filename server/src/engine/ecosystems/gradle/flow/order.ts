import type { Definition } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import type { Assignment } from '../definitions.ts';
import { normalizeAlias } from '../files/alias-id.ts';
import { functionName } from '../repositories/functions.ts';
import type { NamedValue, Script } from '../script.ts';
import { callName, type Statement, wordAt } from '../statements.ts';
import { catalogIds } from '../values.ts';

/*
 * A script may set a name again. Then each place has the value that was set before it, and other scripts have the last one:
 *
 *     def v = '1.0'         v#4
 *     compile "g:a:$v"      v#4
 *     v = '2.0'             v
 *     compile "g:b:$v"      v
 */

/** What one statement sets a name to; several assignments, where the value has branches. */
interface Setting {
  readonly start: number;
  readonly end: number;
  readonly assignments: readonly Assignment[];
}

/** The values that a name may have in a place, of which the first is certain there. */
interface Visible {
  readonly settings: readonly Setting[];
  readonly name: string;
}

/** Settings of one name. Real scripts have three or four; of more, the last one counts everywhere. */
const MAX_SETTINGS = 50;
/** Each project has its own. */
const ofProjects: ReadonlySet<string> = new Set(['group', 'version']);
/** Between a name and the place where it is set. No name of a build contains it. */
const MARK = '#';

/** The name without the place where it is set. */
export function writtenName(name: string): string {
  const at = name.indexOf(MARK);
  return at < 0 ? name : name.slice(0, at);
}

/** Calls whose blocks run later than what stands behind them. */
const deferringCalls: ReadonlySet<string> = new Set([
  ...['afterEvaluate', 'projectsEvaluated', 'whenReady', 'whenObjectAdded', 'whenTaskAdded', 'doFirst', 'doLast'],
  ...['all', 'configureEach', 'withType', 'matching', 'eachDependency', 'eachPlugin', 'register', 'named', 'onlyIf'],
]);

/** Whether the blocks of a statement run later. */
export function isDeferred(statement: Statement): boolean {
  if (deferringCalls.has(callName(statement)) || wordAt(statement.tokens, 0) === 'task') return true;
  return functionName(statement) !== undefined;
}

/** Which of several values a name has in a place. */
export class Order {
  /** Of the names that are set several times. */
  readonly #settings = new Map<string, readonly Setting[]>();
  readonly #last = new Map<string, readonly Setting[]>();
  readonly #deferred: readonly (readonly Statement[])[];
  readonly #first: readonly (readonly Statement[])[];
  readonly #composed = new Map<string, Visible>();

  /**
   * @param deferred the outermost blocks that run later, in the order of the text
   * @param first those that run before all others: `buildscript { … }`
   */
  constructor(
    assignments: readonly Assignment[],
    deferred: readonly (readonly Statement[])[],
    first: readonly (readonly Statement[])[],
  ) {
    this.#deferred = deferred;
    this.#first = first;
    const all = new Map<string, Assignment[]>();
    const once = new Set<string>();
    for (const { name } of assignments) if (once.size === once.add(name).size) all.set(name, []);
    if (all.size > 0) for (const it of assignments) if (!it.adds) all.get(it.name)?.push(it);
    for (const [key, some] of all) {
      const settings = settingsOf(some);
      if (settings.length < 2 || settings.length > MAX_SETTINGS || ofProjects.has(key)) continue;
      this.#settings.set(key, settings);
      const shared = settings.filter((it) => blockOf(it) === undefined && scopeOf(it)?.deferred === undefined);
      const of = shared.length > 0 ? shared : settings;
      this.#last.set(key, of.slice(Math.max(0, of.findLastIndex(isCertain))));
    }
  }

  /** The name under which an assignment is known. */
  nameOf(assignment: Assignment): string {
    const { name, span, adds } = assignment;
    const last = this.#last.get(name);
    if (adds) return this.nameAt(name, span.start);
    return last === undefined || last.some((it) => it.start === span.start) ? name : `${name}${MARK}${span.start}`;
  }

  /** The name under which the value is known that a name has in a place. */
  nameAt(name: string, at: number): string {
    const settings = this.#settings.get(name);
    if (settings === undefined) return name;
    const visible = this.#visible(settings, at);
    const last = this.#last.get(name) ?? [];
    const [only, more] = visible;
    if (only === undefined || isSame(visible, last)) return name;
    const isLast = last.includes(only);
    const isBranch = !isCertain(only);
    if (more === undefined && !isLast && !isBranch) return `${name}${MARK}${only.start}`;
    const composed = `${name}${MARK}${visible.map((it) => it.start).join(MARK)}${isBranch ? MARK : ''}`;
    this.#composed.set(composed, { settings: visible, name });
    return composed;
  }

  /** The definitions of names whose values are those of several settings, or of one under a condition. */
  composedDefinitions({ definitions, named }: Script): readonly Definition[] {
    return [...this.#composed].flatMap(([composed, { settings, name }]) => {
      const spans = new Map<Span, boolean>(
        settings.flatMap((it, at) => it.assignments.map(({ span }) => [span, at === 0 && it.assignments.length === 1])),
      );
      const alias = name.replace(/^libs\./, '');
      const value = namedBy(settings, name, this, named);
      if (value) named.set(catalogIds.library(composed), value);
      return definitions.flatMap((it) => {
        const isFirst = spans.get(it.span);
        const kind = it.id.slice(0, it.id.indexOf(':') + 1);
        if (isFirst === undefined || !/^(?:property|library|module):$/.test(kind)) return [];
        const own = kind === 'property:' ? composed : normalizeAlias(composed.replace(name, alias));
        const { condition, ...certain } = it;
        return [{ ...(isFirst ? certain : it), id: kind + own }];
      });
    });
  }

  #visible(settings: readonly Setting[], at: number): readonly Setting[] {
    const deferred = around(this.#deferred, at);
    const first = this.#first.find((it) => contains(it, at));
    let seen = settings.filter((it) => {
      const { deferred: within } = scopeOf(it) ?? {};
      const block = blockOf(it);
      if (block && !contains(block, at)) return false;
      if (within && !contains(within, at)) return false;
      if (first && !contains(first, it.start)) return false;
      return it.end <= at || (deferred !== undefined && !contains(deferred, it.start));
    });
    const hiding = seen.findLast((it) => blockOf(it) !== undefined);
    const block = hiding && blockOf(hiding);
    if (block) seen = seen.filter((it) => contains(block, it.start));
    const base = seen.findLastIndex((it) => {
      const branch = scopeOf(it)?.branch;
      return isCertain(it) || (branch !== undefined && contains([branch], at));
    });
    return seen.slice(Math.max(0, base));
  }
}

function namedBy(
  settings: readonly Setting[],
  name: string,
  order: Order,
  named: Script['named'],
): NamedValue | undefined {
  const [assignment] = settings.at(-1)?.assignments ?? [];
  return assignment && named.get(catalogIds.library(order.nameOf(assignment)) ?? catalogIds.library(name));
}

function settingsOf(assignments: readonly Assignment[]): readonly Setting[] {
  const settings: Setting[] = [];
  let before: Assignment[] = [];
  for (const it of assignments) {
    if (before[0]?.span === it.span) {
      before.push(it);
      continue;
    }
    before = [it];
    const end = it.value.at(-1)?.end ?? it.span.end;
    settings.push({ start: it.span.start, end: Math.max(end, it.span.end), assignments: before });
  }
  return settings;
}

function scopeOf({ assignments: [first] }: Setting): Assignment['scope'] | undefined {
  return first?.scope;
}

/** The block that a variable is known in. */
function blockOf({ assignments: [first] }: Setting): readonly Statement[] | undefined {
  return first?.declares ? first.scope.block : undefined;
}

/** Whether it is under no condition, or has a value under each. */
function isCertain(setting: Setting): boolean {
  return scopeOf(setting)?.branch === undefined;
}

function isSame(some: readonly Setting[], others: readonly Setting[]): boolean {
  return some.length === others.length && some.every((it, at) => it === others[at]);
}

function contains(statements: readonly Statement[], at: number): boolean {
  return startOf(statements) <= at && at < endOf(statements);
}

function startOf([first]: readonly Statement[]): number {
  if (first === undefined) return Number.POSITIVE_INFINITY;
  return first.tokens[0]?.start ?? startOf(first.blocks[0] ?? []);
}

/** The block around a place, of those that stand one behind the other. */
function around(blocks: readonly (readonly Statement[])[], at: number): readonly Statement[] | undefined {
  let [from, to] = [0, blocks.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const block = blocks[middle] ?? [];
    if (contains(block, at)) return block;
    if (startOf(block) > at) to = middle;
    else from = middle + 1;
  }
  return undefined;
}

function endOf(statements: readonly Statement[]): number {
  const last = statements.at(-1);
  if (last === undefined) return 0;
  return Math.max(last.tokens.at(-1)?.end ?? 0, ...last.blocks.map(endOf));
}
