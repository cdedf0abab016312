/** Date in all built files, fixed so that builds are reproducible. Its year is the edition. */
export const edition = new Date('2026-11-01T00:00:00Z')
