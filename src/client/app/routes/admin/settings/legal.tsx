import type { ComponentProps } from 'react'
import { MarkdownField } from '#client/features/publishing/documents/markdown-field.tsx'
import { SettingsEditor } from '#client/features/publishing/site-settings/settings-editor.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

const renderMarkdownField = (field: ComponentProps<typeof MarkdownField>) => (
  <MarkdownField {...field} withBlocks={false} />
)

/** Switches for what laws require, each with its source. */
export function Component() {
  return (
    <>
      <PageHeading title="Legal" />
      <p className="mt-4 mb-8 max-w-[65ch] text-muted">
        Each setting says who it’s for and cites its source. This isn’t legal advice: ask a lawyer what applies to you.
      </p>
      <SettingsEditor group="legal" shown="" hasPreview={false} renderMarkdownField={renderMarkdownField} />
    </>
  )
}
