import { endOfMatch, scanLines } from '../../formats/text/lines.ts';
import { verbatim } from '../../formats/text/literal.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import {
  componentDependency,
  declaredLicenses,
  isPackageKind,
  type SpdxPackage,
  withoutDescribed,
} from './components.ts';

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
  parse: (text) => ({ ...withoutDescribed(...read(text)), definitions: [], references: [] }),
};

/** The fields of the current package. */
interface PackageLines {
  readonly span: Span;
  id: string;
  purpose?: string;
  version?: Literal;
  declared?: Literal;
  concluded?: Literal;
  download?: string;
  /** The offsets of the purls. */
  readonly purls: number[];
}

const tag =
  /(?:PackageName|SPDXID|PackageVersion|PackageDownloadLocation|PrimaryPackagePurpose|PackageLicense(?:Declared|Concluded)|ExternalRef|Relationship|FileName|SnippetSPDXID):[ \t]*/y;
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
      current = { span: { start: at, end: at + value.length }, id: '', purls: [] };
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
    else if (found.startsWith('PrimaryPackage')) current.purpose = value;
    else if (found.startsWith('PackageLicenseD')) current.declared = verbatim(text, at, at + value.length);
    else if (found.startsWith('PackageLicenseC')) current.concluded = verbatim(text, at, at + value.length);
    else {
      const start = endOfMatch(purl, text, at);
      if (start > at) current.purls.push(start);
    }
  });
  finish();
  return [packages, roots];

  /** The first purl that is looked up counts. */
  function finish(): void {
    if (current === undefined) return;
    const { id, span, version, declared, concluded, download, purpose, purls } = current;
    const licenses = declaredLicenses(declared ? [declared] : []) ?? declaredLicenses(concluded ? [concluded] : []);
    const components = purls.map((start) => {
      const [written = ''] = /^\S*/.exec(text.slice(start, start + MAX_PURL_LENGTH)) ?? [];
      return componentDependency(
        { text: written, literal: (from, to) => verbatim(text, start + from, start + to) },
        { version, declared: licenses, distributions: download === undefined ? [] : [download] },
      );
    });
    const found = components.find((it) => it.dependency) ?? components[0];
    if (found) packages.push({ id, ...found });
    else if (isPackageKind(purpose)) packages.push({ id, gap: 'without a purl', span });
  }
}

/** In characters. No purl comes near it. */
const MAX_PURL_LENGTH = 4000;
