import { auditCommand } from '../connected/terminal/audit.ts';
import { callCommand } from '../connected/terminal/call.ts';
import type { ConnectedTerminal } from '../connected/terminal/connected-terminal.ts';
import { connectionsCommand } from '../connected/terminal/connections.ts';
import { deployCommand } from '../connected/terminal/deploy.ts';
import { scheduleCommand } from '../connected/terminal/schedule/schedule.ts';
import { usageCommand } from '../connected/terminal/usage.ts';
import { fleetCommand } from '../fleet/terminal/fleet.ts';
import { importCommand } from '../service/terminal/import.ts';
import { serveCommand } from '../service/terminal/serve.ts';
import type { ServiceTerminal } from '../service/terminal/service-terminal.ts';
import type { Commands } from '../terminal/command.ts';
import { engineCommands } from '../terminal/main.ts';

/** What all commands together need of the program around them. */
export type WholeTerminal = ServiceTerminal & ConnectedTerminal;

export const commands: Commands = {
  own: [
    engineCommands.check,
    fleetCommand,
    engineCommands.notices,
    engineCommands.lookup,
    engineCommands.identify,
    serveCommand,
    importCommand,
    engineCommands.lsp,
  ],
  connected: [connectionsCommand, scheduleCommand, deployCommand, auditCommand, callCommand, usageCommand],
};
