/*
 * Bundles the extension, the language server and the terminal program into dist/.
 *
 *     node esbuild.mjs [--watch] [--production]
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { context } from 'esbuild';
import { bundledPackages, noticesText, sectionOf } from './test/tools/third-party-notices.ts';

const { values: flags } = parseArgs({
  options: { watch: { type: 'boolean', default: false }, production: { type: 'boolean', default: false } },
});
const root = import.meta.dirname;
const require = createRequire(import.meta.url);
const dist = join(root, 'dist');

/** The oldest Node that runs the bundles: the one of VS Code 1.100, and `engines.node` for the terminal. */
const target = 'node20.18';

const entries = [
  { source: 'client/src/world/desktop.ts', bundle: 'client' },
  { source: 'server/src/bin/server.ts', bundle: 'server' },
  { source: 'server/src/bin/engine.ts', bundle: 'engine' },
  { source: 'server/src/bin/cli.ts', bundle: 'cli', banner: '#!/usr/bin/env node' },
  { source: 'server/src/bin/program.ts', bundle: 'program' },
  { source: 'server/src/bin/connected.ts', bundle: 'connected' },
  { source: 'server/src/bin/private.ts', bundle: 'private' },
  { source: 'server/src/bin/served.ts', bundle: 'served' },
  { source: 'server/src/fleet/fleet.ts', bundle: 'fleet' },
  { source: 'server/src/fleet/queue/redis-queue.ts', bundle: 'redis-queue' },
  { source: 'server/src/bin/team.ts', bundle: 'team' },
  { source: 'server/src/service/team/metrics.ts', bundle: 'metrics' },
  { source: 'server/src/engine/storage/sql/postgres.ts', bundle: 'postgres' },
  { source: 'server/src/service/shared/redis.ts', bundle: 'redis' },
  { source: 'server/src/service/import/import-files.ts', bundle: 'import-files' },
  { source: 'server/src/connected/ledger/usage-export.ts', bundle: 'usage-export' },
  { source: 'server/src/bin/keyring.ts', bundle: 'keyring' },
  { source: 'server/src/bin/graphs.ts', bundle: 'graphs' },
];

/** What runs in a browser: the extension in the editor's worker, and the language server in a worker of its own. */
const browserEntries = [
  { source: 'client/src/world/browser.ts', bundle: 'browser-client', format: 'cjs' },
  { source: 'server/src/bin/browser.ts', bundle: 'browser-server', format: 'iife' },
];

/** The oldest browser of VS Code 1.100 on the web. */
const browserTarget = 'es2023';

/** Only the lexer and the parser of the YAML library are bundled. Its entry would add 10 ms to each start, and 72 kB. */
const yamlTokens = {
  name: 'yaml tokens',
  setup(build) {
    const resolveDir = join(root, 'node_modules', 'yaml', 'browser', 'dist', 'parse');
    const contents = "export * as CST from './cst.js'; export * from './lexer.js'; export * from './parser.js';";
    build.onResolve({ filter: /^yaml$/ }, () => ({ path: 'yaml', namespace: 'yaml-tokens' }));
    build.onLoad({ filter: /^yaml$/, namespace: 'yaml-tokens' }, () => ({ contents, resolveDir }));
  },
};

/** The programs need only the version of package.json. The rest, mostly for VS Code, is 14 kB. */
const versionAlone = {
  name: 'version alone',
  setup(build) {
    const own = join(root, 'package.json');
    build.onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) => {
      if (path !== own) return undefined;
      const { version } = JSON.parse(readFileSync(own, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json', watchFiles: [own] };
    });
  },
};

/**
 * packageurl-js sorts the names of its parts when it is loaded, with a collator that takes 9 ms and 3 MB. All are in ASCII.
 */
const withoutCollator = {
  name: 'without collator',
  setup(build) {
    build.onLoad({ filter: /packageurl-js[\\/]src[\\/]strings\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(
        /^const \{ compare: (\w+) \} = new Intl\.Collator\(\)$/m,
        'const $1 = (a, b) => (a < b ? -1 : a > b ? 1 : 0)',
      );
      if (contents === text) throw new Error('packageurl-js has no collator any more');
      return { contents };
    });
  },
};

/**
 * A package of CommonJS that many files import. For each of these, esbuild would copy all that the package exports when
 * the program starts.
 */
const copiedOnce = {
  name: 'copied once',
  setup(build) {
    build.onResolve({ filter: /^@vscode\/l10n$/ }, ({ path, namespace }) =>
      namespace === 'copied-once' ? undefined : { path, namespace: 'copied-once' },
    );
    build.onLoad({ filter: /^/, namespace: 'copied-once' }, ({ path }) => {
      const names = Object.keys(require(path)).join(', ');
      return { contents: `export const { ${names} } = require('${path}');`, resolveDir: root };
    });
  },
};

/** Modules of Node that take up to 5 ms to load, and that no program uses when it starts. */
const lateModules = ['child_process', 'crypto', 'stream/consumers', 'zlib'];

/** Loads these modules when one of their functions is first called, for libraries as well. */
const loadedLate = {
  name: 'loaded late',
  setup(build) {
    const filter = new RegExp(`^(?:node:)?(?:${lateModules.join('|')})$`);
    build.onResolve({ filter }, ({ path, namespace }) =>
      namespace === 'late' ? { path, external: true } : { path: path.replace(/^node:/, ''), namespace: 'late' },
    );
    build.onLoad({ filter: /^/, namespace: 'late' }, ({ path }) => {
      const functions = Object.entries(require(path)).filter(
        ([name, it]) => /^[a-z]/.test(name) && it instanceof Function,
      );
      // Each `require` costs as much as decompressing a short answer.
      const lines = [`let loaded;`, `const load = () => (loaded ??= require('node:${path}'));`];
      for (const [name] of functions) lines.push(`export const ${name} = (...all) => load().${name}(...all);`);
      return { contents: lines.join('\n') };
    });
  },
};

/** The parts of undici that are bundled. The whole is twice as large, and takes 30 ms longer before the first request. */
const undiciParts = ['undici/lib/core/connect.js', 'undici/lib/dispatcher/client.js', 'undici/lib/dispatcher/pool.js'];

/**
 * undici is a bundle of its own, a quarter of a program. Both programs share it and load it before their first request.
 */
const undici = library('undici', undiciParts.map((it) => `exports['${it}'] = require('${it}');`).join('\n'));

/** The library of the protocol, which the server needs for its first answer and the engine for all others. */
const languageServer = library('languageserver', "module.exports = require('vscode-languageserver/node');");

/** The language client is most of the extension. A window without manifests loads the rest alone. */
const languageClient = library('languageclient', "module.exports = require('vscode-languageclient/node');");

function library(name, contents) {
  return {
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, sourcefile: name },
    outfile: join(dist, `${name}.js`),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target,
    external: ['vscode'],
    mainFields: ['module', 'main'],
    minify: flags.production,
    metafile: true,
    logLevel: 'info',
  };
}

const languageClientApart = {
  name: 'language client apart',
  setup(build) {
    const contents = "module.exports = require('./languageclient.js');";
    build.onResolve({ filter: /^vscode-languageclient(?:\/node)?$/ }, () => ({
      path: 'languageclient',
      namespace: 'client',
    }));
    build.onResolve({ filter: /^/, namespace: 'client' }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /^/, namespace: 'client' }, () => ({ contents }));
  },
};

/**
 * Modules that are bundles of their own: whoever imports one does it late, with `import()`. The terminal program is beside
 * its starter, which enables the compile cache and starts the language server without it. Connected services are loaded
 * once something is connected, private registries once a private name may be asked for, the services of `serve`, its
 * databases and metrics, and the messages of Protobuf for their commands.
 */
const apart = {
  name: 'apart',
  setup(build) {
    build.onResolve(
      {
        filter:
          /\/(?:program|server|engine|connected|private|served|team|metrics|import-files|redis|fleet|redis-queue|postgres|usage-export)\.ts$/,
      },
      ({ path, kind }) =>
        kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.js`, external: true } : undefined,
    );
  },
};

/** A module that reads each export of a library's bundle that is used, once. */
const languageServerApart = {
  name: 'language server apart',
  setup(build) {
    build.onResolve({ filter: /^vscode-languageserver(?:\/node)?$/ }, () => ({
      path: 'languageserver',
      namespace: 'language-server',
    }));
    build.onResolve({ filter: /^/, namespace: 'language-server' }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /^/, namespace: 'language-server' }, () => {
      const names = Object.keys(require('vscode-languageserver/node'));
      const lines = names.map((it) => `export const ${it} = /* @__PURE__ */ (() => all.${it})();`);
      return { contents: ["const all = require('./languageserver.js');", ...lines].join('\n') };
    });
  },
};

const undiciApart = {
  name: 'undici apart',
  setup(build) {
    build.onResolve({ filter: /^undici\// }, ({ path }) => ({ path, namespace: 'undici' }));
    build.onResolve({ filter: /^/, namespace: 'undici' }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /^/, namespace: 'undici' }, ({ path }) => {
      if (!undiciParts.includes(path)) throw new Error(`${path} is not among the parts of undici that are bundled`);
      return { contents: `module.exports = require('./undici.js')['${path}'];` };
    });
  },
};

/**
 * The page of a report, for browsers and the editor. It is minified even in development, since every report embeds it.
 */
const page = {
  absWorkingDir: root,
  entryPoints: [
    { in: 'client/report-page/main.ts', out: 'report' },
    { in: 'client/report-page/style.css', out: 'report' },
  ],
  outdir: dist,
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: 'chrome128',
  minify: true,
  metafile: true,
  logLevel: 'info',
};

const contexts = await Promise.all([
  ...entries.map(bundle),
  ...browserEntries.map(browserBundle),
  context(undici),
  context(languageServer),
  context(languageClient),
  context(page),
]);
mkdirSync(dist, { recursive: true });
copyCatalog();
if (flags.watch) {
  await Promise.all(contexts.map((it) => it.watch()));
} else {
  try {
    const results = await Promise.all(contexts.map((it) => it.rebuild()));
    const metafiles = results.map((it) => it.metafile);
    removeLeftovers(metafiles);
    writeNotices(metafiles);
    report(metafiles);
  } catch (error) {
    // esbuild has printed its own errors.
    if (!Array.isArray(error.errors)) console.error(error);
    process.exitCode = 1;
  }
  await Promise.all(contexts.map((it) => it.dispose()));
}

function bundle({ source, bundle: name, banner }) {
  return context({
    absWorkingDir: root,
    entryPoints: { [name]: source },
    outdir: dist,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target,
    // The keyring is native code, an optional dependency of the npm package.
    external: ['vscode', '@napi-rs/keyring', 'pg-native'],
    // jsonc-parser's `main` cannot be bundled.
    mainFields: ['module', 'main'],
    // Files beside a source (the catalog) are beside its bundle.
    define: { 'import.meta.dirname': '__dirname' },
    supported: { 'dynamic-import': false },
    minify: flags.production,
    sourcemap: flags.production ? false : 'linked',
    metafile: true,
    logLevel: 'info',
    ...(banner ? { banner: { js: banner } } : {}),
    plugins: [
      // `serve` reads configurations of deployments, and writes YAML.
      ...(name === 'served' ? [] : [yamlTokens]),
      versionAlone,
      withoutCollator,
      copiedOnce,
      // Only what starts without them gains from it.
      ...(['client', 'fleet', 'redis-queue', 'metrics', 'postgres', 'import-files', 'redis'].includes(name)
        ? []
        : [loadedLate]),
      undiciApart,
      languageServerApart,
      languageClientApart,
      apart,
      ...(flags.watch ? [announce(name)] : []),
    ],
  });
}

function browserBundle({ source, bundle: name, format }) {
  return context({
    absWorkingDir: root,
    entryPoints: { [name]: source },
    outdir: dist,
    bundle: true,
    platform: 'browser',
    format,
    target: browserTarget,
    external: ['vscode'],
    // There is no environment.
    define: { 'process.env': '{}' },
    supported: { 'dynamic-import': false },
    minify: flags.production,
    sourcemap: flags.production ? false : 'linked',
    metafile: true,
    logLevel: 'info',
    plugins: [yamlTokens, versionAlone, ...(flags.watch ? [announce(name)] : [])],
  });
}

/** Prints the line that the editor's task waits for, see .vscode/tasks.json. */
function announce(name) {
  return {
    name: 'announce',
    setup(build) {
      build.onStart(() => console.log(`[watch] ${name} is being built`));
      build.onEnd(() => console.log(`[watch] ${name} is done`));
    },
  };
}

/** Copies the catalog beside the bundle, where the terminal program reads it. */
function copyCatalog() {
  rmSync(join(dist, 'catalog'), { recursive: true, force: true });
  cpSync(join(root, 'server', 'catalog'), join(dist, 'catalog'), { recursive: true });
}

/**
 * Writes the licenses of all packages whose code, and of the databases whose data is in the bundles; for the extension,
 * which has neither all bundles nor the catalog, a file of its own.
 */
function writeNotices(metafiles) {
  const outputs = metafiles.flatMap((it) => Object.entries(it.outputs));
  const packagesOf = (some) =>
    bundledPackages(
      some.flatMap(([, it]) => Object.keys(it.inputs)),
      root,
    );
  const shipped = readFileSync(join(root, '.vscodeignore'), 'utf8').split('\n');
  const extension = outputs.filter(([path]) => shipped.includes(`!dist/${basename(path)}`));
  const data = sectionOf(readFileSync(join(root, 'server', 'catalog', 'README.md'), 'utf8'), 'Advisories');
  writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), noticesText(packagesOf(outputs), data));
  writeFileSync(join(dist, 'EXTENSION-NOTICES.txt'), noticesText(packagesOf(extension)));
}

/** Removes files of earlier builds, source maps for example. */
function removeLeftovers(metafiles) {
  const made = new Set(metafiles.flatMap((it) => Object.keys(it.outputs)).map((it) => basename(it)));
  for (const name of readdirSync(dist)) {
    if (name !== 'catalog' && !made.has(name)) rmSync(join(dist, name), { recursive: true });
  }
}

/** Prints the sizes of the bundles, and stores the details. */
function report(metafiles) {
  for (const metafile of metafiles) {
    for (const [path, output] of Object.entries(metafile.outputs)) {
      if (!path.endsWith('.js')) continue;
      const name = path.replace(/^.*\//, '').replace(/\.js$/, '');
      mkdirSync(join(root, '.cache', 'metafiles'), { recursive: true });
      writeFileSync(join(root, '.cache', 'metafiles', `${name}.json`), JSON.stringify(metafile));
      const largest = packagesOf(output.inputs).slice(0, 4);
      console.log(
        `${path} ${kilobytes(output.bytes)}: ${largest.map((it) => `${it.name} ${kilobytes(it.bytes)}`).join(', ')}`,
      );
    }
  }
}

/** The bytes of a bundle by package, largest first. */
function packagesOf(inputs) {
  const sizes = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'own code';
    sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
  }
  return [...sizes].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
}

function kilobytes(bytes) {
  return `${Math.ceil(bytes / 1000)} kB`;
}
