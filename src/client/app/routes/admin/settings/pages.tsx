import type { ComponentProps } from 'react'
import { MarkdownField } from '#client/features/publishing/documents/markdown-field.tsx'
import { SitePageList } from '#client/features/publishing/site-pages/site-page-list.tsx'
import { PageSettings } from '#client/features/publishing/site-settings/page-settings.tsx'
import { TrustPagesForm } from '#client/features/publishing/trust-pages/trust-pages-form.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

const renderMarkdownField = (field: ComponentProps<typeof MarkdownField>) => (
  <MarkdownField {...field} withBlocks={false} />
)

export function Component() {
  return (
    <>
      <PageHeading title="Pages" className="mb-8" />
      <SitePageList />
      <PageSettings renderMarkdownField={renderMarkdownField} />
      <TrustPagesForm renderMarkdownField={renderMarkdownField} />
    </>
  )
}
