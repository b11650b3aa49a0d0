import type { Withheld } from '../report/report.ts';
import { withheldText } from '../report/words.ts';
import type { Terminal } from './command.ts';

/** Says how many dependencies the service did not hear of, because they come from a registry of their own, and which. */
export function printWithheld(withheld: readonly Withheld[], command: string, terminal: Terminal): void {
  for (const it of withheld) terminal.error(`package-insights ${command}: ${withheldText(it)}`);
}
