import { groupBy } from '../base/collections.ts';
import { stepOf } from '../ecosystems/shared/step.ts';
import { versioning } from '../ecosystems/versioning.ts';
import {
  decidingDependency,
  type EvaluatedDependency,
  isSamePlace,
  type LinkedDependency,
  managedBy,
  type Place,
  type Published,
  placeOf,
  placeThatManages,
} from '../model/evaluated-dependency.ts';
import type { VersionFacts } from '../model/facts.ts';
import type { Edit } from '../model/finding.ts';
import type { Dependency } from '../model/manifest.ts';
import type { ManifestChain } from '../model/manifest-chain.ts';
import { type Insights, readInsight, type Wanted } from '../model/ports.ts';
import type { TargetVerdict } from '../model/verdict.ts';
import type { Step } from '../model/versioning.ts';
import type { DependentsOf } from './dependents.ts';
import type { EvaluationInputs } from './evaluate/document.ts';
import { type ManagedUser, type Moved, malwareAmong, movedUser } from './evaluate/managed-along.ts';
import { defaultVersion, pinnedVersion } from './evaluate/resolve.ts';
import { higherVersions, isSafe } from './evaluate/update-target.ts';
import { inherit, managedVersions, type ReadPom } from './link/inheritance.ts';
import type { LoadedFiles, Members } from './link/linked-document.ts';
import { createLinker } from './link/linker.ts';
import { createPoms, type Poms } from './link/published-poms.ts';
import { judgeVersion, verdictOf } from './verdict.ts';

/*
 * A dependency without a version of its own, with a problem in the version that a published parent or BOM manages:
 *
 *     spring-boot-starter-parent 2.7.0     manages jackson-databind 2.13.3, affected
 *     spring-boot-starter-parent 2.7.5     the smallest one that manages a version without problems
 *
 * Each candidate is linked in place of the one in use, as if the file was edited; what is managed then decides.
 */

/** An update of a parent or BOM, or a property that overrides one of its own. */
export interface ManagingFix {
  /** `parent`: a parent or BOM. */
  readonly way: 'parent' | 'property';
  /** The parent or BOM by its name in the workspace, or the property: `jackson-bom.version`. */
  readonly name: string;
  readonly version: string;
  readonly step?: Step;
  /** The version that is managed then. */
  readonly target: TargetVerdict;
  readonly edit: Edit;
  /** The references followed to the place of the edit. */
  readonly through: readonly string[];
  /** The place whose version decides; absent for a property that is added. */
  readonly place?: Place;
  /** The published package whose property it overrides. */
  readonly overrides?: Published;
}

/** What is known about them at this moment. */
export interface ManagingFixes {
  /** A parent or BOM first. */
  readonly fixes: readonly ManagingFix[];
  /** All facts that the search has read. Some may be pending, and lead to further ones. */
  readonly wanted: readonly Wanted[];
  /** Whether some of them are. */
  readonly isSearching: boolean;
  /** Whether the versions of the parent or BOM may be looked up at all. */
  readonly isTried: boolean;
}

/** Finds them with the facts of this very moment; requests nothing. */
export type FindManagingFixes = (evaluated: EvaluatedDependency) => ManagingFixes;

export const noManagingFixes: ManagingFixes = { fixes: [], wanted: [], isSearching: false, isTried: false };

/** Versions of a parent or BOM that count, nearest first. Source: the limit of entries in one batch of the service. */
const MAX_CANDIDATES = 100;

/** Candidates whose POMs are requested at once: each may import 30 BOMs. */
const CANDIDATES_AT_ONCE = 4;

/** Lines of releases whose last version is tried: one, and three times `CANDIDATES_AT_ONCE`. */
const MAX_LINES = 13;

/** The document of a dependency, and how to look up what takes part. */
export interface ManagingContext {
  readonly files: LoadedFiles;
  readonly members: Members;
  readonly insights: Insights;
  readonly inputs: Pick<EvaluationInputs, 'filter' | 'policy'>;
  /** All of the document. */
  readonly dependencies: readonly EvaluatedDependency[];
  /** The dependencies of other files that move along. */
  readonly elsewhere: readonly ManagedUser[];
}

/** The search for the dependencies of one document, each made once as long as no fact changes. */
export function createManagingSearch(context: ManagingContext): FindManagingFixes {
  const known = new Map<EvaluatedDependency, { readonly revision: number; readonly fixes: ManagingFixes }>();
  return (evaluated) => {
    const revision = context.insights.revision();
    const before = known.get(evaluated);
    if (before?.revision === revision) return before.fixes;
    const fixes = findManagingFixes(evaluated, context);
    known.set(evaluated, { revision, fixes });
    return fixes;
  };
}

/** For an affected or deprecated dependency with a managed version, of which a version without problems is known. */
function findManagingFixes(evaluated: EvaluatedDependency, context: ManagingContext): ManagingFixes {
  const manager = managedBy(evaluated.linked);
  const { needsMove, recommended } = verdictOf(evaluated);
  if (manager === undefined || !needsMove || recommended === undefined) return noManagingFixes;
  const search = new Search(evaluated, context);
  const fixes = [search.findParent(manager), search.findProperty(manager)].filter((it) => it !== undefined);
  const { wanted } = search;
  const isTried = wanted.length > 0;
  return {
    fixes,
    wanted,
    isSearching: wanted.some((it) => readInsight(context.insights, it).state === 'pending'),
    isTried,
  };
}

/** How many dependencies an update of what manages them moves: those of a document, and those of other files. */
export function countManaged(
  { name, place, way }: ManagingFix,
  all: readonly EvaluatedDependency[],
  elsewhere: DependentsOf,
): number {
  const isMoved = ({ linked }: EvaluatedDependency): boolean => {
    const manager = managedBy(linked);
    if (manager === undefined) return false;
    if (way === 'property') return overridableProperty(linked, manager)?.name === name;
    return isSamePlace(placeThatManages(linked), place);
  };
  return all.filter(isMoved).length + (place ? elsewhere(place, true).length : 0);
}

type Tested = VersionFacts | 'pending' | undefined;

/** Links dependencies as if the file was edited. */
interface Linking {
  readonly link: ReturnType<typeof createLinker>;
  readonly poms: Poms;
}

/** Of what a declaration links to, one for each condition, that of an evaluated dependency. */
function linkedAs(all: readonly LinkedDependency[], { linked }: EvaluatedDependency): LinkedDependency | undefined {
  return all.find((it) => it.dependency.condition === linked.dependency.condition) ?? all[0];
}

/** A value to try: the managed version and its facts follow. */
interface Candidate {
  readonly version: string;
  readonly facts: VersionFacts;
}

class Search {
  readonly wanted: Wanted[] = [];
  readonly #evaluated: EvaluatedDependency;
  readonly #context: ManagingContext;
  /** As the document declares it. */
  readonly #dependency: Dependency | undefined;

  constructor(evaluated: EvaluatedDependency, context: ManagingContext) {
    this.#evaluated = evaluated;
    this.#context = context;
    const { nameSpan } = evaluated.linked.dependency;
    const [document] = context.files.chain.files;
    this.#dependency = document?.manifest.dependencies.find((it) => it.nameSpan === nameSpan);
  }

  /** The parent or BOM in the smallest version that manages one without problems. */
  findParent(manager: Published): ManagingFix | undefined {
    const named = decidingDependency(manager);
    const place = named && placeOf(named);
    if (named === undefined || place === undefined || place.frozen !== undefined) return undefined;
    const current = pinnedVersion(named);
    const { key } = named;
    const found =
      current === undefined
        ? undefined
        : this.#findSmallest(named, current, (version) =>
            this.#linking(
              this.#context.files.chain,
              (read) => (it, written) => read(it, isSamePlace(placeOf(it), place) ? version : written),
            ),
          );
    if (found === undefined || current === undefined) return undefined;
    const { requirement } = named;
    const rewritten = versioning[key.system].rewrite(
      requirement.kind === 'text' ? requirement.text : '',
      found.version,
    );
    if (!rewritten.ok) return undefined;
    const step = stepOf(key.system, current, found.version);
    return {
      way: 'parent',
      name: manager.through,
      version: found.version,
      ...(step && { step }),
      target: judgeVersion(this.#evaluated, found.facts),
      edit: { uri: place.uri, span: place.at.span, newText: place.at.encode(rewritten.text) },
      through: requirement.kind === 'text' ? requirement.via : [],
      place,
    };
  }

  /**
   * A property of the published parents that decides, for the file itself: that of the version, or that of the BOM which
   * they import. Whether the file may override it follows from linking.
   */
  findProperty(manager: Published): ManagingFix | undefined {
    const { linked } = this.#evaluated;
    const { chain } = this.#context.files;
    const [document] = chain.files;
    const property = overridableProperty(linked, manager);
    const at = property && document?.manifest.propertyAddition?.(property.name);
    const current = property?.manager === undefined ? versionIn(this.#evaluated) : property.manager.key.version;
    if (!document || !at || current === undefined) return undefined;
    const { name, decided } = property;
    const withProperty = (version: string): ManifestChain => {
      const value = { kind: 'template', parts: [version], span: at.span } as const;
      // The last definition of an id counts: a built-in one cannot be overridden.
      const definitions = [{ id: `property:${name}`, span: at.span, value }, ...document.manifest.definitions];
      return {
        ...chain,
        files: [{ ...document, manifest: { ...document.manifest, definitions } }, ...chain.files.slice(1)],
      };
    };
    const found = this.#findSmallest(decided, current, (it) => this.#linking(withProperty(it), (read) => read));
    if (found === undefined) return undefined;
    const step = stepOf(decided.key.system, current, found.version);
    return {
      way: 'property',
      name,
      version: found.version,
      ...(step && { step }),
      target: judgeVersion(this.#evaluated, found.facts),
      edit: { uri: document.uri, span: at.span, newText: at.encode(found.version) },
      through: [],
      overrides: property.manager?.includedBy ?? manager,
    };
  }

  /** The smallest higher version with a sound result; one without a major step before all others. */
  #findSmallest(
    named: LinkedDependency,
    current: string,
    linking: (version: string) => Linking,
  ): Candidate | undefined {
    const { insights, inputs, files } = this.#context;
    const { key } = named;
    // A private parent is not looked up, and neither are its versions.
    if (inputs.filter.reasonNotToLookUp(files.route(named)) !== undefined) return undefined;
    this.wanted.push({ kind: 'package', key });
    const list = insights.package(key);
    if (list.state !== 'ready') return undefined;
    const higher = higherVersions(list.value, current, defaultVersion(list.value), inputs.policy);
    const isMajor = (it: string): boolean => (stepOf(key.system, current, it) ?? 'major') === 'major';
    for (const some of [higher.filter((it) => !isMajor(it)), higher.filter(isMajor)]) {
      const sound = this.#soundOnes(named, some.slice(0, MAX_CANDIDATES));
      const found = sound === 'pending' ? 'pending' : this.#findFirstAlone(sound, named, linking);
      if (found === 'pending') return undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The first one that makes malware of nothing else that it manages. */
  #findFirstAlone(
    versions: readonly string[],
    named: LinkedDependency,
    linking: (version: string) => Linking,
  ): Candidate | 'pending' | undefined {
    let left = versions;
    for (let tried = 0; tried < CANDIDATES_AT_ONCE; tried++) {
      const found = findFirst(left, (it) => this.#test(linking(it)));
      if (typeof found !== 'object') return found;
      const { isMalicious, isPending, wanted } = malwareAmong(
        this.#movedBy(named, found.version, linking(found.version)),
        this.#context.insights,
      );
      this.wanted.push(...wanted);
      if (!isMalicious) return isPending ? 'pending' : found;
      left = left.slice(left.indexOf(found.version) + 1);
    }
    return undefined;
  }

  /** What else has another version then. */
  #movedBy(named: LinkedDependency, version: string, { link, poms }: Linking): Moved[] {
    const { dependencies, elsewhere, files } = this.#context;
    const declared = new Map(files.chain.files[0]?.manifest.dependencies.map((it) => [it.nameSpan, it]));
    const here = dependencies.flatMap((it): Moved[] => {
      const own = declared.get(it.linked.dependency.nameSpan);
      const { key, requirement } = it.linked;
      if (own === undefined || it.resolution.kind === 'none' || !managedBy(it.linked)) return [];
      const before = requirement.kind === 'text' ? requirement.text : undefined;
      const linked = linkedAs(link(own), it);
      if (linked === undefined) return [];
      if (linked.requirement.kind === 'pending') return [{ key }];
      const after = linked.requirement.kind === 'text' ? pinnedVersion(linked) : undefined;
      return after === undefined || after === before ? [] : [{ key, version: after }];
    });
    const managed = managedVersions(named, version, poms.read);
    const there = elsewhere.flatMap((it) => movedUser(it, managed(it.id)));
    this.wanted.push(...poms.wanted);
    return [...here, ...there];
  }

  /** The versions that have no problem themselves. */
  #soundOnes(named: LinkedDependency, versions: readonly string[]): readonly string[] | 'pending' {
    const { insights, inputs } = this.#context;
    const keys = versions.map((version) => ({ ...named.key, version }));
    this.wanted.push(...keys.map((key): Wanted => ({ kind: 'version', key })));
    const facts = keys.map((it) => insights.version(it));
    if (facts.some((it) => it.state === 'pending')) return 'pending';
    return facts.flatMap((it) =>
      it.state === 'ready' && isSafe(named, it.value, inputs.policy) ? [it.value.key.version] : [],
    );
  }

  /** Links dependencies in another way. */
  #linking(files: ManifestChain, change: (read: ReadPom) => ReadPom): Linking {
    const { insights, inputs, members, files: loaded } = this.#context;
    const poms = createPoms(insights, inputs.filter, loaded.route);
    const read = change(poms.read);
    const chain = members ? { ...files, members } : files;
    return { link: createLinker(chain, (parents, scope) => inherit(parents, scope, read)), poms };
  }

  /** @returns the facts of the version that is managed then, if it has no problem */
  #test({ link, poms }: Linking): Tested {
    const { insights, inputs } = this.#context;
    const current = versionIn(this.#evaluated);
    if (this.#dependency === undefined || current === undefined) return undefined;
    const linked = linkedAs(link(this.#dependency), this.#evaluated);
    this.wanted.push(...poms.wanted);
    if (linked === undefined) return undefined;
    if (linked.requirement.kind === 'pending') return 'pending';
    const version = linked.requirement.kind === 'text' ? pinnedVersion(linked) : undefined;
    const { key } = this.#evaluated.linked;
    if (version === undefined || linked.key.name !== key.name) return undefined;
    if (versioning[key.system].compare(version, current) <= 0) return undefined;
    this.wanted.push({ kind: 'version', key: { ...key, version } });
    const insight = insights.version({ ...key, version });
    if (insight.state === 'pending') return 'pending';
    return insight.state === 'ready' && isSafe(linked, insight.value, inputs.policy) ? insight.value : undefined;
  }
}

/**
 * The first of some versions with a result, by their lines (`3.1`): a fix arrives in the next version of each line that is
 * maintained, so the last version of a line decides about the line.
 *
 *     2.7.1 … 2.7.18   3.0.0 … 3.0.13   3.1.0 … 3.1.12     of 2.7.18, then of 3.0.13 and 3.1.12: the first line with a
 *                                                          result is searched from its beginning
 */
export function findFirst(
  versions: readonly string[],
  test: (version: string) => Tested,
): Candidate | 'pending' | undefined {
  const lines = [...groupBy(versions, lineOf).values()].slice(0, MAX_LINES);
  for (let from = 0; from < lines.length; ) {
    // The line in use often has it: the others wait.
    const some = lines.slice(from, from === 0 ? 1 : from + CANDIDATES_AT_ONCE);
    from += some.length;
    for (const { line, facts } of some.map((it) => ({ line: it, facts: test(it.at(-1) ?? '') }))) {
      if (facts === 'pending') return 'pending';
      if (facts !== undefined) return findFirstInLine(line, facts, test);
    }
  }
  return undefined;
}

/** `2.7` of `2.7.18`, `Hoxton` of `Hoxton.SR12` */
function lineOf(version: string): string {
  return /^(?:\d+(?:\.\d+)?|[A-Za-z]+)/.exec(version)?.[0] ?? version;
}

/** @param facts of the last version of the line */
function findFirstInLine(
  line: readonly string[],
  facts: VersionFacts,
  test: (version: string) => Tested,
): Candidate | 'pending' {
  let [after, before] = [-1, line.length - 1];
  let found: Candidate = { version: line[before] ?? '', facts };
  while (before - after > 1) {
    const tested = spread(after, before).map((at) => ({ at, facts: test(line[at] ?? '') }));
    if (tested.some((it) => it.facts === 'pending')) return 'pending';
    const first = tested.find((it) => it.facts !== undefined);
    after = tested.findLast((it) => first === undefined || it.at < first.at)?.at ?? after;
    if (typeof first?.facts !== 'object') continue;
    before = first.at;
    found = { version: line[before] ?? '', facts: first.facts };
  }
  return found;
}

/** Up to `CANDIDATES_AT_ONCE` positions between two others, evenly. */
function spread(after: number, before: number): number[] {
  const count = Math.min(CANDIDATES_AT_ONCE, before - after - 1);
  return Array.from({ length: count }, (_, at) => after + Math.round(((at + 1) * (before - after)) / (count + 1)));
}

/** The property that a version comes from: `jackson.version`; undefined for one of the project itself. */
function propertyOf({ requirement }: LinkedDependency): string | undefined {
  const label = requirement.kind === 'text' && requirement.place === undefined ? requirement.via.at(-1) : undefined;
  const name = label && /^\$\{([A-Za-z_][\w.-]*)\}$/.exec(label)?.[1];
  return name === undefined || name === '' || /^(?:project|pom|parent)\./.test(name) ? undefined : name;
}

/** A property of a published POM, and the dependency whose version it is. */
interface OverridableProperty {
  readonly name: string;
  readonly decided: LinkedDependency;
  /** The BOM with this version; absent if the managed dependency itself has it. */
  readonly manager?: Published;
}

function overridableProperty(linked: LinkedDependency, manager: Published): OverridableProperty | undefined {
  const own = propertyOf(linked);
  if (own !== undefined) return { name: own, decided: linked };
  for (let at: Published | undefined = manager; at?.named; at = at.includedBy) {
    const name = propertyOf(at.named);
    if (name !== undefined) return { name, decided: at.named, manager: at };
  }
  return undefined;
}

function versionIn({ resolution }: EvaluatedDependency): string | undefined {
  return resolution.kind === 'version' ? resolution.version : undefined;
}
