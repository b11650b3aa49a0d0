import { isRecord, oneLine } from '../base/text.ts';
import { parsePlainJson } from '../formats/json/plain.ts';
import { decode } from '../formats/xml/parse.ts';
import { type OpenTag, scanXml } from '../formats/xml/scan.ts';
import { type ProjectStatus, projectStatuses } from '../model/facts.ts';
import type { Digest } from '../model/registries/registry-client.ts';
import { digestOf } from './digests.ts';
import { fieldsAt, textAt } from './json.ts';

/** A file of a package, as the page of an index lists it. */
export interface ListedFile {
  /** `acme_core-1.0-py3-none-any.whl` */
  readonly name: string;
  /** Absolute, without fragment. */
  readonly url: string;
  /** In ms since the epoch. */
  readonly uploadedAt?: number;
  /** Set if it is yanked; empty without a reason. */
  readonly yanked?: string;
  readonly digests: readonly Digest[];
  /** Whether the index has its metadata in a file of its own. */
  readonly hasMetadata: boolean;
  /** The address of its attestations. Source: PEP 740. */
  readonly provenance?: string;
}

export interface SimplePage {
  readonly files: readonly ListedFile[];
  /** The versions as the index spells them; empty where it does not list any. */
  readonly versions: readonly string[];
  readonly status?: ProjectStatus;
  /** Its package, where the index says so. */
  readonly name?: string;
  /** Set if the page has more files than are read. */
  readonly isCut: boolean;
}

/** Files of one package. The largest packages of the public index have some ten thousand. */
export const MAX_FILES = 100_000;

/**
 * Reads the page of a package: JSON (PEP 691) or HTML (PEP 503). Never throws.
 * @param url where it came from: addresses in it are relative
 * @returns undefined for a text that is neither
 */
export function readSimplePage(text: string, contentType: string, url: string): SimplePage | undefined {
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType) || /^\s*\{/.test(text);
  return isJson ? readJson(text, url) : readHtml(text, url);
}

/**
 *     { "files": [{ "filename": "acme_core-1.0.tar.gz", "url": "…", "yanked": "broken", "core-metadata": true,
 *                   "upload-time": "2026-01-02T03:04:05Z" }],
 *       "versions": ["1.0"] }
 */
function readJson(text: string, url: string): SimplePage | undefined {
  const page = parsePlainJson(text)?.value;
  if (!isRecord(page) || !Array.isArray(page.files)) return undefined;
  const listed: readonly unknown[] = page.files.slice(0, MAX_FILES);
  const name = textAt(page, 'name');
  const versions: readonly unknown[] = Array.isArray(page.versions) ? page.versions.slice(0, MAX_FILES) : [];
  return {
    files: listed.flatMap((it) => (isRecord(it) ? readFile(it, url) : [])),
    versions: versions.filter((it) => typeof it === 'string'),
    ...statusIn(textAt(fieldsAt(page, 'project-status'), 'status'), textAt(fieldsAt(page, 'project-status'), 'reason')),
    ...(name !== undefined && { name }),
    isCut: page.files.length > MAX_FILES,
  };
}

/** Source: PEP 792. An unknown one counts as none. */
function statusIn(text: string | undefined, reason: string = ''): Pick<SimplePage, 'status'> {
  const status = projectStatuses.find((it) => it === text);
  return status === undefined ? {} : { status: { status, reason: oneLine(reason) } };
}

function readFile(file: Readonly<Record<string, unknown>>, base: string): ListedFile[] {
  const { filename: name, url: written, yanked } = file;
  const url = typeof written === 'string' ? absolute(written, base) : undefined;
  if (typeof name !== 'string' || url === undefined) return [];
  const time = file['upload-time'];
  const uploadedAt = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  // PEP 658 named the field differently before PEP 714.
  const metadata = file['core-metadata'] ?? file['dist-info-metadata'];
  const reason = typeof yanked === 'string' ? yanked : yanked === true ? '' : undefined;
  return [
    {
      name,
      url,
      ...(Number.isFinite(uploadedAt) && { uploadedAt }),
      ...(reason !== undefined && { yanked: reason }),
      digests: Object.entries(fieldsAt(file, 'hashes')).flatMap(([algorithm, hex]) => digestOf(algorithm, hex)),
      hasMetadata: metadata === true || isRecord(metadata),
      ...provenanceAt(textAt(file, 'provenance'), base),
    },
  ];
}

/**
 *     <base href="../../files/">
 *     <a href="acme_core-1.0.tar.gz#sha256=…" data-yanked="broken" data-core-metadata="true">acme_core-1.0.tar.gz</a>
 *
 * The name is the last part of the address, as for pip: the text of a link may be anything. A page without files that a
 * person could fill in, or that runs, is that of a login.
 */
function readHtml(text: string, url: string): SimplePage | undefined {
  const files: ListedFile[] = [];
  let base = url;
  const meta = new Map<string, string | undefined>();
  let isHtml = false;
  let isForPeople = false;
  let isCut = false;
  scanXml(text, {
    open: (tag) => {
      const name = tag.name.toLowerCase();
      isHtml ||= name === 'html' || name === 'a';
      isForPeople ||= forPeople.has(name);
      if (name === 'meta') meta.set(attribute(text, tag, 'name') ?? '', attribute(text, tag, 'content'));
      const href = name === 'base' || name === 'a' ? attribute(text, tag, 'href') : undefined;
      if (href === undefined) return;
      if (name === 'base') base = absolute(href, url) ?? base;
      else if (files.length >= MAX_FILES) isCut = true;
      else files.push(...readLink(text, tag, href, base));
    },
    close: () => {},
    text: () => {},
    problem: () => {},
  });
  const isIndex = isHtml && !(isForPeople && !files.some((it) => archive.test(it.name)));
  const status = statusIn(meta.get('pypi:project-status'), meta.get('pypi:project-status-reason'));
  return isIndex ? { files, versions: [], ...status, isCut } : undefined;
}

const forPeople: ReadonlySet<string> = new Set(['form', 'input', 'button', 'script', 'iframe']);
const archive = /\.(?:whl|egg|exe|zip|t(?:ar|[abglx]z)(?:\.\w+)?)$/i;

function readLink(text: string, tag: OpenTag, href: string, base: string): ListedFile[] {
  const url = absolute(href, base);
  const [, algorithm = '', hex] = /#(\w+)=([0-9a-f]+)/i.exec(href) ?? [];
  const name = url === undefined ? '' : lastPart(url);
  if (url === undefined || name === '') return [];
  const yanked = attribute(text, tag, 'data-yanked');
  const metadata = attribute(text, tag, 'data-core-metadata') ?? attribute(text, tag, 'data-dist-info-metadata');
  return [
    {
      name,
      url,
      ...(yanked !== undefined && { yanked }),
      digests: digestOf(algorithm, hex),
      hasMetadata: metadata !== undefined && metadata !== 'false',
      ...provenanceAt(attribute(text, tag, 'data-provenance'), base),
    },
  ];
}

function attribute(text: string, { attributes }: OpenTag, name: string): string | undefined {
  const span = attributes.find((it) => it.name.toLowerCase() === name)?.valueSpan;
  return span && decode(text.slice(span.start, span.end), false).text.trim();
}

function provenanceAt(written: string | undefined, base: string): Pick<ListedFile, 'provenance'> {
  const provenance = written === undefined ? undefined : absolute(written, base);
  return provenance === undefined ? {} : { provenance };
}

/** An address over http; undefined for others, such as `javascript:`. */
function absolute(written: string, base: string): string | undefined {
  if (!URL.canParse(written, base)) return undefined;
  const url = new URL(written, base);
  url.hash = '';
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}

function lastPart(url: string): string {
  const { pathname } = new URL(url);
  const written = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
