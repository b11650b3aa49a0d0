import { shared } from '../../base/text.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency, Requirement, Scope, Source } from '../../model/manifest.ts';
import type { Literal, Problem, Span } from '../../model/span.ts';
import { readPep508, sourceOf } from './pep508.ts';
import { eggIn } from './requirements.ts';

/** What has been read of a file so far. */
export interface FoundInPython {
  readonly dependencies: Dependency[];
  readonly problems: Problem[];
}

/** A list or table of dependencies, and what it says of all that stand in it. */
export interface PythonSection {
  readonly scope: Scope;
  readonly group: string;
  readonly condition?: string;
  /** Packages that are taken from elsewhere, by canonical name, whatever their requirement says. */
  readonly sources?: ReadonlyMap<string, Source>;
}

/** A string that holds one dependency specifier; stretches of it by their offsets in `text`. */
export interface SpecifierText {
  readonly text: string;
  readonly literal: (from: number, to: number) => Literal;
  readonly span: (from: number, to: number) => Span;
  /** Why a stretch of it cannot be edited. */
  readonly frozen?: (from: number, to: number) => string | undefined;
}

/** A text that stands in the file as it is, from `start` on. */
export function plainText(text: string, start: number): SpecifierText {
  const span = (from: number, to: number): Span => ({ start: start + from, end: start + to });
  return { text, span, literal: (from, to) => ({ span: span(from, to), text: text.slice(from, to), encode }) };
}

function encode(value: string): string {
  return value;
}

/**
 * Reads one string of a list.
 *
 *     "requests[socks]>=2.31 ; python_version < '3.9'"
 *      ^^^^^^^^ name   ^^^^^^ literal, when python_version < '3.9'
 */
export function addSpecifier(it: SpecifierText, section: PythonSection, found: FoundInPython): void {
  const { text } = it;
  if (text.trim() === '') return;
  if (/^\s*-/.test(text)) {
    addEditable(it, section, found);
    return;
  }
  const read = readPep508(text);
  if (!read) {
    found.problems.push({ span: it.span(0, text.length), message: 'not a requirement' });
    return;
  }
  const { name: at, asks, marker } = read;
  const name = text.slice(at.start, at.end);
  const key = { system: 'PYPI', name: canonicalName('PYPI', name) } as const;
  const nameSpan = it.span(at.start, at.end);
  const where = asks.kind === 'any' ? nameSpan : it.span(asks.span.start, asks.span.end);
  const source = asks.kind === 'address' ? asks.source : section.sources?.get(key.name);
  const condition = marker && text.slice(marker.start, marker.end).replace(/\s{2,}/g, ' ');
  const frozen = asks.kind === 'specifier' ? it.frozen?.(asks.span.start, asks.span.end) : undefined;
  found.dependencies.push({
    key,
    name,
    nameSpan,
    requirement: source
      ? { kind: 'source', source, span: where }
      : asks.kind === 'specifier'
        ? { kind: 'literal', at: it.literal(asks.span.start, asks.span.end) }
        : { kind: 'none' },
    ...about(section, condition),
    ...(frozen !== undefined && { frozen }),
  });
  for (const { span, message } of read.problems) {
    found.problems.push({ span: it.span(span.start, span.end), message });
  }
}

/** `-e file:///${PROJECT_ROOT}/lib#egg=lib`: PDM takes it among the others. Without a name there is nothing to show. */
function addEditable(it: SpecifierText, section: PythonSection, found: FoundInPython): void {
  const [, option = '', address = ''] = /^(\s*(?:-e|--editable)[\s=]+)(\S+)/.exec(it.text) ?? [];
  const egg = eggIn(address);
  if (!egg) return;
  const { name } = egg;
  const start = option.length + egg.start;
  const requirement: Requirement = {
    kind: 'source',
    source: sourceOf(address),
    span: it.span(option.length, option.length + address.length),
  };
  const key = { system: 'PYPI', name: canonicalName('PYPI', name) } as const;
  const nameSpan = it.span(start, start + name.length);
  found.dependencies.push({ key, name, nameSpan, requirement, ...about(section, undefined) });
}

/**
 * What the place of a dependency says of it.
 * @param own the condition that it states itself
 */
export function about(
  { scope, group, condition }: PythonSection,
  own: string | undefined,
): Pick<Dependency, 'scope' | 'group' | 'condition'> {
  const conditions = [condition && shared(condition), own].filter((it) => it !== undefined);
  return { scope, group, ...(conditions.length > 0 && { condition: conditions.join(' and ') }) };
}
