import { useStaffRole } from '#client/features/auth/role.api.ts'
import { OfferList } from '#client/features/offers/offer-list.tsx'
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
