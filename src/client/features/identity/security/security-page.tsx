import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { securityOverviewQuery } from '#client/features/identity/auth/security-overview.api.ts'
import { Banner } from '#client/ui/banner.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import { BackupCodesSection } from './backup-codes-section.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProtectionSummary } from './protection-summary.tsx'
import { RecentActivitySection } from './recent-activity-section.tsx'
import { factorsQuery } from './security.api.ts'
import { SessionSection } from './session-section.tsx'
import { TwoStepSection } from './two-step-section.tsx'

/** Starts both requests of the page in parallel. */
export function useSecurity() {
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

export function SecurityPage({ overview, factors }: SecurityPageProps) {
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
