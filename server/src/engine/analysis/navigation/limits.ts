/** Files read of one project. Source: the largest public builds have some 1,500 manifests. */
export const MAX_PROJECT_FILES = 2000;
