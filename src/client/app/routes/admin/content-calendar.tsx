import { ContentCalendar } from '#client/features/publishing/documents/content-calendar.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Calendar" />
      <div className="pt-6 sm:pt-8">
        <ContentCalendar />
      </div>
    </>
  )
}
