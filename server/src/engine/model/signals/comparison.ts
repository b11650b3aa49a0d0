import type { VersionFacts } from '../facts.ts';
import { browsableAddress, webAddress } from '../links.ts';

/*
 * Pages of a code host about what lies between two versions. They are linked, and never fetched:
 *
 *     https://github.com/lodash/lodash/compare/4.17.15...4.17.21     both tags or commits are known
 *     https://github.com/lodash/lodash/releases/tag/4.17.21          the tag is known
 *     https://github.com/lodash/lodash/releases                      otherwise
 *
 * A tag is never guessed: the commits are those of attestations, the tags those of addresses that the version itself
 * declares (`…/tree/v4.17.15`), and the tag of a Go module is its version.
 */
export interface CodePages {
  /** Absent where no tag or commit of both versions is known. */
  readonly comparison?: string;
  readonly releases: string;
}

/** The paths of a code host's pages, behind the address of a repository. */
interface Paths {
  readonly compare: (from: string, to: string) => string;
  readonly release: (tag: string) => string;
  readonly releases: string;
}

const gitea: Paths = {
  compare: (from, to) => `/compare/${from}...${to}`,
  release: (tag) => `/releases/tag/${tag}`,
  releases: '/releases',
};

/** Sources: the documentation of each host, on comparisons and on links to releases. */
const pathsOf: Readonly<Record<string, Paths>> = {
  'github.com': gitea,
  'codeberg.org': gitea,
  'gitlab.com': {
    compare: (from, to) => `/-/compare/${from}...${to}`,
    release: (tag) => `/-/releases/${tag}`,
    releases: '/-/releases',
  },
  'bitbucket.org': {
    compare: (from, to) => `/branches/compare/${to}%0D${from}`,
    release: (tag) => `/src/${tag}`,
    releases: '/downloads/?tab=tags',
  },
};

/**
 * @param connected the host of the connected code host, whose pages are those of github.com
 * @returns undefined where the versions name no repository of a known code host
 */
export function codePages(
  before: VersionFacts | undefined,
  after: VersionFacts,
  connected?: string,
): CodePages | undefined {
  const repository = repositoryIn(after, connected);
  if (repository === undefined) return undefined;
  const { address, paths } = repository;
  const isSame = before !== undefined && repositoryIn(before, connected)?.address === address;
  const tags = tagsOf(isSame ? [after, before] : [after]);
  const to = tags?.(after.key.version);
  const from = isSame ? tags?.(before.key.version) : undefined;
  const commits = isSame ? [before, after].map((it) => commitOf(it, address)) : [];
  const [start = from, end = to] = commits.includes(undefined) ? [from, to] : commits;
  const page = (path: string): string | undefined => webAddress(`${address}${path}`);
  const releases = page(to === undefined ? paths.releases : paths.release(encoded(to)));
  const comparison = start && end && start !== end && page(paths.compare(encoded(start), encoded(end)));
  return releases === undefined ? undefined : { releases, ...(comparison && { comparison }) };
}

interface Repository {
  /** `https://github.com/lodash/lodash` */
  readonly address: string;
  readonly paths: Paths;
}

/** The best known repository of a version. */
function repositoryIn({ provenances, projects, links }: VersionFacts, connected?: string): Repository | undefined {
  const named = [
    ...provenances.filter((it) => it.verified).map((it) => it.sourceRepository),
    ...projects.filter((it) => it.type === 'SOURCE_REPO').map((it) => `https://${it.id}`),
    ...links.filter((it) => it.label === 'SOURCE_REPO').map((it) => it.url),
  ];
  for (const it of named) {
    const found = repositoryAt(it, connected);
    if (found) return found;
  }
  return undefined;
}

function repositoryAt(given: string, connected: string | undefined): Repository | undefined {
  const address = browsableAddress(given);
  if (address === undefined) return undefined;
  const url = new URL(address);
  const host = url.host.replace(/^www\./, '');
  const paths = host === connected ? gitea : pathsOf[host];
  const path = url.pathname
    .replace(/\/-\/.*$/, '')
    .split('/')
    .filter(Boolean);
  // Groups of GitLab have any depth.
  const names = (host === 'gitlab.com' ? path : path.slice(0, 2)).map((it) => it.replace(/\.git$/, ''));
  if (paths === undefined || names.length < 2) return undefined;
  return { address: `https://${host}/${names.join('/').toLowerCase()}`, paths };
}

/** Of an attestation, which names the repository that it was built from. */
function commitOf({ provenances }: VersionFacts, address: string): string | undefined {
  const built = provenances.find(
    (it) =>
      it.verified &&
      /^[\da-f]{40}$/.test(it.commit) &&
      repositoryAt(it.sourceRepository, undefined)?.address === address,
  );
  return built?.commit;
}

/** How the tags of versions are named, by what is known of some; undefined where that is not known. */
function tagsOf(some: readonly VersionFacts[]): ((version: string) => string) | undefined {
  const [first] = some;
  if (first?.key.system === 'GO') return (version) => goTag(first.key.name, version);
  for (const facts of some)
    for (const { url } of facts.links) {
      const [, tag] = tagPath.exec(decoded(url)) ?? [];
      const { version } = facts.key;
      // Git allows no `..` in a name.
      if (tag === undefined || tag.includes('..') || !new RegExp(`(?:^|[^\\d.])${literally(version)}$`).test(tag))
        continue;
      const prefix = tag.slice(0, -version.length);
      return (it) => prefix + it;
    }
  return undefined;
}

/** Of a declared address: `…/tree/v1.2.3`, `…/releases/tag/lib@1.2.3`, `…/archive/refs/tags/v1.2.3.tar.gz` */
const tagPath =
  /\/(?:tree|releases\/tag|src\/tag|-\/tags|archive\/refs\/tags)\/([^?#]+?)(?:\.tar\.gz|\.zip)?\/?(?:[?#].*)?$/;

/**
 * A module of a directory has its tags below that, and a version without a tag names its commit. Source: Go Modules
 * Reference, “Mapping versions to commits”.
 */
function goTag(module: string, version: string): string {
  const [, commit] = /-(?:\d+\.)?\d{14}-([\da-f]{12})$/.exec(version) ?? [];
  if (commit !== undefined) return commit;
  const below = module
    .split('/')
    .slice(3)
    .join('/')
    .replace(/(?:^|\/)v\d+$/, '');
  const tag = version.replace(/\+incompatible$/, '');
  return below === '' ? tag : `${below}/${tag}`;
}

function encoded(ref: string): string {
  return encodeURIComponent(ref.toWellFormed()).replaceAll('%2F', '/');
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
