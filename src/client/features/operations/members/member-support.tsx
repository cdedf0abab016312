import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useChange } from '#client/lib/changes.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { inWords, ownWords } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { AdminUserFacts } from '#shared/contracts/operations/member-account.ts'
import {
  adminResendMailingCall,
  adminSendAccountEmailCall,
  adminUnlockSignInCall,
  type UserSupport,
} from '#shared/contracts/operations/member-support.ts'
import { adminLiftSuppressionCall, suppressionReasons } from '#shared/contracts/publishing/deliverability.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'
import { formatDay } from '#shared/domain/format.ts'
import { accountQuery, supportQuery } from './member.api.ts'

/** Answers "I'm locked out" and "I got no email": one line per problem, with the action that fixes it. */
export function MemberSupport({ userId }: { userId: string }) {
  const { data: user } = useQuery(accountQuery(userId))
  const query = useQuery(supportQuery(userId))
  return (
    <Section title="Sign-in and email">
      {user && query.data ? (
        <Problems user={user} support={query.data} />
      ) : query.error ? (
        <p role="alert">
          {errorMessage(query.error)}{' '}
          <Button variant="secondary" size="sm" pending={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <SkeletonText lines={2} />
      )}
    </Section>
  )
}

function Problems({ user, support }: { user: AdminUserFacts; support: UserSupport }) {
  const { locks, suppressions, missed, emailPreferences } = support
  const hasNoProblem = !user.disabled && user.emailConfirmed && locks.length + suppressions.length + missed.length === 0
  return (
    <>
      <ul aria-label="Sign-in and email problems" className="divide-y divide-line border-y border-line">
        {hasNoProblem && (
          <Line icon="fine">
            This person can sign in
            {emailPreferences.drops === 'weekly' ? ' and receive email.' : '.'}
          </Line>
        )}
        {user.disabled && <Line icon="stop">This account is disabled, so they can’t sign in. Enable it below.</Line>}
        {locks.map((lock) => (
          <LockLine key={lock.what} userId={user.id} lock={lock} />
        ))}
        {!user.emailConfirmed && <UnconfirmedLine user={user} />}
        {suppressions.map((suppression) => (
          <SuppressionLine key={suppression.id} suppression={suppression} />
        ))}
        {missed.map((issue) => (
          <MissedLine key={issue.mailingId} userId={user.id} issue={issue} />
        ))}
        <PreferenceLines preferences={emailPreferences} />
      </ul>
      {!user.disabled && <ResetPassword user={user} />}
    </>
  )
}

const icons = {
  fine: <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={1.75} />,
  stop: <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" strokeWidth={1.75} />,
  note: <Info aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.75} />,
} as const

type LineProps = { icon: keyof typeof icons; action?: ReactNode; children: ReactNode }

const Line = ({ icon, action, children }: LineProps) => (
  <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
    <p className="flex min-w-0 grow basis-80 gap-3 [overflow-wrap:anywhere]">
      {icons[icon]}
      <span>{children}</span>
    </p>
    {action && <span className="pl-8 sm:pl-0">{action}</span>}
  </li>
)

type LockLineProps = { userId: string; lock: UserSupport['locks'][number] }

function LockLine({ userId, lock: { what, until } }: LockLineProps) {
  const unlock = useChange(adminUnlockSignInCall, { done: 'Sign-in unlocked', failure: 'Sign-in wasn’t unlocked' })
  return (
    <Line
      icon="stop"
      action={
        <Button
          size="sm"
          variant="secondary"
          pending={unlock.isPending}
          onClick={() => unlock.mutate({ userId })}
          aria-label={what === 'password' ? 'Unlock sign-in' : 'Unlock codes'}
        >
          Unlock
        </Button>
      }
    >
      {what === 'password' ? 'Sign-in is locked' : 'Two-step codes are locked'} until <Timestamp inline at={until} />{' '}
      after too many wrong {what === 'password' ? 'passwords' : 'codes'}.
    </Line>
  )
}

const useSendAccountEmail = () =>
  useChange(adminSendAccountEmailCall, {
    onSuccess: ({ to }) => toast.success('Email sent', { id: 'account-email', description: `To ${to}` }),
    failure: 'The email wasn’t sent',
  })

function UnconfirmedLine({ user }: { user: AdminUserFacts }) {
  const send = useSendAccountEmail()
  return (
    <Line
      icon="stop"
      action={
        !user.disabled && (
          <Button
            size="sm"
            variant="secondary"
            pending={send.isPending}
            onClick={() => send.mutate({ userId: user.id, kind: 'confirmation' })}
          >
            Resend confirmation
          </Button>
        )
      }
    >
      The email address isn’t confirmed yet.
    </Line>
  )
}

const stopped = {
  all: 'Newsletter email doesn’t',
  drops: ownWords`Weekly drops don’t`,
  news: 'Product news doesn’t',
  'follow-ups': '“Did it work?” emails don’t',
  assignments: 'Emails about assignments and deadlines don’t',
  replies: 'Emails about replies to answers don’t',
  personal: 'Personal emails don’t',
} as const
const stoppedText = ({ stream, newsletter }: { stream: string; newsletter: string | null }) =>
  stopped[stream as keyof typeof stopped] ?? `Emails of “${newsletter ?? 'a newsletter'}” don’t`
const uncapitalize = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

function SuppressionLine({ suppression }: { suppression: UserSupport['suppressions'][number] }) {
  const remove = useChange(adminLiftSuppressionCall, {
    done: 'Suppression removed',
    failure: 'The suppression wasn’t removed',
  })
  const { id, reason, detail, createdAt } = suppression
  return (
    <Line
      icon="stop"
      action={
        <ConfirmButton
          label="Remove suppression"
          size="sm"
          variant="secondary"
          pending={remove.isPending}
          title="Remove this suppression?"
          action="Remove"
          onConfirm={() => remove.mutate({ id, reason: 'Removed on the user’s page' })}
        >
          {reason === 'complaint' || reason === 'unsubscribed'
            ? 'They asked not to get email. Remove it only if they want email again.'
            : 'We’ll send email to this address again. If it bounces, we suppress the address again.'}
        </ConfirmButton>
      }
    >
      {stoppedText(suppression)} go to this address: {uncapitalize(suppressionReasons[reason])}, since{' '}
      <Timestamp inline at={createdAt} />.{detail && <span className="block text-sm text-muted">{detail}</span>}
    </Line>
  )
}

type MissedLineProps = { userId: string; issue: UserSupport['missed'][number] }

function MissedLine({ userId, issue: { mailingId, subject, sentAt, cause } }: MissedLineProps) {
  const resend = useChange(adminResendMailingCall, {
    done: ownWords`Drop queued for sending`,
    failure: ownWords`The drop wasn’t sent`,
  })
  return (
    <Line
      icon="stop"
      action={
        <Button
          size="sm"
          variant="secondary"
          pending={resend.isPending}
          onClick={() => resend.mutate({ userId, mailingId })}
          aria-label={`Send ${subject}`}
        >
          Send it
        </Button>
      }
    >
      Didn’t get “{subject}” ({formatDay(sentAt.slice(0, 10))}):{' '}
      {cause ? uncapitalize(inWords(deliveryCauses[cause])) : 'not in its audience'}.
    </Line>
  )
}

function PreferenceLines({ preferences: { drops, news } }: { preferences: UserSupport['emailPreferences'] }) {
  return (
    <>
      {drops === 'off' && <Line icon="note">{ownWords`Weekly drops are turned off.`}</Line>}
      {drops === 'monthly' && <Line icon="note">{ownWords`They get the monthly digest instead of weekly drops.`}</Line>}
      {!news && <Line icon="note">Product news is turned off.</Line>}
    </>
  )
}

function ResetPassword({ user }: { user: AdminUserFacts }) {
  const send = useSendAccountEmail()
  return (
    <div className="mt-5">
      <ConfirmButton
        label="Send password reset"
        variant="secondary"
        pending={send.isPending}
        title="Send a password reset?"
        action="Send email"
        onConfirm={() => send.mutate({ userId: user.id, kind: 'password-reset' })}
      >
        <span className="[overflow-wrap:anywhere]">{user.email}</span> gets a link to choose a new password. The current
        one works until then.
      </ConfirmButton>
    </div>
  )
}
