import { EmailSettings } from '#client/features/publishing/site-settings/email-settings.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Emails" className="mb-8" />
      <EmailSettings />
    </>
  )
}
