import * as l10n from '@vscode/l10n';
import { similarNames } from '../../engine/base/similar-names.ts';
import { oneLine } from '../../engine/base/text.ts';
import type { YamlScalar } from '../../engine/formats/yaml/scalar.ts';
import type { Span } from '../../engine/model/span.ts';
import { checkProperties, replacements, shown } from './check-values.ts';
import type { Checks, ManifestCode, ManifestFinding, ManifestFix } from './checks.ts';
import { findCycles } from './cycles.ts';
import { addImport, addMember, firstValue, lineEnd, type ManifestEdit } from './edits.ts';
import { type DeploymentManifest, type ManifestResource, resourceMembers } from './manifest.ts';
import type { Reference, ReferenceStep } from './references.ts';
import { memberOf, membersOf, type SchemaNode, schemaAt, viewOf } from './schema.ts';
import { inputOf, type ManifestWorld, outputOf, sourceOf } from './world.ts';

/** Findings of one manifest. More of them help no reader. */
const MAX_FINDINGS = 500;

/** Names in one manifest for which similar ones are looked for, among so many: each is compared with all of them. */
const MAX_SOUGHT = 50;
const MAX_NAMES = 2000;

/** What is wrong with a manifest, in the order of its text. What is not known yet leads to no finding. */
export function findingsIn(text: string, manifest: DeploymentManifest, world: ManifestWorld): ManifestFinding[] {
  const found: ManifestFinding[] = [];
  if (!manifest.isCertain) return found;
  let sought = 0;
  const checks: Checks = {
    report(it) {
      if (found.length < MAX_FINDINGS) found.push(it);
    },
    maySeek: () => sought++ < MAX_SOUGHT,
    similar: (text, names) => (checks.maySeek() ? similarNames(text, [...names].slice(0, MAX_NAMES)) : []),
    isFull: () => found.length >= MAX_FINDINGS,
  };
  const { report, isFull } = checks;
  checkImports(manifest, world, report);
  checkNames(manifest, report);
  for (const resource of manifest.resources) {
    if (isFull()) break;
    checkMembers(text, resource, checks);
    checkType(text, resource, manifest, world, checks);
    const input = inputOf(resource, manifest, world);
    if (!input) continue;
    if (resource.properties) checkProperties(text, resource.properties, input, checks);
    else withoutProperties(text, resource, input, report);
  }
  if (!isFull()) checkReferences(manifest, world, checks);
  if (isFull()) return inOrder(found);
  for (const { names, span } of findCycles(manifest.resources)) {
    const way = oneLine([...names, names[0] ?? ''].join(' → '));
    report(error('reference-cycle', span, l10n.t('These resources require each other: {0}.', way)));
  }
  return inOrder(found);
}

type Report = Checks['report'];

function inOrder(found: readonly ManifestFinding[]): ManifestFinding[] {
  return found.toSorted((a, b) => a.span.start - b.span.start);
}

function error(code: ManifestCode, span: Span, message: string, fixes: readonly ManifestFix[] = []): ManifestFinding {
  return { code, severity: 'error', span, message, fixes };
}

function checkImports({ imports }: DeploymentManifest, world: ManifestWorld, report: Report): void {
  for (const { path } of imports) {
    if (world.importAt(path.text).kind !== 'missing') continue;
    report(error('missing-import', path.span, l10n.t('There is no file {0} beside the manifest.', shown(path.text))));
  }
}

function checkNames({ resources }: DeploymentManifest, report: Report): void {
  const seen = new Set<string>();
  for (const { name } of resources) {
    if (!name || name.text === '') continue;
    if (seen.has(name.text)) {
      report(error('duplicate-name', name.span, l10n.t('Another resource is already called {0}.', shown(name.text))));
    }
    seen.add(name.text);
  }
}

/** The members of the resource itself: `propertes:`. */
function checkMembers(text: string, { map }: ManifestResource, { report, similar: near, isFull }: Checks): void {
  const given = map.entries.map((it) => it.key.text);
  for (const { key, merged } of map.entries) {
    if (isFull()) return;
    if (merged || resourceMembers.some((it) => it === key.text)) continue;
    const similar = near(key.text, resourceMembers).filter((it) => !given.includes(it));
    report({
      code: 'unknown-property',
      severity: 'warning',
      span: key.span,
      message: l10n.t('A resource has no member {0}.', shown(key.text)),
      fixes: replacements(key, similar),
    });
  }
  for (const name of ['name', 'type'] as const) {
    const entry = map.entries.findLast((it) => it.key.text === name);
    if (entry?.value) continue;
    const span = entry?.key.span ?? map.entries.find((it) => !it.merged)?.key.span ?? map.span;
    const edit = entry ? undefined : addMember(text, map, name, '');
    report(
      error('missing-property', span, l10n.t('The resource has no {0}.', name), [
        ...(edit ? [{ title: l10n.t('Add {0}', name), edits: [edit], isPreferred: true as const }] : []),
      ]),
    );
  }
}

function checkType(
  text: string,
  { type }: ManifestResource,
  manifest: DeploymentManifest,
  world: ManifestWorld,
  { report, similar, maySeek }: Checks,
): void {
  if (!type || type.text === '') return;
  const name = shown(type.text);
  const source = sourceOf(type.text, manifest, world);
  if (source.kind === 'not-imported') {
    const edit = addImport(text, manifest, type.text);
    const imported: ManifestFix[] = edit
      ? [{ title: l10n.t('Import {0}', name), edits: [edit], isPreferred: true }]
      : [];
    const names = manifest.imports.map((it) => (it.name ?? it.path).text);
    const fixes = [...imported, ...replacements(type, similar(type.text, names)).map(notPreferred)];
    report(error('not-imported', type.span, l10n.t('The template {0} is not imported.', name), fixes));
  } else if (source.kind === 'service') {
    const { insight } = source;
    if (insight.kind === 'unknown') unknownType(type, maySeek() ? insight.similar : [], report);
    if (insight.kind !== 'known' || insight.facts.state !== 'deprecated') return;
    const message = l10n.t('The type {0} is deprecated.', name);
    report({ code: 'deprecated-type', severity: 'warning', span: type.span, message, tag: 'deprecated', fixes: [] });
  }
}

function notPreferred({ title, edits }: ManifestFix): ManifestFix {
  return { title, edits };
}

function unknownType(type: YamlScalar, similar: readonly string[], report: Report): void {
  const name = shown(type.text);
  const near = oneLine(similar.join(', '));
  const message =
    near === ''
      ? l10n.t('The service knows no type {0}.', name)
      : l10n.t('The service knows no type {0}; did you mean {1}?', name, near);
  report(error('unknown-type', type.span, message, replacements(type, similar)));
}

/** A resource without `properties` whose type requires some. */
function withoutProperties(text: string, { map, type }: ManifestResource, input: SchemaNode, report: Report): void {
  const { required, properties } = viewOf(input);
  if (!type || required.length === 0) return;
  const isBlock = text[map.span.start] !== '{';
  const base = isBlock ? addMember(text, map, 'properties', '') : undefined;
  const indent = base && /\n([ \t]*)properties/.exec(base.newText)?.[1];
  const lines = required.map((it) => {
    const member = properties.get(it);
    return `${lineEnd(text)}${indent}  ${it}: ${member ? firstValue(member) : ''}`;
  });
  const edit: ManifestEdit | undefined =
    base && indent !== undefined && required.every((it) => /^[A-Za-z_][\w.-]*$/.test(it))
      ? { span: base.span, newText: `${base.newText.trimEnd()}${lines.join('')}` }
      : undefined;
  const names = oneLine(required.join(', '));
  report(
    error('missing-property', type.span, l10n.t('Required properties are missing: {0}.', names), [
      ...(edit ? [{ title: l10n.t('Add {0}', names), edits: [edit], isPreferred: true as const }] : []),
    ]),
  );
}

function checkReferences(
  manifest: DeploymentManifest,
  world: ManifestWorld,
  { report, similar: near, isFull }: Checks,
): void {
  const { resources, outputs } = manifest;
  // The first of a name is the one that a person has meant before the duplicate.
  const named = new Map(resources.toReversed().flatMap((it) => (it.name ? [[it.name.text, it] as const] : [])));
  const names = [...named.keys()];
  const unknown = (name: string, span: Span, fixes: readonly ManifestFix[]): void =>
    report(error('unknown-reference', span, l10n.t('There is no resource {0}.', shown(name)), fixes));
  for (const { name, references, dependsOn } of resources) {
    for (const it of dependsOn) {
      if (isFull()) return;
      if (named.has(it.text) || it.text === '') continue;
      unknown(it.text, it.span, replacements(it, near(it.text, others(names, name?.text))));
    }
    for (const it of references) checkReference(it, name?.text);
  }
  for (const it of outputs.flatMap((output) => output.references)) checkReference(it, undefined);

  /** @param own the name of the resource that has the reference */
  function checkReference(reference: Reference, own: string | undefined): void {
    if (isFull()) return;
    const { resource, resourceSpan, isClosed } = reference;
    if (!isClosed) {
      report(error('unknown-reference', reference.span, l10n.t('The closing bracket of the reference is missing.')));
      return;
    }
    const target = named.get(resource);
    if (!target) {
      const similar = near(resource, others(names, own));
      unknown(
        resource,
        resource === '' ? reference.span : resourceSpan,
        similar.map((it, at) => ({
          title: l10n.t('Change to {0}', shown(it)),
          edits: [{ span: resourceSpan, newText: it }],
          ...(at === 0 && { isPreferred: true as const }),
        })),
      );
      return;
    }
    const output = outputOf(target, manifest, world);
    if (output) checkPath(reference, output);
  }

  function checkPath({ resource, path }: Reference, output: SchemaNode): void {
    let node: SchemaNode | undefined = output;
    for (const [at, { name, span }] of path.entries()) {
      if (!node) return;
      const next: SchemaNode | undefined = schemaAt(node, [name]);
      const members = membersOf(node);
      const view = viewOf(node);
      const isOpen = view.additional === 'any' || view.hasPatterns || members.size === 0;
      if (typeof name === 'string' && !memberOf(node, name) && !isOpen) {
        const similar = near(name, members.keys());
        report({
          code: 'unknown-reference',
          severity: 'warning',
          span,
          message: l10n.t('{0} has no output {1}.', shown(pathText(resource, path.slice(0, at))), shown(name)),
          fixes: similar.map((it, index) => ({
            title: l10n.t('Change to {0}', shown(it)),
            edits: [{ span, newText: it }],
            ...(index === 0 && { isPreferred: true as const }),
          })),
        });
        return;
      }
      node = next;
    }
  }
}

/** `front.networkInterfaces[0]` */
export function pathText(resource: string, path: readonly Pick<ReferenceStep, 'name'>[]): string {
  return [resource, ...path.map(({ name }) => (typeof name === 'number' ? `[${name}]` : `.${name}`))].join('');
}

function others(names: readonly string[], own: string | undefined): readonly string[] {
  return names.filter((it) => it !== own);
}
