import type { FieldCondition } from '#shared/domain/field-conditions.ts'
import { type MemberFilter, memberFilterSchema, type Period } from '#shared/domain/member-filter.ts'

/** Names of the fields in the page's address. */
const lists = {
  status: 'statuses',
  plan: 'plans',
  account: 'account',
  area: 'focusAreas',
  goal: 'goals',
  level: 'aiLevels',
  type: 'franchiseTypes',
  tag: 'tags',
  source: 'sources',
  poll: 'polls',
  gets: 'newsletters',
  off: 'unsubscribedFrom',
} as const

/** The filter in an address. Fields that aren't valid are left out. */
export function readFilterAddress(query: URLSearchParams): MemberFilter {
  const fields: Record<string, unknown> = {
    search: query.get('search') ?? '',
    locations: readLocations(query.get('locations')),
    engagement: readEngagement(query.get('engagement')),
    joined: readPeriod(query.get('joined')),
    renews: readPeriod(query.get('renews')),
    noted: { yes: true, no: false }[query.get('notes') ?? ''] ?? null,
    fields: query.getAll('field').flatMap(readCondition),
  }
  for (const [name, field] of Object.entries(lists)) fields[field] = query.getAll(name)
  const known = Object.entries(fields).filter(
    ([field, value]) => memberFilterSchema.safeParse({ [field]: value }).success,
  )
  return memberFilterSchema.parse(Object.fromEntries(known))
}

export function filterAddress(filter: MemberFilter): URLSearchParams {
  const query = new URLSearchParams()
  if (filter.search) query.set('search', filter.search)
  for (const [name, field] of Object.entries(lists)) for (const value of filter[field]) query.append(name, value)
  const { locations, engagement, noted } = filter
  if (locations) query.set('locations', `${locations.min}-${locations.max ?? ''}`)
  if (engagement) query.set('engagement', `${engagement.within ? '' : 'not-'}${engagement.kind}-${engagement.days}`)
  for (const field of ['joined', 'renews'] as const) {
    const period = filter[field]
    if (period) query.set(field, 'days' in period ? String(period.days) : `${period.from ?? ''}..${period.to ?? ''}`)
  }
  if (noted !== null) query.set('notes', noted ? 'yes' : 'no')
  for (const condition of filter.fields) query.append('field', conditionAddress(condition))
  return query
}

function readLocations(text: string | null) {
  const match = /^(\d+)-(\d*)$/.exec(text ?? '')
  return match ? { min: Number(match[1]), max: match[2] ? Number(match[2]) : null } : null
}

function readEngagement(text: string | null) {
  const match = /^(not-)?([a-z_]+)-(\d+)$/.exec(text ?? '')
  return match ? { kind: match[2], within: !match[1], days: Number(match[3]) } : null
}

function readPeriod(text: string | null): Period | null {
  if (!text) return null
  if (/^\d+$/.test(text)) return { days: Number(text) }
  const [from, to] = text.split('..')
  return { from: from || null, to: to || null }
}

/** Such as "3:any:small,large", "4:number:1..5" or "5:filled:no". */
function conditionAddress(condition: FieldCondition): string {
  const { field } = condition
  if ('filled' in condition) return `${field}:filled:${condition.filled ? 'yes' : 'no'}`
  if ('anyOf' in condition) return `${field}:any:${condition.anyOf.join(',')}`
  if ('words' in condition) return `${field}:words:${condition.words}`
  if ('min' in condition) return `${field}:number:${condition.min ?? ''}..${condition.max ?? ''}`
  return `${field}:day:${condition.from ?? ''}..${condition.to ?? ''}`
}

function readCondition(text: string): object[] {
  const [, id, kind, value = ''] = /^(\d+):(filled|any|words|number|day):(.*)$/s.exec(text) ?? []
  const field = Number(id)
  const [from, to] = value.split('..')
  const number = (bound: string | undefined) => (bound ? Number(bound) : null)
  if (kind === 'filled') return [{ field, filled: value === 'yes' }]
  if (kind === 'any') return [{ field, anyOf: value.split(',') }]
  if (kind === 'words') return [{ field, words: value }]
  if (kind === 'number') return [{ field, min: number(from), max: number(to) }]
  return kind === 'day' ? [{ field, from: from || null, to: to || null }] : []
}
