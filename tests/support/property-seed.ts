import fc from 'fast-check'

/**
 * Property tests use a fixed seed, so that they fail only because of a change. `PROPERTY_SEED=random` uses a random seed,
 * and `PROPERTY_SEED=<number>` repeats a failure.
 */
const wanted = process.env.PROPERTY_SEED ?? '20261121'
if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) })
