import { eachOnce, type Location, locationOf, type Navigated } from './navigated.ts';
import { subjectAt } from './subject.ts';
import { linesOfPackage, usersOf } from './users.ts';

/**
 * The places that refer to the definition at an offset, or to the one that is named there, in all files of the project. Of
 * a dependency without one: the lines that require the same package.
 */
export async function referencesAt(
  document: Navigated,
  offset: number,
  includeDeclaration: boolean,
): Promise<readonly Location[]> {
  const subject = await subjectAt(document, offset);
  if (subject === undefined) return linesOfPackage(document, offset);
  const users = await usersOf(document, subject);
  const declared = includeDeclaration ? subject.definitions.flatMap((it) => locationOf(it, document)) : [];
  return eachOnce([...declared, ...users]);
}
