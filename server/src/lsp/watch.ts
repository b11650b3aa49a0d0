import { type ClientCapabilities, type Connection, DidChangeWatchedFilesNotification } from 'vscode-languageserver';

/**
 * Asks a client to tell of changed files.
 * @returns whether the client can: where not, files are read again when a document is opened or saved
 */
export function watchFiles(connection: Connection, { workspace }: ClientCapabilities): boolean {
  if (!workspace?.didChangeWatchedFiles?.dynamicRegistration) return false;
  connection.client
    .register(DidChangeWatchedFilesNotification.type, { watchers: watched.map((globPattern) => ({ globPattern })) })
    .catch((error: unknown) => connection.console.log(`the client does not watch files: ${String(error)}`));
  return true;
}

/** Every file that may take part: the names of manifests, of what they include, and of lockfiles. */
const watched = [
  '**/*.{json,jsonc,xml,pom,toml,lock,lockfile,yaml,yml,txt,in,props,targets,projitems,*proj,config,nuspec,cfg,mod,sum,work,gradle,kts,properties}',
  // Where packages come from.
  '**/{.npmrc,.yarnrc,Pipfile,.cargo/config,pip.conf,pip.ini}',
] as const;
