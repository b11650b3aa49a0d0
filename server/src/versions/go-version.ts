import { remembered } from './remembered.ts';

/** `v1.2.3-rc.1+incompatible`, taken apart. Numbers stay text, since Go sets them no limit. */
export interface GoVersion {
  /** Always three: those that are left out are zero. */
  readonly numbers: readonly [string, string, string];
  /** How many of the three are written. */
  readonly written: 1 | 2 | 3;
  /** `rc`, `1`; empty for a release. */
  readonly labels: readonly string[];
  /** `incompatible`; takes no part in the order. */
  readonly build: string;
}

const shape =
  /^v(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?)?)?$/;

const digits = /^\d+$/;

/** Semantic Versioning with a `v`, where `v1` and `v1.2` may stand for `v1.0.0` and `v1.2.0`. Source: golang.org/x/mod/semver. */
export const parseGoVersion = remembered((text): GoVersion | undefined => {
  const [whole, major = '0', minor, patch, labelled, build = ''] = shape.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const labels = labelled?.split('.') ?? [];
  if (labels.some((it) => it.length > 1 && it.startsWith('0') && digits.test(it))) return undefined;
  const written = minor === undefined ? 1 : patch === undefined ? 2 : 3;
  return { numbers: [major, minor ?? '0', patch ?? '0'], written, labels, build };
});

/** The precedence of Semantic Versioning. */
export function compareGoVersions(a: GoVersion, b: GoVersion): number {
  for (const [index, it] of a.numbers.entries()) {
    const order = compareNumbers(it, b.numbers[index] ?? '0');
    if (order !== 0) return order;
  }
  if (a.labels.length === 0 || b.labels.length === 0) return b.labels.length - a.labels.length;
  for (const [index, it] of a.labels.entries()) {
    const other = b.labels[index];
    if (other === undefined) return 1;
    const order = compareLabels(it, other);
    if (order !== 0) return order;
  }
  return a.labels.length - b.labels.length;
}

/** All three numbers, without build metadata, but for the mark that Go itself sets. Source: golang.org/x/mod/module. */
export function formatGoVersion({ numbers, labels, build }: GoVersion): string {
  const mark = build === 'incompatible' ? '+incompatible' : '';
  return `v${numbers.join('.')}${labels.length > 0 ? `-${labels.join('.')}` : ''}${mark}`;
}

/** A version made from a commit: `v0.0.0-20191109021931-daa7c04131f5`. Source: golang.org/x/mod/module, pseudo-versions. */
export function isPseudoVersion(text: string): boolean {
  const shaped = /^v\d+\.(?:0\.0-|\d+\.\d+-(?:[^+]*\.)?0\.)\d{14}-[\dA-Za-z]+(?:\+[\dA-Za-z.-]+)?$/.test(text);
  return shaped && parseGoVersion(text) !== undefined;
}

function compareLabels(a: string, b: string): number {
  const aNumber = digits.test(a);
  const bNumber = digits.test(b);
  if (aNumber !== bNumber) return aNumber ? -1 : 1;
  return aNumber ? compareNumbers(a, b) : a < b ? -1 : a > b ? 1 : 0;
}

/** Without leading zeros the longer number is the larger. */
function compareNumbers(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
