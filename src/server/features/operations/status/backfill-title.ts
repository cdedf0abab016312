import { allBackfills } from '#server/jobs/backfills.ts'

/** In the words of the status page. Only a newer version knows the titles of its own. */
export const backfillTitle = (name: string): string =>
  allBackfills.find((backfill) => backfill.name === name)?.title ?? 'Work of a newer version'
