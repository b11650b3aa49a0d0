import type { Definition } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import { overrideId } from '../../shared/project-rules.ts';
import type { Selector } from '../specifier.ts';

/** pnpm takes a dependency out with a dash. */
export function isRemoval(value: string): boolean {
  return value === '-';
}

/** The override of a field that takes a dependency out. */
export function removal(field: string, { name, condition }: Selector, span: Span, value: Span): Definition {
  const id = overrideId(field, condition ?? name);
  return { id, span, value: { kind: 'source', source: 'removed', span: value } };
}
