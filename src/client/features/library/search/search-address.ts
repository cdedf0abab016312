import { publication } from '#client/lib/publication.ts'
import type { SearchFilters } from '#shared/contracts/library/search.ts'
import { optionKeys } from '#shared/domain/preferences.ts'
import { verticals } from '#shared/domain/verticals.ts'
import { kindsOfGroup, type ResultGroup, resultGroups } from './result-groups.ts'

/** Query and filters in the address of /portal/search: `?q=review&in=prompts&area=Marketing&saved=yes`. */
export function toSearchParams(query: string, filters: SearchFilters): URLSearchParams {
  const params = new URLSearchParams()
  if (query) params.set('q', query)
  for (const group of groupsOf(filters)) params.append('in', group)
  for (const area of filters.focusAreas) params.append('area', area)
  for (const level of filters.levels) params.append('level', level)
  for (const vertical of filters.verticals) params.append('trade', vertical)
  if (filters.saved) params.set('saved', 'yes')
  if (filters.tried) params.set('tried', 'yes')
  return params
}

/** Groups of which a filter has every kind. */
export const groupsOf = ({ kinds }: Pick<SearchFilters, 'kinds'>): ResultGroup[] =>
  resultGroups.filter((group) => kindsOfGroup[group].every((kind) => kinds.includes(kind)))

/** Ignores what it doesn't know, since addresses are typed and shared. */
export function fromSearchParams(params: URLSearchParams): { query: string; filters: SearchFilters } {
  const known = <Value extends string>(name: string, values: readonly Value[]): Value[] => {
    const given = params.getAll(name)
    return values.filter((value) => given.includes(value))
  }
  return {
    query: params.get('q') ?? '',
    filters: {
      kinds: known('in', resultGroups).flatMap((group) => kindsOfGroup[group]),
      focusAreas: known('area', optionKeys(publication, 'focusAreas')),
      levels: known('level', optionKeys(publication, 'aiLevel')),
      verticals: known('trade', verticals),
      saved: params.get('saved') === 'yes',
      tried: params.get('tried') === 'yes',
    },
  }
}
