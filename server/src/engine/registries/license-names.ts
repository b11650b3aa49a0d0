import { expressionText, parseLicense } from '../policy/license-expressions.ts';

/** What the public service reports for a license that has no identifier. */
const nonStandard = 'non-standard';

/**
 * The SPDX identifier of a license that an author named in words. Only exact names are known: a wrong identifier is
 * worse than none, since policies are held against it.
 *
 *     The Apache Software License, Version 2.0    Apache-2.0
 *
 * @param url where its text is; it decides where the name is unknown
 */
export function spdxOfLicense(name: string, url: string): string {
  const expression = parseLicense(name);
  if (expression) return expressionText(expression);
  return byName.get(normalized(name)) ?? byUrl.get(normalizedUrl(url)) ?? choiceOf(name) ?? nonStandard;
}

/** `BSD 3-Clause OR Apache 2.0`, and `MIT/Apache-2.0`, as Cargo once had it: an expression of names. */
function choiceOf(name: string): string | undefined {
  const parts = name.split(/ (?:OR|or) |\s*\/\s*/);
  if (parts.length < 2 || parts.length > MAX_CHOICES) return undefined;
  const known = parts.map((it) => (parseLicense(it) ? it : byName.get(normalized(it))));
  return known.every((it) => it !== undefined) ? known.join(' OR ') : undefined;
}

const MAX_CHOICES = 5;

/** Without what varies: articles, punctuation, `version`, `v`, `license`. */
function normalized(name: string): string {
  return name
    .toLowerCase()
    .replace(/\bgnu\b|\bthe\b|\bsoftware\b|\blicen[cs]e\b|\bversion\b|[^a-z0-9.+]+/g, ' ')
    .replace(/\bv(?:er\.?)?\s?(?=\d)/g, '')
    .replace(/\b(\d+)\.0\b/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

function normalizedUrl(url: string): string {
  return url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/(?:\.(?:txt|html?|php))?[/#]*$/, '');
}

/** Source: the names that the SPDX license list has, and those that POMs of Apache, Eclipse, Spring and Jakarta write. */
const names: Readonly<Record<string, readonly string[]>> = {
  'Apache-2.0': ['Apache License, Version 2.0', 'Apache 2', 'ASL 2.0', 'AL 2.0', 'Apache Public License 2.0', 'ALv2'],
  'Apache-1.1': ['Apache License, Version 1.1'],
  MIT: ['MIT License', 'MIT', 'Expat License'],
  'BSD-2-Clause': [
    'BSD 2-Clause "Simplified" License',
    'BSD 2-Clause License',
    '2-Clause BSD License',
    'Simplified BSD License',
    'FreeBSD License',
  ],
  'BSD-3-Clause': [
    'BSD 3-Clause "New" or "Revised" License',
    'BSD 3-Clause License',
    '3-Clause BSD License',
    'New BSD License',
    'Revised BSD License',
    'Modified BSD License',
    'Eclipse Distribution License - v 1.0',
    'Eclipse Distribution License 1.0',
    'EDL 1.0',
  ],
  'EPL-1.0': ['Eclipse Public License 1.0', 'Eclipse Public License - v 1.0', 'EPL 1.0'],
  'EPL-2.0': ['Eclipse Public License 2.0', 'Eclipse Public License - v 2.0', 'EPL 2.0'],
  'MPL-1.1': ['Mozilla Public License 1.1', 'MPL 1.1'],
  'MPL-2.0': ['Mozilla Public License 2.0', 'MPL 2.0'],
  'LGPL-2.1-only': ['GNU Lesser General Public License v2.1 only', 'LGPL 2.1 only'],
  'LGPL-2.1-or-later': ['GNU Lesser General Public License v2.1 or later', 'LGPL 2.1 or later'],
  'LGPL-3.0-only': ['GNU Lesser General Public License v3.0 only', 'LGPL 3.0 only'],
  'LGPL-3.0-or-later': ['GNU Lesser General Public License v3.0 or later', 'LGPL 3.0 or later'],
  'GPL-2.0-only': ['GNU General Public License v2.0 only', 'GPL 2.0 only'],
  'GPL-2.0-or-later': ['GNU General Public License v2.0 or later', 'GPL 2.0 or later'],
  'GPL-2.0-only WITH Classpath-exception-2.0': [
    'GPL2 w/ CPE',
    'GNU General Public License, version 2 with the GNU Classpath Exception',
    'GNU General Public License (GPL), version 2, with the Classpath exception',
  ],
  'GPL-3.0-only': ['GNU General Public License v3.0 only', 'GPL 3.0 only'],
  'GPL-3.0-or-later': ['GNU General Public License v3.0 or later', 'GPL 3.0 or later'],
  'AGPL-3.0-only': ['GNU Affero General Public License v3.0 only'],
  'AGPL-3.0-or-later': ['GNU Affero General Public License v3.0 or later'],
  'CDDL-1.0': ['Common Development and Distribution License 1.0', 'CDDL 1.0'],
  'CDDL-1.1': ['Common Development and Distribution License 1.1', 'CDDL 1.1'],
  'BSL-1.0': ['Boost Software License 1.0'],
  'CC0-1.0': [
    'Creative Commons Zero v1.0 Universal',
    'CC0',
    'CC0 1.0 Universal',
    'Public Domain, per Creative Commons CC0',
  ],
  ISC: ['ISC License'],
  'UPL-1.0': ['Universal Permissive License v1.0', 'Universal Permissive License, Version 1.0'],
  'MIT-0': ['MIT No Attribution', 'MIT-0'],
  Unlicense: ['The Unlicense', 'Unlicense'],
};

const urls: Readonly<Record<string, readonly string[]>> = {
  'Apache-2.0': ['apache.org/licenses/license-2.0', 'opensource.org/licenses/apache-2.0'],
  MIT: ['opensource.org/licenses/mit', 'opensource.org/licenses/mit-license', 'opensource.org/license/mit'],
  'BSD-2-Clause': ['opensource.org/licenses/bsd-2-clause'],
  'BSD-3-Clause': ['opensource.org/licenses/bsd-3-clause', 'eclipse.org/org/documents/edl-v10'],
  'EPL-1.0': ['eclipse.org/legal/epl-v10', 'opensource.org/licenses/epl-1.0'],
  'EPL-2.0': ['eclipse.org/legal/epl-2.0', 'eclipse.org/legal/epl-v20', 'opensource.org/licenses/epl-2.0'],
  'MPL-2.0': ['mozilla.org/mpl/2.0', 'mozilla.org/en-us/mpl/2.0'],
  'UPL-1.0': ['oss.oracle.com/licenses/upl'],
};

const byName = tableOf(names, normalized);
const byUrl = tableOf(urls, normalizedUrl);

function tableOf(
  table: Readonly<Record<string, readonly string[]>>,
  keyOf: (text: string) => string,
): ReadonlyMap<string, string> {
  return new Map(Object.entries(table).flatMap(([id, texts]) => texts.map((it) => [keyOf(it), id] as const)));
}
