import { ReferralList } from '#client/features/billing/referrals/referral-list.tsx'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  const { role } = useStaffRole()
  return (
    <>
      <PageHeading title="Referrals" />
      <div className="mt-8">
        <ReferralList canEdit={role === 'owner'} />
      </div>
    </>
  )
}
