import type { Purl } from '../model/purl.ts';
import type { Subject } from '../model/subject.ts';
import { describeSubject } from './hover-text.ts';
import { type Prose, paragraph } from './prose.ts';

/**
 * What a hover says of a purl, as of a dependency; of one that names no version, it tells of the default one.
 * @param closed why the settings have nothing be asked, if they do
 */
export function describePurl({ name, version }: Purl, subject: Subject, now: number, closed?: string): Prose {
  const prose = describeSubject(subject, now, [], closed);
  const { resolution } = subject;
  if (version !== undefined || resolution.kind !== 'version') return prose;
  return [paragraph({ strong: name }, ' → ', { strong: resolution.version }), ...prose.slice(1)];
}
