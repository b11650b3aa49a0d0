import * as l10n from '@vscode/l10n';
import { similarNames } from '../../engine/base/similar-names.ts';
import { isRecord } from '../../engine/base/text.ts';
import type { CallPriority } from '../../engine/model/connection.ts';
import { readJson } from '../api/json.ts';
import {
  type KnownType,
  type TypeFacts,
  type TypeInsight,
  type TypeName,
  type TypeState,
  typeStates,
} from '../model/deployments/types.ts';
import { readTemplateSchema } from './imports.ts';
import type { Kept, KeptAnswers, Obtained, Question } from './kept-answers.ts';
import type { ServiceCalls } from './service-calls.ts';

/** The types of one project, as the service lists them. */
export interface TypeStore {
  /** Of a type that is no import: `compute.v1.instance`, `demo/composite:cluster`, `gcp-types/compute-v1:instances`. */
  typeOf(name: string, priority: CallPriority): TypeInsight;
  types(): readonly TypeName[];
}

/** The project of the providers that belong to every project. Source: documentation of type providers. */
const COMMON_PROJECT = 'gcp-types';
/** Real manifests name a few. */
const MAX_COMMON_PROVIDERS = 100;

/** Providers whose types are requested for a completion. */
const MAX_LISTED_PROVIDERS = 30;

/**
 * @param project empty if none is chosen: then nothing is requested
 */
export function createTypeStore(
  { answers, calls }: { readonly answers: KeptAnswers; readonly calls: ServiceCalls },
  project: string,
): TypeStore {
  const baseTypes = listOf(calls, `types ${project}`, 'types.list', { project }, 'types', readBaseType);
  const composites = listOf(
    calls,
    `compositeTypes ${project}`,
    'compositeTypes.list',
    { project },
    'compositeTypes',
    (it) => readComposite(it, project),
  );
  const providers = listOf(
    calls,
    `typeProviders ${project}`,
    'typeProviders.list',
    { project },
    'typeProviders',
    readProvider,
  );
  const providedBy = (owner: string, typeProvider: string): Question<readonly ListedType[]> =>
    listOf(
      calls,
      `typeProvider ${owner}/${typeProvider}`,
      'typeProviders.listTypes',
      { project: owner, typeProvider },
      'types',
      (it) => readProvidedType(it, owner, typeProvider),
    );

  /** A list of the service as what it says of one name. */
  function insightIn(
    list: Kept<readonly ListedType[]>,
    name: string,
    among: () => readonly string[],
    complete: (found: ListedType) => Pick<KnownType, 'facts' | 'withoutSchema'> = ({ facts }) => ({ facts }),
  ): TypeInsight {
    if (list.kind === 'pending') return list;
    if (list.kind === 'failed') return { kind: 'unchecked', reason: list.reason };
    const found = list.value.find((it) => it.facts.name === name);
    const { staleSince } = list;
    if (found) return { kind: 'known', ...complete(found), ...(staleSince !== undefined && { staleSince }) };
    // A type may have been added since.
    if (staleSince !== undefined) return { kind: 'unchecked', reason: l10n.t('the list of types is old') };
    return {
      kind: 'unknown',
      // Compared with thousands of names, and only sometimes needed.
      get similar() {
        return similarNames(name, among());
      },
    };
  }

  function namesIn(list: Kept<readonly ListedType[]>): () => readonly string[] {
    return () => (list.kind === 'ready' ? list.value.map((it) => it.facts.name) : []);
  }

  function baseTypeOf(name: string, priority: CallPriority): TypeInsight {
    const list = answers.ask(baseTypes, priority);
    return insightIn(list, name, namesIn(list), (it) => {
      const described = describedBy(it, priority);
      const { facts } = it;
      if (described === undefined) return { facts };
      if (described.kind !== 'ready') return { facts, withoutSchema: described };
      const info = described.value.find((other) => isSameType(other, it))?.facts;
      if (!info) return { facts };
      return { facts: { ...info, ...facts, ...(info.description && { description: info.description }) } };
    });
  }

  /** The types of the provider that describes a base type; undefined if none does. */
  function describedBy(
    { provider, facts }: ListedType,
    priority: CallPriority,
  ): Kept<readonly ListedType[]> | undefined {
    // `compute.v1.instance` is of the provider compute-v1, by convention.
    const [, api, version] = /^([a-z][\w-]*)\.([a-z\d]+)\.[\w.]+$/i.exec(facts.name) ?? [];
    const name = provider ?? (api === undefined ? undefined : `${api}-${version}`);
    if (name === undefined) return undefined;
    const own = answers.ask(providers, priority);
    if (own.kind !== 'ready') return own;
    const isOwn = own.value.some((it) => it.name === name);
    return answers.ask(providedBy(isOwn ? project : COMMON_PROJECT, name), priority);
  }

  function compositeOf(name: string, owner: string, priority: CallPriority): TypeInsight {
    if (owner !== project) return ofAnother(owner);
    const list = answers.ask(composites, priority);
    return insightIn(list, name, namesIn(list));
  }

  /** Providers of other projects that were asked for their types, so that a text leads to few requests. */
  const common = new Set<string>();

  function providedTypeOf(name: string, owner: string, provider: string, priority: CallPriority): TypeInsight {
    // The name of a project in a file leads to no request unless it is the chosen one.
    if (owner !== project && owner !== COMMON_PROJECT) return ofAnother(owner);
    if (owner === project) {
      const own = answers.ask(providers, priority);
      if (own.kind === 'pending') return own;
      if (own.kind === 'failed') return { kind: 'unchecked', reason: own.reason };
      if (!own.value.some((it) => it.name === provider)) {
        const similar = similarNames(
          provider,
          own.value.map((it) => it.name),
        );
        const rest = name.slice(name.indexOf(':'));
        return { kind: 'unknown', similar: similar.map((it) => `${project}/${it}${rest}`) };
      }
    }
    if (owner !== project && !common.has(provider)) {
      if (common.size >= MAX_COMMON_PROVIDERS)
        return { kind: 'unchecked', reason: l10n.t('too many providers of types are named') };
      common.add(provider);
    }
    const list = answers.ask(providedBy(owner, provider), priority);
    return insightIn(list, name, namesIn(list));
  }

  return {
    typeOf(name, priority) {
      if (project === '') return { kind: 'unchecked', reason: l10n.t('no project is chosen') };
      const [, owner, provider] = /^([^/\s]{1,200})\/([^/:\s]{1,200}):\S{1,500}$/.exec(name) ?? [];
      if (owner === undefined || provider === undefined) return baseTypeOf(name, priority);
      return provider === 'composite'
        ? compositeOf(name, owner, priority)
        : providedTypeOf(name, owner, provider, priority);
    },
    types() {
      if (project === '') return [];
      const own = answers.ask(providers, 'asked');
      const listed = own.kind === 'ready' ? own.value.slice(0, MAX_LISTED_PROVIDERS) : [];
      const lists = [
        answers.ask(baseTypes, 'asked'),
        answers.ask(composites, 'asked'),
        ...listed.map((it) => answers.ask(providedBy(it.isCommon ? COMMON_PROJECT : project, it.name), 'asked')),
      ];
      return lists.flatMap((it) =>
        it.kind === 'ready'
          ? it.value.map(
              ({ facts: { name, state, title } }): TypeName => ({
                name,
                ...(state && { state }),
                ...(title && { title }),
              }),
            )
          : [],
      );
    },
  };
}

function ofAnother(owner: string): TypeInsight {
  return { kind: 'unchecked', reason: l10n.t('it belongs to the project {0}', owner) };
}

/** A type in a list, with where its schema is. */
interface ListedType {
  readonly facts: TypeFacts;
  /** The provider that describes a base type, and the name of its collection there. */
  readonly provider?: string;
  readonly collection?: string;
}

interface ListedProvider {
  readonly name: string;
  /** It belongs to every project. */
  readonly isCommon: boolean;
}

/** Whether a type of a provider is the one behind a base type: `instances` and `compute.v1.instance`. */
function isSameType(provided: ListedType, base: ListedType): boolean {
  if (base.collection !== undefined) return provided.collection === base.collection;
  const last = (text: string | undefined): string => (text ?? '').slice((text ?? '').lastIndexOf('.') + 1);
  const [many, one] = [last(provided.collection), last(base.facts.name)];
  return [one, `${one}s`, `${one}es`, one.replace(/y$/, 'ies')].includes(many);
}

/** A list of the service as a question. Elements of another form are left out; another answer is a failure. */
function listOf<T>(
  calls: ServiceCalls,
  id: string,
  method: string,
  parameters: Readonly<Record<string, string>>,
  member: string,
  readElement: (value: Readonly<Record<string, unknown>>) => T | undefined,
): Question<readonly T[]> {
  return {
    id,
    async obtain(priority, signal): Promise<Obtained<readonly T[]>> {
      const answer = await calls.list(method, parameters, { priority, signal });
      if (answer.kind !== 'done') return answer;
      const list = isRecord(answer.value) ? (answer.value[member] ?? []) : undefined;
      if (!Array.isArray(list)) return { kind: 'failed', reason: l10n.t('the answer is not valid') };
      const value = list.filter(isRecord).flatMap((it) => readElement(it) ?? []);
      return { kind: 'value', value, bytes: JSON.stringify(value).length };
    },
    read: (value) => (Array.isArray(value) ? (value as readonly T[]) : undefined),
  };
}

type Shape = Readonly<Record<string, unknown>>;

function readBaseType(value: Shape): ListedType | undefined {
  const name = textOf(value['name']);
  if (name === undefined) return undefined;
  const description = textOf(value['description']);
  const [state, provider, collection] = ['status', 'typeProvider', 'type'].map((it) => labelOf(value, it));
  const known = stateOf(state);
  return {
    facts: { name, ...(known && { state: known }), ...(description !== undefined && { description }) },
    ...(provider !== undefined && { provider }),
    ...(collection !== undefined && { collection }),
  };
}

function readComposite(value: Shape, project: string): ListedType | undefined {
  const name = textOf(value['name']);
  if (name === undefined) return undefined;
  const state = stateOf(value['status']);
  const description = textOf(value['description']);
  const contents = isRecord(value['templateContents']) ? value['templateContents'] : {};
  const input = schemaOf(contents['schema']);
  return {
    facts: {
      name: `${project}/composite:${name}`,
      ...(state && { state }),
      ...(description !== undefined && { description }),
      ...(input !== undefined && { input }),
    },
  };
}

function readProvider(value: Shape): ListedProvider | undefined {
  const name = textOf(value['name']);
  return name === undefined ? undefined : { name, isCommon: labelOf(value, 'source') === 'built-in' };
}

function readProvidedType(value: Shape, owner: string, provider: string): ListedType | undefined {
  const name = textOf(value['name']);
  if (name === undefined) return undefined;
  const [title, description, documentation] = ['title', 'description', 'documentationLink'].map((it) =>
    textOf(value[it]),
  );
  const schema = isRecord(value['schema']) ? value['schema'] : {};
  const [input, output] = [schemaOf(schema['input']), schemaOf(schema['output'])];
  return {
    facts: {
      name: `${owner}/${provider}:${name}`,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(documentation !== undefined && { documentation }),
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
    },
    collection: name,
  };
}

/** In characters. */
const MAX_TEXT = 2000;
/** In characters: the longest schemas of real types have some hundred thousand. */
const MAX_SCHEMA = 4 * 1024 * 1024;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : undefined;
}

/** A schema is a text of JSON, or of YAML with a template. */
function schemaOf(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > MAX_SCHEMA) return undefined;
  const read = readJson(value);
  if (read.kind === 'value') return isRecord(read.value) ? read.value : undefined;
  return read.kind === 'invalid' ? readTemplateSchema(value) : undefined;
}

function labelOf(value: Shape, key: string): string | undefined {
  const labels = Array.isArray(value['labels']) ? value['labels'].filter(isRecord) : [];
  return textOf(labels.find((it) => it['key'] === key)?.['value']);
}

function stateOf(value: unknown): TypeState | undefined {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  return typeStates.find((it) => it === word);
}
