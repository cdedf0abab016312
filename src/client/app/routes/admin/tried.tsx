import { SharedNotes, TriesReport } from '#client/features/reader/tries/tries-report.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Did it work?" lede="What readers say about sections and prompts, and the notes they share." />
      <h2 className="sr-only">Answers and notes</h2>
      <div className="pt-8">
        <TriesReport />
        <SharedNotes />
      </div>
    </>
  )
}
