import { OfferList } from '#client/features/billing/offers/offer-list.tsx'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  const { role } = useStaffRole()
  return (
    <>
      <PageHeading title="Offers" />
      <div className="mt-8">
        <OfferList canEdit={role === 'owner'} />
      </div>
    </>
  )
}
