/**
 * Breaks up what the log of a CI would take for a command, so that it can still be read: `##vso[task.complete]` →
 * `# #vso[task.complete]`. Sources: Azure Pipelines, "Logging commands" (`##vso[` anywhere in a line); GitHub Actions, the
 * runner's `ActionCommand` (`##[` anywhere, `::` behind blanks); TeamCity, "Service messages" (`##teamcity[`).
 */
export function withoutLogCommands(text: string): string {
  const anywhere = text.includes('##') ? text.replace(/##(?=\w*\[)/g, '# #') : text;
  return anywhere.includes('::') ? anywhere.replace(atLineStart, '$1: ') : anywhere;
}

/** Runners take all white space for blanks, and NEL for the end of a line. */
const atLineStart = /((?:^|[\r\n\u0085\u2028\u2029])[\s\u0085]*):(?=:)/g;

/**
 * The same of a text that may begin a line: Buildkite folds what follows `--- x`, and so do `+++ x` and the others of
 * "Managing log output". Not of whole lines, since a patch has such ones of its own.
 */
export function withoutGroupMark(text: string): string {
  return text.replace(groupMark, '$1 $2');
}

const groupMark = /^(\s*(?:--|\+\+|~~|\^\^))([-+~^])(?=\s)/;
