import fc from 'fast-check';

/*
 * Property tests try the same cases each time, so that a red test is about the change at hand. `SEED=… npm test` tries
 * others, `SEED=random` new ones each time.
 */
const given = process.env['SEED'] ?? '20260101';
if (given !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
