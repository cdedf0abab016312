import type { Publication } from '../publication-defaults.ts'
import type { CustomField } from './custom-fields.ts'
import { fieldConditionText } from './field-conditions.ts'
import { formatDay } from './format.ts'
import {
  accountStates,
  engagementName,
  type MemberFilter,
  memberFilterSchema,
  memberStatuses,
  type Period,
} from './member-filter.ts'
import { filteredStreams } from './newsletters.ts'
import { planOf } from './plans.ts'
import { readPollToken } from './poll.ts'
import type { QuestionName } from './question-terms.ts'
import { questionName, staffLabel } from './questions.ts'

/** `at`: which condition on a field of the publisher. */
export type FilterPart = { field: keyof MemberFilter; text: string; at?: number }

/** The publisher's fields and newsletters, which a filter names by their ids. */
export type FilterNames = {
  fields?: readonly CustomField[] | undefined
  newsletters?: readonly { id: number; name: string }[] | undefined
}

/** The set fields of a filter in words, in the order of the form. */
export function describeMemberFilter(
  publication: Publication,
  filter: MemberFilter,
  { fields = [], newsletters = [] }: FilterNames = {},
): FilterPart[] {
  const streams = filteredStreams(newsletters)
  const named = (chosen: readonly string[]) => either(chosen.map((stream) => streams[stream] ?? 'a newsletter'))
  const parts: [keyof MemberFilter, string | null][] = [
    ['search', filter.search && `“${filter.search}”`],
    ['statuses', either(filter.statuses.map((status) => memberStatuses[status]))],
    ['plans', prefixed('Plan: ', either(filter.plans.map((plan) => planOf(publication, plan).name)))],
    ['account', either(filter.account.map((state) => accountStates[state]))],
    ['focusAreas', answerText(publication, 'focusAreas', 'Focus', filter.focusAreas)],
    ['goals', answerText(publication, 'goals', 'Goal', filter.goals)],
    ['aiLevels', answerText(publication, 'aiLevel', 'AI level', filter.aiLevels)],
    ['franchiseTypes', answerText(publication, 'franchiseType', 'Franchise', filter.franchiseTypes)],
    ['locations', filter.locations && locationsText(filter.locations)],
    ['engagement', filter.engagement && engagementText(filter.engagement)],
    ['joined', filter.joined && periodText('Joined', 'in the last', filter.joined)],
    ['renews', filter.renews && periodText('Renews', 'in the next', filter.renews)],
    ['tags', prefixed('Tag: ', either(filter.tags))],
    ['sources', prefixed('Came from: ', either(filter.sources))],
    ['polls', prefixed('Answered in a poll: ', either(filter.polls.map((token) => readPollToken(token).answer)))],
    ['newsletters', prefixed('Gets: ', named(filter.newsletters))],
    ['unsubscribedFrom', prefixed('Unsubscribed from: ', named(filter.unsubscribedFrom))],
    ['noted', filter.noted === null ? null : filter.noted ? 'Has notes' : 'Without notes'],
  ]
  return [
    ...parts.flatMap(([field, text]) => (text ? [{ field, text }] : [])),
    ...filter.fields.map((condition, at) => ({
      field: 'fields' as const,
      text: fieldConditionText(condition, fields),
      at,
    })),
  ]
}

/** "Active or On trial; Plan: Pro Yearly", for the staff log. */
export const memberFilterText = (publication: Publication, filter: MemberFilter, names: FilterNames = {}): string =>
  describeMemberFilter(publication, filter, names)
    .map(({ text }) => text)
    .join('; ') || 'All members'

/** The filter without one of its parts. */
export const withoutPart = (filter: MemberFilter, { field, at }: Pick<FilterPart, 'field' | 'at'>): MemberFilter =>
  memberFilterSchema.parse({
    ...filter,
    [field]: field === 'fields' ? filter.fields.filter((_condition, index) => index !== at) : undefined,
  })

const either = (words: readonly string[]) => words.join(' or ')
const prefixed = (prefix: string, text: string) => (text ? prefix + text : '')
const answerText = (publication: Publication, question: QuestionName, short: string, keys: readonly string[]) =>
  prefixed(
    `${questionName(publication, question, short)}: `,
    either(keys.map((key) => staffLabel(publication, question, key))),
  )
const daysText = (days: number) => (days === 1 ? 'day' : `${days} days`)

function locationsText({ min, max }: NonNullable<MemberFilter['locations']>): string {
  if (max === null) return min === 0 ? 'Any number of locations' : `${min} or more locations`
  if (min === max) return min === 0 ? 'No locations' : min === 1 ? '1 location' : `${min} locations`
  return `${min} to ${max} locations`
}

const engagementText = ({ kind, within, days }: NonNullable<MemberFilter['engagement']>) =>
  within
    ? `${engagementName(kind, true)} in the last ${daysText(days)}`
    : `${engagementName(kind, false)} for ${days === 1 ? 'a day' : daysText(days)}`

function periodText(what: string, span: string, period: Period): string {
  if ('days' in period) return `${what} ${span} ${daysText(period.days)}`
  const { from, to } = period
  if (from && to)
    return from === to ? `${what} on ${formatDay(from)}` : `${what} ${formatDay(from)} to ${formatDay(to)}`
  return from ? `${what} from ${formatDay(from)}` : `${what} until ${formatDay(to ?? '')}`
}
