import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { deliveryLabels } from '#client/features/publishing/mailings/mailing-labels.ts'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { LoadError, SkeletonText } from '#client/ui/loading.tsx'
import { Disclosure, Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminPersonalEmailsCall,
  adminPreviewPersonalEmailCall,
  adminSendPersonalEmailCall,
  type PersonalEmails as Sent,
  type SentPersonalEmail,
} from '#shared/contracts/operations/personal-email.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'

/** Loaded with the form, which most never open. */
const MarkdownField = lazy(() =>
  import('#client/features/publishing/documents/markdown-field.tsx').then((module) => ({
    default: module.MarkdownField,
  })),
)

const personalEmailsQuery = (userId: string) =>
  alwaysStaleQuery(
    ['admin-personal-emails', userId],
    adminPersonalEmailsCall,
    { userId },
    {
      // The email counts as pending until the mail server has answered.
      refetchInterval: ({ state }) =>
        state.data?.items.some(({ status }) => status === 'pending' || status === 'sending') ? 3_000 : false,
    },
  )

/** Emails that staff wrote to this member alone, and a form for another one. */
export function PersonalEmails({ userId }: { userId: string }) {
  const emails = useQuery(personalEmailsQuery(userId))
  /** A new id for each new email, so that a second click sends nothing. */
  const [draft, setDraft] = useState<{ id: string } | null>(null)
  const { data } = emails
  return (
    <Section title="Personal emails" lede="Written by staff to this member alone. No newsletter.">
      <div className="grid gap-5">
        {data ? (
          <>
            {draft ? (
              <PersonalEmailForm
                key={draft.id}
                userId={userId}
                id={draft.id}
                note={noteOf(data)}
                onClose={() => setDraft(null)}
              />
            ) : data.obstacle ? (
              <p className="text-muted">They can’t get one now: {uncapitalize(deliveryCauses[data.obstacle])}.</p>
            ) : (
              <p>
                <Button variant="secondary" onClick={() => setDraft({ id: crypto.randomUUID() })}>
                  Write an email
                </Button>
              </p>
            )}
            {data.items.length > 0 && (
              <ul aria-label="Personal emails" className="divide-y divide-line border-y border-line">
                {data.items.map((email) => (
                  <EmailRow key={email.id} email={email} />
                ))}
              </ul>
            )}
          </>
        ) : emails.isError ? (
          <LoadError what="the personal emails" query={emails} />
        ) : (
          <SkeletonText lines={1} />
        )}
      </div>
    </Section>
  )
}

function noteOf({ replyTo, hasUnsubscribed }: Sent): string {
  const replies = `Answers go to ${replyTo}.`
  return hasUnsubscribed
    ? `${replies} They turned off some newsletters. They still get this email, so write only about what concerns them.`
    : replies
}

const problems: readonly string[] = ['failed', 'suppressed', 'stopped', 'unknown']

function EmailRow({ email: { subject, text, at, by, status, cause } }: { email: SentPersonalEmail }) {
  const isProblem = problems.includes(status)
  return (
    <li className="grid gap-1 py-3">
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-1">
        <p className="min-w-0 font-semibold [overflow-wrap:anywhere]">{subject}</p>
        <p className="text-sm text-muted tabular-nums">
          <Timestamp at={at} />
        </p>
      </div>
      <p className={isProblem ? 'text-sm text-danger' : 'text-sm text-muted'}>
        {deliveryLabels[status]}
        {cause && `: ${uncapitalize(deliveryCauses[cause])}`}
        {by && ` · by ${by}`}
      </p>
      <Disclosure summary="Show the text">
        <p className="mt-2 max-w-[70ch] whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
      </Disclosure>
    </li>
  )
}

const uncapitalize = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

type PersonalEmailFormProps = {
  userId: string
  /** The id of the email to send. */
  id: string
  /** Where answers go, and what to consider. */
  note: string
  onClose: () => void
}

function PersonalEmailForm({ userId, id, note, onClose }: PersonalEmailFormProps) {
  const preview = useChange(adminPreviewPersonalEmailCall)
  const send = useChange(adminSendPersonalEmailCall, { done: 'The email is on its way' })
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const isWritten = subject.trim() !== '' && text.trim() !== ''
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    preview.reset()
  }
  const handleSubmit = submitHandler(send, () => {
    if (!isWritten) return
    send.mutate({ userId, id, subject, text }, { onSuccess: onClose })
  })
  return (
    <form onSubmit={handleSubmit} className="grid max-w-3xl gap-5">
      <TextField
        label="Subject"
        required
        maxLength={200}
        value={subject}
        onChange={({ target }) => change(setSubject)(target.value)}
      />
      <Suspense fallback={<SkeletonText lines={6} />}>
        <MarkdownField
          path={`personal-email.${id}`}
          label="Text"
          hint="{{first_name|there}} becomes the member’s first name, or “there”."
          rows={8}
          value={text}
          onChange={change(setText)}
          withBlocks={false}
        />
      </Suspense>
      <p className="text-muted">{note}</p>
      {preview.data && <EmailPreview {...preview.data} />}
      <FormActions
        action="Send to this member"
        change={{ ...send, error: send.error ?? preview.error }}
        onCancel={onClose}
      >
        <Button
          variant="secondary"
          pending={preview.isPending}
          disabled={!isWritten}
          onClick={() => preview.mutate({ userId, subject, text })}
        >
          Preview
        </Button>
      </FormActions>
    </form>
  )
}

function EmailPreview({ subject, html, errors }: { subject: string; html: string; errors: readonly string[] }) {
  return (
    <div role="status">
      {errors.map((error) => (
        <p key={error} className="text-danger">
          {error}
        </p>
      ))}
      <p className="font-semibold [overflow-wrap:anywhere]">{subject}</p>
      {/* Sandboxed: no scripts, and no access to this page. */}
      <iframe
        title="Preview of the personal email"
        sandbox=""
        srcDoc={html}
        className="mt-3 h-[28rem] w-full rounded-md border border-line bg-surface"
      />
    </div>
  )
}
