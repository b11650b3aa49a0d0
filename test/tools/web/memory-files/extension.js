/*
 * A file system in memory, filled with the files that the host serves beside this extension. Like that of a repository in
 * a web editor, it has no disk, no paths and no search of its own.
 */
const vscode = require('vscode');

/** The address of the files, relative to this extension: their contents by path, in base64. */
const listing = 'files.json';

exports.activate = async (context) => {
  const files = createFiles(load(context));
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider('memfs', files, { isCaseSensitive: true }));
};

async function load({ extensionUri }) {
  const response = await fetch(vscode.Uri.joinPath(extensionUri, listing).toString(true));
  return response.json();
}

function createFiles(loading) {
  const changed = new vscode.EventEmitter();
  /** Files by path, `/sample/package.json`. */
  const all = new Map();
  const ready = loading.then(({ files }) => {
    for (const [path, content] of Object.entries(files)) {
      const bytes = Uint8Array.from(atob(content), (it) => it.charCodeAt(0));
      all.set(path, { bytes, at: Date.now() });
    }
  });
  const isFolder = (path) => path === '/' || [...all.keys()].some((it) => it.startsWith(`${path}/`));
  const plain = (uri) => (uri.path === '/' ? '/' : uri.path.replace(/\/$/, ''));

  return {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose() {} }),
    async stat(uri) {
      await ready;
      const file = all.get(plain(uri));
      if (file) return { type: vscode.FileType.File, ctime: 0, mtime: file.at, size: file.bytes.length };
      if (isFolder(plain(uri))) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      throw vscode.FileSystemError.FileNotFound(uri);
    },
    async readDirectory(uri) {
      await ready;
      const prefix = plain(uri) === '/' ? '/' : `${plain(uri)}/`;
      const entries = new Map();
      for (const path of all.keys()) {
        if (!path.startsWith(prefix)) continue;
        const [name, ...below] = path.slice(prefix.length).split('/');
        entries.set(name, below.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
      }
      return [...entries];
    },
    async readFile(uri) {
      await ready;
      const file = all.get(plain(uri));
      if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      return file.bytes;
    },
    async writeFile(uri, bytes, { create }) {
      await ready;
      const isNew = !all.has(plain(uri));
      if (isNew && !create) throw vscode.FileSystemError.FileNotFound(uri);
      all.set(plain(uri), { bytes, at: Date.now() });
      changed.fire([{ type: isNew ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed, uri }]);
    },
    async delete(uri) {
      await ready;
      all.delete(plain(uri));
      changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
    },
    async rename(from, to) {
      await ready;
      all.set(plain(to), all.get(plain(from)));
      all.delete(plain(from));
      changed.fire([
        { type: vscode.FileChangeType.Deleted, uri: from },
        { type: vscode.FileChangeType.Created, uri: to },
      ]);
    },
    createDirectory() {},
  };
}
