import { type Install, installOf } from '../../engine/analysis/install.ts';
import type { OwnRequest } from '../extension.ts';
import { fieldsIn, textIn } from '../params.ts';

export interface InstallParams {
  readonly textDocument: { readonly uri: string };
}

/** How the updates of an open manifest are installed; null where this is not known. Runs nothing. */
export const installRequest: OwnRequest<InstallParams, Install | null> = {
  method: 'packageInsights/install',
  read(params) {
    const uri = textIn(fieldsIn(params).textDocument, 'uri');
    return uri === undefined ? undefined : { textDocument: { uri } };
  },
  async answer({ textDocument: { uri } }, { engine }) {
    const snapshot = await engine.workspace.snapshot(uri);
    return (snapshot && installOf(snapshot)) ?? null;
  },
};
