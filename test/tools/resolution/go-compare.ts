import { go } from '../../../server/src/engine/ecosystems/go/versions.ts';
import { openLab } from '../../harness/lab.ts';
import type { GoProject } from './go-projects.ts';

/** What Go made of a project. */
export interface GoAnswer {
  /** Its go.mod in the end. */
  readonly goMod: string;
  /** The lines of `go list -m all`. */
  readonly list: readonly string[];
}

export interface GoComparison {
  /** By the go.mod that Go left: what is equal, and all. */
  readonly settled: readonly number[];
  /** By the one that it found. */
  readonly found: readonly number[];
  readonly notes: readonly string[];
  /** Of the one that it found: what Go raised, since another module requires more. */
  readonly raised: number;
}

export async function compareGo(project: GoProject, { goMod, list }: GoAnswer): Promise<GoComparison> {
  const theirs = new Map(
    list.slice(1).map((line) => {
      const [path = '', version = '', , to = '', toVersion] = line.split(' ');
      return [path, line.includes('=>') ? (toVersion ? `${to}@${toVersion}` : 'folder') : `${path}@${version}`];
    }),
  );
  const notes: string[] = [];
  const [settled, found] = [
    [0, 0],
    [0, 0],
  ];
  let raised = 0;
  for (const [figure, text] of [
    [settled, goMod],
    [found, project.files['go.mod'] ?? ''],
  ] as const) {
    for (const [path, ours] of await answersTo(project, text)) {
      const expected = theirs.get(path);
      // What is excluded is not required: what else decides is not in the file.
      if (expected === undefined || (ours.endsWith('@no-match') && figure === found)) continue;
      figure[1] = (figure[1] ?? 0) + 1;
      if (expected === ours) figure[0] = (figure[0] ?? 0) + 1;
      else if (figure === found && go.compare(versionIn(expected), versionIn(ours)) > 0) raised++;
      else
        notes.push(
          `${figure === settled ? 'settled' : 'found'} ${path}: ${expected} in the build list, we say ${ours}`,
        );
    }
  }
  return { settled, found, notes, raised };
}

const versionIn = (id: string): string => id.slice(id.indexOf('@') + 1);

async function answersTo({ universe, files }: GoProject, goMod: string): Promise<ReadonlyMap<string, string>> {
  const catalog = Object.fromEntries(
    Object.entries(universe).map(([path, versions]) => [
      `GO ${path}`,
      { versions: Object.fromEntries(Object.keys(versions).map((it) => [it, {}])) },
    ]),
  );
  const lab = await openLab(new Map(Object.entries({ ...files, 'go.mod': goMod })), catalog);
  try {
    const { dependencies } = await lab.settled('go.mod');
    return new Map(
      dependencies.flatMap(({ linked, resolution }): [string, string][] => {
        const { dependency, key, requirement } = linked;
        // The right side of a replacement stands for itself.
        if (dependency.group === 'replace') return [];
        if (requirement.kind === 'source') return [[dependency.name, 'folder']];
        const version = resolution.kind === 'version' ? resolution.version : resolution.kind;
        return [[dependency.name, `${key.name}@${version}`]];
      }),
    );
  } finally {
    await lab.close();
  }
}
