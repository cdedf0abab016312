import { useState } from 'react'
import { Link } from 'react-router'
import { SettingsEditor } from '#client/features/publishing/site-settings/settings-editor.tsx'
import { SelectField } from '#client/ui/form.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Publication" className="mb-8" />
      <PublicationSettings />
    </>
  )
}

/** Name, look, plans and landing page, one part at a time. */
function PublicationSettings() {
  const [part, setPart] = useState('Name and look')
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
            . Readers see a change within seconds; pages that are open show it after a reload.
          </p>
          <SelectField
            label="Part"
            fieldClassName="max-w-md"
            value={part}
            onChange={({ target }) => setPart(target.value)}
          >
            {[...new Set(fields.map(({ section }) => section))].map((section) => (
              <option key={section}>{section}</option>
            ))}
          </SelectField>
        </div>
      )}
    </SettingsEditor>
  )
}
