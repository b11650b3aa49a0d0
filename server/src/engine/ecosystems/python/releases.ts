import * as l10n from '@vscode/l10n';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { parsePep440 } from './pep440.ts';

/** In characters. Source: NAME_MAX of Linux. */
const MAX_FILE_NAME_LENGTH = 255;

/** Source: the binary distribution format, “File name convention”. */
const wheel = /^([a-z0-9](?:[\w.]*[a-z0-9])?)-([^-]+)(?:-\d[^-]*)?-[\w.]+-[\w.]+-[\w.]+\.whl$/i;
const archive = /^([a-z0-9][\w.-]*?)-(\d[^/]*)\.(?:zip|tgz|tar\.\w+)$/i;

/**
 * The release that the address of a file names; undefined where it names none, or that of another package.
 *
 *     https://files.example/ab/foo_bar-1.2.3-py3-none-any.whl#sha256=…     foo-bar 1.2.3
 *     https://files.example/foo-bar-1.2.3.tar.gz                           foo-bar 1.2.3
 * @param expected the name, where it is written beside the address
 */
export function releaseAt(
  address: string,
  expected?: string,
): { readonly name: string; readonly version: string } | undefined {
  if (!/^https?:\/\//i.test(address)) return undefined;
  const path = address.replace(/[?#].*$/s, '');
  const file = path.slice(path.lastIndexOf('/') + 1).replaceAll(/%2b/gi, '+');
  if (file.length > MAX_FILE_NAME_LENGTH) return undefined;
  const [, written = '', version = ''] = wheel.exec(file) ?? archive.exec(file) ?? [];
  const name = canonicalName('PYPI', written);
  const isExpected = expected === undefined || canonicalName('PYPI', expected) === name;
  return name !== '' && isExpected && parsePep440(version) ? { name, version } : undefined;
}

/** What a dependency requires by the address of a release: this version, from this host. */
export function requirementAt(
  addresses: readonly string[],
  name: string,
  span: Span,
): Required<Pick<Dependency, 'requirement' | 'registries' | 'frozen'>> | undefined {
  const releases = addresses.map((it) => releaseAt(it, name));
  const [first] = releases;
  // Wheels for other platforms have an address of their own.
  if (first === undefined || releases.some((it) => it?.version !== first.version)) return undefined;
  const requirement = { kind: 'template', parts: [`==${first.version}`], span } as const;
  return { requirement, registries: addresses, frozen: l10n.t('its address names the version') };
}

/** The packages that are taken from such an address under all conditions, with the addresses. */
export function releasesTaken(dependencies: readonly Dependency[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    dependencies.flatMap(({ key, registries, condition, scope }) =>
      registries && condition === undefined && scope !== 'build' ? [[key.name, registries] as const] : [],
    ),
  );
}
