import { endOfMatch, scanLines } from '../../formats/text/lines.ts';
import { verbatim } from '../../formats/text/literal.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { Literal } from '../../model/span.ts';
import { componentDependency, declaredLicenses, type SpdxPackage, withoutDescribed } from './components.ts';

/**
 * The packages of an SPDX document in tags and values, versions 2.0 to 2.3.
 *
 *     PackageName: lodash
 *     SPDXID: SPDXRef-Package-lodash
 *     PackageVersion: 4.17.21
 *     PackageLicenseDeclared: MIT
 *     ExternalRef: PACKAGE-MANAGER purl pkg:npm/lodash@4.17.21
 */
export const spdx: ManifestFormat = {
  id: 'spdx',
  system: 'any',
  record: 'sbom',
  files: /\.spdx$/i,
  parse: (text) => ({ dependencies: withoutDescribed(...read(text)), definitions: [], references: [], problems: [] }),
};

/** The fields of the current package. */
interface PackageLines {
  id: string;
  version?: Literal;
  declared?: Literal;
  concluded?: Literal;
  download?: string;
  /** The offsets of the purls. */
  readonly purls: number[];
}

const tag =
  /(?:PackageName|SPDXID|PackageVersion|PackageDownloadLocation|PackageLicense(?:Declared|Concluded)|ExternalRef|Relationship|FileName|SnippetSPDXID):[ \t]*/y;
const purl = /(?:PACKAGE[-_]MANAGER)[ \t]+purl[ \t]+(?=pkg:)/iy;

function read(text: string): [readonly SpdxPackage[], ReadonlySet<string>] {
  const packages: SpdxPackage[] = [];
  const roots = new Set<string>();
  let current: PackageLines | undefined;
  let isProse = false;

  scanLines(text, (begin, end, indent) => {
    // A text of several lines may contain anything, even an SPDX document.
    if (isProse) {
      isProse = !text.slice(begin, end).includes('</text>');
      return;
    }
    tag.lastIndex = begin + indent;
    const found = tag.exec(text)?.[0];
    const at = tag.lastIndex;
    const line = text.slice(begin, end);
    if (line.includes('<text>') && !line.includes('</text>')) isProse = true;
    if (found === undefined || at > end) return;
    const value = text.slice(at, end).trimEnd();
    if (found.startsWith('PackageName')) {
      finish();
      current = { id: '', purls: [] };
    } else if (/^(?:File|Snippet)/.test(found)) {
      finish();
      current = undefined;
    } else if (found.startsWith('Relationship')) {
      const [from = '', type, to = ''] = value.split(/\s+/, 3);
      if (type === 'DESCRIBES') roots.add(to);
      else if (type === 'DESCRIBED_BY') roots.add(from);
    } else if (current === undefined) return;
    else if (found.startsWith('SPDXID')) current.id = value;
    else if (found.startsWith('PackageVersion')) current.version = verbatim(text, at, at + value.length);
    else if (found.startsWith('PackageDownload')) current.download = value;
    else if (found.startsWith('PackageLicenseD')) current.declared = verbatim(text, at, at + value.length);
    else if (found.startsWith('PackageLicenseC')) current.concluded = verbatim(text, at, at + value.length);
    else {
      const start = endOfMatch(purl, text, at);
      if (start > at) current.purls.push(start);
    }
  });
  finish();
  return [packages, roots];

  /** The first valid purl counts. */
  function finish(): void {
    const { declared, concluded } = current ?? {};
    const licenses = declaredLicenses(declared ? [declared] : []) ?? declaredLicenses(concluded ? [concluded] : []);
    for (const start of current?.purls ?? []) {
      const [written = ''] = /^\S*/.exec(text.slice(start, start + MAX_PURL_LENGTH)) ?? [];
      const dependency = componentDependency(
        { text: written, literal: (from, to) => verbatim(text, start + from, start + to) },
        { version: current?.version, declared: licenses, distributions: current?.download ? [current.download] : [] },
      );
      if (!dependency) continue;
      packages.push({ id: current?.id ?? '', dependency });
      return;
    }
  }
}

/** In characters. No purl comes near it. */
const MAX_PURL_LENGTH = 4000;
