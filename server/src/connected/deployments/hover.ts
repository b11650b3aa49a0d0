import * as l10n from '@vscode/l10n';
import { dayOf, shortTimeOf } from '../../engine/base/dates.ts';
import { oneLine } from '../../engine/base/text.ts';
import { contains } from '../../engine/model/span.ts';
import type { KnownType, TypeInsight } from '../model/deployments/types.ts';
import type { DocumentHover, DocumentInline, DocumentProse } from '../model/documents/service-document.ts';
import { pathText } from './findings.ts';
import { stateText } from './hints.ts';
import type { DeploymentManifest, ManifestResource } from './manifest.ts';
import { positionAt } from './position.ts';
import type { Reference } from './references.ts';
import { kindText, memberOf, membersOf, type SchemaNode, schemaAt, valuesOf, viewOf } from './schema.ts';
import { inputOf, type ManifestWorld, outputOf, sourceOf } from './world.ts';

type Block = DocumentProse[number];

/** Members in one hover. */
const MAX_MEMBERS = 25;
/** In characters, of the description of a member. */
const MAX_DESCRIPTION = 160;
const MAX_VALUES = 20;

/** Explains a type, a property or a reference; undefined where there is nothing to explain. */
export function hoverAt(manifest: DeploymentManifest, world: ManifestWorld, offset: number): DocumentHover | undefined {
  const resource = manifest.resources.find(
    ({ map, type }) => contains(map.span, offset) || (type && contains(type.span, offset)),
  );
  if (!resource) return undefined;
  const { type } = resource;
  if (type && contains(type.span, offset)) return { span: type.span, prose: describeType(type.text, manifest, world) };
  const reference = resource.references.find((it) => contains(it.span, offset));
  if (reference) {
    const target = manifest.resources.find((it) => it.name?.text === reference.resource);
    if (!target) return undefined;
    return { span: reference.span, prose: describeReference(target, reference.path, manifest, world) };
  }
  const position = positionAt(resource.properties?.value, offset);
  const input = inputOf(resource, manifest, world);
  if (!position || !input || position.path.length === 0) return undefined;
  const schema = schemaAt(input, position.path);
  if (!schema) return undefined;
  const name = position.path.findLast((it) => typeof it === 'string') ?? '';
  const parent = schemaAt(input, position.path.slice(0, position.path.lastIndexOf(name)));
  const isRequired = parent !== undefined && viewOf(parent).required.includes(name);
  return { span: position.scalar.span, prose: describeProperty(name, schema, isRequired) };
}

/** A type: its state, its title, its documentation, and the members of its schema. */
export function describeType(name: string, manifest: DeploymentManifest, world: ManifestWorld): DocumentProse {
  const source = sourceOf(name, manifest, world);
  if (source.kind === 'not-imported') return [line({ strong: name }), line(l10n.t('This template is not imported.'))];
  if (source.kind === 'import') {
    const schema = source.file.kind === 'present' ? source.file.schema : undefined;
    const path = manifest.importsByType.get(name)?.path.text ?? name;
    return [
      line({ strong: name }, ' · ', l10n.t('template')),
      line({ code: path }, ...(source.file.kind === 'missing' ? [' · ', l10n.t('the file is missing')] : [])),
      ...(schema === undefined ? [] : describeMembers({ root: schema, node: schema })),
    ];
  }
  return describeInsight(name, source.insight);
}

function describeInsight(name: string, insight: TypeInsight): DocumentProse {
  switch (insight.kind) {
    case 'pending':
      return [line({ strong: name }), line(l10n.t('Requested from the service…'))];
    case 'unchecked':
      return [line({ strong: name }), line(l10n.t('Not checked: {0}.', insight.reason))];
    case 'unknown':
      return [line({ strong: name }), line(l10n.t('The service knows no such type.'))];
    case 'known': {
      const { title, description, documentation, input } = insight.facts;
      const state = stateText(insight) ?? '';
      const age = insight.staleSince;
      return [
        line(
          { strong: name },
          ...(title === undefined ? [] : [` · ${title}`]),
          ...(state === '' ? [] : [` · ${state}`]),
        ),
        ...(description === undefined ? [] : [line(description)]),
        ...(documentation === undefined ? [] : [line({ link: l10n.t('Documentation'), url: documentation })]),
        ...(input === undefined ? [lackingSchema(insight)] : describeMembers({ root: input, node: input })),
        ...(age === undefined
          ? []
          : [line(l10n.t('As of {0} {1}: it could not be requested again.', dayOf(age), shortTimeOf(age)))]),
      ];
    }
  }
}

function lackingSchema({ withoutSchema }: KnownType): Block {
  switch (withoutSchema?.kind) {
    case 'pending':
      return line(l10n.t('The schema is requested from the service…'));
    case 'failed':
      return line(l10n.t('The properties are not checked: {0}.', withoutSchema.reason));
    case undefined:
      return line(l10n.t('The service gives no schema, so the properties are not checked.'));
  }
}

/** The members of an object, those that are required first. */
function describeMembers(node: SchemaNode): Block[] {
  const members = [...membersOf(node)];
  if (members.length === 0) return [];
  const { required } = viewOf(node);
  const rank = ([name]: readonly [string, SchemaNode]): number => (required.includes(name) ? 0 : 1);
  const shown = members.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_MEMBERS);
  const rest = members.length - shown.length;
  return [
    { kind: 'rule', parts: [] },
    ...shown.map(([name, member]): Block => {
      const description = viewOf(member).description;
      return {
        kind: 'item',
        parts: [
          { code: name },
          ...kindAndNeed(member, required.includes(name)),
          ...(description === undefined ? [] : [` – ${oneLine(description, MAX_DESCRIPTION)}`]),
        ],
      };
    }),
    ...(rest === 0 ? [] : [line(l10n.t('and {0} more', rest))]),
  ];
}

export function describeProperty(name: string, node: SchemaNode, isRequired: boolean): DocumentProse {
  const view = viewOf(node);
  const values = valuesOf(node).slice(0, MAX_VALUES);
  const fallback = view.default;
  return [
    line({ strong: name }, ...kindAndNeed(node, isRequired)),
    ...(view.description === undefined
      ? view.title === undefined
        ? []
        : [line(view.title)]
      : [line(view.description)]),
    ...(values.length === 0 ? [] : [line(...valuesText(l10n.t('Allowed:'), values))]),
    ...(fallback === undefined ? [] : [line(...valuesText(l10n.t('Default:'), [fallback]))]),
    ...(view.properties.size === 0 ? [] : describeMembers(node)),
  ];
}

function valuesText(label: string, values: readonly unknown[]): DocumentInline[] {
  return [`${label} `, ...values.flatMap((it, at) => [at === 0 ? '' : ', ', { code: valueText(it) }])].filter(
    (it) => it !== '',
  );
}

export function valueText(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), MAX_DESCRIPTION);
}

function kindAndNeed(node: SchemaNode, isRequired: boolean): string[] {
  const kind = kindText(node);
  const view = viewOf(node);
  const words = [
    kind,
    isRequired ? l10n.t('required') : '',
    view.isReadOnly ? l10n.t('set by the service') : '',
    view.isDeprecated ? l10n.t('deprecated') : '',
  ].filter((it) => it !== '');
  return words.length === 0 ? [] : [` ${oneLine(words.join(', '))}`];
}

function describeReference(
  target: ManifestResource,
  steps: Reference['path'],
  manifest: DeploymentManifest,
  world: ManifestWorld,
): DocumentProse {
  const shown = pathText(target.name?.text ?? '', steps);
  const path = steps.map((it) => it.name);
  const output = outputOf(target, manifest, world);
  const last = path.at(-1);
  const parent = schemaAt(output, path.slice(0, -1));
  const node = typeof last === 'string' && parent ? memberOf(parent, last) : undefined;
  const description = node && viewOf(node).description;
  const type = target.type?.text;
  return [
    line({ strong: shown }, ...(node ? kindAndNeed(node, false) : [])),
    ...(description === undefined ? [] : [line(description)]),
    ...(type === undefined ? [] : [line(l10n.t('Resource of type {0}', oneLine(type)))]),
  ];
}

function line(...parts: readonly DocumentInline[]): Block {
  return { kind: 'paragraph', parts };
}
