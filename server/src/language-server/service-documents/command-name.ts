/**
 * Runs a command of a service document. Its arguments are the name of the kind, the name of the command, and those of the
 * command: `["request", "send", "file:///w/list.pi-request"]`.
 */
export const documentCommand = 'packageInsights.server.documentCommand';
