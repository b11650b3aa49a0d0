/*
 * Holds ecosystems/python/registry-access.ts against the clients of Python: which indexes they ask for a package, in
 * which order, and what they send.
 *
 *     node test/tools/differential/python-indexes.ts <folder of their programs> [pip|uv|poetry|pdm|pipenv]
 *
 * The test of pip and uv runs the same cases; the other clients take seconds for each. Linux only: each index has an
 * address of its own on the loopback.
 */
import { isDeepStrictEqual } from 'node:util';
import { indexCases } from '../../engine/ecosystems/clients/python-cases.ts';
import { askedByTool, askedByUs, toolArguments } from '../../engine/ecosystems/clients/python-clients.ts';

const [bin = '', only] = process.argv.slice(2);
let count = 0;
for (const it of indexCases.filter((one) => only === undefined || one.tool === only)) {
  const { asked, output } = await askedByTool(it, { bin, command: it.tool, args: toolArguments[it.tool] });
  const ours = askedByUs(it);
  const isSame = isDeepStrictEqual(
    it.tool === 'uv' || ours.length < 2 ? asked : asked.toSorted(),
    it.tool === 'uv' || ours.length < 2 ? ours : ours.toSorted(),
  );
  if (isSame) count++;
  else
    console.log(
      `${it.tool}, ${it.title}\n  theirs: ${asked.join(' | ')}\n  ours:   ${ours.join(' | ')}\n${output.slice(-1500)}`,
    );
}
console.log(`${count} cases are the same`);
process.exit();
