import { SegmentList } from '#client/features/newsletter/segment-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { AdminTabs } from '../admin-tabs.tsx'
import { NewsletterTabs } from './newsletter-tabs.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Newsletter" />
      <AdminTabs />
      <NewsletterTabs />
      <div className="pt-8">
        <h2 className="sr-only">Segments</h2>
        <SegmentList />
      </div>
    </>
  )
}
