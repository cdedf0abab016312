import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deliveryLabels } from '#client/features/publishing/mailings/mailing-labels.ts'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { Button } from '#client/ui/button.tsx'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminPersonalEmailsCall,
  type PersonalEmails,
  type SentPersonalEmail,
} from '#shared/contracts/operations/personal-email.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'
import { PersonalEmailForm } from './personal-email-form.tsx'

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

type PersonalEmailSectionProps = { userId: string; renderText: RenderMarkdownField }

/** Emails that staff wrote to this member alone, and a form for another one. */
export function PersonalEmailSection({ userId, renderText }: PersonalEmailSectionProps) {
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
                renderText={renderText}
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

function noteOf({ replyTo, hasUnsubscribed }: PersonalEmails): string {
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
