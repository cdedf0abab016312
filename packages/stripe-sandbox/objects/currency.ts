import { invalid } from '../http/errors.ts'

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/**
 * A currency as objects name it, in small letters.
 * @throws ApiError 400 for letters that are no currency
 */
export function requireCurrency(given: string, param: string): string {
  if (!known.has(given.toUpperCase())) throw invalid(`Invalid currency: ${given.slice(0, 10)}.`, param)
  return given.toLowerCase()
}
