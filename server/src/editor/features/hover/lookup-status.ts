import * as l10n from '@vscode/l10n';
import { exchangedText } from '../../../engine/analysis/rules/no-match.ts';
import { newNameText, unknownText } from '../../../engine/analysis/rules/not-found.ts';
import { dayOf } from '../../../engine/base/dates.ts';
import type { EvaluatedDependency, Locked, Resolution } from '../../../engine/model/evaluated-dependency.ts';
import type { PackageKey } from '../../../engine/model/keys.ts';
import { accessOf } from '../../../engine/model/registries/asked-registries.ts';
import { registriesText } from '../../../engine/model/registries/refusal-text.ts';
import { knownHost, type Registry } from '../../../engine/model/registry.ts';
import { advisoriesUnknownReason } from '../../../engine/model/severity-rating.ts';
import { type Block, type Inline, paragraph, phrase } from '../markup.ts';
import {
  addRegistryCommand,
  askRegistriesCommand,
  canBeAsked,
  canBePublic,
  lookUpInBrowserCommand,
} from '../private-actions.ts';

/**
 * Why the vulnerabilities of a dependency are not checked: the private registries that are asked for it, in their order, or
 * that the service knows none; or up to when they are. Empty where the service has all of them.
 */
export function advisorySource({ linked: { key }, version }: EvaluatedDependency): Block[] {
  if (version?.state === 'ready' && version.value.areAdvisoriesUnknown)
    return [paragraph(advisoriesUnknownReason(version.value.registries))];
  if (version?.state === 'ready' && version.value.advisoriesAsOf !== undefined)
    return [paragraph(l10n.t('Vulnerabilities: as of {0}', dayOf(version.value.advisoriesAsOf)))];
  const access = key.registry === undefined ? undefined : accessOf(key.registry);
  if (access === undefined) return [];
  return [
    paragraph(
      l10n.t('From {0}', registriesText(access.registries)),
      ' · ',
      l10n.t('Vulnerabilities: not checked (private registry)'),
    ),
  ];
}

/** How to have the registry itself asked, as its own client asks it. */
function askingAdvice(registry: Registry | undefined): Block[] {
  if (registry?.host === undefined || !canBeAsked(registry)) return [];
  const { host } = registry;
  const link = { link: 'packageInsights.privateRegistries', command: askRegistriesCommand, args: [{ host }] };
  return [paragraph(...phrase(l10n.t('To ask {0} itself, as its own client does, set {1} to “ask”.'), host, link))];
}

/**
 * Why facts are missing: unknown to the service, not looked up, or not reached.
 * @param mayOfferAsking whether the settings could permit to ask private registries
 */
export function lookupStatus(
  evaluated: EvaluatedDependency,
  closed: string | undefined,
  mayOfferAsking = false,
): Block[] {
  const { linked } = evaluated;
  if (evaluated.isNewName) {
    const { fact, reason } = newNameText(evaluated);
    return [paragraph({ strong: fact }, ` ${reason}`)];
  }
  const exchanged = linked.exchanged ? [paragraph(exchangedText(linked.exchanged))] : [];
  return [...exchanged, ...resolutionStatus(evaluated, closed, mayOfferAsking)];
}

function resolutionStatus(
  { linked, resolution, version }: EvaluatedDependency,
  closed: string | undefined,
  mayOfferAsking: boolean,
): Block[] {
  const { name } = linked.dependency;
  switch (resolution.kind) {
    case 'none':
      return [
        notLookedUp(resolution.reason, resolution.withheld),
        // First what sends the name nowhere else.
        ...(mayOfferAsking ? askingAdvice(resolution.withheld) : []),
        ...privateRegistryAdvice(resolution.withheld, resolution.isPublicHostUnknown),
      ];
    case 'pending':
      return [requesting(linked.key)];
    case 'unknown':
      return [paragraph(`${unknownText({ ...linked.key, name })}.`)];
    case 'no-match':
      return [paragraph(l10n.t('No published version meets {0}.', resolution.range))];
    case 'unlisted':
      return [paragraph(unlistedText(name, resolution.range))];
    case 'failed':
      return [notAsked(resolution.reason, closed)];
    case 'version':
      return [...staleLockfile(resolution.stale), ...versionStatus(linked.key, resolution.version, version, closed)];
  }
}

/** A requirement that only a list of all versions could resolve. */
export function unlistedText(name: string, range: string): string {
  return l10n.t('The service knows only some versions of {0}, so {1} cannot be resolved.', name, range);
}

/** A lockfile that the requirement no longer allows. */
function staleLockfile(stale: Locked | undefined): Block[] {
  if (stale === undefined) return [];
  const { lockfile, version, update } = stale;
  return [paragraph(...phrase(l10n.t('{0} still contains {1}: run {2}.'), lockfile, version, { code: update }))];
}

function requesting({ registry }: PackageKey): Block {
  return paragraph(
    registry === undefined
      ? l10n.t('Requesting data from the Package Insights Service…')
      : l10n.t('Requesting data from its registry…'),
  );
}

function versionStatus(
  key: PackageKey,
  version: string,
  known: EvaluatedDependency['version'],
  closed: string | undefined,
): Block[] {
  switch (known?.state) {
    case 'pending':
      return [requesting(key)];
    case 'failed':
      return [notAsked(known.reason, closed)];
    case 'unknown':
      return [
        paragraph(
          key.registry === undefined
            ? l10n.t('Version {0} is unknown to the service: it may be private, too new, or not covered.', version)
            : l10n.t('Its registry does not have version {0}.', version),
        ),
      ];
    default:
      return [];
  }
}

function notAsked(reason: string, closed: string | undefined): Block {
  return paragraph(
    closed === undefined ? l10n.t('Lookup failed: {0}.', reason) : l10n.t('Not looked up: {0}.', closed),
  );
}

/** The same as a sentence without links. In a browser it is not decided yet. */
export function notLookedUpText({
  reason,
  withheld,
}: Pick<Resolution & { readonly kind: 'none' }, 'reason' | 'withheld'>): string {
  return withheld?.unreadable?.why === 'browser'
    ? l10n.t('Not looked up yet: {0}, which may assign names to a private registry.', reason)
    : l10n.t('Not looked up: {0}.', reason);
}

/** `Not looked up: .npmrc takes it from the registry npm.acme.example.`, with a link to the line of the file. */
function notLookedUp(reason: string, registry: Registry | undefined): Block {
  if (registry?.unreadable?.why === 'browser') return paragraph(notLookedUpText({ reason, withheld: registry }));
  const { from = '', place } = registry ?? {};
  const at = place && from !== '' ? reason.indexOf(from) : -1;
  const linked: Inline[] =
    place && at >= 0 ? [reason.slice(0, at), { link: from, place }, reason.slice(at + from.length)] : [reason];
  const [before = '', after = ''] = l10n.t('Not looked up: {0}.').split('{0}');
  return paragraph(before, ...linked, after);
}

/**
 * How to have the packages of a private registry looked up.
 * @param isPublicUnsaid the service does not report the public registries, so this one may be public
 */
export function privateRegistryAdvice(registry: Registry | undefined, isPublicUnsaid = false): Block[] {
  if (registry === undefined) return [];
  const host = knownHost(registry);
  if (registry.unreadable?.why === 'browser')
    return [paragraph({ link: l10n.t('Look Up Packages in the Browser…'), command: lookUpInBrowserCommand, args: [] })];
  if (host === undefined) return [paragraph(l10n.t('The name stays on this machine.'))];
  const setting = 'packageInsights.publicRegistries';
  const link = canBePublic(registry) ? { link: setting, command: addRegistryCommand, args: [{ host }] } : setting;
  const advice = isPublicUnsaid
    ? l10n.t(
        'The name stays on this machine: the service reports no public registries. If {0} is public, add it to {1}.',
      )
    : l10n.t('The name stays on this machine. If {0} contains only public packages, add it to {1}.');
  return [paragraph(...phrase(advice, host, link))];
}

/**
 * The same in a hint: `private: npm.acme.example`, or `not looked up` where a file that may name a registry cannot be read;
 * empty while a name is typed or a change of registries settles, and in a browser, which asks once for all lines.
 */
export function withheldInShort({ resolution }: EvaluatedDependency): string {
  if (resolution.kind !== 'none' || resolution.withheld === undefined || resolution.withheld.isFormer) return '';
  const { unreadable } = resolution.withheld;
  if (unreadable) return unreadable.why === 'browser' ? '' : l10n.t({ message: 'not looked up', comment: 'in a hint' });
  const host = knownHost(resolution.withheld);
  return host === undefined
    ? l10n.t({ message: 'private', comment: 'in a hint' })
    : l10n.t({ message: 'private: {0}', args: [host], comment: 'in a hint' });
}
