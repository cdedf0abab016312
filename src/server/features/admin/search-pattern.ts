import { AppError } from '#shared/errors.ts'

/**
 * LIKE pattern for an address, as stored in lower case. Terms with three letters or digits in a row are looked for
 * anywhere in the address, through the trigram index; others only at its beginning, where the prefix index answers.
 * They hold no trigram that tells addresses apart: "a@b" anywhere took 160 ms among a million users.
 * @throws AppError validation_failed for a character that no text in the database can hold
 */
export function emailPattern(search: string): string {
  const term = search.trim().toLowerCase()
  if (term.includes('\0')) throw new AppError('validation_failed', { message: 'search: contains a null character' })
  const escaped = term.replace(/[\\%_]/g, '\\$&')
  return hasTrigram(term) ? `%${escaped}%` : `${escaped}%`
}

const hasTrigram = (term: string) => /[\p{L}\p{N}]{3}/u.test(term)
