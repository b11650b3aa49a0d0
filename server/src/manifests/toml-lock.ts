import { canonicalName } from '../model/keys.ts';
import type { Dependency, Manifest, Requirement, Source } from '../model/manifest.ts';
import type { Literal } from '../model/span.ts';
import type { System } from '../model/system.ts';
import { verbatim } from '../text/verbatim.ts';
import { stated } from './stated.ts';
import { writtenBy } from './written-by.ts';

/** What tells the lockfiles in TOML apart. */
export interface TomlLock {
  readonly system: System;
  /** The array that lists packages. */
  readonly array: 'package' | 'packages';
  /** The names that say where a package was taken from: `source`, `source.type`. */
  readonly origin: readonly string[];
  /** Where a package was taken from: `none` for one that belongs to the project itself. */
  readonly sourceOf: (origin: ReadonlyMap<string, string>) => Source | 'registry' | 'none';
  /** The address of the registry that a package was taken from, where the file names it. */
  readonly registryOf?: (origin: ReadonlyMap<string, string>) => string | undefined;
  /** The command that writes the file. */
  readonly update: string;
}

/** A header, `[package.source]`, or an assignment at the start of a line, where no tool puts anything else. */
const line = /^\uFEFF?(?:(\[{1,2})([\w.-]+)\]|([A-Za-z][\w.-]*)[ \t]*=[ \t]*([^\r\n]*))/gm;

/** What was read of one package so far. */
interface Reading {
  name?: Literal | undefined;
  version?: Literal | undefined;
  readonly origin: Map<string, string>;
}

/**
 * Reads the packages of a lockfile line by line, as programs write them.
 *
 *     [[package]]
 *     name = "serde"
 *             ^^^^^
 *     version = "1.0.197"
 *                ^^^^^^^
 *     source = "registry+https://…"
 */
export function readTomlLock(text: string, format: TomlLock): Manifest {
  const dependencies: Dependency[] = [];
  let current: Reading | undefined;
  let prefix = '';

  for (const match of text.matchAll(line)) {
    const [whole, brackets, path, key, value = ''] = match;
    if (path !== undefined) {
      if (path === format.array && brackets === '[[') {
        finish();
        current = { origin: new Map() };
        prefix = '';
      } else if (path.startsWith(`${format.array}.`)) {
        prefix = path.slice(format.array.length + 1);
        keep(prefix, '');
        prefix += '.';
      } else finish();
    } else if (key !== undefined && current !== undefined) {
      const at = match.index + whole.length - value.length;
      if (prefix === '' && key === 'name') current.name ??= quoted(text, at, value);
      else if (prefix === '' && key === 'version') current.version ??= quoted(text, at, value);
      else keep(prefix + key, quoted(text, at, value)?.text ?? value);
    }
  }
  finish();
  return { dependencies, definitions: [], references: [], problems: [] };

  function keep(name: string, value: string): void {
    // `archive.url = …` makes a table `archive`.
    for (const it of [name, name.split('.', 1)[0] ?? '']) {
      if (format.origin.includes(it) && current?.origin.has(it) === false) {
        current.origin.set(it, it === name ? value : '');
      }
    }
  }

  function finish(): void {
    const dependency = current && read(current, format);
    if (dependency) dependencies.push(dependency);
    current = undefined;
  }
}

/** Undefined for what belongs to the project itself, and for what is half written. */
function read(
  { name, version, origin }: Reading,
  { system, sourceOf, registryOf, update }: TomlLock,
): Dependency | undefined {
  if (!name?.text || !version?.text) return undefined;
  const source = sourceOf(origin);
  if (source === 'none') return undefined;
  const registry = source === 'registry' ? registryOf?.(origin) : undefined;
  const requirement: Requirement =
    source === 'registry'
      ? { kind: 'literal', at: stated(system, version) }
      : { kind: 'source', source, span: version.span };
  return {
    key: { system, name: canonicalName(system, name.text) },
    name: name.text,
    nameSpan: name.span,
    requirement,
    scope: 'runtime',
    ...(registry && { registry }),
    frozen: writtenBy(update),
  };
}

/** A string without its quotes. No name and no version has an escape. */
function quoted(text: string, at: number, value: string): Literal | undefined {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return undefined;
  const end = value.indexOf(quote, 1);
  return verbatim(text, at + 1, at + (end < 0 ? value.length : end));
}
