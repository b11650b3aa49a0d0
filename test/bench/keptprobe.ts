import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { startMeasuredService } from './processes.ts';
import { startEditing } from './editing.ts';
import { cache, root } from '../workbench/paths.ts';
const [count, times] = [Number(process.argv[2] ?? 800), Number(process.argv[3] ?? 15)];
const server = process.argv[4] ?? join(root, 'dist', 'server.js');
const service = await startMeasuredService();
const directory = join(cache, 'bench', 'answers-probe'); rmSync(directory, { recursive: true, force: true });
const env = { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: directory };
const first = await startEditing(server, service.at[0], count, 'pins', env); await first.open(); await first.client.stop();
const own: number[] = [];
if (process.argv[5]) process.env['PROF'] = '1';
for (let i = 0; i < times; i++) { const e = await startEditing(server, service.at[0], count, 'pins', env); own.push(await e.openKept()); await e.client.stop(); }
own.sort((a, b) => a - b);
console.log('median', own[own.length >> 1]!.toFixed(1), 'p25', own[own.length >> 2]!.toFixed(1), 'min', own[0]!.toFixed(1));
service.stop(); process.exit(0);
