import { invalid } from '../http/errors.ts'
import type { Json, Metadata } from '../types.ts'

/** Metadata in a request: a map in which empty values remove keys, or '' to remove all. */
export type MetadataParam = { [key: string]: Json | undefined } | '' | undefined

/**
 * Returns the metadata after a request.
 * @throws ApiError 400 beyond 50 keys, 40 characters per key or 500 characters per value
 */
export function mergeMetadata(current: Metadata, given: MetadataParam): Metadata {
  if (given === undefined) return current
  if (given === '') return {}
  const result: Metadata = { ...current }
  for (const [key, raw] of Object.entries(given)) {
    const value = String(raw ?? '')
    if (key.length > 40)
      throw invalid(`Metadata keys are limited to 40 characters. '${key.slice(0, 40)}…' is longer.`, 'metadata')
    if (value.length > 500) throw invalid('Metadata values can have up to 500 characters.', `metadata[${key}]`)
    if (value === '') delete result[key]
    else result[key] = value
  }
  if (Object.keys(result).length > 50) throw invalid('Metadata can have up to 50 keys.', 'metadata')
  return result
}

/** Updates a field that '' clears. Undefined keeps the value. */
export const clearedBy = (given: string | undefined, current: string | null): string | null =>
  given === undefined ? current : given === '' ? null : given
