import type { Diagnostic } from 'vscode-languageserver';
import { isoDay } from '../../engine/base/dates.ts';
import { nameOf } from '../../engine/base/uri.ts';
import { positionsIn } from '../../engine/formats/text/positions.ts';
import { projectFileName } from '../../engine/model/project.ts';
import { expiredIgnores, readProjectFile } from '../../engine/policy/project-file.ts';
import { severityNumber } from '../features/diagnostics.ts';
import { source } from '../features/offers.ts';
import type { ServerState } from '../state/server-state.ts';

export function isProjectFile(uri: string): boolean {
  return nameOf(uri) === projectFileName;
}

/** The problems and expired ignores of a project file, without those that the editor reports by the schema. */
export function diagnosticsOfProject(uri: string, text: string, { client, engine }: ServerState): Diagnostic[] {
  const { clock } = engine;
  const { encoding } = client;
  const positions = positionsIn(text, encoding);
  const isSchemaChecked = client.capabilities.experimental?.packageInsightsSchema === true;
  const wrong = readProjectFile(uri, text).problems.filter((it) => !(isSchemaChecked && it.bySchema));
  return [...wrong, ...expiredIgnores(text, isoDay(clock.now()))].map(({ span, severity, message }) => ({
    range: positions.range(span),
    severity: severityNumber(severity),
    source,
    message,
  }));
}
