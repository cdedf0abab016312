import type { ComponentProps } from 'react'
import { LinksField } from '#client/features/publishing/site-pages/links-field.tsx'
import { SettingsEditor } from '#client/features/publishing/site-settings/settings-editor.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

const renderLinksField = (field: ComponentProps<typeof LinksField>) => <LinksField {...field} />

/** Tabs, header, footers and the names of buttons. */
export function Component() {
  return (
    <>
      <PageHeading title="Navigation" className="mb-8" />
      <SettingsEditor group="navigation" shown="" hasPreview={false} renderLinksField={renderLinksField} />
    </>
  )
}
