/* What the editor loads and calls to run the tests inside: see ../host.editor.ts. */
import './activation.ts';
import './package-json.ts';
import './sample.ts';
import './systems.ts';
import './writing.ts';
import './completing.ts';
import './untitled.ts';
import './looking-up.ts';
import './purls.ts';
import './first-hints.ts';
import './opening.ts';
import './proxy.ts';
import './crash.ts';
import { runAll } from './runner.ts';

export function run(): Promise<void> {
  return runAll(process.env.PACKAGE_INSIGHTS_RESULTS ?? '');
}
