import { AppError } from '#shared/errors.ts'

/**
 * LIKE pattern for an address, as stored in lower case. Terms from which the trigram index can draw at least one
 * trigram are looked for anywhere in the address; shorter ones only at its beginning, where the prefix index answers.
 * Without that, two letters would read a million rows.
 * @throws AppError validation_failed for a character that no text in the database can hold
 */
export function emailPattern(search: string): string {
  const term = search.trim().toLowerCase()
  if (term.includes('\0')) throw new AppError('validation_failed', { message: 'search: contains a null character' })
  const escaped = term.replace(/[\\%_]/g, '\\$&')
  return hasTrigram(term) ? `%${escaped}%` : `${escaped}%`
}

/** Three word characters in a row, or a word's beginning or end that the term itself shows. */
const hasTrigram = (term: string) =>
  term.length >= 3 && /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(term)
