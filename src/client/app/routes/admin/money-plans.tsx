import { PlanList } from '#client/features/billing/plans/plan-list.tsx'
import { TaxSection } from '#client/features/billing/plans/tax-form.tsx'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  const { role } = useStaffRole()
  return (
    <>
      <PageHeading title="Plans" />
      <div className="mt-8">
        <PlanList canEdit={role === 'owner'} />
        <TaxSection canEdit={role === 'owner'} />
      </div>
    </>
  )
}
