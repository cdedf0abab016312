import { ExportPage } from '#client/features/operations/archive/export-page.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Export" />
      <ExportPage />
    </>
  )
}
