import { linkDependencies } from '../../../server/src/engine/analysis/link/linker.ts';
import { startReading } from '../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import { filesOf } from '../../engine/analysis/members-lab.ts';
import type { GradleProject } from './gradle-projects.ts';

/** The declared versions, by the name of the artifact. */
export type GradleAnswer = Readonly<Record<string, readonly string[]>>;

export interface GradleFigures {
  /** One version, and it is that. */
  exact: number;
  /** One of several, each with its condition. */
  among: number;
  /** We say why there is none. */
  unknown: number;
  /** The file has a gap there. */
  gap: number;
  wrong: number;
  /** A dependency that we do not see, and say nothing. */
  silent: number;
}

const root = 'file:///w/';

/** Holds what the engine says of a build against what Gradle declares. */
export async function compareGradle(
  { files }: GradleProject,
  declared: GradleAnswer,
): Promise<GradleFigures & { readonly notes: readonly string[] }> {
  const figures: GradleFigures = { exact: 0, among: 0, unknown: 0, gap: 0, wrong: 0, silent: 0 };
  const notes: string[] = [];
  const ours = new Map<string, { text?: string; reason?: string; when?: string }[]>();
  let hasGap = false;
  const reader = new ManifestReader(filesOf(files));
  for (const [path, text] of Object.entries(files)) {
    const format = formatOf(`/${path}`);
    if (format?.id !== 'build.gradle') continue;
    const chain = await startReading(reader).chain(root + path, format, text);
    hasGap ||= (chain.files[0]?.manifest.problems.length ?? 0) > 0 || chain.truncatedAt !== undefined;
    for (const { key, requirement, dependency } of linkDependencies(chain)) {
      // A call that is not read names the artifact in its text.
      const name = /\('(\w+)'/.exec(key.name)?.[1] ?? key.name.split(':')[1] ?? key.name;
      const list = ours.get(name) ?? [];
      ours.set(name, list);
      const when = dependency.condition;
      if (requirement.kind === 'text') list.push({ text: requirement.text, ...(when && { when }) });
      else list.push({ reason: requirement.kind === 'unresolved' ? requirement.reason : requirement.kind });
    }
  }
  for (const [name, versions] of Object.entries(declared)) {
    const said = ours.get(name) ?? [];
    const texts = [...new Set(said.flatMap((it) => it.text ?? []))];
    const reasons = said.flatMap((it) => it.reason ?? []);
    const isIn = versions.every((it) => texts.includes(it));
    const about = `${name}: ${versions.join(' ')} is declared, we say ${said.map((it) => it.text ?? it.reason).join(' | ')}`;
    if (isIn && texts.length === versions.length) figures.exact++;
    else if (isIn) {
      figures.among++;
      if (!said.some((it) => it.when)) notes.push(`without a condition ${about}`);
      else if (process.env['AMONG']) notes.push(`among ${about}`);
    } else if (said.length === 0) {
      figures[hasGap ? 'gap' : 'silent']++;
      notes.push(`${hasGap ? 'gap' : 'silent'} ${name} ${versions}`);
    } else if (reasons.length > 0) {
      figures.unknown++;
      notes.push(`unknown ${about}`);
    } else {
      figures.wrong++;
      notes.push(`wrong ${about}`);
    }
  }
  return { ...figures, notes };
}
