import { useId } from 'react'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { minReadersPerSubject } from '#shared/domain/subject-test.ts'
import { formatPercent } from './report-figures.ts'

type State = NonNullable<Mailing['subjectTestState']>
type SubjectTestSectionProps = { mailing: Mailing; state: State }

/** Subjects, figures and decision of a mailing's subject test. */
export function SubjectTestSection({ mailing, state }: SubjectTestSectionProps) {
  const captionId = useId()
  const { content, status } = mailing
  const subjects = [content.subject, ...(content.otherSubjects ?? [])]
  const { decision, figures } = state
  return (
    <Section title="Subject test" lede={<Lede state={state} isStopped={status === 'stopped'} />}>
      {figures.length > 0 && (
        <ScrollBox labelledBy={captionId} className="max-w-3xl overflow-x-auto scroll-edge">
          <table className="w-full text-right text-sm tabular-nums">
            <caption id={captionId} className="sr-only">
              Clicks by subject
            </caption>
            <thead>
              <tr className="border-b border-line-strong text-muted">
                <th scope="col" className="py-2.5 pr-4 text-left font-medium">
                  Subject
                </th>
                <th scope="col" className="py-2.5 pl-5 font-medium">
                  Sent
                </th>
                <th scope="col" className="py-2.5 pl-5 font-medium">
                  Clicked
                </th>
                <th scope="col" className="py-2.5 pl-5 font-medium">
                  Share
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {figures.map(({ sent, clicked }, index) => (
                <tr key={subjects[index]}>
                  <th scope="row" className="py-2.5 pr-4 text-left font-medium [overflow-wrap:anywhere]">
                    {subjects[index]}{' '}
                    {decision?.winner === index && (
                      <Tag tone="primary">{decision.outcome === 'winner' ? 'Winner' : 'Sent to the others'}</Tag>
                    )}
                  </th>
                  <td className="py-2.5 pl-5">{formatNumber(sent)}</td>
                  <td className="py-2.5 pl-5">{formatNumber(clicked)}</td>
                  <td className="py-2.5 pl-5">{sent > 0 ? formatPercent(clicked / sent) : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </Section>
  )
}

function Lede({ state: { decision, decidesAt }, isStopped }: { state: State; isStopped: boolean }) {
  if (!decision) {
    if (isStopped) return 'The mailing was stopped before the test was decided.'
    return decidesAt ? (
      <>
        The other readers wait. The subject for them is chosen <Timestamp at={decidesAt} inline />.
      </>
    ) : (
      'The test is being sent. The other readers wait for its result.'
    )
  }
  switch (decision.outcome) {
    case 'winner':
      return (
        <>
          Decided <Timestamp at={decision.at} inline />. The difference is larger than chance explains, so the other
          readers got the winner.
        </>
      )
    case 'cannotTell':
      return (
        <>
          Decided <Timestamp at={decision.at} inline />. We can’t tell which subject is better: the difference could be
          chance. The other readers got the first subject.
        </>
      )
    case 'tooFew':
      return `No test was made: it needs at least ${minReadersPerSubject} readers for each subject. Everyone got the first subject.`
    case 'notCounted':
      return 'No test was made, because clicks weren’t counted. Everyone got the first subject.'
  }
}
