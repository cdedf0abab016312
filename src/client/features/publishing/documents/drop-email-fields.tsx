import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { alwaysStaleQuery, callQuery } from '#client/lib/call-query.ts'
import { memberViewsQuery } from '#client/lib/member-views-query.ts'
import { newslettersQuery } from '#client/lib/newsletters-query.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { Choice } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/field.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { type Audience, everyone } from '#shared/contracts/publishing/newsletter.ts'
import type { DropEmail } from '#shared/contracts/publishing/publishing.ts'
import { adminSegmentsCall } from '#shared/contracts/publishing/segments.ts'
import { adminSendingSettingsCall } from '#shared/contracts/publishing/sending-settings.ts'
import { maxSubjectLength } from '#shared/domain/subject-test.ts'

export type EmailChoice = Omit<DropEmail, 'acceptedErrors'>

const segmentsQuery = alwaysStaleQuery(['admin-segments'], adminSegmentsCall, {})

const settingsQuery = callQuery(['admin-sending-settings'], adminSendingSettingsCall, {})

type DropEmailFieldsProps = {
  /** Null while the drop is only published. */
  value: EmailChoice | null
  /** Values when the email is turned on. */
  suggested: EmailChoice
  onChange: (value: EmailChoice | null) => void
}

/** The email that goes out with a drop: audience, subject and preview text. */
export function DropEmailFields({ value, suggested, onChange }: DropEmailFieldsProps) {
  const { data: settings } = useQuery(settingsQuery)
  return (
    <fieldset className="mt-5 grid gap-4">
      <legend className="sr-only">Email</legend>
      <Choice
        type="checkbox"
        label="Also email it"
        description={ownWords`Sent as soon as the drop is in the portal, never before.`}
        checked={value !== null}
        onChange={({ target }) => onChange(target.checked ? suggested : null)}
      />
      {value && (
        <>
          <AudienceSelect value={value.audience} onChange={(audience) => onChange({ ...value, audience })} />
          <TextField
            label="Subject"
            required
            maxLength={maxSubjectLength}
            autoComplete="off"
            value={value.subject}
            onChange={({ target }) => onChange({ ...value, subject: target.value })}
          />
          <TextField
            label="Preview text"
            maxLength={maxSubjectLength}
            autoComplete="off"
            hint="Shown after the subject in most inboxes."
            value={value.preheader}
            onChange={({ target }) => onChange({ ...value, preheader: target.value })}
          />
          {settings?.readerHours && (
            <Choice
              type="checkbox"
              label="Email each reader at their own hour"
              description="Within 24 hours, in their time zone."
              checked={value.readerHours ?? true}
              onChange={({ target }) => onChange({ ...value, readerHours: target.checked })}
            />
          )}
        </>
      )}
    </fieldset>
  )
}

const keyOf = (audience: Audience): string => {
  if (JSON.stringify(audience) === JSON.stringify(everyone)) return 'everyone'
  const { viewIds, segmentIds, newsletterId } = audience
  const only = (part: Partial<Audience>) => JSON.stringify(audience) === JSON.stringify({ ...everyone, ...part })
  if (viewIds.length === 1 && only({ viewIds })) return `view ${viewIds[0]}`
  if (segmentIds.length === 1 && only({ segmentIds })) return `segment ${segmentIds[0]}`
  if (newsletterId !== null && only({ newsletterId })) return `newsletter ${newsletterId}`
  return 'other'
}

function AudienceSelect({ value, onChange }: { value: Audience; onChange: (audience: Audience) => void }) {
  const id = useId()
  const views = useQuery(memberViewsQuery).data?.items ?? []
  const segments = useQuery(segmentsQuery).data?.items ?? []
  const newsletters = (useQuery(newslettersQuery).data?.items ?? []).filter(
    ({ id: newsletterId, retiredAt }) => retiredAt === null || newsletterId === value.newsletterId,
  )
  const chosen = keyOf(value)
  const handleChange = (key: string) => {
    const [kind, one = ''] = key.split(' ')
    if (kind === 'everyone') onChange(everyone)
    if (kind === 'view') onChange({ ...everyone, viewIds: [one] })
    if (kind === 'newsletter') onChange({ ...everyone, newsletterId: Number(one) })
    if (kind === 'segment') onChange({ ...everyone, segmentIds: [one] })
  }
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        Audience
      </label>
      <select id={id} className={inputStyles} value={chosen} onChange={({ target }) => handleChange(target.value)}>
        <option value="everyone">{ownWords`Everyone who gets drops`}</option>
        {newsletters.length > 0 && (
          <optgroup label="Subscribers of a newsletter">
            {newsletters.map(({ id: newsletterId, name }) => (
              <option key={newsletterId} value={`newsletter ${newsletterId}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        {views.length > 0 && (
          <optgroup label="Views of the members list">
            {views.map((view) => (
              <option key={view.id} value={`view ${view.id}`}>
                {view.name}
              </option>
            ))}
          </optgroup>
        )}
        {segments.length > 0 && (
          <optgroup label="Segments">
            {segments.map((segment) => (
              <option key={segment.id} value={`segment ${segment.id}`}>
                {segment.name}
              </option>
            ))}
          </optgroup>
        )}
        {chosen === 'other' && <option value="other">As set on the mailing’s page</option>}
      </select>
    </div>
  )
}
