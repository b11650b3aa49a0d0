import { addSpecifier, type ParsedDependencies, specifierAt } from '../ecosystems/python/pep508.ts';
import type { LicenseDetail, Link } from '../model/facts.ts';
import { canonicalName } from '../model/keys.ts';
import type { Requirements } from '../model/lookups.ts';
import { parseLicense } from '../policy/license-expressions.ts';
import { spdxOfLicense } from './license-names.ts';

/** What a package of Python says of one of its versions. */
export interface CoreMetadata {
  /** As `VersionFacts.licenses`. */
  readonly licenses: readonly string[];
  readonly licenseDetails: readonly LicenseDetail[];
  /** Over http only. */
  readonly links: readonly Link[];
}

/** Fields of one version. Real ones have tens, of which most are classifiers and requirements. */
const MAX_FIELDS = 5000;

/**
 * Reads the metadata of a version. Never throws. Source: the core metadata specifications, up to 2.4.
 *
 *     License-Expression: MIT OR Apache-2.0
 *     Classifier: License :: OSI Approved :: MIT License
 *     Project-URL: Source, https://git.acme.example/core
 */
export function readCoreMetadata(text: string): CoreMetadata {
  const fields = fieldsIn(text);
  const of = (name: string): string[] => fields.filter((it) => it.name === name).map((it) => it.value);
  const licenseDetails = readLicenses(of('license-expression'), of('license'), of('classifier'));
  return {
    licenses: [...new Set(licenseDetails.map((it) => it.spdx))],
    licenseDetails,
    links: readLinks(of('project-url'), of('home-page')),
  };
}

/**
 *     Requires-Dist: requests[socks]>=2.31; python_version < "3.9"
 *     Provides-Extra: http2
 *     Requires-Python: >=3.9
 */
export function readPythonRequirements(text: string): Requirements {
  const fields = fieldsIn(text);
  const of = (name: string): string[] => fields.filter((it) => it.name === name).map((it) => it.value);
  const found: ParsedDependencies = { dependencies: [], problems: [] };
  for (const it of of('requires-dist')) addSpecifier(specifierAt(it, 0), { scope: 'runtime', group: '' }, found);
  return {
    system: 'PYPI',
    dependencies: found.dependencies.map(({ name, requirement, extras = [], condition = '' }) => ({
      name,
      requirement: requirement.kind === 'literal' ? requirement.at.text : '',
      extras: extras.join(','),
      marker: condition,
    })),
    extras: of('provides-extra'),
    python: of('requires-python')[0] ?? '',
  };
}

/** Whether metadata is that of the package with this canonical name, or names none. */
export function isMetadataOf(text: string, name: string): boolean {
  const fields = fieldsIn(text);
  const said = fields.find((it) => it.name === 'name')?.value;
  if (said === undefined) return fields.some((it) => it.name === 'metadata-version');
  return canonicalName('PYPI', said) === name;
}

interface Field {
  readonly name: string;
  readonly value: string;
}

/** The headers of a mail: a line that is indented continues the one before it; an empty one ends them. */
function fieldsIn(text: string): Field[] {
  const head = text.replace(/^\uFEFF/, '').split(/\r?\n\r?\n/, 1)[0] ?? '';
  const fields: Field[] = [];
  for (const line of head.split(/\r?\n/)) {
    const last = fields.at(-1);
    const colon = line.indexOf(':');
    if (/^\s/.test(line) && last) fields[fields.length - 1] = { ...last, value: `${last.value}\n${line.trim()}` };
    else if (colon > 0 && fields.length < MAX_FIELDS)
      fields.push({ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() });
  }
  return fields;
}

/** The first of expression, classifiers and text that says anything. */
function readLicenses(
  expressions: readonly string[],
  texts: readonly string[],
  classifiers: readonly string[],
): LicenseDetail[] {
  const detail = (license: string): LicenseDetail => ({
    license,
    spdx: parseLicense(license) ? license : spdxOfLicense(license, ''),
  });
  const expression = expressions.find(isSaid);
  if (expression !== undefined) return [detail(expression)];
  // A text may be a whole license; its first line is its name.
  const written = texts.filter(isSaid).map((it) => it.split('\n', 1)[0]?.slice(0, MAX_LICENSE_LENGTH).trim() ?? '');
  const classified = [...new Set(classifiers)].flatMap((it): LicenseDetail[] => {
    const [, name] = /^License :: (?:.* :: )?([^:]+)$/.exec(it) ?? [];
    if (name === undefined || name === 'OSI Approved') return [];
    return [{ license: name, spdx: spdxOfClassifier.get(name) ?? 'non-standard' }];
  });
  const known = written.map(detail).filter((it) => it.spdx !== 'non-standard');
  if (known.length > 0) return known;
  return classified.length > 0 ? classified : written.map(detail);
}

const MAX_LICENSE_LENGTH = 200;

function isSaid(text: string): boolean {
  return text !== '' && !/^unknown$/i.test(text);
}

/**
 * The classifiers that mean one license. Others, such as "BSD License", leave open which. Source: PEP 639, appendix
 * "Mapping License Classifiers to SPDX Identifiers".
 */
const spdxOfClassifier: ReadonlyMap<string, string> = new Map([
  ['MIT License', 'MIT'],
  ['MIT No Attribution License (MIT-0)', 'MIT-0'],
  ['ISC License (ISCL)', 'ISC'],
  ['Boost Software License 1.0 (BSL-1.0)', 'BSL-1.0'],
  ['Zero-Clause BSD (0BSD)', '0BSD'],
  ['The Unlicense (Unlicense)', 'Unlicense'],
  ['zlib/libpng License', 'Zlib'],
  ['Python Software Foundation License', 'PSF-2.0'],
  ['Mozilla Public License 1.0 (MPL)', 'MPL-1.0'],
  ['Mozilla Public License 1.1 (MPL 1.1)', 'MPL-1.1'],
  ['Mozilla Public License 2.0 (MPL 2.0)', 'MPL-2.0'],
  ['Eclipse Public License 1.0 (EPL-1.0)', 'EPL-1.0'],
  ['Eclipse Public License 2.0 (EPL-2.0)', 'EPL-2.0'],
  ['European Union Public Licence 1.1 (EUPL 1.1)', 'EUPL-1.1'],
  ['European Union Public Licence 1.2 (EUPL 1.2)', 'EUPL-1.2'],
  ['Common Development and Distribution License 1.0 (CDDL-1.0)', 'CDDL-1.0'],
  ['GNU General Public License v2 (GPLv2)', 'GPL-2.0-only'],
  ['GNU General Public License v2 or later (GPLv2+)', 'GPL-2.0-or-later'],
  ['GNU General Public License v3 (GPLv3)', 'GPL-3.0-only'],
  ['GNU General Public License v3 or later (GPLv3+)', 'GPL-3.0-or-later'],
  ['GNU Lesser General Public License v2 (LGPLv2)', 'LGPL-2.0-only'],
  ['GNU Lesser General Public License v2 or later (LGPLv2+)', 'LGPL-2.0-or-later'],
  ['GNU Lesser General Public License v3 (LGPLv3)', 'LGPL-3.0-only'],
  ['GNU Lesser General Public License v3 or later (LGPLv3+)', 'LGPL-3.0-or-later'],
  ['GNU Affero General Public License v3', 'AGPL-3.0-only'],
  ['GNU Affero General Public License v3 or later (AGPLv3+)', 'AGPL-3.0-or-later'],
  ['Universal Permissive License (UPL)', 'UPL-1.0'],
  ['University of Illinois/NCSA Open Source License', 'NCSA'],
  ['PostgreSQL License', 'PostgreSQL'],
  ['Blue Oak Model License (BlueOak-1.0.0)', 'BlueOak-1.0.0'],
  ['CC0 1.0 Universal (CC0 1.0) Public Domain Dedication', 'CC0-1.0'],
]);

/**
 * Labels of links, without case, punctuation and spaces. Source: the specification of well-known project URLs.
 */
const labels: ReadonlyMap<string, string> = new Map([
  ['homepage', 'HOMEPAGE'],
  ['source', 'SOURCE_REPO'],
  ['repository', 'SOURCE_REPO'],
  ['sourcecode', 'SOURCE_REPO'],
  ['github', 'SOURCE_REPO'],
  ['documentation', 'DOCUMENTATION'],
  ['docs', 'DOCUMENTATION'],
  ['issues', 'ISSUE_TRACKER'],
  ['bugs', 'ISSUE_TRACKER'],
  ['issue', 'ISSUE_TRACKER'],
  ['tracker', 'ISSUE_TRACKER'],
  ['issuetracker', 'ISSUE_TRACKER'],
  ['bugtracker', 'ISSUE_TRACKER'],
]);

/** `Source, https://git.acme.example/core`; links of other kinds, such as a changelog, are left out. */
function readLinks(urls: readonly string[], homes: readonly string[]): Link[] {
  const links = urls.flatMap((it): Link[] => {
    const comma = it.indexOf(',');
    const label = labels.get(
      it
        .slice(0, comma)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, ''),
    );
    return label === undefined ? [] : [{ label, url: it.slice(comma + 1).trim() }];
  });
  const home = homes.map((url): Link => ({ label: 'HOMEPAGE', url }));
  const all = links.some((it) => it.label === 'HOMEPAGE') ? links : [...links, ...home];
  return all.filter((it) => URL.canParse(it.url) && /^https?:$/.test(new URL(it.url).protocol));
}
