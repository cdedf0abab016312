/**
 * Node flags for a server that runs for seconds. Skips the optimizing compilation of PGlite, which takes a third of the
 * start.
 */
export const shortLivedFlags = ['--disable-warning=ExperimentalWarning', '--liftoff-only']
