/**
 * For a server process that lives for seconds. Compiling the embedded database a second time, for speed, would take more
 * of its life than it gives back: a third of the start.
 */
export const shortLivedFlags = ['--disable-warning=ExperimentalWarning', '--liftoff-only']
