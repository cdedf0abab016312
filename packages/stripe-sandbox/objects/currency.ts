import { invalid } from '../http/errors.ts'

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/**
 * A currency in lower case, as in objects.
 * @throws ApiError 400 for an unknown currency
 */
export function requireCurrency(given: string, param: string): string {
  if (!known.has(given.toUpperCase())) throw invalid(`Invalid currency: ${given.slice(0, 10)}.`, param)
  return given.toLowerCase()
}
