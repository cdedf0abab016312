import { AppError } from '#shared/errors.ts'

/** The row that was written, or the stored one if it is as new. @throws AppError not_found if there is neither */
export async function writtenOrStored<Row>(written: Row | undefined, readStored: () => Promise<Row | undefined>) {
  const row = written ?? (await readStored())
  if (!row) throw new AppError('not_found')
  return row
}
