import { remembered } from './remembered.ts';
import { readLabels, readParts, type Semantic } from './semantic.ts';

/** `v1.2.3-rc.1+incompatible`, taken apart. Numbers that are left out are zero. */
export interface GoVersion extends Semantic {
  /** How many of the three numbers are written. */
  readonly written: 1 | 2 | 3;
}

const shape = /^v(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:-([\dA-Za-z.-]+))?(?:\+([\dA-Za-z.-]+))?)?)?$/;

/** Semantic Versioning with a `v`, where `v1` and `v1.2` stand for `v1.0.0` and `v1.2.0`. Source: golang.org/x/mod/semver. */
export const parseGoVersion = remembered((text): GoVersion | undefined => {
  const [, major, minor, patch, labelled, built] = shape.exec(text) ?? [];
  const labels = readLabels(labelled);
  const build = readParts(built);
  if (major === undefined || labels === undefined || build === undefined) return undefined;
  const written = minor === undefined ? 1 : patch === undefined ? 2 : 3;
  return { numbers: [major, minor ?? '0', patch ?? '0'], written, labels, build };
});

/** All three numbers, without build metadata but for the mark that Go itself sets. Source: golang.org/x/mod/module. */
export function formatGoVersion({ numbers, labels, build }: GoVersion): string {
  const mark = build.join('.') === 'incompatible' ? '+incompatible' : '';
  return `v${numbers.join('.')}${labels.length > 0 ? `-${labels.join('.')}` : ''}${mark}`;
}

/** A version made from a commit: `v0.0.0-20191109021931-daa7c04131f5`. Source: golang.org/x/mod/module, pseudo-versions. */
export function isPseudoVersion(text: string): boolean {
  const shaped = /^v\d+\.(?:0\.0-|\d+\.\d+-(?:[^+]*\.)?0\.)\d{14}-[\dA-Za-z]+(?:\+[\dA-Za-z.-]+)?$/.test(text);
  return shaped && parseGoVersion(text) !== undefined;
}
