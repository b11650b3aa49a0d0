import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/*
 * Registries of all systems on the loopback, in a process of their own. They have any package that is asked for, as
 * public registries would describe it: some versions with licenses, links, times, digests and requirements. Only the
 * names and the versions are given, so nothing of a real package is in it.
 */

/** What the registries are told before they listen. */
export interface Shapes {
  /** In ms, before each answer. */
  readonly latency: number;
  /** Texts of manifests: a package has the versions that stand near its name in them. */
  readonly texts: readonly string[];
  /** Of each package, beside those in the texts. */
  readonly versions: number;
}

/** Versions of one package out of the texts. */
const MAX_NEAR = 40;
/** In characters behind a name. */
const NEAR = 300;

const [shapes]: (Shapes | undefined)[] = await once(process, 'message');
const { latency = 0, texts = [], versions: many = 0 } = shapes ?? {};
const usual = Array.from({ length: many }, (_, index) => `1.${index}.0`);
let requests = 0;

function versionsOf(name: string): readonly string[] {
  const found = new Set([...near(name), ...near(name.split(/[:/]/).at(-1) ?? name)]);
  return [...new Set([...found, ...usual])];
}

/** The versions that stand behind a name. */
function near(name: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const text of texts) {
    for (let at = text.indexOf(name); at >= 0 && found.size < MAX_NEAR; at = text.indexOf(name, at + 1)) {
      for (const [, it = ''] of text.slice(at + name.length, at + name.length + NEAR).matchAll(version)) found.add(it);
    }
  }
  return found;
}
const version = /(?<![\w.])v?(\d+(?:\.\d+)+(?:[-.+]?[a-zA-Z0-9][\w.+-]*)?)/g;

/** The versions of elements: POMs name them by properties. */
const ofElements = new Set(
  texts.flatMap((text) => [...text.matchAll(/>\s*(\d[\w.-]*)\s*</g)].map(([, it = '']) => it)),
);

function digest(algorithm: string, text: string): Buffer {
  return createHash(algorithm).update(text).digest();
}

interface Answer {
  readonly type?: string;
  readonly text: string;
  readonly modified?: string;
}

const json = (value: unknown): Answer => ({ text: JSON.stringify(value) });
const time = '2024-01-02T03:04:05.000Z';

function npm(name: string): Answer {
  const versions = Object.fromEntries(
    versionsOf(name)
      .filter((it) => /^\d+\.\d+\.\d+(?:[-+]|$)/.test(it))
      .map((it) => [it, manifestOf(name, it)]),
  );
  const times = Object.fromEntries(Object.keys(versions).map((it) => [it, time]));
  return json({
    name,
    'dist-tags': { latest: Object.keys(versions).at(-1) },
    versions,
    time: { created: time, modified: time, ...times },
    readme: 'A package. '.repeat(300),
  });
}

function manifestOf(name: string, version: string): object {
  return {
    name,
    version,
    description: `The package ${name}, of which nothing more is known.`,
    license: 'MIT',
    repository: { type: 'git', url: `git+https://code.example/${name}.git` },
    homepage: `https://code.example/${name}#readme`,
    bugs: { url: `https://code.example/${name}/issues` },
    keywords: ['one', 'two', 'three'],
    scripts: { test: 'node --test', build: 'tsc -p .', prepublishOnly: 'npm run build && npm test' },
    dependencies: { 'package-0001': '^1.2.0', 'package-0002': '~1.0.0' },
    devDependencies: { 'package-0003': '^1.1.0', 'package-0004': '^1.0.0', 'package-0005': '>=1' },
    engines: { node: '>=18' },
    _npmUser: { name: 'someone', email: 'someone@code.example' },
    maintainers: [{ name: 'someone', email: 'someone@code.example' }],
    _nodeVersion: '22.0.0',
    _npmVersion: '10.0.0',
    dist: {
      shasum: digest('sha1', `${name} ${version}`).toString('hex'),
      integrity: `sha512-${digest('sha512', `${name} ${version}`).toString('base64')}`,
      tarball: `https://registry.example/npm/${name}/-/${name}-${version}.tgz`,
      fileCount: 12,
      unpackedSize: 34_567,
      signatures: [{ keyid: 'SHA256:one', sig: digest('sha512', version).toString('base64') }],
    },
  };
}

function simple(name: string): Answer {
  const file = name.replaceAll('-', '_');
  const files = versionsOf(name).flatMap((version) =>
    [`${file}-${version}-py3-none-any.whl`, `${file}-${version}.tar.gz`].map((filename) => ({
      filename,
      url: `${base()}/files/${filename}`,
      hashes: { sha256: digest('sha256', filename).toString('hex') },
      'requires-python': '>=3.9',
      size: 34_567,
      'upload-time': time,
      yanked: false,
      'core-metadata': filename.endsWith('.whl') && { sha256: digest('sha256', version).toString('hex') },
    })),
  );
  const body = { meta: { 'api-version': '1.1' }, name, versions: versionsOf(name), files };
  return { ...json(body), type: 'application/vnd.pypi.simple.v1+json' };
}

function metadata(file: string): Answer {
  const [name = '', version = ''] = file.split('-');
  const lines = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    'License: MIT',
    'Requires-Python: >=3.9',
    'Requires-Dist: package-0001>=1.2',
    'Requires-Dist: package-0002[extra]<2,>=1.0; python_version < "3.12"',
    `Project-URL: Source, https://code.example/${name}`,
  ];
  return { text: `${lines.join('\n')}\n\nA package.\n` };
}

function cargo(name: string): Answer {
  const lines = versionsOf(name)
    .filter((it) => /^\d+\.\d+\.\d+(?:[-+]|$)/.test(it) || /^\d+\.\d+$/.test(it))
    .map((it) => ({
      name,
      vers: /^\d+\.\d+$/.test(it) ? `${it}.0` : it,
      deps: [
        { name: 'package-0001', req: '^1.2', features: [], optional: false, default_features: true, kind: 'normal' },
        { name: 'package-0002', req: '^1', features: [], optional: true, default_features: true, kind: 'dev' },
      ],
      cksum: digest('sha256', `${name} ${it}`).toString('hex'),
      features: { default: [] },
      yanked: false,
    }));
  return { text: `${lines.map((it) => JSON.stringify(it)).join('\n')}\n` };
}

function go(path: string): Answer | undefined {
  const [, escaped = '', rest = ''] = /^(.*?)\/@(v\/.*|latest)$/.exec(path) ?? [];
  const name = escaped.replace(/!([a-z])/g, (_, it: string) => it.toUpperCase());
  if (rest === 'v/list') return { text: versionsOf(name).map(goVersion).join('\n') };
  if (rest.endsWith('.mod')) return { text: `module ${name}\n\ngo 1.22\n\nrequire package.example/one v1.2.0\n` };
  if (rest.endsWith('.info')) return json({ Version: rest.slice(2, -5), Time: time });
  return rest === 'latest' ? json({ Version: 'v1.19.0', Time: time }) : undefined;
}

function goVersion(version: string): string {
  return /^\d+\.\d+$/.test(version) ? `v${version}.0` : `v${version}`;
}

function maven(path: string): Answer | undefined {
  const parts = path.split('/');
  const file = parts.pop() ?? '';
  if (file === 'maven-metadata.xml') {
    const artifact = parts.at(-1) ?? '';
    const all = [...new Set([...versionsOf(artifact), ...ofElements])].map((it) => `<version>${it}</version>`);
    return { text: `<metadata><versioning><versions>${all.join('')}</versions></versioning></metadata>` };
  }
  if (!file.endsWith('.pom')) return undefined;
  const [version, artifact] = [parts.pop(), parts.pop()];
  return {
    modified: new Date(time).toUTCString(),
    text: `<project><groupId>${parts.join('.')}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>
<url>https://code.example/${artifact}</url>
<licenses><license><name>The Apache Software License, Version 2.0</name></license></licenses>
<scm><url>https://code.example/${artifact}</url></scm></project>`,
  };
}

function nuget(path: string): Answer | undefined {
  if (path === 'index.json')
    return json({
      version: '3.0.0',
      resources: [
        { '@id': `${base()}/nuget/flat/`, '@type': 'PackageBaseAddress/3.0.0' },
        { '@id': `${base()}/nuget/reg/`, '@type': 'RegistrationsBaseUrl/3.6.0' },
      ],
    });
  const [, id] = /^reg\/([^/]+)\/index\.json$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  const items = versionsOf(id).map((version) => ({
    catalogEntry: {
      id,
      version,
      licenseExpression: 'MIT',
      listed: true,
      published: time,
      dependencyGroups: [{ targetFramework: '.NETStandard2.0', dependencies: [{ id: 'One.Two', range: '[1.2.0, )' }] }],
    },
  }));
  return json({ items: [{ '@id': `${base()}/nuget/reg/${id}/index.json#page`, items }] });
}

function answerTo(path: string): Answer | undefined {
  const [, area, rest = ''] = /^\/(\w+)\/(.*)$/.exec(path) ?? [];
  switch (area) {
    case 'npm':
      return npm(rest);
    case 'simple':
      return simple(rest.replace(/\/$/, ''));
    case 'files':
      return rest.endsWith('.metadata') ? metadata(rest) : undefined;
    case 'cargo':
      return rest === 'config.json' ? json({ dl: `${base()}/dl` }) : cargo(rest.split('/').at(-1) ?? '');
    case 'go':
      return go(rest);
    case 'maven':
      return maven(rest);
    case 'nuget':
      return nuget(rest);
    default:
      return undefined;
  }
}

const server = createServer(async ({ url = '' }, response) => {
  requests++;
  await sleep(latency);
  const answer = answerTo(decodeURIComponent(url));
  if (answer === undefined) return void response.writeHead(404).end();
  const { type = 'application/json', text, modified } = answer;
  const headers = { 'content-type': type, 'content-encoding': 'gzip', ...(modified && { 'last-modified': modified }) };
  response.writeHead(200, headers).end(gzipSync(text));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

function base(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

process.on('message', () => process.send?.(requests));
process.on('disconnect', () => process.exit());
process.send?.(base());
