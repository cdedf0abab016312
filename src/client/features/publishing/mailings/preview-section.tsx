import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { invoke } from '#client/lib/calls.ts'
import { submitHandler } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { inWords, publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, InlineChoices } from '#client/ui/choice.tsx'
import { InlineError, SelectField, TextField } from '#client/ui/form.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { adminPreviewSeriesEmailCall, adminTestSeriesEmailCall } from '#shared/contracts/operations/series.ts'
import {
  adminPreviewIssueEmailCall,
  adminPreviewMailingCall,
  adminTestIssueEmailCall,
  adminTestMailingCall,
  type PreviewedMember,
} from '#shared/contracts/publishing/mailing-preview.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'
import { offeredKeys, optionLabel } from '#shared/domain/preferences.ts'
import { unknownReader } from '#shared/domain/reader.ts'
import type { EmailSource } from './email-preview.api.ts'
import { MemberPicker, type PickedMember } from './member-picker.tsx'

type ReaderChoice = z.input<typeof adminPreviewMailingCall.input>['as']

const useTestEmail = (email: EmailSource) =>
  useMutation({
    mutationFn: (test: { to: string; as: ReaderChoice }) => {
      const { id } = email
      if (email.of === 'series') return invoke(adminTestSeriesEmailCall, { id, stepId: email.stepId, ...test })
      return email.of === 'drop'
        ? invoke(adminTestIssueEmailCall, { id, ...test })
        : invoke(adminTestMailingCall, { id, ...test })
    },
  })

/** Cached per version, so a saved change loads a new preview. */
const previewQuery = (email: EmailSource, as: ReaderChoice) =>
  queryOptions({
    queryKey: ['admin-preview-email', email, as],
    queryFn: ({ signal }) => {
      const { id } = email
      if (email.of === 'series') return invoke(adminPreviewSeriesEmailCall, { id, stepId: email.stepId, as }, signal)
      return email.of === 'drop'
        ? invoke(adminPreviewIssueEmailCall, { id, as }, signal)
        : invoke(adminPreviewMailingCall, { id, as }, signal)
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

type PreviewSectionProps = {
  email: EmailSource
  /** Free readers get an edition of their own. */
  hasFreeEdition: boolean
}

/** Preview of the email for a focus area or, if the role sees members, for one of them, and a form for a test email. */
export function PreviewSection({ email, hasFreeEdition }: PreviewSectionProps) {
  const [area, setArea] = useState('')
  const [isFree, setFree] = useState(false)
  const [member, setMember] = useState<PickedMember | null>(null)
  const [side, setSide] = useState<'html' | 'text'>('html')
  const as: ReaderChoice = member
    ? { userId: member.id }
    : { reader: { ...unknownReader, focusAreas: area ? [area] : [] }, free: isFree }
  const { data, isError, isPlaceholderData } = useQuery(previewQuery(email, as))
  const { role } = useStaffRole()
  const seesMembers = role === 'owner' || role === 'support'
  return (
    <Section title="Preview" status={data && `${Math.ceil(data.bytes / 1024)} kB`}>
      <div className="grid max-w-3xl items-start gap-5 md:grid-cols-2">
        {seesMembers && (
          <MemberPicker
            member={member}
            note={member && data?.member && !isPlaceholderData ? noteOn(data.member) : undefined}
            onPick={setMember}
          />
        )}
        <SelectField
          label={seesMembers ? 'Or as a reader focused on' : 'Preview as a reader focused on'}
          value={member ? '' : area}
          onChange={({ target }) => {
            setMember(null)
            setArea(target.value)
          }}
        >
          <option value="">None chosen</option>
          {offeredKeys(publication, 'focusAreas').map((key) => (
            <option key={key} value={key}>
              {optionLabel(publication, 'focusAreas', key)}
            </option>
          ))}
        </SelectField>
        {hasFreeEdition && !member && (
          <Choice
            type="checkbox"
            label="As a free reader"
            description="What is open to everyone, and one line on what members also got."
            checked={isFree}
            onChange={({ target }) => setFree(target.checked)}
          />
        )}
      </div>
      {isError && <p className="mt-5 text-muted">We couldn’t load the preview. Reload the page to try again.</p>}
      {data && (
        <div className="mt-6" aria-busy={isPlaceholderData}>
          <p className="font-semibold [overflow-wrap:anywhere]">{data.subject || 'No subject yet'}</p>
          {data.reason && <p className="text-sm text-muted">{data.reason}</p>}
          <div className="mt-3">
            <InlineChoices
              legend="Email format"
              options={{ html: 'HTML', text: 'Plain text' }}
              value={side}
              onChange={setSide}
            />
          </div>
          {side === 'html' ? (
            // Sandboxed: no scripts, and no access to this page.
            <iframe
              title="Email preview"
              sandbox=""
              srcDoc={data.html}
              className="mt-3 h-[36rem] w-full max-w-3xl rounded-md border border-line bg-surface"
            />
          ) : (
            <ScrollBox
              label="The email as plain text"
              className="mt-3 max-h-[36rem] w-full max-w-3xl overflow-auto rounded-md border border-line bg-surface"
            >
              <pre className="p-4 text-sm whitespace-pre-wrap">{data.text}</pre>
            </ScrollBox>
          )}
        </div>
      )}
      <TestForm email={email} as={as} />
    </Section>
  )
}

/** Looks up whether someone gets this mailing. */
function noteOn({ receives, cause }: PreviewedMember): string {
  if (receives) return 'Sections in this member’s order.'
  const why = cause ? inWords(deliveryCauses[cause]) : 'Not in the audience'
  return `This member won’t receive it (${why.charAt(0).toLowerCase()}${why.slice(1)}). This is how it would look.`
}

/** Sends a test email with the ordering shown above. */
function TestForm({ email, as }: { email: EmailSource; as: ReaderChoice }) {
  const { user } = useSession()
  const test = useTestEmail(email)
  const handleSubmit = submitHandler(test, (text) => test.mutate({ to: text('to'), as }))
  return (
    <form onSubmit={handleSubmit} className="mt-6 max-w-xl">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          fieldClassName="min-w-0 grow"
          label="Send a test email to"
          type="email"
          name="to"
          required
          autoComplete="email"
          defaultValue={user?.email ?? ''}
        />
        <Button type="submit" variant="secondary" pending={test.isPending}>
          Send test email
        </Button>
      </div>
      <p role="status" className="mt-2 text-sm text-muted empty:hidden">
        {test.data && `Test email sent to ${test.data.to}.`}
      </p>
      <InlineError className="mt-2">{formErrorMessage(test.error)}</InlineError>
    </form>
  )
}
