/** Problems of one text, whatever its format: a broken file is told often enough by that many. */
export const mostProblems = 100;

/**
 * In characters, of what is said of many dependencies at once: the name of a catalog, a condition, a path of packages. No
 * name comes near it. Megabytes of it, put together anew for each of thousands, would take all memory there is.
 */
export const longestShared = 1000;

/** Values within values. No manifest comes near it, and the call stack holds it many times over. What is deeper is left out. */
export const deepest = 200;
