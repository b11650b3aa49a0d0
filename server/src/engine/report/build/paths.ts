import type { Snapshot } from '../../analysis/snapshot.ts';
import { fileUri, isUri, pathBetween } from '../../base/uri.ts';
import { type Positions, positionsIn } from '../../formats/text/positions.ts';
import type { Span } from '../../model/span.ts';
import type { Region } from '../report.ts';

/** Turns URIs and offsets of a snapshot into paths and regions of a report. */
export interface Locations {
  path(uri: string): string;
  region(uri: string, span: Span): Region;
}

/** @param directory a path of this machine or a URI; the paths are relative to it */
export function locationsIn({ texts }: Snapshot, directory: string): Locations {
  const known = new Map<string, Positions>();
  return {
    path: (uri) => relativePath(uri, directory),
    region(uri, span) {
      const positions = known.get(uri) ?? positionsIn(texts.get(uri) ?? '');
      known.set(uri, positions);
      const { start, end } = positions.range(span);
      return {
        startLine: start.line + 1,
        startColumn: start.character + 1,
        endLine: end.line + 1,
        endColumn: end.character + 1,
      };
    },
  };
}

/**
 * `packages/app/package.json`, `../other/pom.xml`, with `/` on every platform; `.` for the directory itself.
 * @param directory a path of this machine, or a URI
 */
export function relativePath(uri: string, directory: string): string {
  return pathBetween(isUri(directory) ? directory : fileUri(directory), uri) || '.';
}
