import { useState } from 'react'
import { SettingsEditor } from '#client/features/publishing/site-settings/settings-editor.tsx'
import { inWords } from '#client/lib/publication.ts'
import { OptionList, SelectField } from '#client/ui/form.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import type { SettingField, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { fixedEmails } from '#shared/domain/fixed-emails.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Emails" className="mb-8" />
      <EmailSettings />
    </>
  )
}

const emailOf = ({ name }: SettingField) => name.slice(0, name.indexOf('.'))

/** The texts of emails that the publication sends by itself, one email at a time. */
function EmailSettings() {
  const [email, setEmail] = useState('confirmation')
  return (
    <SettingsEditor group="emails" shown={email} isShown={(field) => emailOf(field) === email} after={<FixedEmails />}>
      {(fields, values) => (
        <div className="mb-8 grid gap-5">
          <p className="max-w-[60ch] text-muted">
            Links, codes, and tables of amounts and dates are part of each email and always stay. Fields such as{' '}
            {'{publication}'} are filled in when the email is sent.
          </p>
          <SelectField
            label="Email"
            fieldClassName="max-w-md"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          >
            <Emails fields={fields} values={values} />
          </SelectField>
        </div>
      )}
    </SettingsEditor>
  )
}

const FixedEmails = () => (
  <Section title="Emails with fixed texts">
    <dl className="grid max-w-[60ch] gap-3">
      {fixedEmails.map(({ what, why }) => (
        <div key={what}>
          <dt className="font-semibold">{inWords(what)}</dt>
          <dd className="text-muted">{inWords(why)}</dd>
        </div>
      ))}
    </dl>
  </Section>
)

/** By department; an email with changed texts says so. */
function Emails({ fields, values }: { fields: readonly SettingField[]; values: SettingValues }) {
  const emails = [...new Map(fields.map((field) => [emailOf(field), field.section]))].map(([key, section]) => {
    const [department = '', ...label] = section.split(': ')
    const isChanged = fields.some((field) => emailOf(field) === key && values[field.name] !== undefined)
    return { key, department, label: `${label.join(': ')}${isChanged ? ' (changed)' : ''}` }
  })
  return [...Map.groupBy(emails, ({ department }) => department)].map(([department, members]) => (
    <optgroup key={department} label={department}>
      <OptionList of={members.map(({ key, label }) => [key, label])} />
    </optgroup>
  ))
}
