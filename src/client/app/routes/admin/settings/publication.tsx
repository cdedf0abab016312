import { useState } from 'react'
import { Link } from 'react-router'
import { SettingsEditor } from '#client/features/publishing/site-settings/settings-editor.tsx'
import { SelectField } from '#client/ui/form.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { designSections, type SettingField } from '#shared/contracts/publishing/site-settings.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Publication" className="mb-8" />
      <PublicationSettings />
    </>
  )
}

/** Name, public pages and the texts of the landing page, one part at a time. */
function PublicationSettings() {
  const [part, setPart] = useState('Name and texts')
  return (
    <SettingsEditor group="publication" shown="" isShown={({ section }) => section === part}>
      {(fields) => (
        <div className="mb-8 grid gap-5">
          <p className="max-w-[60ch] text-muted">
            Reply-to, postal address and time zone are under{' '}
            <Link to="/admin/newsletter/settings" className="text-link">
              Newsletter, Sending
            </Link>
            , prices under{' '}
            <Link to="/admin/money/plans" className="text-link">
              Money, Plans
            </Link>
            , colors and logo under{' '}
            <Link to="/admin/settings/design" className="text-link">
              Design
            </Link>
            . Readers see a change within seconds; pages that are open show it after a reload.
          </p>
          <SelectField
            label="Part"
            fieldClassName="max-w-md"
            value={part}
            onChange={({ target }) => setPart(target.value)}
          >
            {parts(fields).map((section) => (
              <option key={section}>{section}</option>
            ))}
          </SelectField>
        </div>
      )}
    </SettingsEditor>
  )
}

const parts = (fields: readonly SettingField[]) =>
  [...new Set(fields.map(({ section }) => section))].filter((section) => !designSections.includes(section))
