import { parseArgs } from 'node:util';
import { describe, soak } from './soak.ts';

/* `npm run soak -- [--edits N] [--documents N] [--seed N]`: minutes of editing while the service is in trouble. */
const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '20000' },
    documents: { type: 'string', default: '200' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
  },
});
const [edits, documents, seed] = [Number(values.edits), Number(values.documents), Number(values.seed)];
console.log(`${edits} edits of ${documents} documents; --seed ${seed} does the same again`);
const { memory, requests, asked, wrong, seconds } = await soak({
  edits,
  documents,
  seed,
  patience: 120_000,
  log: console.log,
});
console.log(`${requests.sent} requests: ${requests.answered} answered, ${requests.cancelled} given up`);
console.log(`${asked} requests at the service, every tenth of them answered wrongly`);
console.log(`memory: ${memory.map(describe).join('; ')}`);
console.log(`${seconds} s`);
if (wrong.length > 0) {
  console.log(wrong.slice(0, 3).join('\n\n'));
  process.exitCode = 1;
}
