import type { AccessInputs, AccessSource } from '../../../../server/src/engine/model/registries/access.ts';
import type { Picture } from '../../../harness/picture.ts';

/*
 * A picture of configurations: files of the workspace, the nearest first, then those of the machine (`~/…`); `$NAME` is a
 * variable of the environment, and `lockfiles` are those beside the manifest. Under `SYSTEM` stand names, and below each
 * the registries that its client asks for it, with what they are sent. Under `anew` another configuration begins.
 */
export interface Configuration {
  readonly inputs: AccessInputs;
  /** By their paths: `~/.npmrc`, `near/.npmrc`. */
  readonly files: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, string>;
  readonly system: string;
  /** A package, perhaps with the registries that its manifest names: `serde @ acme`. */
  readonly asked: readonly string[];
  /** The place of these packages among the sections. */
  readonly section: number;
}

/** A configuration for each section of packages. */
export function configurationsOf({ sections }: Picture): Configuration[] {
  const found: Configuration[] = [];
  let files = new Map<string, string>();
  let variables = new Map<string, string>();
  let lockfiles: string[] = [];
  let isTrusted = true;
  for (const [section, { name, text }] of sections.entries()) {
    if (name === 'anew') {
      files = new Map();
      variables = new Map();
      lockfiles = [];
      isTrusted = true;
    } else if (name === 'untrusted') isTrusted = false;
    else if (name === 'lockfiles') lockfiles = text.split('\n');
    else if (name.startsWith('$')) variables.set(name.slice(1), text);
    else if (/^[A-Z]+$/.test(name)) {
      const values = new Map(variables);
      found.push({
        inputs: { sources: sourcesOf(files, values), variable: (it) => values.get(it), isTrusted, lockfiles },
        files: new Map(files),
        variables: values,
        system: name,
        asked: text.split('\n').filter((it) => /^\S/.test(it)),
        section,
      });
    } else files.set(name, text);
  }
  return found;
}

function sourcesOf(files: ReadonlyMap<string, string>, variables: ReadonlyMap<string, string>): AccessSource[] {
  const ofMachine = [...variables].map(([label, text]): AccessSource => {
    // As platform/ gives them: settings of npm in the environment are lines of an .npmrc.
    const setting = /^p?npm_config_(@.+:registry|\/\/.+:_?\w+)$/i.exec(label)?.[1];
    if (setting !== undefined)
      return { name: '.npmrc', label, text: `${setting}=${JSON.stringify(text)}`, owner: 'machine' };
    return { name: label.toUpperCase(), label, text, owner: 'machine' };
  });
  const ofFiles = [...files].map(([label, text]): AccessSource => {
    const file = label.replace(/^.*\//, '');
    const name = names[file] ?? file;
    if (/^[~/]/.test(label)) return { name, label, text, owner: 'machine' };
    return { name, label, text, owner: 'workspace', directory: `file:///workspace/${label.slice(0, -file.length)}` };
  });
  return [...ofMachine, ...ofFiles];
}

/** Files that are read under the name of another one. */
const names: Readonly<Record<string, string>> = {
  rc: '.npmrc',
  'auth.ini': '.npmrc',
  'config.yaml': 'pnpm-workspace.yaml',
};
