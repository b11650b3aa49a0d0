import * as l10n from '@vscode/l10n';
import { hashTypes, nameOfHash } from '../asking/digests.ts';
import { type Identified, isCut, mostResults, unknownText } from '../asking/identified.ts';
import type { VersionKey } from '../model/keys.ts';
import { licensesOf } from '../model/licenses.ts';
import { systemNames } from '../model/system.ts';
import { jsonText } from '../report/json-text.ts';
import { visible } from '../report/words.ts';
import { padTo, widthOf } from '../report/wrap.ts';
import type { Terminal } from './command.ts';
import { oldOf } from './lookup.ts';

/** Versions listed of one file; a program asks for all. */
const mostListed = 20;

/**
 * One file, with every version that it belongs to.
 *
 *     lib/a.jar  SHA-1 b447f667…
 *       MAVEN org.yaml:snakeyaml 1.33  Apache-2.0
 *         https://…
 */
export function printFile(it: Identified, isNext: boolean, terminal: Terminal): void {
  if (it.kind === 'unknown' || it.kind === 'failed') {
    complain(it, terminal);
    return;
  }
  if (isNext) terminal.out('');
  terminal.out(`${visible(it.name)}  ${nameOfHash(it.by)} ${hex(it.digests[it.by])}`);
  for (const { version, artifacts } of it.results.slice(0, mostListed)) {
    terminal.out(visible(`  ${label(version.key)}  ${licensesOf(version).join(', ') || l10n.t('licence unknown')}`));
    for (const url of artifacts) terminal.out(visible(`    ${url}`));
  }
  const more = it.results.length - mostListed;
  if (more > 0) terminal.out(`  ${l10n.t('and {0} more; {1} lists them', more, '--json')}`);
  if (isCut(it)) terminal.out(`  ${l10n.t('The list is cut at {0}: there are more.', mostResults)}`);
}

/** Many files, a line each; what is not known stands among them. */
export function printTable(all: readonly Identified[], terminal: Terminal): void {
  const rows = all.map((it): readonly [string, string, string] => {
    if (it.kind === 'unknown') return [it.name, l10n.t('not known'), ''];
    if (it.kind === 'failed') return [it.name, l10n.t('could not be looked up: {0}', it.reason), ''];
    const [first, ...others] = it.results;
    return [
      it.name,
      first ? withOthers(label(first.version.key), others.length, isCut(it)) : '',
      first ? licensesOf(first.version).join(', ') : '',
    ];
  });
  const shown = rows.map((row) => row.map(visible));
  const widths = [0, 1].map((column) => Math.max(...shown.map((row) => widthOf(row[column] ?? ''))));
  for (const row of shown) {
    terminal.out(
      row
        .map((cell, column) => padTo(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** `NPM lodash 4.17.21 and 2 others` */
function withOthers(first: string, others: number, isCut: boolean): string {
  if (others === 0) return first;
  if (isCut) return l10n.t('{0} and at least {1} others', first, others);
  return others === 1 ? l10n.t('{0} and 1 other', first) : l10n.t('{0} and {1} others', first, others);
}

/** Whether a file is what it was said to be. */
export function printClaim(it: Identified, claim: VersionKey, terminal: Terminal): void {
  const name = visible(it.name);
  switch (it.kind) {
    case 'found':
      terminal.out(l10n.t('yes: {0} is of {1}, by its {2}', name, visible(label(claim)), nameOfHash(it.by)));
      return;
    case 'other':
      terminal.out(l10n.t('no: {0} is not of {1}, but of another version', name, visible(label(claim))));
      printFile(it, false, terminal);
      return;
    case 'unknown':
      terminal.out(unknownText(it, name, visible(label(claim))));
      return;
    case 'failed':
      complain(it, terminal);
  }
}

export function toJson(all: readonly Identified[]): string {
  const values = all.map((it) => ({
    file: it.name,
    state: it.kind,
    ...(it.kind === 'failed' && { reason: it.reason }),
    ...('old' in it && it.old && { old: oldOf(it.old) }),
    ...(it.digests && { digests: Object.fromEntries(hashTypes.map((type) => [type, hex(it.digests?.[type])])) }),
    ...((it.kind === 'found' || it.kind === 'other') && {
      by: it.by,
      isCut: isCut(it),
      versions: it.results.map(({ version, artifacts }) => ({
        ...version.key,
        purl: version.purl,
        licenses: version.licenses,
        artifacts,
      })),
    }),
  }));
  return jsonText(values);
}

function complain(it: Extract<Identified, { readonly kind: 'unknown' | 'failed' }>, terminal: Terminal): void {
  const name = visible(it.name);
  const text =
    it.kind === 'failed'
      ? l10n.t('{0} could not be looked up: {1}', name, visible(it.reason))
      : l10n.t('{0} is not known. For Go and PyPI there is no look-up by digest', name);
  terminal.error(`package-insights identify: ${text}`);
}

function label({ system, name, version }: VersionKey): string {
  return `${systemNames[system]} ${name} ${version}`;
}

function hex(digest: Uint8Array = new Uint8Array()): string {
  return Buffer.from(digest).toString('hex');
}
