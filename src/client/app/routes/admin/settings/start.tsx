import { SetupChecklist } from '#client/features/operations/setup-checklist/setup-checklist.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Getting started" lede="What your publication needs before it goes live." className="mb-8" />
      <SetupChecklist />
    </>
  )
}
