import type { Position, Range } from 'vscode-languageserver';
import { type Brief, briefOf } from '../features/brief.ts';
import { subjectAt } from '../features/hover.ts';
import type { Subject } from '../model/subject.ts';
import { fieldsIn } from './params.ts';
import type { OwnRequest } from './requests.ts';

export interface SubjectsParams {
  readonly textDocument: { readonly uri: string };
  /** Without it every dependency is told. */
  readonly position?: Position;
}

export interface SubjectsAnswer {
  /** Id of the manifest's format, `package.json`; absent where the document is no manifest that is open. */
  readonly format?: string;
  readonly subjects: readonly SubjectAnswer[];
}

/** A dependency where it stands, with what is known of it at this moment. */
export interface SubjectAnswer extends Brief {
  /** Of its requirement, or of its name where nothing is written. */
  readonly range: Range;
  /** Where in the file it stands: `devDependencies`. */
  readonly group?: string;
}

/** The dependencies of an open manifest, or the one at a place. */
export const subjectsRequest: OwnRequest<SubjectsParams, SubjectsAnswer> = {
  method: 'packageInsights/subjects',
  read(params) {
    const { textDocument, position } = fieldsIn(params);
    const { uri } = fieldsIn(textDocument);
    const { line, character } = fieldsIn(position);
    if (typeof uri !== 'string') return undefined;
    if (position === undefined) return { textDocument: { uri } };
    if (typeof line !== 'number' || typeof character !== 'number') return undefined;
    return { textDocument: { uri }, position: { line, character } };
  },
  async answer({ textDocument: { uri }, position }, session) {
    const snapshot = await session.workspace.snapshot(uri);
    if (snapshot === undefined) return { subjects: [] };
    const { positions } = session.contextFor(snapshot);
    const toRange = ({ start, end }: Subject['linked']['span']): Range => ({
      start: positions(uri).at(start),
      end: positions(uri).at(end),
    });
    const found = position ? subjectAt(snapshot, positions(uri).offset(position))?.subject : undefined;
    const shown = position === undefined ? snapshot.subjects : found ? [found] : [];
    const subjects = shown.map((it) => {
      const { span, dependency } = it.linked;
      return {
        ...briefOf(it),
        range: toRange(span),
        ...(dependency.group !== undefined && { group: dependency.group }),
      };
    });
    return { format: snapshot.format.id, subjects };
  },
};
