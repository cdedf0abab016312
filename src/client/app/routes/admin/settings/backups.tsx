import { BackupsPage } from '#client/features/operations/backup/backups-page.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Backups" />
      <BackupsPage />
    </>
  )
}
