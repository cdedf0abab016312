import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { storedFieldsQuery } from '#client/features/reader/custom-fields/admin-fields.api.ts'
import { pollsQuery } from '#client/features/reader/feedback/feedback-report.api.ts'
import { newslettersQuery } from '#client/lib/newsletters-query.ts'
import { inWords, publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { ChoiceChip } from '#client/ui/choice.tsx'
import { FormError, OptionList, SelectField, TextField } from '#client/ui/form.tsx'
import { Panel } from '#client/ui/page-parts.tsx'
import { type CustomField, hasOptions, optionText } from '#shared/domain/custom-fields.ts'
import type { FieldCondition } from '#shared/domain/field-conditions.ts'
import {
  accountStates,
  type EngagementKind,
  engagementKinds,
  engagementName,
  type MemberFilter,
  memberFilterSchema,
  memberStatuses,
  type Period,
} from '#shared/domain/member-filter.ts'
import { filteredStreams } from '#shared/domain/newsletters.ts'
import { pollToken, readPollToken } from '#shared/domain/poll.ts'
import { optionKeys } from '#shared/domain/preferences.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { questionName, staffLabel } from '#shared/domain/questions.ts'

/** A group of answers for each poll. Votes that the filter names are there at once, and also if their poll isn't listed. */
function PollFilters({ chosen }: { chosen: readonly string[] }) {
  const { data } = useQuery(pollsQuery)
  const polls = (data?.items ?? []).map(({ issueId, question, answers }) => ({
    issueId,
    question,
    options: Object.fromEntries(answers.map((answer) => [pollToken(issueId, answer), answer])),
  }))
  const others = chosen.filter((token) => !polls.some(({ options }) => token in options))
  return (
    <>
      {polls.map(({ issueId, question, options }) => (
        <Checks key={issueId} legend={`Poll: ${question}`} name="polls" options={options} chosen={chosen} />
      ))}
      {others.length > 0 && (
        <Checks
          legend="Other polls"
          name="polls"
          options={Object.fromEntries(others.map((token) => [token, readPollToken(token).answer]))}
          chosen={others}
        />
      )}
    </>
  )
}

type MemberFilterPanelProps = {
  filter: MemberFilter
  tagsInUse: readonly string[]
  submitLabel?: string
  onFilter: (filter: MemberFilter) => void
  onClose: () => void
}

const same = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, word]))
const planNames = () => Object.fromEntries(publication.plans.map(({ key, name }) => [key, name]))
/** Fields, retired ones included, since members keep their values. */
const optionsOf = (question: QuestionName) =>
  Object.fromEntries(optionKeys(publication, question).map((key) => [key, staffLabel(publication, question, key)]))
const spans = [7, 30, 90, 180, 365]
const spanOptions = (text: (days: number) => string) => Object.fromEntries(spans.map((days) => [days, text(days)]))
const engagements = Object.fromEntries(
  (Object.keys(engagementKinds) as EngagementKind[]).flatMap((kind) => [
    ...spans.map((days) => [`${kind}|yes|${days}`, `${engagementName(kind, true)} in the last ${days} days`]),
    ...spans.map((days) => [`${kind}|no|${days}`, `${engagementName(kind, false)} for ${days} days`]),
  ]),
)

/** All fields of the filter. They apply together; within a group, any choice matches. */
export function MemberFilterPanel({
  filter,
  tagsInUse,
  submitLabel = 'Show members',
  onFilter,
  onClose,
}: MemberFilterPanelProps) {
  const [error, setError] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const parsed = memberFilterSchema.safeParse(readForm(new FormData(event.currentTarget), filter))
    if (parsed.success) onFilter(parsed.data)
    else setError(parsed.error.issues[0]?.message ?? 'Check the form')
  }
  const { engagement, locations, noted } = filter
  const added = filteredStreams(useQuery(newslettersQuery).data?.items ?? [])
  const streams = { ...added, drops: inWords(added.drops ?? '') }
  return (
    <div className="mt-4">
      <Panel label="Filter members">
        <form ref={form} onSubmit={handleSubmit} className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-2">
          <Checks legend="Status" name="statuses" options={memberStatuses} chosen={filter.statuses} />
          <Checks legend="Plan, now or before" name="plans" options={planNames()} chosen={filter.plans} />
          <Checks legend="Account" name="account" options={accountStates} chosen={filter.account} />
          <Checks
            legend={questionName(publication, 'franchiseType')}
            name="franchiseTypes"
            options={optionsOf('franchiseType')}
            chosen={filter.franchiseTypes}
          />
          <Checks
            legend={questionName(publication, 'focusAreas', 'Focus area')}
            name="focusAreas"
            options={optionsOf('focusAreas')}
            chosen={filter.focusAreas}
          />
          <Checks
            legend={questionName(publication, 'goals', 'Goal')}
            name="goals"
            options={optionsOf('goals')}
            chosen={filter.goals}
          />
          <Checks
            legend={questionName(publication, 'aiLevel')}
            name="aiLevels"
            options={optionsOf('aiLevel')}
            chosen={filter.aiLevels}
          />
          {tagsInUse.length > 0 && <Checks legend="Tag" name="tags" options={same(tagsInUse)} chosen={filter.tags} />}
          {filter.sources.length > 0 && (
            <Checks legend="Came from" name="sources" options={same(filter.sources)} chosen={filter.sources} />
          )}
          <Choice
            label="Engagement"
            name="engagement"
            value={engagement ? `${engagement.kind}|${engagement.within ? 'yes' : 'no'}|${engagement.days}` : ''}
            options={engagements}
          />
          <div className="grid grid-cols-2 items-start gap-4">
            <TextField
              label="Locations, at least"
              name="min"
              type="number"
              min={0}
              max={20}
              defaultValue={locations?.min ?? ''}
            />
            <TextField label="At most" name="max" type="number" min={0} max={20} defaultValue={locations?.max ?? ''} />
          </div>
          <PeriodFields
            label="Joined"
            name="joined"
            period={filter.joined}
            options={spanOptions((days) => `In the last ${days} days`)}
          />
          <PeriodFields
            label="Renews"
            name="renews"
            period={filter.renews}
            options={spanOptions((days) => `In the next ${days} days`)}
          />
          <Choice
            label="Notes"
            name="noted"
            value={noted === null ? '' : noted ? 'yes' : 'no'}
            options={{ yes: 'With notes', no: 'Without notes' }}
          />
          <Checks legend="Gets" name="newsletters" options={streams} chosen={filter.newsletters} />
          <Checks
            legend="Unsubscribed from"
            name="unsubscribedFrom"
            options={streams}
            chosen={filter.unsubscribedFrom}
          />
          <PollFilters chosen={filter.polls} />
          <FieldFilters filter={filter} />
          <div className="lg:col-span-2">
            <FormError>{error}</FormError>
          </div>
          <div className="flex flex-wrap gap-3 lg:col-span-2">
            <Button type="submit">{submitLabel}</Button>
            <Button variant="quiet" onClick={() => onFilter(memberFilterSchema.parse({ search: filter.search }))}>
              Clear filters
            </Button>
            <Button variant="quiet" onClick={onClose}>
              Cancel
            </Button>
          </div>
        </form>
      </Panel>
    </div>
  )
}

function readForm(form: FormData, { search }: MemberFilter) {
  const all = (name: string) => form.getAll(name).map(String)
  const text = (name: string) => String(form.get(name) ?? '')
  const [kind, within, days] = text('engagement').split('|')
  const period = (name: string): Period | null => {
    const from = text(`${name}From`) || null
    const to = text(`${name}To`) || null
    if (from || to) return { from, to }
    return text(name) ? { days: Number(text(name)) } : null
  }
  return {
    search,
    statuses: all('statuses'),
    plans: all('plans'),
    account: all('account'),
    franchiseTypes: all('franchiseTypes'),
    focusAreas: all('focusAreas'),
    goals: all('goals'),
    aiLevels: all('aiLevels'),
    tags: all('tags'),
    sources: all('sources'),
    polls: all('polls'),
    newsletters: all('newsletters'),
    unsubscribedFrom: all('unsubscribedFrom'),
    engagement: kind ? { kind, within: within === 'yes', days: Number(days) } : null,
    locations:
      text('min') || text('max') ? { min: Number(text('min')), max: text('max') ? Number(text('max')) : null } : null,
    joined: period('joined'),
    renews: period('renews'),
    noted: { yes: true, no: false }[text('noted')] ?? null,
    fields: readFieldFilters(form),
  }
}

type PeriodFieldsProps = { label: string; name: string; period: Period | null; options: Options }

function PeriodFields({ label, name, period, options }: PeriodFieldsProps) {
  const dates = period && 'from' in period ? period : { from: null, to: null }
  return (
    <div className="grid grid-cols-2 items-start gap-4">
      <div className="col-span-2">
        <Choice
          label={label}
          name={name}
          value={period && 'days' in period ? String(period.days) : ''}
          options={options}
        />
      </div>
      <TextField label={`${label}, from`} name={`${name}From`} type="date" defaultValue={dates.from ?? ''} />
      <TextField label={`${label}, to`} name={`${name}To`} type="date" defaultValue={dates.to ?? ''} />
    </div>
  )
}

const filledTexts = { yes: 'Answered', no: 'Not answered' }
const nameOf = (id: number, part: string) => `field-${id}-${part}`

/** One group of inputs for each field of the publisher. Retired fields are there if the filter names them. */
function FieldFilters({ filter }: { filter: MemberFilter }) {
  const { data } = useQuery(storedFieldsQuery)
  const fields = (data?.items ?? []).filter(
    ({ id, retired }) => !retired || filter.fields.some(({ field }) => field === id),
  )
  return fields.map((field) => (
    <FieldFilter
      key={field.id}
      field={field}
      conditions={filter.fields.filter((condition) => condition.field === field.id)}
    />
  ))
}

function FieldFilter({ field, conditions }: { field: CustomField; conditions: readonly FieldCondition[] }) {
  const { id, label, kind } = field
  const find = <Key extends string>(key: Key) =>
    conditions.find((condition): condition is Extract<FieldCondition, Record<Key, unknown>> => key in condition)
  const filled = find('filled')?.filled
  const options = hasOptions(kind)
    ? Object.fromEntries(field.options.map((option) => [option.key, optionText(option)]))
    : { yes: 'Yes', no: 'No' }
  const range = find('min')
  const days = find('from')
  return (
    <div className="grid gap-3">
      {(hasOptions(kind) || kind === 'yes_no') && (
        <Checks legend={label} name={nameOf(id, 'any')} options={options} chosen={find('anyOf')?.anyOf ?? []} />
      )}
      {kind === 'text' && (
        <TextField
          label={`${label}, contains the words`}
          name={nameOf(id, 'words')}
          maxLength={200}
          defaultValue={find('words')?.words}
        />
      )}
      {kind === 'number' && (
        <div className="grid grid-cols-2 items-start gap-4">
          <TextField
            label={`${label}, at least`}
            name={nameOf(id, 'min')}
            type="number"
            step="any"
            defaultValue={range?.min ?? ''}
          />
          <TextField
            label="At most"
            name={nameOf(id, 'max')}
            type="number"
            step="any"
            defaultValue={range?.max ?? ''}
          />
        </div>
      )}
      {kind === 'date' && (
        <div className="grid grid-cols-2 items-start gap-4">
          <TextField label={`${label}, from`} name={nameOf(id, 'from')} type="date" defaultValue={days?.from ?? ''} />
          <TextField label="To" name={nameOf(id, 'to')} type="date" defaultValue={days?.to ?? ''} />
        </div>
      )}
      <Choice
        label={`${label}, answered or not`}
        name={nameOf(id, 'filled')}
        value={filled === undefined ? '' : filled ? 'yes' : 'no'}
        options={filledTexts}
      />
    </div>
  )
}

/** The conditions in the form, as `memberFilterSchema` expects them. */
function readFieldFilters(form: FormData): object[] {
  const ids = new Set([...form.keys()].flatMap((name) => /^field-(\d+)-/.exec(name)?.[1] ?? []).map(Number))
  return [...ids].flatMap((field) => {
    const text = (part: string) => String(form.get(nameOf(field, part)) ?? '').trim()
    const number = (part: string) => (text(part) === '' ? null : Number(text(part)))
    const anyOf = form.getAll(nameOf(field, 'any')).map(String)
    const [min, max] = [number('min'), number('max')]
    const [from, to] = [text('from') || null, text('to') || null]
    return [
      ...(anyOf.length > 0 ? [{ field, anyOf }] : []),
      ...(text('words') ? [{ field, words: text('words') }] : []),
      ...(min !== null || max !== null ? [{ field, min, max }] : []),
      ...(from || to ? [{ field, from, to }] : []),
      ...(text('filled') ? [{ field, filled: text('filled') === 'yes' }] : []),
    ]
  })
}

type Options = Readonly<Record<string, string>>
type ChecksProps = { legend: string; name: string; options: Options; chosen: readonly string[] }

/** Checkboxes, of which any may match. */
const Checks = ({ legend, name, options, chosen }: ChecksProps) => (
  <fieldset>
    <legend className="text-sm font-semibold">{legend}</legend>
    <div className="mt-2 flex flex-wrap gap-2">
      {Object.entries(options).map(([value, text]) => (
        <ChoiceChip key={value} name={name} value={value} defaultChecked={chosen.includes(value)} label={text} />
      ))}
    </div>
  </fieldset>
)

type ChoiceProps = { label: string; name: string; value: string; options: Options }

/** One of these, or any. */
const Choice = ({ label, name, value, options }: ChoiceProps) => (
  <SelectField label={label} name={name} defaultValue={value}>
    <option value="">Any</option>
    {/* A view can have a value that isn't offered. */}
    {value && !(value in options) && <option value={value}>As now</option>}
    <OptionList of={options} />
  </SelectField>
)
