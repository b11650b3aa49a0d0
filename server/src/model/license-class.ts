/**
 * What a license requires of those who pass the software on, from the freest to the strictest:
 *
 * - `permissive`: at most notices; includes dedications to the public domain
 * - `weak-copyleft`: changes to the package itself stay under its license
 * - `strong-copyleft`: a program that contains the package comes under its license; includes licenses that require this
 *   also of programs that are only used over a network
 * - `use-restricted`: the source is public, but some uses are not allowed, such as commercial ones
 * - `unknown`: no license, not an SPDX license, or one of unknown content
 */
export const licenseClasses = ['permissive', 'weak-copyleft', 'strong-copyleft', 'use-restricted', 'unknown'] as const;

export type LicenseClass = (typeof licenseClasses)[number];

/** The classes that a policy may list. `unknown` has a key of its own. */
export const listableClasses = licenseClasses.filter((it) => it !== 'unknown');
