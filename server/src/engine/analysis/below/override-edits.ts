import * as l10n from '@vscode/l10n';
import { nameOf } from '../../base/uri.ts';
import { overrideFiles, overrideIn } from '../../ecosystems/overrides.ts';
import type { Edit } from '../../model/finding.ts';
import type { AffectedBelow, Below } from '../../model/graph/below.ts';
import type { Snapshot } from '../snapshot.ts';
import { forcedIn } from './forced.ts';

/** The edits of an override, or a clause why there are none. */
export type OverrideEdits =
  | {
      readonly ok: true;
      readonly uri: string;
      /** As it is now; undefined for a file that is created. */
      readonly text: string | undefined;
      readonly edits: readonly Edit[];
      /** As the tool calls it: `overrides`. */
      readonly section: string;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Writes an override for an affected package into the files that its tool reads: those beside the lockfile, or those of
 * the manifest.
 * @param wanted the version to lock
 * @param read the text of a file; undefined for a missing one
 */
export async function overrideEdits(
  { lockfiles, texts: loaded }: Pick<Snapshot, 'lockfiles' | 'texts'>,
  { lockfile, graph }: Below,
  { key }: AffectedBelow,
  wanted: string,
  read: (uri: string) => Promise<string | undefined>,
): Promise<OverrideEdits> {
  const found = lockfiles.find((it) => it.format.id === lockfile);
  if (found === undefined) return { ok: false, reason: l10n.t('{0} is missing', lockfile) };
  const texts = new Map<string, string>();
  const uris = new Map<string, string>();
  for (const name of overrideFiles(lockfile)) {
    const uri = found.directory + name;
    uris.set(name, uri);
    const text = name === lockfile ? found.text : (loaded.get(uri) ?? (await read(uri)));
    if (text !== undefined) texts.set(name, text);
  }
  for (const [uri, text] of loaded) {
    const name = nameOf(uri);
    if (uris.has(name)) continue;
    uris.set(name, uri);
    texts.set(name, text);
  }
  const override = overrideIn(lockfile, forcedIn(graph, key.name, key.version, wanted), texts);
  if (!override.ok) return override;
  const uri = uris.get(override.file) ?? found.directory + override.file;
  const edits = override.edits.map((it): Edit => ({ uri, ...it }));
  return { ok: true, uri, text: texts.get(override.file), edits, section: override.section };
}
