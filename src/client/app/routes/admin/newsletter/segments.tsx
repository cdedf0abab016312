import { SegmentList } from '#client/features/newsletter/segment-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { AdminPages } from '../admin-pages.tsx'
import { NewsletterPages } from './newsletter-pages.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Newsletter" />
      <AdminPages />
      <NewsletterPages />
      <div className="pt-8">
        <h2 className="sr-only">Segments</h2>
        <SegmentList />
      </div>
    </>
  )
}
