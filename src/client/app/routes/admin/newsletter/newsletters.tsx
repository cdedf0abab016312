import { NewsletterList } from '#client/features/publishing/newsletters/newsletter-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Newsletters" className="mb-8" />
      <NewsletterList />
    </>
  )
}
