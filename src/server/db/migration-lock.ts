/** Held while a server migrates. An arbitrary number, unique among the advisory locks in this database. */
export const migrationLock = 7_340_311
