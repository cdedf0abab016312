import fc from 'fast-check'

/**
 * Property tests begin with the same seed, so that a change is blamed for what it broke and for nothing else.
 * `PROPERTY_SEED=random` looks further, as a nightly run should; a seed that failed can be named the same way.
 */
const wanted = process.env.PROPERTY_SEED ?? '20261121'
if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) })
