import assert from 'node:assert/strict';
import { Workspace } from '../../../server/src/engine/analysis/workspace.ts';
import type { EvaluatedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { Insight } from '../../../server/src/engine/model/facts.ts';
import { type VersionKey, versionId } from '../../../server/src/engine/model/keys.ts';
import type { Coordinates, MavenDependency, Requirements } from '../../../server/src/engine/model/lookups.ts';
import type { Wanted } from '../../../server/src/engine/model/ports.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { knowingNothing, pending } from '../../harness/knowing-nothing.ts';

export type Pom = Extract<Requirements, { readonly system: 'MAVEN' }>;

const uri = 'file:///app/pom.xml';

/** `g:parent 1`, and what is managed in it: `g:a 1.0`, `g:a 1.0 test` or, imported, `import g:bom 1`. */
export function pom(
  parent: string,
  managed: readonly string[] = [],
  properties: Readonly<Record<string, string>> = {},
): Pom {
  const [name = '', version = ''] = parent.split(' ');
  return {
    system: 'MAVEN',
    ...(parent !== '' && { parent: { name, version } }),
    dependencies: [],
    dependencyManagement: managed.map(entry),
    properties: Object.entries(properties).map(([key, value]) => ({ name: key, value })),
    profiles: [],
  };
}

function entry(text: string): MavenDependency {
  const isImport = text.startsWith('import ');
  const [name = '', version = '', scope = ''] = text.replace(/^import /, '').split(' ');
  const coordinates: Coordinates = { name, version };
  return {
    ...coordinates,
    type: isImport ? 'pom' : '',
    scope: isImport ? 'import' : scope,
    classifier: '',
    optional: '',
    exclusions: [],
  };
}

/** A project file without a parent where `parent` is empty; each artifact as `g:a` or `g:a 1.0`. */
export function project(parent: string, dependencies: readonly string[], imports: readonly string[] = []): string {
  const artifact = (text: string, more = ''): string => {
    const [name = '', version] = text.split(' ');
    const [group, id] = name.split(':');
    const stated = version === undefined ? '' : `<version>${version}</version>`;
    return `<groupId>${group}</groupId><artifactId>${id}</artifactId>${stated}${more}`;
  };
  const imported = '<type>pom</type><scope>import</scope>';
  return `<project>${parent && `<parent>${artifact(parent)}<relativePath/></parent>`}<artifactId>app</artifactId>
<dependencyManagement><dependencies>${imports.map((it) => `<dependency>${artifact(it, imported)}</dependency>`).join('')}</dependencies></dependencyManagement>
<dependencies>${dependencies.map((it) => `<dependency>${artifact(it)}</dependency>`).join('')}</dependencies></project>`;
}

/** What is published, by `g:a 1.0`, or as somebody finds it. */
export type Published = Readonly<Record<string, Pom>> | ((it: Coordinates) => Pom | undefined);

/** A workspace of one project, and a service of which a test says what it has answered. */
export function setUp(text: string, published: Published) {
  const find = typeof published === 'function' ? published : (it: Coordinates) => published[`${it.name} ${it.version}`];
  const answers = new Map<string, Insight<Requirements>>();
  let reads = 0;
  let changes = 0;
  let wanted: readonly Wanted[] = [];
  const insights = knowingNothing({
    requirements: (key: VersionKey) => answers.get(versionId(key)) ?? pending,
    request: (_, all) => {
      wanted = all;
    },
    revision: () => ++changes,
  });
  const files = {
    read: async () => {
      reads++;
      return undefined;
    },
    find: async () => [],
  };
  const workspace = new Workspace(files, insights, () => readSettings({}), { now: () => 0, isTrusted: () => true });
  workspace.update({ uri, version: 1, text });

  const asked = (): VersionKey[] => wanted.flatMap((it) => (it.kind === 'requirements' ? [it.key] : []));
  return {
    workspace,
    answers,
    reads: () => reads,
    asked: () => asked().map((it) => `${it.name} ${it.version}`),
    wanted: () => wanted,
    async look(): Promise<readonly EvaluatedDependency[]> {
      const snapshot = await workspace.reevaluate(uri);
      assert.ok(snapshot);
      return snapshot.dependencies;
    },
    /** Answers all that is open, until nothing more is asked. @returns what was asked for in each round */
    async settle(): Promise<readonly number[]> {
      const rounds: number[] = [];
      for (;;) {
        await this.look();
        const open = asked().filter((it) => !answers.has(versionId(it)));
        if (open.length === 0) return rounds;
        rounds.push(open.length);
        for (const key of open) {
          const value = find(key);
          answers.set(versionId(key), value ? { state: 'ready', value, at: 0 } : { state: 'unknown', at: 0 });
        }
      }
    },
  };
}

/** What a dependency is asked for in, or why it is not. */
export function said(dependencies: readonly EvaluatedDependency[], name: string): string {
  const asked = dependencies.find((it) => it.linked.key.name === name)?.linked.requirement;
  if (asked?.kind === 'text') return `${asked.text}${asked.managedBy ? ` by ${asked.managedBy.key.name}` : ''}`;
  return asked?.kind === 'unresolved' ? asked.reason : (asked?.kind ?? 'nothing');
}
