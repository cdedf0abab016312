import { SegmentList } from '#client/features/publishing/mailings/segment-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Segments" />
      <div className="pt-8">
        <h2 className="sr-only">Segments</h2>
        <SegmentList />
      </div>
    </>
  )
}
