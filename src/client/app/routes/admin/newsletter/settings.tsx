import { SettingsForm } from '#client/features/publishing/mailings/settings-form.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Sending" />
      <div className="pt-8">
        <h2 className="sr-only">Settings</h2>
        <SettingsForm />
      </div>
    </>
  )
}
