import { hashTypes, nameOfHash } from '../asking/digests.ts';
import { type Identified, isCut, mostResults } from '../asking/identified.ts';
import type { VersionKey } from '../model/keys.ts';
import { licensesOf } from '../model/licenses.ts';
import { count, visible } from '../report/words.ts';
import type { Terminal } from './command.ts';

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
  const digest = it.digests?.[it.by] ?? new Uint8Array();
  terminal.out(`${visible(it.name)}  ${nameOfHash(it.by)} ${hex(digest)}`);
  for (const { version, artifacts } of it.results.slice(0, mostListed)) {
    terminal.out(visible(`  ${label(version.key)}  ${licensesOf(version).join(', ') || 'licence unknown'}`));
    for (const url of artifacts) terminal.out(visible(`    ${url}`));
  }
  const more = it.results.length - mostListed;
  if (more > 0) terminal.out(`  and ${more} more; --json lists them`);
  if (isCut(it)) terminal.out(`  The list is cut at ${mostResults}: there are more.`);
}

/** Many files, a line each; what is not known stands among them. */
export function printTable(all: readonly Identified[], terminal: Terminal): void {
  const rows = all.map((it): readonly [string, string, string] => {
    if (it.kind === 'unknown') return [it.name, 'not known', ''];
    if (it.kind === 'failed') return [it.name, `could not be looked up: ${it.reason}`, ''];
    const [first, ...others] = it.results;
    const more = others.length === 0 ? '' : ` and ${isCut(it) ? 'at least ' : ''}${count(others.length, 'other')}`;
    return [it.name, first ? label(first.version.key) + more : '', first ? licensesOf(first.version).join(', ') : ''];
  });
  const shown = rows.map((row) => row.map(visible));
  const widths = [0, 1].map((column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  for (const row of shown) {
    terminal.out(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** Whether a file is what it was said to be. */
export function printClaim(it: Identified, claim: VersionKey, terminal: Terminal): void {
  const name = visible(it.name);
  switch (it.kind) {
    case 'found':
      terminal.out(`yes: ${name} is of ${visible(label(claim))}, by its ${nameOfHash(it.by)}`);
      return;
    case 'other':
      terminal.out(`no: ${name} is not of ${visible(label(claim))}, but of another version`);
      printFile(it, false, terminal);
      return;
    case 'unknown':
      terminal.out(`no: ${name} is not of ${visible(label(claim))}, nor of any version that is known`);
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
  return JSON.stringify(values, undefined, 2);
}

function complain(it: Extract<Identified, { readonly kind: 'unknown' | 'failed' }>, terminal: Terminal): void {
  const name = visible(it.name);
  terminal.error(
    it.kind === 'failed'
      ? `package-insights identify: ${name} could not be looked up: ${visible(it.reason)}`
      : `package-insights identify: ${name} is not known. For Go and PyPI there is no look-up by digest`,
  );
}

function label({ system, name, version }: VersionKey): string {
  return `${system} ${name} ${version}`;
}

function hex(digest: Uint8Array = new Uint8Array()): string {
  return Buffer.from(digest).toString('hex');
}
