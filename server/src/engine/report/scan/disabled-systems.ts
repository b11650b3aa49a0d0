import type { OwnNames } from '../../ecosystems/manifest-formats.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { System } from '../../model/system.ts';

/** The names of manifests that a person has chosen, at a path or address: folders may have their own settings. */
export type NamesFor = (place: string) => OwnNames;

/** Systems that a person has switched off. */
export interface DisabledSystems {
  readonly systems: readonly System[];
  /** `--disable-system`, or the setting. */
  readonly by: string;
}

/** What leaves out a manifest because of its system: `--disable-system npm`. */
export function disabledBy(
  format: ManifestFormat | undefined,
  disabled: DisabledSystems | undefined,
): string | undefined {
  if (disabled === undefined || disabled.systems.length === 0) return undefined;
  const found = disabled.systems.find((it) => it === format?.system);
  return found && `${disabled.by} ${found.toLowerCase()}`;
}
