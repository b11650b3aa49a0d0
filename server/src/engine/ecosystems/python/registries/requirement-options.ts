import { logicalLines } from '../requirements-lines.ts';

/** What an option of pip says of indexes. */
export interface IndexOption {
  /** `-i`, `--extra-index-url`, `--find-links`, `--no-index` */
  readonly kind: 'instead' | 'beside' | 'links' | 'none';
  readonly url: string;
}

/** The lines of a requirements file that are options. */
export function optionLines(text: string): readonly string[] {
  if (!/-i|-f|-r|--ext|--fi|--no-ind|--pypi-url|--req/.test(text)) return [];
  return logicalLines(text).flatMap((it) => (/^\s*-/.test(it.text) ? it.text : []));
}

/**
 * `-i https://…`, `--index-url=https://…`, `--extra-index-url https://…`, in their order. A line may have several, and pip
 * accepts abbreviations: `--extra-index`.
 */
export function optionsIn(lines: readonly string[]): readonly IndexOption[] {
  return lines.flatMap((line) =>
    [...line.matchAll(option)].map(([, none, extra, links, url = '']): IndexOption => {
      if (none !== undefined) return { kind: 'none', url };
      return { kind: extra !== undefined ? 'beside' : links !== undefined ? 'links' : 'instead', url };
    }),
  );
}

const option =
  /(?<!\S)(?:(--no-ind[a-z-]*)(?!\S)|(?:-i|--(?:ind[a-z-]*|pypi-url)|(--ext[a-z-]*)|(-f|--fi[a-z-]*))(?:\s*=\s*|\s+|(?<=\s-[if]|^-[if]))["']?([^\s"']+))/g;
