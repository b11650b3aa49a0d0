import { detached } from '../../base/text.ts';
import { type PackageFacts, UNDATED } from '../../model/facts.ts';
import type { PackageKey } from '../../model/keys.ts';
import { isSystem } from '../../model/system.ts';
import { isSamePackage } from '../canonical-key.ts';
import { timeOf } from './fields.ts';

/*
 * Reads a list of versions from its text, in the layout of the service:
 *
 *     {"packageKey":{"system":"NPM","name":"lodash"},"purl":"pkg:npm/lodash","versions":[
 *       {"versionKey":{"system":"NPM","name":"lodash","version":"0.1.0"},"purl":"pkg:npm/lodash@0.1.0",
 *        "publishedAt":"2012-04-23T16:37:11Z","isDefault":false,"isDeprecated":false}, …]}
 *
 * without line ends, and with or without a space after each comma. `JSON.parse` makes two objects and eight texts of
 * each row, of which only columns stay: with a hundred versions a package it took a fifth of all processor time.
 */

/** A text without escapes. */
const TEXT = '"[^"\\\\\\x00-\\x1f]*"';

const head = new RegExp(
  `^\\{"packageKey":\\{"system":(${TEXT}),( ?)"name":(${TEXT})\\},\\2"purl":(${TEXT}),\\2"versions":\\[`,
);

/** Rows with a gap after each comma: up to a hundred, because an expression without a limit would need memory for each. */
function rowsWith(gap: '' | ' '): RegExp {
  const flag = '(?:true|false)';
  const key = `"versionKey":\\{"system":${TEXT},${gap}"name":${TEXT},${gap}"version":${TEXT}\\}`;
  const date = `(?:"publishedAt":${TEXT},${gap})?`;
  const row = `\\{${key},${gap}"purl":${TEXT},${gap}${date}"isDefault":${flag},${gap}"isDeprecated":${flag}\\}`;
  return new RegExp(`(?:${row}(?:,${gap}(?=\\{)|(?=\\]))){1,100}`, 'y');
}

const [rowsWithout, rowsWithGap] = [rowsWith(''), rowsWith(' ')];

const tail = /\](?:, ?"versionsComplete":(true|false))?\}\s*$/y;

/** @returns undefined for another layout, other packages, or an error: it is to be read by `JSON.parse` */
export function readUsualList(text: string, asked: PackageKey): PackageFacts | undefined {
  const [beginning, quotedSystem = '', gap = '', quotedName = '', quotedPurl = ''] = head.exec(text) ?? [];
  const [system, name] = [inside(quotedSystem), inside(quotedName)];
  if (beginning === undefined || name === '' || !isSystem(system) || !isSamePackage({ system, name }, asked))
    return undefined;
  const end = endOfRows(gap === '' ? rowsWithout : rowsWithGap, text, beginning.length);
  tail.lastIndex = end;
  const [ending, isComplete] = tail.exec(text) ?? [];
  if (ending === undefined) return undefined;

  const beforeVersion = `{"versionKey":{"system":"${system}",${gap}"name":"${name}",${gap}"version":"`;
  const [names, times, defaults, deprecated]: [string[], number[], number[], number[]] = [[], [], [], []];
  /** From the end of one text to the next value. */
  const toPurl = `"},${gap}"purl":"`.length;
  const toDate = `",${gap}"publishedAt":"`.length;
  const toDefault = `",${gap}"isDefault":`.length;
  const toDeprecated = `,${gap}"isDeprecated":`.length;
  const toRow = `},${gap}`.length;
  let at = beginning.length;
  while (at < end) {
    // A row of another package, or with another gap.
    if (text.indexOf(beforeVersion, at) !== at) return undefined;
    at += beforeVersion.length;
    const version = text.slice(at, text.indexOf('"', at));
    if (version === '') return undefined;
    at = text.indexOf('"', at + version.length + toPurl);
    let time: number | undefined;
    if (text.charCodeAt(at + toDate - DATED) === P) {
      const start = at + toDate;
      at = text.indexOf('"', start);
      time = timeOf(text.slice(start, at));
    }
    at += toDefault;
    const isDefault = text.charCodeAt(at) === T;
    at += (isDefault ? 4 : 5) + toDeprecated;
    const isDeprecated = text.charCodeAt(at) === T;
    at += (isDeprecated ? 4 : 5) + toRow;
    if (isDefault) defaults.push(names.length);
    if (isDeprecated) deprecated.push(names.length);
    // V8 copies up to twelve characters; of a longer piece it would keep the whole text.
    names.push(version.length > 12 ? detached(version) : version);
    times.push(time ?? UNDATED);
  }
  return {
    key: { system, name: name === asked.name ? asked.name : detached(name) },
    purl: detached(inside(quotedPurl)),
    versions: { names, times, defaults, deprecated },
    ...(isComplete === 'false' && { isSample: true }),
  };
}

/** From the first letter of `publishedAt` to the date. */
const DATED = 'publishedAt":"'.length;
const P = 'p'.charCodeAt(0);
const T = 't'.charCodeAt(0);

/** Where the rows of the usual layout end. */
function endOfRows(rows: RegExp, text: string, start: number): number {
  let end = start;
  rows.lastIndex = start;
  while (rows.test(text)) end = rows.lastIndex;
  return end;
}

function inside(quoted: string): string {
  return quoted.slice(1, -1);
}
