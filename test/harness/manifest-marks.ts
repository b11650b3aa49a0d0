import type { Definition, Dependency, Manifest, Part, Requirement } from '../../server/src/engine/model/manifest.ts';
import type { Mark } from './picture.ts';

/** What a parser read, as marks to paint under the text. */
export function manifestMarks(manifest: Manifest): Mark[] {
  const marks = [
    ...manifest.dependencies.flatMap(dependencyMarks),
    ...manifest.definitions.flatMap(definitionMarks),
    ...manifest.references.flatMap((it) =>
      it.span
        ? [
            {
              span: it.span,
              label: `${it.kind} ${it.path}${it.expects ? `, expects ${it.expects}` : ''} (${it.format})`,
            },
          ]
        : [],
    ),
    ...manifest.problems.map((it) => ({ span: it.span, label: `problem: ${it.message}` })),
  ];
  const seen = new Set<string>();
  return marks.filter((it) => {
    const id = `${it.span.start} ${it.span.end} ${it.label}`;
    return !seen.has(id) && seen.add(id);
  });
}

/** What a parser read that has no place in the text: implied references, the identity, the members. */
export function manifestAsides(manifest: Manifest): string {
  return [
    ...(manifest.identity ? [`identity ${manifest.identity}`] : []),
    ...(manifest.packages ? [`packages ${manifest.packages.join(' ')}`] : []),
    ...(manifest.modules ? [`modules ${manifest.modules.join(' ')}`] : []),
    ...(manifest.projects ? [`projects ${manifest.projects.join(' ')}`] : []),
    ...(manifest.makes ? [`makes ${manifest.makes.join(' ')}`] : []),
    ...(manifest.coordinates?.groups.length ? [`groups ${manifest.coordinates.groups.join(' ')}`] : []),
    ...(manifest.coordinates?.names.length ? [`names ${manifest.coordinates.names.join(' ')}`] : []),
    ...manifest.references
      .filter((it) => !it.span)
      .map(
        (it) =>
          `${it.kind} ${it.every ? 'every ' : ''}${it.path}${it.upward ? ` upward from ${it.upward}` : ''}${it.beside ? ` beside ${it.beside.join(' or ')}` : ''}${it.expects ? `, expects ${it.expects}` : ''} (${it.format})`,
      ),
  ].join('\n');
}

function dependencyMarks(it: Dependency): Mark[] {
  const label = [
    it.key.system,
    it.nameParts ? parts(it.nameParts) : it.key.name,
    ...(it.scope === 'runtime' ? [] : [it.scope]),
    ...(it.group ? [`in ${it.group}`] : []),
    ...(it.condition ? [`when ${it.condition}`] : []),
    ...(it.requirement.kind === 'none' ? ['any'] : []),
    ...(it.constraint ? [`constrained by ${it.constraint.id}`] : []),
    ...(it.frozen ? [`frozen: ${it.frozen}`] : []),
  ].join(' ');
  const { declared } = it;
  const licenses = declared
    ? [{ span: declared.span ?? it.nameSpan, label: `declares ${declared.licenses.join(', ')}` }]
    : [];
  return [{ span: it.nameSpan, label }, ...requirementMarks(it.requirement), ...licenses];
}

function definitionMarks(it: Definition): Mark[] {
  const label = `define ${it.id}${it.key ? ` of ${it.key.name}` : ''}${it.condition ? ` when ${it.condition}` : ''}${it.frozen ? ` frozen: ${it.frozen}` : ''}`;
  return [{ span: it.span, label }, ...requirementMarks(it.value)];
}

function requirementMarks(it: Requirement): Mark[] {
  switch (it.kind) {
    case 'literal':
      return [{ span: it.at.span, label: `literal ${it.at.text}` }];
    case 'reference':
      return [{ span: it.span, label: `refer ${it.to.label} (${it.to.id})` }];
    case 'template':
      return [{ span: it.span, label: `template ${parts(it.parts)}` }];
    case 'source':
      return [{ span: it.span, label: `source ${it.source}` }];
    case 'none':
      return [];
  }
}

function parts(all: readonly Part[]): string {
  return all.map((it) => (typeof it === 'string' ? it : `<${it.id}>`)).join('');
}
