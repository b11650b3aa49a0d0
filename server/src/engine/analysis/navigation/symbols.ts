import { oneLine } from '../../base/text.ts';
import type { Definition, Dependency, Manifest } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { spanOf } from '../link/linker.ts';

/** An entry of the outline of a manifest. */
export interface OutlineEntry {
  readonly kind: 'section' | 'dependency' | 'definition';
  readonly name: string;
  /** The version or range, as written. */
  readonly detail: string;
  readonly span: Span;
  /** Lies in `span`. */
  readonly nameSpan: Span;
  readonly children: readonly OutlineEntry[];
}

/** Entries of one outline. Lockfiles have more, and no list of them is read to its end. */
const MAX_ENTRIES = 5000;
/** In characters. */
const MAX_NAME_LENGTH = 200;

/** Parsing keeps the manifest until its text changes. */
const known = new WeakMap<Manifest, readonly OutlineEntry[]>();

/**
 * The outline of a manifest: its dependencies by section, and the versions that it defines for others.
 *
 *     devDependencies
 *       lodash  ^4.17.15
 */
export function outlineOf(manifest: Manifest, text: string): readonly OutlineEntry[] {
  const before = known.get(manifest);
  if (before) return before;
  const found = inSections(entriesOf(manifest, text));
  known.set(manifest, found);
  return found;
}

interface Entry extends OutlineEntry {
  readonly section: string;
}

function entriesOf({ dependencies, definitions }: Manifest, text: string): readonly Entry[] {
  const named = new Set(dependencies.map((it) => it.nameSpan.start));
  const own = new Map<number, Entry>();
  for (const it of definitions) {
    const section = sectionOf(it);
    if (section === undefined || named.has(it.span.start) || own.size >= MAX_ENTRIES) continue;
    own.set(
      it.span.start,
      entry('definition', text.slice(it.span.start, it.span.end), it.span, valueSpan(it), text, section),
    );
  }
  const all = [...dependencies.slice(0, MAX_ENTRIES).map((it) => entryOf(it, text)), ...own.values()].filter(
    (it) => it.name !== '',
  );
  return all.sort((a, b) => a.span.start - b.span.start);
}

function entryOf(dependency: Dependency, text: string): Entry {
  const { name, nameSpan, group = '' } = dependency;
  return entry('dependency', name, nameSpan, spanOf(dependency), text, group);
}

function entry(
  kind: 'dependency' | 'definition',
  name: string,
  nameSpan: Span,
  value: Span,
  text: string,
  section: string,
): Entry {
  // The element of a list that is written elsewhere has no place of its own.
  const span = { start: Math.min(nameSpan.start, value.start), end: Math.max(nameSpan.end, value.end) };
  const detail = value.start === nameSpan.start ? '' : oneLine(text.slice(value.start, value.end), MAX_NAME_LENGTH);
  return { kind, name: oneLine(name, MAX_NAME_LENGTH), detail, span, nameSpan, children: [], section };
}

/** Of what is no dependency itself: versions and properties that people write. */
function sectionOf({ id, value, member }: Definition): string | undefined {
  if (value.kind === 'none' || value.kind === 'source' || (member && value.kind !== 'literal')) return undefined;
  if (id.startsWith('version:')) return 'versions';
  return id.startsWith('property:') && !id.startsWith('property:project.') ? 'properties' : undefined;
}

function valueSpan({ value, span }: Definition): Span {
  if (value.kind === 'literal') return value.at.span;
  return value.kind === 'reference' || value.kind === 'template' ? value.span : span;
}

/** Neighbors of the same section become its children; those without one stand alone. */
function inSections(entries: readonly Entry[]): readonly OutlineEntry[] {
  const found: OutlineEntry[] = [];
  for (let at = 0; at < entries.length; ) {
    const first = entries[at];
    if (first === undefined) break;
    const { section } = first;
    let end = at + 1;
    while (section !== '' && entries[end]?.section === section) end++;
    const children = entries.slice(at, end).map(({ section: _, ...it }) => it);
    const span = { start: first.span.start, end: Math.max(...children.map((it) => it.span.end)) };
    if (section === '') found.push(...children);
    else found.push({ kind: 'section', name: section, detail: '', span, nameSpan: first.nameSpan, children });
    at = end;
  }
  return found;
}
