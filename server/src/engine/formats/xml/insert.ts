import type { TextEdit } from '../../model/graph/override.ts';
import { indentAt, indentStepOf, lineEndOf } from '../text/insert.ts';
import type { XmlElement } from './tree.ts';

/** An element to add: its tag and text, and elements inside. */
export interface NewElement {
  /** `<PackageVersion Include="a" Version="1.0.0" />`, or the opening tag where there are children. */
  readonly open: string;
  readonly children?: readonly NewElement[];
  readonly close?: string;
}

/** Adds an element behind another one, in its indentation. */
export function addXmlSibling(text: string, before: XmlElement, added: NewElement): TextEdit {
  const indent = indentAt(text, before.span.start);
  const at = before.span.end;
  return { span: { start: at, end: at }, newText: `${lineEndOf(text)}${linesOf(text, added, indent)}` };
}

/** Adds an element as the last one inside another. Undefined where that has no end tag: `<Project />`. */
export function addXmlChild(text: string, parent: XmlElement, added: NewElement): TextEdit | undefined {
  const last = parent.children.at(-1);
  if (last) return addXmlSibling(text, last, added);
  const written = text.slice(parent.span.start, parent.span.end);
  const closing = written.lastIndexOf('</');
  if (closing < 0) return undefined;
  const at = parent.span.start + written.slice(0, closing).trimEnd().length;
  const indent = indentAt(text, parent.span.start);
  const newText = `${lineEndOf(text)}${linesOf(text, added, `${indent}${indentStepOf(text)}`)}`;
  const isOnOneLine = !written.slice(0, closing).includes('\n');
  return { span: { start: at, end: at }, newText: `${newText}${isOnOneLine ? `${lineEndOf(text)}${indent}` : ''}` };
}

function linesOf(text: string, { open, children = [], close }: NewElement, indent: string): string {
  const inside = children.map((it) => linesOf(text, it, `${indent}${indentStepOf(text)}`));
  const lines = [`${indent}${open}`, ...inside, ...(close === undefined ? [] : [`${indent}${close}`])];
  return lines.join(lineEndOf(text));
}
