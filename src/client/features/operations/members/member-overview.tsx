import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { ownWords } from '#client/lib/publication.ts'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { AdminUserFacts } from '#shared/contracts/operations/member-account.ts'
import type { Member } from '#shared/contracts/operations/member-page.ts'
import type { UserSupport } from '#shared/contracts/operations/member-support.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { accountQuery, memberQuery, supportQuery } from './member.api.ts'

/** Answers what staff ask first: plan, payments, reading, email, and what needs attention. */
export function MemberOverview({ userId }: { userId: string }) {
  const { data: account } = useQuery(accountQuery(userId))
  const { data: support } = useQuery(supportQuery(userId))
  const { data: member } = useQuery(memberQuery(userId))
  return (
    <section aria-label="Summary" className="min-w-0 grow basis-96">
      <p className="min-h-7 text-lg">{member?.access}</p>
      {account && member && support ? (
        <>
          <dl className="mt-4 grid grid-cols-2 gap-x-8 gap-y-3 tabular-nums sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
            {member.price && <Fact name="Pays">{formatPrice(member.price)}</Fact>}
            {member.payingSince ? (
              <Fact name="Paying since">{formatDay(member.payingSince)}</Fact>
            ) : (
              <Fact name="Joined">{formatDay(member.joinedAt)}</Fact>
            )}
            <Fact name={ownWords`Last read a drop`}>
              {member.lastReadAt ? <Timestamp at={member.lastReadAt} /> : 'Never'}
            </Fact>
            <Fact name="Emails">{emailState(support)}</Fact>
          </dl>
          <Problems problems={problemsOf(account, member, support)} />
        </>
      ) : (
        <SkeletonText lines={3} className="mt-4" />
      )}
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="font-semibold">{children}</dd>
  </div>
)

function emailState({ suppressions, emailPreferences: { drops } }: UserSupport): string {
  if (suppressions.some(({ stream }) => stream === 'all' || stream === 'drops')) return 'Stopped'
  return { weekly: ownWords`Every drop`, monthly: 'Once a month', off: 'Turned off' }[drops]
}

function problemsOf(account: AdminUserFacts, member: Member, support: UserSupport): string[] {
  const { locks, suppressions, missed } = support
  const problems = [
    account.disabled && 'The account is disabled.',
    member.unpaidSince && `A payment has been open since ${formatDay(member.unpaidSince)}.`,
    !account.emailConfirmed && 'The email address isn’t confirmed.',
    locks.length > 0 && 'Sign-in is locked after too many wrong entries.',
    suppressions.length > 0 && 'Email to this address is stopped.',
    missed.length > 0 && `They didn’t receive ${missed.length === 1 ? 'one email' : `${missed.length} emails`}.`,
  ]
  return problems.filter((problem) => typeof problem === 'string')
}

const Problems = ({ problems }: { problems: readonly string[] }) => (
  <ul aria-label="Open problems" className="mt-4 grid gap-1">
    {problems.length === 0 ? (
      <li className="flex gap-2 text-muted">
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={1.75} />
        No open problems
      </li>
    ) : (
      problems.map((problem) => (
        <li key={problem} className="flex gap-2">
          <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" strokeWidth={1.75} />
          {problem}
        </li>
      ))
    )}
  </ul>
)
