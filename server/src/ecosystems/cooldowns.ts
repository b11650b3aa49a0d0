import type { CooldownReader } from '../model/registries/cooldown.ts';
import { npmCooldowns } from './npm/access/cooldowns.ts';

/** The tools that keep young versions back, each with its own settings. */
export const cooldownReaders: readonly CooldownReader[] = [...npmCooldowns];
