import { AdoptSubscriptions } from '#client/features/billing/stripe-adoption/stripe-adoption.tsx'
import { MembersImport } from '#client/features/operations/member-import/member-import.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Import" lede="Bring your members with you. Check first, then import." />
      <MembersImport />
      <AdoptSubscriptions />
    </>
  )
}
