import * as l10n from '@vscode/l10n';
import type { CodeAction } from 'vscode-languageserver';
import { findingsIn } from '../../engine/analysis/findings.ts';
import { notFound } from '../../engine/analysis/rules/not-found.ts';
import { verdictOf } from '../../engine/analysis/verdict.ts';
import { oneLine } from '../../engine/base/text.ts';
import { directoryOf } from '../../engine/base/uri.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import { knownHost, type Registry } from '../../engine/model/registry.ts';
import { scopePattern } from '../../engine/policy/package-patterns.ts';
import { makePrivateCommand } from '../command-names.ts';
import { toDiagnostic } from './diagnostics.ts';
import type { AnswerContext } from './feature.ts';

/** The only argument of the command. */
export interface PrivateRequest {
  /** The manifest: the project file that is nearest to it is changed. */
  readonly uri: string;
  /** `npm/@acme/*` */
  readonly pattern: string;
}

/** A command of our extension, which asks before it changes the setting. */
export const addRegistryCommand = 'packageInsights.addPublicRegistry';

/** A command of our extension, which asks before private registries are. */
export const askRegistriesCommand = 'packageInsights.askRegistries';

/** A command of our extension in a browser, which asks whether names may be looked up there. */
export const lookUpInBrowserCommand = 'packageInsights.lookUpInBrowser';

/** The only argument of the commands about a registry. */
export interface RegistryRequest {
  readonly host: string;
}

/** What a person knows and the service does not: that a name is private, or that a registry is public. */
export function privateActions(dependencies: readonly EvaluatedDependency[], context: AnswerContext): CodeAction[] {
  return dependencies.flatMap((it) => [...scopeAction(it, context), ...registryActions(it, context)]);
}

/** `This scope is private: npm/@acme/*`, for a package that the service does not know. */
function scopeAction(evaluated: EvaluatedDependency, context: AnswerContext): CodeAction[] {
  const { client, settings } = context;
  const { uri, key } = evaluated.linked;
  // An untitled document has no project file.
  if (
    !client.executesCommands ||
    directoryOf(uri) === '' ||
    notFound.find(evaluated, verdictOf(evaluated)) === undefined
  )
    return [];
  const pattern = scopePattern(key);
  const title = pattern.endsWith('*')
    ? l10n.t('This scope is private: do not look up {0}', pattern)
    : l10n.t('This package is private: do not look up {0}', pattern);
  const request: PrivateRequest = { uri, pattern };
  const command = client.asksForReasons ? 'packageInsights.makePrivate' : makePrivateCommand;
  const found = findingsIn([evaluated], settings).filter((it) => it.code === 'not-found');
  const diagnostics = found.map((it) => toDiagnostic(it, context));
  return [{ ...action(title, command, request), ...(diagnostics.length > 0 && { diagnostics }) }];
}

/**
 * For a package that is held back because of its registry: `Ask npm.acme.example about its packages…`, which sends the
 * name nowhere else, and `npm.acme.example is a public registry: …`.
 */
function registryActions({ resolution }: EvaluatedDependency, { client, mayOfferAsking }: AnswerContext): CodeAction[] {
  if (!client.commandLinks || resolution.kind !== 'none' || resolution.withheld === undefined) return [];
  const { host } = resolution.withheld;
  if (host === undefined || !canBePublic(resolution.withheld)) return [];
  const request: RegistryRequest = { host };
  return [
    ...(mayOfferAsking && canBeAsked(resolution.withheld)
      ? [action(l10n.t('Ask {0} about its packages…', host), askRegistriesCommand, request)]
      : []),
    action(l10n.t('{0} is a public registry: look up its packages…', host), addRegistryCommand, request),
  ];
}

/** Whether the name stays on the machine just because of a registry that the person may know to be public. */
export function canBePublic(registry: Registry): boolean {
  const { isFormer, unreadable, declared } = registry;
  return knownHost(registry) !== undefined && !isFormer && !unreadable && !declared;
}

/** Whether the registry itself would be asked, if the person permits it. */
export function canBeAsked(registry: Registry): boolean {
  return canBePublic(registry) && !registry.isLocked;
}

function action(title: string, command: string, request: PrivateRequest | RegistryRequest): CodeAction {
  const shown = oneLine(title);
  return { title: shown, kind: 'quickfix', command: { title: shown, command, arguments: [request] } };
}
