import { DesignChoice } from '#client/features/publishing/site-settings/design-choice.tsx'
import { SettingsEditor } from '#client/features/publishing/site-settings/settings-editor.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { designSections, type SettingField } from '#shared/contracts/publishing/site-settings.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Design" lede="How your site and emails look." className="mb-8" />
      <SettingsEditor group="publication" shown="" isShown={isBelow}>
        {(fields, values, change) => <DesignChoice fields={fields} values={values} onChange={change} />}
      </SettingsEditor>
    </>
  )
}

const isBelow = ({ name, section }: SettingField) => name !== 'design' && designSections.includes(section)
