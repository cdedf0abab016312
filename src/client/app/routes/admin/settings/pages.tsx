import { MarkdownField } from '#client/features/publishing/markdown-field.tsx'
import { PageSettings } from '#client/features/site-settings/page-settings.tsx'
import { TrustPagesForm } from '#client/features/trust-pages/trust-pages-form.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Pages" className="mb-8" />
      <PageSettings renderMarkdownField={(field) => <MarkdownField {...field} withBlocks={false} />} />
      <TrustPagesForm />
    </>
  )
}
