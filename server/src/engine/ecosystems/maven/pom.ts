import * as l10n from '@vscode/l10n';
import { truncate } from '../../base/text.ts';
import { encodeText, parseXml } from '../../formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { FileRef, FindDefinition, Manifest, ManifestFormat, Requirement } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import {
  type Artifact,
  addDefinition,
  addDependency,
  additionTo,
  dropRepeatedManaged,
  isActivatedOnRequest,
  type MutableManifest,
  managedId,
  managedVersion,
  readArtifact,
  type Section,
  scopeOf,
  systemPath,
  textOf,
  versionOf,
} from './pom-artifacts.ts';
import { pomRenaming, usesInPom } from './pom-names.ts';
import {
  hasReferences,
  type PomValues,
  partsOf,
  pomValues,
  referenceRequirement,
  requirementOf,
} from './pom-values.ts';
import { activitiesOf, plainStart, type Start } from './profiles.ts';

/** Maven's project file, and the same file as a repository publishes it. */
export const pom: ManifestFormat = {
  id: 'pom.xml',
  system: 'MAVEN',
  files: /(^|\/)(pom\.xml|[^/]+\.pom)$/,
  parse: (text) => pomUnder(text, plainStart),
  uses: usesInPom,
  renaming: pomRenaming,
};

/** A POM with the profiles that are active under some options of Maven. */
export function pomUnder(text: string, start: Start): Manifest {
  const { root, problems } = parseXml(text);
  const manifest: MutableManifest = { dependencies: [], definitions: [], references: [], problems: [...problems] };
  if (root?.name !== 'project') {
    if (root) manifest.problems.push({ span: root.nameSpan, message: 'a POM starts with `project`' });
    return manifest;
  }
  const values = pomValues(root);
  const project: Section = { values, manifest, text, ...(isModel41(root) && { infers: true }) };
  const profiles = childrenOf(childOf(root, 'profiles'), 'profile');
  const named = [root, ...profiles].flatMap((it) => modulesOf(it, values));
  const isListed = [root, ...profiles].some((it) => childOf(it, 'modules') ?? childOf(it, 'subprojects'));
  const modules = named.flatMap(({ path, folder }) => (folder === undefined ? path : [folder, path]));
  readParent(project, root);
  for (const { path, folder, span } of named) {
    // Others are found by their names.
    if (folder !== undefined) manifest.references.push({ kind: 'include', path, folder, format: pom.id, span });
    else if (!pom.files.test(`/${path}`))
      manifest.references.push({ kind: 'include', path, format: pom.id, span, required: true });
  }
  manifest.references.push(...composedModules([root, ...profiles], values));
  readSections(project, root);
  const unconditional = [...dropRepeatedManaged(manifest)];
  manifest.definitions.length = 0;
  for (const it of unconditional) manifest.definitions.push(it);
  const own = new Map(unconditional.map((it) => [it.id, it]));
  for (const { profile, activity } of activitiesOf(profiles, start)) {
    const condition = `profile ${truncate(textOf(profile, 'id')) || 'default'}`;
    const before = manifest.definitions.length;
    const isSeldom = activity === 'off' || (activity === 'perhaps' && isActivatedOnRequest(profile));
    readSections(
      { ...project, condition, ...(isSeldom && { seldom: true }), ...(activity === 'on' && { isActive: true }) },
      profile,
    );
    // What a command line switches off leaves the value of the project.
    if (activity === 'on' && !start.on.has(textOf(profile, 'id').trim()))
      for (const it of manifest.definitions.slice(before)) {
        const replaced = own.get(it.id);
        if (replaced) manifest.definitions.push({ ...replaced, condition: `not ${condition}`, isRarelyActive: true });
      }
  }
  // Last, because no property overrides these.
  readBuiltIn(project);
  manifest.dependencies.sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  const { identity } = values;
  const version = values.interpolate(values.builtIn.get('project.version')?.text ?? '');
  // The end of an element is a guess where tags are missing.
  const place = problems.length === 0 ? placeOfProperties(root, text) : undefined;
  return {
    ...manifest,
    ...(modules.length > 0 && { modules, links: named.map(({ path, span }) => ({ span, paths: [path] })) }),
    // Since the model 4.1 what no list names is found. Source: Maven's DefaultModelBuilder, “discover subprojects”.
    ...(!isListed && project.infers && textOf(root, 'packaging') === 'pom' && { packages: ['*'] }),
    ...inferredFrom(root, values),
    ...(place && { propertyAddition: (name) => additionOf(name, place) }),
    ...(identity !== undefined && { identity }),
    ...(version !== '' && !hasReferences(version) && { version }),
  };
}

function readSections(section: Section, project: XmlElement): void {
  for (const it of grandchildren(project, 'properties')) readProperty(section, it);
  for (const it of grandchildren(project, 'dependencies', 'dependency')) readDependency(section, it);
  for (const it of grandchildren(childOf(project, 'dependencyManagement'), 'dependencies', 'dependency')) {
    readManaged(section, it);
  }
  const build = childOf(project, 'build');
  for (const it of grandchildren(build, 'extensions', 'extension')) readExtension(section, it);
  for (const it of grandchildren(build, 'plugins', 'plugin')) readPlugin(section, it, 'plugins');
  for (const it of grandchildren(childOf(build, 'pluginManagement'), 'plugins', 'plugin')) {
    readPlugin(section, it, 'pluginManagement');
  }
  for (const it of grandchildren(childOf(project, 'reporting'), 'plugins', 'plugin'))
    readPlugin(section, it, 'reporting');
}

/** The children of all sections of this name: repeated ones are an error, but their contents still count. */
function grandchildren(element: XmlElement | undefined, section: string, name?: string): readonly XmlElement[] {
  const all = childrenOf(element, section).flatMap((it) => it.children);
  return name === undefined ? all : all.filter((it) => it.name === name);
}

function readProperty({ values, manifest, condition, seldom, isActive }: Section, element: XmlElement): void {
  manifest.definitions.push({
    id: `property:${element.name}`,
    span: element.nameSpan,
    value: requirementOf(element, values),
    ...(element.blank && { blank: element.blank }),
    ...(condition !== undefined && !isActive && { condition }),
    ...(seldom && { isRarelyActive: seldom }),
    ...(values.ownVersion.has(element.name) && { frozen: ownVersion(), member: true as const }),
  });
}

/** Where a property is added, and the text around it. */
interface PlaceOfProperties {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** The elements that stand before the properties. Source: the order of the elements in Maven's model. */
const beforeProperties: ReadonlySet<string> = new Set(
  'modelVersion parent groupId artifactId version packaging name description url inceptionYear'.split(' '),
);

/**
 * Behind the last property, or in a section of its own:
 *
 *     <properties>
 *       <java.version>17</java.version>
 *                                      ↑ `\n    <jackson.version>2.13.5</jackson.version>`
 */
function placeOfProperties(root: XmlElement, text: string): PlaceOfProperties | undefined {
  const indentationOf = (it: XmlElement): string => /\s*$/.exec(text.slice(0, it.span.start))?.[0] ?? '';
  const last = grandchildren(root, 'properties').at(-1);
  if (last) return { at: last.span.end, before: indentationOf(last), after: '' };
  const head = root.children.filter((it) => beforeProperties.has(it.name)).at(-1);
  // What a section without any property contains, comments for example, is not known.
  if (head === undefined || childOf(root, 'properties')) return undefined;
  const outer = indentationOf(head);
  const inner = outer + (/[^\r\n]*$/.exec(outer)?.[0] ?? '');
  return { at: head.span.end, before: `${outer}<properties>${inner}`, after: `${outer}</properties>` };
}

/** A name that is valid in XML without a prefix. The properties of published POMs have other names, too. */
const propertyName = /^[A-Za-z_][\w.-]*$/;

function additionOf(name: string, { at, before, after }: PlaceOfProperties): Literal | undefined {
  if (!propertyName.test(name)) return undefined;
  const encode = (value: string): string => `${before}<${name}>${encodeText(value)}</${name}>${after}`;
  return { span: { start: at, end: at }, text: '', encode };
}

/** `project.version` and its like. */
function readBuiltIn({ values, manifest }: Section): void {
  const [group, artifact] = ['groupId', 'artifactId'].map((it) => values.builtIn.get(`project.parent.${it}`)?.text);
  for (const [name, element] of values.builtIn) {
    const isOwn = !name.startsWith('project.parent.');
    const frozen = isOwn ? ownVersion() : l10n.t("the parent's version");
    const member = isOwn || values.interpolate(`${group}:${artifact}`);
    manifest.definitions.push({
      id: `property:${name}`,
      span: element.textSpan,
      value: requirementOf(element, values),
      ...(name.endsWith('.version') && { frozen, member }),
    });
  }
}

function readDependency(section: Section, element: XmlElement): void {
  if (isInferred(section, element)) {
    const artifactId = childOf(element, 'artifactId');
    if (artifactId)
      section.manifest.dependencies.push({
        key: { system: 'MAVEN', name: artifactId.text },
        name: artifactId.text,
        nameSpan: artifactId.textSpan,
        requirement: { kind: 'source', source: 'workspace', span: artifactId.textSpan },
        scope: scopeOf(section, element),
        ...library,
      });
    return;
  }
  const artifact = readArtifact(section, element);
  if (!artifact) return;
  const version = versionOf(section, artifact) ?? managedVersion(artifact);
  const managed = textOf(element, 'scope') === '' ? { managed: managedId(artifact) } : {};
  const more = { ...managed, ...additionTo(section, artifact), ...library };
  addDependency(section, artifact, systemPath(artifact) ?? version, scopeOf(section, element), undefined, more);
}

/** A dependency without group and version is a project that is built together with this one. */
function isInferred({ infers }: Section, element: XmlElement): boolean {
  return infers === true && textOf(element, 'groupId') === '' && textOf(element, 'version') === '';
}

/** Manages the version, or the scope, of dependencies without one, here and in child projects. */
function readManaged(section: Section, element: XmlElement): void {
  if (isInferred(section, element)) return;
  const artifact = readArtifact(section, element);
  if (!artifact) return;
  const version = versionOf(section, artifact);
  if (textOf(element, 'scope') === 'import') {
    addDependency(section, artifact, version ?? none, 'build', 'dependencyManagement import', {
      inherits: { as: 'bom' },
      ...library,
    });
    return;
  }
  const scope = textOf(element, 'scope');
  const more = scope === '' ? {} : { scope: partsOf(scope, section.values) };
  // Without a version the dependency itself must have one: the definition is an empty text.
  const value = version ?? { kind: 'template', parts: [], span: artifact.artifactId.textSpan };
  if (version || scope !== '') addDefinition(section, managedId(artifact), artifact, value, more);
  const stated = systemPath(artifact) ?? version ?? none;
  addDependency(section, artifact, stated, scopeOf(section, element), 'dependencyManagement', library);
}

function readExtension(section: Section, element: XmlElement): void {
  const artifact = readArtifact(section, element);
  if (artifact) addDependency(section, artifact, versionOf(section, artifact) ?? none, 'build', 'extensions', plugin);
}

/** A plugin, the dependencies of its class path, and its annotation processors. */
function readPlugin(section: Section, element: XmlElement, group: 'plugins' | 'pluginManagement' | 'reporting'): void {
  const named = readArtifact(section, element, 'org.apache.maven.plugins');
  if (!named) return;
  const isInherited = group === 'plugins' && textOf(element, 'inherited') !== 'false';
  read(named, named.reference, group);
  for (const it of grandchildren(element, 'dependencies', 'dependency')) {
    const artifact = readArtifact(section, it);
    if (artifact) read(artifact, `${truncate(named.reference)} ${artifact.reference}`, `${group} dependency`);
  }
  const executions = grandchildren(element, 'executions', 'execution');
  for (const configuration of [element, ...executions].flatMap((it) => childrenOf(it, 'configuration'))) {
    for (const it of grandchildren(configuration, 'annotationProcessorPaths')) {
      const artifact = readArtifact(section, it);
      const version = artifact && (versionOf(section, artifact) ?? managedVersion(artifact));
      if (!artifact || !version) continue;
      addDependency(section, artifact, version, 'build', 'annotationProcessorPaths', additionTo(section, artifact));
    }
  }

  /**
   * A plugin without a version takes that of the same plugin in a parent's `plugins`, else that of `pluginManagement`;
   * likewise a report. Source: Maven merges the plugins of parents before it adds managed ones.
   */
  function read(artifact: Artifact, name: string, where: string): void {
    const version = versionOf(section, artifact);
    const stated = systemPath(artifact) ?? version;
    const [used, managed] = [`used-plugin:${name}`, `plugin:${name}`];
    if (version && group === 'pluginManagement') addDefinition(section, managed, artifact, version);
    // A copy: this plugin uses the version itself and does not merely refer to it.
    if (version && isInherited && !section.seldom) addDefinition(section, used, artifact, { ...version });
    if (stated || group === 'pluginManagement') {
      addDependency(section, artifact, stated ?? none, 'build', where, plugin);
    } else {
      const elsewhere = referenceRequirement(managed, 'pluginManagement', artifact.artifactId.textSpan);
      const replacement = [{ id: used, label: 'plugins' }];
      addDependency(section, artifact, elsewhere, 'build', where, { replacement, ...plugin });
    }
  }
}

/**
 * A parent without an artifact is the project at its path, in Maven 4, and so is one without a version. Source: Maven's
 * DefaultModelBuilder, which infers them in all models.
 */
function readParent(section: Section, project: XmlElement): void {
  const element = childOf(project, 'parent');
  if (!element) return;
  const isNamed = childOf(element, 'artifactId') !== undefined || childOf(element, 'groupId') !== undefined;
  const artifact = isNamed ? readArtifact(section, element) : undefined;
  const relative = childOf(element, 'relativePath');
  const named = relative?.textSpan ?? artifact?.artifactId.textSpan ?? element.nameSpan;
  // An empty path means that the parent comes from the repository.
  const isElsewhere = relative?.text === '';
  const ofWorkspace = { kind: 'source', source: 'workspace', span: named } as const;
  const version = artifact && (versionOf(section, artifact) ?? (isElsewhere ? none : ofWorkspace));
  const more = { inherits: { as: 'parent' }, ...library } as const;
  if (artifact && version) addDependency(section, artifact, version, 'build', 'parent', more);
  if (isElsewhere) return;
  const file = parentPath(element, section.values);
  if (file === undefined) return;
  section.manifest.references.push({
    kind: 'parent',
    ...file,
    format: 'pom.xml',
    span: named,
    ...(artifact && !hasReferences(artifact.id) && { expects: artifact.id }),
  });
}

function parentPath(parent: XmlElement, values: PomValues): ProjectPath | undefined {
  const relative = childOf(parent, 'relativePath');
  const file = relative ? projectAt(values.interpolate(relative.text)) : { path: '../pom.xml' };
  return hasReferences(file.path) ? undefined : file;
}

/** The artifact of a project whose group only its parent says. */
function inferredFrom(project: XmlElement, values: PomValues): Pick<Manifest, 'inferred'> {
  const parent = childOf(project, 'parent');
  const artifact = values.interpolate(textOf(project, 'artifactId'));
  if (parent === undefined || artifact === '' || hasReferences(artifact) || values.builtIn.has('project.groupId'))
    return {};
  const file =
    textOf(parent, 'relativePath') === '' && childOf(parent, 'relativePath') ? undefined : parentPath(parent, values);
  return file === undefined
    ? {}
    : { inferred: { artifact, parents: file.folder === undefined ? [file.path] : [file.folder, file.path] } };
}

/** Whether what a project leaves out is taken from the others that are built with it. */
function isModel41(project: XmlElement): boolean {
  const version = textOf(project, 'modelVersion');
  if (version !== '') return !version.startsWith('4.0');
  const namespace = project.attributes.find((it) => it.name === 'xmlns')?.value ?? '';
  return /\/POM\/4\.(?!0\.)\d+\.\d+$/.test(namespace);
}

/** Maven 4 calls them subprojects. */
function moduleElements(project: XmlElement): XmlElement[] {
  return [...grandchildren(project, 'modules', 'module'), ...grandchildren(project, 'subprojects', 'subproject')];
}

/** Modules in the names of which are properties that another file or an option defines. */
function composedModules(projects: readonly XmlElement[], values: PomValues): FileRef[] {
  return projects.flatMap(moduleElements).flatMap((it): FileRef[] => {
    const path = values.interpolate(it.text);
    const ids = [...path.matchAll(/\$\{([^{}]+)\}/g)].map(([, name]) => `property:${name}`);
    if (ids.length === 0) return [];
    const ref = { kind: 'include', format: pom.id, span: it.textSpan } as const;
    const resolve = (find: FindDefinition): FileRef | undefined => {
      const known = path.replace(/\$\{([^{}]+)\}/g, (whole, name) => {
        const value = find(`property:${name}`)?.value;
        return value?.kind === 'literal' ? value.at.text : whole;
      });
      const file = projectAt(known);
      return hasReferences(known) || pom.files.test(`/${file.folder ?? file.path}`) ? undefined : { ...ref, ...file };
    };
    return [{ ...ref, path, composed: { ids, resolve } }];
  });
}

function modulesOf(project: XmlElement, values: PomValues): (ProjectPath & { readonly span: Span })[] {
  return moduleElements(project)
    .map((it) => {
      const { path, folder } = projectAt(values.interpolate(it.text));
      // Of hundreds of modules only those are looked at twice that have an extension.
      const isOdd = folder !== undefined && /\.[a-z]\w*$/i.test(folder);
      return { path, span: it.textSpan, ...(isOdd && { folder }) };
    })
    .filter((it) => !hasReferences(it.path));
}

interface ProjectPath {
  readonly path: string;
  readonly folder?: string;
}

/** The project file of a path, which may be that of a folder: a file may have any name. */
function projectAt(path: string): ProjectPath {
  const plain = path.replaceAll('\\', '/');
  if (/\.(xml|pom)$/.test(plain)) return { path: plain };
  const folder = plain.replace(/\/$/, '');
  return { path: `${folder}/pom.xml`, ...(folder === plain && !/(?:^|\/)\.\.?$/.test(folder) && { folder }) };
}

const none: Requirement = { kind: 'none' };

/*
 * What Maven takes from which list of repositories. Sources: “Guide to Using Multiple Repositories”; Maven's
 * DefaultPluginDependenciesResolver (plugins, their dependencies, reports), DefaultProjectBuildingHelper (extensions), and
 * ProjectModelResolver (parents, imported BOMs). Paths of annotation processors depend on the version of the compiler's plugin.
 */
const library = { role: 'library' } as const;
const plugin = { role: 'plugin' } as const;

function ownVersion(): string {
  return l10n.t("the project's own version");
}
