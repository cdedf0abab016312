import { SettingsForm } from '#client/features/newsletter/settings-form.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { AdminPages } from '../admin-pages.tsx'
import { NewsletterPages } from './newsletter-pages.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Newsletter" />
      <AdminPages />
      <NewsletterPages />
      <div className="pt-8">
        <h2 className="sr-only">Settings</h2>
        <SettingsForm />
      </div>
    </>
  )
}
