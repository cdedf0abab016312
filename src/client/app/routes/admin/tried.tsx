import { ReaderDemand } from '#client/features/publishing/documents/reader-demand.tsx'
import { Answers, ItemVotes } from '#client/features/reader/feedback/answers-report.tsx'
import { SharedNotes, TriesReport } from '#client/features/reader/tries/tries-report.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  return (
    <>
      <PageHeading
        title="What readers say"
        lede="Answers to your questions, what was useful, what worked, and the notes that readers share."
      />
      <h2 className="sr-only">Answers and notes</h2>
      <div className="pt-8">
        <ReaderDemand />
        <Answers />
        <ItemVotes />
        <TriesReport />
        <SharedNotes />
      </div>
    </>
  )
}
