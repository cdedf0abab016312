import { PublicationSettings } from '#client/features/publishing/site-settings/publication-settings.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Publication" className="mb-8" />
      <PublicationSettings />
    </>
  )
}
