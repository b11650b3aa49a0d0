import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { groupBy } from '../../../server/src/engine/base/collections.ts';
import { manifestFormats } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import { type Line, readLines } from './read-lines.ts';

/*
 * `node test/tools/lines/lines.ts FOLDER…`: how many dependencies of a project have a version, and why others have none.
 * `--system NPM`: those of another system than Maven and Gradle; `--each`: each line without a version.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { system: { type: 'string', default: 'MAVEN' }, each: { type: 'boolean' } },
});
const formats = new Set(manifestFormats.filter((it) => it.system === values.system && !it.record).map((it) => it.id));

for (const folder of positionals) {
  const all: Line[] = [];
  for await (const it of readLines(resolve(folder), formats)) all.push(it);
  const count = (kind: Line['how']['kind']): number => all.filter((it) => it.how.kind === kind).length;
  const without = count('without');
  const decided = all.length - count('published');
  console.log(
    `${folder}: ${all.length} lines, ${count('version')} with a version, ${count('here')} of the project itself, ` +
      `${count('published')} by a published file, ${without} without (${Math.round((100 * without) / (decided || 1))} %)`,
  );
  const reasons = groupBy(
    all.flatMap((it) => (it.how.kind === 'without' ? [{ ...it, reason: it.how.reason }] : [])),
    (it) => it.reason,
  );
  for (const [reason, its] of [...reasons].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`${String(its.length).padStart(6)} ${reason}`);
    for (const it of values.each ? its : its.slice(0, 0))
      console.log(`         ${it.at} ${it.name} (${it.group ?? ''})`);
  }
}
