import { formatOf } from '../../ecosystems/manifest-formats.ts';
import type { System } from '../../model/system.ts';

/** Systems that a person has switched off. */
export interface DisabledSystems {
  readonly systems: readonly System[];
  /** `--disable-system`, or the setting. */
  readonly by: string;
}

/** What leaves out a manifest because of its system: `--disable-system npm`. */
export function disabledBy(path: string, disabled: DisabledSystems | undefined): string | undefined {
  if (disabled === undefined || disabled.systems.length === 0) return undefined;
  const system = formatOf(path)?.system;
  const found = disabled.systems.find((it) => it === system);
  return found && `${disabled.by} ${found.toLowerCase()}`;
}
