import { type ClientCapabilities, type Connection, DidChangeWatchedFilesNotification } from 'vscode-languageserver';

/**
 * Asks a client to tell of changed files.
 * @param refused called where it said that it can, and then would not
 * @returns whether the client can: where not, files are read again when a document is opened or saved
 */
export function watchFiles(connection: Connection, { workspace }: ClientCapabilities, refused: () => void): boolean {
  if (!workspace?.didChangeWatchedFiles?.dynamicRegistration) return false;
  connection.client
    .register(DidChangeWatchedFilesNotification.type, { watchers: watched.map((globPattern) => ({ globPattern })) })
    .catch((error: unknown) => {
      connection.console.log(`the client does not watch files: ${String(error)}`);
      refused();
    });
  return true;
}

/**
 * Every file that may take part: the names of manifests, of what they include, and of lockfiles. Emacs's eglot turns all
 * of them down where one has an asterisk between braces.
 */
const watched = [
  '**/*.{json,jsonc,xml,pom,toml,lock,lockfile,yaml,yml,txt,in,props,targets,projitems,config,nuspec,cfg,mod,sum,work,gradle,kts,properties}',
  '**/*.*proj',
  // Where packages come from.
  '**/{.npmrc,.yarnrc,Pipfile,.cargo/config,pip.conf,pip.ini}',
] as const;
