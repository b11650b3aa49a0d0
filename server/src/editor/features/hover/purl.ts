import * as l10n from '@vscode/l10n';
import { dayOf } from '../../../engine/base/dates.ts';
import { newestFirst } from '../../../engine/lookup/purl.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import { type PackageFacts, rowsOf, type VersionFacts, type VersionSummary } from '../../../engine/model/facts.ts';
import type { Purl } from '../../../engine/model/purl.ts';
import { systemNames } from '../../../engine/model/system.ts';
import { type Block, type Inline, item, type Markup, paragraph } from '../markup.ts';
import { describeDependency } from './dependency.ts';

/**
 * The hover of a purl; without a version, of the package's default version.
 * @param closed why the settings stop all requests, if they do
 */
export function describePurl(
  { name, version }: Purl,
  evaluated: EvaluatedDependency,
  now: number,
  closed?: string,
): Markup {
  const prose = describeDependency(evaluated, { now, closed });
  const { resolution } = evaluated;
  if (version !== undefined || resolution.kind !== 'version') return prose;
  return [paragraph({ strong: name }, ' → ', { strong: resolution.version }), ...prose.slice(1)];
}

/** Versions listed on a package page: most people look for the newest. */
const MAX_VERSIONS = 500;

/**
 * The page of a version: its hover below its name and purl.
 * @param preferred the default version of the package, if it is another one
 */
export function describeLookedUp(
  evaluated: EvaluatedDependency,
  { key, purl }: VersionFacts,
  now: number,
  preferred?: VersionSummary,
): Markup {
  const [, ...rest] = describeDependency(evaluated, { now });
  return [
    paragraph({ strong: `${key.name} ${key.version}` }, ` (${systemNames[key.system]})`),
    paragraph({ code: purl }),
    ...(preferred ? [defaultVersion(preferred)] : []),
    ...rest,
  ];
}

/** The page of a package: its default version, then its versions, newest first. */
export function describePackage(facts: PackageFacts): Markup {
  const { key, purl, isSample } = facts;
  const versions = rowsOf(facts.versions);
  const deprecated = versions.filter((it) => it.isDeprecated).length;
  const more = versions.length - MAX_VERSIONS;
  return [
    paragraph({ strong: key.name }, ` (${systemNames[key.system]})`),
    paragraph({ code: purl }),
    ...versions.filter((it) => it.isDefault).map(defaultVersion),
    paragraph(
      deprecated === 0
        ? l10n.t('Versions: {0}', versions.length)
        : l10n.t('Versions: {0}, of which deprecated: {1}', versions.length, deprecated),
    ),
    ...(isSample ? [paragraph(l10n.t('The service knows only some versions of this package.'))] : []),
    ...newestFirst(facts).slice(0, MAX_VERSIONS).map(version),
    ...(more > 0 ? [item(l10n.t('and {0} more', more))] : []),
  ];
}

function defaultVersion({ version: name, publishedAt, isDeprecated }: VersionSummary): Block {
  const parts: Inline[] = [l10n.t('Latest version:'), ' ', { strong: name }];
  if (publishedAt !== undefined) parts.push(` · ${l10n.t('published {0}', dayOf(publishedAt))}`);
  if (isDeprecated) parts.push(` · ${l10n.t('deprecated')}`);
  return paragraph(...parts);
}

function version({ version: name, publishedAt, isDefault, isDeprecated }: VersionSummary): Block {
  const parts: Inline[] = [isDefault ? { strong: name } : name];
  if (publishedAt !== undefined) parts.push(` · ${dayOf(publishedAt)}`);
  if (isDefault) parts.push(` · ${l10n.t('latest')}`);
  if (isDeprecated) parts.push(` · ⚠ ${l10n.t('deprecated')}`);
  return item(...parts);
}
