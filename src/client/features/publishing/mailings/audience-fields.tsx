import { useQuery } from '@tanstack/react-query'
import { AudienceCount } from '#client/features/publishing/documents/audience-count.tsx'
import { memberViewsQuery } from '#client/lib/member-views-query.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { ChoiceChip } from '#client/ui/choice.tsx'
import { SelectField } from '#client/ui/form.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import type { Audience, MailingKind } from '#shared/contracts/publishing/newsletter.ts'
import { questionName, staffChoices } from '#shared/domain/questions.ts'
import { NewsletterSelect } from './newsletter-select.tsx'
import { segmentsQuery } from './segments.api.ts'

const planChoices = () => [
  ...publication.plans.map(({ key, name }) => ({ value: key, label: name })),
  { value: 'complimentary', label: 'Complimentary access' },
  { value: 'free', label: 'Free edition' },
]

type AudienceFieldsProps = {
  mailingId: string
  kind: MailingKind
  value: Audience
  onChange: (audience: Audience) => void
}

/** Audience filters. An empty group doesn't filter; all groups apply together. */
export function AudienceFields({ mailingId, kind, value, onChange }: AudienceFieldsProps) {
  const segments = useQuery(segmentsQuery)
  const choicesOfSegments = segments.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const views = useQuery(memberViewsQuery)
  const choicesOfViews = views.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const set = (part: Partial<Audience>) => onChange({ ...value, ...part })
  return (
    <div className="grid gap-6">
      {value.unopenedMailingId && (
        <p>
          Goes only to readers who received{' '}
          <PageLink to={`/admin/newsletter/${value.unopenedMailingId}`}>the first mailing</PageLink>, allow tracking and
          haven’t opened it. No one gets it twice.
        </p>
      )}
      {kind !== 'digest' && (
        <NewsletterSelect
          everyone={kind === 'issue' ? ownWords`Everyone who gets weekly drops` : 'Everyone who gets product news'}
          value={value.newsletterId}
          onChange={(newsletterId) => set({ newsletterId })}
        />
      )}
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        <Chips
          legend="Plan"
          choices={planChoices()}
          chosen={value.plans}
          onChange={(plans) => set({ plans: plans as Audience['plans'] })}
        />
        <Chips
          legend={questionName(publication, 'focusAreas', 'Focus area')}
          choices={staffChoices(publication, 'focusAreas', value.focusAreas)}
          chosen={value.focusAreas}
          onChange={(areas) => set({ focusAreas: areas })}
        />
        <Chips
          legend={questionName(publication, 'franchiseType')}
          choices={staffChoices(publication, 'franchiseType', value.franchiseTypes)}
          chosen={value.franchiseTypes}
          onChange={(types) => set({ franchiseTypes: types })}
        />
        {choicesOfViews.length > 0 && (
          <Chips
            legend="View of the members list"
            choices={choicesOfViews}
            chosen={value.viewIds}
            onChange={(viewIds) => set({ viewIds })}
          />
        )}
        {choicesOfSegments.length > 0 && (
          <Chips
            legend="Segment"
            choices={choicesOfSegments}
            chosen={value.segmentIds}
            onChange={(segmentIds) => set({ segmentIds })}
          />
        )}
        <Activity value={value.active} onChange={(active) => set({ active })} />
      </div>
      <AudienceCount of={{ id: mailingId }} audience={value} />
    </div>
  )
}

type Choice = { value: string; label: string }
type ChipsProps = {
  legend: string
  choices: readonly Choice[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Checkboxes styled as chips. */
function Chips({ legend, choices, chosen, onChange }: ChipsProps) {
  return (
    <fieldset>
      <legend className="text-sm font-semibold">
        {legend} <span className="font-normal text-muted">{chosen.length === 0 && '(all)'}</span>
      </legend>
      <div className="mt-2 flex flex-wrap gap-2">
        {choices.map(({ value, label }) => (
          <ChoiceChip
            key={value}
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((known) => known !== value))
            }
            label={label}
          />
        ))}
      </div>
    </fieldset>
  )
}

const spans = [30, 90, 180, 365]

function Activity({ value, onChange }: { value: Audience['active']; onChange: (value: Audience['active']) => void }) {
  const chosen = value ? `${value.within ? 'in' : 'out'}-${value.days}` : ''
  return (
    <SelectField
      label="Activity"
      value={chosen}
      onChange={({ target }) => {
        const [side, days] = target.value.split('-')
        onChange(target.value ? { within: side === 'in', days: Number(days) } : null)
      }}
      options={[
        ...spans.map((days) => [`in-${days}`, `Signed in during the last ${days} days`] as const),
        ...spans.map((days) => [`out-${days}`, `Not signed in for ${days} days`] as const),
      ]}
    >
      <option value="">All readers, active or not</option>
    </SelectField>
  )
}
