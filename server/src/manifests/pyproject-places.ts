import type { Scope } from '../model/manifest.ts';
import { entriesOf, type TomlValue } from '../text/toml-tree.ts';

/** Somewhere in pyproject.toml where dependencies are written. `*` in `path` is any name, and that name in `group`. */
export interface Place {
  readonly path: readonly string[];
  readonly scope: Scope;
  readonly group: string;
}

/** Lists of specifiers: `["requests>=2.31"]`. Sources: PEP 518, 621 and 735, and the references of each tool. */
export const lists: readonly Place[] = [
  place('project.dependencies', 'runtime', 'dependencies'),
  place('project.optional-dependencies.*', 'optional', 'extra *'),
  place('dependency-groups.*', 'dev', 'group *'),
  place('build-system.requires', 'build', 'build-system'),
  place('tool.uv.dev-dependencies', 'dev', 'group dev'),
  place('tool.uv.constraint-dependencies', 'runtime', 'constraint-dependencies'),
  place('tool.uv.override-dependencies', 'runtime', 'override-dependencies'),
  place('tool.uv.build-constraint-dependencies', 'build', 'build-constraint-dependencies'),
  place('tool.uv.extra-build-dependencies.*', 'build', 'extra-build-dependencies of *'),
  place('tool.rye.dev-dependencies', 'dev', 'group dev'),
  place('tool.pdm.dev-dependencies.*', 'dev', 'group *'),
  place('tool.hatch.envs.*.dependencies', 'dev', 'hatch env *'),
  place('tool.hatch.envs.*.extra-dependencies', 'dev', 'hatch env *'),
  place('tool.hatch.env.requires', 'build', 'hatch'),
  place('tool.hatch.build.dependencies', 'build', 'hatch build'),
  place('tool.hatch.build.hooks.*.dependencies', 'build', 'hatch build'),
  place('tool.hatch.build.targets.*.dependencies', 'build', 'hatch build'),
  place('tool.hatch.build.targets.*.hooks.*.dependencies', 'build', 'hatch build'),
  place('tool.flit.metadata.requires', 'runtime', 'dependencies'),
  place('tool.flit.metadata.dev-requires', 'dev', 'group dev'),
  place('tool.flit.metadata.requires-extra.*', 'optional', 'extra *'),
];

/** Tables with a name on the left: `requests = "^2.31"`. */
export const tables: readonly Place[] = [
  place('tool.poetry.dependencies', 'runtime', 'dependencies'),
  place('tool.poetry.dev-dependencies', 'dev', 'group dev'),
  place('tool.poetry.group.*.dependencies', 'dev', 'group *'),
  place('tool.poetry.requires-plugins', 'build', 'poetry plugins'),
  place('tool.pdm.resolution.overrides', 'runtime', 'override-dependencies'),
  place('tool.pixi.pypi-dependencies', 'runtime', 'dependencies'),
  place('tool.pixi.feature.*.pypi-dependencies', 'optional', 'feature *'),
];

export function isOfUv({ path: [tool, name] }: Place): boolean {
  return tool === 'tool' && name === 'uv';
}

function place(path: string, scope: Scope, group: string): Place {
  return { path: path.split('.'), scope, group };
}

/** What stands at a place, once for every name that `*` stands for. A value yet to be typed is left out. */
export function valuesAt(root: TomlValue, { path, group }: Place): { value: TomlValue; group: string }[] {
  let found = [{ value: root, group }];
  for (const part of path) {
    found = found.flatMap((at) =>
      entriesOf(at.value).flatMap(({ key, value }) => {
        if (value === undefined || (part !== '*' && part !== key.text)) return [];
        return [{ value, group: part === '*' ? at.group.replace('*', () => key.text) : at.group }];
      }),
    );
  }
  return found;
}
