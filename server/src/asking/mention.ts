import { createAdmission } from '../engine/admission.ts';
import { defaultVersion } from '../engine/resolve.ts';
import { type Examined, examine } from '../engine/subjects.ts';
import type { Insights } from '../model/ports.ts';
import type { Purl } from '../model/purl.ts';
import type { Linked } from '../model/subject.ts';
import { linkedTo, pinnedTo } from './subjects.ts';

/**
 * What is known of a package that some text names: of the version named, else of its default version. Called again
 * whenever facts arrive, until nothing more is wanted.
 * @param route adds the registries that are named for a package where the text lies
 * @param publicRegistries hosts that a person says are public: names from others stay on the machine
 */
export function examineMention(
  { key, name, version }: Purl,
  route: (linked: Linked) => Linked,
  insights: Insights,
  publicRegistries: readonly string[],
): Examined {
  const linked = route(named(linkedTo(key, { kind: 'any' }), name));
  const admission = createAdmission(insights, publicRegistries);
  const resolution = admission.instead(linked);
  const { wanted } = admission;
  if (resolution) return { subject: { linked, resolution, advisories: [] }, wanted, background: [] };
  const list = version === undefined ? insights.package(key) : undefined;
  const meant = version ?? (list?.state === 'ready' ? defaultVersion(list.value) : undefined);
  const examined = examine(
    meant === undefined ? linked : named(pinnedTo(key, meant), name),
    undefined,
    insights,
    false,
  );
  return { ...examined, wanted: [...wanted, ...examined.wanted] };
}

function named(linked: Linked, name: string): Linked {
  return { ...linked, dependency: { ...linked.dependency, name } };
}
