import { Lexer, Parser } from 'yaml';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import { median, type Row } from './table.ts';
import { lockfiles, manifests, manyPackages } from './texts.ts';

/** Manifests of 1,000 dependencies and lockfiles of 20,000 entries, read once the code is warm. */
export function readings(times: number): Row[] {
  const names = manyPackages(1000);
  const json = manifests['package.json']?.(names) ?? '';
  const rows = Object.entries(manifests).map(([path, write]): Row => {
    const format = formatOf(path);
    if (format === undefined) throw new Error(`no format reads ${path}`);
    const text = write(names);
    const found = format.parse(text).dependencies.length + format.parse(text).definitions.length;
    if (found < names.length) throw new Error(`${path}: ${found} dependencies were read`);
    const floor = path.endsWith('.yaml')
      ? { floor: clocked(times, () => tokens(text)), against: 'tokens of the yaml library alone' }
      : { floor: clocked(times, () => JSON.parse(json)), against: 'JSON.parse of such a package.json' };
    return {
      what: `${path}, 1,000 dependencies`,
      unit: 'ms',
      value: clocked(times, () => format.parse(text)),
      ...floor,
    };
  });
  const many = manyPackages(20_000);
  for (const [id, write] of Object.entries(lockfiles)) {
    const format = lockfileFormats.find((it) => it.id === id);
    if (format === undefined) throw new Error(`no format reads ${id}`);
    const text = write(many);
    // Its packages are read when they are first needed.
    const value = clocked(9, () => {
      const { packages } = format.parse(text);
      if (packages.length < many.length) throw new Error(`${id}: ${packages.length} entries were read`);
    });
    const floor = id.endsWith('.json')
      ? { floor: clocked(9, () => JSON.parse(text)), against: 'JSON.parse' }
      : { floor: clocked(9, () => text.split('\n').map((it) => it.trim())), against: 'split and trim its lines' };
    rows.push({ what: `${id}, 20,000 entries`, unit: 'ms', value, ...floor });
  }
  return rows;
}

function tokens(text: string): void {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) for (const _ of parser.next(lexeme));
  for (const _ of parser.end());
}

function clocked(times: number, call: () => void): number {
  for (let time = 0; time < 5; time++) call();
  const figures: number[] = [];
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    call();
    figures.push(performance.now() - began);
  }
  return median(figures);
}
