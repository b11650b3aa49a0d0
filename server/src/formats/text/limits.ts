/** Problems of one text, whatever its format: a broken file is told often enough by that many. */
export const MAX_PROBLEMS = 100;

/** Values within values. No manifest comes near it, and the call stack holds it many times over. What is deeper is left out. */
export const MAX_DEPTH = 200;
