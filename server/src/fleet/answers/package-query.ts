import * as l10n from '@vscode/l10n';
import { versioning } from '../../engine/ecosystems/versioning.ts';
import { canonicalName } from '../../engine/model/keys.ts';
import { parsePurl } from '../../engine/model/purl.ts';
import { type System, systemNames, systems } from '../../engine/model/system.ts';

/** Some versions of a package. */
export interface PackageQuery {
  readonly system: System;
  /** Canonical. */
  readonly name: string;
  /** All of them have to hold; empty for every version. */
  readonly conditions: readonly Condition[];
}

interface Condition {
  readonly operator: Operator;
  readonly version: string;
}

/** What each operator requires of the order of a version and its bound. */
const holds = {
  '<=': (order: number) => order <= 0,
  '>=': (order: number) => order >= 0,
  '<': (order: number) => order < 0,
  '>': (order: number) => order > 0,
  '=': (order: number) => order === 0,
} as const;

type Operator = keyof typeof holds;

/** The longer ones first. */
const operators = Object.keys(holds) as Operator[];

/**
 * Reads the packages that a person asks for. The bounds are compared as the system orders versions.
 *
 *     npm:lodash<4.17.21
 *     maven:org.yaml:snakeyaml >=1.0 <2.0
 *     pkg:npm/%40babel/traverse@7.23.2
 *
 * @returns what is wrong, as a clause, for another text
 */
export function readPackageQuery(text: string): PackageQuery | string {
  if (/^pkg:/i.test(text)) return readPurl(text);
  const [, systemName = '', name = '', bounds = ''] = /^([A-Za-z]+):\s*(@?[^<>=@\s]+)\s*(.*)$/s.exec(text.trim()) ?? [];
  const system = systems.find((it) => [it, systemNames[it]].some((known) => equal(known, systemName)));
  if (system === undefined || name === '')
    return l10n.t('a package has the form {0} or {1}', 'npm:lodash<4.17.21', 'pkg:npm/lodash@4.17.20');
  const conditions: Condition[] = [];
  for (const part of bounds
    .replace(/^@/, '=')
    .replace(/([<>]=?|=)\s+/g, '$1')
    .split(/[\s,]+|(?<=[^<>=])(?=[<>])/)) {
    if (part === '') continue;
    const operator = operators.find((it) => part.startsWith(it));
    const version = operator === undefined ? '' : part.slice(operator.length);
    if (operator === undefined || version === '') return l10n.t('“{0}” is no bound such as {1}', part, '<4.17.21');
    const reading = versioning[system].read(asRequirement(system, version)).kind;
    if (reading === 'invalid' || reading === 'tag')
      return l10n.t('“{0}” is no version of {1}', version, systemNames[system]);
    conditions.push({ operator, version });
  }
  return { system, name: canonicalName(system, name), conditions };
}

function readPurl(text: string): PackageQuery | string {
  const reading = parsePurl(text);
  if (reading.kind === 'invalid') return reading.reason;
  const { key, version } = reading.purl;
  return {
    system: key.system,
    name: canonicalName(key.system, key.name),
    conditions: version === undefined ? [] : [{ operator: '=', version }],
  };
}

/** PyPI reads a version only behind an operator. */
function asRequirement(system: System, version: string): string {
  return system === 'PYPI' ? `==${version}` : version;
}

/** Whether a version is among those of the query. */
export function matchesQuery({ system, conditions }: PackageQuery, version: string): boolean {
  return conditions.every((it) => holds[it.operator](versioning[system].compare(version, it.version)));
}

function equal(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
