import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Check, Laptop, Minus, ShieldCheck, Smartphone } from 'lucide-react'
import type { z } from 'zod'
import { securityKey, securityOverviewQuery } from '#client/features/identity/auth/security-overview.api.ts'
import { BackupCodesSection } from '#client/features/identity/security/backup-codes-section.tsx'
import { PasskeySection } from '#client/features/identity/security/passkey-section.tsx'
import { PasswordSection } from '#client/features/identity/security/password-section.tsx'
import { factorsQuery, useRefreshSecurity } from '#client/features/identity/security/security.api.ts'
import { TwoStepSection } from '#client/features/identity/security/two-step-section.tsx'
import { fieldQuery } from '#client/lib/calls.ts'
import { useChange, useSensitiveMutation } from '#client/lib/changes.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { InlineLoadError, LoadError, LoadingPlaceholder, Skeleton, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { endSessionCall, listSessionsCall } from '#shared/contracts/identity/account-security.ts'
import { describeLocalAddress } from '#shared/domain/describe-local-address.ts'
import { type SecurityEvent, securityEvents } from '#shared/domain/security-events.ts'

export function Component() {
  const { overview, factors, error, isFetching, refetch } = useSecurity()
  return (
    <>
      {error ? (
        <LoadError what="your security settings" query={{ error, isFetching, refetch }} />
      ) : (
        <SecurityPage overview={overview} factors={factors} />
      )}
    </>
  )
}

type ProtectionSummaryProps = {
  hasPassword: boolean
  hasPasskey: boolean
  factorCount: number
  backupCodesLeft: number
}

function ProtectionSummary({ hasPassword, hasPasskey, factorCount, backupCodesLeft }: ProtectionSummaryProps) {
  const lines = [
    { label: 'Password', ok: hasPassword, text: hasPassword ? 'Set' : 'Not set' },
    {
      label: 'Two-step verification',
      ok: factorCount > 0,
      text: factorCount === 0 ? 'Off' : factorCount === 1 ? 'On' : `${factorCount} methods`,
    },
    { label: 'Passkeys', ok: hasPasskey, text: hasPasskey ? 'In use' : 'None' },
    { label: 'Backup codes', ok: backupCodesLeft > 0, text: backupCodesLeft > 0 ? `${backupCodesLeft} left` : 'None' },
  ]
  return (
    <dl className="mb-10 grid sm:grid-cols-4 sm:gap-x-8">
      {lines.map(({ label, ok, text }) => {
        const Icon = ok ? Check : Minus
        return (
          <div
            key={label}
            className="flex items-center justify-between border-b border-line py-2 sm:block sm:border-t-2 sm:border-b-0 sm:border-t-ink sm:pt-3"
          >
            <dt className="text-sm font-semibold text-muted">{label}</dt>
            <dd className="display flex items-center gap-2 text-lg sm:mt-1 sm:text-xl">
              <Icon aria-hidden className={clsx('size-5', ok ? 'text-success' : 'text-muted')} strokeWidth={1.75} />
              {text}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

type Event = { id: string; at: string; event: SecurityEvent; device: string; ip: string }

function RecentActivitySection({ events }: { events: readonly Event[] }) {
  return (
    <Section
      title="Recent activity"
      lede="Don’t recognize something? Change your password, then check the devices above."
    >
      {events.length === 0 ? (
        <p className="text-muted">No activity yet.</p>
      ) : (
        <ol aria-label="Recent activity" className="border-t border-line">
          {events.map((event) => (
            <li
              key={event.id}
              className="grid gap-x-6 border-b border-line py-2.5 text-sm last:border-b-0 sm:grid-cols-[minmax(0,1fr)_minmax(0,14rem)]"
            >
              <p>
                <span className="text-base">{securityEvents[event.event]}</span>
                <span className="block text-muted">
                  {[event.device, describeLocalAddress(event.ip) ?? event.ip].filter(Boolean).join(', ')}
                </span>
              </p>
              <p className="text-muted tabular-nums sm:text-right sm:leading-6">
                <Timestamp at={event.at} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

/** Starts both requests of the page in parallel. */
function useSecurity() {
  const overview = useQuery(securityOverviewQuery)
  const factors = useQuery(factorsQuery)
  return {
    overview: overview.data,
    factors: factors.data,
    error: overview.data && factors.data ? null : (overview.error ?? factors.error),
    isFetching: overview.isFetching || factors.isFetching,
    refetch: () => {
      void overview.refetch()
      void factors.refetch()
    },
  }
}

type SecurityPageProps = Pick<ReturnType<typeof useSecurity>, 'overview' | 'factors'>

function SecurityPage({ overview, factors }: SecurityPageProps) {
  if (!overview || !factors) {
    return (
      <LoadingPlaceholder>
        <SecuritySkeleton />
      </LoadingPlaceholder>
    )
  }
  const factorCount = factors.filter((factor) => factor.status === 'verified').length
  return (
    <>
      {overview.mfaRequired && (
        <Banner title="Admin pages require two-step verification" icon={ShieldCheck} className="mb-10">
          <p className="max-w-[60ch]">
            Your account can see every reader’s email. Add an authenticator app or a security key below to open the
            admin pages again. It takes about two minutes.
          </p>
        </Banner>
      )}
      <ProtectionSummary
        hasPassword={overview.hasPassword}
        hasPasskey={overview.stepUp.methods.includes('passkey')}
        factorCount={factorCount}
        backupCodesLeft={overview.backupCodes.left}
      />
      <div>
        <PasswordSection hasPassword={overview.hasPassword} stepUp={overview.stepUp} />
        <TwoStepSection
          factors={factors}
          phoneOffered={overview.phoneFactorOffered}
          trustedDevices={overview.trustedDevices}
        />
        <BackupCodesSection
          left={overview.backupCodes.left}
          createdAt={overview.backupCodes.createdAt}
          isTwoStepOn={factorCount > 0}
        />
        <PasskeySection />
        <SessionSection />
        <RecentActivitySection events={overview.recentEvents} />
      </div>
    </>
  )
}

function SecuritySkeleton() {
  return (
    <div>
      <div className="mb-10 grid gap-x-8 gap-y-3 sm:grid-cols-4">
        {[1, 2, 3, 4].map((cell) => (
          <Skeleton key={cell} className="h-9 sm:h-19" />
        ))}
      </div>
      {[1, 2, 3].map((section) => (
        <div key={section} className="border-t border-line py-8 first:border-t-0">
          <SkeletonText lines={1} height="h-7" className="w-52 max-w-full" />
          <SkeletonText lines={1} className="mt-1.5 max-w-112" />
          <Skeleton className="mt-5 h-11 w-44 max-w-full" />
        </div>
      ))}
    </div>
  )
}

function useSignOutElsewhere() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async () => {
      const { error } = await (await loadBackend()).auth.signOut({ scope: 'others' })
      if (error) throw error
    },
    onSuccess: refresh,
    done: 'All other devices are signed out',
    failure: 'We couldn’t sign out the other devices',
  })
}

const sessionsQuery = fieldQuery([...securityKey, 'sessions'], listSessionsCall, {}, 'sessions')

type Session = z.output<typeof listSessionsCall.output>['sessions'][number]

const handhelds = /iphone|ipad|android|phone|mobile/i

function SessionSection() {
  const { data: sessions, isError, refetch, isFetching } = useQuery(sessionsQuery)
  const everywhere = useSignOutElsewhere()
  const others = sessions?.filter((session) => !session.current).length ?? 0
  return (
    <Section
      title="Where you’re signed in"
      status={sessions ? `${sessions.length} ${sessions.length === 1 ? 'device' : 'devices'}` : undefined}
      lede="Don’t recognize a device? End its session, then change your password."
    >
      {isError ? (
        <InlineLoadError retrying={isFetching} onRetry={refetch}>
          We couldn’t load your devices.
        </InlineLoadError>
      ) : !sessions ? (
        <Skeleton className="h-18" />
      ) : (
        <ItemList label="Sessions">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ItemList>
      )}
      {others > 0 && (
        <Button variant="secondary" className="mt-5" pending={everywhere.isPending} onClick={() => everywhere.mutate()}>
          Sign out all other devices
        </Button>
      )}
    </Section>
  )
}

function SessionRow({ session }: { session: Session }) {
  const end = useChange(endSessionCall, { done: 'Session ended', failure: 'We couldn’t end the session' })
  return (
    <ItemRow
      icon={handhelds.test(session.device) ? Smartphone : Laptop}
      title={
        <>
          {session.device}
          {session.current && <Tag tone="primary">This device</Tag>}
        </>
      }
      facts={
        <>
          Last used <Timestamp inline at={session.lastUsedAt} /> from{' '}
          {describeLocalAddress(session.ip) ?? (session.ip || 'an unknown IP address')}. Signed in{' '}
          <Timestamp inline at={session.startedAt} />
          {session.secondFactor && ', with two-step verification'}.
        </>
      }
      actions={
        !session.current && (
          <Button
            variant="quiet"
            size="sm"
            pending={end.isPending}
            aria-label={`End session: ${session.device}`}
            onClick={() => end.mutate({ id: session.id })}
          >
            End
          </Button>
        )
      }
    />
  )
}
