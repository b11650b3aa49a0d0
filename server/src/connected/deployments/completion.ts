import * as l10n from '@vscode/l10n';
import type { YamlScalar } from '../../engine/formats/yaml/scalar.ts';
import { yamlSpan } from '../../engine/formats/yaml/scalar.ts';
import { entryAt } from '../../engine/formats/yaml/tree.ts';
import type { Span } from '../../engine/model/span.ts';
import type { TypeName } from '../model/deployments/types.ts';
import type { DocumentCompletion } from '../model/documents/service-document.ts';
import { plainText } from './edits.ts';
import { stateText } from './hints.ts';
import { describeProperty, valueText } from './hover.ts';
import {
  type DeploymentManifest,
  type ManifestResource,
  readManifest,
  resourceMembers,
  topMembers,
} from './manifest.ts';
import { elementAt, type Position, positionOf } from './position.ts';
import { kindText, membersOf, type SchemaNode, schemaAt, valuesOf, viewOf } from './schema.ts';
import { inputOf, type ManifestWorld, outputOf } from './world.ts';

/**
 * Stands at the cursor while the text is parsed, so that a place without text is a key or a value as well:
 *
 *       properties:
 *         |                →   qCURSORq:      a key
 *         zone: |          →   zone: qCURSORq
 */
const MARK = 'qCURSORq';

/** What can be written at a place. Empty where nothing is known, or the text is no manifest. */
export function completionsAt(path: string, text: string, offset: number, world: ManifestWorld): DocumentCompletion[] {
  const place = placeAt(path, text, offset);
  if (!place) return [];
  const { steps } = place;
  const [top, index, member, ...below] = steps;
  if (place.isKey) {
    if (steps.length === 1) return membersCalled(topMembers, place);
    if (top === 'imports' && steps.length === 3) return membersCalled(['path', 'name'], place);
    if (top === 'outputs' && steps.length === 3) return membersCalled(['name', 'value'], place);
    if (top === 'resources' && steps.length === 3) return membersCalled(resourceMembers, place);
    if (top === 'resources' && member === 'metadata' && below.length === 1) return membersCalled(['dependsOn'], place);
  }
  const values = place.isKey ? (place.siblings.length === 0 ? steps.slice(0, -1) : undefined) : steps;
  if (top !== 'resources' || typeof index !== 'number') return place.isKey ? [] : references(place, world);
  const resource = resourceAt(place.manifest, index);
  if (!resource) return [];
  const [, , own, ...rest] = values ?? [];
  if (own === 'type' && rest.length === 0 && values) return types(place, world);
  if (own === 'metadata' && rest[0] === 'dependsOn' && values) return names(place, resource);
  if (member !== 'properties') return place.isKey ? [] : references(place, world);
  const input = inputOf(resource, place.manifest, world);
  const keys = place.isKey ? properties(schemaAt(input, below.slice(0, -1)), place) : [];
  if (!values) return keys;
  const allowed = valuesAllowed(schemaAt(input, rest), place);
  return [...keys, ...(place.isKey ? allowed : (references(place, world, true) ?? allowed))];
}

/** A cursor in a manifest. */
interface Place {
  readonly manifest: DeploymentManifest;
  /** The keys and indices down to the cursor; the last one is the key itself if it is one. */
  readonly steps: readonly (string | number)[];
  readonly isKey: boolean;
  /** The other keys of the map. */
  readonly siblings: readonly string[];
  readonly scalar: YamlScalar;
  /** What an item replaces, in the text without the mark. */
  readonly span: Span;
  /** What is written before the cursor. */
  readonly before: string;
  readonly after: string;
  /** A colon follows the key already. */
  readonly hasColon: boolean;
  readonly offset: number;
}

function placeAt(path: string, text: string, offset: number): Place | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const before = text.slice(lineStart, offset);
  const after = text.slice(offset, lineEnd < 0 ? text.length : lineEnd);
  const isBareWord = /^[\uFEFF\s]*(?:-\s+)*[\w.-]*$/.test(before) && /^[\w.-]*\s*(?:#.*)?$/.test(after);
  const word = /^[\w.-]*/.exec(after)?.[0] ?? '';
  const colon = isBareWord ? ':' : '';
  const marked = `${text.slice(0, offset)}${MARK}${word}${colon}${text.slice(offset + word.length)}`;
  const manifest = readManifest(path, marked);
  const found = manifest && positionOf(manifest.root, MARK);
  return manifest && found && found.scalar.style !== 'block'
    ? placeOf(manifest, found, offset, colon !== '')
    : undefined;
}

function placeOf(
  manifest: DeploymentManifest,
  { path, scalar, key }: Position,
  offset: number,
  isInvented: boolean,
): Place | undefined {
  const at = scalar.text.indexOf(MARK);
  const start = scalar.span.start;
  const end = scalar.span.end - MARK.length;
  if (start > offset || end < offset) return undefined;
  return {
    manifest,
    steps: path,
    isKey: key !== undefined,
    siblings: key ? key.map.entries.filter((it) => it !== key.entry).map((it) => it.key.text) : [],
    scalar,
    span: { start, end },
    before: scalar.text.slice(0, at),
    after: scalar.text.slice(at + MARK.length),
    hasColon: !isInvented,
    offset,
  };
}

function resourceAt(manifest: DeploymentManifest, index: number): ManifestResource | undefined {
  const element = elementAt(entryAt(manifest.root, 'resources'), index);
  return manifest.resources.find((it) => it.map === element);
}

function membersCalled(members: readonly string[], place: Place): DocumentCompletion[] {
  return members
    .filter((it) => !place.siblings.includes(it))
    .map((it) => ({
      label: it,
      kind: 'property',
      span: place.span,
      newText: place.hasColon ? it : `${it}:${isCollection(it) ? '' : ' '}`,
      continues: it === 'type' && !place.hasColon,
    }));
}

function isCollection(name: string): boolean {
  return !['name', 'type', 'path', 'value', 'action'].includes(name);
}

/** Names of members, the required ones first. */
function properties(node: SchemaNode | undefined, place: Place): DocumentCompletion[] {
  if (!node) return [];
  const { required } = viewOf(node);
  const free = [...membersOf(node)].filter(([name]) => !place.siblings.includes(name));
  const rank = ([name]: readonly [string, SchemaNode]): number => (required.includes(name) ? 0 : 1);
  return free
    .filter(([, member]) => !viewOf(member).isReadOnly)
    .sort((a, b) => rank(a) - rank(b))
    .map(([name, member]): DocumentCompletion => {
      const isRequired = required.includes(name);
      const kinds = viewOf(member).kinds;
      const isScalar = !kinds.includes('object') && !kinds.includes('array');
      const detail = [kindText(member), isRequired ? l10n.t('required') : ''].filter((it) => it !== '').join(', ');
      return {
        label: name,
        kind: 'property',
        span: place.span,
        newText: place.hasColon ? name : `${plainText(name)}:${isScalar ? ' ' : ''}`,
        ...(detail !== '' && { detail }),
        prose: describeProperty(name, member, isRequired),
        ...(viewOf(member).isDeprecated && { isDeprecated: true }),
        continues: !place.hasColon && isScalar && valuesOf(member).length > 0,
      };
    });
}

function valuesAllowed(node: SchemaNode | undefined, place: Place): DocumentCompletion[] {
  if (!node) return [];
  return valuesOf(node).map((it) => ({
    label: valueText(it),
    kind: 'enum',
    span: place.span,
    newText: written(it, place),
  }));
}

/** A value in the quotes around the cursor, if there are any. */
function written(value: unknown, { scalar }: Place): string {
  if (scalar.style === 'plain') return plainText(value);
  const text = typeof value === 'string' ? value : plainText(value);
  return scalar.style === 'single' ? text.replaceAll("'", "''") : JSON.stringify(text).slice(1, -1);
}

const stateRanks = { supported: 0, experimental: 2, deprecated: 3 } as const;

function types(place: Place, world: ManifestWorld): DocumentCompletion[] {
  const imported = place.manifest.imports.map(
    ({ path, name }): DocumentCompletion => ({
      label: (name ?? path).text,
      kind: 'type',
      span: place.span,
      newText: written((name ?? path).text, place),
      detail: l10n.t('imported template'),
    }),
  );
  const rank = ({ state }: TypeName): number => (state === undefined ? 1 : stateRanks[state]);
  const known = [...world.types()].sort((a, b) => rank(a) - rank(b));
  return [
    ...imported,
    ...known.map(({ name, state, title }): DocumentCompletion => {
      const isUsual = state === undefined || state === 'supported';
      const shown = isUsual ? undefined : stateText({ kind: 'known', facts: { name, state } });
      const detail = [title, shown].filter((it) => it !== undefined).join(' · ');
      return {
        label: name,
        kind: 'type',
        span: place.span,
        newText: written(name, place),
        ...(detail !== '' && { detail }),
        ...(state === 'deprecated' && { isDeprecated: true }),
      };
    }),
  ];
}

/** Names of the other resources. */
function names(place: Place, own: ManifestResource): DocumentCompletion[] {
  return place.manifest.resources.flatMap(({ name, type }): DocumentCompletion[] =>
    !name || name.text === own.name?.text || name.text.includes(MARK)
      ? []
      : [
          {
            label: name.text,
            kind: 'reference',
            span: place.span,
            newText: written(name.text, place),
            ...(type && { detail: type.text }),
          },
        ],
  );
}

/**
 * Parts of a reference that has been begun, or all of one behind a lone dollar sign.
 *
 *     network: $(ref.net.sel|)
 *                        ^^^    the span of each item
 */
function references(place: Place, world: ManifestWorld): DocumentCompletion[];
/** @param orNothing undefined if no reference has been begun */
function references(place: Place, world: ManifestWorld, orNothing: true): DocumentCompletion[] | undefined;
function references(place: Place, world: ManifestWorld, orNothing?: true): DocumentCompletion[] | undefined {
  const { before, after, manifest, scalar } = place;
  const begun = /(?<!\$)\$\(ref\.([^()\s]*)$/.exec(before);
  const isClosed = /^[^()\s]*\)/.test(after);
  const others = manifest.resources.filter(
    ({ map, name }) => name && !name.text.includes(MARK) && !isWithin(scalar, map.span),
  );
  if (!begun) {
    const opening = /(?<!\$)\$(?:\((?:r(?:e(?:f)?)?)?)?$/.exec(before);
    if (!opening) return orNothing ? undefined : [];
    const span = spanIn(place, opening.index, '');
    return others.map(({ name, type }) => ({
      label: `$(ref.${name?.text}.…)`,
      kind: 'reference',
      span,
      newText: `$(ref.${name?.text}.`,
      filterText: `$(ref.${name?.text}`,
      ...(type && { detail: type.text }),
      continues: true,
    }));
  }
  const [first = '', ...steps] = (begun[1] ?? '').split('.');
  const typed = steps.at(-1) ?? first;
  const end = /^[^.()[\]\s]*/.exec(after)?.[0] ?? '';
  const span = spanIn(place, before.length - typed.length, end);
  if (steps.length === 0) {
    return others.map(({ name, type }) => ({
      label: name?.text ?? '',
      kind: 'reference',
      span,
      newText: `${name?.text}${after[end.length] === '.' ? '' : '.'}`,
      ...(type && { detail: type.text }),
      continues: true,
    }));
  }
  const target = manifest.resources.find((it) => it.name?.text === first);
  const output = target && outputOf(target, manifest, world);
  const path = steps.slice(0, -1).flatMap(stepsOf);
  const node = schemaAt(output, path);
  if (!node) return [];
  return [...membersOf(node)].map(([name, member]): DocumentCompletion => {
    const { kinds, description } = viewOf(member);
    const goesOn = kinds.includes('object') || kinds.includes('array');
    const detail = kindText(member);
    return {
      label: name,
      kind: 'property',
      span,
      newText: `${name}${goesOn || isClosed ? '' : ')'}`,
      ...(detail !== '' && { detail }),
      ...(description !== undefined && { prose: describeProperty(name, member, false) }),
    };
  });
}

/** `networkInterfaces[0]` → a member and an index. */
function stepsOf(text: string): (string | number)[] {
  const [, name = text, indices = ''] = /^([^[\]]*)((?:\[\d{1,9}\])*)$/.exec(text) ?? [];
  return [name, ...[...indices.matchAll(/\d+/g)].map((it) => Number(it[0]))];
}

/** A part of the scalar around the cursor, in the text without the mark. */
function spanIn({ scalar, before, offset }: Place, from: number, rest: string): Span {
  const { start } = yamlSpan(scalar, from, before.length);
  return { start: Math.min(start, offset), end: offset + rest.length };
}

function isWithin({ span }: YamlScalar, around: Span): boolean {
  return span.start >= around.start && span.end <= around.end;
}
