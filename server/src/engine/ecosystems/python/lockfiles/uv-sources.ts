import { scanPackageFields, stringsIn, tablesIn, valuesIn } from '../../../formats/toml/package-fields.ts';
import { canonicalName } from '../../../model/keys.ts';
import { projectDirectory } from '../graph/uv-graph.ts';

/**
 * Whether a member of a workspace takes a package that uv's file has several times from no registry, always.
 *
 *     [[package]]
 *     name = "member"
 *     source = { virtual = "." }
 *     dependencies = [
 *         { name = "fine", version = "1.0.0", source = { git = "https://…" } },
 *     ]
 */
export function takesElsewhere(text: string, name: string, directory: string): boolean {
  let isOwn = false;
  const sources: string[] = [];
  scanPackageFields(text, 'package', {
    begin() {
      isOwn = false;
    },
    field(table, key, value, isInPackage) {
      if (table === '' && key === 'source') isOwn = isInPackage && projectDirectory(value) === directory;
      else if (isOwn && (table === '' ? key === 'dependencies' : lists.has(table)))
        sources.push(...sourcesOf(name, value));
    },
  });
  return sources.length > 0 && !sources.some((it) => /\bregistry\b/.test(it));
}

/** The tables of which each field is a list of requirements. */
const lists: ReadonlySet<string> = new Set(['optional-dependencies', 'dev-dependencies']);

function sourcesOf(name: string, list: string): string[] {
  return tablesIn(list).flatMap((it) => {
    const values = valuesIn(it);
    const [of = ''] = stringsIn(values.get('name') ?? '');
    return canonicalName('PYPI', of) === name ? (values.get('source') ?? []) : [];
  });
}
