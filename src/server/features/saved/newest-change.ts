import { AppError } from '#shared/errors.ts'

/** Before the product existed. Keeps instants that PostgreSQL can't store out of the tables. */
const earliest = Date.parse('2020-01-01T00:00:00Z')

/** A reader's clock may be wrong: a change never counts as later than it arrived. */
export const changeInstant = (at: string, now: Date): Date =>
  new Date(Math.min(Math.max(new Date(at).getTime(), earliest), now.getTime()))

/** The row that was written, or the stored one if it is as new. @throws AppError not_found if there is neither */
export async function writtenOrStored<Row>(written: Row | undefined, readStored: () => Promise<Row | undefined>) {
  const row = written ?? (await readStored())
  if (!row) throw new AppError('not_found')
  return row
}
