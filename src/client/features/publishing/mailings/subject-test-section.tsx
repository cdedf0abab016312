import { FigureTable } from '#client/ui/figure-table.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { countedFor, minReadersPerSubject } from '#shared/domain/subject-test.ts'
import { formatPercent } from './report-figures.ts'

type State = NonNullable<Mailing['subjectTestState']>
type SubjectTestSectionProps = { mailing: Mailing; state: State }

/** Subjects, figures and decision of a mailing's subject test. */
export function SubjectTestSection({ mailing, state }: SubjectTestSectionProps) {
  const { content, status } = mailing
  const subjects = [content.subject, ...(content.otherSubjects ?? [])]
  const { decision, figures, measure, uncountedReplies } = state
  const isByReplies = measure === 'replies'
  const isUnread = decision?.problem === 'repliesNotRead'
  const rows = figures.map((each) => ({ sent: each.sent, counted: isUnread ? null : countedFor(measure, each) }))
  return (
    <Section title="Subject test" lede={<Lede state={state} isStopped={status === 'stopped'} />}>
      {figures.length > 0 && (
        <FigureTable
          caption={isByReplies ? 'Replies by subject' : 'Clicks by subject'}
          hidesCaption
          className="max-w-3xl"
          head="Subject"
          columns={['Sent', isByReplies ? 'Replied' : 'Clicked', 'Share']}
          rows={rows.map(({ sent, counted }, index) => ({
            id: subjects[index] ?? '',
            name: (
              <>
                {subjects[index]}{' '}
                {decision?.winner === index && (
                  <Tag tone="primary">{decision.outcome === 'winner' ? 'Winner' : 'Sent to the others'}</Tag>
                )}
              </>
            ),
            figures: [
              formatNumber(sent),
              counted === null ? '–' : formatNumber(counted),
              sent > 0 && counted !== null ? formatPercent(counted / sent) : '–',
            ],
          }))}
        />
      )}
      {!isUnread && uncountedReplies > 0 && (
        <p className="mt-3 max-w-3xl text-sm text-muted">
          Not counted: {formatCount(uncountedReplies, 'reader')} whose reply doesn’t name the email that it answers, so
          anyone could have written it.
        </p>
      )}
    </Section>
  )
}

function Lede({ state: { decision, decidesAt, measure }, isStopped }: { state: State; isStopped: boolean }) {
  const isByReplies = measure === 'replies'
  if (!decision) {
    if (isStopped) return 'The mailing was stopped before the test was decided.'
    return decidesAt ? (
      <>
        The other readers wait. The subject for them is chosen by {measure} <Timestamp at={decidesAt} inline />
        {isByReplies ? ', once all replies up to then have been read.' : '.'}
      </>
    ) : (
      'The test is being sent. The other readers wait for its result.'
    )
  }
  switch (decision.outcome) {
    case 'winner':
      return (
        <>
          Decided by {measure} <Timestamp at={decision.at} inline />. The difference is larger than chance explains, so
          the other readers got the winner.
        </>
      )
    case 'cannotTell':
      return decision.problem === 'repliesNotRead' ? (
        <>
          Decided <Timestamp at={decision.at} inline />. We can’t tell which subject is better: the mailbox with the
          replies couldn’t be read. The other readers got the first subject.
        </>
      ) : (
        <>
          Decided by {measure} <Timestamp at={decision.at} inline />. We can’t tell which subject is better: the
          difference could be chance. The other readers got the first subject.
        </>
      )
    case 'tooFew':
      return `No test was made: it needs at least ${minReadersPerSubject} readers for each subject. Everyone got the first subject.`
    case 'notCounted':
      return isByReplies
        ? 'No test was made, because replies by email weren’t read. Everyone got the first subject.'
        : 'No test was made, because clicks weren’t counted. Everyone got the first subject.'
  }
}
