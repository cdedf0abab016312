import { GiftLinkList } from '#client/features/billing/gifts/gift-link-list.tsx'
import { GiftList } from '#client/features/billing/gifts/gift-list.tsx'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  const { role } = useStaffRole()
  return (
    <>
      <PageHeading title="Gifts" />
      <div className="mt-8">
        <GiftList canEdit={role === 'owner'} />
        <GiftLinkList canEdit={role === 'owner'} />
      </div>
    </>
  )
}
