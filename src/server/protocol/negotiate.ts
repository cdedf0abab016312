import { restErrors } from './rest-error.ts'

export type Wanted = { single: boolean; count: boolean; range: { offset: number; limit: number } | null }

type ReadHeader = (name: string) => string | undefined

export const objectType = 'application/vnd.pgrst.object+json'
const arrayTypes = new Set(['*/*', 'application/*', 'application/json', 'application/vnd.pgrst.array+json'])

/**
 * Reads response format, count and range from the request headers.
 * @throws RestError PGRST106 unknown schema, PGRST107 media type, PGRST103 range
 */
export function negotiate(header: ReadHeader): Wanted {
  for (const profile of [header('accept-profile'), header('content-profile')]) {
    if (profile !== undefined && profile.trim() !== 'public') throw restErrors.unknownSchema()
  }
  return {
    single: wantsObject(header('accept') || '*/*'),
    count: /(^|[,\s])count=(exact|planned|estimated)\b/.test(header('prefer') ?? ''),
    range: parseRange(header('range')),
  }
}

/** The first supported media type wins. */
function wantsObject(accept: string): boolean {
  for (const part of accept.split(',')) {
    const type = part.split(';')[0]?.trim().toLowerCase() ?? ''
    if (type === objectType) return true
    if (arrayTypes.has(type)) return false
  }
  throw restErrors.notAcceptable(accept)
}

/** A row range such as `0-9`, inclusive. Other units are ignored. */
function parseRange(text: string | undefined): Wanted['range'] {
  const match = /^(\d{1,9})-(\d{1,9})?$/.exec(text?.trim() ?? '')
  if (!match) return null
  const first = Number(match[1])
  const last = match[2] === undefined ? Number.MAX_SAFE_INTEGER : Number(match[2])
  if (last < first) throw restErrors.badRange('The lower boundary must be lower than or equal to the upper boundary.')
  return { offset: first, limit: last - first + 1 }
}
