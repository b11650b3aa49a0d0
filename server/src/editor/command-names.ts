/*
 * The commands of workspace/executeCommand, which hints, hovers and actions refer to. Any client may run them;
 * requests/commands.ts, or an extension, has the function of each.
 */

/** Requests every fact again. */
export const refreshCommand = 'packageInsights.server.refresh';

/** Moves a dependency to a version. Its argument is an `UpdateRequest` or a `ManagingRequest`. */
export const updateCommand = 'packageInsights.server.update';

/** Says why a dependency cannot be updated, and shows the place that decides. Its argument is an `ExplainRequest`. */
export const explainCommand = 'packageInsights.server.explain';

/** Moves every deprecated or affected dependency of the document whose address is its argument. */
export const updateAllCommand = 'packageInsights.server.updateAll';

/** Adds an ignore to the nearest project file. Its argument is an `IgnoreRequest`. */
export const ignoreCommand = 'packageInsights.server.ignore';

/** Removes an ignore from the nearest project file. Its argument is an `IgnorePlace`. */
export const stopIgnoringCommand = 'packageInsights.server.stopIgnoring';

/** Shows an ignore in the nearest project file. Its argument is an `IgnorePlace`. */
export const showIgnoreCommand = 'packageInsights.server.showIgnore';

/** Adds a pattern to the private packages of the nearest project file. Its argument is a `PrivateRequest`. */
export const makePrivateCommand = 'packageInsights.server.makePrivate';

/** Takes a way out of an affected package. Its argument is a `WayRequest`. */
export const wayOutCommand = 'packageInsights.server.wayOut';

/**
 * Runs a command of a service document. Its arguments are the name of the kind, the name of the command, and those of the
 * command: `["request", "send", "file:///w/list.pi-request"]`.
 */
export const documentCommand = 'packageInsights.server.documentCommand';

/** Those that the server announces. */
export const serverCommands = [
  refreshCommand,
  updateCommand,
  explainCommand,
  updateAllCommand,
  ignoreCommand,
  stopIgnoringCommand,
  showIgnoreCommand,
  makePrivateCommand,
  wayOutCommand,
  documentCommand,
] as const;

export type ServerCommandName = (typeof serverCommands)[number];
